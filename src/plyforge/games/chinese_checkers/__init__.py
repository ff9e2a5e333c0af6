"""Chinese checkers on stars of any size: a race for two, three, four or six.

board.py   the star: its holes, their neighbours and distances
rules.py   the game
position.py    what a position is
heuristics.py  what searches may know
notation.py    states as text, and the star in letters
view.py        the star as a picture
"""

from plyforge.games.chinese_checkers.rules import ChineseCheckers

__all__ = ["ChineseCheckers"]
