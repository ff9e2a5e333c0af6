"""Playing cards as text and as places of a picture, for the games that have them. Never compiled."""

from __future__ import annotations

from collections.abc import Sequence

from plyforge.board import Place

SUITS = "shdc"
"""Spades, hearts, diamonds, clubs, as they are typed."""
SIGNS = dict(zip(SUITS, "\u2660\u2665\u2666\u2663", strict=True))
RANKS = "23456789TJQKA"
WIDTH, HEIGHT, STEP = 0.9, 1.3, 1.05
"""Of a card, and from one to the next."""


def pretty(card: str) -> str:
    """A card as people draw it: `As` is the ace of spades. What is no card with a suit stays as it is."""
    return card[:-1] + SIGNS[card[-1]] if len(card) > 1 and card[-1] in SIGNS else card


def row_of_cards(owner: str, cards: Sequence[str], x: float, y: float, tone: int = 0) -> list[Place]:
    """Cards side by side, `?` for one that lies face down; each has a name of its own."""
    found = []
    for number, card in enumerate(cards):
        name = f"{owner} {number + 1}" if card == "?" else f"{owner} {card}"
        found.append(Place(name, x + STEP * number, y, "card", WIDTH, HEIGHT, tone, pretty(card)))
    return found


__all__ = ["HEIGHT", "RANKS", "SIGNS", "STEP", "SUITS", "WIDTH", "pretty", "row_of_cards"]
