"""Learning for any game of two players: a run, in a folder, that goes on for as long as somebody lets it.

    Run("connect4").go_on(hours=1, on_progress=print)        again: goes on

    describe    inputs are found in the states of random play               evaluate/ntuples/cells.py
    play        a generation: games against itself, in shards side by side  td.py, tree.py
    merge       what the shards have changed, weight by weight
    hold back   games that nothing is learned from, for an honest loss
    gate        now and then a match against the best network so far        gate.py
    keep        a line of the log, then the state                           folder.py

Invariants:
- A generation is a function of the state before it, the run's settings and its number. Weights are rounded to single
  precision, as files keep them, after each. So a run that was killed at any moment and goes on is the same run, bit for
  bit.
- What was measured on this machine (games of a generation, the ratio of nodes) is measured once and kept in run.json.
- `best.npz` changes only when a candidate has won its match.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.errors import BadLimits, CannotCompile, PlyforgeError, TooLittleRoom
from plyforge.evaluate import OwnEvaluation
from plyforge.evaluate.ntuples.files import BEST, FORMAT, inputs_of, plain_name, read_network, write_network
from plyforge.evaluate.ntuples.network import NTupleNetwork
from plyforge.evaluate.ntuples.tuples import banks_of
from plyforge.evaluate.opinion import shipped_opinion
from plyforge.evaluate.weighted import game_name
from plyforge.games import load
from plyforge.kernel import mix
from plyforge.learn.folder import LARGEST_STATE, Folder, folder_of
from plyforge.learn.gate import match, nodes_for_equal_time, side, strength
from plyforge.learn.lesson_plan import checked_settings, default_method, no_inputs, require_learnable, require_method
from plyforge.learn.td import BROKEN_OFF, ERRORS, GAMES, PLIES, STATES, Pupil
from plyforge.search import Control

GENERATION_SECONDS = 5.0
"""What a generation is to take, where nobody says how many games it has."""
HELD_BACK = 50
"""One game for so many that were learned from is only judged."""
HELD_BACK_SEED = 0x68656C64
CHUNKS = 20
"""A shard's games are played in so many parts: in between it can be stopped."""
FIRST_GATES, GATE_EVERY = (2, 6, 15, 30), 40
"""The generations after which there is a match."""
MEASURING_PAIRS = 20
"""Of a match against generation 0 and the plain search."""
MOST_SHARDS = 8
"""Where nobody says: one for each core, but no more; their average goes a shorter way than as many steps."""
MOST_ROOM = 8
"""Times that compiled rules may ask for more room."""


