"""Every class of hands against every other, over all boards: how often it wins, exactly.

There are 47,008 different match-ups of two hands, and 1,712,304 boards for each: 8e10 evaluations, if each is looked at
by itself. Here boards come first. A board's suits can be renamed, so of the 2,598,960 boards those 134,459 are looked
at whose sets of ranks by suit do not increase, each counted as often as it has different names. On one board the 1,081
hands are evaluated and sorted once, and in that order

    wins[class of hand] += (hands so far, by class) - (those with its first card) - (those with its second)

so that a hand never meets one that has a card of it. That is 20 billion additions of whole rows, which take minutes.

The table is in `matchups.npz` and is made by

    python -m plyforge.poker.matchups

Claim: `wins[i, j]` is the number of (hand of class i, hand of class j, board) with all cards different in which the
first hand wins. With `pairs[i, j]` pairs of hands there are 1,712,304 boards for each; what is neither won nor lost is
split.
"""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from plyforge.kernel import bind, kernel
from plyforge.poker.cards import CLASS_OF_HAND, CLASSES, HANDS
from plyforge.poker.evaluator import strength_of, tables

FILE = Path(__file__).with_name("matchups.npz")
BOARDS = 1_712_304
"""Of 48 cards."""


@kernel
def names_of(masks):
    """How many boards differ from this one by the names of suits alone; 0 for all of them but one."""
    for suit in range(3):
        if masks[suit] < masks[suit + 1]:
            return 0
    ways, run = 24, 1
    for suit in range(1, 4):
        run = run + 1 if masks[suit] == masks[suit - 1] else 1
        ways //= run
    return ways


@kernel
def add_board(hand, ways, cards, low, high, strength, flush, first, second, kind, keys, below, with_card, wins):
    """Let all hands meet on one board, the first five of `hand`."""
    number = 0
    for place in range(len(first)):
        free = True
        for card in range(5):
            if hand[card] == first[place] or hand[card] == second[place]:
                free = False
        if free:
            hand[5], hand[6] = first[place], second[place]
            keys[number] = strength_of(hand, 7, cards, low, high, strength, flush) * 2048 + place
            number += 1
    order = np.sort(keys[:number])
    below[:] = 0
    with_card[:, :] = 0
    begin = 0
    while begin < number:
        end = begin
        while end < number and order[end] // 2048 == order[begin] // 2048:
            place = order[end] % 2048
            row, one, other = wins[kind[place]], with_card[first[place]], with_card[second[place]]
            for each in range(len(below)):
                row[each] += ways * (below[each] - one[each] - other[each])
            end += 1
        for at in range(begin, end):
            place = order[at] % 2048
            below[kind[place]] += 1
            with_card[first[place], kind[place]] += 1
            with_card[second[place], kind[place]] += 1
        begin = end


@kernel
def count_wins(from_card, to_card, cards, low, high, strength, flush, first, second, kind, wins):
    """All boards whose highest card is in that range. How many of them were looked at."""
    hand, masks = np.zeros(7, np.int64), np.zeros(4, np.int64)
    keys = np.zeros(1326, np.int64)
    below, with_card = np.zeros(wins.shape[0], np.int64), np.zeros((52, wins.shape[0]), np.int64)
    looked_at = 0
    for a in range(from_card, to_card):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        hand[0], hand[1], hand[2], hand[3], hand[4] = a, b, c, d, e
                        masks[:] = 0
                        for place in range(5):
                            masks[hand[place] & 3] |= 1 << (hand[place] >> 2)
                        ways = names_of(masks)
                        if ways > 0:
                            add_board(
                                hand,
                                ways,
                                cards,
                                low,
                                high,
                                strength,
                                flush,
                                first,
                                second,
                                kind,
                                keys,
                                below,
                                with_card,
                                wins,
                            )
                            looked_at += 1
    return looked_at


def compute(progress: bool = False) -> np.ndarray:
    """The table of wins, anew: some minutes on a core."""
    first, second = (np.array(cards) for cards in zip(*HANDS, strict=True))
    wins = np.zeros((CLASSES, CLASSES), np.int64)
    more = (*tables()[:5], first, second, CLASS_OF_HAND, wins)
    function = bind(count_wins, 4, 5, *more)
    looked_at = 0
    for card in range(4, 52):
        looked_at += int(function(card, card + 1, *more))
        if progress:
            print(f"boards up to card {card + 1} of 52: {looked_at:,} of 134,459", flush=True)
    return wins


@functools.cache
def pairs() -> np.ndarray:
    """How many pairs of hands without a card in common two classes have."""
    found = np.zeros((CLASSES, CLASSES), np.int64)
    cards = np.array(HANDS)
    for hand, kind in zip(HANDS, CLASS_OF_HAND, strict=True):
        apart = ~np.isin(cards, hand).any(axis=1)
        found[kind] += np.bincount(CLASS_OF_HAND[apart], minlength=CLASSES)
    return found


@functools.cache
def wins() -> np.ndarray:
    """The table that comes with Plyforge."""
    with np.load(FILE, allow_pickle=False) as kept:
        return np.asarray(kept["wins"]).astype(np.int64)


@functools.cache
def net() -> np.ndarray:
    """What a class wins from another, on average over pairs of hands and boards: 1 for always, -1 for never."""
    table = wins()
    return (table - table.T) / (pairs() * BOARDS)


def main() -> None:
    """Make the file."""
    made = compute(progress=True)
    np.savez_compressed(FILE, wins=made.astype(np.int32))
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

__all__ = ["BOARDS", "compute", "net", "pairs", "wins"]
