"""A list as a queue: insert, pop(0), remove, index; how far it is by breadth-first search."""

from typing import NamedTuple

import plyforge as pf


class Road(NamedTuple):
    blocked: int
    ply: int


def steps(blocked):
    queue, distance = [0], [-1] * 12
    distance[0] = 0
    while len(queue) > 0:
        cell = queue.pop(0)
        for jump in (1, 2, 5):
            target = (cell + jump) % 12
            if distance[target] < 0 and not blocked >> target & 1:
                distance[target] = distance[cell] + 1
                queue.insert(len(queue), target)
    return distance[11]


class Roads(pf.Game):
    """Twelve towns in a ring: block one in turn, never the first and the last; how long is the way then?"""

    min_utility, max_utility = -12.0, 12.0

    def start(self):
        return Road(0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        towns = [i for i in range(1, 11) if not s.blocked >> i & 1]
        if 6 in towns and s.ply == 1:
            towns.remove(6)
        for town in towns[towns.index(max(towns)) % 3 :]:
            yield town

    def result(self, s, town):
        return Road(s.blocked | 1 << town, s.ply + 1)

    def terminal(self, s):
        return s.ply == 6

    def utility(self, s):
        return float(steps(s.blocked)) - 2

    def evaluate(self, s):
        return float(steps(s.blocked))
