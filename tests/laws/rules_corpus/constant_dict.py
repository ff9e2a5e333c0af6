"""Dicts as constants of the file: looked up by key, by get with and without a default, and asked with `in`."""

from typing import NamedTuple

import plyforge as pf

WORTH = {1: 2, 3: 5, 4: -1, 7: 4}
NEXT = {(0, 1): 2, (0, 2): 1, (1, 1): 0, (1, 2): 2, (2, 1): 1, (2, 2): 0}


class Place(NamedTuple):
    room: int
    score: int
    ply: int


class Rooms(pf.Game):
    """Three rooms with two doors each; every ply has a prize."""

    min_utility, max_utility = -20.0, 20.0

    def start(self):
        return Place(0, 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for door in (1, 2):
            if (s.room, door) in NEXT:
                yield door

    def result(self, s, door):
        room = NEXT[s.room, door]
        prize = WORTH.get(s.ply + room, -2)
        return Place(room, s.score + (prize if s.ply % 2 == 0 else -prize), s.ply + 1)

    def terminal(self, s):
        return s.ply == 9 or (s.ply in WORTH and s.score == 5)

    def utility(self, s):
        return float(s.score + WORTH[3])
