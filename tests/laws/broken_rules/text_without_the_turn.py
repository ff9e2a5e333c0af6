"""Take one to three sticks; the text of a heap is its size, and is read as MAX's turn.

Breaks: state text reads back
"""

from lawful.sticks import Heap, Sticks

from plyforge import MAX, BadText
from plyforge.contract import Notation


class SticksNotation(Notation):
    def format_state(self, game, s):
        return str(s.sticks)

    def parse_state(self, game, text):
        if not text.isdigit():
            raise BadText(f"{text!r} is not a number of sticks")
        return Heap(int(text), MAX)


class Broken(Sticks):
    notation = SticksNotation()
