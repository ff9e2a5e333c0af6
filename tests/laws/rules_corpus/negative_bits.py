"""Right shift of a negative number rounds down, and & | ^ of negative numbers go on to the left for ever."""

from typing import NamedTuple

import plyforge as pf


class Level(NamedTuple):
    height: int
    ply: int


class Tide(pf.Game):
    """Pull water up or down; each ply half of it runs off by a shift, and odd waters are turned by ^."""

    def start(self):
        return Level(-5, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for pull in (1, 6, 11):
            yield pull

    def result(self, s, pull):
        height = s.height + (pull if s.ply % 2 == 0 else -pull)
        return Level(height >> 1 if height & 3 else height ^ -7, s.ply + 1)

    def terminal(self, s):
        return s.ply == 12

    def utility(self, s):
        return 1.0 if (s.height | -16) > -4 else -1.0 if s.height >> 2 < -1 else (s.height & 7) / 10
