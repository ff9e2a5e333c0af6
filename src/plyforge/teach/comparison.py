"""How much a search looked at, beside plain minimax and beside the least that any order of actions allows.

A tree in which every inner node has b children and every leaf is d plies deep has b^d leaves. Alpha-beta can't do with
less than

    b^ceil(d/2) + b^floor(d/2) - 1

of them, and does with just that if the best action always comes first: about 2 b^(d/2), so the same work reaches twice
as deep (Knuth and Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6, 1975). Where a tree is not
that regular, b stands for the number that would make as many leaves at the same depth, and the bound is only about
right: `Comparison.regular` says which it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyforge.contract import CHANCE, Game, legal_moves
from plyforge.search.core.requirements import TWO_PLAYERS, TWO_PLAYERS_NO_CHANCE
from plyforge.search.trace.tree import COUNTABLE, RecordedTree


@dataclass(frozen=True)
class Size:
    """How large a tree is, within a depth."""

    nodes: int
    leaves: int
    narrowest: int
    """The fewest children of an inner node."""
    widest: int
    shallowest: int
    """The plies to the nearest leaf."""
    deepest: int

    @property
    def regular(self) -> bool:
        """True if all inner nodes have as many children, and all leaves are as deep."""
        return self.narrowest == self.widest and self.shallowest == self.deepest

    @property
    def branching(self) -> float:
        """The number of children that would make as many leaves in a regular tree of the same depth."""
        if self.regular:
            return float(self.widest)
        return self.leaves ** (1.0 / self.deepest) if self.deepest else 0.0

    @property
    def least_leaves(self) -> float:
        """The bound of the module's text; exact in a regular tree."""
        b, d = self.branching, self.deepest
        return b ** ((d + 1) // 2) + b ** (d // 2) - 1.0


@dataclass(frozen=True)
class Comparison:
    """A recorded search beside the whole tree."""

    nodes: int
    leaves: int
    cuts: int
    whole: Size | None
    """The tree without cuts; None if it is too large to be counted."""
    bounded: bool
    """True if the bound is about this search: alpha-beta's, where nothing is left to chance and two players move."""

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"nodes": self.nodes, "leaves": self.leaves, "cuts": self.cuts, "whole": None}
        if self.whole is not None:
            whole = self.whole
            found["whole"] = {
                "nodes": whole.nodes,
                "leaves": whole.leaves,
                "branching": round(whole.branching, 2),
                "depth": whole.deepest,
                "regular": whole.regular,
                "least": round(whole.least_leaves) if self.bounded else None,
            }
        return found


def compare(tree: RecordedTree) -> Comparison:
    """What a recorded search looked at, beside the whole."""
    counters = tree.counters
    whole = None
    if tree.game is not None:
        whole = measure_tree(tree.game, tree.root.state, tree.root.depth, COUNTABLE)
    bounded = tree.windowed and tree.game is not None and not tree.game.has_chance and tree.players <= 2
    return Comparison(counters.nodes, counters.leaves, counters.cuts, whole, bounded)


def measure_tree(game: Game, state: Any, depth: int | None, at_most: int) -> Size | None:
    """The size of the tree within `depth` plies; None if it has more than `at_most` nodes.

    Level by level; a state that is reached in several ways is looked at once and counted as often.
    """
    level: list[tuple[Any, int]] = [(state, 1)]
    nodes, leaves, ply = 1, 0, 0
    widths: set[int] = set()
    depths: set[int] = set()
    while level:
        below: dict[Any, int] = {}
        unhashable: list[tuple[Any, int]] = []
        for here, ways in level:
            if ply == depth or game.terminal(here):
                leaves += ways
                depths.add(ply)
                continue
            actions = (
                [outcome for outcome, _ in game.chance(here)]
                if game.player(here) == CHANCE
                else legal_moves(game, here)
            )
            widths.add(len(actions))
            nodes += ways * len(actions)
            if nodes > at_most:
                return None
            for action in actions:
                following = game.result(here, action)
                try:
                    below[following] = below.get(following, 0) + ways
                except TypeError:
                    unhashable.append((following, ways))
        level = [*below.items(), *unhashable]
        ply += 1
    return Size(nodes, leaves, min(widths, default=0), max(widths, default=0), min(depths), max(depths))


def reference_search(game: Game, using: str | None = None) -> str:
    """The search without cuts whose values `using` has to have."""
    if using in ("expectimax", "max_n", "paranoid", "best_reply"):
        return using
    if TWO_PLAYERS_NO_CHANCE.missing(game) is None:
        return "minimax"
    if TWO_PLAYERS.missing(game) is None:
        return "expectiminimax"
    return "max_n"
