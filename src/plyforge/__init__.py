"""Write the rules of a game in plain Python. Get a player, a solver and an analyst for it, at the speed of C.

    import plyforge as pf
    game = pf.load("connect4")
    found = pf.search(game, using="alpha_beta", depth=12)
    found.action, found.value, found.line

Names are imported when they are first used, so that `import plyforge` costs nothing.
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "CHANCE": "game",
    "MAX": "game",
    "MIN": "game",
    "Game": "game",
    "BadLimits": "errors",
    "BadRules": "errors",
    "BadText": "errors",
    "CannotCompile": "errors",
    "GameNotFound": "errors",
    "IllegalAction": "errors",
    "PlyforgeError": "errors",
    "TooDeep": "errors",
    "Unsuitable": "errors",
    "Constant": "kernel",
    "inline": "kernel",
    "kernel": "kernel",
    "popcount": "kernel",
    "lowest": "kernel",
    "highest": "kernel",
    "load": "games",
    "names": "games",
    "Evaluation": "evaluate",
    "Limits": "search",
    "Policy": "search",
    "Result": "search",
    "SEARCHES": "search",
    "search": "search",
}

__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from plyforge.errors import (
        BadLimits,
        BadRules,
        BadText,
        CannotCompile,
        GameNotFound,
        IllegalAction,
        PlyforgeError,
        TooDeep,
        Unsuitable,
    )
    from plyforge.evaluate import Evaluation
    from plyforge.game import CHANCE, MAX, MIN, Game
    from plyforge.games import load, names
    from plyforge.kernel import Constant, highest, inline, kernel, lowest, popcount
    from plyforge.search import SEARCHES, Limits, Policy, Result, search


class _Face(types.ModuleType):
    """The package as its users see it.

    Some names are both a function here and a subpackage (`pf.search(...)`, `plyforge/search/`). Importing a subpackage
    would replace the function by the module, so those names are fixed: as an attribute, always the function;
    the modules stay reachable with `from plyforge.search import ...`.
    """

    def __getattr__(self, name: str) -> Any:
        if name in _HOME:
            return getattr(importlib.import_module(f"plyforge.{_HOME[name]}"), name)
        raise AttributeError(f"plyforge has no {name!r}")

    def __dir__(self) -> list[str]:
        return __all__

    @staticmethod
    def _fixed(name: str) -> property:
        return property(lambda self: self.__getattr__(name), lambda self, module: None)


for _name in ("check", "kernel", "search"):
    setattr(_Face, _name, _Face._fixed(_name))
sys.modules[__name__].__class__ = _Face
