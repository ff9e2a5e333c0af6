"""Games of a match as orders for workers (`work/`): how a worker plays one, and what becomes of one whose worker ends.

A worker has both players, and plays one game after another. Before every move it tells who is to move, and how long
that may take; after it, what was played. So whoever hands out the games knows whose fault it is if nothing more comes.

Invariant: a worker that crashes, or is silent beyond its player's patience, loses the game for the player that was to
move. One that is ended from outside is nobody's crash: its game is played again, from its beginning. Only after
MOST_REPLAYS of them is it taken for its player's: it may be ended for the memory that the player takes.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

from plyforge.games import load
from plyforge.play.engine import never_collect_what_is_there
from plyforge.play.match.adjudication import Adjudication
from plyforge.play.match.openings import Opening
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.referee import Referee, TimeRules, Turn
from plyforge.play.players.given import contestant
from plyforge.play.players.player import Player
from plyforge.play.players.programs.program_player import ProgramPlayer
from plyforge.search import Clock, hearing_of_fall_backs
from plyforge.search.protection.threads import start_with_deep_stack
from plyforge.work import Gone, Last, Order

SLACK = 30.0
"""Seconds beyond a player's patience before its worker is ended: usually the worker stops the player itself."""
MOST_REPLAYS = 3
"""So often a game is played again whose worker was ended from outside."""


def games_of(terms: dict[str, Any]) -> GamesOfMatch:
    """At a worker: plays games of the match with this identity."""
    return GamesOfMatch(terms)


class GamesOfMatch:
    """Both players, ready to play."""

    def __init__(self, terms: dict[str, Any]) -> None:
        self.game = load(terms["game"])
        clock = None if terms["clock"] is None else Clock.parse(terms["clock"])
        asked = terms.get("adjudication")
        self.rules = TimeRules(
            terms["seconds"],
            clock,
            terms["tolerance"],
            terms["patience"],
            terms["plies_limit"],
            None if asked is None else Adjudication.parse(asked),
        )
        self.players: list[Player] = []
        self.notes: list[str] = []
        with hearing_of_fall_backs(self.notes.append):
            for text in terms["players"]:
                player = contestant(text, self.game, seconds=terms["seconds"], clock=clock, native=terms["native"])
                self.players.append(player)
                player.prepare(self.game)
        never_collect_what_is_there()

    def __call__(self, order: Order) -> Any:
        """The game of an order, played in a thread with room for searches: so they need none of their own, and no
        thread hands over to another while a clock runs."""
        found: list[Any] = []
        ended = threading.Event()

        def play() -> None:
            try:
                found.append(self._play(order))
            except BaseException as error:
                found.append(error)
            finally:
                ended.set()

        start_with_deep_stack(play)
        ended.wait()
        if isinstance(found[0], BaseException):
            raise found[0]
        is_spoilt = any(player.spoilt for player in self.players)
        return Last(found[0]) if is_spoilt else found[0]

    def _play(self, order: Order) -> dict[str, Any]:
        def on_turn(turn: Turn) -> None:
            order.tell({"turn": turn.player}, turn.patience + SLACK)

        def on_action(text: str, seconds: float | None) -> None:
            order.tell({"action": text, "seconds": seconds}, SLACK)

        referee = Referee(self.game, self.players, self.rules, on_turn=on_turn, on_action=on_action)
        said = order.given
        opening = Opening(tuple(said["actions"]), said["start"])
        return referee.play(said["number"], said["first"], opening, said["seed"]).to_json()

    def programs(self) -> list[int]:
        """The outside programs that run now."""
        return [
            player.program.process.pid
            for player in self.players
            if isinstance(player, ProgramPlayer) and player.program is not None
        ]


class Salvage:
    """Decides what becomes of games whose workers end."""

    def __init__(self, order: Callable[[int], dict[str, Any]], note: Callable[[str], object]) -> None:
        """`order` is what was to be played by its number."""
        self.order, self.note = order, note
        self.replays: Counter[int] = Counter()
        """How often the workers of games were ended from outside."""

    def __call__(self, number: int, told: list[Any], gone: Gone) -> Any:
        """The game as it is lost; None if it is to be played again."""
        if gone.from_outside and self.replays[number] < MOST_REPLAYS:
            self.replays[number] += 1
            self.note(f"game {number} is played again: {gone.how}")
            return None
        return self._forfeited(self.order(number), told, gone).to_json()

    @staticmethod
    def _forfeited(order: dict[str, Any], told: list[Any], gone: Gone) -> PlayedGame:
        """The game of a worker that has gone, as far as it was heard of."""
        mover, actions, moves, used = "A", [], {"A": 0, "B": 0}, {"A": 0.0, "B": 0.0}
        for said in told:
            mover = said.get("turn", mover)
            if "action" in said:
                actions.append((said["action"], said["seconds"]))
                if said["seconds"] is not None:
                    moves[mover] += 1
                    used[mover] += said["seconds"]
        return PlayedGame(
            number=order["number"],
            first=order["first"],
            seed=order["seed"],
            start=order["start"],
            opening=len(order["actions"]),
            actions=tuple(text for text, _ in actions),
            seconds=tuple(seconds for _, seconds in actions),
            winner=None,
            reason="stall" if gone.silent else "crash",
            forfeited=mover,
            message=gone.how,
            used=(used["A"], used["B"]),
            moves=(moves["A"], moves["B"]),
        )


__all__ = ["MOST_REPLAYS", "SLACK", "GamesOfMatch", "Salvage", "games_of"]
