"""The README's game, as a file of its own: try `plyforge play examples/sticks.py`."""

from dataclasses import dataclass
from typing import NamedTuple

import plyforge as pf


class Heap(NamedTuple):
    """What is left, and whose turn it is."""

    sticks: int
    player: int


@dataclass(frozen=True)
class Sticks(pf.Game):
    """Take one to three sticks; whoever takes the last one wins."""

    sticks: int = 21

    def start(self):
        return Heap(self.sticks, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for n in range(1, min(3, s.sticks) + 1):
            yield n

    def result(self, s, n):
        return Heap(s.sticks - n, 1 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return -1.0 if s.player == pf.MAX else 1.0

    def show(self, s):
        return "| " * s.sticks or "(no sticks left)"
