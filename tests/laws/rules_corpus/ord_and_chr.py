"""ord() and chr(): the next letter is chr(ord(letter) + 1)."""

from typing import NamedTuple

import plyforge as pf


class Knob(NamedTuple):
    letter: str
    turns: int


class Cipher(pf.Game):
    """Turn a knob with letters from a to z; vowels are MAX's, the rest is MIN's."""

    def start(self):
        return Knob("e", 0)

    def player(self, s):
        return s.turns % 2

    def actions(self, s):
        for by in (1, 5, 11):
            yield by

    def result(self, s, by):
        return Knob(chr((ord(s.letter) - ord("a") + by) % 26 + ord("a")), s.turns + 1)

    def terminal(self, s):
        return s.turns == 9 or s.letter == "z"

    def utility(self, s):
        return 1.0 if s.letter in "aeiou" else (ord("m") - ord(s.letter)) / 26
