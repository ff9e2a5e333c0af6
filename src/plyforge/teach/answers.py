"""Answers as people give them: numbers, tuples, branches; read, and compared with what is right."""

from __future__ import annotations

import math
import re
from typing import Any

from plyforge.errors import BadText
from plyforge.search.trace.tree import Node

CLOSE = 0.006
"""An average may be rounded to two decimals."""
LONGEST_ANSWER = 200
FRACTION = re.compile(r"([+-]?\d{1,9})\s*/\s*(\d{1,9})")


def address(node: Node) -> tuple[int, ...]:
    """A node's place in the tree: the numbers of the actions that lead there, from 0."""
    numbers = [n.index or 0 for n in (node, *node.ancestors()) if n.parent is not None]
    return tuple(numbers[::-1])


def topmost(addresses: set[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Those that are not below another."""
    return {a for a in addresses if not any(a[:n] in addresses for n in range(len(a)))}


def read_value(answer: Any) -> Any:
    """A number (3, 0.5, 1/2, inf) or a tuple of numbers, from what somebody typed."""
    if isinstance(answer, bool):
        raise BadText("a value is a number")
    if isinstance(answer, (int, float)):
        return float(answer)
    if isinstance(answer, (list, tuple)):
        return tuple(read_value(part) for part in answer)
    text = str(answer).strip().replace("−", "-").replace("∞", "inf").replace("infinity", "inf").lower()
    if len(text) > LONGEST_ANSWER:
        raise BadText(f"an answer has at most {LONGEST_ANSWER} letters")
    if text.startswith("(") or "," in text:
        return tuple(read_value(part) for part in text.strip("() ").split(","))
    fraction = FRACTION.fullmatch(text)
    try:
        value = int(fraction[1]) / int(fraction[2]) if fraction else float(text)
    except (ValueError, ZeroDivisionError):
        value = math.nan
    if math.isnan(value) or (math.isinf(value) and "inf" not in text):
        raise BadText(f"{answer!r} is not a number; write it as 3, -2.5, 1/2 or inf")
    return value


def same_value(given: Any, right: Any) -> bool:
    """Equal, or as near as rounding to two decimals leaves it."""
    if isinstance(given, tuple) or isinstance(right, tuple):
        if not isinstance(given, tuple) or not isinstance(right, tuple) or len(given) != len(right):
            return False
        return all(same_value(g, r) for g, r in zip(given, right, strict=True))
    if math.isinf(right) or math.isinf(given):
        return bool(given == right)
    return bool(given == right) if float(right).is_integer() else abs(given - right) < CLOSE


def read_branches(answer: Any, known: dict[tuple[int, ...], Node]) -> set[tuple[int, ...]]:
    try:
        given = {tuple(int(number) for number in path) for path in answer}
    except (TypeError, ValueError):
        raise BadText("branches are lists of the numbers of actions, counted from 0") from None
    for path in given:
        if not path or path not in known:
            raise BadText(f"there is no branch {list(path)}")
    return given
