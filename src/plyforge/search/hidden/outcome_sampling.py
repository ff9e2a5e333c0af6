"""Outcome sampling, and online outcome sampling: one line of play at a time, from the start of the game.

In each walk one player learns, and explores. With q(z), how likely the line z was drawn, and pi, how likely chance and
all strategies make it, what was found counts 1 / q(z) times, so that on average regrets are those of CFR:

    W = u(z) * pi_others(z) / q(z)
    regret(I, a)  +=  W * pi_own(ha -> z) - W * pi_own(h -> z)      of the action a that was drawn
    regret(I, b)  -=  W * pi_own(h -> z)                            of all others
    average(J, b) +=  pi(h) / q(h) * share(J, b)                    where the next player moves, at h

Online outcome sampling wants to know what to do in one situation, so a part of the walks, `aim`, is drawn towards it:
of what chance and players can do, only what leads to the observations that the asker has made, in proportion. Then

    q = aim * q_aimed + (1 - aim) * q_plain

is known for each line, so everything above holds as it is. Whose past is not known (`chain` is empty) aims at nothing.

Claim: for two players and a constant sum, averages come closer to an equilibrium with many walks, in expectation,
whatever is aimed at, as long as `aim` is below 1. In the asker's information set they do so sooner.

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive games", NIPS 2009;
Lisy, Lanctot and Bowling, "Online Monte Carlo counterfactual regret minimization for search in imperfect information
games", AAMAS 2015.

Invariant: `way` is how many of the asker's observations the line agrees with so far, less one; FREE where nothing is
aimed at any more (it got there, or nothing leads there), LOST where the line has left it.
"""

from __future__ import annotations

import numpy as np

from plyforge.contract import CHANCE
from plyforge.contract.payoffs import payoffs
from plyforge.kernel import hash_state, inline, kernel
from plyforge.kernel.function import when_compiling, where
from plyforge.kernel.random import uniform
from plyforge.kernel.storage.block import block_reader
from plyforge.search.hidden.regret_table import (
    OTHER_ACTIONS,
    REGRETS,
    TOO_DEEP,
    begin_trail,
    go_on,
    hope,
    open_sets,
    open_slots,
    open_trail,
    set_of,
    share,
)

EXPLORATION = 0.6
"""How often who learns takes any action, unless something else is said: as in the first paper."""
FREE, LOST = -1, -2
MOST_GOALS = 16
"""Information sets in which the asker sees the same: those that differ in own actions alone, which left no trace."""

SEEN = np.dtype([("key", "u8")])
TOLD = np.dtype(
    [("visits", "i8"), ("weight", "f8"), ("value", "f8"), ("squares", "f8"), ("crosses", "f8"), ("values", "f8")]
)
"""What an action has brought the asker: sums of weights w and values u: of w, w u, w^2, w^2 u, w^2 u^2."""
read_chain = block_reader(SEEN)
read_told = block_reader(TOLD)

WALKS = REGRETS.extended(
    "walks",
    [
        ("exploration", "f8"),
        ("aim", "f8"),
        ("aims", "i8"),  # not 0: this walk is drawn towards what is asked about
        ("utility", "f8"),  # of the end of the walk, to who learns
        ("weight", "f8"),  # how likely chance and the others make it, over how likely it was drawn
        ("asker", "i8"),  # -1: nobody
        ("hides", "i8"),  # not 0: the game begins with something hidden, and each walk in a world that may be
        ("asked", "u8"),  # what the asker sees
        ("chain_length", "i8"),
        ("chain_at", "i8"),
        ("told_room", "i8"),
        ("told_at", "i8"),
        ("goals", "i8"),  # how many information sets were found that are asked about
        ("goal", "i8", (MOST_GOALS,)),
    ],
)


def open_chain(memory):
    return memory.chain_at


def open_told(memory):
    return memory.told_at


@when_compiling
def _natively() -> None:
    from numba.extending import overload

    @overload(open_chain, inline="always")
    def _open_chain(memory):
        return lambda memory: read_chain(memory.chain_at, memory.chain_length)

    @overload(open_told, inline="always")
    def _open_told(memory):
        return lambda memory: read_told(memory.told_at, memory.told_room)


