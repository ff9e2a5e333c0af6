"""Whoever keeps every state of a game has to know a state again when it comes back: by Python's own equality and
hash."""

from __future__ import annotations

from typing import Any

from plyforge.contract import Game
from plyforge.contract.naming import name_of
from plyforge.errors import BadRules


def require_distinct(game: Game, state: Any) -> None:
    """Raise BadRules for states that look new at every visit, or can't be looked up."""
    if type(state).__eq__ is object.__eq__:
        raise BadRules(
            f"{name_of(game)}: a {type(state).__name__} has no equality of its own, so that two visits of one state "
            "look like two states. Write the state as a NamedTuple, or give the class __eq__ and __hash__"
        )
    try:
        hash(state)
    except TypeError as error:
        raise BadRules(
            f"{name_of(game)}: distinct states can't be told apart, {error}. "
            "Write the state as a NamedTuple of numbers and tuples"
        ) from None
