"""A dataclass equals neither a tuple, nor a NamedTuple, nor another class with the same fields, nor its base."""

from dataclasses import dataclass
from typing import NamedTuple

import plyforge as pf


@dataclass(frozen=True)
class Step:
    size: int
    side: str = "l"


@dataclass(frozen=True)
class Jump:
    size: int
    side: str = "l"


class Bound(Step):
    """A dataclass by its base, which is another class all the same."""


class Plain(NamedTuple):
    size: int
    side: str


NO_STEP = Step(0)


@dataclass(frozen=True)
class Walk:
    place: int
    last: Step = NO_STEP
    ply: int = 0


class Walks(pf.Game):
    """Walk to the end of a line in turn; the last steps decide what that is worth."""

    min_utility, max_utility = -3.0, 3.0

    def start(self):
        return Walk(0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for size in (1, 2, 3):
            if s.last == NO_STEP or s.last != Step(size) or s.place > 5:
                yield size

    def result(self, s, size):
        return Walk(s.place + size, Step(size, "l" if s.place % 2 else "r"), s.ply + 1)

    def terminal(self, s):
        return s.place >= 7

    def utility(self, s):
        worth = 0
        if s.last == Step(s.last.size, s.last.side):
            worth += 1
        if s.last == (s.last.size, s.last.side) or s.last == Plain(s.last.size, s.last.side):
            worth += 10
        if s.last == Jump(s.last.size, s.last.side) or Bound(2) == Step(2):
            worth += 100
        if s.last != Step(2, "r") and Plain(1, "l") == (1, "l"):
            worth += 2
        return float(worth if s.ply % 2 else -worth)
