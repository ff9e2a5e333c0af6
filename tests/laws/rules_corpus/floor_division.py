"""Floor division of negative numbers: -7 // 2 is -4, where a machine's own division gives -3."""

from typing import NamedTuple

import plyforge as pf


class Rope(NamedTuple):
    place: int
    ply: int


class Halved(pf.Game):
    """Pull a rope; after each pull it slides back half of its way to the middle, rounded down."""

    def start(self):
        return Rope(0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for pull in range(3, 8, 2):
            yield pull

    def result(self, s, pull):
        moved = s.place + pull if s.ply % 2 == pf.MAX else s.place - pull - 1
        return Rope(moved // 2, s.ply + 1)

    def terminal(self, s):
        return s.ply == 12

    def utility(self, s):
        bank = (s.place * 5 + 9) // -2 % 7 - 3
        return 1.0 if bank > 0 else -1.0 if bank < 0 else 0.0
