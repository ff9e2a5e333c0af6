"""Boards that nobody drew: little games, each with its board in another form, and what a person expects to see of
them.
"""

from __future__ import annotations

import dataclasses
import enum
import io
import json
import random
import textwrap
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.console import Console

import paths
import plyforge as pf
from plyforge import MAX, MIN, Game
from plyforge.board import LOOKS, Board, Place
from plyforge.check.examiners.pictures import Pictures
from plyforge.check.ledger import Ledger
from plyforge.check.rules import Rules
from plyforge.games.catalog import CATALOG
from plyforge.grids import found_grid
from plyforge.grids.hooks import board_of, ways_of
from plyforge.grids.pieces import key, signs
from plyforge.grids.shown import grid_in
from plyforge.play.session import GameSession
from plyforge.play.terminal.screen import Screen

NATURAL = sorted((paths.NATURAL_GAMES).glob("*.py"))


def looks(board: Board) -> dict[str, tuple[str, int]]:
    """By place: what stands there, and whose it is."""
    return {piece.place: (piece.look, piece.owner) for piece in board.pieces}


def shape(board: Board) -> tuple[int, int]:
    """Rows and columns, if the places lie in a full rectangle."""
    at = {(place.x, place.y) for place in board.places}
    rows, columns = len({y for _, y in at}), len({x for x, _ in at})
    assert len(at) == rows * columns == len(board.places)
    return rows, columns


def spot(board: Board, name: str) -> tuple[float, float]:
    """Row and column of a place."""
    place = next(place for place in board.places if place.name == name)
    return place.y, place.x


class Placing(Game):
    """Two players place marks in turn on 3 rows and 4 columns until the board is full. Subclasses say how the board
    is written.

    `cells(s)` gives the cells that are taken, `put(s, cell, mark)` places one, `action` and `cell` are what an action
    looks like.
    """

    ROWS_, COLUMNS_ = 3, 4

    def blank(self) -> Any:
        raise NotImplementedError

    def at(self, s: Any, r: int, c: int) -> Any:
        raise NotImplementedError

    def put(self, s: Any, r: int, c: int, player: int) -> Any:
        raise NotImplementedError

    def free(self, s: Any, r: int, c: int) -> bool:
        raise NotImplementedError

    def action(self, r: int, c: int) -> Any:
        return (r, c)

    def cell(self, action: Any) -> tuple[int, int]:
        return action

    def player(self, s: Any) -> int:
        return s[-1]

    def start(self) -> Any:
        return self.blank()

    def actions(self, s: Any) -> Any:
        for r in range(self.ROWS_):
            for c in range(self.COLUMNS_):
                if self.free(s, r, c):
                    yield self.action(r, c)

    def result(self, s: Any, action: Any) -> Any:
        r, c = self.cell(action)
        return self.put(s, r, c, self.player(s))

    def terminal(self, s: Any) -> bool:
        return not any(self.free(s, r, c) for r in range(self.ROWS_) for c in range(self.COLUMNS_))

    def utility(self, s: Any) -> float:
        return 0.0


def replaced(row: Any, i: int, value: Any) -> Any:
    new = list(row)
    new[i] = value
    return "".join(new) if isinstance(row, str) else tuple(new)


class Position(NamedTuple):
    board: Any
    player: int


class Nested(Placing):
    """Tuples of tuples, (row, column)."""

    empty: Any = 0
    marks: Any = (1, 2)

    def blank(self):
        return Position(((self.empty,) * 4,) * 3, MAX)

    def free(self, s, r, c):
        return s.board[r][c] == self.empty

    def put(self, s, r, c, player):
        return Position(replaced(s.board, r, replaced(s.board[r], c, self.marks[player])), 1 - player)


class Lists(Nested):
    """A list of lists."""

    def blank(self):
        return ([[0] * 4 for _ in range(3)], 0)

    def free(self, s, r, c):
        return s[0][r][c] == 0

    def put(self, s, r, c, player):
        rows = [list(row) for row in s[0]]
        rows[r][c] = self.marks[player]
        return (rows, 1 - player)


