"""Take one to three sticks; the picture has a stick more than it has places.

Breaks: a board can be drawn
"""

from lawful.sticks import Sticks

from plyforge.board import Board, Piece, Place
from plyforge.contract import BoardView


class SticksView(BoardView):
    def board(self, game, s):
        places = [Place(f"stick {n}", n, 0) for n in range(9)]
        return Board(places, [Piece(f"stick {n}", "bar") for n in range(s.sticks + 1)])


class Broken(Sticks):
    view = SticksView()
