"""Checkers, that is English draughts: Samuel's and Chinook's game. The rules are in `rules.py`.

board.py     where the squares lie in a set of bits, and what a position is
heuristics.py  what searches may know, and what depends on the past
tablebase.py   a number for every ending, for databases
notation.py  positions, moves and pictures as text
view.py      the board as a picture
pdn.py       files of games
"""

from plyforge.games.checkers.board import Board
from plyforge.games.checkers.rules import Checkers

__all__ = ["Board", "Checkers"]
