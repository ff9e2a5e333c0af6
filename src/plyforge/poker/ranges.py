"""Ranges: sets of hands, each with a weight, as text.

    AhKh        that hand                     TT        a pair              TT+       it and every higher pair
    AKs AKo AK  suited, offsuit, both         A9s+      A9s to AKs          22-77     these pairs, either way round
    A2s-A5s     these, with the same ace      any       every hand          AQo:0.5   half of them

Parts are separated by commas or spaces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.errors import BadText
from plyforge.plain_text import require_length
from plyforge.poker.cards import CLASS_OF_HAND, CLASSES, COMBOS, HANDS, RANKS, class_text, parse_cards

NUMBER_OF_HAND = {hand: number for number, hand in enumerate(HANDS)}
LONGEST = 4096
EXAMPLE = "as in 'AhKh', 'TT+', 'A9s+', 'KQo', '22-77', 'A2s-A5s', 'any' or 'AQo:0.5'"


@dataclass(frozen=True, eq=False)
class Range:
    """Weights of the 1,326 hands, each from 0 to 1."""

    text: str
    weights: np.ndarray

    def without(self, cards: tuple[int, ...]) -> np.ndarray:
        """The numbers of the hands that are in it and hold none of these cards."""
        apart = [not set(hand) & set(cards) for hand in HANDS]
        return np.flatnonzero((self.weights > 0.0) & np.array(apart))

    @property
    def by_number(self) -> np.ndarray | None:
        """The weight of each of the 169 classes; None if suits matter to it."""
        means = np.bincount(CLASS_OF_HAND, self.weights, CLASSES) / COMBOS
        return means if np.allclose(means[CLASS_OF_HAND], self.weights) else None

    def by_class(self) -> dict[str, float]:
        """How much of each class is in it."""
        means = np.bincount(CLASS_OF_HAND, self.weights, CLASSES) / COMBOS
        return {class_text(number): float(share) for number, share in enumerate(means)}


def parse_range(text: str) -> Range:
    """The range of a text. Raises BadText."""
    require_length(text, LONGEST, "range", BadText)
    weights = np.zeros(len(HANDS))
    parts = text.replace(",", " ").split()
    if not parts:
        raise BadText(f"a range is empty; write which hands are in it, {EXAMPLE}")
    for part in parts:
        body, colon, share_text = part.partition(":")
        share = _share(part, share_text) if colon else 1.0
        for number in _hands(body):
            weights[number] = share
    if not weights.any():
        raise BadText(f"nothing is in the range {text[:60]!r}")
    return Range(text, weights)


def _share(part: str, text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise BadText(f"{part!r}: {text!r} is no weight; it must be a number from 0 to 1")
    return share


def _hands(body: str) -> list[int]:
    """The hands of one part, without its weight."""
    if body.lower() in ("any", "random", "100%"):
        return list(range(len(HANDS)))
    if len(body) == 4 and body[1].lower() in "cdhs" and body[3].lower() in "cdhs":
        first, second = sorted(parse_cards(body), reverse=True)
        return [NUMBER_OF_HAND[first, second]]
    if "-" in body:
        one, other = (_kind(part, body) for part in body.split("-", 1))
        return _between(one, other, body)
    plus = body.endswith("+")
    high, low, suits = _kind(body[:-1] if plus else body, body)
    if not plus:
        return _of(high, low, suits)
    if high == low:
        return [hand for rank in range(low, 13) for hand in _of(rank, rank, suits)]
    return [hand for rank in range(low, high) for hand in _of(high, rank, suits)]


def _between(one: tuple[int, int, str], other: tuple[int, int, str], body: str) -> list[int]:
    if one[0] == one[1] and other[0] == other[1]:
        ranks = range(min(one[0], other[0]), max(one[0], other[0]) + 1)
        return [hand for rank in ranks for hand in _of(rank, rank, "")]
    if one[0] != other[0] or one[2] != other[2] or one[0] == one[1] or other[0] == other[1]:
        raise BadText(f"{body!r} is no run of hands: both ends are pairs, or share the high card and s or o")
    ranks = range(min(one[1], other[1]), max(one[1], other[1]) + 1)
    return [hand for rank in ranks for hand in _of(one[0], rank, one[2])]


def _kind(text: str, whole: str) -> tuple[int, int, str]:
    """High rank, low rank, and s, o or nothing."""
    ranks = [RANKS.find(letter.upper()) for letter in text[:2]]
    suits = text[2:].lower()
    if len(ranks) < 2 or min(ranks) < 0 or suits not in ("", "s", "o") or (suits and ranks[0] == ranks[1]):
        raise BadText(f"{whole[:40]!r} is no part of a range: {EXAMPLE}")
    return max(ranks), min(ranks), suits


def _of(high: int, low: int, suits: str) -> list[int]:
    """The hands of a class, or of both classes of two ranks."""
    found = []
    for first in range(4):
        for second in range(4):
            a, b = 4 * high + first, 4 * low + second
            fits = not suits or (first == second) == (suits == "s")
            if fits and (a > b if high == low else a != b):
                found.append(NUMBER_OF_HAND[max(a, b), min(a, b)])
    return found


def as_range(given: Any) -> Range:
    """A range, or the text of one."""
    return given if isinstance(given, Range) else parse_range(str(given))


__all__ = ["Range", "as_range", "parse_range"]
