"""All histories of a game as arrays, breadth first, with the information sets of both players.

A node is a history, not a state: what players remember belongs to it. The children of a node stand side by side, so
that reach probabilities are one loop down and values one loop up.

    child[n], child[n] + width[n]     the children of node n
    probability[n]                    of a child of chance: how likely it is; else 1
    information[n]                    the information set of who moves; -1 where nobody does
    offset[i], offset[i + 1]          the slots of information set i: one for each action

Invariant: all nodes of an information set have the same actions in the same order, which `plyforge check` tests. By
perfect recall none of them lies below another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.contract import CHANCE, MAX, MIN, Game
from plyforge.contract.information import NOTHING, information_set, remember
from plyforge.contract.naming import as_state, name_of
from plyforge.errors import BadRules, PlyforgeError

ENDED = -2
"""Instead of a mover: the game is over."""
HISTORY_LIMIT = 1_000_000
"""Histories that are held in memory unless more are allowed: some hundred megabytes."""


@dataclass(frozen=True)
class HistoryTree:
    """See the module's text."""

    game: Game
    mover: np.ndarray
    child: np.ndarray
    width: np.ndarray
    probability: np.ndarray
    utility: np.ndarray
    """Of ends, MAX's."""
    information: np.ndarray
    offset: np.ndarray
    owner: np.ndarray
    """Whose an information set is."""
    first: np.ndarray
    """A node of each information set: by perfect recall its player's own reach is the same at all of them."""
    own_depth: np.ndarray
    """Of an information set: how often its player has moved before."""
    observations: list[Any]
    """What the player sees in each information set."""
    actions: list[list[Any]]
    """What can be done there."""

    @property
    def histories(self) -> int:
        return len(self.mover)

    @property
    def slots(self) -> int:
        return int(self.offset[-1])


class _Growth:
    """A tree while it grows."""

    def __init__(self, game: Game, root: Any) -> None:
        self.game = game
        self.waiting: list[tuple[Any, Any, Any, int, int]] = [(root, NOTHING, NOTHING, 0, 0)]
        """By node: the state, what both remember, how often each has moved."""
        self.probability = [1.0]
        self.mover: list[int] = []
        self.child: list[int] = []
        self.width: list[int] = []
        self.utility: list[float] = []
        self.information: list[int] = []
        self.known: dict[tuple[int, int], int] = {}
        self.owner: list[int] = []
        self.first: list[int] = []
        self.own_depth: list[int] = []
        self.observations: list[Any] = []
        self.actions: list[list[Any]] = []

    def visit(self, node: int) -> None:
        """Write down a node, and add its children."""
        game = self.game
        s, mine, theirs, moved, they_moved = self.waiting[node]
        self.child.append(len(self.waiting))
        if game.terminal(s):
            self.leaf(float(game.utility(s)))
            return
        mover = int(game.player(s))
        self.mover.append(mover)
        self.utility.append(0.0)
        if mover == CHANCE:
            outcomes = [(outcome, float(probability)) for outcome, probability in game.chance(s)]
            self.information.append(-1)
        else:
            memory, depth = (mine, moved) if mover == MAX else (theirs, they_moved)
            number = self.number(node, mover, s, memory, depth)
            outcomes = [(action, 1.0) for action in self.actions[number]]
            self.information.append(number)
        self.width.append(len(outcomes))
        for action, probability in outcomes:
            after = game.result(s, action)
            self.probability.append(probability)
            self.waiting.append(
                (
                    after,
                    remember(game, mine, s, action, after, MAX),
                    remember(game, theirs, s, action, after, MIN),
                    moved + (mover == MAX),
                    they_moved + (mover == MIN),
                )
            )

    def leaf(self, utility: float) -> None:
        self.mover.append(ENDED)
        self.utility.append(utility)
        self.information.append(-1)
        self.width.append(0)

    def number(self, node: int, player: int, s: Any, memory: Any, depth: int) -> int:
        """The information set of who moves, by number; its actions must be those of the state."""
        key = (player, int(information_set(self.game, memory, s, player)))
        actions = list(self.game.actions(s))
        number = self.known.setdefault(key, len(self.known))
        if number == len(self.owner):
            self.owner.append(player)
            self.first.append(node)
            self.own_depth.append(depth)
            self.observations.append(self.game.observe(s, player))
            self.actions.append(actions)
        elif actions != self.actions[number]:
            raise BadRules(
                f"{name_of(self.game)}: in one information set of player {player}, who sees "
                f"{self.observations[number]}, there are different actions. `plyforge check` says more"
            )
        return number


def history_tree(game: Game, state: Any = None, limit: int | None = HISTORY_LIMIT) -> HistoryTree:
    """The tree below `state`: a state, its text, or None for the start. More than `limit` histories are refused."""
    growth = _Growth(game, as_state(game, state))
    node = 0
    while node < len(growth.waiting):
        growth.visit(node)
        node += 1
        if limit is not None and len(growth.waiting) > limit:
            raise PlyforgeError(
                f"{name_of(game)} has more than {limit:,} histories: too many for a solver of whole trees"
            )
    widths = [len(each) for each in growth.actions]
    return HistoryTree(
        game,
        np.array(growth.mover, np.int64),
        np.array(growth.child, np.int64),
        np.array(growth.width, np.int64),
        np.array(growth.probability, np.float64),
        np.array(growth.utility, np.float64),
        np.array(growth.information, np.int64),
        np.concatenate([[0], np.cumsum(widths)]).astype(np.int64),
        np.array(growth.owner, np.int64),
        np.array(growth.first, np.int64),
        np.array(growth.own_depth, np.int64),
        growth.observations,
        growth.actions,
    )


__all__ = ["ENDED", "HISTORY_LIMIT", "HistoryTree", "history_tree"]
