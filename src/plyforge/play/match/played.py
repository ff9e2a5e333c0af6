"""One game of a match that has ended, as it is kept on disk: a line of JSON, every field of which is checked when it is
read back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyforge.errors import BadText

LARGEST = 1e300
"""No number of a record is as large."""

OUT_OF_PLIES = "limit of plies"
BY_THE_RULES = "by the rules"
RESIGNED, RESIGNED_BY_RULE = "resigned", "resigned by the referee's rule"
AGREED, AGREED_BY_RULE = "a draw was agreed", "a draw by the referee's rule"
"""Why games end beside what the rules of the game and the kinds of forfeits say: see `adjudication.py`."""
GIVEN_UP = (RESIGNED, RESIGNED_BY_RULE)


@dataclass(frozen=True)
class PlayedGame:
    """A game of a match that has ended, as it is kept on disk. Players are "A" and "B"."""

    number: int
    """From 0; games 2 k and 2 k + 1 are a pair: one opening, the same dice, seats exchanged."""
    first: str
    """Who was the first player of the rules (MAX)."""
    seed: int
    """Of dice, and of what players draw at random."""
    start: str | None
    """The text of the state it began in; None for that of the rules."""
    opening: int
    """How many of the actions were the opening."""
    actions: tuple[str, ...]
    """All of them as text, dice among them."""
    seconds: tuple[float | None, ...]
    """What each action took; None for openings and dice."""
    winner: str | None
    """"A", "B", "draw"; None after a forfeit."""
    reason: str
    """Why it ended: one of the words above, what `draw_reason` said, or the kind of forfeit."""
    utilities: tuple[float, ...] | None = None
    """By the rules, for the first player and the second; None where they don't say."""
    forfeited: str | None = None
    """Who lost otherwise than by play: "A" or "B"."""
    message: str = ""
    """What happened then."""
    late: tuple[float | None, float | None] = (None, None)
    """By how many seconds A's and B's latest move missed its limit, negative if none did; None without limits."""
    used: tuple[float, float] = (0.0, 0.0)
    """Seconds that A and B thought in all."""
    moves: tuple[int, int] = (0, 0)
    """How many moves A and B made."""
    thoughts: tuple[dict[str, float] | None, ...] = ()
    """What the mover says of each action: value (to the first player of the rules; to the mover in searches that say
    so), depth, nodes, simulations, visits; where it had limits of time, `soft` and `hard`, and `by`, 0 for A and 1 for
    B. None for openings and dice. Empty in records of older versions."""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {name: list(v) if isinstance(v := getattr(self, name), tuple) else v for name in _FIELDS}

    @classmethod
    def from_json(cls, data: Any) -> PlayedGame:
        """Read it back, each field checked. Raises BadText."""
        if not isinstance(data, dict) or not set(_FIELDS) - {"thoughts"} <= set(data) <= set(_FIELDS):
            raise BadText("it does not have the fields of a game")
        data = {"thoughts": []} | data
        for name, right in _FIELDS.items():
            if not right(data[name]):
                raise BadText(f"{name} can't be {str(data[name])[:60]!r}")
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
        }
        return cls(**fields)

    def points(self) -> float | None:
        """A's: 1, 0.5 or 0; None after a forfeit."""
        return {"A": 1.0, "draw": 0.5, "B": 0.0, None: None}[self.winner]


def _is_int(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_seconds(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < LARGEST  # `math.isfinite` raises at a large integer


def _list_of(right: Callable[[Any], bool], length: int | None = None) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(right, value)) and length in (None, len(value))


def _or_none(right: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or right(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_thought(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value)) and all(map(_is_seconds, value.values()))


_FIELDS: dict[str, Callable[[Any], bool]] = {
    "number": _is_int,
    "first": lambda value: value in ("A", "B"),
    "seed": _is_int,
    "start": _or_none(_is_text),
    "opening": _is_int,
    "actions": _list_of(_is_text),
    "seconds": _list_of(_or_none(_is_seconds)),
    "winner": lambda value: value in ("A", "B", "draw", None),
    "reason": _is_text,
    "utilities": _or_none(_list_of(_is_seconds, 2)),
    "forfeited": lambda value: value in ("A", "B", None),
    "message": _is_text,
    "late": _list_of(_or_none(_is_seconds), 2),
    "used": _list_of(_is_seconds, 2),
    "moves": _list_of(_is_int, 2),
    "thoughts": _list_of(_or_none(_is_thought)),
}


__all__ = [
    "AGREED",
    "AGREED_BY_RULE",
    "BY_THE_RULES",
    "GIVEN_UP",
    "OUT_OF_PLIES",
    "RESIGNED",
    "RESIGNED_BY_RULE",
    "PlayedGame",
]
