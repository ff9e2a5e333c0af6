"""Chinese checkers on stars of any size: a race for two, three, four or six.

board.py   the star: its holes, their neighbours and distances
rules.py   the game
text.py    states as text, and the star as a picture
"""

from plyforge.games.chinese_checkers.rules import ChineseCheckers

__all__ = ["ChineseCheckers"]
