"""What the methods with networks over found inputs share: the network, its optimiser, and their files."""

from __future__ import annotations

import math
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.errors import BadText
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.learned import inputs_for
from plyforge.evaluate.networks import StoredNetwork, network_kind, read_network, write_network
from plyforge.evaluate.networks.inputs import FieldInputs
from plyforge.evaluate.ntuples.files import FORMAT
from plyforge.learn.methods.learner import Learned, Learner
from plyforge.learn.methods.search_play import BROKEN_OFF, ERRORS, GAMES, PLIES, STATES


class NetworkLearner(Learner):
    """Base of them. Pupils have `noted`, a list of what they have to say, and `play`."""

    inputs: FieldInputs

    def prepare(self) -> None:
        net = str(self.settings["net"])
        self.inputs = inputs_for(self.game, on_board=net.startswith("conv:"))
        self.kind: Any = network_kind(net, self.inputs)
        self.compiles = self.native
        self.begin()

    @property
    def inputs_digest(self) -> str:
        return self.inputs.digest

    def begin(self) -> None:
        self.arrays = self.kind.fresh(int(self.settings["seed"]))
        self.memory = self.kind.fresh_memory(self.arrays)
        self.forget_network()

    def prepare_pupil(self, pupil: Any) -> None:
        pupil.noted.clear()

    def play(self, pupil: Any, seed: int, games: int) -> np.ndarray:
        return np.asarray(pupil.play(seed, games, self.settings))

    def trial(self, games: int) -> None:
        self.pupils[0].noted.clear()
        self.pupils[0].play(0, games, self.settings)
        self.train(self.pupils[:1], 0, 0)

    def generation(self, number: int, seed: int, games: int) -> Learned:
        self.network()  # once for all shards
        tally = np.sum(self.played(seed, games), axis=0)
        loss = self.train(self.pupils, number, seed)
        played = int(tally[GAMES])
        held = math.sqrt(float(tally[ERRORS]) / max(1.0, float(tally[STATES])))
        return Learned(played, float(tally[PLIES] / max(1, played)), int(tally[BROKEN_OFF]), loss, round(held, 6))

    def train(self, pupils: list[Any], number: int, seed: int) -> float:
        """From all that the pupils have noted; the root of the mean loss of the values."""
        raise NotImplementedError

    # ------------------------------------------------------------ the network
    @cached_property
    def _network(self) -> Evaluation:
        return self.kind.player(self.arrays, self.inputs)

    def network(self) -> Evaluation:
        return self._network

    def forget_network(self) -> None:
        """Its weights have changed."""
        vars(self).pop("_network", None)

    def nothing(self) -> Evaluation:
        return self.kind.player(self.kind.fresh(int(self.settings["seed"])), self.inputs)

    def write_state(self, path: Path, about: dict[str, Any]) -> None:
        write_network(path, StoredNetwork(self.kind, self.inputs, self.arrays, self.memory, about))

    def read_state(self, path: Path) -> dict[str, Any]:
        network = read_network(path)
        if network.kind != self.kind or network.inputs.digest != self.inputs.digest or not network.memory:
            raise BadText(f"{path} is the state of another run: its network is of another shape, or of other rules")
        self.arrays, self.memory = network.arrays, network.memory
        self.forget_network()
        return network.about

    def write_network(self, path: Path, about: dict[str, Any]) -> None:
        write_network(path, StoredNetwork(self.kind, self.inputs, self.arrays, {}, {"format": FORMAT, **about}))


__all__ = ["NetworkLearner"]
