"""What compiled code may ask of rules, for messages about what can't be compiled: told by the contract when it is
imported.

The kernel layer does not know what a game is. The contract, which does, hands over its table of hooks.
"""

from __future__ import annotations

from typing import Any

ASKED: list[Any] = []
"""The compiled hooks: each has a `path`, its `arguments`, and `function_of(game)`."""

__all__ = ["ASKED"]
