"""Modules that can be called, where a function and its package share a name.

`pf.search(game)` is the public face, `plyforge/search/` is where the searches live; importing anything from there makes
`pf.search` the module. So the module answers a call as the function of its name would.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable
from typing import Any


def make_callable(function: Callable[..., Any], module: str) -> None:
    """Calling the module of that name calls `function`, and whoever asks for its signature is told the function's, whole."""
    kind = type("CallableModule", (types.ModuleType,), {"__call__": staticmethod(function)})
    sys.modules[module].__class__ = kind
    sys.modules[module].__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
