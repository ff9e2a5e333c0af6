"""The method `tree`: the engine plays, its searches say what states are worth, and a network learns that (TreeStrap).

A generation: the network of the one before plays in the engine, in shards; all that its searches have said is put
together, and gone through PASSES times in small batches. What the estimates were off by before they were mended,
against the outcomes of these games, is the honest error: nothing was learned from them yet.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.networks import Batch
from plyforge.evaluate.networks.inputs import FieldInputs, Marks
from plyforge.kernel import bind, new_stream
from plyforge.kernel.entry import coerce
from plyforge.learn.methods.network_learner import NetworkLearner
from plyforge.learn.methods.search_play import (
    LONGEST,
    NOTED,
    TALLY,
    WRITTEN,
    play_and_note,
)
from plyforge.search.engine.memory import forget_all, new_engine_memory
from plyforge.search.engine.steps.accumulated import accumulators_of
from plyforge.search.engine.steps.watch import UNWATCHED
from plyforge.search.engine.transposition_table import Table
from plyforge.search.running.brief import brief_plies

TABLE = 2.0
"""MiB: searches are small."""
MOST_NOTED, MOST_WRITTEN = 1 << 15, 1 << 22
"""States of a part of a shard's games, and their active inputs: what goes beyond is not noted."""
PASSES, BATCH = 2, 512
RATE, DECAY, SLOWER = 0.001, 1e-6, 200
"""Of a step of the optimiser; the rate falls with the root of the generations, beginning after so many."""


class Pupil:
    """The engine of one shard, and room for what it notes."""

    def __init__(self, game: Any, inputs: FieldInputs, evaluation: Evaluation, native: bool) -> None:
        self.game, self.inputs, self.native = game, inputs, native
        self.table = Table(TABLE)
        self.memory = new_engine_memory(native)
        self.stream, self.tally = new_stream(0), np.zeros(TALLY)
        self.active = np.zeros(MOST_WRITTEN + inputs.count, np.int32)
        self.ends, self.ranges = np.zeros(MOST_NOTED, np.int64), np.zeros((MOST_NOTED, 2), np.float32)
        self.count, self.start = np.zeros(2, np.int64), coerce(game.start())
        self.room = np.zeros(LONGEST, np.int64), np.zeros(LONGEST)
        self.noted: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self.kernel: Any = play_and_note
        self.take(evaluation)
        if native:
            self.kernel = bind(play_and_note, *self._arguments(), 1, 10, 1, 0.1, 0.3)

    def take(self, evaluation: Evaluation) -> None:
        """Play by this one from now on."""
        self.evaluation, self.accumulators = evaluation, accumulators_of(evaluation)

    def _arguments(self) -> tuple[Any, ...]:
        room = self.active, self.ends, self.ranges, self.count, *self.room
        how = self.evaluation, self.inputs, Marks(self.inputs.words), UNWATCHED, self.memory
        return self.game, *how, self.stream, self.start, *room, self.tally

    def play(self, seed: int, games: int, settings: dict[str, Any]) -> np.ndarray:
        """Play, and keep what was noted; the tally. Nothing of an earlier call matters."""
        self._make_ready()
        self.stream.state = np.uint64(seed)
        self.tally[:], self.count[:] = 0.0, 0
        nodes, opening = int(settings["think"]), int(settings["opening"])
        self.kernel(*self._arguments(), games, nodes, opening, float(settings["explore"]), float(settings["outcome"]))
        noted, written = int(self.count[NOTED]), int(self.count[WRITTEN])
        active = self.active[:written].astype(np.uint16 if self.inputs.count <= 1 << 16 else np.int32)
        self.noted.append((active, np.diff(self.ends[:noted], prepend=0), self.ranges[:noted].copy()))
        return self.tally.copy()

    def _make_ready(self) -> None:
        """Memory and table as new."""
        memory = self.memory
        if self.native:
            forget_all(memory)
        else:
            self.memory = memory = new_engine_memory(False)
        self.table.renew()
        self.table.written = self.table.buckets
        memory.table, memory.buckets = self.table.address, self.table.buckets
        memory.salt, memory.age, memory.table_depth = self.table.salt, self.table.stamp, 1
        memory.accumulators = 0 if self.accumulators is None else self.accumulators.address
        memory.quiescence, memory.selective, memory.deeper = 1, 0, 1
        memory.ply_limit = brief_plies(self.game)


class TreeLearner(NetworkLearner):
    """See the module's text."""

    name = "tree"
    net = "units:64"

    def new_pupil(self, native: bool) -> Pupil:
        return Pupil(self.game, self.inputs, self.network(), native)

    def prepare_pupil(self, pupil: Pupil) -> None:
        super().prepare_pupil(pupil)
        pupil.take(self.network())

    def train(self, pupils: list[Pupil], number: int, seed: int) -> float:
        """From all that the pupils have noted; the root of the mean loss."""
        parts = [part for pupil in pupils for part in pupil.noted if len(part[1])]
        if not parts:
            return 0.0
        ranges = np.concatenate([part[2] for part in parts])
        everything = Batch(
            np.concatenate([part[0] for part in parts]).astype(np.int32),
            np.cumsum(np.concatenate([part[1] for part in parts])),
            np.ascontiguousarray(ranges[:, 0]),
            np.ascontiguousarray(ranges[:, 1]),
            np.ones(len(ranges), np.float32),
            self.compiles,
        )
        dice, losses = np.random.default_rng(seed), []
        rate = RATE * float(self.settings["rate"]) / math.sqrt(1.0 + number / SLOWER)
        for _ in range(PASSES):
            order = dice.permutation(len(ranges))
            for first in range(0, len(order), BATCH):
                batch = everything.take(order[first : first + BATCH])
                losses.append(self.kind.train(self.arrays, self.memory, batch, rate=rate, decay=DECAY))
        self.forget_network()
        return round(math.sqrt(float(np.mean(losses))), 6)


__all__ = ["Pupil", "TreeLearner"]
