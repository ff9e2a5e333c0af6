"""The games of a match in this process, one after another: for players who are somebody's own objects, which no other
process has.

The referee, the openings and the seeds are those of any match. What only a process of its own can give is not there: a
player that never answers is waited for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from plyforge.errors import PlyforgeError
from plyforge.play.match.openings import Opening
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.referee import Referee
from plyforge.play.players.player import Player
from plyforge.search import hearing_of_fall_backs

if TYPE_CHECKING:
    from plyforge.play.match.match import Match


class AtHome:
    """Hands out the games of a match to itself."""

    def __init__(self, match: Match, left: deque[int], players: Sequence[Player]) -> None:
        self.match, self.left, self.players = match, left, list(players)

    def games(self) -> Iterator[PlayedGame]:
        """Yields games as they are finished."""
        match = self.match
        with hearing_of_fall_backs(match.notes.append):
            for player in self.players:
                player.prepare(match.game)
        referee = Referee(match.game, self.players, match.time_rules)
        while self.left:
            order = match.order(self.left.popleft())
            opening = Opening(tuple(order["actions"]), order["start"])
            yield referee.play(order["number"], order["first"], opening, order["seed"])
            spoilt = [player.description for player in self.players if player.spoilt]
            if spoilt:
                raise PlyforgeError(f"{spoilt[0]} can't be stopped, and the match can't go on beside it")

    def close(self) -> None:
        """Let the players go."""
        for player in self.players:
            player.close()


__all__ = ["AtHome"]
