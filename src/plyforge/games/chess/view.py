"""The board of chess as a picture to point at: see `plyforge.board`. Never compiled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plyforge.board import Board, Piece
from plyforge.contract import BoardView
from plyforge.games.chess.board import (
    CASTLING,
    FILES,
    KIND,
    RANKS,
    SQUARE,
    TARGET,
    Position,
    square_name,
    squares_in,
)
from plyforge.games.chess.fen import piece_letter
from plyforge.games.chess.notation import king_goal
from plyforge.games.grid import grid, names_beside

if TYPE_CHECKING:
    from plyforge.games.chess.rules import Chess

LOOKS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}


def board(s: Position) -> Board:
    """White sits below."""
    pieces = []
    for square in squares_in(s.white | s.black):
        letter = piece_letter(s, square)
        pieces.append(Piece(square_name(square), LOOKS[letter.lower()], 0 if letter.isupper() else 1))
    places = grid(8, 8, lambda file, rank: f"{FILES[file]}{RANKS[rank]}", chequered=True)
    return Board(
        places,
        pieces,
        words=names_beside(FILES, RANKS),
        colours=("white", "black"),
        surface="wood",
        turns=True,
    )


def ways(s: Position, action: int) -> Iterator[tuple[str, str]]:
    """From a square to a square. A king that castles is pointed to where it comes to stand, or to its rook."""
    source, target = square_name(action & SQUARE), square_name(action >> TARGET & SQUARE)
    if action >> KIND == CASTLING:
        goal = square_name(king_goal(action))
        if goal not in (source, target):
            yield source, goal
    yield source, target


class ChessView(BoardView):
    """The picture to point at."""

    def board(self, game: Chess, s: Position) -> Board:
        return board(s)

    def ways(self, game: Chess, s: Position, action: int) -> Iterator[tuple[str, ...]]:
        """Promotions share a way, and are told apart by their text."""
        yield from ways(s, action)
