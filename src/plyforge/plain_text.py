"""States and actions as plain text, where a game has no notation of its own: numbers in nested parentheses.

    (3, (1, 0), 1)

Nothing that is read is ever evaluated.
"""

from __future__ import annotations

import re
from typing import Any

from plyforge.errors import BadText


def format_value(value: Any) -> str:
    """A number, or a tuple of numbers and tuples, as text."""
    if isinstance(value, tuple):
        inside = ", ".join(format_value(item) for item in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return str(value)


def parse_like(example: Any, text: str) -> Any:
    """Read numbers in nested parentheses into the shape and types of `example`. Nothing is evaluated."""
    tokens = re.findall(r"[(),]|[^(),\s]+", text)
    position = 0

    def fail(wanted: str) -> BadText:
        found = tokens[position] if position < len(tokens) else "the end"
        return BadText(f"{text!r} is not a state: expected {wanted}, found {found}")

    def take(token: str) -> None:
        nonlocal position
        if position >= len(tokens) or tokens[position] != token:
            raise fail(repr(token))
        position += 1

    def read(like: Any) -> Any:
        nonlocal position
        if isinstance(like, tuple):
            take("(")
            items = []
            for index, item in enumerate(like):
                if index:
                    take(",")
                items.append(read(item))
            if len(like) == 1 and position < len(tokens) and tokens[position] == ",":
                position += 1
            take(")")
            return type(like)(*items) if hasattr(like, "_fields") else tuple(items)
        if position >= len(tokens):
            raise fail("a value")
        word = tokens[position]
        position += 1
        if isinstance(like, bool):
            if word not in ("True", "False"):
                position -= 1
                raise fail("True or False")
            return word == "True"
        if isinstance(like, str):
            return word
        try:
            return type(like)(word)
        except (TypeError, ValueError, OverflowError):
            position -= 1
            raise fail(f"a value of type {type(like).__name__}") from None

    state = read(example)
    if position != len(tokens):
        raise fail("nothing more")
    return state
