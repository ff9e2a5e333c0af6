"""Proving: counting, enumerating and solving games from their rules alone."""

from plyforge.callable_module import make_callable
from plyforge.solve.census import Census, census, reachable
from plyforge.solve.exact import Solution, solve
from plyforge.solve.perft import Perft, perft
from plyforge.solve.strategy import Strategy, make_strategy, verify

__all__ = [
    "Census",
    "Perft",
    "Solution",
    "Strategy",
    "census",
    "make_strategy",
    "perft",
    "reachable",
    "solve",
    "verify",
]

make_callable(solve, __name__)
