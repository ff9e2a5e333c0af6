"""Numbers for positions in which everybody is home: what databases of bearing off are indexed by.

With up to n checkers on the six points of a home there are (n + 6 choose 6) positions, the empty one included: 54,264
for fifteen. Let t1 be the checkers on point 1, t2 those on 1 and 2, and so on to t6, all of them: 0 <= t1 <= ... <= t6
<= n, and

    index = (t1 choose 1) + (t2 + 1 choose 2) + ... + (t6 + 5 choose 6)

runs through 0, 1, 2 ... without a gap. Fewer checkers have smaller numbers, so the index does not depend on n, and 0 is
the empty home.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from plyforge.games.backgammon.board import BAR, CHECKERS, HOME_POINTS, checkers_on, from_counts
from plyforge.kernel import kernel

CHOICES = np.array([[math.comb(t + k, k + 1) for t in range(CHECKERS + 1)] for k in range(HOME_POINTS)], np.int64)
"""By k from 0 on and by t: (t + k choose k + 1)."""


def home_positions(checkers: int) -> int:
    """How many positions there are with up to so many checkers at home."""
    return math.comb(checkers + HOME_POINTS, HOME_POINTS)


@kernel
def home_index(low, high):
    """The number of a position in which all checkers are at home."""
    index, total = 0, 0
    for k in range(HOME_POINTS):
        total += checkers_on(low, high, k + 1)
        index += CHOICES[k, total]
    return index


def home_boards(checkers: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The checkers of every position by its number, in the two numbers of `board.py`, and the pips."""
    size = home_positions(checkers)
    low, high, pips = (np.zeros(size, np.int64) for _ in range(3))
    for totals in itertools.combinations_with_replacement(range(checkers + 1), HOME_POINTS):
        index = sum(int(CHOICES[k, total]) for k, total in enumerate(totals))
        counts = [0] * (BAR + 1)
        for point in range(1, HOME_POINTS + 1):
            counts[point] = totals[point - 1] - (totals[point - 2] if point > 1 else 0)
        low[index], high[index] = from_counts(counts)
        pips[index] = sum(point * number for point, number in enumerate(counts))
    return low, high, pips
