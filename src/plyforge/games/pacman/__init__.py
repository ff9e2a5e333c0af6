"""Pacman: our own, after the game that everybody knows. The rules are in `rules.py`.

maze.py      a maze read from text, into tables
mazes.py     the mazes that come with the game
chase.py     a state: how the chase stands
notation.py  states and pictures as text
view.py      the maze as a picture
"""

from plyforge.games.pacman.mazes import MAZES
from plyforge.games.pacman.rules import Chase, Pacman

__all__ = ["MAZES", "Chase", "Pacman"]
