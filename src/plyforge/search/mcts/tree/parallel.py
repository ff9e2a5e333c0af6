"""One tree, one thread or many: `Alone`, which compiles to what a single thread needs, and `Shared`.

With `Shared` several threads simulate in one tree, and none ever waits for another (but at the very start, for the
root's children). Each thread has its own memory (path, outcome, random numbers). What they share is in the blocks, and
what may go wrong there is settled so:

    a node's children   made by the one thread that changed `first` from 0 to TAKEN. It fills them in and then stores
                        `children`; everyone
                        loads `children` first. Nobody ever sees a child that is not complete. Who comes too early plays
                        on from the parent.
    room in the pool    taken by a swap of the common counter, and only if it is there: `nodes` is exact, the memory cap
                        is kept.
    visits, the mark    `visits` and `spread`, where the mark of a proof is, are one word of 64 bits, changed by a swap.
                        So no visit is
                        lost, and a mark, once set, stays: a swap that would undo it fails.
    a proven value      is in a place of its own, `exacts`, written before the mark is set, and always with the same
                        number: a proof
                        follows from the children's exact values alone. So no late average can spoil it.
    an average          `value` and `deviation` of a node that is not proven are changed without care: if two threads
                        meet at a node within
                        the same few nanoseconds, one of two outcomes is left out of the average (or weighs a little
                        more than its share).
                        That is the one thing that threads may get wrong, and by less than a simulation more or less
                        does.
    simulations         are claimed from a common counter, a few at a time, so the limit is met exactly.

What costs time is that a processor has to fetch what another one has just written. So a thread does not tell a node of
every outcome: it collects them until it has a 32nd of the node's visits, or 32, and then tells them all at once (and
the rest when it ends). Nodes with few visits, where each counts, are told at once; the root and its children, which all
threads read all the time, seldom change.

Threads that see the same numbers would also choose the same actions, so exploration differs from thread to thread: one
explores a little more, one a little less than the search says. Both together cut what one processor fetches from
another from ten lines of its cache a simulation to two. So that two threads do not do the same work, a new leaf where a
rollout is under way counts as lost for everyone else until that is over (a virtual loss). Which thread comes first is
chance: with several threads the same seed does not make the same tree.

Chaslot, Winands and van den Herik, "Parallel Monte-Carlo tree search", Computers and Games 2008; Enzenberger and
Mueller, "A lock-free multithreaded Monte-Carlo tree search algorithm", Advances in Computer Games 2009.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.kernel import OUT_OF_NODES, Constant, kernel
from plyforge.kernel.storage.atomics import atomic_add, atomic_load, atomic_store, atomic_swap, fence, load_fence, pause
from plyforge.search.mcts.tree.arena import (
    COMMON,
    NODE,
    PENDING,
    PROVEN,
    ROOT,
    UNEXPANDED,
    open_common,
    open_exacts,
    open_parts,
    open_pending,
    open_priors,
)

TAKEN = -1
"""`first` of a node whose children are being made."""
BATCH = 64
"""At most so many simulations are claimed at once."""
FREQUENTED = 32
"""From so many visits on a node is told when a thread has this part of them for it,"""
MOST_PENDING = 32
"""or so many."""

swap_first = atomic_swap(NODE, "first")
swap_count = atomic_swap(NODE, "spread", "visits")
publish_first = atomic_store(NODE, "first")
publish_children = atomic_store(NODE, "children")
load_children = atomic_load(NODE, "children")
add_simulations = atomic_add(COMMON, "simulations")
add_active = atomic_add(COMMON, "active")
load_active = atomic_load(COMMON, "active")
swap_nodes = atomic_swap(COMMON, "nodes")


@kernel
def tell(selection: Any, memory: Any, pool: Any, slot: int) -> None:
    """Bring what this thread has yet to tell a node to it."""
    waiting = open_pending(memory)[slot]
    index, number = waiting.node, waiting.visits
    waiting.visits = 0
    node, prior = pool[index], open_priors(memory)[index].prior
    while True:
        spread, before = node.spread, node.visits
        wanted = spread if spread < 0.0 else selection.spread(memory, before + number, prior)
        if swap_count(pool, index, (spread, before), (wanted, before + number)):
            break
    if spread >= 0.0:
        # The mean, and the sum of squares about it, of both parts together (Chan, Golub and LeVeque 1979).
        share = number / (before + number)
        difference = waiting.value - node.value
        node.value += difference * share
        node.deviation += waiting.deviation + difference * difference * before * share


@dataclass(frozen=True)
class Alone(Constant):
    """One thread: everything is done at once, and in order."""

    # ------------------------------------------------------------ simulations
    def claim(self, memory: Any) -> int:
        """The number of the next simulation to make; -1: there is none left."""
        return memory.simulations if memory.simulations < memory.simulation_limit else -1

    def abandon(self, memory: Any, pool: Any, leaf: int) -> None:
        """A simulation was stopped in a rollout from `leaf`."""

    def leave(self, selection: Any, memory: Any, pool: Any) -> None:
        """This thread makes no more simulations."""

    # ------------------------------------------------------------ children
    def children(self, pool: Any, index: int) -> int:
        """How many children a node has; all of them are complete."""
        return pool[index].children

    def take(self, memory: Any, pool: Any, index: int) -> bool:
        """True if this thread may make the node's children, and nobody else."""
        return True

    def give_back(self, pool: Any, index: int) -> None:
        """They can't be made."""

    def reserve(self, memory: Any, number: int) -> int:
        """Room for so many nodes: the index of the first; -1: there is none."""
        first = memory.nodes
        if first + number > memory.node_limit:
            memory.stop = OUT_OF_NODES
            return -1
        if first + number > memory.capacity:
            memory.refused += 1
            return -1
        memory.nodes = first + number
        return first

    def publish(self, pool: Any, index: int, first: int, number: int) -> None:
        """The node's children are complete."""
        pool[index].first = first
        pool[index].children = number

    def first_play_urgency(self, option: Any, value: float) -> float:
        """The value of a child without visits, which would be `value`."""
        return value

    # ------------------------------------------------------------ numbers
    def mark_proven(self, game: Any, memory: Any, pool: Any, index: int) -> None:
        """The outcome in the memory is proven to be the node's value."""
        node = pool[index]
        node.spread = PROVEN
        node.value = memory.outcome[node.owner]
        if memory.tupled != 0:
            parts = open_parts(memory)
            for player in range(game.players):
                parts[index * game.players + player].value = memory.outcome[player]

    def exact(self, game: Any, memory: Any, pool: Any, index: int) -> float:
        """The proven value of a node, for its owner."""
        return pool[index].value

    def exact_part(self, game: Any, memory: Any, index: int, player: int) -> float:
        """The proven value of a node for a player, where utilities are tuples."""
        return open_parts(memory)[index * game.players + player].value

    def learn(self, game: Any, selection: Any, memory: Any, pool: Any, index: int) -> int:
        """The outcome in the memory is one more for the node. How many it has now."""
        node = pool[index]
        visits = node.visits + 1
        node.visits = visits
        if node.spread >= 0.0:
            node.spread = selection.spread(memory, visits, open_priors(memory)[index].prior)
            value = memory.outcome[node.owner]
            difference = value - node.value
            node.value += difference / visits
            node.deviation += difference * (value - node.value)
        return visits

    def proven_meanwhile(self, pool: Any, index: int) -> bool:
        """True if another thread may have proven the node during this simulation, and has."""
        return False


