"""What the engine's kernels tell while they search: every node, every cut by its name.

`Unwatched` compiles to nothing. A recording watcher (`search/trace/engine.py`) runs interpreted and keeps the tree, so
that a drawing shows the engine itself, with its null moves, reductions, and what it left out.

Invariant: after `enter` a node tells each action that it searches or leaves out, and then one thing that says how it
got its value. A search that is stopped tells no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyforge.kernel.constant import Constant

# how a node got its value
REPETITION, RULE_DRAW, END, TABLEBASE, BOUNDS, ENDGAME_SOLVED = 1, 2, 3, 4, 5, 6
STATIC_EVALUATION, STAND_PAT, TABLE, ENHANCED_TABLE = 7, 8, 9, 10
REVERSE_FUTILITY, MULTI_CUT, NULL_MOVE, SEARCHED = 11, 12, 13, 14
# what happens to an action
LATE_MOVE_PRUNING, HISTORY_PRUNING, FUTILITY_PRUNING, SEE_PRUNING, DELTA_PRUNING, FORBIDDEN = 21, 22, 23, 24, 25, 26
PLAYED, PASSED, SET_ASIDE, SINGULAR = 31, 32, 33, 34

NAMES = {
    REPETITION: "repetition",
    RULE_DRAW: "draw by rule",
    END: "end of the game",
    TABLEBASE: "tablebase",
    BOUNDS: "bounds of the rules",
    ENDGAME_SOLVED: "endgame solved by the rules",
    STATIC_EVALUATION: "static evaluation",
    STAND_PAT: "stand pat",
    TABLE: "transposition table",
    ENHANCED_TABLE: "enhanced transposition cutoff",
    REVERSE_FUTILITY: "reverse futility pruning",
    MULTI_CUT: "multi-cut",
    NULL_MOVE: "null move pruning",
    SEARCHED: "searched",
    LATE_MOVE_PRUNING: "late move pruning",
    HISTORY_PRUNING: "history pruning",
    FUTILITY_PRUNING: "futility pruning",
    SEE_PRUNING: "SEE pruning",
    DELTA_PRUNING: "delta pruning",
    FORBIDDEN: "superko",
}
"""By the numbers above, what the field calls it."""
CUTS = frozenset((TABLE, ENHANCED_TABLE, REVERSE_FUTILITY, MULTI_CUT, NULL_MOVE, STAND_PAT))
"""Of what gives a node its value, what spares the search of its actions."""


@dataclass(frozen=True)
class Unwatched(Constant):
    """Watches nothing, costs nothing. The methods are the protocol of the engine's watchers."""

    def enter(self, memory: Any, state: Any, depth: int, ply: int, alpha: float, beta: float) -> None:
        """A node is entered, with this window; at depth -1 it is one of quiescence search."""

    def action(self, memory: Any, ply: int, event: int, index: int, change: int) -> None:
        """The `index`-th listed action is left out, or is searched by so many plies deeper (less deep: negative):
        PLAYED; PASSED for a null move; SINGULAR before the node is searched once more without the action; SET_ASIDE
        where it is none of those asked about."""

    def leave(self, memory: Any, ply: int, event: int, value: float) -> None:
        """The node has got its value, like this."""


UNWATCHED = Unwatched()
