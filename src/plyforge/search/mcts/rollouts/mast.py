"""MAST, the move-average sampling technique: in rollouts, what an action has brought before, wherever it was taken,
decides how likely it is now.

Every simulation tells each action that was taken in it, in the tree or after it, how the game went for whoever took it.
Where a rollout has to move it draws a few legal actions, `mast` of them, and takes the one that has brought most so
far. Most actions of most games are poor nearly everywhere; random players try them all the same, and so say little
about play in which nobody does. Drawing a few keeps rollouts different from each other, and costs the same however many
actions there are.

Claim: an action is taken with a probability of at least 1 / n to the power of `mast`, of n: all are possible. With
the same stream both speeds make the same rollouts.

Actions are the same if their hashes and players are; a few different ones share a place, which makes them a little
alike. Finnsson and Bjornsson, "Simulation-based approach to general game playing", AAAI 2008; there actions are drawn
by a Gibbs distribution of all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.kernel import below, hash_state, mix
from plyforge.kernel.storage.buffer import get, new_actions
from plyforge.kernel.storage.fill import fill_actions
from plyforge.search.mcts.rollouts.rollout import Rollout
from plyforge.search.mcts.tree.arena import MAST_ACTIONS, MAST_SLOTS, STUCK

SLOTS = np.uint64(MAST_SLOTS - 1)


@dataclass(frozen=True)
class MastRollout(Rollout):
    """Of a few random actions the one that has brought most."""

    def begin(self, memory: Any) -> None:
        memory.mast_taken = 0

    def note(self, memory: Any, player: int, action: Any) -> None:
        place = memory.mast_taken
        if place < MAST_ACTIONS:
            memory.mast_takers[place] = player
            memory.mast_places[place] = int(mix(hash_state(action), player) & SLOTS)
            memory.mast_taken = place + 1

    def learn(self, memory: Any) -> None:
        for taken in range(memory.mast_taken):
            place = memory.mast_places[taken]
            visits = memory.mast_visits[place] + 1
            value = memory.mast_values[place]
            memory.mast_visits[place] = visits
            memory.mast_values[place] = value + (memory.outcome[memory.mast_takers[taken]] - value) / visits

    def worth(self, memory: Any, player: int, action: Any, unknown: float) -> float:
        """What an action has brought a player on average."""
        place = int(mix(hash_state(action), player) & SLOTS)
        return memory.mast_values[place] if memory.mast_visits[place] > 0 else unknown

    def step(self, game: Any, selection: Any, memory: Any, stream: Any, s: Any) -> Any:
        buffer = new_actions(game, s)
        listed = fill_actions(game, s, buffer)
        number = listed if listed >= 0 else game.count(s)
        left = below(stream, number)
        if number == 0:
            memory.stop = STUCK
            return s
        mover = game.player(s)
        if listed >= 0:
            chosen = get(buffer, left)
            unknown = 0.5 * (float(game.min_utility) + float(game.max_utility))
            best = self.worth(memory, mover, chosen, unknown)
            for _ in range(memory.mast_candidates - 1):
                other = get(buffer, below(stream, number))
                value = self.worth(memory, mover, other, unknown)
                if value > best:
                    best, chosen = value, other
        else:  # more than are listed: any of them
            for action in game.actions(s):
                chosen = action
                if left == 0:
                    break
                left -= 1
        self.note(memory, mover, chosen)
        selection.note(memory, mover, chosen)
        return game.result(s, chosen)


__all__ = ["MastRollout"]
