"""Stopping early, for whoever plays: a move is made as soon as the time that is left can't change it.

    lead  = visits of the most visited action of the root, less those of the second
    still = simulations that can still be made: the rate so far, times the time left, times FASTER
    decided if lead > still, or if there is one action only that is not proven to lose

Claim: the choice is the one that the whole time would have made, as long as the search gets faster by less than FASTER.
For the choice goes by visits (`reading.most_visits`), and if every simulation that is left went to the second action,
it would still be behind. A proof is the exception: one that comes in the time left could change any choice, and can't
be foreseen. Where an action is proven that may be chosen for its value, a draw say, nothing is called decided. It is
the choice that is the same, not the tree: where that is kept for the next move, it has fewer simulations.

By a clock the same, until the soft limit. Then a search goes on as long as it is in doubt, at most LONGER times as
long, and never beyond the hard limit:

    in doubt if the second action has nearly as many visits (CLOSE), or if an action that is often visited (OFTEN) has a
    better value than the most visited one;
    not if the game is as good as won or lost (AT_STAKE): then actions are close because any will do

Twice as long and no more, since some actions stay close for ever: those of an empty board, say, which are mirror images
of each other.

Who moves, how many players there are and whether there are dice makes no difference: visits are visits. Where chance
moves at the root, there is nothing to decide.

Invariant: this only reads. The kernels run on while the tree is looked at, so visits may be a moment old, and with
several threads short of what each has yet to tell (`parallel.py`), which counts against the lead.

Baier and Winands, "Time management for Monte Carlo tree search", IEEE Transactions on Computational Intelligence and AI
in Games 8 (2016): STOP, CLOSE and UNST.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyforge.contract import CHANCE, Game
from plyforge.kernel import OUT_OF_TIME, RUNNING
from plyforge.search.core.limits import Limits
from plyforge.search.mcts.tree.arena import DECIDED, ROOT, Blocks
from plyforge.search.mcts.tree.parallel import MOST_PENDING
from plyforge.search.mcts.tree.statistics import worst_possible

FASTER = 1.3
"""The rate may grow by this factor in the time that is left."""
LOOK_EVERY = 0.05
"""Seconds between two looks at the tree."""
RATE_AFTER = 0.1
"""The share of the time after which the rate so far is believed."""
LONGER = 2.0
"""By a clock: how many times the soft limit a search in doubt may take."""
CLOSE = 0.8
"""The second action is close if it has more than this part of the visits of the first."""
OFTEN = 0.1
"""The value of an action counts if it has at least this part of the visits of the first."""
AT_STAKE = 0.02
"""Nearer than this part of the range of the utility to one of its ends, nothing is at stake any more."""


def longest_seconds(limits: Limits) -> float:
    """When a search that may stop early ends at the latest."""
    soft, hard = limits.soft_seconds, limits.hard_seconds
    return math.inf if soft is None or hard is None else min(LONGER * soft, hard)


@dataclass(frozen=True)
class Standing:
    """How the actions of the root stand."""

    lead: float
    """Visits of the first less those of the second; infinite where only one can be chosen; negative where visits
    don't decide."""
    doubtful: bool
    """See the module's text."""

    @classmethod
    def of(cls, game: Game, blocks: Blocks) -> Standing | None:
        """None if nobody chooses there, or nothing is known yet."""
        if blocks.node(ROOT).children == 0:
            return None
        root = blocks.node(ROOT)  # again: `first` is set before `children`
        if root.mover == CHANCE:
            return None
        visits, values, proven = blocks.options(root)
        if proven.all():  # whether or not proofs go up from here (`solve`): the best of them is the best
            return cls(math.inf, False)
        worst, span = worst_possible(game, root.mover), float(game.max_utility) - float(game.min_utility)
        if np.any(values[proven] > worst):
            return cls(-math.inf, False)
        visits, values = np.array(visits[~proven], float), np.array(values[~proven])
        if visits.max() == 0:
            return None
        if visits.size == 1:
            return cls(math.inf, False)
        first = int(visits.argmax())
        most, second = float(visits[first]), float(np.delete(visits, first).max())
        better = np.any((values > values[first]) & (visits >= OFTEN * most))
        open_yet = AT_STAKE * span < values[first] - worst < (1.0 - AT_STAKE) * span
        return cls(most - second, bool(open_yet and (better or second > CLOSE * most)))


@dataclass
class Early:
    """Asked again and again while a search runs, by the thread that keeps its clock: should it stop, and why?"""

    game: Game
    blocks: Blocks
    memories: list[Any]
    """Those of the threads."""
    soft: float
    """When it ends, unless in doubt, by `time.perf_counter`."""
    hard: float
    """When it ends in any case."""
    began: float = field(default_factory=time.perf_counter)
    looked: float = -math.inf
    """When the tree was looked at last."""

    def __call__(self) -> int:
        """RUNNING, or the reason to stop."""
        now = time.perf_counter()
        if now < min(self.looked + LOOK_EVERY, self.soft):
            return RUNNING
        self.looked = now
        standing = Standing.of(self.game, self.blocks)
        end = self.hard if standing is not None and standing.doubtful else self.soft
        if now >= end:
            return OUT_OF_TIME
        if standing is None or standing.lead <= 0:
            return RUNNING
        decided = standing.lead == math.inf or standing.lead > self.still(now, end)
        return DECIDED if decided else RUNNING

    def still(self, now: float, end: float) -> float:
        """How many visits an action can get until `end`; infinite before there is a rate to believe."""
        past = now - self.began
        if past < RATE_AFTER * (self.soft - self.began):
            return math.inf
        made = sum(int(memory.simulations) for memory in self.memories)
        by_time = FASTER * made / past * (end - now)
        by_number = int(self.memories[0].simulation_limit) - made
        untold = MOST_PENDING * len(self.memories) if len(self.memories) > 1 else 0
        return min(by_time, by_number) + untold
