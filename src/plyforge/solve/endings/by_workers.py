"""Building a database by many workers: an order is a slice, and what it leads to is built before it.

    build_by_workers(pf.load("checkers"), pieces=5, folder="/shared/checkers-5", workers=2)

Workers share a folder, which must have the same path on all machines. A few states of a slice show which others it
leads to, and it waits for those; should a worker find that it leads to another one that is not there, it says so, and
the slice waits again.

Claim: the files are those of one process, byte for byte. A worker that dies costs the slice that it was at. How many
slices can be in work at once is the rules' choice: all states of checkers up to 6 pieces take at least a quarter of the
time that one worker needs, however many there are. On one machine threads share the memory that workers don't; so a
worker for each machine, with a thread for each core, is the way to use several.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from plyforge.contract import Game
from plyforge.contract.naming import name_of
from plyforge.errors import PlyforgeError
from plyforge.games import load
from plyforge.games.as_text import game_text, rules_files
from plyforge.search.running.control import Control
from plyforge.solve.endings.build import MEMORY_MIB, Builder, builder_for
from plyforge.solve.endings.report import BuildProgress, Built
from plyforge.work import Coordinator, Doer, Order, Terms, hire

KIND = "plyforge.solve.endings.by_workers:slices_of"
PATIENCE = 3600.0
"""Seconds in which a worker must be heard of: what runs interpreted tells nothing before it is done."""


def build_by_workers(
    game: Game | str,
    pieces: int,
    folder: str | Path,
    *,
    workers: int | None = None,
    where: str | Iterable[str] = (),
    threads: int = 1,
    memory_mib: float = MEMORY_MIB,
    native: bool | None = None,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> Built:
    """What `build` does, by workers that each have so many threads and so much memory."""
    game, folder = load(game), Path(folder).resolve()
    builder = builder_for(game, pieces, folder, threads, memory_mib, native=False)  # it builds nothing itself
    data = {
        "game": game_text(game),
        "pieces": pieces,
        "folder": str(folder),
        "threads": threads,
        "memory_mib": memory_mib,
        "native": native,
    }
    with builder.alone_in_folder():
        began, leads_to = time.perf_counter(), builder.todo()
        is_native = False
        if leads_to:
            with hire(Terms.of(KIND, data, rules_files(game)), where or "local", workers) as crew:
                coordinator = Coordinator(crew, patience=PATIENCE, doubles=False, one="slice")
                is_native = _Schedule(builder, coordinator, leads_to, on_progress).run()
        return replace(builder.built(list(leads_to), began), native=is_native)


class _Schedule:
    """Which slices wait for which."""

    def __init__(
        self,
        builder: Builder,
        coordinator: Coordinator,
        leads_to: dict[int, set[int]],
        on_progress: Callable[[BuildProgress], None] | None,
    ) -> None:
        self.builder, self.coordinator, self.tell = builder, coordinator, on_progress
        self.waits = {code: others & set(leads_to) for code, others in leads_to.items()}
        """Slices that are neither finished nor out, and what they wait for."""
        self.finished: set[int] = set()
        self.given: dict[int, int] = {}
        """The slice of each order. One that had to wait is another order the next time."""
        self.all_states = sum(map(builder.size_of, leads_to))
        self.began = time.perf_counter()

    def run(self) -> bool:
        """Until all slices are there. True if they were built by compiled code."""
        many, states, every_native = len(self.waits), 0, True
        for number, (missing, is_native) in self.coordinator.results(self._next()):
            code = self.given[number]
            every_native = every_native and is_native
            if missing is not None:
                self.waits[code] = {missing} - self.finished
            else:
                if self.builder.there(code) is None:
                    raise PlyforgeError(
                        f"a worker has built the slice {self.builder.name_of(code)}, and it is not in"
                        f" {self.builder.folder}: workers on other machines need a folder that all of them share, under"
                        " the same path"
                    )
                self.finished.add(code)
                states += self.builder.size_of(code)
                for others in self.waits.values():
                    others.discard(code)
            self.coordinator.more(self._next())
            if missing is None and self.tell is not None:
                place, seconds = len(self.finished), time.perf_counter() - self.began
                self.tell(BuildProgress(self.builder.name_of(code), place, many, states, self.all_states, seconds))
        return every_native

    def _next(self) -> dict[int, int]:
        """The slices that wait for nothing any more, as orders."""
        ready = [code for code, others in self.waits.items() if not others]
        orders = {len(self.given) + number: code for number, code in enumerate(ready)}
        for code in ready:
            del self.waits[code]
        self.given.update(orders)
        return orders


class _Waits(Exception):
    """A slice leads to another one, which is not there yet."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


class _SliceBuilder(Builder):
    """A builder that is not alone."""

    def not_there(self, code: int, asking: int) -> Exception:
        order = list(self.kinds)
        return _Waits(code) if order.index(code) < order.index(asking) else super().not_there(code, asking)


def slices_of(data: dict[str, Any]) -> Doer:
    """At a worker: builds slices."""
    game, folder = load(data["game"]), Path(data["folder"])
    if not folder.is_dir():
        raise PlyforgeError(
            f"{folder} is not there for the worker: {name_of(game)}'s slices need a folder that all share"
        )
    builder = _SliceBuilder(game, data["pieces"], folder, data["threads"], data["memory_mib"], data["native"])

    def do(order: Order) -> tuple[int | None, bool]:
        missing = None
        if builder.there(order.given) is None:  # else by a worker that died before it could say so
            try:
                builder.build_slice(order.given, lambda states: order.tell(), Control())
            except _Waits as waits:
                missing = waits.code
        return missing, builder.native

    return do


__all__ = ["build_by_workers", "slices_of"]