# ------------------------------------------------------------------ aiming
@inline
def follow(memory, mover, way, then):
    """How far the line is on the way to what is asked about, after an action of `mover` that lets the asker see
    `then`."""
    if way < 0:
        return way
    chain = open_chain(memory)
    if mover != memory.asker and then == chain[way].key:
        return way
    if way + 1 == memory.chain_length:
        return FREE
    return way + 1 if chain[way + 1].key == then else LOST


@inline
def leads_there(game, s, action, mover, way, memory):
    """True if an action may be one of those that were taken on the way."""
    then = hash_state(game.observe(game.result(s, action), memory.asker))
    return follow(memory, mover, way, then) != LOST


@inline
def is_aimed(memory, way):
    """True if there is something to aim at below a node."""
    return way >= 0 and way + 1 < memory.chain_length


@inline
def aimed_share(memory, way, onward, likely, fitting, fits):
    """How likely a walk that aims draws what an ordinary one draws with `likely`."""
    if not is_aimed(memory, way) or fits == 0:
        return likely
    if onward == LOST:
        return 0.0
    return likely / fitting if fitting > 0.0 else 1.0 / fits


@inline
def onward_of(game, memory, mover, way, ply, fits):
    """`way` after an action; FREE where nothing leads there any more."""
    if is_aimed(memory, way) and fits == 0:
        return FREE
    return follow(memory, mover, way, open_trail(memory)[(ply + 1) * game.players + max(memory.asker, 0)].seen)


# ------------------------------------------------------------------ learning
@inline
def explored(slots, slot, a, width, total, explore):
    """How likely an action is drawn."""
    return explore / width + (1.0 - explore) * share(total, width, slots[slot + a].regret)


@inline
def goal_of(game, memory, number, mover, way, ply):
    """True if this is what is asked about; the information set is noted."""
    if mover != memory.asker or open_trail(memory)[ply * game.players + mover].seen != memory.asked:
        return False
    if memory.chain_length > 0 and way + 1 != memory.chain_length:
        return False
    for place in range(memory.goals):
        if memory.goal[place] == number:
            return True
    if memory.goals < MOST_GOALS:
        memory.goal[memory.goals] = number
        memory.goals += 1
    return True


@inline
def note(memory, a, tail):
    """What the action that was drawn where it is asked about has brought."""
    if a < memory.told_room:
        known, weight = open_told(memory)[a], memory.weight * tail
        known.visits += 1
        known.weight += weight
        known.value += weight * memory.utility
        known.squares += weight * weight
        known.crosses += weight * weight * memory.utility
        known.values += weight * weight * memory.utility * memory.utility


@inline
def draw_event(game, s, memory, stream, way):
    """What chance does, drawn as this walk is; how likely it is, and how much of what could be leads to what is asked
    about: in all, and how many outcomes."""
    fitting, fits = 0.0, 0
    if is_aimed(memory, way):
        for event, probability in game.chance(s):
            if leads_there(game, s, event, CHANCE, way, memory):
                fitting += probability
                fits += 1
    narrow = memory.aims != 0 and fits > 0
    left, likely = uniform(stream) * (fitting if narrow else 1.0), 0.0
    for event, probability in game.chance(s):
        if not narrow or leads_there(game, s, event, CHANCE, way, memory):
            happens, likely = event, probability
            left -= probability
            if left < 0.0:
                break
    return happens, likely, fitting, fits


@inline
def draw_action(game, s, memory, stream, way, mover, slot, width, total, explore):
    """The same of what a player does, and its place."""
    slots = open_slots(memory)
    fitting, fits, a = 0.0, 0, 0
    if is_aimed(memory, way):
        for action in game.actions(s):
            if leads_there(game, s, action, mover, way, memory):
                fitting += explored(slots, slot, a, width, total, explore)
                fits += 1
            a += 1
    narrow = memory.aims != 0 and fits > 0
    left, picked, likely, a = uniform(stream), -1, 0.0, 0
    if narrow:
        left *= fitting if fitting > 0.0 else float(fits)
    for action in game.actions(s):
        if not narrow or leads_there(game, s, action, mover, way, memory):
            each = explored(slots, slot, a, width, total, explore)
            if each > 0.0 or (narrow and fitting <= 0.0):
                chosen, picked, likely = action, a, each
                left -= each if fitting > 0.0 or not narrow else 1.0
                if left < 0.0:
                    break
        a += 1  # noqa: SIM113
    return chosen, picked, likely, fitting, fits


