"""The board as a picture to point at: see `plyforge.board`. Never compiled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plyforge.board import Board, Line, Piece
from plyforge.contract import MAX, BoardView
from plyforge.games.go.notation import COLUMNS, format_vertex
from plyforge.games.go.points import has
from plyforge.games.go.position import Position
from plyforge.games.grid import crossing_lines, grid, names_beside, numbers

if TYPE_CHECKING:
    from plyforge.games.go.rules import Go


class GoView(BoardView):
    """The picture to point at."""

    def board(self, game: Go, s: Position) -> Board:
        size = game.size
        stones = [
            Piece(format_vertex(size, place), "stone", MAX if has(s.black, place) else 1 - MAX)
            for place in range(game.places)
            if has(s.black, place) or has(s.white, place)
        ]
        stars = [Line(x, y, x, y, "star") for x, y in star_points(size)]
        return Board(
            grid(size, size, lambda x, y: format_vertex(size, y * game.stride + x), shape="point"),
            stones,
            crossing_lines(size, size) + stars,
            names_beside(COLUMNS[:size], numbers(size), 0.95),
            ("black", "white"),
            "plank",
        )

    def ways(self, game: Go, s: Position, place: int) -> Iterator[tuple[str, ...]]:
        if place != game.places:
            yield (format_vertex(game.size, place),)


def star_points(size: int) -> list[tuple[int, int]]:
    """The points that boards are marked at, by column and row."""
    if size < 7:
        return [(size // 2, size // 2)] if size in (3, 5) else []
    near = 3 if size > 11 else 2
    far, middle = size - 1 - near, size // 2
    corners = [(x, y) for x in (near, far) for y in (near, far)]
    if size % 2 == 0:
        return corners
    sides = [(x, middle) for x in (near, far)] + [(middle, y) for y in (near, far)]
    return [*corners, (middle, middle), *(sides if size > 13 else [])]
