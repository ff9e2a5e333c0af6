"""Go: MoGo's game. The rules are in `rules.py`.

points.py     sets of points: moved, united, grown until they stop
playout.py    a game played on at random, in place
patterns.py   shapes that playouts look for
position.py    what a position is
heuristics.py  what searches may know, and what depends on the past
life.py        stones that can't be captured any more
notation.py    vertices, positions in one line, boards as text
view.py        the board as a picture
prior.py      how good a move looks before it is searched
sgf.py        files of games
"""

from plyforge.games.go.rules import NO_POINT, Go, Position

__all__ = ["NO_POINT", "Go", "Position"]
