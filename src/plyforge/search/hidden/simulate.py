"""Information-set Monte Carlo tree search: every simulation in another world that fits what the player sees.

A world is drawn for each simulation (`determinize`), and play goes down the table of information sets: at each, of the
actions that this world allows, the one with the largest

    mean + c * sqrt(log(offered) / visits)

where `offered` counts how often it could have been chosen: an action that few worlds allow is not thought neglected.
At an information set that nobody has met, play goes on at random. Nothing is learned about single worlds, so nobody is
taught to choose by what they can't see: no strategy fusion for whose information sets are told apart.

Whose they are is the `viewer`: in the single-observer search those of the player who asks, also where others move; in
the multiple-observer search those of whoever moves. What players remember is derived on the way, from the start of the
search on: what lies before it is the same in all worlds.

Invariant: between two simulations the table is whole; a simulation that is stopped leaves counts of offers behind, and
nothing else.

Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", IEEE Transactions on Computational
Intelligence and AI in Games 4 (2012).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from plyforge.contract import CHANCE, payoffs
from plyforge.kernel import Constant, below, hash_state, inline, kernel, mix
from plyforge.kernel.function import where
from plyforge.kernel.random import uniform
from plyforge.search.hidden.table import EMPTY, open_actions, open_slots
from plyforge.search.mcts.tree.arena import OUT_OF_SIMULATIONS, STUCK
from plyforge.search.simultaneous.simulate import draw_outcome, roll_out_at_once

MOST_REDRAWN = 1000
"""So many implausible worlds in a row, and the next one is taken whatever it is."""


# ------------------------------------------------------------------ whose information sets
@dataclass(frozen=True)
class SingleObserver(Constant):
    """The information sets of the player who asks, whoever moves."""

    def follows(self, asker: int, player: int) -> bool:
        """True if what `player` remembers is wanted."""
        return player == asker

    def viewer(self, asker: int, mover: int) -> int:
        """Whose information set a decision belongs to."""
        return asker


@dataclass(frozen=True)
class MultipleObserver(Constant):
    """Everybody's own."""

    def follows(self, asker: int, player: int) -> bool:
        return True

    def viewer(self, asker: int, mover: int) -> int:
        return mover


# ------------------------------------------------------------------ worlds
@inline
def any_world(game, observation, player, stream):
    return game.determinize(observation, player, stream)


@where("heuristics.plausible", otherwise=any_world)
def draw_world(game, observation, player, stream):
    """A world that looks so, as likely as chance and what others' actions show make it: implausible ones are drawn
    again."""
    state = game.determinize(observation, player, stream)
    redrawn = 0
    while redrawn < MOST_REDRAWN and uniform(stream) >= game.heuristics.plausible(game, state, player):
        state = game.determinize(observation, player, stream)
        redrawn += 1
    return state


# ------------------------------------------------------------------ the table
@inline
def find_slot(memory, slots, key):
    """The slot of an information set, or the free one where it belongs."""
    mask = memory.slots - 1
    at = np.int64(key & np.uint64(mask))
    while slots[at].key != EMPTY and slots[at].key != key:
        at = (at + 1) & mask
    return at


@inline
def find_action(memory, slots, actions, slot, hint, key):
    """The place of an action of an information set, which is met now if it has not been; -1 without room. `hint`:
    where it is if actions come in the order in which they were met; -1 if that is not known."""
    if hint >= 0 and actions[hint].key == key:
        return hint
    place, last = slots[slot].first - 1, -1
    while place >= 0 and actions[place].key != key:
        last = place
        place = actions[place].next - 1
    if place >= 0:
        return place
    if memory.actions >= memory.action_capacity:
        return -1
    place = memory.actions
    memory.actions += 1
    actions[place].key = key
    if last < 0:
        slots[slot].first = place + 1
    else:
        actions[last].next = place + 1
    return place


@inline
def bonus(memory, offered, visits):
    """How much an action is favoured for having been tried less often."""
    return memory.exploration * math.sqrt(math.log(offered) / visits)