@dataclass(frozen=True)
class Shared(Alone):
    """Several threads; see the module's text."""

    def claim(self, memory: Any) -> int:
        if memory.claimed == memory.claimed_end:
            self.end_batch(memory)
            common = open_common(memory)
            memory.nodes = common[0].nodes
            left = memory.simulation_limit - common[0].simulations
            batch = min(BATCH, max(1, left // (4 * memory.threads)))
            add_active(common, 0, 1)
            first = add_simulations(common, 0, batch)
            if first >= memory.simulation_limit:
                add_active(common, 0, -1)
                # The thread whose memory Python reads ends last, so that all simulations are made that were claimed.
                while memory.thread == 0 and load_active(common, 0) > 0 and memory.stop == 0:
                    pause()
                return -1
            memory.claimed = first
            memory.claimed_end = min(first + batch, memory.simulation_limit)
        memory.claimed += 1
        return memory.claimed - 1

    def abandon(self, memory: Any, pool: Any, leaf: int) -> None:
        memory.unfinished = 1 + leaf

    def leave(self, selection: Any, memory: Any, pool: Any) -> None:
        pending = open_pending(memory)
        for slot in range(PENDING):
            if pending[slot].visits > 0:
                tell(selection, memory, pool, slot)
        self.end_batch(memory)

    def end_batch(self, memory: Any) -> None:
        """All simulations that were claimed are made, or given up."""
        if memory.claimed_end > 0:
            memory.claimed = 0
            memory.claimed_end = 0
            add_active(open_common(memory), 0, -1)

    def children(self, pool: Any, index: int) -> int:
        return load_children(pool, index)

    def take(self, memory: Any, pool: Any, index: int) -> bool:
        while not swap_first(pool, index, (0,), (TAKEN,)):
            # Everyone needs the root's children.
            if index != ROOT or load_children(pool, index) > 0 or memory.stop != 0:
                return False
            pause()
        return True

    def give_back(self, pool: Any, index: int) -> None:
        publish_first(pool, index, 0)

    def reserve(self, memory: Any, number: int) -> int:
        common = open_common(memory)
        while True:
            first = common[0].nodes
            if first + number > memory.node_limit:
                memory.stop = OUT_OF_NODES
                return -1
            if first + number > memory.capacity:
                memory.refused += 1
                return -1
            if swap_nodes(common, 0, (first,), (first + number,)):
                return first

    def publish(self, pool: Any, index: int, first: int, number: int) -> None:
        publish_first(pool, index, first)
        publish_children(pool, index, number)

    def first_play_urgency(self, option: Any, value: float) -> float:
        return value if option.mover == UNEXPANDED else -np.inf

    def mark_proven(self, game: Any, memory: Any, pool: Any, index: int) -> None:
        node = pool[index]
        if node.spread < 0.0:
            return
        exacts = open_exacts(memory)
        if memory.tupled != 0:
            for player in range(game.players):
                exacts[index * game.players + player].value = memory.outcome[player]
        else:
            exacts[index].value = memory.outcome[node.owner]
        fence()
        while True:
            spread, visits = node.spread, node.visits
            if spread < 0.0 or swap_count(pool, index, (spread, visits), (PROVEN, visits)):
                break
        # Of two threads that prove a node's last two children, at least one sees both marks.
        fence()

    def exact(self, game: Any, memory: Any, pool: Any, index: int) -> float:
        load_fence()  # the caller has seen the mark
        if memory.tupled != 0:
            return open_exacts(memory)[index * game.players + pool[index].owner].value
        return open_exacts(memory)[index].value

    def exact_part(self, game: Any, memory: Any, index: int, player: int) -> float:
        load_fence()
        return open_exacts(memory)[index * game.players + player].value

    def learn(self, game: Any, selection: Any, memory: Any, pool: Any, index: int) -> int:
        node = pool[index]
        value = memory.outcome[node.owner]
        if node.visits < FREQUENTED or memory.tupled != 0:
            prior = open_priors(memory)[index].prior
            while True:
                spread, before = node.spread, node.visits
                wanted = spread if spread < 0.0 else selection.spread(memory, before + 1, prior)
                if swap_count(pool, index, (spread, before), (wanted, before + 1)):
                    break
            if spread >= 0.0:
                difference = value - node.value
                node.value += difference / (before + 1)
                node.deviation += difference * (value - node.value)
            return before + 1
        slot = index & (PENDING - 1)
        waiting = open_pending(memory)[slot]
        if waiting.node != index or waiting.visits == 0:
            if waiting.visits > 0:
                tell(selection, memory, pool, slot)
            waiting.node = index
            waiting.value = 0.0
            waiting.deviation = 0.0
        waiting.visits += 1
        difference = value - waiting.value
        waiting.value += difference / waiting.visits
        waiting.deviation += difference * (value - waiting.value)
        if waiting.visits >= min(MOST_PENDING, node.visits // FREQUENTED):
            tell(selection, memory, pool, slot)
        return node.visits

    def proven_meanwhile(self, pool: Any, index: int) -> bool:
        load_fence()
        return pool[index].spread < 0.0
