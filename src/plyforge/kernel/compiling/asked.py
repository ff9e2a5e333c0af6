"""What compiled code may ask of rules, for messages about what can't be compiled: told by the contract when it is
imported.

The kernel layer does not know what a game is. The contract, which does, hands over its table of hooks, and how the
actions of a state are listed.
"""

from __future__ import annotations

from typing import Any

ASKED: list[Any] = []
"""The compiled hooks: each has a `path`, its `arguments`, and `function_of(game)`."""

LISTING: list[Any] = []
"""One function: the actions of a state as a list, `legal_moves(game, s)`."""

__all__ = ["ASKED", "LISTING"]