@dataclass
class Progress:
    """How far a run is."""

    games: int = 0
    generation: int = 0
    loss: float = math.nan
    """The root of the mean square of the errors that were mended, on a scale from -1 to 1."""
    held_back: float = math.nan
    """The same for games that nothing was learned from, against their outcomes."""
    games_a_second: float = math.nan
    best: int = 0
    """The generation that is the best so far; 0: none."""
    doing: str = "learning"
    against: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Generation 0, and the plain search: what the last match said of the best network."""
    seconds_left: float | None = None


class Run:
    """See the module's text."""

    def __init__(
        self,
        game: Game | str,
        folder: str | Path | None = None,
        *,
        method: str | None = None,
        shards: int | None = None,
        batch: int | None = None,
        native: bool | None = None,
        gates: bool = True,
        **settings: Any,
    ) -> None:
        """`batch` is how many games a generation has; None: so many as take GENERATION_SECONDS. `shards` learn side by
        side; what is learned depends on their number. Raises PlyforgeError where nothing can be learned, or where the
        folder is another run's."""
        self.game = load(game)
        require_learnable(self.game)
        for name, number in (("batch", batch), ("shards", shards)):
            if number is not None and not 1 <= number <= 1_000_000_000:
                raise BadLimits(f"{name} is {number}; it must be at least 1")
        self.native, self.gates = native is not False, gates
        self.folder = Folder(folder or folder_of(self.game))
        self.folder.make()
        before = self.folder.run() or {}
        self.method = method or str(before.get("method") or default_method(self.game))
        require_method(self.game, self.method)
        known = before.get("settings") if isinstance(before.get("settings"), dict) else {}
        self.settings = checked_settings({**(known or {}), **{k: v for k, v in settings.items() if v is not None}})
        inputs = inputs_of(self.game, self.settings["walks"])
        if inputs is None:
            raise no_inputs(self.game)
        self.inputs = inputs
        self.shards = shards or _whole(before.get("shards")) or min(MOST_SHARDS, os.cpu_count() or 1)
        self.pupils: list[Pupil] = []
        self._make_pupils()
        self.control = Control()
        said = {
            "game": plain_name(self.game),
            "rules": self.game.fingerprint().replace(game_name(self.game), plain_name(self.game)),
            "inputs": inputs.digest,
            "method": self.method,
            "settings": self.settings,
            "shards": self.shards,
        }
        if not before:
            said |= {"batch": batch or self._measured_batch(), "equal_time": None}
        said = self.folder.begin(said)
        self.said = said
        if batch is not None and batch != said.get("batch"):
            raise PlyforgeError(
                f"{self.folder.path} is a run with generations of {said.get('batch')} games, not {batch}. Repeat as it"
                " began with, or name another folder with --folder"
            )
        self.batch = max(1, _whole(said.get("batch")) or 1)
        self._go_back()

    # ------------------------------------------------------------ what is kept
    def _make_pupils(self) -> None:
        """One for each shard; interpreted where the rules don't compile."""
        banks = banks_of(self.game)
        try:
            self.pupils = [Pupil(self.game, self.inputs, banks, self.native) for _ in range(self.shards)]
        except CannotCompile:
            if not self.native:
                raise
            self.native = False
            self._make_pupils()

    def _measured_batch(self) -> int:
        """So many games as a generation has time for, in time of the processor: those of some that are thrown away."""
        games, spent = 1, 0.0
        self._played(self.pupils[0], 0, games, 1)  # the first call takes longer
        while spent < 0.1 * GENERATION_SECONDS and games < 1 << 20:
            games *= 2
            began = time.thread_time()
            self._played(self.pupils[0], 0, games, 1)
            spent = time.thread_time() - began
        for array in self.pupils[0].arrays.values():
            array[:] = 0.0
        return max(2, round(self.shards * games * GENERATION_SECONDS / max(spent, 1e-3)))

    def _go_back(self) -> None:
        """To the last generation that was finished, or to the beginning."""
        size = len(self.pupils[0].weights)
        found = self.folder.state(dict.fromkeys(self.pupils[0].arrays, size))
        arrays, about = found or ({name: np.zeros(size) for name in self.pupils[0].arrays}, {})
        self.arrays = arrays
        self.progress = Progress(
            games=_whole(about.get("games")),
            generation=_whole(about.get("generation")),
            best=_whole(about.get("best")),
        )
        self.gated = _whole(about.get("gated"))
        for line in self.folder.log(self.progress.generation):
            if "held_back" in line:
                self.progress.held_back, self.progress.loss = line["held_back"], line["loss"]
            if "against" in line:
                self.progress.against = line["against"]

    def network(self, arrays: dict[str, np.ndarray] | None = None) -> NTupleNetwork:
        """The candidate."""
        weights = (arrays or self.arrays)["weights"]
        return NTupleNetwork.of(self.inputs, weights.astype(np.float32).astype(np.float64))

    # ------------------------------------------------------------ going on
    def go_on(
        self,
        *,
        hours: float | None = None,
        games: int | None = None,
        on_progress: Callable[[Progress], object] = lambda progress: None,
    ) -> Progress:
        """Until there were so many games in all, or so many hours have passed now, or Ctrl-C, which is raised as
        KeyboardInterrupt: the folder has all generations that were finished."""
        if hours is not None and not 0.0 < hours < 1e6:
            raise BadLimits(f"hours is {hours:g}; it must be above 0")
        end = math.inf if hours is None else time.monotonic() + 3600.0 * hours
        self._tell = on_progress
        try:
            while time.monotonic() < end and (games is None or self.progress.games < games):
                self.progress.seconds_left = None if hours is None else end - time.monotonic()
                self._gate_if_due()
                self._generation()
                on_progress(self.progress)
            self._gate_if_due()
        except KeyboardInterrupt:
            self.control.stop()
            raise
        return self.progress

    def _generation(self) -> None:
        """One more, learned, judged and kept."""
        number = self.progress.generation + 1
        self.progress.doing = "learning"
        began = time.perf_counter()
        tally = self._learned(number)
        seconds = time.perf_counter() - began
        self.arrays = self._merged()
        self.pupils[0].take(self.arrays)
        held = self._played(
            self.pupils[0], int(mix(self._seed(number), HELD_BACK_SEED)), self._held_back, 1, learning=False
        )
        progress = self.progress
        progress.games += int(tally[GAMES])
        progress.generation = number
        progress.loss, progress.held_back = _root(tally), _root(held)
        progress.games_a_second = float(tally[GAMES]) / max(seconds, 1e-9)
        line = {
            "generation": number,
            "games": progress.games,
            "loss": progress.loss,
            "held_back": progress.held_back,
            "plies": float(tally[PLIES] / max(1.0, tally[GAMES])),
            "broken_off": int(tally[BROKEN_OFF]),
            "seconds": round(seconds, 3),
        }
        self._keep(line)

    @property
    def _held_back(self) -> int:
        return max(2, self.batch // HELD_BACK)

    def _seed(self, number: int) -> int:
        return int(mix(int(self.settings["seed"]), number))

    def _learned(self, number: int) -> np.ndarray:
        """Let every shard learn from its part of the games; the tallies added up. Threads wait for nobody: compiled
        rules hold no lock."""
        for attempt in range(MOST_ROOM + 1):
            tallies: dict[int, Any] = {}
            threads = [
                threading.Thread(target=self._shard, args=(i, number, tallies), daemon=True) for i in range(self.shards)
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
                return np.sum([tallies[i] for i in range(self.shards)], axis=0)
            if not isinstance(errors[0], CannotCompile) or attempt == MOST_ROOM:
                raise errors[0]
            if not isinstance(errors[0], TooLittleRoom):
                self.native = False  # machine code would not give what Python gives
            self._make_pupils()
        raise AssertionError

    def _shard(self, index: int, number: int, tallies: dict[int, Any]) -> None:
        """One shard's part of a generation."""
        games = self.batch // self.shards + (index < self.batch % self.shards)
        pupil = self.pupils[index]
        pupil.take(self.arrays)
        try:
            tallies[index] = self._played(pupil, int(mix(self._seed(number), index)), games, CHUNKS)
        except BaseException as error:
            tallies[index] = error

    def _played(self, pupil: Pupil, seed: int, games: int, chunks: int, learning: bool = True) -> np.ndarray:
        """Games in parts, each with chance of its own."""
        tally = np.zeros_like(pupil.tally)
        for chunk in range(min(chunks, games)):
            if learning and hasattr(self, "control") and self.control.stopped:
                raise KeyboardInterrupt
            size = games // min(chunks, games) + (chunk < games % min(chunks, games))
            tally += pupil.play(int(mix(seed, chunk)), size, self.settings, learning)
        return tally

    def _merged(self) -> dict[str, np.ndarray]:
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

    def _keep(self, line: dict[str, Any]) -> None:
        """The line first: a state that is there has its line."""
        self.folder.add_line(line)
        about = {
            "game": plain_name(self.game),
            "generation": self.progress.generation,
            "games": self.progress.games,
            "best": self.progress.best,
            "gated": self.gated,
        }
        self.folder.keep_state(self.arrays, about)

    # ------------------------------------------------------------ the gate
    def _gate_if_due(self) -> None:
        number = self.progress.generation
        due = number in FIRST_GATES or (number and number % GATE_EVERY == 0)
        if self.gates and due and self.gated < number:
            self._gate(number)

    def _gate(self, number: int) -> None:
        """A match of the candidate against the best network; its place, if it wins; then what it is worth against
        those that stand still."""
        candidate, best = self.network(), self._best()
        nodes, seed = int(self.settings["nodes"]), self._seed(number)
        path = self.folder / BEST
        accepted: str | None = "H1"
        scores: list[list[float]] = []
        if best is not None and best.digest == candidate.digest:
            pass  # killed between its victory and the log
        else:
            before = self.network(self._nothing()) if best is None else best
            scores, accepted = match(
                self.game, side(self.game, candidate, nodes), side(self.game, before, nodes), seed=seed, **self._how(
                    f"match of generation {number} against " + (f"generation {self.progress.best}" if best else "none"))
            )  # fmt: skip
        self._stop_if_told()
        if accepted == "H1":
            about = {"format": FORMAT, "game": plain_name(self.game), "inputs": self.inputs.digest,
                     "walks": self.settings["walks"], "generation": number, "games": self.progress.games,
                     "method": self.method}  # fmt: skip
            write_network(path, {"weights": self.arrays["weights"]}, about)
            self.progress.best = number
        self.gated = number
        line: dict[str, Any] = {"generation": number, "gate": accepted or "open", "best": self.progress.best}
        said = strength(scores)
        line |= {} if said is None else {"score": said.to_json()}
        if accepted == "H1":
            line["against"] = self.progress.against = self._against(candidate, seed)
        self._keep(line)
        self.progress.doing = "learning"

    def _against(self, candidate: NTupleNetwork, seed: int) -> dict[str, dict[str, Any]]:
        """What the network is worth against generation 0 with equal nodes, and against the search that plays where
        nothing was learned, with equal time."""
        nodes, found = int(self.settings["nodes"]), {}
        plain = shipped_opinion(self.game) or OwnEvaluation()
        if self.said.get("equal_time") is None:
            self.said["equal_time"] = round(nodes_for_equal_time(self.game, candidate, plain, self._speed), 3)
            self.folder.rewrite(self.said)
        others = {
            "generation 0": (self.network(self._nothing()), nodes),
            "plain search": (plain, max(10, round(nodes * self._equal_time))),
        }
        for name, (evaluation, other_nodes) in others.items():
            scores, _ = match(
                self.game,
                side(self.game, candidate, nodes),
                side(self.game, evaluation, other_nodes),
                seed=int(mix(seed, len(name))),
                pairs=MEASURING_PAIRS,
                test=None,
                **self._how(f"match against {name}"),
            )
            self._stop_if_told()
            said = strength(scores)
            if said is not None:
                found[name] = said.to_json()
        return found

    def _how(self, doing: str) -> dict[str, Any]:
        """What all matches have in common."""
        self.progress.doing = doing

        def on_pair(scores: list[list[float]]) -> None:
            self.progress.doing = f"{doing}, {2 * len(scores)} games, {100 * np.mean(scores):.0f} %"
            self._tell(self.progress)

        return {"native": self._speed, "control": self.control, "on_pair": on_pair}

    @property
    def _speed(self) -> bool | None:
        return None if self.native else False

    def _stop_if_told(self) -> None:
        if self.control.stopped:
            raise KeyboardInterrupt

    @property
    def _equal_time(self) -> float:
        """Nodes of the plain search in the time of one of ours."""
        kept = self.said.get("equal_time")
        return float(kept) if isinstance(kept, (int, float)) and kept > 0 else 1.0

    def _nothing(self) -> dict[str, np.ndarray]:
        return {"weights": np.zeros_like(self.arrays["weights"])}

    def _best(self) -> NTupleNetwork | None:
        """The network that holds the place; None where none does."""
        path = self.folder / BEST
        if not path.exists():
            return None
        arrays, _ = read_network(path, {"weights": len(self.arrays["weights"])}, LARGEST_STATE)
        return NTupleNetwork.of(self.inputs, arrays["weights"])


def _root(tally: np.ndarray) -> float:
    """The root of the mean square of a tally's errors."""
    return round(math.sqrt(float(tally[ERRORS]) / max(1.0, float(tally[STATES]))), 6)


def _whole(value: Any) -> int:
    """A count that a file says; 0 for anything else."""
    return value if type(value) is int and value > 0 else 0


__all__ = ["Progress", "Run"]
