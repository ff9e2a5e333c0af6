"""Random trees: synthetic games whose shape, movers and payoffs all follow from one 64-bit hash.

They are here to test searches with, and to measure them. A node is its hash and how many levels there may be below it;
the hash of a child is stirred from its parent's and the number of the action. Nothing is stored, so a tree of any size
costs nothing, and since the hash is in the *state*, one compiled search serves every seed: start it from
`game.root(seed)`.

A node has 1 to `branching` actions; one node in eight ends early. Payoffs are small whole numbers, so that ties are
frequent. With `doubles` who moves is drawn as well, so that a player may move twice or more; with `dice` every third
node (not the root) is a chance node with unequal probabilities. `RandomTree3` is the same with three players and payoff
tuples.

Text of a state: the hash in hexadecimal and the levels, `0123456789abcdef/6`. An action is a number from 1.

Claim: all draws are equal at both speeds, since `mix` is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from plyforge.contract import CHANCE, Game, Notation, format_state
from plyforge.errors import BadRules, BadText
from plyforge.kernel import mix

# What a draw is for. Children are numbered from CHILD on, so that no draw uses a child's hash.
SIZE, END, MOVER, DIE, WEIGHT, PAYOFF, ESTIMATE, CHILD = 1, 2, 3, 4, 5, 8, 16, 32
HIGH_BITS = np.uint64(33)
"""The upper 31 bits of a hash are the best mixed ones, and fit any integer type."""
HEAVIEST = 4
"""Chances are drawn as weights from 1 to this."""


class Node(NamedTuple):
    """A node of the tree."""

    hash: np.uint64
    """All that is random about it."""
    depth: int
    """How many levels there may be below it."""


class RandomTreeNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: RandomTree, s: Node) -> str:
        return f"{int(s.hash):016x}/{s.depth}"

    def parse_state(self, game: RandomTree, text: str) -> Node:
        found = re.fullmatch(r"([0-9a-f]{16})/(\d{1,3})", text.strip().lower(), re.ASCII)
        if found is None:
            example = format_state(game, game.start())
            raise BadText(f"{text!r} is not a node: 16 hexadecimal digits, '/' and the levels below, as in {example}")
        if int(found[2]) > game.depth:
            raise BadText(f"{text!r}: this tree has {game.depth} levels below its root")
        return Node(np.uint64(int(found[1], 16)), int(found[2]))

    def format_action(self, game: RandomTree, s: Node, action: int) -> str:
        return str(action + 1)


@dataclass(frozen=True)
class RandomTree(Game):
    """A tree drawn at random from a seed: `random_tree(depth=6, branching=3, seed=1, doubles=True)`."""

    notation = RandomTreeNotation()

    depth: int = 6
    """Levels below the root, at most."""
    branching: int = 3
    """Actions of a node, at most."""
    seed: int = 1
    """Which tree `start` gives; `root` gives any other."""
    doubles: bool = False
    """True: who moves is drawn, so the same player may move twice. False: players take turns."""
    dice: bool = False
    """True: some nodes are chance nodes."""
    largest: int = 3
    """Payoffs are whole numbers from minus this to this."""

    def __post_init__(self) -> None:
        if not 0 <= self.depth <= 900:
            raise BadRules(f"random_tree needs a depth from 0 to 900, not {self.depth}")
        if not 1 <= self.branching <= 1000:
            raise BadRules(f"random_tree needs branching from 1 to 1000, not {self.branching}")
        if not 0 <= self.largest <= 1_000_000:
            raise BadRules(f"random_tree needs largest from 0 to 1000000, not {self.largest}")

    @property
    def has_chance(self) -> bool:
        return self.dice

    @property
    def min_utility(self) -> float:  # type: ignore[override]
        return float(-self.largest)

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        return float(self.largest)

    def root(self, seed: int) -> Node:
        """The start of the tree of any seed."""
        return Node(mix(CHILD, seed), self.depth)

    def start(self) -> Node:
        return self.root(self.seed)

    def player(self, s: Node) -> int:
        if self.dice and s.depth < self.depth and self.draw(s, DIE, 3) == 0:
            return CHANCE
        if self.doubles:
            return self.draw(s, MOVER, self.players)
        return (self.depth - s.depth) % self.players

    def actions(self, s: Node) -> Iterator[int]:
        for action in range(self.count(s)):
            yield action

    def chance(self, s: Node) -> Iterator[tuple[int, float]]:
        weights = 0
        for outcome in range(self.count(s)):
            weights += self.weight(s, outcome)
        for outcome in range(self.count(s)):
            yield outcome, self.weight(s, outcome) / weights

    def result(self, s: Node, action: int) -> Node:
        return Node(mix(s.hash, CHILD + action), s.depth - 1)

    def terminal(self, s: Node) -> bool:
        return s.depth == 0 or (s.depth < self.depth and self.draw(s, END, 8) == 0)

    def utility(self, s: Node) -> Any:
        return float(self.draw(s, PAYOFF, 2 * self.largest + 1) - self.largest)

    def evaluate(self, s: Node) -> Any:
        """A guess as good as any: drawn like a payoff."""
        return float(self.draw(s, ESTIMATE, 2 * self.largest + 1) - self.largest)

    def count(self, s: Node) -> int:
        return 1 + self.draw(s, SIZE, self.branching)

    def weight(self, s: Node, outcome: int) -> int:
        """How likely an outcome is, beside the others of the same chance node."""
        return 1 + self.draw(self.result(s, outcome), WEIGHT, HEAVIEST)

    def draw(self, s: Node, purpose: int, n: int) -> int:
        """A whole number from 0 to n - 1 that follows from the node's hash."""
        return int(mix(s.hash, purpose) >> HIGH_BITS) % n

    # ------------------------------------------------------------ text

    def show(self, s: Node) -> str:
        if self.terminal(s):
            return f"{format_state(self, s)}: leaf, {self.utility(s)}"
        mover = self.player(s)
        names = ("MAX", "MIN") if self.players == 2 else tuple(f"player {i}" for i in range(self.players))
        who = "CHANCE" if mover == CHANCE else names[mover]
        return f"{format_state(self, s)}: {who}, {self.count(s)} actions, at most {s.depth} levels below"


@dataclass(frozen=True)
class RandomTree3(RandomTree):
    """The same for three players, each with a payoff of its own: `RandomTree3(depth=6)`."""

    players = 3
    utility_sum = None

    def utility(self, s: Node) -> Any:
        return (self.payoff(s, PAYOFF), self.payoff(s, PAYOFF + 1), self.payoff(s, PAYOFF + 2))

    def evaluate(self, s: Node) -> Any:
        return (self.payoff(s, ESTIMATE), self.payoff(s, ESTIMATE + 1), self.payoff(s, ESTIMATE + 2))

    def payoff(self, s: Node, purpose: int) -> float:
        """One player's."""
        return float(self.draw(s, purpose, 2 * self.largest + 1) - self.largest)
