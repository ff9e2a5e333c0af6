"""All hands of five, six or seven cards, one after the other: how many there are of each strength.

The sum of the cards so far is kept at each depth, so that a hand costs one addition and the evaluation.
"""

from __future__ import annotations

import numpy as np

from plyforge.kernel import bind, kernel
from plyforge.poker.cards import DECK
from plyforge.poker.evaluator import Tables, is_flush, strength_by_ranks, strength_of, tables


@kernel
def count_strengths(size, cards, low, high, strength, flush, counts):
    """Count all hands of `size` cards by their strength."""
    hand, sums = np.zeros(8, np.int64), np.zeros(8, np.uint64)
    sums[0] = np.uint64(0x3333_0000_0000)
    depth, card = 0, 0
    while depth >= 0:
        if card > 52 - (size - depth):  # no room for the rest
            depth -= 1
            if depth >= 0:
                card = hand[depth] + 1
            continue
        hand[depth] = card
        if depth < size - 2:
            sums[depth + 1] = sums[depth] + cards[card]
            depth += 1
            card += 1
            continue
        begun = sums[depth] + cards[card]
        for last in range(card + 1, 52):
            code = begun + cards[last]
            if is_flush(code):
                hand[size - 1] = last
                counts[strength_of(hand, size, cards, low, high, strength, flush)] += 1
            else:
                counts[strength_by_ranks(code, size, low, high, strength)] += 1
        card += 1


def hand_counts(size: int) -> np.ndarray:
    """How many hands of `size` cards, 5 to 7, have each strength. Compiled, some seconds for seven."""
    given: Tables = tables()
    counts = np.zeros(len(given.category), np.int64)
    args = (size, *given[:5], counts)
    bind(count_strengths, *args)(*args)
    return counts


def by_category(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How many hands, and how many strengths that occur, each category has."""
    kinds = tables().category
    return np.bincount(kinds, counts, 9).astype(np.int64), np.bincount(kinds[counts > 0], minlength=9)


__all__ = ["DECK", "by_category", "count_strengths", "hand_counts"]
