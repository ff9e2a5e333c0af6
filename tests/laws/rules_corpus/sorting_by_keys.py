"""Sorting by keys: stable also in reverse, in place and not, by tuples, by a function; the best of several by a key."""

from operator import itemgetter
from typing import NamedTuple

import plyforge as pf

WEIGHTS = (3, 1, 2, 3, 1, 0, 2)


class Shelf(NamedTuple):
    books: tuple[int, ...]
    score: int
    ply: int


def digit_sum(n):
    return n % 10 + n // 10


class Books(pf.Game):
    """Six books on a shelf: sort them in one of five ways, or take the best; what stands first counts."""

    min_utility, max_utility = -400.0, 400.0

    def start(self):
        return Shelf((31, 13, 22, 40, 4, 12), 0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for way in range(6):
            yield way

    def result(self, s, way):
        books = list(s.books)
        down = s.ply % 2 == 0
        if way == 0:
            books.sort(key=digit_sum, reverse=down)
        elif way == 1:
            books = sorted(s.books, key=lambda n: (n % 3, -n))
        elif way == 2:
            books.sort(reverse=down)
            books.reverse()
        elif way == 3:
            pairs = [(WEIGHTS[n % 7], n) for n in books if n > 0]
            pairs.sort(key=itemgetter(0), reverse=not down)
            for place, (_, n) in enumerate(pairs):
                books[place] = n
        elif way == 4:
            books = sorted(books, key=lambda n: WEIGHTS[n % 7], reverse=True)
        else:
            best = max(books, key=lambda n: (n % 4, books.index(n)))
            least = min(books[0], books[1], books[2], key=digit_sum)
            books[books.index(best)] = min((n for n in books if n > best), key=lambda n: -n, default=least)
        first = books[0] - books[-1]
        return Shelf(tuple(books), s.score + (first if down else -first), s.ply + 1)

    def terminal(self, s):
        return s.ply == 5

    def utility(self, s):
        return float(s.score + sorted(s.books)[2])
