"""A walk through numbers by a product that Python's integers hold and 64 bits don't, by rules that say they mean
machine words.

Breaks: compiled equals interpreted
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import Game


class Number(NamedTuple):
    value: int
    steps: int


@dataclass(frozen=True)
class Products(Game):
    machine_words = True

    def start(self):
        return Number(1234567, 0)

    def player(self, s):
        return s.steps & 1

    def actions(self, s):
        yield 3
        yield 5

    def result(self, s, factor):
        return Number((s.value * factor * 6364136223846793005 + 1) % 1000003, s.steps + 1)

    def terminal(self, s):
        return s.steps == 6

    def utility(self, s):
        return 1.0 if s.value % 2 else -1.0