@kernel
def outcome(game, s, memory, stream, ply, learner, way, rest, plain, aimed) -> float:
    """How likely the learner's own strategy goes from `s` to the end that was drawn; that end's utility and weight are
    in the memory.

    `rest` is how likely chance and the others make `s`; `plain` and `aimed`, how likely the two kinds of walks do.
    """
    if memory.fault != 0:
        return 0.0
    drawn = memory.aim * aimed + (1.0 - memory.aim) * plain
    if game.terminal(s):
        memory.utility, memory.weight = payoffs(game, game.utility(s))[learner], rest / drawn
        return 1.0
    if (ply + 2) * game.players > memory.trail_room:
        memory.fault = TOO_DEEP
        return 0.0
    mover = game.player(s)
    if mover == CHANCE:
        event, likely, fitting, fits = draw_event(game, s, memory, stream, way)
        after = game.result(s, event)
        go_on(game, s, event, mover, after, ply, memory)
        onward = onward_of(game, memory, mover, way, ply, fits)
        aimed *= aimed_share(memory, way, onward, likely, fitting, fits)
        return outcome(game, after, memory, stream, ply + 1, learner, onward, rest * likely, plain * likely, aimed)

    number = set_of(game, s, mover, ply, memory)
    if memory.fault != 0:
        return 0.0
    slots = open_slots(memory)
    slot, width, total = np.int64(0), game.count(s), 0.0  # where there was no room: any action, as likely as others
    if number >= 0:
        slot = open_sets(memory)[number].offset
        if width != open_sets(memory)[number].width:
            memory.fault = OTHER_ACTIONS
            return 0.0
        total = hope(slots, slot, width)
    explore = memory.exploration if mover == learner else 0.0
    action, picked, likely, fitting, fits = draw_action(
        game, s, memory, stream, way, mover, slot, width, total, explore
    )
    own = explored(slots, slot, picked, width, total, 0.0)
    if mover != learner and mover == (learner + 1) % game.players and number >= 0:
        for b in range(width):
            slots[slot + b].average += rest / drawn * share(total, width, slots[slot + b].regret)
    after = game.result(s, action)
    go_on(game, s, action, mover, after, ply, memory)
    onward = onward_of(game, memory, mover, way, ply, fits)
    aimed *= aimed_share(memory, way, onward, likely, fitting, fits)
    rest *= own if mover != learner else 1.0
    tail = outcome(game, after, memory, stream, ply + 1, learner, onward, rest, plain * likely, aimed)
    if mover != learner:
        return tail
    if memory.fault == 0 and number >= 0:
        found = memory.weight * memory.utility
        for b in range(width):
            if game.players == 1:  # alone, any weights will do
                slots[slot + b].average += share(total, width, slots[slot + b].regret)
            slots[slot + b].regret += (tail if b == picked else 0.0) * found - own * tail * found
        if goal_of(game, memory, number, mover, way, ply):
            note(memory, picked, tail)
    return own * tail


@inline
def root_itself(game, root, memory, stream):
    return root


@where("determinize", otherwise=root_itself)
def root_world(game, root, memory, stream):
    """Where a walk begins."""
    if memory.hides != 0:
        return game.determinize(root, memory.asker, stream)
    return root


@kernel
def sample_outcomes(game, root, memory, stream):
    """Iterations, in each of which everybody learns once, until there are as many as wanted, or there is no room."""
    while memory.stop == 0 and memory.iterations < memory.wanted:
        for learner in range(game.players):
            s = root_world(game, root, memory, stream)
            begin_trail(game, s, memory)
            memory.aims = 1 if memory.chain_length > 0 and uniform(stream) < memory.aim else 0
            way = 0 if memory.chain_length > 0 else FREE
            outcome(game, s, memory, stream, 0, learner, way, 1.0, 1.0, 1.0)
        if memory.fault != 0:
            return memory.fault
        memory.iterations += 1
    return 0


__all__ = ["EXPLORATION", "FREE", "MOST_GOALS", "SEEN", "TOLD", "WALKS", "read_chain", "read_told", "sample_outcomes"]
