"""Othello: Logistello's game. The rules are in `rules.py`; the other files are what makes it quick.

board.py         a position: two sets of discs, and who moves
heuristics.py    what searches may know
notation.py      positions and squares as text
view.py          the board as a picture
lines.py         which squares can be played, which discs turn over
stability.py     discs that can never turn over again
last_squares.py  the value when only a few squares are empty
"""

from plyforge.games.othello.rules import Board, Othello

__all__ = ["Board", "Othello"]
