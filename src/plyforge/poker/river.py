"""The river: all five cards of the board are there, both players have ranges, and bet once more.

CFR+ on the public tree of bets. At each node every hand of a range is one entry of a vector, so an iteration costs
nodes x hands, not nodes x hands squared: at a showdown hands are sorted by strength once, and what a hand beats is a
sum of those below it, less those below it that hold one of its cards. Regrets never fall below 0, players learn in
turn, later iterations count more in the average.

The first player checks or bets; who faces a bet folds, calls or raises. Bets and raises are parts of the pot as it
would be after a call, never more than the stacks; a bet of nearly all that is left is all in.

Claim: `exploitability` is measured by best responses to the average strategies over all hands, as a part of the pot; 0
in an equilibrium. `value` is what the first player wins on average if both play the averages, in chips, half the pot
counted as each one's.

Tammelin, "Solving large imperfect information games using CFR+", 2014; Johanson et al., "Accelerating best response
calculation in large extensive games", IJCAI 2011.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyforge.errors import BadLimits, BadText
from plyforge.kernel import bind, kernel
from plyforge.poker.cards import HANDS, cards_text, parse_cards
from plyforge.poker.evaluator import evaluate
from plyforge.poker.ranges import Range, as_range

SIZES = (0.5, 1.0)
MOST_RAISES = 3
NEARLY_ALL = 0.85
"""A bet of more than this part of what is left is all in."""
MEASURE_EVERY = 25
"""Iterations between two measurements."""
GOAL = 0.003
MOST_ITERATIONS = 100_000


@dataclass
class Node:
    """A node of the public tree: a player chooses, or it is over."""

    player: int
    """Who chooses; at the end, who has folded, -1 for a showdown."""
    paid: tuple[float, float]
    """What both have bet here."""
    actions: list[str] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    regrets: Any = None
    average: Any = None


@dataclass(frozen=True, eq=False)
class River:
    """Average strategies, and how good they are."""

    board: str
    pot: float
    stack: float
    value: float
    exploitability: float
    """As a part of the pot."""
    iterations: int
    seconds: float
    hands: tuple[list[tuple[int, int]], list[tuple[int, int]]]
    root: Node

    def strategy(self, line: Sequence[str] = ()) -> dict[str, dict[str, float]]:
        """By hand, how often each action is taken after these actions, such as ("check", "bet 50")."""
        node = self.root
        for action in line:
            if action not in node.actions:
                raise BadText(f"{action!r} can't be done there; there are {', '.join(node.actions) or 'no actions'}")
            node = node.children[node.actions.index(action)]
        if not node.actions:
            raise BadText(f"after {' '.join(line)} nobody chooses any more")
        mix = shares(node.average)
        return {
            cards_text(hand): {action: float(mix[place, n]) for place, action in enumerate(node.actions)}
            for n, hand in enumerate(self.hands[node.player])
        }

    def to_json(self) -> dict[str, Any]:
        return {
            "board": self.board, "pot": self.pot, "stack": self.stack, "value": self.value,
            "exploitability": self.exploitability, "iterations": self.iterations, "seconds": self.seconds,
            "strategy": self.strategy(),
        }  # fmt: skip


def shares(weights: np.ndarray) -> np.ndarray:
    """Rows of weights as parts of one, for each hand; all alike where there is none."""
    total = weights.sum(axis=0)
    return np.where(total > 0.0, weights / np.where(total > 0.0, total, 1.0), 1.0 / len(weights))


def tree_of(pot: float, stack: float, sizes: Sequence[float]) -> Node:
    """The public tree."""

    def amounts(paid: tuple[float, float], player: int) -> list[float]:
        """What a bet or a raise may bring the player's own part to."""
        high = max(paid)
        found = []
        for size in sizes:
            to = high + size * (pot + 2.0 * high)
            found.append(stack if to >= NEARLY_ALL * stack else to)
        return sorted(set(found))

    def grow(player: int, paid: tuple[float, float], raises: int, checked: bool) -> Node:
        node = Node(player, paid)
        high = max(paid)
        facing = paid[player] < high

        def add(action: str, child: Node) -> None:
            node.actions.append(action)
            node.children.append(child)

        def with_own(to: float) -> tuple[float, float]:
            return (to, paid[1]) if player == 0 else (paid[0], to)

        if facing:
            add("fold", Node(player, paid))
            add("call", Node(-1, (high, high)))
        else:
            add("check", Node(-1, paid) if checked else grow(1 - player, paid, raises, True))
        if raises < MOST_RAISES and high < stack:
            for to in amounts(paid, player):
                name = "raise to" if facing else "bet"
                add(f"{name} {to:g}", grow(1 - player, with_own(to), raises + 1, True))
        return node

    return grow(0, (0.0, 0.0), 0, False)


