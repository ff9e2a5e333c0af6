"""How strong the best five of five, six or seven cards are, as a number from 0 (75432 of several suits) to 7,461.

Each card is one 64-bit number, and a hand is the sum of its cards'. In the sum stand, side by side, how often each of
the seven low ranks is there (as digits of a number to the base 5, bits 0 to 16), the same of the six high ranks (bits
17 to 30), and how many cards each suit has (4 bits each, from bit 32, begun at 3, so that bit 3 of them tells five).

    a suit has five cards or more     the strength is in a table by the 13 ranks of that suit
    otherwise                         suits don't matter, and the two numbers of ranks find it:

of low ranks only a few thousand numbers can be, and of high ones, given how many cards are left. `LOW[size][low]` is
where the hands with these low ranks begin, `HIGH[high]` which of them it is: a perfect hash by addition, into 49,205
entries for seven cards. All tables together take about a megabyte and are worked out in tens of milliseconds.

Claim: two hands get the same number exactly if they split the pot, the better one the higher. A flush with four of a
kind or a full house beside it needs eight cards, so a flush is always best where there is one.
"""

from __future__ import annotations

import functools
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from plyforge.kernel import bind, inline, kernel
from plyforge.poker.cards import DECK

CATEGORIES = (
    "high card",
    "one pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
FLUSH, STRAIGHT_FLUSH = 5, 8
LOW_RANKS, HIGH_RANKS = 7, 6
LOW_BITS, SUITS_AT = 17, 32
LOW_CODES, HIGH_CODES = 5**LOW_RANKS, 5**HIGH_RANKS
SMALLEST, LARGEST = 5, 7
CARD_CODES = np.array(
    [
        (5**rank if rank < LOW_RANKS else 5 ** (rank - LOW_RANKS) << LOW_BITS) + (1 << SUITS_AT + 4 * suit)
        for rank in range(13)
        for suit in range(4)
    ],
    np.uint64,
)
EMPTY_HAND = np.uint64(0x3333 << SUITS_AT)
"""To begin the sum with."""


class Tables(NamedTuple):
    """Everything an evaluation looks at."""

    cards: np.ndarray
    low: np.ndarray
    """By size and code of the low ranks: where such hands begin."""
    high: np.ndarray
    """By the code of the high ranks: which of those with as many cards it is."""
    strength: np.ndarray
    flush: np.ndarray
    """By the ranks of the suit that has five cards."""
    category: np.ndarray
    """The category of each strength."""


def _digits(ranks: int) -> np.ndarray:
    """How often each rank is there, for every code; the first rank counts least."""
    return np.array(list(product(range(5), repeat=ranks)), np.int8)[:, ::-1]


def _highest(has: np.ndarray) -> np.ndarray:
    """The highest rank of which it holds, in each row; -1 where there is none."""
    return np.where(has.any(axis=1), 12 - has[:, ::-1].argmax(axis=1), -1)


def _straight_top(has: np.ndarray) -> np.ndarray:
    """The highest card of the best straight; -1 without one. An ace is below the deuce, too."""
    top = np.full(len(has), -1)
    wheel = np.concatenate([has[:, 12:], has], axis=1)
    for high in range(3, 13):
        top = np.where(wheel[:, high - 3 : high + 2].all(axis=1), high, top)
    return top


def _scores(counts: np.ndarray, flush: bool) -> np.ndarray:
    """Numbers that compare as the hands do, of rows of counts of the 13 ranks; of one suit if `flush`."""
    category = np.zeros(len(counts), np.int64)
    detail = np.zeros((len(counts), 5), np.int64)

    def is_better(where: np.ndarray, kind: int, *ranks: np.ndarray) -> None:
        category[where] = kind
        detail[where] = 0
        for place, each in enumerate(ranks):
            detail[where, place] = each[where]

    def kickers(number: int, *taken: np.ndarray) -> list[np.ndarray]:
        left = counts > 0
        for rank in taken:
            left = left & (np.arange(13) != rank[:, None])
        found = []
        for _ in range(number):
            found.append(_highest(left))
            left = left & (np.arange(13) != found[-1][:, None])
        return found

    every = np.ones(len(counts), bool)
    is_better(every, FLUSH if flush else 0, *kickers(5))
    pair = _highest(counts >= 2)
    if not flush:
        is_better(pair >= 0, 1, pair, *kickers(3, pair))
        second = _highest((counts >= 2) & (np.arange(13) != pair[:, None]))
        is_better(second >= 0, 2, pair, second, *kickers(1, pair, second))
        three = _highest(counts >= 3)
        is_better(three >= 0, 3, three, *kickers(2, three))
    straight = _straight_top(counts > 0)
    is_better(straight >= 0, STRAIGHT_FLUSH if flush else 4, straight)
    if not flush:
        beside = _highest((counts >= 2) & (np.arange(13) != three[:, None]))
        is_better((three >= 0) & (beside >= 0), 6, three, beside)
        four = _highest(counts >= 4)
        is_better(four >= 0, 7, four, *kickers(1, four))
    score = category
    for place in range(5):
        score = 14 * score + detail[:, place] + 1
    return score


@functools.cache
def tables() -> Tables:
    """Worked out once."""
    low_counts, high_counts = _digits(LOW_RANKS), _digits(HIGH_RANKS)
    low_sizes, high_sizes = low_counts.sum(axis=1), high_counts.sum(axis=1)
    high = np.zeros(HIGH_CODES, np.int32)
    by_size = np.argsort(high_sizes, kind="stable")
    number = np.bincount(high_sizes, minlength=4 * HIGH_RANKS + 1)
    begins = np.cumsum(number) - number
    high[by_size] = np.arange(HIGH_CODES) - begins[high_sizes[by_size]]
    low = np.zeros((LARGEST + 1, LOW_CODES), np.int32)
    parts, begun = [], 0
    for size in range(SMALLEST, LARGEST + 1):
        codes = np.flatnonzero(low_sizes <= size)
        left = size - low_sizes[codes]
        ends = np.cumsum(number[left])
        low[size, codes] = begun + ends - number[left]
        within = np.arange(ends[-1]) - np.repeat(ends - number[left], number[left])
        others = by_size[np.repeat(begins[left], number[left]) + within]
        parts.append(np.hstack([low_counts[np.repeat(codes, number[left])], high_counts[others]]))
        begun += int(ends[-1])
    counts = np.concatenate(parts)
    masks = np.arange(1 << 13)
    suited = ((masks[:, None] >> np.arange(13)) & 1).astype(np.int8)
    enough = suited.sum(axis=1) >= 5
    plain, flushes = _scores(counts, False), _scores(suited, True)
    five = counts.sum(axis=1) == 5
    classes = np.unique(np.concatenate([plain[five], flushes[suited.sum(axis=1) == 5]]))
    flush = np.where(enough, np.searchsorted(classes, flushes), 0)
    strength = np.searchsorted(classes, plain)
    return Tables(
        CARD_CODES, low, high, strength.astype(np.int16), flush.astype(np.int16), (classes // 14**5).astype(np.int8)
    )


@inline
def is_flush(code: Any) -> bool:
    """True if a suit has five cards."""
    return (code & np.uint64(0x8888_0000_0000)) != np.uint64(0)


@inline
def strength_by_ranks(code: Any, size: int, low: Any, high: Any, strength: Any) -> int:
    """Of a sum without a flush."""
    low_code = np.int64(code & np.uint64(0x1FFFF))
    high_code = np.int64((code >> np.uint64(17)) & np.uint64(0x3FFF))
    return strength[low[size, low_code] + high[high_code]]


@inline
def strength_of(hand: Any, size: int, cards: Any, low: Any, high: Any, strength: Any, flush: Any) -> int:
    """Of the first `size` cards of an array, 5 to 7."""
    code = np.uint64(0x3333_0000_0000)
    for place in range(size):
        code += cards[hand[place]]
    if not is_flush(code):
        return strength_by_ranks(code, size, low, high, strength)
    suit, ranks = 0, 0
    while (code >> np.uint64(35 + 4 * suit)) & np.uint64(1) == np.uint64(0):
        suit += 1
    for place in range(size):
        if hand[place] & 3 == suit:
            ranks |= 1 << (hand[place] >> 2)
    return flush[ranks]


@kernel
def strengths_of(hands, cards, low, high, strength, flush, found):
    """Of each row of cards. The sum is made here: a helper would count references to all these arrays, which takes
    longer than the rest."""
    size = hands.shape[1]
    for row in range(len(hands)):
        code = np.uint64(0x3333_0000_0000)
        for place in range(size):
            code += cards[hands[row, place]]
        if is_flush(code):
            found[row] = strength_of(hands[row], size, cards, low, high, strength, flush)
        else:
            found[row] = strength_by_ranks(code, size, low, high, strength)


def evaluate_all(hands: np.ndarray) -> np.ndarray:
    """The strengths of many hands, a row of five to seven cards each; quickest of bytes (`np.uint8`)."""
    found = np.zeros(len(hands), np.int16)
    args = (hands, *tables()[:5], found)
    bind(strengths_of, *args)(*args)
    return found


def evaluate(hand: tuple[int, ...] | list[int]) -> int:
    """The strength of five to seven cards."""
    given = tables()
    function: Any = strength_of
    return int(function(list(hand), len(hand), *given[:5]))


def category(strength: int) -> str:
    """What such a hand is called."""
    return CATEGORIES[int(tables().category[strength])]


__all__ = [
    "CATEGORIES",
    "DECK",
    "EMPTY_HAND",
    "Tables",
    "category",
    "evaluate",
    "evaluate_all",
    "is_flush",
    "strength_of",
    "tables",
]
