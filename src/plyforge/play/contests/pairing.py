"""The games of several pairings in one record: each line has the two players and a game of theirs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from plyforge.errors import BadText
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.record import MatchRecord


@dataclass(frozen=True)
class PairingGame:
    """A game between two of several players, as a line of their record."""

    players: tuple[str, str]
    """A and B."""
    game: PlayedGame

    @property
    def number(self) -> tuple[tuple[str, str], int]:
        return self.players, self.game.number

    def to_json(self) -> dict[str, Any]:
        return {"players": list(self.players), "game": self.game.to_json()}

    @classmethod
    def from_json(cls, data: Any) -> PairingGame:
        if not isinstance(data, dict) or set(data) != {"players", "game"}:
            raise BadText("it does not have players and a game")
        players = data["players"]
        if not (isinstance(players, list) and len(players) == 2 and all(isinstance(player, str) for player in players)):
            raise BadText(f"players can't be {str(players)[:60]!r}")
        return cls((players[0], players[1]), PlayedGame.from_json(data["game"]))


class PairingRecord:
    """The part of a record that is of one pairing."""

    def __init__(self, whole: MatchRecord, players: tuple[str, str]) -> None:
        self.whole, self.players = whole, players
        self.games: dict[int, PlayedGame] = {
            number: kept.game for (who, number), kept in whole.games.items() if who == players
        }

    def add_all(self, games: Iterable[tuple[int, PlayedGame]]) -> None:
        """Keep finished games by their numbers: when this returns, they are on disk."""
        found = [PairingGame(self.players, game) for _, game in games]
        self.whole.add_all((kept.number, kept) for kept in found)
        self.games.update((kept.game.number, kept.game) for kept in found)


__all__ = ["PairingGame", "PairingRecord"]
