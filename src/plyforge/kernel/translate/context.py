"""What a translation knows of the game whose rules it translates: the types of its states' fields, and the object
itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class Context:
    """One game's rules, or functions that belong to no game (`NOBODY`)."""

    instance: Any = None
    """The game: what `self.size` is, is known while translating."""
    fields: dict[type, tuple[Any, ...]] = field(default_factory=dict)
    """For each class of NamedTuples that states are made of, the compiled types of its fields."""
    state: Any = None
    """The compiled type of a state; None where states have no type of their own."""
    wide: bool = False
    """True if there are numbers beyond 64 bits: in states, where `<<` gives such numbers, too, or made by the rules."""
    growth: int = 0
    """Which operators give numbers beyond 64 bits; see room.py."""
    cells: bool = False
    """True if states hold sets or dicts, whose order loops may not depend on."""
    text: str = ""
    """All of this as text: part of the name of what is compiled."""
    made: dict[Any, Any] = field(default_factory=dict)
    """What was translated already, by function."""


NOBODY = Context()
