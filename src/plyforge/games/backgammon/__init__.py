"""Backgammon. The rules are in `rules.py`.

board.py     how many checkers lie on each point, in two numbers
plays.py     the plays of a roll, and which of them are the same
bear_off.py  numbers for positions in which everybody is home
text.py      positions and pictures as text
notation.py  plays as text
mat.py       files of matches
"""

from plyforge.games.backgammon.board import Position
from plyforge.games.backgammon.rules import Backgammon

__all__ = ["Backgammon", "Position"]
