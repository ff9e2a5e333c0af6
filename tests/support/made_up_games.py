"""Games of a match that nobody has played."""

from __future__ import annotations

from typing import Any

from plyforge.play.match.played import PlayedGame


def played(number: int, winner: str | None = "A", **more: Any) -> PlayedGame:
    """A made-up game."""
    fields: dict[str, Any] = {
        "number": number, "first": "AB"[number % 2], "seed": 1, "start": None, "opening": 0, "actions": ("1", "2"),
        "seconds": (0.1, 0.2), "winner": winner, "reason": "by the rules", "used": (0.1, 0.2), "moves": (1, 1),
    }  # fmt: skip
    return PlayedGame(**fields | more)
