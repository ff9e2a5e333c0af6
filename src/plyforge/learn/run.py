"""Learning for any game of two players: a run, in a folder, that goes on for as long as somebody lets it.

    Run("connect4").go_on(hours=1, on_progress=print)        again: goes on

    describe    inputs are found in the states of random play               evaluate/ntuples/cells.py
    play        a generation: games against itself, in shards side by side  methods/
    learn       from them, by a method                                      methods/
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
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.errors import BadLimits, PlyforgeError
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.learned import learned_from
from plyforge.evaluate.ntuples.files import BEST, plain_name
from plyforge.games import load
from plyforge.kernel import mix
from plyforge.learn.folder import STATE, Folder, folder_of, rules_of
from plyforge.learn.gate import Side, match, nodes_for_equal_time, plain_search, strength
from plyforge.learn.lesson_plan import checked_settings, default_method, reason, require_learnable, require_method
from plyforge.learn.methods.learner import Learner
from plyforge.learn.methods.puct_learner import PuctLearner
from plyforge.learn.methods.td_learner import TdLearner
from plyforge.learn.methods.tree_learner import TreeLearner
from plyforge.learn.truth import Choice, choices_of, kept_by
from plyforge.search import Control

GENERATION_SECONDS = 5.0
"""What a generation is to take, where nobody says how many games it has."""
FIRST_GATES, GATE_EVERY = (2, 6, 15, 30), 40
"""The generations after which there is a match."""
MEASURING_PAIRS = 20
"""Of a match against generation 0 and the plain search."""
MOST_SHARDS = 8
"""Where nobody says: one for each core, but no more; their average goes a shorter way than as many steps."""
LEARNERS: dict[str, type[Learner]] = {each.name: each for each in (TdLearner, TreeLearner, PuctLearner)}


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
    keeps: dict[str, Any] = field(default_factory=dict)
    """Of a game that is solved in no time: the share of the candidate's moves, one ply deep, that keep the value."""
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
        self.gates = gates
        self._solved: list[Choice] | None = None
        self.folder = Folder(folder or folder_of(self.game))
        self.folder.make()
        before = self.folder.run() or {}
        net = settings.pop("net", None)
        self.method = method or str(before.get("method") or default_method(self.game, net))
        require_method(self.game, self.method, net)
        self.why = reason(self.game, method, net, before)
        known = before.get("settings") if isinstance(before.get("settings"), dict) else {}
        given = {**(known or {}), **{name: value for name, value in settings.items() if value is not None}}
        learner = LEARNERS[self.method]
        self.settings = checked_settings({name: value for name, value in given.items() if name != "net"})
        self.settings["net"] = net or str((known or {}).get("net") or learner.net)
        many = shards or _whole(before.get("shards")) or min(MOST_SHARDS, os.cpu_count() or 1)
        self.control = Control()
        self.learner = learner(self.game, self.settings, many, native is not False, self.control)
        said = {
            "game": plain_name(self.game),
            "rules": rules_of(self.game),
            "inputs": self.learner.inputs_digest,
            "method": self.method,
            "settings": self.settings,
            "shards": many,
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
    def _measured_batch(self) -> int:
        """So many games as a generation has time for, in time of the processor: those of some that are thrown away."""
        games, spent = 1, 0.0
        self.learner.trial(1)  # the first call takes longer
        while spent < 0.1 * GENERATION_SECONDS and games < 1 << 20:
            games *= 2
            began = time.thread_time()
            self.learner.trial(games)
            spent = time.thread_time() - began
        self.learner.begin()
        return max(2, round(self.learner.shards * games * GENERATION_SECONDS / max(spent, 1e-3)))

    def _go_back(self) -> None:
        """To the last generation that was finished, or to the beginning."""
        about: dict[str, Any] = {}
        if (self.folder / STATE).exists():
            about = self.learner.read_state(self.folder / STATE)
        else:
            self.learner.begin()
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
            if "keeps" in line:
                self.progress.keeps = line["keeps"]

    def network(self) -> Evaluation:
        """The candidate."""
        return self.learner.network()

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
        learned = self.learner.generation(number, self._seed(number), self.batch)
        seconds = time.perf_counter() - began
        progress = self.progress
        progress.games += learned.games
        progress.generation = number
        progress.loss, progress.held_back = learned.loss, learned.held_back
        progress.games_a_second = learned.games / max(seconds, 1e-9)
        line = {
            "generation": number,
            "games": progress.games,
            "loss": progress.loss,
            "held_back": progress.held_back,
            "plies": learned.plies,
            "broken_off": learned.broken_off,
            "seconds": round(seconds, 3),
        }
        self._keep(line)

    def _seed(self, number: int) -> int:
        return int(mix(int(self.settings["seed"]), number))

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
        self.learner.write_state(self.folder / STATE, about)

    # ------------------------------------------------------------ the gate
    def _gate_if_due(self) -> None:
        number = self.progress.generation
        due = number in FIRST_GATES or (number and number % GATE_EVERY == 0)
        if self.gates and due and self.gated < number:
            self._gate(number)

    def _gate(self, number: int) -> None:
        """A match of the candidate against the best network; its place, if it wins; then what it is worth against
        those that stand still. Where the game is solved, its moves decide: those who play perfectly win nothing."""
        candidate, best = self.network(), self._best()
        nodes, seed = int(self.settings["nodes"]), self._seed(number)
        path = self.folder / BEST
        accepted: str | None = "H1"
        scores: list[list[float]] = []
        replays: list[dict[str, Any]] = []
        before = self.learner.nothing() if best is None else best
        keeps = self._kept(candidate, before)
        if best is None or best != candidate:  # else: killed between its victory and the log
            if keeps is not None:
                accepted = "H1" if keeps[0]["share"] > keeps[1]["share"] else "H0"
            else:
                sides = Side(self.learner.search(candidate), nodes), Side(self.learner.search(before), nodes)
                how = self._how(f"match of generation {number} against generation {self.progress.best if best else 0}")
                scores, accepted = match(self.game, *sides, seed=seed, replays=replays, **how)
        self._stop_if_told()
        other = f"generation {self.progress.best if best else 0}"
        replays = [{"against": other, **each} for each in replays]
        if accepted == "H1":
            about = {"game": plain_name(self.game), "generation": number, "games": self.progress.games}
            self.learner.write_network(path, {**about, "method": self.method})
            self.progress.best = number
        self.gated = number
        line: dict[str, Any] = {"generation": number, "gate": accepted or "open", "best": self.progress.best}
        said = strength(scores)
        line |= {} if said is None else {"score": said.to_json()}
        if keeps is not None:
            line["keeps"] = self.progress.keeps = keeps[0]
        if accepted == "H1":
            line["against"] = self.progress.against = self._against(candidate, seed, replays)
        line["replays"] = replays
        self._keep(line)
        self.progress.doing = "learning"

    def _against(self, candidate: Evaluation, seed: int, replays: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """What the network is worth against generation 0 with equal nodes, and against the search that plays where
        nothing was learned, with equal time. A pair of games of each is added to `replays`."""
        nodes, found = int(self.settings["nodes"]), {}
        own, plain = self.learner.search(candidate), plain_search(self.game)
        if self.said.get("equal_time") is None:
            self.said["equal_time"] = round(nodes_for_equal_time(self.game, own, plain, self._speed), 3)
            self.folder.rewrite(self.said)
        others = {
            "generation 0": Side(self.learner.search(self.learner.nothing()), nodes),
            "plain search": Side(plain, max(10, round(nodes * self._equal_time))),
        }
        for name, other in others.items():
            games: list[dict[str, Any]] = []
            scores, _ = match(
                self.game,
                Side(own, nodes),
                other,
                seed=int(mix(seed, len(name))),
                pairs=MEASURING_PAIRS,
                test=None,
                replays=games,
                **self._how(f"match against {name}"),
            )
            self._stop_if_told()
            replays += [{"against": name, **each} for each in games]
            said = strength(scores)
            if said is not None:
                found[name] = said.to_json()
        return found

    def _kept(self, *networks: Evaluation) -> list[dict[str, Any]] | None:
        """Of a solved game: how many moves of each keep the value. Whether it is solved is found out once."""
        if self.said.get("solved") is False:
            return None
        if self._solved is None:
            self.progress.doing = "solving the game"
            self._solved = choices_of(self.game)
            self.said["solved"] = self._solved is not None
            self.folder.rewrite(self.said)
        return None if self._solved is None else [kept_by(self.game, each, self._solved) for each in networks]

    def _how(self, doing: str) -> dict[str, Any]:
        """What all matches have in common."""
        self.progress.doing = doing

        def on_pair(scores: list[list[float]]) -> None:
            self.progress.doing = f"{doing}, {2 * len(scores)} games, {100 * np.mean(scores):.0f} %"
            self._tell(self.progress)

        return {"native": self._speed, "control": self.control, "on_pair": on_pair}

    @property
    def _speed(self) -> bool | None:
        return None if self.learner.native else False

    def _stop_if_told(self) -> None:
        if self.control.stopped:
            raise KeyboardInterrupt

    @property
    def _equal_time(self) -> float:
        """Nodes of the plain search in the time of one of ours."""
        kept = self.said.get("equal_time")
        return float(kept) if isinstance(kept, (int, float)) and kept > 0 else 1.0

    def _best(self) -> Evaluation | None:
        """The network that holds the place; None where none does."""
        path = self.folder / BEST
        return learned_from(path, self.game) if path.exists() else None


def _whole(value: Any) -> int:
    """A count that a file says; 0 for anything else."""
    return value if type(value) is int and value > 0 else 0


__all__ = ["Progress", "Run"]
