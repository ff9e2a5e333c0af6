"""The best response to a profile of mixed strategies, and its exploitability.

What a player gets at best against the other's mix: in every information set the action that is best on average over
its histories, each weighed by how likely chance and the other make it. The histories of one information set may be of
different lengths, so information sets are decided by how often their player has moved before: by perfect recall, what
lies below one hangs only on those with more own moves.

Exploitability is the mean of what both players could gain by their best responses: 0 in an equilibrium.
Johanson, Waugh, Bowling and Zinkevich, "Accelerating best response calculation in large extensive games", IJCAI 2011.
"""

from __future__ import annotations

import numpy as np

from plyforge.contract import CHANCE
from plyforge.kernel import kernel
from plyforge.solve.hidden.history_tree import ENDED


@kernel
def others_reach(player, mover, child, width, probability, information, offset, policy, reach):
    """How likely chance and the other player make each node, if `player` goes there."""
    reach[0] = 1.0
    for node in range(len(mover)):
        for a in range(width[node]):
            there = child[node] + a
            share = 1.0
            if mover[node] == CHANCE:
                share = probability[there]
            elif mover[node] != player:
                share = policy[offset[information[node]] + a]
            reach[there] = reach[node] * share


@kernel
def values_up(player, total, mover, child, width, probability, utility, information, offset, policy, values):
    """What each node is worth to `player` if everybody plays `policy`; of one who has decided, it is 0 and 1."""
    for back in range(len(mover)):
        node = len(mover) - 1 - back
        value = 0.0
        if mover[node] == ENDED:
            value = utility[node] if player == 0 else total - utility[node]
        for a in range(width[node]):
            there = child[node] + a
            share = probability[there]
            if mover[node] != CHANCE:
                share = policy[offset[information[node]] + a]
            value += share * values[there]
        values[node] = value


@kernel
def best_response(
    player,
    total,
    mover,
    child,
    width,
    probability,
    utility,
    information,
    offset,
    owner,
    own_depth,
    policy,
    reach,
    values,
    worth,
):
    """What `player` gets at best at the root. `policy` holds the best response in the player's slots afterwards."""
    others_reach(player, mover, child, width, probability, information, offset, policy, reach)
    deepest = -1
    for i in range(len(owner)):
        if owner[i] == player and own_depth[i] > deepest:
            deepest = own_depth[i]
    for turn in range(deepest + 1):
        depth = deepest - turn
        values_up(player, total, mover, child, width, probability, utility, information, offset, policy, values)
        for slot in range(len(worth)):
            worth[slot] = 0.0
        for node in range(len(mover)):
            if mover[node] == player and own_depth[information[node]] == depth:
                for a in range(width[node]):
                    worth[offset[information[node]] + a] += reach[node] * values[child[node] + a]
        for i in range(len(owner)):
            if owner[i] == player and own_depth[i] == depth:
                best = offset[i]
                for slot in range(offset[i], offset[i + 1]):
                    policy[slot] = 0.0
                    if worth[slot] > worth[best]:
                        best = slot
                policy[best] = 1.0
    values_up(player, total, mover, child, width, probability, utility, information, offset, policy, values)
    return values[0]


def room(nodes: int, slots: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where a best response is worked out: reach and value of each node, worth of each slot."""
    return np.zeros(nodes), np.zeros(nodes), np.zeros(slots)


__all__ = ["best_response", "others_reach", "room", "values_up"]
