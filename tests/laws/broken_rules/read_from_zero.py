"""Take one to three sticks; actions are written as words in order, and read as counted from zero.

Breaks: action text reads back
"""

from lawful.sticks import Sticks

from plyforge import IllegalAction
from plyforge.contract import Notation


class SticksNotation(Notation):
    def format_action(self, game, s, number):
        return ("one", "two", "three")[number - 1]

    def parse_action(self, game, s, text):
        if text not in ("one", "two", "three"):
            raise IllegalAction(f"{text!r} is not one, two or three")
        return ("one", "two", "three").index(text)


class Broken(Sticks):
    notation = SticksNotation()
