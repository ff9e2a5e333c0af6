"""Hands of five to seven cards: published counts, a slow evaluator beside the quick one, both speeds."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest

from conftest import compiles
from known import poker as known
from plyforge.errors import BadText
from plyforge.poker.cards import CLASS_OF_HAND, CLASSES, HANDS, cards_text, class_of, class_text, parse_cards
from plyforge.poker.counting import by_category, hand_counts
from plyforge.poker.evaluator import CATEGORIES, category, evaluate, tables


def published(column: int) -> dict[str, int]:
    return {name: counts[column - 1] for name, counts in known.COUNTS.items()}


def compare(size: int, hands: int, classes: int) -> None:
    counts = hand_counts(size)
    number, different = by_category(counts)
    assert {name: int(n) for name, n in zip(CATEGORIES, number, strict=True)} == published(hands)
    assert {name: int(n) for name, n in zip(CATEGORIES, different, strict=True)} == published(classes)


def test_there_are_7462_strengths() -> None:
    found = Counter(CATEGORIES[kind] for kind in tables().category)
    assert len(tables().category) == 7462 and dict(found) == published(2)


@compiles
def test_all_hands_of_five_cards_are_counted() -> None:
    compare(5, 1, 2)
    assert hand_counts(5).sum() == 2_598_960


@compiles
@pytest.mark.full
def test_all_hands_of_seven_cards_are_counted() -> None:
    compare(7, 3, 4)
    assert hand_counts(7).sum() == 133_784_560


def slow_strength(cards: tuple[int, ...]) -> tuple[int, ...]:
    """Of five cards, by hand."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda each: (-each[1], -each[0]))
    shape = [number for _, number in groups]
    order = tuple(rank for rank, _ in groups)
    flush = len({card % 4 for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        order = (3,)
    straight = len(shape) == 5 and (ranks[0] - ranks[4] == 4 or order == (3,))
    if straight:
        return (8 if flush else 4, order[0])
    if flush:
        return (5, *order)
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return (kinds.get(tuple(shape), 0), *order)


def test_the_best_five_of_seven_decide() -> None:
    chosen = random.Random(1)
    hands = [tuple(chosen.sample(range(52), size)) for size in (5, 6, 7) for _ in range(150)]
    hands += [tuple(chosen.sample(range(28), 7)) for _ in range(100)]  # low ranks: many pairs
    hands += [tuple(chosen.sample(range(0, 52, 2), 7)) for _ in range(100)]  # two suits: many flushes
    slow = [max(slow_strength(five) for five in combinations(hand, 5)) for hand in hands]
    quick = [evaluate(hand) for hand in hands]
    both = sorted(zip(slow, quick, strict=True))
    for (a, x), (b, y) in pairwise(both):
        assert x <= y and (a == b) == (x == y)
    assert {CATEGORIES[kind[0]] for kind in slow} == {category(each) for each in quick}


def test_best_and_worst() -> None:
    assert evaluate(parse_cards("AsKsQsJsTs")) == 7461 and category(7461) == "straight flush"
    assert evaluate(parse_cards("7h5c4d3s2c")) == 0 and category(0) == "high card"
    assert category(evaluate(parse_cards("5s4s3s2sAs"))) == "straight flush", "an ace is low, too"


def test_cards_and_classes_are_read_and_written() -> None:
    assert cards_text(parse_cards("as, Td 7C")) == "AsTd7c"
    assert class_text(class_of(*parse_cards("KdAd"))) == "AKs" and class_text(class_of(*parse_cards("2c7d"))) == "72o"
    assert len(HANDS) == 1326 and sorted(Counter(CLASS_OF_HAND.tolist()).values()).count(12) == 78
    assert len({class_text(number) for number in range(CLASSES)}) == 169


@pytest.mark.parametrize(
    ("text", "says"),
    [("AsAs", "there is one As"), ("A", "can't be read"), ("1s", "is not a card"), ("Ax", "not a card")],
)
def test_bad_cards_are_refused(text: str, says: str) -> None:
    with pytest.raises(BadText, match=says):
        parse_cards(text)
