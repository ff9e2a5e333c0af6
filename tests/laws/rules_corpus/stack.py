"""A list as a stack: append, pop, len and its truth; everything that can be reached over free cells."""

from typing import NamedTuple

import plyforge as pf


class Maze(NamedTuple):
    walls: tuple[int, ...]
    ply: int


def reach(walls, size):
    stack, seen = [0], [0] * len(walls)
    seen[0] = 1
    while stack:
        cell = stack.pop()
        row, column = divmod(cell, size)
        for r, c in ((row, column + 1), (row + 1, column), (row, column - 1), (row - 1, column)):
            if 0 <= r < size and 0 <= c < size:
                next_cell = r * size + c
                if not walls[next_cell] and not seen[next_cell]:
                    seen[next_cell] = 1
                    stack.append(next_cell)
    return sum(seen)


class Builder(pf.Game):
    """Four by four: walls are built in turn; MAX wants most cells to be reached from the corner."""

    def start(self):
        return Maze((0,) * 16, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i in range(1 + s.ply % 2, 16, 2):
            if not s.walls[i]:
                yield i

    def result(self, s, i):
        walls = list(s.walls)
        walls[i] = 1
        return Maze(tuple(walls), s.ply + 1)

    def terminal(self, s):
        return s.ply == 7

    def utility(self, s):
        return (reach(s.walls, 4) - 5) / 16

    def evaluate(self, s):
        return (reach(s.walls, 4) - 8) / 16
