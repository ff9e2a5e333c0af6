"""The tree in memory: nodes, what they are worth to each player, and each player's options there.

A node whose state is looked at for the second time gets all its children at once, one for each joint action in the order of `actions`, side by side: the child of a joint action is found from
the places of the players' choices, as digits of a number in which player p counts to the width of p. Beside them each player gets an option for each own choice. A player who
moves alone has options, the others then have one each; a chance node has children and no options.

Both speeds read the same blocks, through their addresses.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from plyforge.game import Game
from plyforge.kernel import MAX_PLY, RUNNING
from plyforge.kernel.block import address_of, block_reader, new_block

ROOT = 0
UNSEEN, OVER = -9, -8
"""Movers of nodes whose state nobody has looked at yet, or where the game has ended."""
MOST_PLAYERS = 8
MOST_CHILDREN = 1 << 20

NODE = np.dtype(
    [
        ("visits", "i8"),
        ("first", "i8"),  # the first child
        ("options", "i8"),  # the first option of player 0; those of the next player follow
        ("children", "i4"),  # how many; 0 before the node has any
        ("mover", "i4"),  # TOGETHER, CHANCE, a player, UNSEEN or OVER
    ],
    align=True,
)
SHARE = np.dtype([("value", "f8"), ("reward", "f8"), ("width", "i8")], align=True)
"""Node n and player p, at `n * players + p`: the mean of what is still to come, later outcomes counting more, what the action that leads here brings, how many options the player has."""
OPTION = np.dtype([("visits", "f8"), ("value", "f8"), ("regret", "f8"), ("weight", "f8")], align=True)
"""One choice of one player at one node: how often it was taken and what it brought; its regret, and the sum of the probabilities that it had."""

read_nodes = block_reader(NODE)
read_shares = block_reader(SHARE)
read_options = block_reader(OPTION)
read_bytes = block_reader(np.dtype([("byte", "u1")]))

MEMORY = np.dtype(
    [
        ("nodes", "i8"),
        ("stop", "i8"),
        ("simulations", "i8"),
        ("simulation_limit", "i8"),
        ("node_limit", "i8"),
        ("capacity", "i8"),
        ("option_capacity", "i8"),
        ("options", "i8"),
        ("depth", "i8"),
        ("deepest", "i8"),
        ("estimates", "i8"),
        ("refused", "i8"),
        ("rollout_depth", "i8"),
        ("exploration", "f8"),
        ("action_bytes", "i8"),
        ("nodes_at", "i8"),
        ("shares_at", "i8"),
        ("options_at", "i8"),
        ("choices", "i8"),
        ("outcome", "f8", (MOST_PLAYERS,)),
        ("path", "i8", (MAX_PLY + 2,)),
        ("picks", "i4", ((MAX_PLY + 2) * MOST_PLAYERS,)),
    ],
    align=True,
)


class Blocks:
    """The memory of one tree; it lives as long as this object."""

    def __init__(self, game: Game, mebibytes: int, action_bytes: int, most_nodes: int) -> None:
        per_node = NODE.itemsize + SHARE.itemsize * game.players + OPTION.itemsize + action_bytes
        self.capacity = max(1, min((mebibytes << 20) // per_node, most_nodes))
        self.action_bytes = action_bytes
        self.players = game.players
        self.nodes = new_block(read_nodes, self.capacity)
        self.shares = new_block(read_shares, self.capacity * game.players)
        self.option_capacity = (
            self.capacity + 64
        )  # a node has at most as many options as children, or a few more
        self.options = new_block(read_options, self.option_capacity)
        self.actions = new_block(read_bytes, self.capacity * action_bytes)
        self.nodes[ROOT].mover = UNSEEN

    def new_memory(self, native: bool) -> Any:
        """The record of a search over these blocks; nothing simulated yet, nothing limited."""
        record: Any = np.zeros(1, MEMORY).view(np.recarray)[0]
        memory: Any = record
        if not native:
            memory = SimpleNamespace()
            for name in MEMORY.names or ():
                given = getattr(record, name)
                setattr(memory, name, given if np.ndim(given) else given.item())
        memory.stop, memory.nodes = RUNNING, 1
        memory.capacity, memory.option_capacity = self.capacity, self.option_capacity
        memory.action_bytes = self.action_bytes
        memory.nodes_at, memory.shares_at = address_of(self.nodes), address_of(self.shares)
        memory.options_at = address_of(self.options)
        memory.choices = address_of(self.actions) if native else {}
        return memory

    def share(self, node: int, player: int) -> Any:
        """What belongs to one player at one node."""
        return self.shares[node * self.players + player]

    def options_of(self, node: int, player: int) -> list[Any]:
        """One player's options at a node, in the order of the choices."""
        first = int(self.nodes[node].options)
        for before in range(player):
            first += int(self.share(node, before).width)
        return [self.options[first + place] for place in range(int(self.share(node, player).width))]
