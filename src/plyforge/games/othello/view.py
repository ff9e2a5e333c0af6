"""The board as a picture to point at: see `plyforge.board`. Never compiled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plyforge.board import Board as Picture
from plyforge.board import Piece
from plyforge.contract import BoardView, format_action
from plyforge.games.grid import grid, names_beside, numbers
from plyforge.games.othello.board import Board
from plyforge.games.othello.notation import LETTERS

if TYPE_CHECKING:
    from plyforge.games.othello.rules import Othello


class OthelloView(BoardView):
    """The picture to point at."""

    def board(self, game: Othello, s: Board) -> Picture:
        """Row 1 is above, as players of Othello have it."""
        places = grid(game.size, game.size, lambda x, y: f"{LETTERS[x]}{game.size - y}")
        discs = [
            Piece(format_action(game, s, square), "disc", s.player if int(s.mine) >> square & 1 else 1 - s.player)
            for square in range(game.squares)
            if int(s.mine | s.theirs) >> square & 1
        ]
        names = names_beside(LETTERS[: game.size], numbers(game.size)[::-1])
        return Picture(places, discs, words=names, colours=("black", "white"), surface="felt")

    def ways(self, game: Othello, s: Board, square: int) -> Iterator[tuple[str, ...]]:
        if square != game.squares:
            yield (format_action(game, s, square),)