# ------------------------------------------------------------------ ends, hand by hand
@kernel
def add_showdown(stake, own, own_strength, own_cards, other, other_strength, other_cards, reach, with_card, worth):
    """What a showdown is worth to each own hand. `own` and `other` are the hands in the order of their strengths."""
    with_card[:] = 0.0
    total, place = 0.0, 0
    for hand in own:  # what it beats
        while place < len(other) and other_strength[other[place]] < own_strength[hand]:
            part = reach[other[place]]
            total += part
            with_card[other_cards[other[place], 0]] += part
            with_card[other_cards[other[place], 1]] += part
            place += 1
        worth[hand] = stake * (total - with_card[own_cards[hand, 0]] - with_card[own_cards[hand, 1]])
    with_card[:] = 0.0
    total, place = 0.0, len(other) - 1
    for back in range(len(own)):  # what beats it
        hand = own[len(own) - 1 - back]
        while place >= 0 and other_strength[other[place]] > own_strength[hand]:
            part = reach[other[place]]
            total += part
            with_card[other_cards[other[place], 0]] += part
            with_card[other_cards[other[place], 1]] += part
            place -= 1
        worth[hand] -= stake * (total - with_card[own_cards[hand, 0]] - with_card[own_cards[hand, 1]])


@kernel
def add_met(stake, own_cards, same, other_cards, reach, with_card, worth):
    """As much for each own hand as it can meet of the other's reach."""
    with_card[:] = 0.0
    total = 0.0
    for hand in range(len(reach)):
        total += reach[hand]
        with_card[other_cards[hand, 0]] += reach[hand]
        with_card[other_cards[hand, 1]] += reach[hand]
    for hand in range(len(worth)):
        both = reach[same[hand]] if same[hand] >= 0 else 0.0
        worth[hand] = stake * (total - with_card[own_cards[hand, 0]] - with_card[own_cards[hand, 1]] + both)


class Table:
    """The hands of both on a board, and what ends are worth to them."""

    def __init__(self, board: tuple[int, ...], ranges: Sequence[Range], pot: float) -> None:
        self.pot = pot
        numbers = [each.without(board) for each in ranges]
        self.hands = [[HANDS[number] for number in each] for each in numbers]
        self.reach = [each.weights[left] for each, left in zip(ranges, numbers, strict=True)]
        self.cards: list[np.ndarray] = [np.array(each).reshape(-1, 2) for each in self.hands]
        self.strength = [np.array([evaluate((*board, *hand)) for hand in each]) for each in self.hands]
        self.order = [np.argsort(each, kind="stable") for each in self.strength]
        self.with_card = np.zeros(52)
        self.same: list[np.ndarray] = []
        for player in (0, 1):
            at = {hand: number for number, hand in enumerate(self.hands[1 - player])}
            self.same.append(np.array([at.get(hand, -1) for hand in self.hands[player]]))
        worth = np.zeros(len(self.hands[0]))
        self._showdown = bind(add_showdown, *self._shown(0, self.reach[1], 1.0, worth))
        self._met = bind(add_met, *self._meeting(0, self.reach[1], 1.0, worth))

    def _shown(self, player: int, reach: np.ndarray, stake: float, worth: np.ndarray) -> tuple[Any, ...]:
        other = 1 - player
        return (
            stake, self.order[player], self.strength[player], self.cards[player], self.order[other],
            self.strength[other], self.cards[other], reach, self.with_card, worth,
        )  # fmt: skip

    def _meeting(self, player: int, reach: np.ndarray, stake: float, worth: np.ndarray) -> tuple[Any, ...]:
        return stake, self.cards[player], self.same[player], self.cards[1 - player], reach, self.with_card, worth

    def met(self, player: int, reach: np.ndarray, stake: float = 1.0) -> np.ndarray:
        """How much of the other's reach each hand of `player` can meet."""
        worth = np.zeros(len(self.hands[player]))
        self._met(*self._meeting(player, reach, stake, worth))
        return worth

    def end(self, node: Node, player: int, reach: np.ndarray) -> np.ndarray:
        """What an end is worth to each hand of `player`, against the other's reach."""
        if node.player >= 0:
            lost = self.pot / 2.0 + node.paid[node.player]
            return self.met(player, reach, -lost if node.player == player else lost)
        worth = np.zeros(len(self.hands[player]))
        self._showdown(*self._shown(player, reach, self.pot / 2.0 + node.paid[0], worth))
        return worth