class Signed(Nested):
    """1 and -1, as who computes likes it."""

    marks = (1, -1)


class LetteredNotation(type(Nested.notation)):
    player_names = ("White", "Black")


class Lettered(Nested):
    """One-letter strings, with a blank for nothing, and who has a letter in the names."""

    notation = LetteredNotation()

    empty, marks = " ", ("W", "B")


class MinusOne(Nested):
    """Players' own numbers, -1 for nothing."""

    empty, marks = -1, (0, 1)


class Kind(enum.Enum):
    EMPTY = 0
    RED = 1
    BLUE = 2


class Enumerated(Nested):
    """Members of an Enum."""

    empty, marks = Kind.EMPTY, (Kind.RED, Kind.BLUE)


class Strings(Nested):
    """Equally long strings."""

    def blank(self):
        return Position(("....",) * 3, MAX)

    empty, marks = ".", ("X", "O")


class OneText(Placing):
    """One string with line breaks."""

    def blank(self):
        return Position("....\n....\n....", MAX)

    def free(self, s, r, c):
        return s.board.split("\n")[r][c] == "."

    def put(self, s, r, c, player):
        return Position(replaced(s.board, 5 * r + c, "XO"[player]), 1 - player)


class Flat(Placing):
    """One tuple with all cells, (row, column) actions, and nobody says how many rows there are."""

    def blank(self):
        return Position((0,) * 12, MAX)

    def free(self, s, r, c):
        return s.board[4 * r + c] == 0

    def put(self, s, r, c, player):
        return Position(replaced(s.board, 4 * r + c, player + 1), 1 - player)


@dataclasses.dataclass(frozen=True)
class FlatIndexed(Flat):
    """The same with the cell's number as the action, and parameters for rows and columns."""

    rows: int = 3
    cols: int = 4

    def action(self, r, c):
        return 4 * r + c

    def cell(self, action):
        return divmod(action, 4)


class FlatByPlyforgeTextNotation(type(Flat.notation)):
    def format_action(self, game, s, action):
        return f"{'abcd'[action[1]]}{3 - action[0]}"


class FlatByPlyforgeText(Flat):
    """The same with the actions' text as e5, from the bottom."""

    notation = FlatByPlyforgeTextNotation()


class FlatText(FlatIndexed):
    """All cells in a string."""

    def blank(self):
        return Position("." * 12, MAX)

    def free(self, s, r, c):
        return s.board[4 * r + c] == "."

    def put(self, s, r, c, player):
        return Position(replaced(s.board, 4 * r + c, "xo"[player]), 1 - player)


class Sparse(Placing):
    """A dict of what stands somewhere, actions as x and y."""

    WIDTH, HEIGHT = 4, 3

    def blank(self):
        return Position({}, MAX)

    def free(self, s, r, c):
        return (r, c) not in s.board

    def put(self, s, r, c, player):
        return Position({**s.board, (r, c): "XO"[player]}, 1 - player)

    def action(self, r, c):
        return (c, r)

    def cell(self, action):
        return action[1], action[0]


class Squares(Placing):
    """A dict from e5 to a piece, all squares in it, actions as text."""

    def name(self, r, c):
        return f"{'abcd'[c]}{3 - r}"

    def blank(self):
        return Position({self.name(r, c): None for r in range(3) for c in range(4)}, MAX)

    def free(self, s, r, c):
        return s.board[self.name(r, c)] is None

    def put(self, s, r, c, player):
        return Position({**s.board, self.name(r, c): ("white", "black")[player]}, 1 - player)

    def action(self, r, c):
        return self.name(r, c)

    def cell(self, action):
        return 3 - int(action[1]), "abcd".index(action[0])


class TwoSets(NamedTuple):
    mine: frozenset
    yours: frozenset
    player: int


