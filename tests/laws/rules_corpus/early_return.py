"""A return from inside nested loops, and one at the end where nothing was found."""

from typing import NamedTuple

import plyforge as pf


class Peaks(NamedTuple):
    heights: tuple[tuple[int, int, int], ...]
    ply: int


def first_peak(heights):
    for r in range(3):
        for c in range(3):
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                if 0 <= r + dr < 3 and 0 <= c + dc < 3 and heights[r + dr][c + dc] >= heights[r][c]:
                    break
            else:
                return r, c
    return None


class Mountains(pf.Game):
    """Raise cells of three by three; the first peak, read as a text is, belongs to the owner of its row."""

    def start(self):
        return Peaks(((0, 1, 0), (1, 0, 1), (0, 1, 0)), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for i in range(s.ply % 2, 9, 2):
            yield i // 3, i % 3

    def result(self, s, action):
        row, column = action
        heights = [list(line) for line in s.heights]
        heights[row][column] += 1 + s.ply % 2
        return Peaks(tuple(tuple(line) for line in heights), s.ply + 1)

    def terminal(self, s):
        return s.ply == 6

    def utility(self, s):
        peak = first_peak(s.heights)
        if peak is None:
            return 0.0
        return 1.0 - peak[0] + peak[1] / 10 if peak[0] else 0.75
