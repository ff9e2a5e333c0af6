"""Perft: count the sequences of actions of a given length. The first test of any rules.

A single wrong move anywhere changes the count, and published counts exist for most games, so that equal numbers at
a few depths are strong evidence that the rules are right. Where they differ, `divide=True` gives the count
behind each first action, and the branch that is wrong can be followed down.

Claim: `nodes` is the number of sequences of exactly `depth` legal actions from the state; the outcomes of chance count
as actions, and a game that ends earlier contributes nothing, or one where that is the convention of the game's
published counts (`perft_counts_finished`). Perft of depth 0 is 1: the empty sequence. The last ply is counted in bulk,
by the game's `count`: no state is made for it. The name is short for "performance test".
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from plyforge.contract import CHANCE, Game, format_action, legal_moves
from plyforge.contract.naming import as_state
from plyforge.errors import BadLimits
from plyforge.games import load
from plyforge.kernel import MAX_PLY, kernel, new_memory, visit
from plyforge.kernel.memory import PLAIN
from plyforge.search.running.runner import Progress, coerce, exact_or_interpreted, run
from plyforge.search.running.speed import bind_for, rules_for


@kernel
def count_leaves(game, memory, state, depth):
    if visit(memory):
        return 0
    if depth == 0:
        return 1
    leaves = 0
    if (game.heuristics.perft_counts_finished or not game.heuristics.ends_when_stuck) and game.terminal(state):
        return leaves + 1 if game.heuristics.perft_counts_finished else leaves
    if game.player(state) == CHANCE:
        for outcome, _ in game.chance(state):
            if depth == 1:
                leaves += 1
            else:
                leaves += count_leaves(game, memory, game.result(state, outcome), depth - 1)
    elif depth == 1:
        leaves += int(game.count(state))
    else:
        for action in game.actions(state):
            leaves += count_leaves(game, memory, game.result(state, action), depth - 1)
    return leaves


@dataclass(frozen=True)
class Perft:
    """A count of sequences of actions."""

    depth: int
    """How many actions each sequence has."""
    nodes: int
    """How many such sequences there are: the nodes at that depth of the tree."""
    seconds: float
    """Wall-clock time of counting, without compiling."""
    native: bool
    """True if it ran as machine code."""
    divide: dict[str, int] = field(default_factory=dict)
    """How many of them begin with each action, by its text, if that was asked for."""

    @property
    def rate(self) -> float:
        """Counted nodes per second."""
        return self.nodes / max(self.seconds, 1e-9)

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        return {
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "native": self.native,
            "divide": dict(self.divide),
        }

    def __str__(self) -> str:
        lines = [f"{text}: {count:,}" for text, count in self.divide.items()]
        lines.append(f"perft {self.depth}: {self.nodes:,} nodes in {self.seconds:.3f} s")
        return "\n".join(lines)


@exact_or_interpreted
def perft(
    game: Game | str,
    depth: int,
    state: Any = None,
    native: bool | None = None,
    divide: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> Perft:
    """Count the sequences of `depth` actions from `state`: a state, its text, or None for the start.

    `native=False` runs interpreted, `native=True` insists on compiled code. `divide=True` also counts them by first
    action. `on_progress` is told now and then how many states were visited.
    """
    game = load(game)
    if not isinstance(depth, int) or isinstance(depth, bool) or not 0 <= depth <= MAX_PLY:
        raise BadLimits(f"depth is {depth!r}; perft needs a whole number from 0 to {MAX_PLY}")
    state = as_state(game, state)
    bound = bind_for(game, count_leaves, game, PLAIN, state, depth, native=native)
    rules = rules_for(bound, game, state)

    began = time.perf_counter()
    memory = new_memory(depth, None, bound.compiled)  # one for all branches, so that its counter only grows

    def count(root: Any, plies: int) -> int:
        return int(run(bound.function, (rules, memory, root, plies), memory, None, on_progress, depth))

    by_action: dict[str, int] = {}
    if divide and depth > 0:
        for action in legal_moves(game, state):
            by_action[format_action(game, state, action)] = count(coerce(rules.result(state, action)), depth - 1)
        nodes = sum(by_action.values())
    else:
        nodes = count(state, depth)
    return Perft(depth, nodes, time.perf_counter() - began, bound.is_native, by_action)
