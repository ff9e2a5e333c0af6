"""Go: what searches may know of it, and what depends on the past."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from plyforge.contract import MAX, Heuristics, HistoryRules
from plyforge.games.go.life import beyond_doubt
from plyforge.games.go.playout import play_out
from plyforge.games.go.points import either, size_of
from plyforge.games.go.position import NO_POINT, Position
from plyforge.games.go.prior import promise_of
from plyforge.kernel import mix
from plyforge.kernel.storage.scratch import new_scratch

if TYPE_CHECKING:
    from plyforge.games.go.rules import Go

SOLVABLE = 5
"""On boards up to this size mirror images are always looked for,"""
MIRRORED_STONES = 6
"""on larger ones up to so many stones: later two states are seldom images of each other."""
LONGEST_PLAYOUT = 3
"""A playout ends after so many plies for each point of the board: stones can be captured again and again."""


class GoHistory(HistoryRules):
    """What depends on the past."""

    draws_possible = False
    repetition = True
    superko = True

    def superko_key(self, game: Go, s: Position) -> Any:
        """Of the stones alone: what positional superko compares."""
        found = mix(0, 0)
        for bits in s.black:
            found = mix(found, bits)
        for bits in s.white:
            found = mix(found, bits)
        return found

    def forbidden(self, game: Go, history: list[Position], place: int) -> str:
        """Positional superko: a move, unless it is a pass, may not bring back a board that was there before."""
        if place == game.places:
            return ""
        after = game.result(history[-1], place)
        for ply, before in enumerate(history):
            if before.black == after.black and before.white == after.white:
                return f"superko: it brings back the board of ply {ply}"
        return ""


class GoHeuristics(Heuristics):
    """What searches may know."""

    key_ignores = ("last",)

    def symmetries(self, game: Go, s: Position) -> Iterator[Position]:
        if game.size <= SOLVABLE or size_of(either(s.black, s.white)) <= MIRRORED_STONES:
            for image in range(7):
                ko = s.ko if s.ko == NO_POINT else int(game.images[image, s.ko])
                last = s.last if s.last == NO_POINT else int(game.images[image, s.last])
                black, white = game.image(image, s.black), game.image(image, s.white)
                yield Position(black, white, ko, s.passes, last, s.player)

    def prior(self, game: Go, s: Position, place: int) -> float:
        """What a move captures, saves and threatens, its shape, and how near it is to the last one: see prior.py."""
        strength: float = promise_of(game, s, place)
        return strength

    def ordering(self, game: Go, s: Position, place: int) -> float:
        return self.prior(game, s, place)

    def rollout(
        self, game: Go, s: Position, stream: Any, skilled: bool, log: Any, memory: Any, most_plies: int
    ) -> float:
        """Nobody fills own eyes, everything else is equally likely; `skilled`: as MoGo plays."""
        board = new_scratch(game)
        most = min(most_plies, LONGEST_PLAYOUT * game.size * game.size)
        ahead = game.ahead_of_komi(play_out(game, board, skilled, log, memory, s, stream, most))
        return ahead if game.margin else game.sign(ahead)


class DrawableHistory(GoHistory):
    """With a komi of whole points."""

    draws_possible = True


class SolvableHeuristics(GoHeuristics):
    """On boards that are small enough to be solved, stones that are alive beyond doubt are looked for at every node."""

    def bounds(self, game: Go, s: Position) -> tuple[float, float]:
        """Each player has what can't be captured any more, the other at most the rest: see life.py."""
        points = game.size * game.size
        passed = s.passes == 1
        black = beyond_doubt(game, s.black, s.white, passed and s.player != MAX)
        white = beyond_doubt(game, s.white, s.black, passed and s.player == MAX)
        at_least, at_most = game.ahead_of_komi(2 * black - points), game.ahead_of_komi(points - 2 * white)
        if game.margin:
            return at_least, at_most
        return game.sign(at_least), game.sign(at_most)


PLAIN, SOLVABLE_BOARD = GoHeuristics(), SolvableHeuristics()
NO_DRAWS, DRAWS = GoHistory(), DrawableHistory()
