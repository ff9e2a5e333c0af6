"""Reading a tree when the search is over: values in MAX's view, standard errors, the choice, the line.

The choice. A proven action that is worth as much to the mover as anything can be; otherwise the action with most
visits, unless a proven one is worth more than that action's mean. A proven loss only where nothing else is left.

The error of a mean has two parts. Simulations scatter: the standard deviation divided by the root of their number. And
they explore: some try actions that are not best, here and further down, which drags the mean away from what best play
brings. How far it does is estimated by the value that the same tree has if every node has the value of its chosen
child, and every chance node the weighted mean of its children's. The error is the root of the sum of both squares.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.contract import CHANCE, MAX, Game, legal_moves, other_side, payoffs
from plyforge.kernel import MAX_PLY
from plyforge.search.mcts.tree.arena import ROOT, Blocks, has_tuples, is_proven

MINOR = 100
"""Nodes with less than this part of the simulations are not followed further for the error."""

Choice = Callable[[Game, Blocks, int], int]


def value_at(game: Game, blocks: Blocks, index: int) -> Any:
    """A node's value: MAX's, or a tuple with everyone's."""
    node = blocks.node(index)
    if has_tuples(game):
        return tuple(blocks.part(index, player) for player in range(game.players))
    value = float(node.value)
    return value if node.owner == MAX else other_side(game, value)


def error_at(game: Game, blocks: Blocks, index: int) -> Any:
    """The standard error of a node's value, see the module's text."""
    node = blocks.node(index)
    visits = node.visits
    tuples = has_tuples(game)
    if is_proven(node):
        return (0.0,) * game.players if tuples else 0.0
    if visits < 2:
        return (math.inf,) * game.players if tuples else math.inf
    mean, line = value_at(game, blocks, index), line_value(game, blocks, index, max(2, visits // MINOR))
    if not tuples:
        return _error(float(node.deviation), visits, mean - line)
    parts = [blocks.parts[index * game.players + player] for player in range(game.players)]
    drags = [m - l for m, l in zip(mean, line, strict=True)]
    return tuple(_error(float(p.deviation), visits, drag) for p, drag in zip(parts, drags, strict=True))


def _error(deviation: float, visits: int, drag: float) -> float:
    return math.hypot(math.sqrt(max(0.0, deviation) / (visits - 1) / visits), drag)


def line_value(game: Game, blocks: Blocks, index: int, least: int, dice: int = 50) -> Any:
    """What a node is worth if all below it follow their choices.

    Nodes with fewer visits than `least`, or behind more than so many `dice`, have their mean.
    """
    node = blocks.node(index)
    while node.children > 0 and node.mover != CHANCE and node.spread >= 0.0:
        chosen = most_visits(game, blocks, index)
        below = blocks.node(chosen) if chosen >= 0 else node
        if chosen < 0 or (below.visits < least and below.spread >= 0.0):
            return value_at(game, blocks, index)
        index, node = chosen, below
    if node.children == 0 or dice == 0 or is_proven(node):
        return value_at(game, blocks, index)
    total, weight = (0.0,) * game.players, 0.0
    for child, outcome in blocks.children(index).items():
        if outcome.visits > 0:
            probability = float(blocks.priors[child].prior)
            value = payoffs(game, line_value(game, blocks, child, least, dice - 1))
            total = tuple(t + probability * v for t, v in zip(total, value, strict=True))
            weight += probability
    if weight == 0.0:
        return value_at(game, blocks, index)
    everyone = tuple(t / weight for t in total)
    return everyone if has_tuples(game) else everyone[MAX]


def best_value(game: Game, blocks: Blocks, index: int) -> int:
    """The child with the largest mean for the mover; the first of several. -1: none has been visited."""
    visited = {child: node.value for child, node in blocks.children(index).items() if node.visits > 0}
    return max(visited, key=lambda child: visited[child], default=-1)


def most_visits(game: Game, blocks: Blocks, index: int) -> int:
    """The child to choose, see the module's text. -1: none has been visited."""
    here = blocks.node(index)
    visits, values, proven = blocks.options(here)
    seen = visits > 0
    sure = _first_largest(np.where(seen & proven, values, -np.inf))
    most = np.where(seen & ~proven, visits, 0)
    favourite = -1
    if most.size and most.max() > 0:
        favourite = _first_largest(np.where(most == most.max(), values, -np.inf))
    if sure < 0 or favourite < 0:
        return -1 if max(sure, favourite) < 0 else int(here.first) + max(sure, favourite)
    chosen = favourite
    if is_proven(here) or (values[sure] > worst_possible(game, here.mover) and values[sure] >= values[favourite]):
        chosen = sure
    return int(here.first) + chosen


def _first_largest(numbers: Any) -> int:
    """Where the largest number is, the first of several; -1 if there is none above minus infinity."""
    place = int(np.argmax(numbers)) if numbers.size else -1
    return place if place >= 0 and numbers[place] > -np.inf else -1


def worst_possible(game: Game, player: int) -> float:
    """The least that a state can be worth to a player."""
    if has_tuples(game) or player == MAX:
        return float(game.min_utility)
    return other_side(game, float(game.max_utility))


def line_from_root(game: Game, blocks: Blocks, state: Any, choose: Choice) -> tuple[Any, ...]:
    """The chosen action, the answer that would be chosen, and so on, up to the first chance node."""
    return line_from(game, blocks, state, choose, ROOT)


def line_below(game: Game, blocks: Blocks, state: Any, choose: Choice, action: Any, child: int) -> tuple[Any, ...]:
    """An action of the root, which leads to `child`, and how play would go on after it."""
    return (action, *line_from(game, blocks, game.result(state, action), choose, child))


def line_from(game: Game, blocks: Blocks, state: Any, choose: Choice, index: int) -> tuple[Any, ...]:
    """What would be chosen at a node and below it, up to the first chance node."""
    line: list[Any] = []
    while blocks.node(index).children > 0 and blocks.node(index).mover != CHANCE and len(line) < MAX_PLY:
        chosen = choose(game, blocks, index)
        if chosen < 0:
            break
        action = legal_moves(game, state)[chosen - blocks.node(index).first]
        line.append(action)
        state = game.result(state, action)
        index = chosen
    return tuple(line)
