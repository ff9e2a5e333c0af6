"""Moving a part of a tree to blocks of its own, in breadth-first order: the node first, siblings beside each other as
they were.

Invariant: in that order the children of a node begin right after all children of the nodes before it, so the new index
of a node's first child is one plus the number of those; 0 where there are no children.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.search.mcts.tree.arena import Blocks, has_tuples


def subtree(game: Game, old: Blocks, index: int) -> tuple[Blocks, int]:
    """New blocks with the node at `index` and all below it, and how many nodes that is."""
    new = Blocks(game, old.capacity, old.remembers, old.native, old.action_bytes, old.shared)
    return new, _move_block(game, old, new, index) if old.native else _move_rows(game, old, new, index)


def _move_block(game: Game, old: Blocks, new: Blocks, index: int) -> int:
    levels: list[Any] = [np.array([index])]
    while levels[-1].size:
        counts = old.nodes["children"][levels[-1]].astype(np.int64)
        before = np.cumsum(counts) - counts  # children of the same level's earlier nodes
        firsts = old.nodes["first"][levels[-1]] - before
        levels.append(np.repeat(firsts, counts) + np.arange(counts.sum()))
    order = np.concatenate(levels)
    number = len(order)
    new.nodes[:number], new.priors[:number] = old.nodes[order], old.priors[order]
    if old.remembers:
        new.actions[:number] = old.actions[order]
    pairs = [(old.choices, new.choices)]
    if has_tuples(game):
        pairs.append((old.parts, new.parts))
    if old.shared:
        pairs.append((old.exacts, new.exacts))
    for source, target in pairs:
        target.reshape(old.capacity, -1)[:number] = source.reshape(old.capacity, -1)[order]
    counts = new.nodes["children"][:number].astype(np.int64)
    new.nodes["first"][:number] = np.where(counts > 0, 1 + np.cumsum(counts) - counts, 0)
    return number


def _move_rows(game: Game, old: Blocks, new: Blocks, index: int) -> int:
    order, players = [index], game.players
    for kept in order:
        order.extend(range(old.nodes[kept].first, old.nodes[kept].first + old.nodes[kept].children))
    first = 1
    for position, kept in enumerate(order):
        node = new.nodes[position] = old.nodes[kept]
        new.priors[position], new.actions[position] = old.priors[kept], old.actions[kept]
        for player in range(players):
            new.parts[position * players + player] = old.parts[kept * players + player]
        for player in range(old.players if old.shared else 0):
            new.exacts[position * old.players + player] = old.exacts[kept * old.players + player]
        if kept in old.choices:
            new.choices[position] = old.choices[kept]
        node.first = first if node.children > 0 else 0
        first += node.children
    return len(order)
