"""The game of Y on a triangle of side 7: connect all three sides. A corner belongs to two sides; no draws."""

from typing import NamedTuple

from plyforge import MAX, MIN, Game

SIDE = 7

# Row r of the triangle has r + 1 cells; cells are numbered from the top, row after row.
CELLS = [(row, column) for row in range(SIDE) for column in range(row + 1)]
NUMBER = {cell: i for i, cell in enumerate(CELLS)}


def around(row, column):
    six = [
        (row - 1, column - 1),
        (row - 1, column),
        (row, column - 1),
        (row, column + 1),
        (row + 1, column),
        (row + 1, column + 1),
    ]
    return tuple(NUMBER[cell] for cell in six if cell in NUMBER)


NEIGHBOURS = tuple(around(row, column) for row, column in CELLS)


class State(NamedTuple):
    board: tuple  # 0 empty, 1 a stone of MAX, 2 a stone of MIN
    player: int


def sides(cell):
    """Which of the three sides a cell lies on."""
    row, column = CELLS[cell]
    touched = set()
    if column == 0:
        touched.add("left")
    if column == row:
        touched.add("right")
    if row == SIDE - 1:
        touched.add("bottom")
    return touched


def has_y(board, stone):
    """Does one group of these stones touch all three sides?"""
    seen = set()
    for first in range(len(board)):
        if board[first] != stone or first in seen:
            continue
        touched = set()
        waiting = [first]
        seen.add(first)
        while waiting:
            cell = waiting.pop()
            touched |= sides(cell)
            for neighbour in NEIGHBOURS[cell]:
                if board[neighbour] == stone and neighbour not in seen:
                    seen.add(neighbour)
                    waiting.append(neighbour)
        if len(touched) == 3:
            return True
    return False


class Y(Game):
    """Two players put stones on a triangle, one at a time."""

    def start(self):
        return State((0,) * len(CELLS), MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        return [i for i, stone in enumerate(s.board) if stone == 0]

    def result(self, s, cell):
        board = s.board[:cell] + (s.player + 1,) + s.board[cell + 1 :]  # noqa: RUF005
        return State(board, MIN if s.player == MAX else MAX)

    def terminal(self, s):
        return has_y(s.board, 1) or has_y(s.board, 2)

    def utility(self, s):
        return 1.0 if has_y(s.board, 1) else -1.0

    def show(self, s):
        lines = []
        for row in range(SIDE):
            stones = [".xo"[s.board[NUMBER[row, column]]] for column in range(row + 1)]
            lines.append(" " * (SIDE - 1 - row) + " ".join(stones))
        return "\n".join(lines)