class Solver:
    """CFR+ over a tree and a table."""

    def __init__(self, table: Table, root: Node) -> None:
        self.table, self.root = table, root
        self._prepare(root)

    def _prepare(self, node: Node) -> None:
        if node.actions:
            shape = (len(node.actions), len(self.table.hands[node.player]))
            node.regrets, node.average = np.zeros(shape), np.zeros(shape)
            for child in node.children:
                self._prepare(child)

    def learn(self, iteration: int) -> None:
        """Both, in turn."""
        for player in (0, 1):
            self.walk(self.root, player, self.table.reach[player], self.table.reach[1 - player], iteration)

    def walk(self, node: Node, player: int, own: np.ndarray, others: np.ndarray, iteration: int) -> np.ndarray:
        """What a node is worth to each hand of `player`, who learns."""
        if not node.actions:
            return self.table.end(node, player, others)
        policy = shares(node.regrets)
        if node.player != player:
            value = self.walk(node.children[0], player, own, others * policy[0], iteration)
            for share, child in zip(policy[1:], node.children[1:], strict=True):
                value = value + self.walk(child, player, own, others * share, iteration)
            return value
        pairs = zip(policy, node.children, strict=True)
        values = np.array([self.walk(child, player, own * share, others, iteration) for share, child in pairs])
        value = (policy * values).sum(axis=0)
        node.regrets = np.maximum(node.regrets + values - value, 0.0)
        node.average += iteration * own * policy
        return value

    def worth(self, node: Node, player: int, others: np.ndarray, best: bool) -> np.ndarray:
        """The same if the other plays the average, and the player too, or as well as can be."""
        if not node.actions:
            return self.table.end(node, player, others)
        mix = shares(node.average)
        if node.player != player:
            each = [self.worth(c, player, others * share, best) for share, c in zip(mix, node.children, strict=True)]
            return np.asarray(np.sum(each, axis=0))
        values = np.array([self.worth(child, player, others, best) for child in node.children])
        return np.asarray(values.max(axis=0) if best else (mix * values).sum(axis=0))

    def total(self, player: int, best: bool) -> float:
        """On average over what is dealt."""
        reach, others = self.table.reach[player], self.table.reach[1 - player]
        dealt = float(reach @ self.table.met(player, others))
        return float(reach @ self.worth(self.root, player, others, best)) / dealt


def solve_river(
    board: str | tuple[int, ...],
    first: Any,
    second: Any,
    *,
    pot: float,
    stack: float,
    sizes: Sequence[float] = SIZES,
    goal: float = GOAL,
    iterations: int = MOST_ITERATIONS,
    seconds: float | None = None,
    on_progress: Callable[[int, float], object] | None = None,
) -> River:
    """Solve the river for two ranges, or texts of them, until it is exploitable by at most `goal` of the pot, or so
    many iterations or seconds are over. `on_progress` is told iterations and exploitability. Raises BadText and
    BadLimits."""
    shown = parse_cards(board) if isinstance(board, str) else tuple(board)
    if len(shown) != 5:
        raise BadText(f"on the river the board has 5 cards; this one has {len(shown)}")
    for name, given in (("pot", pot), ("stack", stack), *(("bet size", size) for size in sizes)):
        if not math.isfinite(given) or given <= 0.0:
            raise BadLimits(f"the {name} is {given:g}; it must be above 0")
    if seconds is not None and not seconds > 0.0:
        raise BadLimits(f"seconds is {seconds:g}; it must be above 0")
    if not goal >= 0.0:
        raise BadLimits(f"the goal is {goal:g}; it must be 0 or a part of the pot")
    if iterations < 1:
        raise BadLimits(f"iterations is {iterations}; it must be at least 1")
    if not sizes or len(sizes) > 4:
        raise BadLimits(f"there are {len(sizes)} bet sizes; there must be 1 to 4")
    ranges = [as_range(first), as_range(second)]
    for each in ranges:
        if len(each.without(shown)) == 0:
            raise BadText(f"no hand of {each.text!r} is left: the board {cards_text(shown)} has their cards")
    table = Table(shown, ranges, pot)
    if float(table.reach[0] @ table.met(0, table.reach[1])) <= 0.0:
        raise BadText(f"{ranges[0].text!r} and {ranges[1].text!r} can't be dealt together: they need the same cards")
    solver, began = Solver(table, tree_of(pot, stack, sizes)), time.perf_counter()
    done, found = 0, math.inf
    while done < iterations and found > goal and (seconds is None or time.perf_counter() - began < seconds):
        for _ in range(min(MEASURE_EVERY, iterations - done)):
            done += 1
            solver.learn(done)
        found = max(0.0, solver.total(0, True) + solver.total(1, True)) / 2.0 / pot
        if on_progress is not None:
            on_progress(done, found)
    taken = time.perf_counter() - began
    hands = (table.hands[0], table.hands[1])
    return River(cards_text(shown), pot, stack, solver.total(0, False), found, done, taken, hands, solver.root)


__all__ = ["River", "solve_river"]
