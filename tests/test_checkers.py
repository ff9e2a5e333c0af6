"""Checkers: published counts of sequences, captures against a naive generator, and the ends of games."""

from __future__ import annotations

import os

from plyforge.games.checkers import Checkers
from plyforge.solve import perft

SEQUENCES = [1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564]
"""OEIS A133046: how many sequences of moves there are, by their length."""


def test_the_known_counts_of_sequences_interpreted():
    assert [perft(Checkers(), depth, native=False).nodes for depth in range(7)] == SEQUENCES[:7]


def test_the_known_counts_of_sequences_compiled():
    deepest = 6 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 10
    assert [perft(Checkers(), depth, native=True).nodes for depth in range(deepest + 1)] == SEQUENCES[
        : deepest + 1
    ]
