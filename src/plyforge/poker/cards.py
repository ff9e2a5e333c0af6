"""Cards as numbers and text.

A card is `4 * rank + suit`, 0 to 51: ranks from the deuce (0) to the ace (12), suits c, d, h, s. Text is `As`, `Td`.
A hand of hold'em is two cards; there are 1,326. A class is what suits do not tell apart before the board comes: a pair,
`AKs` of one suit, `AKo` of two; there are 169.

    number of a class: high rank h, low rank l      suited 13 * h + l      offsuit 13 * l + h      a pair 14 * h
"""

from __future__ import annotations

import numpy as np

from plyforge.errors import BadText

RANKS, SUITS = "23456789TJQKA", "cdhs"
DECK, CLASSES = 52, 169
HANDS = tuple((a, b) for a in range(DECK) for b in range(a))
"""All hands of two cards, the higher card first."""


def card_text(card: int) -> str:
    """`As`."""
    return RANKS[card // 4] + SUITS[card % 4]


def cards_text(cards: tuple[int, ...] | list[int]) -> str:
    """`AsKd`."""
    return "".join(map(card_text, cards))


def parse_cards(text: str) -> tuple[int, ...]:
    """The cards of `As Kd`, `AsKd` or `as,kd`, all different. Raises BadText."""
    letters = text.replace(" ", "").replace(",", "")
    if len(letters) % 2 or len(letters) > 2 * DECK:
        raise BadText(f"{text[:60]!r} can't be read as cards: each is a rank and a suit, as in 'As Td 7c'")
    cards = []
    for at in range(0, len(letters), 2):
        rank, suit = RANKS.find(letters[at].upper()), SUITS.find(letters[at + 1].lower())
        if rank < 0 or suit < 0:
            raise BadText(
                f"{letters[at : at + 2]!r} is not a card: a rank of {RANKS} and a suit of {SUITS}, as in 'As' or 'Td'"
            )
        cards.append(4 * rank + suit)
    for card in cards:
        if cards.count(card) > 1:
            raise BadText(
                f"there is one {card_text(card)} in a deck, and {text[:60]!r} has it {cards.count(card)} times"
            )
    return tuple(cards)


def class_of(first: int, second: int) -> int:
    """The number of the class of two cards."""
    high, low = max(first // 4, second // 4), min(first // 4, second // 4)
    return 13 * high + low if first % 4 == second % 4 else 13 * low + high


def class_text(number: int) -> str:
    """`AKs`, `72o`, `TT`."""
    row, column = divmod(number, 13)
    if row == column:
        return 2 * RANKS[row]
    return f"{RANKS[max(row, column)]}{RANKS[min(row, column)]}{'s' if row > column else 'o'}"


CLASS_OF_HAND = np.array([class_of(*hand) for hand in HANDS])
CLASS_NUMBERS = {class_text(number): number for number in range(CLASSES)}
COMBOS = np.bincount(CLASS_OF_HAND, minlength=CLASSES)
"""How many hands a class has: 6, 4 or 12."""

__all__ = [
    "CLASSES",
    "CLASS_NUMBERS",
    "CLASS_OF_HAND",
    "COMBOS",
    "DECK",
    "HANDS",
    "RANKS",
    "SUITS",
    "card_text",
    "cards_text",
    "class_of",
    "class_text",
    "parse_cards",
]
