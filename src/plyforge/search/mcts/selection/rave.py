"""All moves as first (RAVE): what an action brought whenever it was taken later on, as a first guess of what it brings
now.

In many games a good place to move to stays good for a while. So every simulation also tells, at each node on its way,
the actions which that node's mover took only later in it. Such a hint is plentiful, but biased; with more visits of its
own an action's value counts more. After n visits the hint has the weight sqrt(k / (3 n + k)): one half at n = k, the
`rave`.

With priors (`PriorRave`) the hint of an action that nobody has taken yet begins with what the rules say of it: an
action `share` times as promising as the others of its state are on average is taken to be better than an average one
with probability share / (1 + share), as in Bradley and Terry's model of contests; this counts like so many simulations.

Actions are the same if their hashes are. Gelly and Silver, "Combining online and offline knowledge in UCT", ICML 2007.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.contract import MAX, Game, knows_priors, other_side
from plyforge.errors import BadLimits, Unsuitable
from plyforge.kernel import hash_state, mix
from plyforge.search.core.parameters import parameter
from plyforge.search.mcts.selection.rule import Selection
from plyforge.search.mcts.selection.ucb1 import Ucb
from plyforge.search.mcts.tree.arena import REMEMBERED, open_actions
from plyforge.search.mcts.tree_search import TreeSearch

SLOTS = np.uint64(REMEMBERED - 1)
EQUIVALENCE, PRIOR_VISITS = 0, 1
"""Where these two are in `memory.rule_numbers`."""


@dataclass(frozen=True)
class RaveUcb(Ucb):
    """UCB1 over values blended with all-moves-as-first."""

    def begin(self, memory: Any) -> None:
        memory.stamp += 1

    def note(self, memory: Any, player: int, action: Any) -> None:
        self.remember(memory, mix(hash_state(action), player))

    def remember(self, memory: Any, key: Any) -> None:
        """An action was taken. Of two that fall on one place, the later is remembered."""
        slot = int(key & SLOTS)
        memory.remembered[slot] = key
        memory.stamps[slot] = memory.stamp

    def keep(self, memory: Any, child: int, action: Any) -> None:
        hint = open_actions(memory)[child]
        hint.key = hash_state(action)
        hint.value = 0.0
        hint.visits = 0

    def blend(self, memory: Any, child: int, value: float, visits: int, proven: bool) -> float:
        hint = open_actions(memory)[child]
        if hint.visits == 0 or proven:
            return value
        if visits == 0:
            return hint.value if value > -np.inf else value  # another thread is there: see parallel.py
        equivalence = memory.rule_numbers[EQUIVALENCE]
        weight = math.sqrt(equivalence / (3.0 * visits + equivalence))
        return (1.0 - weight) * value + weight * hint.value

    def learn(self, memory: Any, child: int, player: int, first: int, children: int) -> None:
        if player < 0:
            return
        hints = open_actions(memory)
        self.remember(memory, mix(hints[child].key, player))
        for sibling in range(first, first + children):
            hint = hints[sibling]
            key = mix(hint.key, player)
            slot = int(key & SLOTS)
            if memory.stamps[slot] == memory.stamp and memory.remembered[slot] == key:
                hint.visits += 1
                hint.value += (memory.outcome[player] - hint.value) / hint.visits


@dataclass(frozen=True)
class PriorRave(RaveUcb):
    """The same, begun with the game's priors."""

    def weight(self, game: Any, s: Any, action: Any) -> float:
        return max(0.0, float(game.heuristics.prior(game, s, action)))

    def expect(self, game: Any, memory: Any, child: int, mover: int, share: float) -> None:
        hint = open_actions(memory)[child]
        lowest, highest = float(game.min_utility), float(game.max_utility)
        if memory.tupled == 0 and mover != MAX:
            lowest, highest = other_side(game, highest), other_side(game, lowest)
        hint.value = lowest + (highest - lowest) * share / (1.0 + share)
        hint.visits = int(memory.rule_numbers[PRIOR_VISITS])


@dataclass(frozen=True)
class AllMovesAsFirst(TreeSearch):
    """Base of rules that can mix all moves as first in."""

    rave: float | None = parameter(
        None,
        above=0,
        unit="visits",
        title="RAVE",
        none="without",
        compiled=True,
        help="All moves as first: the visits at which it counts half.",
    )
    priors: int = parameter(
        0,
        at_least=0,
        unit="simulations",
        title="Priors in RAVE",
        compiled=True,
        where=knows_priors,
        help="For how many simulations of all moves as first the game's `prior` counts. 0: without.",
    )

    @property
    def remembers(self) -> bool:  # type: ignore[override]
        return self.rave is not None

    def rave_selection(self, game: Game) -> Selection:
        """UCB1 with it."""
        if self.priors > 0 and not knows_priors(game):
            raise Unsuitable(
                f"priors need `prior` or `ordering` in the heuristics, and {type(game).__name__} has neither. Write"
                " one, or leave `priors` out"
            )
        return PriorRave() if self.priors > 0 else RaveUcb()

    def rule_numbers(self) -> tuple[float, ...]:
        return (self.rave or 0.0, float(self.priors))

    def check(self) -> None:
        super().check()
        if self.priors > 0 and self.rave is None:
            raise BadLimits(f"priors is {self.priors!r}; it can be above 0 only with rave, whose hints it begins")
