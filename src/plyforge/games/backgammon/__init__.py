"""Backgammon. The rules are in `rules.py`.

board.py     how many checkers lie on each point, as numbers in two
plays.py     which plays of a roll are the same
text.py      positions and pictures as text
notation.py  plays as text
"""

from plyforge.games.backgammon.board import Position
from plyforge.games.backgammon.rules import Backgammon

__all__ = ["Backgammon", "Position"]
