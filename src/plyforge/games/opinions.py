"""Where the opinions about our games are: each game names the module of `plyforge.evaluate` that has its encoding.

Rules don't import opinions, which know the rules: the module is loaded when a search, or anybody else, first asks what
it says. A game of somebody's own needs none of this: it has its encoding as an attribute, like all companions.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any


@functools.cache
def load_encoding(module: str, name: str = "ENCODING") -> Any:
    """An encoding in a module of `plyforge.evaluate`."""
    return getattr(importlib.import_module(f"plyforge.evaluate.{module}"), name)


def encoding_of(module: str) -> Any:
    """The companion `encoding` of a game whose opinions are in that module, whatever its parameters."""
    return property(lambda game: load_encoding(module), doc=f"See `plyforge.evaluate.{module}`.")


__all__ = ["encoding_of", "load_encoding"]
