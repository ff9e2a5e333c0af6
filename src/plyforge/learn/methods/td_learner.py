"""The method `td`: every shard learns from games of its own, and what they have changed is merged, weight by weight."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.errors import PlyforgeError
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.ntuples.files import inputs_of, read_network, write_network
from plyforge.evaluate.ntuples.following import quickest
from plyforge.evaluate.ntuples.tuples import NTuples, banks_of
from plyforge.kernel import mix
from plyforge.learn.folder import LARGEST_STATE
from plyforge.learn.lesson_plan import no_inputs
from plyforge.learn.methods.learner import Learned, Learner
from plyforge.learn.methods.td import BROKEN_OFF, ERRORS, GAMES, PLIES, STATES, Pupil

HELD_BACK = 50
"""One game for so many that were learned from is only judged."""
HELD_BACK_SEED = 0x68656C64


class TdLearner(Learner):
    """Temporal differences, for n-tuples."""

    name = "td"
    net = "tuples"
    inputs: NTuples

    def prepare(self) -> None:
        inputs = inputs_of(self.game, self.settings["walks"])
        if inputs is None:
            raise no_inputs(self.game)
        self.inputs = inputs

    @property
    def inputs_digest(self) -> str:
        return self.inputs.digest

    def new_pupil(self, native: bool) -> Pupil:
        return Pupil(self.game, self.inputs, banks_of(self.game), native)

    def begin(self) -> None:
        self.arrays = {name: np.zeros_like(array) for name, array in self.pupils[0].arrays.items()}

    def prepare_pupil(self, pupil: Pupil) -> None:
        pupil.take(self.arrays)

    def play(self, pupil: Pupil, seed: int, games: int) -> np.ndarray:
        return pupil.play(seed, games, self.settings)

    def trial(self, games: int) -> None:
        self.pupils[0].play(0, games, self.settings)

    def generation(self, number: int, seed: int, games: int) -> Learned:
        tally = np.sum(self.played(seed, games), axis=0)
        self.arrays = self.merged()
        pupil = self.pupils[0]
        pupil.take(self.arrays)
        judged = max(2, games // HELD_BACK)
        held = pupil.play(int(mix(int(mix(seed, HELD_BACK_SEED)), 0)), judged, self.settings, False)
        played = int(tally[GAMES])
        return Learned(played, float(tally[PLIES] / max(1, played)), int(tally[BROKEN_OFF]), _root(tally), _root(held))

    def merged(self) -> dict[str, np.ndarray]:
        """What all shards have learned together: of a weight, the mean of what those changed who have met it; of what
        temporal coherence keeps, the sum."""
        if not all(np.isfinite(pupil.weights).all() for pupil in self.pupils):
            raise PlyforgeError(
                f"the weights learned for {type(self.game).__name__} are not finite numbers: lower --rate"
            )
        before = self.arrays
        met = sum((pupil.travel != before["travel"]).astype(np.float64) for pupil in self.pupils)
        merged = {}
        for name, old in before.items():
            change = sum(pupil.arrays[name] - old for pupil in self.pupils)
            change = change / np.maximum(met, 1.0) if name == "weights" else change
            merged[name] = (old + change).astype(np.float32).astype(np.float64)
        return merged

    def network(self) -> Evaluation:
        return quickest(self.inputs, self.arrays["weights"].astype(np.float32).astype(np.float64))

    def nothing(self) -> Evaluation:
        return quickest(self.inputs, np.zeros_like(self.arrays["weights"]))

    def write_state(self, path: Path, about: dict[str, Any]) -> None:
        write_network(path, self.arrays, about)

    def read_state(self, path: Path) -> dict[str, Any]:
        sizes = dict.fromkeys(self.pupils[0].arrays, len(self.pupils[0].weights))
        self.arrays, about = read_network(path, sizes, LARGEST_STATE)
        return about

    def write_network(self, path: Path, about: dict[str, Any]) -> None:
        said = {"inputs": self.inputs.digest, "walks": self.settings["walks"], **about}
        write_network(path, {"weights": self.arrays["weights"]}, said)


def _root(tally: np.ndarray) -> float:
    """The root of the mean square of a tally's errors."""
    return round(math.sqrt(float(tally[ERRORS]) / max(1.0, float(tally[STATES]))), 6)


__all__ = ["TdLearner"]
