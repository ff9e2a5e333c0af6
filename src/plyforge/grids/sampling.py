"""A little random play, to see what a game's states and actions look like.

Bounded by counts, never by the clock, and drawn from one seed: the same rules give the same steps on every machine.
States are copied before an action is taken, so rules that change a state in place spoil nothing here.
"""

from __future__ import annotations

import copy
import itertools
import random
from dataclasses import dataclass
from typing import Any

PLAYOUTS = 4  # games begun
PLIES = 18  # plies of each
LISTED = 5  # at one step in so many the other actions are kept, too
MOST_LEGAL = 80  # of them, for each
MOST_ACTIONS = 10_000  # of one state that are looked at
SEED = 20
CHANCE = -1  # `game.CHANCE`, which is above this layer


@dataclass(frozen=True)
class Step:
    """One action of a player, with the states before and after."""

    before: Any
    action: Any
    text: str
    """The action as the game writes it; empty where it can't."""
    player: int
    after: Any
    legal: tuple[tuple[Any, str], ...]
    """What else could have been done, as actions and texts; empty in most steps."""


@dataclass(frozen=True)
class Sample:
    """What a little random play has shown."""

    states: list[Any]
    """The start first."""
    steps: list[Step]
    """The turns of players; chance and joint actions are left out."""


def sample(game: Any) -> Sample:
    """Play a few games at random. Whatever the rules raise is the caller's business."""
    chooser = random.Random(SEED)
    states: list[Any] = [game.start()]
    steps: list[Step] = []
    for _ in range(PLAYOUTS):
        state = game.start()
        for _ in range(PLIES):
            if game.terminal(state):
                break
            player = int(game.player(state))
            legal = _legal(game, copy.deepcopy(state), player)
            if not legal:
                break
            action = chooser.choice(legal)
            after = game.result(copy.deepcopy(state), action)
            if player >= 0:
                kept: tuple[tuple[Any, str], ...] = ()
                if len(steps) % LISTED == 0:
                    kept = tuple((each, text_of(game, state, each)) for each in legal[:MOST_LEGAL])
                steps.append(Step(state, action, text_of(game, state, action), player, after, kept))
            states.append(after)
            state = after
    return Sample(states, steps)


def _legal(game: Any, state: Any, player: int) -> list[Any]:
    """What may happen in a state; the first of it where rules never stop listing."""
    if player == CHANCE:
        return [outcome for outcome, _ in itertools.islice(game.chance(state), MOST_ACTIONS)]
    return list(itertools.islice(game.actions(state), MOST_ACTIONS))


def text_of(game: Any, state: Any, action: Any) -> str:
    """The action as the game writes it; empty where it can't."""
    try:
        return str(game.notation.format_action(game, state, action))
    except Exception:
        return ""
