"""Perfect information Monte Carlo: draw worlds that fit what the player sees, solve each with all cards open, and take
the action that is best on average.

The scores of an action are added up over the worlds, not the votes of those in which it is best: what wins a little
often may lose much.

Claim: each value is an unbiased estimate of what the action is worth to somebody who will see everything right after
it, against others who see everything. That is its weakness (Frank and Basin, "Search in games with incomplete
information", Artificial Intelligence 100, 1998): in later decisions it plays differently in worlds that it can't tell
apart (strategy fusion), so it never pays for knowing, hides nothing and never bluffs.

Levy, "The million pound bridge program", Heuristic Programming in Artificial Intelligence, 1989; Ginsberg, "GIB:
imperfect information in a computationally challenging game", JAIR 14, 2001.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from plyforge.contract import Game, legal_moves, payoffs
from plyforge.errors import Unsuitable
from plyforge.kernel import new_stream
from plyforge.search.core.base import Search
from plyforge.search.core.limits import Limits
from plyforge.search.core.parameters import parameter
from plyforge.search.core.requirements import suitable
from plyforge.search.core.searcher import Asked
from plyforge.search.hidden.base import MOST_THREADS, HiddenSearch
from plyforge.search.hidden.open_cards import open_cards
from plyforge.search.hidden.result import HiddenResult, error_of_mean
from plyforge.search.hidden.simulate import draw_world
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress, blaming_the_rules, coerce
from plyforge.search.time.manager import TimeManager
from plyforge.search.time.watch import REPORT_EVERY, tell

WORLDS = 100
"""Where nothing limits how many."""
MOST_WORLDS = 1 << 62


@dataclass
class OpenSolver:
    """What a state is worth with all cards open, each asked about once."""

    game: Any
    search: Search
    limits: Limits
    native: bool | None
    control: Control | None
    time: TimeManager
    threads: int = 1
    nodes: int = 0
    known: dict[Any, tuple[float, ...]] = field(default_factory=dict)
    _counting: threading.Lock = field(default_factory=threading.Lock)

    def make_ready(self, observation: Any, player: int) -> float:
        """Have what is to be compiled compiled, and begin: the time on the performance counter."""
        if self.time.timed and self.native is not False and self.game.worth_compiling:
            with blaming_the_rules():
                world = coerce(self.game.determinize(observation, player, new_stream(1)))
            self.search.search(self.game, world, Limits(depth=1, nodes=1000), native=self.native)
        began = time.perf_counter()
        self.time.begin(began)
        return began

    @property
    def deadline(self) -> float:
        """On the performance counter; infinite where no time runs."""
        end = self.time.soft_end
        return math.inf if end is None else end

    def values(self, states: Iterable[Any]) -> list[tuple[float, ...] | None]:
        """Of all of them, each solved once, by so many threads."""
        states = list(states)
        unknown = list(dict.fromkeys(state for state in states if state not in self.known))
        if self.threads > 1 and len(unknown) > 1:
            with ThreadPoolExecutor(min(self.threads, len(unknown))) as pool:
                list(pool.map(self.value, unknown))
        return [self.value(state) for state in states]

    def _count(self, nodes: int) -> None:
        with self._counting:
            self.nodes += nodes

    def value(self, state: Any) -> tuple[float, ...] | None:
        """To each player; None if it was stopped first."""
        found = self.known.get(state)
        if found is None:
            self._count(1)
            if self.game.terminal(state):
                found = payoffs(self.game, self.game.utility(state))
            else:
                left = self.deadline - time.perf_counter()
                if left <= 0.0 or (self.control is not None and self.control.stopped):
                    return None
                limits = self.limits if left == math.inf else replace(self.limits, seconds=left)
                result = self.search.search(
                    self.game, state, limits, native=self.native, control=None if left == math.inf else self.control
                )
                self._count(result.nodes)
                if result.reason in ("seconds", "stopped"):
                    return None
                found = payoffs(self.game, result.value)
            self.known[state] = found
        return found


@dataclass
class Score:
    """What an action has brought over the worlds."""

    worlds: int = 0
    mean: float = 0.0
    deviation: float = 0.0

    def add(self, value: float) -> None:
        self.worlds += 1
        away = value - self.mean
        self.mean += away / self.worlds
        self.deviation += away * (value - self.mean)


@dataclass(frozen=True)
class Pimc(HiddenSearch):
    """Solve worlds that fit with all cards open, and take the best action on average. `depth` is how far each world is
    searched; without one, to its end."""

    name: ClassVar[str] = "pimc"
    title: ClassVar[str] = "PIMC"

    solver: str = parameter(
        "",
        text="",
        help="The search of perfect information for the worlds; without one the textbook's, which is exact.",
    )
    solver_simulations: int | None = parameter(
        None, at_least=1, none="as many as are usual", help="How many simulations it makes, where it samples."
    )
    threads: int = parameter(
        1,
        at_least=1,
        at_most=MOST_THREADS,
        help="So many worlds are solved side by side, compiled; the answer is the same.",
    )

    def open_solver(self, game: Game, asked: Asked, native: bool | None, plies: int) -> OpenSolver:
        """Who solves worlds, so many plies below what is asked about."""
        from plyforge.search import make_search

        opened = open_cards(game)
        name = self.solver or suitable(opened)
        inner = make_search(name, opened, evaluate=self.evaluation, simulations=self.solver_simulations)
        if isinstance(inner, HiddenSearch):
            raise Unsuitable(f"{name} can't solve the worlds of {self.name}: in them nothing is hidden")
        inner.needs.check(opened, inner.name)
        depth = None if asked.limits.depth is None else max(0, asked.limits.depth - plies)
        threads = 1 if native is False or not opened.worth_compiling else self.threads
        return OpenSolver(opened, inner, Limits(depth=depth), native, asked.control, asked.time, threads)

    def answer(self, game: Game, asked: Asked, native: bool | None) -> HiddenResult:
        """Search from `state`, what the player sees who is to move."""
        limits, on_progress, control = asked.limits, asked.on_progress, asked.control
        observation, player = self.asked(game, asked.state)
        if asked.watch is not None:
            raise Unsuitable(f"{self.name} can't be watched: it searches many worlds")
        solver = self.open_solver(game, asked, native, 1)
        began = solver.make_ready(observation, player)
        legal = legal_moves(game, observation)
        scores = {action: Score() for action in legal}
        stream, worlds, reported, reason = new_stream(self.seed), 0, began, "simulations"
        wanted = self.simulations or (WORLDS if not asked.time.timed and limits.nodes is None else MOST_WORLDS)
        while worlds < wanted:
            with blaming_the_rules():
                drawn = [
                    coerce(draw_world(game, observation, player, stream))
                    for _ in range(min(solver.threads, wanted - worlds))
                ]
                found = solver.values(coerce(game.result(world, action)) for world in drawn for action in legal)
            if any(each is None for each in found):
                reason = "stopped" if control is not None and control.stopped else "seconds"
                break
            for action, each in zip(list(legal) * len(drawn), found, strict=True):
                assert each is not None
                scores[action].add(each[player])
            worlds += len(drawn)
            now = time.perf_counter()
            if limits.nodes is not None and solver.nodes >= limits.nodes:
                reason = "nodes"
                break
            if now >= solver.deadline or (control is not None and control.stopped):
                reason = "seconds" if now >= solver.deadline else "stopped"
                break
            if on_progress is not None and now - reported >= REPORT_EVERY:
                reported = now
                tell(on_progress, Progress(solver.nodes, now - began))
        return self.result(game, observation, player, scores, worlds, solver.nodes, reason, began)

    def result(
        self,
        game: Game,
        observation: Any,
        player: int,
        scores: dict[Any, Score],
        worlds: int,
        nodes: int,
        reason: str,
        began: float,
    ) -> HiddenResult:
        """The answer; before the first world was solved, the first action."""
        values = {action: score.mean for action, score in scores.items() if score.worlds}
        best = max(values.values()) if values else None
        ties = tuple(action for action, value in values.items() if value == best) or (next(iter(scores)),)
        return HiddenResult(
            action=ties[0],
            value=best if best is not None else 0.5 * (float(game.min_utility) + float(game.max_utility)),
            values=values,
            best=ties,
            line=(ties[0],),
            nodes=nodes,
            depth=min(1, worlds),
            seconds=time.perf_counter() - began,
            reason=reason,
            player=player,
            using=self.name,
            native=False,
            game=game,
            state=observation,
            policy={action: float(action == ties[0]) for action in scores},
            errors={a: error_of_mean(score.deviation, score.worlds) for a, score in scores.items() if score.worlds},
            visits={action: score.worlds for action, score in scores.items() if score.worlds},
            simulations=worlds,
        )


__all__ = ["OpenSolver", "Pimc", "Score"]
