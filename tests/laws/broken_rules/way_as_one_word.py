"""Take one to three sticks by pointing at one; the way to it is a word, not a tuple of places.

Breaks: ways go over places
"""

from lawful.sticks import Sticks

from plyforge.board import Board, Piece, Place
from plyforge.contract import BoardView


class SticksView(BoardView):
    def board(self, game, s):
        places = [Place(f"stick {n + 1}", n, 0) for n in range(9)]
        return Board(places, [Piece(f"stick {n + 1}", "bar") for n in range(s.sticks)])

    def ways(self, game, s, number):
        yield f"stick {s.sticks - number + 1}"


class Broken(Sticks):
    view = SticksView()
