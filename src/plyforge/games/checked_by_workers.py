"""A check of a large game by many workers: an order is a walk.

    report = check_by_workers(pf.load("chess"), walks=8, workers=2)

Walk 0 is the check of one process: states in order, from the start on. The others begin somewhere in random games, each
in another one, so that together they see far more of a large game. Each has the time and the number of states of a
check.

Claim: what is found follows from the seed and the number of walks, whoever does them, as long as the time is enough.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from plyforge.check import Progress, Report, Violation, check
from plyforge.contract import Game
from plyforge.errors import BadLimits, Interrupted
from plyforge.games.as_text import game_text, rules_files
from plyforge.games.catalog import find
from plyforge.work import Coordinator, Doer, Order, Terms, hire

KIND = "plyforge.games.checked_by_workers:walks_of"
MOST_WALKS = 100_000
BESIDES = 120.0
"""Seconds that a walk may be silent beyond its own: compiling has no limit of its own."""


def check_by_workers(
    game: Game,
    *,
    seconds: float = 10.0,
    states: int = 6000,
    seed: int = 0,
    native: bool | None = None,
    walks: int | None = None,
    workers: int | None = None,
    where: str | Iterable[str] = (),
    on_progress: Callable[[Progress], None] | None = None,
) -> Report:
    """What `check` does, in so many walks, by default one for each worker. Ctrl-C raises Interrupted, with what the
    walks that are over have found."""
    if walks is not None and not 1 <= walks <= MOST_WALKS:
        raise BadLimits(f"there are {walks} walks; there must be at least 1, and at most {MOST_WALKS}")
    how = {"seconds": seconds, "states": states, "seed": seed, "native": native}
    began = time.perf_counter()
    found: dict[int, Report] = {}
    terms = Terms.of(KIND, {"game": game_text(game), "how": how}, rules_files(game))
    with hire(terms, where or "local", workers) as crew:
        many = walks or len(crew.places)
        coordinator = Coordinator(crew, patience=seconds + BESIDES, one="walk")
        try:
            for number, data in coordinator.results(range(many)):
                found[number] = Report.from_json(data)
                if on_progress is not None:
                    seen = sum(report.states for report in found.values())
                    on_progress(Progress(f"{len(found)} of {many} walks", seen, time.perf_counter() - began))
        except KeyboardInterrupt:
            stopped = f"{len(found)} of {many} walks were over"
            raise Interrupted(
                together(type(game).__name__, found, seed, time.perf_counter() - began, stopped)
            ) from None
    return together(type(game).__name__, found, seed, time.perf_counter() - began)


def walks_of(data: dict[str, Any]) -> Doer:
    """At a worker: does walks."""
    game, how = find(data["game"]), data["how"]

    def do(order: Order) -> dict[str, Any]:
        return check(game, **how, walk=order.number, on_progress=lambda progress: order.tell()).to_json()

    return do


def together(game: str, found: dict[int, Report], seed: int, seconds: float, stopped: str = "") -> Report:
    """One report of all walks: of each law the first that broke it. States that several walks saw count for each."""
    reports = [found[number] for number in sorted(found)]
    violations: dict[str, Violation] = {}
    warnings: dict[str, Violation] = {}
    laws: dict[str, int] = {}
    for report in reports:
        for law, times in report.laws.items():
            laws[law] = laws.get(law, 0) + times
        for every, those in ((violations, report.violations), (warnings, report.warnings)):
            for one in those:
                every.setdefault(one.law, one)
    notes = dict.fromkeys(note for report in reports for note in report.notes)
    return Report(
        game=game,
        violations=tuple(violations.values()),
        warnings=tuple(warnings.values()),
        notes=tuple(notes),
        states=sum(report.states for report in reports),
        ends=sum(report.ends for report in reports),
        complete=any(report.complete for report in reports) and not stopped,
        laws=laws,
        seed=seed,
        seconds=seconds,
        stopped=stopped,
    )


__all__ = ["check_by_workers", "together", "walks_of"]
