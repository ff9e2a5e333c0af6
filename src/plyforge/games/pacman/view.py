"""The maze as a picture to point at: see `plyforge.board`. Never compiled.

Squares are called by column and row, both from 1 at the top left. Walls are lines around the floor.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from plyforge.board import Board, Line, Piece, Place, Words
from plyforge.contract import BoardView
from plyforge.games.pacman.chase import Chase
from plyforge.games.pacman.maze import GHOSTS

if TYPE_CHECKING:
    from plyforge.games.pacman.rules import Pacman


def square_name(game: Any, square: int) -> str:
    """`4, 2` is in the fourth column and the second row."""
    row, column = game.plan.places[square]
    return f"{column + 1}, {row + 1}"


def board(game: Any, s: Any) -> Board:
    """Dots, pellets, Pacman and the ghosts; those that he may catch look scared."""
    places = [Place(square_name(game, n), column, row) for n, (row, column) in enumerate(game.plan.places)]
    pieces = [
        Piece(square_name(game, square), "pill" if game.pellets >> bit & 1 else "dot")
        for bit, square in enumerate(game.plan.food)
        if s.food >> bit & 1 and square != s.pacman
    ]
    ghosts = [game.ghost_square(s, ghost) for ghost in range(game.ghosts)]
    pieces.append(Piece(square_name(game, s.pacman), "hero", 0, name="Pacman"))
    for ghost, square in enumerate(ghosts):
        look = "scared" if s.power and not s.caught >> ghost & 1 else "ghost"
        owner = 1 + ghost if game.players > 2 else 1
        pieces.append(Piece(square_name(game, square), look, owner, name=f"ghost {GHOSTS[ghost]}"))
    below = f"points {game.points(s)}   round {s.round} of {game.rounds}"
    if s.power:
        below += f"   power for {s.power}"
    width, height = len(game.plan.rows[0]), len(game.plan.rows)
    words = [Words((width - 1) / 2, height - 0.55, below, 0.36)]
    colours = ("yellow", "red", "blue", "orange", "violet")
    return Board(places, pieces, _walls(game), words, colours, "night")


def _walls(game: Any) -> list[Line]:
    """A line wherever floor meets wall; stretches in one direction are one line."""
    floor = set(game.plan.places)
    height, width = len(game.plan.rows), len(game.plan.rows[0])
    flat, upright = set(), set()
    for row, column in floor:
        for down in (-1, 1):
            if (row + down, column) not in floor and 0 <= row + down < height:
                flat.add((row + down / 2, column))
        for right in (-1, 1):
            if (row, column + right) not in floor and 0 <= column + right < width:
                upright.add((column + right / 2, row))
    lines = [Line(first - 0.5, at, last + 0.5, at, "wall") for at, first, last in _stretches(flat)]
    return lines + [Line(at, first - 0.5, at, last + 0.5, "wall") for at, first, last in _stretches(upright)]


def _stretches(units: set[tuple[float, int]]) -> list[tuple[float, int, int]]:
    """Where units lie in a row on the same line: the line, the first and the last of them."""
    found: list[tuple[float, int, int]] = []
    for at, unit in sorted(units):
        if found and found[-1][0] == at and found[-1][2] == unit - 1:
            found[-1] = (at, found[-1][1], unit)
        else:
            found.append((at, unit, unit))
    return found


class PacmanView(BoardView):
    """The picture to point at."""

    steering = (("up", "north"), ("left", "west"), ("down", "south"), ("right", "east"), ("space", "wait"))

    def board(self, game: Pacman, s: Chase) -> Board:
        return board(game, s)

    def ways(self, game: Pacman, s: Chase, move: int) -> Iterator[tuple[str, ...]]:
        """Point at the square to go to; at the own one to wait."""
        square = s.pacman if s.mover == 0 else game.ghost_square(s, s.mover - 1)
        yield (square_name(game, int(game.steps[square, move])),)
