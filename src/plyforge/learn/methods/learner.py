"""What a method of learning is to a run: something that plays a generation of games, learns from them, and can be
written down. `td_learner.py`, `tree_learner.py` and `puct_learner.py` are one each.

A generation's games are played in shards, side by side, by pupils: each has memory and chance of its own, and plays its
part of the games as a function of what was known before, the settings and its number. Compiled rules hold no lock, so
pupils are threads; what they bring is put together in the order of the shards, whoever is done first.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from plyforge.contract import Game
from plyforge.errors import CannotCompile, TooLittleRoom
from plyforge.evaluate.base import Evaluation
from plyforge.kernel import mix
from plyforge.learn.gate import engine_for
from plyforge.search import Control
from plyforge.search.core.base import Search

CHUNKS = 20
"""A shard's games are played in so many parts: in between it can be stopped."""
MOST_ROOM = 8
"""Times that compiled rules may ask for more room."""


@dataclass(frozen=True)
class Learned:
    """What is said of one generation."""

    games: int
    plies: float
    broken_off: int
    loss: float
    """The root of the mean square of the errors that were mended, on a scale from -1 to 1."""
    held_back: float
    """The same for games that nothing was learned from, against their outcomes."""


class Learner:
    """Base of the methods."""

    name: ClassVar[str]
    net: ClassVar[str]
    """The network where nobody names one."""

    def __init__(self, game: Game, settings: dict[str, Any], shards: int, native: bool, control: Control) -> None:
        self.game, self.settings, self.shards = game, settings, shards
        self.native, self.control = native, control
        self.pupils: list[Any] = []
        self.prepare()
        self.make_pupils()

    # ------------------------------------------------------------ to be written
    def prepare(self) -> None:
        """Find out what the states consist of. Raises Unsuitable."""
        raise NotImplementedError

    @property
    def inputs_digest(self) -> str:
        """Of what was found: a run goes on with the same inputs alone."""
        raise NotImplementedError

    def new_pupil(self, native: bool) -> Any:
        """One for a shard. Raises CannotCompile."""
        raise NotImplementedError

    def play(self, pupil: Any, seed: int, games: int) -> np.ndarray:
        """Let a pupil play; the tally."""
        raise NotImplementedError

    def begin(self) -> None:
        """Know nothing."""
        raise NotImplementedError

    def trial(self, games: int) -> None:
        """Learn from so many games in one shard, for whoever measures how long that takes; `begin` comes next."""
        raise NotImplementedError

    def generation(self, number: int, seed: int, games: int) -> Learned:
        """Play, and learn."""
        raise NotImplementedError

    def network(self) -> Evaluation:
        """What is known now, for searches."""
        raise NotImplementedError

    def nothing(self) -> Evaluation:
        """A network of the same form that knows nothing."""
        raise NotImplementedError

    def write_state(self, path: Path, about: dict[str, Any]) -> None:
        """All that learning goes on from."""
        raise NotImplementedError

    def read_state(self, path: Path) -> dict[str, Any]:
        """Go on from there; what was said of it. Raises BadText."""
        raise NotImplementedError

    def write_network(self, path: Path, about: dict[str, Any]) -> None:
        """What players judge by."""
        raise NotImplementedError

    def search(self, evaluation: Evaluation) -> Search:
        """Who plays by it in matches."""
        return engine_for(self.game, evaluation)

    # ------------------------------------------------------------ shards
    def make_pupils(self) -> None:
        """One for each shard; interpreted where the rules don't compile."""
        try:
            self.pupils = [self.new_pupil(self.native) for _ in range(self.shards)]
        except CannotCompile:
            if not self.native:
                raise
            self.native = False
            self.make_pupils()

    def played(self, seed: int, games: int) -> list[np.ndarray]:
        """The tallies of all shards, whose pupils have played their parts of the games."""
        for attempt in range(MOST_ROOM + 1):
            tallies: dict[int, Any] = {}
            threads = [
                threading.Thread(target=self._shard, args=(i, seed, games, tallies), daemon=True)
                for i in range(self.shards)
            ]
            for thread in threads:
                thread.start()
            try:
                for thread in threads:
                    while thread.is_alive():
                        thread.join(0.1)
            except KeyboardInterrupt:
                self.control.stop()
                for thread in threads:
                    thread.join(10.0)
                raise
            errors = [found for found in tallies.values() if isinstance(found, BaseException)]
            if not errors:
                return [tallies[i] for i in range(self.shards)]
            if not isinstance(errors[0], CannotCompile) or attempt == MOST_ROOM:
                raise errors[0]
            if not isinstance(errors[0], TooLittleRoom):
                self.native = False  # machine code would not give what Python gives
            self.make_pupils()
        raise AssertionError

    def _shard(self, index: int, seed: int, games: int, tallies: dict[int, Any]) -> None:
        """One shard's part."""
        own = games // self.shards + (index < games % self.shards)
        try:
            self.prepare_pupil(self.pupils[index])
            tallies[index] = self.in_chunks(self.pupils[index], int(mix(seed, index)), own)
        except BaseException as error:
            tallies[index] = error

    def prepare_pupil(self, pupil: Any) -> None:
        """Before its part of a generation: give it what is known."""

    def in_chunks(self, pupil: Any, seed: int, games: int) -> np.ndarray:
        """Games in parts, each with chance of its own."""
        tally: Any = 0
        parts = max(1, min(CHUNKS, games))
        for part in range(parts):
            if self.control.stopped:
                raise KeyboardInterrupt
            tally = tally + self.play(pupil, int(mix(seed, part)), games // parts + (part < games % parts))
        return np.asarray(tally)


__all__ = ["CHUNKS", "Learned", "Learner"]
