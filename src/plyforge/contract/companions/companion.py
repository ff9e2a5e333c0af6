"""Companions: what a game may tell beyond its six functions, a class for each kind of reader.

    heuristics   what a search may know: move ordering, tactical moves, bounds, symmetries, a null move ...
    history      what depends on the past: repetition, superko, draws by rule
    tablebase    the states of endings by number, for endgame tablebases
    costs        what a path costs, and h(s), where one player moves alone
    encoding     what evaluations see: named features, the game phase, inputs of a network

A game has one of each as an attribute. The default of a hook means "nothing is known"; a subclass that gives a body of
its own is asked. Methods take the game first:

    class MyHeuristics(Heuristics):
        def ordering(self, game, s, action):
            return 2.0 if game.takes(s, action) else 1.0

    class MyGame(Game):
        heuristics = MyHeuristics()

What a game has only with some of its parameters is a property that chooses: `heuristics` of one board, another for the
other.

Invariant: a companion is a Constant without a state of its own. Hooks that are compiled cost nothing where they are not
defined.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from plyforge.kernel.constant import Constant, defines

State: TypeAlias = Any
Action: TypeAlias = Any
Key: TypeAlias = Any
"""What hooks take and give, by name: annotations tell readers and `hooks.py` apart what Python can't."""


class Companion(Constant):
    """What all companions are."""

    python_only: tuple[str, ...] = ()
    """Hooks that are never compiled."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


__all__ = ["Action", "Companion", "Key", "State", "defines"]
