"""Write the rules of a game in plain Python. Get a player, a solver and an analyst for it, at the speed of C.

    import plyforge as pf
    game = pf.load("connect4")
    found = pf.search(game, using="alpha_beta", depth=12)
    found.action, found.value, found.line

Names are imported when they are first used, so that `import plyforge` costs nothing. Some names are a function and a
subpackage at once (`search`, `check`, `draw`, `solve`, `kernel`): those are functions that have what the subpackage has
(see `callable_module.py`).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from plyforge.callable_module import face_of, hand_out_functions

__version__ = "0.1.0"

_HOME = {
    "CHANCE": "contract",
    "MAX": "contract",
    "MIN": "contract",
    "PUBLIC": "contract",
    "SIMULTANEOUS": "contract",
    "Game": "contract",
    "BoardView": "contract",
    "Heuristics": "contract",
    "HistoryRules": "contract",
    "Notation": "contract",
    "PathCosts": "contract",
    "TablebaseIndex": "contract",
    "format_action": "contract",
    "format_choice": "contract",
    "format_state": "contract",
    "legal_moves": "contract",
    "parse_action": "contract",
    "parse_choice": "contract",
    "parse_state": "contract",
    "state_after": "contract",
    "BadLimits": "errors",
    "BadRules": "errors",
    "BadText": "errors",
    "CannotCompile": "errors",
    "GameNotFound": "errors",
    "IllegalAction": "errors",
    "NoPath": "errors",
    "PlyforgeError": "errors",
    "TooDeep": "errors",
    "Unsuitable": "errors",
    "WrongMoment": "errors",
    "Constant": "kernel",
    "inline": "kernel",
    "kernel": "kernel",
    "below": "kernel",
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
    "record": "search.trace.recorder",
    "search": "search",
    "search_many": "search",
    "solution_tree": "search.trace.solution_tree",
    "draw": "draw",
    "Strategy": "solve",
    "census": "solve",
    "make_strategy": "solve",
    "perft": "solve",
    "solve": "solve",
    "verify": "solve",
    "check": "check",
}

__all__ = [
    "CHANCE",
    "MAX",
    "MIN",
    "PUBLIC",
    "SEARCHES",
    "SIMULTANEOUS",
    "BadLimits",
    "BadRules",
    "BadText",
    "BoardView",
    "CannotCompile",
    "Constant",
    "Evaluation",
    "Game",
    "GameNotFound",
    "Heuristics",
    "HistoryRules",
    "IllegalAction",
    "Limits",
    "NoPath",
    "Notation",
    "PathCosts",
    "PlyforgeError",
    "Policy",
    "Result",
    "Strategy",
    "TablebaseIndex",
    "TooDeep",
    "Unsuitable",
    "WrongMoment",
    "below",
    "census",
    "check",
    "draw",
    "format_action",
    "format_choice",
    "format_state",
    "highest",
    "inline",
    "kernel",
    "legal_moves",
    "load",
    "lowest",
    "make_strategy",
    "names",
    "parse_action",
    "parse_choice",
    "parse_state",
    "perft",
    "popcount",
    "record",
    "search",
    "search_many",
    "solution_tree",
    "solve",
    "state_after",
    "verify",
]

if TYPE_CHECKING:
    from plyforge.check import check
    from plyforge.contract import (
        CHANCE,
        MAX,
        MIN,
        PUBLIC,
        SIMULTANEOUS,
        BoardView,
        Game,
        Heuristics,
        HistoryRules,
        Notation,
        PathCosts,
        TablebaseIndex,
        format_action,
        format_choice,
        format_state,
        legal_moves,
        parse_action,
        parse_choice,
        parse_state,
        state_after,
    )
    from plyforge.draw import draw
    from plyforge.errors import (
        BadLimits,
        BadRules,
        BadText,
        CannotCompile,
        GameNotFound,
        IllegalAction,
        NoPath,
        PlyforgeError,
        TooDeep,
        Unsuitable,
        WrongMoment,
    )
    from plyforge.evaluate import Evaluation
    from plyforge.games import load, names
    from plyforge.kernel import Constant, below, highest, inline, kernel, lowest, popcount
    from plyforge.search import SEARCHES, Limits, Policy, Result, search, search_many
    from plyforge.search.trace.recorder import record
    from plyforge.search.trace.solution_tree import solution_tree
    from plyforge.solve import Strategy, census, make_strategy, perft, solve, verify


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"plyforge has no {name!r}")
    module = importlib.import_module(f"plyforge.{_HOME[name]}")
    return face_of(module) if name == _HOME[name] else getattr(module, name)


def __dir__() -> list[str]:
    return __all__


hand_out_functions(__name__)