@kernel
def choose_action(game, memory, stream, slot, state, ply):
    """The action to follow in a state of this information set; its place is noted in the path, -1 if there is no room
    for it."""
    slots, actions = open_slots(memory), open_actions(memory)
    hint = slots[slot].first - 1
    best, picked, untried = -math.inf, -1, 0
    for action in game.actions(state):
        place = find_action(memory, slots, actions, slot, hint, hash_state(action))
        if place < 0:
            chosen, picked = action, -1
            break
        known = actions[place]
        hint = known.next - 1
        known.offered += 1
        if known.visits == 0:
            untried += 1
            if untried == 1 or below(stream, untried) == 0:
                chosen, picked = action, place
        elif untried == 0:
            score = known.value + bonus(memory, known.offered, known.visits)
            if score > best:
                best, chosen, picked = score, action, place
    memory.path[ply] = picked
    return chosen


# ------------------------------------------------------------------ the algorithm
@inline
def begin_recall(game, viewer, memory, state, asker):
    """Nothing is remembered of this search yet."""
    for player in range(game.players):
        if viewer.follows(asker, player):
            memory.recall[player] = EMPTY
            memory.seen[player] = hash_state(game.observe(state, player))


@inline
def go_on_recalling(game, viewer, memory, after, asker, mover, choice):
    """What everybody remembers in `after`; as `contract.information.remember`, with what was seen before at hand."""
    for player in range(game.players):
        if viewer.follows(asker, player):
            seen = memory.seen[player]
            now = hash_state(game.observe(after, player))
            if player == mover:
                memory.recall[player] = mix(mix(memory.recall[player], seen), choice)
            elif now != seen:
                memory.recall[player] = mix(memory.recall[player], seen)
            memory.seen[player] = now


@kernel
def learn_path(game, memory, length):
    """Everybody who chose learns what it came to."""
    actions = open_actions(memory)
    for ply in range(length):
        known = actions[memory.path[ply]]
        outcome = memory.outcome[memory.movers[ply]]
        known.visits += 1
        away = outcome - known.value
        known.value += away / known.visits
        known.deviation += away * (outcome - known.value)


@kernel
def simulate_worlds(game, viewer, evaluation, memory, stream, observation, asker):
    slots = open_slots(memory)
    while memory.stop == 0:
        if memory.simulations >= memory.simulation_limit:
            memory.stop = OUT_OF_SIMULATIONS
            break
        state = draw_world(game, observation, asker, stream)
        begin_recall(game, viewer, memory, state, asker)
        for player in range(game.players):
            memory.outcome[player] = 0.0

        # Step 1. Down the table, to an information set that nobody has met.
        ply, over = 0, False
        while True:
            if game.terminal(state):
                over = True
                break
            mover = game.player(state)
            if mover == CHANCE:
                outcome, _ = draw_outcome(game, stream, state)
                state = game.result(state, outcome)
                go_on_recalling(game, viewer, memory, state, asker, mover, EMPTY)
                continue
            if ply >= memory.depth:
                break
            whose = viewer.viewer(asker, mover)
            key = mix(mix(memory.recall[whose], memory.seen[whose]), mover + 1)
            slot = find_slot(memory, slots, key)
            if slots[slot].key == EMPTY:
                if memory.nodes >= memory.node_limit or 2 * memory.nodes >= memory.slots:
                    memory.refused += 1
                    break
                slots[slot].key = key
                memory.nodes += 1
                if ply > 0:
                    break
                memory.root = slot + 1
            if game.count(state) == 0:
                memory.stop = STUCK
                break
            action = choose_action(game, memory, stream, slot, state, ply)
            if memory.path[ply] < 0:
                memory.refused += 1
                break
            state = game.result(state, action)
            go_on_recalling(game, viewer, memory, state, asker, mover, hash_state(action))
            memory.movers[ply] = mover
            ply += 1
        if memory.stop != 0:
            break

        # Step 2. What is it worth? The rules say, or play at random does.
        if over:
            utility = payoffs(game, game.utility(state))
            for player in range(game.players):
                memory.outcome[player] = utility[player]
        else:
            roll_out_at_once(game, evaluation, memory, stream, state)
            if memory.stop != 0:
                break

        # Step 3. Everybody on the way learns of it.
        memory.deepest = max(memory.deepest, ply)
        learn_path(game, memory, ply)
        memory.simulations += 1
    return memory.simulations


__all__ = ["MultipleObserver", "SingleObserver", "draw_world", "simulate_worlds"]
