"""Take one to three sticks; actions are written as words in order, and read as counted from zero.

Breaks: action text reads back
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game, IllegalAction
from plyforge.contract import Notation


class Heap(NamedTuple):
    sticks: int
    player: int


class SticksNotation(Notation):
    def format_action(self, game, s, number):
        return ("one", "two", "three")[number - 1]

    def parse_action(self, game, s, text):
        if text not in ("one", "two", "three"):
            raise IllegalAction(f"{text!r} is not one, two or three")
        return ("one", "two", "three").index(text)


@dataclass(frozen=True)
class Sticks(Game):
    notation = SticksNotation()

    def start(self):
        return Heap(9, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for number in range(1, min(3, s.sticks) + 1):
            yield number

    def result(self, s, number):
        return Heap(s.sticks - number, 1 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0


