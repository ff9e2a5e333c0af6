"""Chess: what searches may know of it, and what depends on the past."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from plyforge.contract import Heuristics, HistoryRules
from plyforge.games.chess.board import (
    CASTLING,
    EN_PASSANT,
    KEY_BLACK,
    KEY_PAWNS,
    KIND,
    ONE,
    SQUARE,
    TARGET,
    TO_KNIGHT,
    TO_QUEEN,
    ZERO,
    Position,
)
from plyforge.games.chess.legal import count_moves, sides
from plyforge.games.chess.see import KING, PAWN, QUEEN, exchange_value, kind_at, value_at
from plyforge.kernel import mix

if TYPE_CHECKING:
    from plyforge.games.chess.rules import Chess

FIFTY_MOVES = 100
"""Moves of either side without progress after which play ends in a draw."""
QUIET = Position._fields.index("quiet")
"""The fields before this one tell positions apart in play."""
WINNING_PROMISE, QUIET_PROMISE, LOSING_PROMISE = 3.0, 1.0, 0.1
"""Searches add up to half a point for moves that were good elsewhere."""
LEAST_FOR_A_PAWN, MOST_FOR_A_PAWN = 0.01, 0.014
"""What a pawn's worth of captured pieces changes an estimate by, at the least and at the most."""


class ChessHistory(HistoryRules):
    """What depends on the past."""

    repetition = True

    def rule_draw(self, game: Chess, s: Position) -> bool:
        """True if play ends here in a draw for what the position alone tells: too little material, or fifty moves
        without progress and no mate."""
        if s.quiet >= FIFTY_MOVES and not (game.in_check(s) and count_moves(s) == 0):
            return True
        return game.lacks_material(s)

    def draw_reason(self, game: Chess, history: list[Position]) -> str:
        """The same position with the same moves for the third time, fifty moves without progress, or too little
        material."""
        s = history[-1]
        if game.lacks_material(s):
            return "insufficient material"
        if game.history.rule_draw(game, s):
            return "fifty moves"
        since = history[max(0, len(history) - 1 - s.quiet) :]  # no position comes back after progress
        times = sum(before[:QUIET] == s[:QUIET] for before in since[::-1][::2])
        return "repetition" if times >= 3 else ""

    def reversible_plies(self, game: Chess, s: Position) -> int:
        """Before the last capture or pawn move no position was the same."""
        return s.quiet


class ChessHeuristics(Heuristics):
    """What searches may know."""

    ends_when_stuck = True
    key_ignores = ("quiet", "moves")
    selective = True
    margin_unit = 0.01  # a pawn

    def pawn_key(self, game: Chess, s: Position) -> Any:
        """The pawns of both sides."""
        return mix(KEY_PAWNS, s.pawns & s.white) ^ mix(KEY_BLACK, s.pawns & s.black)

    def tactical_actions(self, game: Chess, s: Position) -> Iterator[int]:
        """Captures and promotions to a queen; in check every move, since there standing still is no choice."""
        for action in game.moves(s, False):
            yield action

    def ordering(self, game: Chess, s: Position, action: int) -> float:
        """Captures that lose nothing first, of the greatest piece by the smallest; then quiet moves; captures that
        lose last."""
        kind = action >> KIND
        goal = ONE << np.uint64(action >> TARGET & SQUARE)
        if kind < TO_KNIGHT and (kind == CASTLING or (s.white | s.black) & goal == ZERO) and kind != EN_PASSANT:
            return QUIET_PROMISE
        taken = PAWN if kind == EN_PASSANT else value_at(s, goal)
        if TO_KNIGHT <= kind < TO_QUEEN:
            return LOSING_PROMISE
        mover = value_at(s, ONE << np.uint64(action & SQUARE))
        if kind == TO_QUEEN:
            taken += QUEEN - PAWN
        if taken < mover < KING and exchange_value(s, action) < 0.0:
            return LOSING_PROMISE + taken / KING
        return WINNING_PROMISE + taken - mover / KING / 2.0

    def captured_value(self, game: Chess, s: Position, action: int) -> float:
        """The piece that is captured, and what a pawn becomes."""
        kind = action >> KIND
        won = PAWN if kind == EN_PASSANT else value_at(s, ONE << np.uint64(action >> TARGET & SQUARE))
        if kind == TO_QUEEN:
            won += QUEEN - PAWN
        return won * MOST_FOR_A_PAWN

    def move_class(self, game: Chess, s: Position, action: int) -> int:
        """Which piece goes where: 64 numbers for each kind of piece."""
        return 64 * kind_at(s, ONE << np.uint64(action & SQUARE)) + (action >> TARGET & SQUARE)

    def see_loss(self, game: Chess, s: Position, action: int) -> float:
        """What an exchange on the square where the move ends loses."""
        lost: float = max(0.0, -exchange_value(s, action)) * LEAST_FOR_A_PAWN
        return lost

    def in_check(self, game: Chess, s: Position) -> bool:
        """In check there is no standing still."""
        return game.in_check(s)

    def null_move_allowed(self, game: Chess, s: Position) -> bool:
        """True where to pass is hardly ever better than the best move: not in check, and with more than king and
        pawns."""
        own, _ = sides(s)
        return own & ~(s.pawns | s.kings) != ZERO and not game.in_check(s)

    def null_move(self, game: Chess, s: Position) -> Position:
        """The position with the other side to move; only where `null_move_allowed` says so."""
        return Position(
            s.white,
            s.black,
            s.pawns,
            s.knights,
            s.diagonals,
            s.straights,
            s.kings,
            s.castling,
            ZERO,
            1 - s.player,
            s.quiet + 1,
            s.moves + s.player,
        )
