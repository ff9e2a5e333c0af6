"""The tree in memory: nodes, what they are worth to each player, and each player's options there.

A node whose state is looked at for the second time gets all its children at once, one for each joint action in the
order of `actions`, side by side: the child of a joint action is found from the places of the players' choices, as
digits of a number in which player p counts to the width of p. Beside them each player who has several choices gets an
option for each. A player who moves alone has options, the others then have none; neither has a chance node.

Compiled, these are blocks behind addresses; interpreted, rows that come into being when they are first asked for.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.kernel import MAX_PLY, RUNNING, RecordType
from plyforge.kernel.function import when_compiling
from plyforge.kernel.storage.block import address_of, block_reader, new_block

ROOT = 0
UNEXPANDED, OVER = -9, -8
"""Movers of nodes whose state nobody has looked at yet, or where the game has ended."""
MOST_PLAYERS = 8
MOST_CHILDREN = 1 << 20

NODE = np.dtype(
    [
        ("visits", "i8"),
        ("first", "i8"),  # the first child
        ("options", "i8"),  # the first option of the first player who has any; those of the next follow
        ("children", "i4"),  # how many; 0 before the node has any
        ("mover", "i4"),  # SIMULTANEOUS, CHANCE, a player, UNEXPANDED or OVER
    ],
    align=True,
)
SHARE = np.dtype([("value", "f8"), ("reward", "f8"), ("width", "i8")], align=True)
"""Node n and player p, at `n * players + p`: the mean of what is still to come, later outcomes counting more, what
the action that leads here brings, how many options the player has."""
OPTION = np.dtype([("visits", "f8"), ("value", "f8"), ("regret", "f8"), ("weight", "f8")], align=True)
"""One choice of one player at one node: how often it was taken and what it brought; its regret, and the sum of the
probabilities that it had."""

read_nodes = block_reader(NODE)
read_shares = block_reader(SHARE)
read_options = block_reader(OPTION)
read_bytes = block_reader(np.dtype([("byte", "u1")]))

AT_ONCE = RecordType(
    "at once",
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
        ("tolerance", "f8"),
        ("action_bytes", "i8"),
        ("nodes_at", "i8"),
        ("shares_at", "i8"),
        ("options_at", "i8"),
        ("choices", "i8"),
        ("outcome", "f8", (MOST_PLAYERS,)),
        ("path", "i8", (MAX_PLY + 2,)),
        ("picks", "i4", ((MAX_PLY + 2) * MOST_PLAYERS,)),
    ],
)


class Row:
    """A record of one of the kinds above, for the interpreted speed: plain attributes are ten times faster than a
    record's."""

    __slots__ = tuple({name for kind in (NODE, SHARE, OPTION) for name in kind.names or ()})

    def __init__(self) -> None:
        for name in self.__slots__:
            setattr(self, name, 0)


class Rows(dict[int, Any]):
    """A block for the interpreted speed."""

    def __missing__(self, index: int) -> Row:
        return self.setdefault(index, Row())


def open_nodes(memory: Any) -> Any:
    """The nodes."""
    return memory.nodes_at


def open_shares(memory: Any, players: int) -> Any:
    """The players' shares of the nodes."""
    return memory.shares_at


def open_options(memory: Any) -> Any:
    """The options."""
    return memory.options_at


@when_compiling
def _natively() -> None:
    from numba.extending import overload

    @overload(open_nodes, inline="always")
    def _open_nodes(memory):
        return lambda memory: read_nodes(memory.nodes_at, memory.capacity)

    @overload(open_shares, inline="always")
    def _open_shares(memory, players):
        return lambda memory, players: read_shares(memory.shares_at, memory.capacity * players)

    @overload(open_options, inline="always")
    def _open_options(memory):
        return lambda memory: read_options(memory.options_at, memory.option_capacity)


class Blocks:
    """The memory of one tree; it lives as long as this object."""

    def __init__(self, game: Game, mebibytes: int, action_bytes: int, most_nodes: int, native: bool) -> None:
        per_node = NODE.itemsize + SHARE.itemsize * game.players + OPTION.itemsize + action_bytes
        self.capacity = max(1, min((mebibytes << 20) // per_node, most_nodes))
        self.action_bytes = action_bytes
        self.players = game.players
        self.option_capacity = self.capacity  # no node has more options than children
        self.native = native
        self.begin()

    def begin(self) -> None:
        """Room for a tree; the root is there."""
        native, room = self.native, self.capacity
        self.nodes: Any = new_block(read_nodes, room) if native else Rows()
        self.shares: Any = new_block(read_shares, room * self.players) if native else Rows()
        self.options: Any = new_block(read_options, self.option_capacity) if native else Rows()
        self.actions: Any = new_block(read_bytes, room * self.action_bytes) if native else {}
        self.nodes[ROOT].mover = UNEXPANDED
        self.used_nodes, self.used_options = 1, 0

    def like(self) -> Blocks:
        """Empty ones of the same sizes."""
        made = copy.copy(self)
        made.begin()
        return made

    def new_memory(self) -> Any:
        """The record of a search over these blocks; nothing simulated yet, nothing limited."""
        memory = AT_ONCE.new(self.native)
        memory.stop, memory.nodes, memory.options = RUNNING, self.used_nodes, self.used_options
        memory.capacity, memory.option_capacity = self.capacity, self.option_capacity
        memory.action_bytes = self.action_bytes
        blocks = (self.nodes, self.shares, self.options, self.actions)
        places = [address_of(block) if self.native else block for block in blocks]
        memory.nodes_at, memory.shares_at, memory.options_at, memory.choices = places
        return memory

    def share(self, node: int, player: int) -> Any:
        """What belongs to one player at one node."""
        return self.shares[node * self.players + player]

    def options_of(self, node: int, player: int) -> list[Any]:
        """One player's options at a node, in the order of the choices; none where there is but one."""
        widths = [int(self.share(node, each).width) for each in range(player + 1)]
        if widths[player] == 1:
            return []
        first = int(self.nodes[node].options) + sum(width for width in widths[:player] if width > 1)
        return [self.options[first + place] for place in range(widths[player])]
