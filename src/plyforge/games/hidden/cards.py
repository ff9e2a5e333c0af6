"""Playing cards as text and as places of a picture, for the games that have them. Never compiled.

Of a picture of cards a page, a notebook and the terminal draw the same: rank and suit, or a back for `?`.

    deal(["MAX", "MIN"], [["Ks"], ["?"]])

         ╭───╮
    MAX  │K♠ │
         ╰───╯
         ╭───╮
    MIN  │▒▒▒│
         ╰───╯
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from plyforge.board import Place

SUITS = "shdc"
"""Spades, hearts, diamonds, clubs, as they are typed."""
SIGNS = dict(zip(SUITS, "\u2660\u2665\u2666\u2663", strict=True))
RANKS = "23456789TJQKA"
BACK = "▒▒▒"
"""Of a card, in the terminal."""
WIDTH, HEIGHT, STEP = 0.9, 1.3, 1.05
"""Of a card, and from one to the next."""


def pretty(card: str) -> str:
    """A card as people draw it: `As` is the ace of spades. What is no card with a suit stays as it is."""
    return card[:-1] + SIGNS[card[-1]] if len(card) > 1 and card[-1] in SIGNS else card


def deal(names: Sequence[str], hands: Sequence[Sequence[str]], notes: Sequence[str] = ()) -> str:
    """Hands for the terminal, one below the other: three lines each, with a name before it and a note behind. `?` lies
    face down; "" and `-` are empty places."""
    wide, lines = max(map(len, names)), []
    for name, cards, note in itertools.zip_longest(names, hands, notes, fillvalue=""):
        inside = [BACK if card == "?" else "   " if card in ("", "-") else f"{pretty(card):^3}" for card in cards]
        lines += [
            " " * (wide + 2) + " ".join("╭───╮" for _ in inside),
            f"{name:{wide}}  " + " ".join(f"│{each}│" for each in inside) + (f"  {note}" if note else ""),
            " " * (wide + 2) + " ".join("╰───╯" for _ in inside),
        ]
    return "\n".join(line.rstrip() for line in lines)


def row_of_cards(owner: str, cards: Sequence[str], x: float, y: float, tone: int = 0) -> list[Place]:
    """Cards side by side, `?` for one that lies face down; each has a name of its own."""
    found = []
    for number, card in enumerate(cards):
        name = f"{owner} {number + 1}" if card == "?" else f"{owner} {card}"
        found.append(Place(name, x + STEP * number, y, "card", WIDTH, HEIGHT, tone, pretty(card)))
    return found


__all__ = ["HEIGHT", "RANKS", "SIGNS", "STEP", "SUITS", "WIDTH", "deal", "pretty", "row_of_cards"]
