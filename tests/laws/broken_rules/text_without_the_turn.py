"""Take one to three sticks; the text of a heap is its size, and is read as MAX's turn.

Breaks: state text reads back
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, BadText, Game
from plyforge.contract import Notation


class Heap(NamedTuple):
    sticks: int
    player: int


class SticksNotation(Notation):
    def format_state(self, game, s):
        return str(s.sticks)

    def parse_state(self, game, text):
        if not text.isdigit():
            raise BadText(f"{text!r} is not a number of sticks")
        return Heap(int(text), MAX)


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


