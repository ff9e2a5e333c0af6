"""Chance nodes in a Monte Carlo search: outcomes are drawn by their probabilities, each outcome a child of its own.

`Dice` is for games where chance moves; `NoDice`, which compiles to nothing, for all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyforge.contract import CHANCE, MAX, other_side
from plyforge.kernel import Constant, uniform
from plyforge.search.mcts.tree.arena import is_proven, make_child, open_priors


@dataclass(frozen=True)
class NoDice(Constant):
    """Chance never moves."""

    def moves(self, player: int) -> bool:
        """True if `player` is chance."""
        return False

    def roll(self, game: Any, stream: Any, s: Any) -> tuple[Any, int]:
        """The state after a drawn outcome, and the outcome's index."""
        return s, 0

    def count(self, game: Any, s: Any) -> int:
        """How many outcomes there are."""
        return 0

    def make_children(self, game: Any, memory: Any, pool: Any, first: int, s: Any) -> None:
        """A child for each outcome."""

    def prove(self, game: Any, sharing: Any, memory: Any, pool: Any, first: int, end: int) -> bool:
        """True if the chance node with these children is proven; then its payoffs are the outcome in the memory."""
        return False


@dataclass(frozen=True)
class Dice(NoDice):
    """Chance takes part."""

    def moves(self, player: int) -> bool:
        return player == CHANCE

    def roll(self, game: Any, stream: Any, s: Any) -> tuple[Any, int]:
        # What rounding leaves goes to the last outcome.
        left = uniform(stream)
        index = -1
        for outcome, probability in game.chance(s):
            index, drawn = index + 1, outcome
            left -= probability
            if left < 0.0:
                break
        return game.result(s, drawn), index

    def count(self, game: Any, s: Any) -> int:
        number = 0
        for _ in game.chance(s):
            number += 1
        return number

    def make_children(self, game: Any, memory: Any, pool: Any, first: int, s: Any) -> None:
        priors = open_priors(memory)
        child = first
        for _, probability in game.chance(s):
            make_child(pool, priors, child, MAX, probability, 0.0)
            child += 1

    def prove(self, game: Any, sharing: Any, memory: Any, pool: Any, first: int, end: int) -> bool:
        for child in range(first, end):
            if not is_proven(pool[child]):
                return False
        priors = open_priors(memory)
        for player in range(game.players):
            memory.outcome[player] = 0.0
        if memory.tupled != 0:
            for child in range(first, end):
                for player in range(game.players):
                    value = sharing.exact_part(game, memory, child, player)
                    memory.outcome[player] += priors[child].prior * value
        else:
            for child in range(first, end):
                memory.outcome[MAX] += priors[child].prior * sharing.exact(game, memory, pool, child)
            if game.players == 2:
                memory.outcome[1] = other_side(game, memory.outcome[MAX])
        return True
