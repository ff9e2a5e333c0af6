"""Take one to three sticks; two and three are both called many.

Breaks: action texts are distinct
"""

from lawful.sticks import Sticks

from plyforge.contract import Notation


class SticksNotation(Notation):
    def format_action(self, game, s, number):
        return "one" if number == 1 else "many"


class Broken(Sticks):
    notation = SticksNotation()
