"""A solved game of hidden information as a tree to be drawn, as lectures draw it: all histories, how often each action
is taken, what each history is worth if all play on so, and which histories their player can't tell apart.

A node's belief is how likely its player, who came there and sees what is seen, takes this history for the one that was
played: chance's and the others' shares of it, in proportion. Where the others never let it come to that, what chance
alone makes of it.

Claim: nothing is searched here. Values and mixes are the solution's, and the root's value is the solution's value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.contract import CHANCE, MAX, format_action, format_state
from plyforge.errors import Unsuitable
from plyforge.search.core.result import Result
from plyforge.search.trace.tree import (
    AVERAGES,
    BACKED_UP,
    CHOOSES_LARGEST,
    CHOOSES_OWN,
    CHOOSES_SMALLEST,
    UTILITY,
    InformationSet,
    Node,
    RecordedTree,
)
from plyforge.solve.hidden.advice import chance_reach
from plyforge.solve.hidden.history_tree import HistoryTree
from plyforge.solve.hidden.solution import HiddenSolution, history_reach, is_zero_sum

MOST_DRAWN = 100_000
"""Histories."""
DECIMALS = 12
"""Of values: what is beyond is rounding."""


def drawn_tree(solution: HiddenSolution) -> RecordedTree:
    """The tree of a solved game, its information sets marked. Raises Unsuitable for too many histories."""
    tree, game = solution.tree, solution.game
    if tree.histories > MOST_DRAWN:
        raise Unsuitable(f"{tree.histories:,} histories are too many to be drawn: {MOST_DRAWN:,} at most")
    if len(tree.roots) > 1:
        raise Unsuitable("a tree is drawn from one state on, not from an observation")
    worth, beliefs, shares = np.round(_values(solution), DECIMALS) + 0.0, _beliefs(solution), _shares(solution)
    sets = [
        InformationSet(number, int(owner), format_state(game, seen), len(members))
        for number, (owner, seen, members) in enumerate(
            zip(tree.owner.tolist(), tree.observations, tree.members, strict=True)
        )
    ]
    nodes: list[Node] = []
    for number in range(tree.histories):
        parent = int(tree.parent[number])
        node = _node(tree, number, worth[number], is_zero_sum(game))
        if parent >= 0:
            _hang(tree, node, nodes[parent], number - int(tree.child[parent]), float(shares[number]))
        if tree.mover[number] >= 0:
            node.information, node.belief = sets[int(tree.information[number])], float(beliefs[number])
        nodes.append(node)
    value = nodes[0].value
    result = Result(
        action=None, value=value, values={}, best=(), line=(), nodes=tree.histories, depth=0,
        seconds=solution.seconds, reason="complete", player=MAX if is_zero_sum(game) else None,
        using=solution.method, native=solution.native, game=game, state=solution.state,
    )  # fmt: skip
    return RecordedTree(nodes[0], result, game.players, game=game)


def _node(tree: HistoryTree, number: int, worth: np.ndarray, zero_sum: bool) -> Node:
    mover, over = int(tree.mover[number]), int(tree.width[number]) == 0
    value: Any = float(worth[MAX]) if zero_sum else tuple(worth.tolist())
    chooses = CHOOSES_OWN if not zero_sum else CHOOSES_LARGEST if mover == MAX else CHOOSES_SMALLEST
    return Node(
        tree.state_at(number), None if over else mover, tree.game,
        chooses=None if over else AVERAGES if mover == CHANCE else chooses,
        value=value, source=UTILITY if over else BACKED_UP, order=number + 1,
    )  # fmt: skip


def _hang(tree: HistoryTree, node: Node, above: Node, index: int, share: float) -> None:
    """Put a node below another."""
    game = tree.game
    choices = [each for each, _ in game.chance(above.state)] if above.player == CHANCE else game.actions(above.state)
    action = list(choices)[index]
    node.parent, node.ply, node.action, node.index = above, above.ply + 1, action, index
    node.action_text, node.probability = format_action(game, above.state, action), share
    above.children.append(node)


def _shares(solution: HiddenSolution) -> np.ndarray:
    """How often each history is gone on to from the one above it."""
    tree, share = solution.tree, solution.tree.probability.copy()
    below = np.flatnonzero(tree.parent >= 0)
    above = tree.parent[below]
    by_players = tree.mover[above] >= 0
    nodes, above = below[by_players], above[by_players]
    share[nodes] = solution.profile[tree.offset[tree.information[above]] + (nodes - tree.child[above])]
    return share


def _values(solution: HiddenSolution) -> np.ndarray:
    """What each history is worth to each player, by the profile: from the ends upwards."""
    tree, share = solution.tree, _shares(solution)
    worth = np.zeros((tree.histories, tree.game.players))
    ends = tree.width == 0
    worth[ends] = tree.payoff[tree.information[ends]]
    for number in range(tree.histories - 1, 0, -1):
        worth[tree.parent[number]] += share[number] * worth[number]
    return worth


def _beliefs(solution: HiddenSolution) -> np.ndarray:
    """How likely each node of an information set is to its player."""
    tree = solution.tree
    found, by_chance = np.zeros(tree.histories), chance_reach(tree)
    for player in range(tree.game.players):
        reach = history_reach(tree, solution.profile, player)
        for number in np.flatnonzero(tree.owner == player).tolist():
            members = tree.members[number]
            weights = reach[members] if reach[members].sum() > 0.0 else by_chance[members]
            found[members] = weights / weights.sum()
    return found


__all__ = ["drawn_tree"]
