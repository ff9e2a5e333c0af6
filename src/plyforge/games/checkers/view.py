"""The board of checkers as a picture to point at: see `plyforge.board`. Never compiled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from plyforge.board import Board as Picture
from plyforge.board import Piece, Place
from plyforge.contract import MAX, MIN, BoardView
from plyforge.games.checkers.board import SQUARES, Board, bit_of
from plyforge.games.checkers.notation import format_fen, parse_fen

if TYPE_CHECKING:
    from plyforge.games.checkers.rules import Checkers


class CheckersView(BoardView):
    """The picture to point at."""

    def board(self, game: Checkers, s: Board) -> Picture:
        """The squares that are played on, by their numbers; White sits below."""
        places, pieces = [], []
        for square in range(1, SQUARES + 1):
            row, place = divmod(square - 1, 4)
            places.append(Place(str(square), 2 * place + 1 - row % 2, row, tone=1))
            bit = 1 << bit_of(square)
            if (s.black | s.white) & bit:
                look = "crown" if s.kings & bit else "disc"
                pieces.append(Piece(str(square), look, MAX if s.black & bit else 1 - MAX))
        return Picture(places, pieces, colours=("black", "white"), surface="chequered", turns=True)

    def palette(self, game: Checkers, place: str) -> list[Piece]:
        return [Piece("", look, owner) for owner in (MAX, MIN) for look in ("disc", "crown")]

    def placed(self, game: Checkers, pieces: Sequence[Piece], player: int) -> Board:
        black, white = (
            sum(1 << bit_of(int(each.place)) for each in pieces if each.owner == owner) for owner in (MAX, MIN)
        )
        kings = sum(1 << bit_of(int(each.place)) for each in pieces if each.look == "crown")
        return parse_fen(format_fen(Board(black, white, kings, player)))

    def ways(self, game: Checkers, s: Board, action: int) -> Iterator[tuple[str, ...]]:
        """Every square that the piece lands on; or the first and the last."""
        squares = [str(square) for square in game.squares(s, action)]
        yield tuple(squares)
        if len(squares) > 2 and squares[0] != squares[-1]:
            yield squares[0], squares[-1]
