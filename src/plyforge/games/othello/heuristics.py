"""Othello: what searches may know of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from plyforge.contract import MAX, Heuristics
from plyforge.games.othello.board import Board
from plyforge.games.othello.last_squares import last_squares
from plyforge.games.othello.lines import ONE, ZERO, can_play, playable, turned
from plyforge.games.othello.stability import stable
from plyforge.kernel import popcount

if TYPE_CHECKING:
    from plyforge.games.othello.rules import Othello

MIRRORED_DISCS = 14
"""Mirror images are looked for up to so many discs; later two states are seldom images of each other."""
LAST_SQUARES = 7
"""With so many empty squares or fewer, the end is looked at by a search of its own."""


class OthelloHeuristics(Heuristics):
    """What searches may know."""

    perft_counts_finished = True

    def plies_left(self, game: Othello, s: Board) -> int:
        """Every empty square may be filled, and a pass may come before each."""
        passes = 1 if playable(game, s.mine, s.theirs) == ZERO else 0
        return 2 * popcount(game.full & ~(s.mine | s.theirs)) + passes

    def symmetries(self, game: Othello, s: Board) -> Iterator[Board]:
        if popcount(s.mine | s.theirs) <= MIRRORED_DISCS:
            for image in range(7):
                yield Board(game.image(image, s.mine), game.image(image, s.theirs), s.player)

    def ordering(self, game: Othello, s: Board, square: int) -> float:
        """Fastest first: leave the opponent few moves. Corners are worth some of them, and so is playing where an
        odd number of squares is empty."""
        if square == game.squares:
            return 1.0
        place = ONE << np.uint64(square)
        discs = turned(game, s.mine, s.theirs, square)
        mine, theirs = s.mine | discs | place, s.theirs ^ discs
        replies = can_play(game, theirs, mine)
        bonus = 100 - 2 * popcount(replies) - 2 * popcount(replies & game.corners)
        if place & game.corners:
            bonus += 6
        return float(bonus)

    def bounds_near(self, game: Othello, s: Board, alpha: float, beta: float) -> tuple[float, float]:
        """Nobody ends with fewer discs than those that are stable; they are looked for only where there are enough
        discs to matter."""
        own, others = (alpha, beta) if s.player == MAX else (-beta, -alpha)
        most, least = game.squares, -game.squares
        if game.squares - 2 * popcount(s.theirs) <= own:
            most -= 2 * popcount(stable(game, s.theirs, s.mine))
        if 2 * popcount(s.mine) - game.squares >= others:
            least += 2 * popcount(stable(game, s.mine, s.theirs))
        if s.player == MAX:
            return float(least), float(most)
        return -float(most), -float(least)

    def endgame_is_near(self, game: Othello, s: Board) -> bool:
        return popcount(s.mine | s.theirs) >= game.squares - LAST_SQUARES

    def solve_endgame(self, game: Othello, s: Board, alpha: float, beta: float, tally: Any) -> float:
        own, others = (alpha, beta) if s.player == MAX else (-beta, -alpha)
        least = math.floor(
            max(own, game.min_utility - 1.0)
        )  # values are whole numbers: so is a window that asks the same
        most = math.ceil(min(others, game.max_utility + 1.0))
        value = float(last_squares(game, tally, s.mine, s.theirs, least, most))
        return value if s.player == MAX else -value
