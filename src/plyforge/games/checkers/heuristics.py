"""Checkers: what searches may know of it, and what depends on the past."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plyforge.contract import MAX, Heuristics, HistoryRules
from plyforge.games.checkers.board import BOTTOM, LIFTED, TARGET, TOP, Board
from plyforge.kernel import popcount

if TYPE_CHECKING:
    from plyforge.games.checkers.rules import Checkers

TRIFLE = 1e-9
"""Orders only what nothing else does: not what a search remembers of actions that were good elsewhere."""


class CheckersHistory(HistoryRules):
    """What depends on the past."""

    repetition = True

    def draw_reason(self, game: Checkers, history: list[Board]) -> str:
        """The same position with the same player to move for the third time, or too long without progress."""
        times = 1
        for quiet, (before, after) in enumerate(zip(history[-2::-1], history[:0:-1], strict=True), 1):
            if game.progress(before, after):
                break
            times += before == history[-1]
            if times == 3:
                return "repetition"
            if quiet == 2 * game.move_limit:
                return "move limit"
        return ""


class CheckersHeuristics(Heuristics):
    """What searches may know."""

    def tactical_actions(self, game: Checkers, s: Board) -> Iterator[int]:
        """Captures: whoever can capture must, so all actions or none."""
        falling, rising, enemy, empty = game.sides(s)
        for capture in game.captures(falling, rising, enemy, empty):
            yield capture

    def ordering(self, game: Checkers, s: Board, action: int) -> float:
        """More captures first, then crowning; a man's step forward a trifle more, the farther it has come."""
        lifted, target = action & LIFTED, action >> TARGET & 63
        captured = popcount(lifted) - 1
        if lifted & s.kings & (s.black if s.player == MAX else s.white):
            return 1.0 + captured
        ranks = target // 9 if s.player == MAX else 3 - target // 9
        crowned = (BOTTOM if s.player == MAX else TOP) >> target & 1
        return 1.0 + captured + 2.0 * crowned + TRIFLE * ranks