class Sets(Placing):
    """A set of cells for each player."""

    height, width = 3, 4

    def blank(self):
        return TwoSets(frozenset(), frozenset(), MAX)

    def free(self, s, r, c):
        return (r, c) not in s.mine and (r, c) not in s.yours

    def put(self, s, r, c, player):
        if player == MAX:
            return s._replace(mine=s.mine | {(r, c)}, player=MIN)
        return s._replace(yours=s.yours | {(r, c)}, player=MAX)


class SetsInATuple(Sets):
    """The same in a tuple, one for each player; nobody says how large it is."""

    height = width = None

    def blank(self):
        return Position((frozenset(), frozenset()), MAX)

    def free(self, s, r, c):
        return not any((r, c) in cells for cells in s.board)

    def put(self, s, r, c, player):
        return Position(replaced(s.board, player, s.board[player] | {(r, c)}), 1 - player)


class Bits(NamedTuple):
    crosses: int
    rings: int
    player: int


class BitSets(Placing):
    """A bit for each cell, in a number for each player."""

    width, height = 4, 3

    def blank(self):
        return Bits(0, 0, MAX)

    def free(self, s, r, c):
        return not (s.crosses | s.rings) >> (4 * r + c) & 1

    def put(self, s, r, c, player):
        bit = 1 << (4 * r + c)
        if player == MAX:
            return Bits(s.crosses | bit, s.rings, MIN)
        return Bits(s.crosses, s.rings | bit, MAX)


class Packed(NamedTuple):
    code: int
    player: int


