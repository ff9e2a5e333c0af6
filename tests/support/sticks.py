"""Rules as somebody might write them, as text."""

from __future__ import annotations

RULES = """
from typing import NamedTuple
import plyforge as pf

class Heap(NamedTuple):
    sticks: int
    player: int

class Sticks(pf.Game):
    '''Take one to three; who takes the last one wins.'''
    def start(self): return Heap(7, 0)
    def player(self, s): return s.player
    def actions(self, s):
        for n in range(1, min(3, s.sticks) + 1):
            yield n
    def result(self, s, n): return Heap(s.sticks - n, 1 - s.player)
    def terminal(self, s): return s.sticks == 0
    def utility(self, s): return -1.0 if s.player == 0 else 1.0
"""
