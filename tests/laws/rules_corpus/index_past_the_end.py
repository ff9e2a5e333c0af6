"""An index past the end raises, and is caught: who steps off the board is told so by an IndexError."""

from typing import NamedTuple

import plyforge as pf

WALLS = (0, 0, 1, 0, 0, 1, 0, 0)


class Walk(NamedTuple):
    place: int
    score: int
    ply: int


def wall(place):
    try:
        return WALLS[place]
    except IndexError:
        return 2


class Corridor(pf.Game):
    """Walk along a corridor; who walks into its end loses."""

    def start(self):
        return Walk(0, 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for step in (1, 2, 3):
            yield step

    def result(self, s, step):
        hit = wall(s.place + step)
        return Walk(s.place + step, s.score + (hit if s.ply % 2 == 0 else -hit), s.ply + 1)

    def terminal(self, s):
        return wall(s.place) == 2

    def utility(self, s):
        return -1.0 if s.score > 0 else 1.0 if s.score < 0 else 0.0
