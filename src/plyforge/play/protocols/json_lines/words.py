"""Requests and answers of `server.py` as JSON: read within limits, and written as numbers that JSON has.

Invariant: whatever a line holds, `read_request` gives an object or raises BadText.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import math
from typing import Any

from plyforge.errors import BadText

DEEPEST = 16
"""Brackets inside brackets."""
LONGEST_NUMBER = 300
"""Digits: what has more is larger than any number that a program calculates with."""
SHOWN = 80
"""Letters of what is wrong, in a message."""
KINDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def read_request(line: str) -> dict[str, Any]:
    """The object on a line. Raises BadText."""
    depth, quoted, escaped = 0, False, False
    for letter in line:
        if escaped:
            escaped = False
        elif quoted:
            quoted, escaped = letter != '"', letter == "\\"
        elif letter == '"':
            quoted = True
        elif letter in "[{":
            depth += 1
            if depth > DEEPEST:
                raise BadText(f"brackets may be {DEEPEST} deep at most")
        elif letter in "]}":
            depth -= 1
    try:
        request = json.loads(
            line, object_pairs_hook=_distinct, parse_constant=_no_constant, parse_float=_float, parse_int=_int
        )
    except BadText:
        raise
    except (ValueError, RecursionError) as error:
        raise BadText(f"this is not JSON: {error}") from None
    if not isinstance(request, dict):
        raise BadText('a request is an object, as in {"id": 1, "do": "legal"}')
    return request


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise BadText("a name occurs twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise BadText(f"JSON has no {name}")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise BadText(f"{digits[:SHOWN]} is too large a number")
    return number


def _int(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise BadText(f"a whole number of {len(digits)} digits is too large")
    return int(digits)


def finite(value: Any) -> Any:
    """JSON has no infinity: null says that there is no such number."""
    if isinstance(value, dict):
        return {name: finite(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def as_line(what: dict[str, Any]) -> str:
    """An answer as a line of JSON."""
    return json.dumps(finite(what), ensure_ascii=False, allow_nan=False)


def verb_of(line: str) -> Any:
    """What a line asks for, where that is in a hurry and can be read."""
    if "stop" not in line and "quit" not in line:
        return None
    with contextlib.suppress(BadText):
        return read_request(line).get("do")
    return None


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if value is None:
        return None
    return [float(part) for part in value] if isinstance(value, tuple) else float(value)


def near(word: str, names: Any) -> str:
    names = list(names)
    found = difflib.get_close_matches(word, names, n=1)
    return f": did you mean {found[0]!r}?" if found else f": there are {', '.join(names) or 'none'}"


__all__ = ["DEEPEST", "KINDS", "SHOWN", "as_line", "finite", "near", "plain", "read_request", "verb_of"]
