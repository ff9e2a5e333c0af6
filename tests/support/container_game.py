"""Rules whose states hold sets, dicts and lists of every kind that is compiled: random functions are asked of them."""

from typing import NamedTuple

import plyforge as pf

SIZE = 4
CORNERS = frozenset({(0, 0), (0, 3), (3, 0), (3, 3)})
LINES = [{(0, 0), (0, 1)}, {(1, 1), (2, 2), (3, 3)}, {(3, 0)}]


class Store(NamedTuple):
    stones: frozenset
    other: set
    board: dict
    full: dict
    rows: list
    ply: int


class Containers(pf.Game):
    """A cell a move: what is kept of it differs from field to field."""

    def start(self):
        full = {(r, c): (r * c) % 3 for r in range(SIZE) for c in range(SIZE)}
        return Store(frozenset(), set(), {}, full, [[0, 1, 2], [3, 0, 1]], 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        return [(r, c) for r in range(SIZE) for c in range(SIZE)]

    def result(self, s, cell):
        stones = s.stones - {cell} if cell in s.stones else s.stones | {cell}
        other = set(s.other)
        if s.ply % 3:
            other.add(cell)
        else:
            other.discard(cell)
        board = dict(s.board)
        if cell in board and s.ply % 2:
            del board[cell]
        else:
            board[cell] = "xo."[s.ply % 3]
        rows = [row[:] for row in s.rows]
        rows[cell[0] % 2][cell[1] % 3] += 1
        return Store(stones, other, board, {**s.full, cell: s.ply % 3}, rows, s.ply + 1)

    def terminal(self, s):
        return s.ply == 14

    def utility(self, s):
        return 1.0 if len(s.stones) > 6 else -1.0
