"""match with names for parts: alternatives that bind, a star, `as`, a class of one's own, a constant by its dotted name."""

from typing import NamedTuple

import plyforge as pf


class Way:
    UP = 1
    DOWN = -1


class Step(NamedTuple):
    way: int
    by: int


class Lift(NamedTuple):
    floors: tuple[int, ...]
    at: int
    ply: int


def worth(floors):
    match floors:
        case [first, *_, last] if first == last:
            return first + 1
        case (0 as low, high, *rest) | (high, *rest, 0 as low):
            return high - low - len(rest)
        case [_, *middle, last] if sum(middle) % 2 == 0:
            return middle[0] - last
        case _:
            return -1


class Floors(pf.Game):
    """A lift in a house of four floors takes people in and out; how they stand in the end counts."""

    min_utility, max_utility = -40.0, 40.0

    def start(self):
        return Lift((2, 0, 1, 3), 1, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for way in (Way.UP, Way.DOWN):
            for by in (1, 2, 3):
                yield Step(way, by)

    def result(self, s, step):
        floors = list(s.floors)
        match step:
            case Step(Way.UP, by=1 | 2 as by):
                at = (s.at + by) % 4
                floors[at] += 1
            case Step(Way.UP):
                at = 3
            case Step(way=Way.DOWN, by=by) if s.at >= by:
                at = s.at - by
                floors[at], floors[s.at] = floors[s.at], floors[at]
            case (_, by):
                at = by
                floors[0] = s.at
        return Lift(tuple(floors), at, s.ply + 1)

    def terminal(self, s):
        match s.ply, s.floors:
            case 7, _:
                return True
            case _, (a, b, *_):
                return a + b > 9
        return False

    def utility(self, s):
        match s.at:
            case Way.UP:
                return float(worth(s.floors))
            case 0 | 3 as at:
                return float(at - worth(s.floors))
            case _:
                return 0.5
