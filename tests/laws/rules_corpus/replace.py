"""A NamedTuple with defaults, whose fields are changed by _replace."""

from typing import NamedTuple

import plyforge as pf


class Ship(NamedTuple):
    fuel: int = 9
    place: int = 0
    shields: bool = True
    ply: int = 0


class Space(pf.Game):
    """Fly on, shoot, or raise the shields; fuel runs out."""

    min_utility, max_utility = -20.0, 20.0

    def start(self):
        return Ship()

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 1
        if s.fuel > 2:
            yield 2
        if not s.shields:
            yield 3

    def result(self, s, action):
        s = s._replace(ply=s.ply + 1, fuel=s.fuel - action % 3)
        if action == 3:
            return s._replace(shields=True)
        forth = action if s.ply % 2 == 1 else -action
        return s._replace(place=s.place + forth, shields=s.shields and action == 1)

    def terminal(self, s):
        return s.fuel <= 0 or s.ply == 10

    def utility(self, s):
        return s.place + (0.5 if s.shields else -0.5)
