"""Go: MoGo's game. The rules are in `rules.py`.

points.py     sets of points: moved, united, grown until they stop
text.py       vertices, positions in one line, boards as pictures
"""

from plyforge.games.go.rules import NO_POINT, Go, Position

__all__ = ["NO_POINT", "Go", "Position"]
