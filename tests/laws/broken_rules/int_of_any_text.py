"""Take one to three sticks; what can't be read raises ValueError, which nobody expects.

Breaks: bad text is refused
"""

from lawful.sticks import Heap, Sticks

from plyforge.contract import Notation


class SticksNotation(Notation):
    def format_state(self, game, s):
        return f"{s.sticks} {s.player}"

    def parse_state(self, game, text):
        sticks, player = text.split()
        return Heap(int(sticks), int(player))


class Broken(Sticks):
    notation = SticksNotation()
