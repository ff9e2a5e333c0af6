"""Perfect recall, derived: what a player knows is the chain of the own observations and the own actions.

Rules say what a player sees now (`observe`); nobody has to write down what players remember. Walks carry one 64-bit
number for each player, the hash of the chain so far:

    the player acts                       stir in the observation and the action
    the observation changes otherwise     stir in the old observation
    nothing changes for the player        nothing: a move that can't be seen can't be counted

Two histories are in one information set of a player exactly if their chains and the present observations are equal.
So a state need not hold the order of bets, or cards that were shown and put away.

Invariant: states are told apart by `hash_state`, 64 bits, at both speeds alike; two of some million information sets
are mistaken for one with a probability of about one in ten million.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.contract.players import SIMULTANEOUS
from plyforge.kernel import hash_state, inline, mix
from plyforge.kernel.function import where

NOTHING = np.uint64(0)
"""What a player remembers at the start."""


@inline
def own_part(game, s, action, player):
    """What `player` has chosen, as a hash."""
    return hash_state(action)


@where("legal_actions", otherwise=own_part)
def own_choice(game, s, action, player):
    """The same, where an action may be everybody's choice."""
    if game.player(s) == SIMULTANEOUS:
        return hash_state(action[player])
    return hash_state(action)


@inline
def remember(game: Any, memory: Any, s: Any, action: Any, after: Any, player: int) -> Any:
    """What `player` remembers in `after`, who remembered `memory` in `s`, before `action`."""
    now = hash_state(game.observe(s, player))
    then = hash_state(game.observe(after, player))
    return remember_seen(game, memory, s, action, game.player(s), now, then, player)


@inline
def remember_seen(game: Any, memory: Any, s: Any, action: Any, mover: Any, now: Any, then: Any, player: int) -> Any:
    """The same, for walks that know who moves, and the hashes of what `player` sees before and after the action."""
    if mover in (player, SIMULTANEOUS):
        return mix(mix(memory, now), own_choice(game, s, action, player))
    if then != now:
        return mix(memory, now)
    return memory


@inline
def information_set(game: Any, memory: Any, s: Any, player: int) -> Any:
    """The information set of `player` in `s`, as a 64-bit number: what is remembered, and what is seen now."""
    return mix(memory, hash_state(game.observe(s, player)))


__all__ = ["NOTHING", "information_set", "remember", "remember_seen"]