class ShownOnly(Placing):
    """A number that nobody understands, and a picture of one's own with names beside it."""

    def blank(self):
        return Packed(0, MAX)

    def free(self, s, r, c):
        return s.code // 3 ** (4 * r + c) % 3 == 0

    def put(self, s, r, c, player):
        return Packed(s.code + (player + 1) * 3 ** (4 * r + c), 1 - player)

    def show(self, s):
        rows = (" ".join("-xo"[s.code // 3 ** (4 * r + c) % 3] for c in range(4)) for r in range(3))
        lines = [f"{3 - r} {row}" for r, row in enumerate(rows)]
        return "\n".join([*lines, "  a b c d", "x begins"])

    def action(self, r, c):
        return f"{'abcd'[c]}{3 - r}"

    def cell(self, action):
        return 3 - int(action[1]), "abcd".index(action[0])


class Objects(Placing):
    """A state that is an object of a class, with an array."""

    class Table:
        def __init__(self, grid: Any, mover: int) -> None:
            self.grid, self.mover = grid, mover

    def blank(self):
        return self.Table(np.zeros((3, 4), dtype=np.int8), MAX)

    def player(self, s):
        return s.mover

    def free(self, s, r, c):
        return s.grid[r, c] == 0

    def put(self, s, r, c, player):
        grid = s.grid.copy()
        grid[r, c] = player + 1
        return self.Table(grid, 1 - player)


PAIRS = [
    Nested,
    Lists,
    Signed,
    Lettered,
    MinusOne,
    Enumerated,
    Strings,
    OneText,
    Flat,
    Sets,
    SetsInATuple,
    BitSets,
    Objects,
]


@pytest.mark.parametrize("kind", PAIRS)
def test_a_board_of_any_form_is_drawn_and_cells_are_pointed_at_by_row_and_column(kind: type[Placing]) -> None:
    game = kind()
    board = game.view.board(game, game.start())
    assert isinstance(board, Board) and shape(board) == (3, 4) and board.pieces == []
    assert spot(board, "(1, 3)") == (1, 3), "row 0 is on top"
    s = game.result(game.result(game.start(), (0, 1)), (2, 3))
    stands = looks(game.view.board(game, s))
    assert {place: owner for place, (_, owner) in stands.items()} == {"(0, 1)": MAX, "(2, 3)": MIN}
    assert stands["(0, 1)"] != stands["(2, 3)"]
    for action in pf.legal_moves(game, s):
        assert list(game.view.ways(game, s, action)) == [(str(action),)]
    assert game.view.board(game, s).found == "sure"


def drawn(game: Game, *actions: Any) -> str:
    s = game.start()
    for action in actions:
        s = game.result(s, action)
    return game.show(s)


def test_letters_are_those_of_the_rules() -> None:
    assert drawn(Strings(), (0, 1), (2, 3)) == "   0 1 2 3\n0  . X . .\n1  . . . .\n2  . . . O"
    assert drawn(Lettered(), (0, 1), (2, 3)) == "   0 1 2 3\n0  . W . .\n1  . . . .\n2  . . . B"
    assert drawn(Enumerated(), (0, 1), (2, 3)) == "   0 1 2 3\n0  . R . .\n1  . . . .\n2  . . . B"
    assert drawn(Nested(), (0, 1), (2, 3)) == "   0 1 2 3\n0  . X . .\n1  . . . .\n2  . . . O"
    assert drawn(MinusOne(), (0, 1), (2, 3)) == "   0 1 2 3\n0  . X . .\n1  . . . .\n2  . . . O"


class Mark(enum.Enum):
    """Members whose values are what their rules write for them."""

    FREE = "."
    GONE = "#"
    WHITE = "W"
    BLACK = "b"


def test_letters_of_members_are_their_values_where_those_are_letters() -> None:
    values = [key(each) for each in Mark]
    found = signs(values, key(Mark.FREE), {key(Mark.WHITE): 0, key(Mark.BLACK): 1}, Enumerated(), {}, {})
    assert [sign.letter for sign in found.values()] == ["#", "W", "b"]


def test_numbers_of_cells_are_pointed_at() -> None:
    for game in (FlatIndexed(), FlatText()):
        s = game.result(game.start(), 6)
        board = game.view.board(game, s)
        assert shape(board) == (3, 4) and spot(board, "6") == (1, 2)
        assert looks(board)["6"][1] == MAX
        assert list(game.view.ways(game, s, 11)) == [("11",)]
    assert drawn(FlatText(), 6) == "   0 1 2 3\n0  . . . .\n4  . . x .\n8  . . . ."


def test_a_board_written_from_the_bottom_keeps_the_names_of_its_actions() -> None:
    for game, first in ((FlatByPlyforgeText(), (2, 0)), (Squares(), "a1"), (ShownOnly(), "a1")):
        s = game.result(game.start(), first)
        board = game.view.board(game, s)
        assert shape(board) == (3, 4) and spot(board, "a1") == (2, 0) and spot(board, "d3") == (0, 3)
        assert looks(board)["a1"][1] == MAX
        assert [list(game.view.ways(game, s, action)) for action in pf.legal_moves(game, s)] == [
            [(pf.format_action(game, s, action),)] for action in pf.legal_moves(game, s)
        ]
    assert drawn(FlatByPlyforgeText(), (2, 0)) == "3  . . . .\n2  . . . .\n1  X . . .\n   a b c d"


def test_x_and_y_are_told_from_row_and_column_by_what_they_do() -> None:
    game = Sparse()
    board = game.view.board(game, game.result(game.start(), (3, 1)))
    assert shape(board) == (3, 4)
    assert spot(board, "(3, 1)") == (1, 3) and looks(board)["(3, 1)"] == ("cross", MAX)


# ------------------------------------------------------------ moving, in all ways to write it
class Step(NamedTuple):
    row: int
    column: int
    to_row: int
    to_column: int


class Walking(Game):
    """Two rows of men walk towards each other, one square straight ahead; whoever can't has lost. Subclasses write
    moves differently."""

    def write(self, r, c, to):
        return ((r, c), (to, c))

    def read(self, move):
        return move[0]

    def start(self):
        return Position(((2,) * 4, (0,) * 4, (0,) * 4, (0,) * 4, (1,) * 4), MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        ahead = -1 if s.player == MAX else 1
        for r in range(5):
            for c in range(4):
                if s.board[r][c] == s.player + 1 and 0 <= r + ahead < 5 and s.board[r + ahead][c] == 0:
                    yield self.write(r, c, r + ahead)

    def result(self, s, move):
        r, c = self.read(move)
        to = r - 1 if s.player == MAX else r + 1
        rows = [list(row) for row in s.board]
        rows[r][c], rows[to][c] = 0, s.player + 1
        return Position(tuple(map(tuple, rows)), 1 - s.player)

    def terminal(self, s):
        return not any(True for _ in self.actions(s))

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0


class FourNumbers(Walking):
    def write(self, r, c, to):
        return Step(r, c, to, c)

    def read(self, move):
        return move.row, move.column


class TwoIndices(Walking):
    def write(self, r, c, to):
        return (4 * r + c, 4 * to + c)

    def read(self, move):
        return divmod(move[0], 4)


class Chesslike(Walking):
    def write(self, r, c, to):
        return f"{'abcd'[c]}{5 - r}-{'abcd'[c]}{5 - to}"

    def read(self, move):
        return 5 - int(move[1]), "abcd".index(move[0])


class OnlyFrom(Walking):
    """What moves says where it goes."""

    def write(self, r, c, to):
        return (r, c)

    def read(self, move):
        return move


@pytest.mark.parametrize(
    ("kind", "way"),
    [
        (Walking, ("(4, 1)", "(3, 1)")),
        (FourNumbers, ("(4, 1)", "(3, 1)")),
        (TwoIndices, ("17", "13")),
        (Chesslike, ("b1", "b2")),
        (OnlyFrom, ("(4, 1)",)),
    ],
)
def test_a_move_is_pointed_at_from_and_to(kind: type[Walking], way: tuple[str, ...]) -> None:
    game = kind()
    s = game.start()
    board = game.view.board(game, s)
    assert shape(board) == (5, 4) and len(board.pieces) == 8
    assert spot(board, way[0]) == (4, 1)
    assert looks(board)[way[0]][1] == MAX
    assert [list(game.view.ways(game, s, action)) for action in pf.legal_moves(game, s)][1] == [way]


class Compass(Walking):
    """Moves are a square and a direction, so several of them begin at the same one."""

    def start(self):
        return Position(((2, 0, 0, 2), (0,) * 4, (0,) * 4, (0,) * 4, (1, 0, 0, 1)), MAX)

    def actions(self, s):
        for r in range(5):
            for c in range(4):
                for name, (dr, dc) in DIRECTIONS.items():
                    if s.board[r][c] == s.player + 1 and 0 <= r + dr < 5 and 0 <= c + dc < 4:
                        if s.board[r + dr][c + dc] == 0:
                            yield (r, c, name)

    def result(self, s, move):
        r, c, name = move
        dr, dc = DIRECTIONS[name]
        rows = [list(row) for row in s.board]
        rows[r][c], rows[r + dr][c + dc] = 0, s.player + 1
        return Position(tuple(map(tuple, rows)), 1 - s.player)


DIRECTIONS = {"north": (-1, 0), "east": (0, 1), "west": (0, -1)}


def test_where_a_piece_goes_is_seen_where_a_move_does_not_say_it() -> None:
    game = Compass()
    s = game.start()
    ways = {action: list(game.view.ways(game, s, action)) for action in pf.legal_moves(game, s)}
    assert ways[(4, 0, "north")] == [("(4, 0)", "(3, 0)")]
    assert ways[(4, 0, "east")] == [("(4, 0)", "(4, 1)")]


class Dropping(Nested):
    """Stones fall down a column; an action is its number."""

    def actions(self, s):
        for c in range(4):
            if self.free(s, 0, c):
                yield c

    def result(self, s, column):
        r = max(r for r in range(3) if self.free(s, r, column))
        return self.put(s, r, column, s.player)


def test_a_column_is_pointed_at_anywhere_and_where_the_stone_lands_is_first() -> None:
    game = Dropping()
    s = game.result(game.start(), 2)
    assert list(game.view.ways(game, s, 2)) == [("(1, 2)",), ("(0, 2)",), ("(2, 2)",)]


class Numbered(Walking):
    """Actions are numbers of moves in a list: only what they do tells where they are."""

    def actions(self, s):
        for number, _ in enumerate(Walking.actions(self, s)):
            yield number + 100

    def result(self, s, number):
        return Walking.result(self, s, list(Walking.actions(self, s))[number - 100])


def test_actions_that_name_no_cell_are_pointed_at_by_what_they_change() -> None:
    game = Numbered()
    assert list(game.view.ways(game, game.start(), 101)) == [("(4, 1)", "(3, 1)")]


class Chooser(NamedTuple):
    board: tuple[int, ...]
    hand: int
    player: int


class GivingAndPlacing(Game):
    """As in Quarto: one gives a piece, the other puts it somewhere. Both actions are small numbers."""

    def start(self):
        return Chooser((-1,) * 9, -1, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for n in range(9):
            if (s.hand < 0 and n not in s.board) or (s.hand >= 0 and s.board[n] < 0):
                yield n

    def result(self, s, n):
        if s.hand < 0:
            return Chooser(s.board, n, 1 - s.player)
        return Chooser(replaced(s.board, n, s.hand), -1, s.player)

    def terminal(self, s):
        return -1 not in s.board

    def utility(self, s):
        return 0.0


def test_an_action_that_is_no_cell_here_has_a_button_and_no_way() -> None:
    game = GivingAndPlacing()
    s = game.start()
    assert all(list(game.view.ways(game, s, action)) == [] for action in pf.legal_moves(game, s)), (
        "a piece is given, no cell is meant"
    )
    s = game.result(s, 5)
    assert [list(game.view.ways(game, s, action)) for action in pf.legal_moves(game, s)][3] == [("3",)]
    assert game.show(s).endswith("\nhand 5")


# ------------------------------------------------------------ what is no board
class Heaps(Game):
    """Nim: four heaps are no square, and pairs of a heap and a number no cells."""

    def start(self):
        return Position((3, 4, 5, 6), MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for heap, sticks in enumerate(s.board):
            for number in range(1, sticks + 1):
                yield (heap, number)

    def result(self, s, action):
        heap, number = action
        return Position(replaced(s.board, heap, s.board[heap] - number), 1 - s.player)

    def terminal(self, s):
        return not any(s.board)

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0


class Scores(NamedTuple):
    points: tuple[tuple[int, int], ...]
    player: int


class Race(Heaps):
    """Pairs of points: no cells of a board."""

    def start(self):
        return Scores(((0, 0), (0, 0)), MAX)

    def actions(self, s):
        yield from (0, 1)

    def result(self, s, which):
        mine = replaced(s.points[s.player], which, s.points[s.player][which] + 1)
        return Scores(replaced(s.points, s.player, mine), 1 - s.player)

    def terminal(self, s):
        return max(max(row) for row in s.points) == 5


class Hostile:
    """An object that fails wherever it is touched."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("==")

    def __str__(self) -> str:
        return "hostile"


class Nasty(Heaps):
    def start(self):
        return Position(((Hostile(), Hostile()), (Hostile(), Hostile())), MAX)


class Raising(Heaps):
    def actions(self, s):
        raise SystemExit(3)


class Endless(Heaps):
    """Lists actions for ever."""

    def actions(self, s):
        while True:
            yield (0, 1)

    def result(self, s, action):
        return s


def test_what_is_no_board_is_shown_as_text() -> None:
    for game in (Race(), Nasty(), Raising(), Endless(), pf.load("tree"), pf.load("random_tree")):
        s = game.start()
        assert board_of(game, s) is None, type(game).__name__
        assert isinstance(game.show(s), str)
    assert Race().show(Race().start()) == "Scores(points=((0, 0), (0, 0)), player=0)"


def test_a_row_of_numbers_is_a_row_and_not_a_square() -> None:
    game = Heaps()
    board = game.view.board(game, game.start())
    assert shape(board) == (1, 4) and [piece.look for piece in board.pieces] == ["3", "4", "5", "6"]
    assert list(game.view.ways(game, game.start(), (2, 5))) == [("2",)]


def test_rules_that_change_states_in_place_are_not_harmed_by_being_looked_at() -> None:
    class InPlace(Lists):
        shared = ([[0] * 4 for _ in range(3)], 0)

        def start(self):
            return self.shared

        def put(self, s, r, c, player):
            s[0][r][c] = player + 1
            return (s[0], 1 - player)

    game = InPlace()
    game.view.board(game, game.start())
    list(game.view.ways(game, game.start(), (0, 0)))
    assert game.shared == ([[0] * 4 for _ in range(3)], 0)


# ------------------------------------------------------------ whose word counts
def test_the_rules_own_hooks_win() -> None:
    class DrawnView(type(Nested.view)):
        def board(self, game, s):
            return Board([Place("here", 0, 0)])

    class Drawn(Nested):
        view = DrawnView()

    class PointedView(type(Nested.view)):
        def ways(self, game, s, action):
            yield (f"({action[0]}, 0)",)
            yield ("nowhere",)

    class Pointed(Nested):
        view = PointedView()

    game = Drawn()
    assert [place.name for place in board_of(game, game.start()).places] == ["here"]
    assert ways_of(game, game.start(), (0, 0)) == [] == list(game.view.ways(game, game.start(), (0, 0)))
    other = Pointed()
    assert ways_of(other, other.start(), (1, 3)) == [("(1, 0)",)], "what is no place is left out"


def test_names_that_mean_something_else_do_no_harm() -> None:
    class HelperView(type(Nested.view)):
        def board(self, game, s):
            return [list(row) for row in s.board]

        def ways(self, game, board, r, c):
            return 3

    class Helper(Nested):
        view = HelperView()

    game = Helper()
    assert shape(board_of(game, game.start())) == (3, 4)
    assert ways_of(game, game.start(), (1, 3)) == [("(1, 3)",)]


def test_a_state_that_writes_itself_keeps_its_text() -> None:
    class Written(Position):
        def __str__(self) -> str:
            return "\n".join("".join(".XO"[cell] for cell in row) for row in self.board)

    class Game_(Nested):
        def blank(self):
            return Written(*Nested.blank(self))

        def put(self, s, r, c, player):
            return Written(*Nested.put(self, s, r, c, player))

    assert drawn(Game_(), (0, 1)) == ".X..\n....\n...."


def test_the_same_is_found_every_time_and_once_for_each_game() -> None:
    one, two = Walking(), Walking()
    first = found_grid(one, one.start())
    assert first is found_grid(one, one.start())
    second = found_grid(two, two.start())
    assert (first.signs, first.names, first.reading, first.empty) == (
        second.signs,
        second.names,
        second.reading,
        second.empty,
    )


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("X.O\n...\n.X.", ["X.O", "...", ".X."]),
        ("X . O\n. . .", ["X.O", "..."]),
        ("  a b c\n1 X . O\n2 . . .\n\nX to move", ["X.O", "..."]),
        ("3  X . O  3\n2  . . .  2\n   a b c", ["X.O", "..."]),
        (" X | O | X\n---+---+---\n   |   | O", ["XOX", ["", "", "O"]]),
        ("+---+---+\n| X |   |\n+---+---+\n|   | O |\n+---+---+", [["X", ""], ["", "O"]]),
        ("|X.O|\n|...|", ["X.O", "..."]),
        ("Score: 3\nPlayer 1 moves", None),
        ("-----\nhello", None),
        ("  .\n . x\n. x o", [".", ".x", ".xo"]),
    ],
)
def test_a_grid_is_read_from_text(text: str, rows: Any) -> None:
    assert grid_in(text) == (None if rows is None else tuple(tuple(row) for row in rows))


# ------------------------------------------------------------ found boards keep the laws of drawn ones
@pytest.mark.parametrize(
    "game",
    [*PAIRS, FlatIndexed, Squares, Sparse, ShownOnly, Walking, Compass, Numbered, Dropping, *NATURAL],
    ids=lambda each: getattr(each, "stem", getattr(each, "__name__", "")),
)
def test_found_boards_are_lawful_and_every_action_has_its_way_or_a_button(game: Any) -> None:
    rules = pf.load(str(game)) if isinstance(game, Path) else game()
    laws = Pictures(Rules(rules, Ledger(rules)))
    rng = random.Random(3)
    s = rules.start()
    for _ in range(40):
        if rules.terminal(s):
            break
        board = board_of(rules, s)
        if board is None:
            assert isinstance(game, Path) and game.stem == "dice_race"
            return
        names = laws.places(board)
        json.dumps(board.to_json(), allow_nan=False)
        assert all(piece.look in LOOKS or len(piece.look) <= 3 for piece in board.pieces)
        if rules.player(s) >= 0:
            for action in pf.legal_moves(rules, s):
                assert all(way and names.issuperset(way) for way in ways_of(rules, s, action))
        s = rules.result(s, rng.choice(pf.legal_moves(rules, s)))


@pytest.mark.parametrize("path", [path for path in NATURAL if path.stem != "dice_race"], ids=lambda path: path.stem)
def test_the_natural_games_are_drawn_and_every_board_action_is_pointed_at_by_a_way_of_its_own(
    path: Path,
) -> None:
    game = pf.load(str(path))
    s = game.start()
    rng = random.Random(5)
    pointed = 0
    for _ in range(10):
        if game.terminal(s):
            break
        legal = pf.legal_moves(game, s)
        ways = [tuple(ways_of(game, s, action)) for action in legal]
        told = [way for way in ways if way]
        assert len(set(told)) == len(told)
        pointed += len(told) == len(legal)
        s = game.result(s, rng.choice(legal))
    assert pointed >= 5


# ------------------------------------------------------------ faces
def test_the_terminal_draws_it() -> None:
    game = Lettered()
    session = GameSession(game)
    session.play((0, 1))
    out = io.StringIO()
    Screen(Console(file=out, width=80)).show_board(session)
    assert textwrap.dedent(out.getvalue()).strip("\n") == "   0 1 2 3\n0  . W . .\n1  . . . .\n2  . . . ."


def test_a_notebook_shows_it() -> None:
    game = Lettered()
    session = GameSession(game)
    session.play((0, 1))
    board = ElementTree.fromstring(game.view.board(game, session.state)._repr_svg_())
    texts = [each.text for each in board.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["0", "1", "2", "0", "1", "2", "3"], "names of rows and columns; the piece is a disc"
    assert len(list(board.iter("{http://www.w3.org/2000/svg}circle"))) == 1
    html = session._repr_html_()
    assert "Black (MIN) to move" in html and html.count("<circle") == 2, "a disc, and a ring around the last turn"
    found = pf.search(Strings(), using="alpha_beta", depth=1, native=False)
    assert "<svg" in found._repr_html_() and escape(str(found)) in found._repr_html_()
    race = GameSession(Race())
    assert "<pre>Scores(" in race._repr_html_()


@pytest.mark.parametrize("name", sorted(set(CATALOG) - {"tree", "random_tree"}))
def test_every_board_of_the_catalogue_is_a_document_of_its_own(name: str) -> None:
    game = pf.load(name)
    s = game.start()
    rng = random.Random(2)
    for _ in range(6):
        ElementTree.fromstring(game.view.board(game, s).to_svg())
        if game.terminal(s):
            break
        s = game.result(s, rng.choice(pf.legal_moves(game, s)))
