"""Take one to three sticks by pointing at one; the way to it is a word, not a tuple of places.

Breaks: ways go over places
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import MAX, Game
from plyforge.board import Board, Piece, Place
from plyforge.contract import BoardView


class Heap(NamedTuple):
    sticks: int
    player: int


class SticksView(BoardView):
    def board(self, game, s):
        places = [Place(f"stick {n + 1}", n, 0) for n in range(9)]
        return Board(places, [Piece(f"stick {n + 1}", "bar") for n in range(s.sticks)])

    def ways(self, game, s, number):
        yield f"stick {s.sticks - number + 1}"


@dataclass(frozen=True)
class Sticks(Game):
    view = SticksView()

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


