"""LRTA*: learning real-time A*. Walk, look one step ahead, and remember what you have learned about where you were.

In state s the agent looks at every successor s' and at its total, what the action costs and what is to go from s'. The
least of them is what is to go from s: if that is more than was thought before, it is written down. Then it goes where
the least total is. So it never stands before the same hill twice without knowing that it is higher than it looked, and
it gets to an end wherever one can be reached from everywhere.

    to_go(s)  <-  max(to_go(s), min over a of cost(s, a) + to_go(result(s, a)))

What it has written down it keeps for the next trial from the same start, and the next trial is better, by and by.

Claim: with an admissible heuristic what is written down is never more than the truth. So a trial in which nothing new
was learned went along a best path: in each of its states the total of the step taken was what was to go, and these
steps add up to what was to go at the start. The search ends with that trial.

Korf, "Real-time heuristic search", Artificial Intelligence 42 (1990).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyforge.contract import Game
from plyforge.contract.naming import name_of
from plyforge.errors import PlyforgeError
from plyforge.kernel import OUT_OF_NODES, Kernel, RecordType, kernel
from plyforge.kernel.storage.block import address_of, block_reader, longer_block, new_block, new_rows
from plyforge.kernel.storage.numbering import NUMBERING_FIELDS, SLOT, Numbering, bytes_of, number_of, numbered_state
from plyforge.search.core.base import STOP_REASONS, require_finite
from plyforge.search.core.parameters import parameter
from plyforge.search.core.searcher import Asked
from plyforge.search.paths.base import PathSearch, found_reason, still_to_go
from plyforge.search.paths.open_list import FIRST_ROOM, MORE_ROOM
from plyforge.search.paths.result import PathResult
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress, run, watched
from plyforge.search.running.speed import bind_for, rules_for

LEARNED = np.dtype([("to_go", "f8")])
STEP = np.dtype([("action", "i4")])
MORE_STEPS = 2
"""Why a trial paused: no room for another step."""

read_learned = block_reader(LEARNED)
read_steps = block_reader(STEP)

LEARNING = RecordType(
    "learning",
    [
        ("nodes", "i8"),
        ("node_limit", "i8"),
        ("stop", "i8"),
        ("pause", "i8"),
        ("state_bytes", "i8"),
        ("here", "i8"),
        ("length", "i8"),
        ("changes", "i8"),
        ("learned", "i8"),
        ("learned_room", "i8"),
        ("steps", "i8"),
        ("step_room", "i8"),
        *NUMBERING_FIELDS,
    ],
)


@kernel
def known_to_go(game, memory, state):
    """The number of a state; the first time, what the heuristic says of it is written down."""
    before = memory.states
    number = number_of(memory, state)
    if memory.states > before:
        read_learned(memory.learned, memory.learned_room)[number].to_go = still_to_go(game, state)
    return number


@kernel
def lrta_star(game, memory, first):
    """One trial, or the rest of it: from state number `memory.here` to an end, learning on the way."""
    memory.pause = 0
    memory.state_bytes = bytes_of(memory, first)
    if memory.states == 0:
        known_to_go(game, memory, first)
    while memory.stop == 0:
        state = numbered_state(memory, memory.here, first)
        if game.terminal(state):
            return
        if memory.nodes >= memory.node_limit:
            memory.stop = OUT_OF_NODES
            return
        if memory.states + game.count(state) > memory.learned_room:
            memory.pause = MORE_ROOM
            return
        if memory.length == memory.step_room:
            memory.pause = MORE_STEPS
            return
        learned = read_learned(memory.learned, memory.learned_room)
        least = np.inf
        chosen, there = -1, memory.here
        for index, action in enumerate(game.actions(state)):
            number = known_to_go(game, memory, game.result(state, action))
            total = game.costs.cost(game, state, action) + learned[number].to_go
            if total < least:
                least = total
                chosen, there = index, number
        if least > learned[memory.here].to_go:
            learned[memory.here].to_go = least
            memory.changes += 1
        read_steps(memory.steps, memory.step_room)[memory.length].action = chosen
        memory.length += 1
        memory.nodes += 1
        memory.here = there


class Learner:
    """An agent with what it has learned so far about one game, from one start."""

    def __init__(
        self,
        game: Game,
        state: Any,
        memory_mib: float = 1024.0,
        native: bool | None = None,
        control: Control | None = None,
    ) -> None:
        self.game, self.state, self.memory_mib = game, state, memory_mib
        bound = bind_for(game, lrta_star, game, LEARNING, state, native=native, control=control)
        self.function, self.is_native, self.compiled = bound.function, bound.is_native, bound.compiled
        self.rules = rules_for(bound, game, state)
        self.memory = bound.new_memory()
        self.numbering = Numbering(self.memory, state, self.compiled, self.game)
        new = new_block if self.compiled else new_rows
        self.learned: Any = new(read_learned, FIRST_ROOM)
        self.steps: Any = new(read_steps, FIRST_ROOM)
        self.trials = 0
        """How many trials came to an end."""
        self.line: list[int] = []
        """What was done in the last of them, as indices into the actions."""
        self.lengths: list[int] = []
        """How many steps each of them took."""
        self.lend()

    def lend(self) -> None:
        """Tell the kernel where everything is."""
        memory = self.memory
        memory.learned, memory.learned_room = address_of(self.learned), len(self.learned)
        memory.steps, memory.step_room = address_of(self.steps), len(self.steps)

    @property
    def to_go(self) -> float:
        """What is to go from the start, as far as is known."""
        if not self.memory.states:
            return float(still_to_go(self.game, self.state))
        return float(self.learned[0].to_go)

    def learned_of(self, state: Any) -> float | None:
        """What was learned of a state; None if it was never met."""
        number = self.numbering.find(state)
        return None if number is None else float(self.learned[number].to_go)

    @property
    def used_mib(self) -> float:
        own = self.numbering.layout.itemsize if self.compiled else 0
        return len(self.learned) * (own + LEARNED.itemsize + 2 * SLOT.itemsize) / 2**20

    def grow(self) -> bool:
        """More room for whatever there was none for. False if that is more than the learner may take."""
        if self.memory.pause == MORE_STEPS:
            self.steps = longer_block(read_steps, self.steps, 2 * len(self.steps))
        else:
            if 2 * self.used_mib > self.memory_mib:
                return False
            if self.compiled:
                self.numbering.grow(2 * int(self.memory.room))
            self.learned = longer_block(read_learned, self.learned, 2 * len(self.learned))
        self.lend()
        return True

    def trial(
        self,
        nodes: int | None = None,
        deadline: float | None = None,
        on_progress: Any = None,
        control: Control | None = None,
    ) -> tuple[str, int]:
        """Once from the start to an end. Why it ended, "" if there; and how often something was learned."""
        memory = self.memory
        memory.here = memory.length = memory.changes = memory.stop = 0
        memory.node_limit = (1 << 62) if nodes is None else nodes
        while True:
            run(self.function, (self.rules, memory, self.state), memory, deadline, on_progress, None, control)
            if self.compiled and memory.state_bytes != self.numbering.layout.itemsize:
                raise PlyforgeError(f"a state of {name_of(self.game)} has a layout that can't be read back")
            if memory.stop:
                return STOP_REASONS.get(int(memory.stop), "stopped"), int(memory.changes)
            if memory.pause == 0:
                break
            if not self.grow():
                return "memory", int(memory.changes)
        self.line = [int(self.steps[step].action) for step in range(int(memory.length))]
        self.lengths.append(len(self.line))
        self.trials += 1
        return "", int(memory.changes)


@dataclass(frozen=True)
class LrtaStar(PathSearch):
    """Trial after trial, until one has nothing more to learn: then it went along a best path."""

    name: ClassVar[str] = "lrta_star"
    title: ClassVar[str] = "LRTA*"
    aliases: ClassVar[tuple[str, ...]] = ("lrta*",)
    kernel: ClassVar[Kernel] = lrta_star

    memory_mib: float = parameter(
        1024.0,
        above=0,
        unit="MiB",
        title="Memory",
        help="What the learned table may take. At that size the search ends.",
    )
    trials: int | None = parameter(
        None, at_least=1, none="until nothing more is learned", help="At most so many trials."
    )

    def answer(self, game: Game, asked: Asked, native: bool | None) -> PathResult:
        """The path of the last trial. Nodes are the steps of all trials. Cut short, `value` is what has been learned
        of the start."""
        self.cannot_be_watched(asked.watch)
        limits, on_progress, control = asked.limits, asked.on_progress, asked.control
        root = self.root(game, asked.state, limits)
        learner = Learner(game, root, self.memory_mib, native, control)
        began = time.perf_counter()
        asked.time.begin(began)

        def report(now: Progress) -> None:
            assert on_progress is not None
            on_progress(Progress(now.nodes, time.perf_counter() - began, value=float(game.max_utility) - learner.to_go))

        told = None if on_progress is None else report

        def trials() -> str:
            """All of them; why they ended."""
            while self.trials is None or learner.trials < self.trials:
                stopped, changes = learner.trial(limits.nodes, asked.time.soft_end, told, control)
                if stopped or not changes:
                    return stopped or found_reason(game)
            return "trials"

        reason = watched(trials)
        require_finite(learner.to_go, game)
        indices = learner.line or self.first_step(learner)
        return self.result(
            game,
            root,
            indices,
            learner.to_go,
            reason,
            nodes=int(learner.memory.nodes),
            seconds=time.perf_counter() - began,
            native=learner.is_native,
            states=int(learner.memory.states),
            memory_mib=learner.used_mib,
        )

    def first_step(self, learner: Learner) -> list[int]:
        """Where the first trial went, before it could be finished."""
        if learner.game.terminal(learner.state):
            return []
        return [int(learner.steps[0].action) if learner.memory.nodes else 0]
