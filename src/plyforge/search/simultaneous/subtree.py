"""A tree of simultaneous choices that goes on from a later state: that part of it moves to blocks of its own.

Nodes move in breadth-first order, siblings beside each other as they were, and their options in the order of the nodes.

Invariant: in that order the children of a node begin right after all children of the nodes before it, so the new index
of a node's first child is one plus the number of those; and so it is with options, from 0 on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.contract import Game, legal_moves
from plyforge.kernel.entry import coerce
from plyforge.search.simultaneous.tree import ROOT, Blocks

LOOK_AHEAD = 4
"""A new state is looked for at most this many plies below the root: a move, and the outcomes of chance after it."""
MOST_LOOKED_AT = 20_000
"""How many states are compared with it, about."""


def find_node(game: Game, blocks: Blocks, root: Any, wanted: Any) -> int | None:
    """The node of a state that was visited, a few plies below the root."""
    level, looked_at = [(ROOT, root)], 0
    for _ in range(LOOK_AHEAD):
        below = []
        for index, state in level:
            node = blocks.nodes[index]
            if node.children == 0 or looked_at > MOST_LOOKED_AT:
                continue
            for child, action in enumerate(legal_moves(game, state), int(node.first)):
                visits = int(blocks.nodes[child].visits)
                if visits > 0:
                    after = coerce(game.result(state, action))
                    if after == wanted:
                        return child
                    below.append((visits, child, after))
            looked_at += int(node.children)
        below.sort(key=lambda entry: -entry[0])  # what was visited most was probably played
        level = [(child, after) for _, child, after in below]
    return None


def subtree(old: Blocks, index: int) -> Blocks:
    """New blocks with the node at `index` and all below it. What led to it is paid already."""
    new = old.like()
    (move_blocks if old.native else move_rows)(old, new, index)
    for player in range(new.players):
        new.share(ROOT, player).reward = 0.0
    return new


def move_blocks(old: Blocks, new: Blocks, index: int) -> None:
    """Compiled: level by level, all nodes of one at once."""
    levels: list[Any] = [np.array([index])]
    while levels[-1].size:
        counts = old.nodes["children"][levels[-1]].astype(np.int64)
        levels.append(spread(old.nodes["first"][levels[-1]], counts))
    order = np.concatenate(levels)
    number = len(order)
    new.nodes[:number] = old.nodes[order]
    for source, target in ((old.shares, new.shares), (old.actions, new.actions)):
        target.reshape(old.capacity, -1)[:number] = source.reshape(old.capacity, -1)[order]
    counts = new.nodes["children"][:number].astype(np.int64)
    widths = new.shares["width"].reshape(old.capacity, -1)[:number]
    wanted = np.where(counts > 0, np.where(widths > 1, widths, 0).sum(axis=1), 0)
    taken = spread(new.nodes["options"][:number], wanted)
    new.options[: len(taken)] = old.options[taken]
    new.nodes["first"][:number] = np.where(counts > 0, 1 + np.cumsum(counts) - counts, 0)
    new.nodes["options"][:number] = np.where(counts > 0, np.cumsum(wanted) - wanted, 0)
    new.used_nodes, new.used_options = number, len(taken)


def spread(firsts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """So many numbers from each first one on, one list after the other."""
    before = np.cumsum(counts) - counts
    return np.repeat(firsts - before, counts) + np.arange(counts.sum())


def move_rows(old: Blocks, new: Blocks, index: int) -> None:
    """Interpreted: one node after the other."""
    order, options = [index], 0
    for place, kept in enumerate(order):
        node = new.nodes[place] = old.nodes[kept]
        for player in range(old.players):
            new.shares[place * old.players + player] = old.share(kept, player)
        if kept in old.actions:
            new.actions[place] = old.actions[kept]
        children, first, listed = node.children, node.first, node.options
        if children > 0:
            node.first, node.options = len(order), options
            for option in range(sum(w for player in range(old.players) if (w := old.share(kept, player).width) > 1)):
                new.options[options] = old.options[listed + option]
                options += 1
        order.extend(range(first, first + children))
    new.used_nodes, new.used_options = len(order), options
