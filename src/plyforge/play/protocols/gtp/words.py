"""The words of a GTP command, read: numbers, and what is missing."""

from __future__ import annotations

import math

SYNTAX = "syntax error"


class Refused(Exception):
    """A command that is answered with `?` and these words."""


def finite(word: str) -> float:
    """A number. Raises ValueError, also for what is not a number but reads as one, and for what only Python writes
    so (`6_5`)."""
    number = float(word)
    if not math.isfinite(number) or "_" in word:
        raise ValueError
    return number


def first_word(words: list[str]) -> str:
    return words[0] if words else ""


def whole_word(words: list[str]) -> int:
    word = first_word(words)
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise Refused(SYNTAX)
    return int(word)


def number_word(words: list[str]) -> float:
    try:
        return finite(first_word(words))
    except ValueError:
        raise Refused(SYNTAX) from None
