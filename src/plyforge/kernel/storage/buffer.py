"""A place for a node's actions, so that a search can look at them in another order than the rules give.

Interpreted, a list. Compiled, an array on the stack of the recursion, of whatever type the game's actions have:
numbers, tuples, NamedTuples. Nothing is allocated and nothing is counted, so it costs a search nothing.

Invariant: a compiled buffer holds ACTION_LIMIT actions and does not check: whoever fills it does.
"""

from __future__ import annotations

import importlib
from typing import Any

from plyforge.kernel.function import when_compiling

ACTION_LIMIT = 512
"""More actions than this in one state can't be ordered."""


def new_buffer(game: Any, state: Any) -> Any:
    """An empty buffer for the actions of `state`; it is gone when the calling kernel returns."""
    return []


def new_actions(game: Any, state: Any) -> Any:
    """The same, with room for as many actions as the game says a state can have: `game.max_actions`."""
    return []


def new_numbers(game: Any) -> Any:
    """An empty buffer of as many floats: the scores of those actions, say."""
    return []


def new_keys(game: Any) -> Any:
    """An empty buffer of as many 64-bit keys."""
    return []


def new_outcomes(game: Any, state: Any) -> Any:
    """An empty buffer for the outcomes of chance, each with its probability."""
    return []


def put(buffer: Any, index: int, action: Any) -> None:
    """Keep `action` at `index`: the next free place, or one that is taken."""
    if index == len(buffer):
        buffer.append(action)
    else:
        buffer[index] = action


def get(buffer: Any, index: int) -> Any:
    """The action at `index`."""
    return buffer[index]


@when_compiling
def _natively() -> None:
    importlib.import_module("plyforge.kernel.storage.buffer_native")
