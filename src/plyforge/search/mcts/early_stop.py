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
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.contract import CHANCE, Game
from plyforge.kernel import OUT_OF_TIME, RUNNING
from plyforge.search.mcts.tree.arena import DECIDED, ROOT, Blocks
from plyforge.search.mcts.tree.parallel import MOST_PENDING
from plyforge.search.mcts.tree.statistics import worst_possible
from plyforge.search.time.manager import DECIDED as DECIDED_BY_NOW
from plyforge.search.time.manager import GO_ON, OVER, TimeManager
from plyforge.search.time.rules import AT_STAKE, CLOSE, LOOK_EVERY, OFTEN


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
    time: TimeManager
    looked: float = -math.inf
    """When the tree was looked at last."""

    def __call__(self) -> int:
        """RUNNING, or the reason to stop."""
        now, soft = self.time.now(), self.time.soft_end
        if soft is None or now < min(self.looked + LOOK_EVERY, soft):
            return RUNNING
        self.looked = now
        standing = Standing.of(self.game, self.blocks)
        made = sum(int(memory.simulations) for memory in self.memories)
        most = int(self.memories[0].simulation_limit)
        untold = MOST_PENDING * len(self.memories) if len(self.memories) > 1 else 0
        lead, doubtful = (0.0, False) if standing is None else (standing.lead, standing.doubtful)
        return REASONS[self.time.simulates_on(lead, doubtful, made, most, untold)]


REASONS = {GO_ON: RUNNING, DECIDED_BY_NOW: DECIDED, OVER: OUT_OF_TIME}
"""What a kernel is told, by what the time manager says."""
