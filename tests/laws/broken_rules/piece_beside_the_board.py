"""Take one to three sticks; the picture has a stick more than it has places.

Breaks: a board can be drawn
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
        places = [Place(f"stick {n}", n, 0) for n in range(9)]
        return Board(places, [Piece(f"stick {n}", "bar") for n in range(s.sticks + 1)])


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

