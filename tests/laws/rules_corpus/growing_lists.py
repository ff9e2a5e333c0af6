"""Lists made of a board that grow and shrink: pop, insert, remove, del, +=, two names made at once, and a list that another function changes."""

from typing import NamedTuple

import plyforge as pf


class Train(NamedTuple):
    cars: tuple[int, ...]
    ply: int


def couple(cars, front, *, back=0):
    cars.insert(0, front)
    if back:
        cars.append(back)


def shunt(cars, ply):
    left, right = list(cars), [0] * 3
    right[ply % 3] = left.pop()
    moved = left.pop(ply % len(left))
    left.insert(-1, moved)
    if 2 in left:
        left.remove(2)
    del left[0]
    left += [ply, moved]
    left.extend(right)
    couple(left, left[-1], back=len(right))
    couple(right, 9)
    same = left
    same.append(right[0])
    left.reverse()
    return left


class Trains(pf.Game):
    """A train of five cars: turn a car into another number, or swap two; how it can be shunted decides."""

    min_utility, max_utility = -200.0, 200.0

    def start(self):
        return Train((3, 1, 2, 5, 4), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        free = list(range(5))
        free.remove(s.ply % 5)
        for i in free:
            yield i

    def result(self, s, i):
        cars = list(s.cars)
        if i % 2 == s.ply % 2:
            cars[i] = shunt(cars, s.ply)[2] % 8
        else:
            cars[i], cars[i - 1] = cars[i - 1], cars[i]
        return Train(tuple(cars), s.ply + 1)

    def terminal(self, s):
        return s.ply == 5

    def utility(self, s):
        total = 0
        for place, car in enumerate(shunt(s.cars, s.ply)):
            total += car * (place - 4)
        return float(total)
