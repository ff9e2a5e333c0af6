"""Building an endgame database: retrograde analysis of all states of a slice at once, slice after slice.

    build(pf.load("checkers"), pieces=4, folder="checkers-4")

Rules that number their endings (`slices`, `index`, `state_at`) say in which order: the actions of a slice lead into
itself or into slices before it, whose values are known. For one slice:

1. Count. Every state is made from its number and its actions are taken. Those that stay in the slice are counted where
   they lead to; those that leave it say which other slices are needed.
2. Fill. The same again, with the needed slices in memory. Each action that stays becomes an entry in the list of what
   leads to a state; those that leave it say at once what the mover can have at least: a win in so many plies, a draw,
   or nothing.
3. Look back. Layer n holds the states that end in n plies. What leads to a state lost for whoever moves is a win in n +
   1; a state all of whose actions are lost is lost in n + 1, or later where leaving the slice takes longer. What is
   left when no layer follows is a draw: nobody can force an end.

Steps 1 and 2 take almost all the time and are shared by the threads, each with a part of the numbers and with counts of
its own, so the lists come out the same whatever the threads do.

Claim: values and distances are exact, as `retrograde.py` defines them, for utilities above, at and below the middle of
the bounds, which is what an endless game is worth. Nothing assumes that turns alternate. Invariant: a finished slice is
on disk (see `endings/files.py`) before the next is begun, so a killed process costs at most the slice in work; building
again goes on with it. Memory: 4 bytes a state for its value, distance and counter, 4 a thread for the lists' places, 4
for each action that stays in the slice, and 2 for each state of the slices it leads to.

Thompson, "Retrograde analysis of certain endgames" (1986); Lake, Schaeffer, Lu, "Solving large retrograde analysis
problems using a network of workstations" (1994), which did this for checkers.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.contract.naming import name_of, text_of
from plyforge.endings.database import about_slice, require_index
from plyforge.endings.files import (
    CHUNK,
    DISTANCES,
    DRAW,
    LOSS,
    VALUES,
    WIN,
    SliceFile,
    distances_path,
    pack_values,
    unpack_values,
    values_path,
    why_not_written,
    write_distances,
    write_values,
)
from plyforge.errors import BadLimits, BadRules, PlyforgeError, Unsuitable
from plyforge.games import load
from plyforge.kernel import STOPPED
from plyforge.kernel.entry import coerce
from plyforge.kernel.storage.block import address_of, new_block
from plyforge.search.core.requirements import TWO_PLAYERS_NO_CHANCE
from plyforge.search.running.control import Control, stop_kernel
from plyforge.search.running.runner import Work
from plyforge.search.running.speed import bind_for
from plyforge.solve.endings.kernels import (
    LEADS_OUT,
    MOST_CODES,
    MOST_STATES,
    MOST_STAYING,
    NEVER,
    TOO_LONG,
    TOO_MANY,
    VISIT,
    finish,
    lay_out,
    look_back,
    read_words,
    visit_states,
)
from plyforge.solve.endings.report import BuildProgress, Built
from plyforge.solve.graph.retrograde import endless_value, stopped
from plyforge.work import cores

TRIED = 48
"""States of a slice that are looked at to guess how much memory it takes."""
CAUTION = 1.2
"""By how much a guess may be too small."""
MEMORY_MIB = 4096.0
PATIENCE = 0.02
"""Seconds between two looks at Ctrl-C."""


def build(
    game: Game | str,
    pieces: int,
    folder: str | os.PathLike[str],
    *,
    threads: int | None = None,
    memory_mib: float = MEMORY_MIB,
    native: bool | None = None,
    on_progress: Callable[[BuildProgress], None] | None = None,
    control: Control | None = None,
) -> Built:
    """Build all endings of up to `pieces` pieces in a folder, or those that are not there yet.

    `threads`: as many as there are processors, unless said otherwise. `memory_mib`: a slice that needs more is refused
    before anything is begun. `control` stops it from another thread, with an error; whatever was finished stays, and
    the same call goes on from there.
    """
    builder = builder_for(load(game), pieces, Path(folder), cores() if threads is None else threads, memory_mib, native)
    with builder.alone_in_folder():
        return builder.build(on_progress, control or Control())


def builder_for(game: Game, pieces: int, folder: Path, threads: int, memory_mib: float, native: bool | None) -> Builder:
    """A builder, all that it is told checked."""
    if not game.hidden_information:
        require_index(game)
    TWO_PLAYERS_NO_CHANCE.check(game, "a database of endings")
    if not isinstance(pieces, int) or isinstance(pieces, bool) or pieces < 1:
        raise BadLimits(f"pieces is {pieces!r}; it must be a whole number, at least 1")
    if not isinstance(threads, int) or threads < 1:
        raise BadLimits(f"threads is {threads!r}; it must be a whole number, at least 1")
    if not memory_mib > 0:
        raise BadLimits(f"memory_mib is {memory_mib!r}; it must be a positive number")
    return Builder(game, pieces, folder, threads, memory_mib, native)


class Builder:
    """One build: its slices, the finished ones that are in memory, its threads."""

    def __init__(
        self, game: Game, pieces: int, folder: Path, threads: int, memory_mib: float, native: bool | None
    ) -> None:
        self.game, self.pieces, self.folder, self.threads = game, pieces, folder, threads
        self.memory = memory_mib * 2**20
        self.endless = endless_value(game, None)
        if game.players == 2 and game.utility_sum != 2.0 * self.endless:
            raise Unsuitable(
                f"in {name_of(game)} a draw is not worth the same to both sides (min_utility {game.min_utility:g},"
                f" max_utility {game.max_utility:g}, utility_sum {game.utility_sum:g}), so they can't be exchanged:"
                " mend the bounds"
            )
        self.kinds = {int(game.tablebase.slice_code(game, kind)): kind for kind in game.tablebase.slices(game, pieces)}
        """All slices by their code, in the order in which they are built."""
        if not self.kinds:
            raise BadLimits(f"{name_of(game)} has no endings of up to {pieces} pieces: try more")
        if not 0 <= min(self.kinds) <= max(self.kinds) < MOST_CODES:
            raise BadRules(
                f"{name_of(game)}: the codes of slices go from {min(self.kinds)} to {max(self.kinds)}; they must be"
                f" from 0 to {MOST_CODES - 1}"
            )
        self.words: dict[int, np.ndarray] = {}
        """Finished slices that are in memory, those used last at the end."""
        self.codes = max(self.kinds) + 1
        self._compile(native)

    def _compile(self, native: bool | None) -> None:
        """All kernels at the speed that was chosen."""
        bound = bind_for(self.game, visit_states, *self._arguments_of_nothing(), native=native)
        self.visit, self.native, self.compiled = bound.function, bound.is_native, bound.compiled
        marks, layers, wide = np.zeros(1, np.uint8), np.zeros(1, np.uint16), np.zeros(1, np.uint32)
        examples: dict[Any, tuple[Any, ...]] = {
            lay_out: (np.zeros((1, 1), np.uint32),),
            look_back: (VISIT, 0, marks, layers, marks, wide, wide),
            finish: (marks, layers, layers, np.zeros(5, np.int64)),
            pack_values: (marks, marks, wide),
            unpack_values: (marks, wide, marks),
        }
        speed = native if self.native else False
        self._chosen = {
            function: bind_for(self.game, function, *example, native=speed).function
            for function, example in examples.items()
        }

    def _arguments_of_nothing(self) -> tuple[Any, ...]:
        marks, layers, wide = np.zeros(1, np.uint8), np.zeros(1, np.uint16), np.zeros(1, np.uint32)
        numbers = np.zeros(1, np.int64)
        return (self.game, VISIT, 0, 0, 0, 0.0, marks, layers, marks, wide, wide, marks, numbers, numbers)

    def _new_memory(self) -> Any:
        return VISIT.new(self.compiled)

    # ------------------------------------------------------------ the folder
    @contextlib.contextmanager
    def alone_in_folder(self) -> Iterator[None]:
        """Make the folder, keep other builders out of it, and clear away what a killed one left half written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.folder / ".building", os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise PlyforgeError(why_not_written(self.folder, 0, error)) from error
        try:
            try:
                import fcntl

                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except ImportError:
                pass
            except OSError:
                raise PlyforgeError(
                    f"another process is building in {self.folder}: wait for it, or name another folder"
                ) from None
            for left in self.folder.glob(".plyforge-*.part"):
                left.unlink(missing_ok=True)
            yield
        finally:
            os.close(lock)

    def there(self, code: int) -> SliceFile | None:
        """The values of a slice that is finished, checked; None if it is not there."""
        kind = self.kinds[code]
        name = self.game.tablebase.format_slice(self.game, kind)
        values, distances = values_path(self.folder, name), distances_path(self.folder, name)
        if not values.exists():
            return None
        about = about_slice(self.game, kind, self.endless)
        file = SliceFile(values, VALUES)
        file.require(about)
        file.check()
        beside = SliceFile(distances, DISTANCES)
        beside.require(about)
        beside.check()
        return file

    # ------------------------------------------------------------ all slices
    def build(self, on_progress: Callable[[BuildProgress], None] | None, control: Control) -> Built:
        began = time.perf_counter()
        todo = list(self.todo())
        all_states, done = sum(self.size_of(code) for code in todo), 0

        for number, code in enumerate(todo, 1):
            name = self.name_of(code)

            def report(looked_at: int, name: str = name, number: int = number, done: int = done) -> None:
                if on_progress is not None:
                    seconds = time.perf_counter() - began
                    on_progress(BuildProgress(name, number, len(todo), done + looked_at // 2, all_states, seconds))

            report(0)
            self.build_slice(code, report, control)
            done += self.size_of(code)

        return self.built(todo, began)

    def built(self, todo: list[int], began: float) -> Built:
        """What the folder has, now that all slices are there; `todo` were made since `began`."""
        headers = [
            SliceFile(values_path(self.folder, self.game.tablebase.format_slice(self.game, kind)), VALUES).header
            for kind in self.kinds.values()
        ]
        paths = [
            (values_path(self.folder, header["slice"]), distances_path(self.folder, header["slice"]))
            for header in headers
        ]
        return Built(
            folder=self.folder,
            slices=len(self.kinds),
            built=len(todo),
            states=sum(self.size_of(code) for code in todo),
            counts={name: sum(header["counts"][name] for header in headers) for name in ("win", "draw", "loss")},
            values_bytes=sum(path.stat().st_size for path, _ in paths),
            distances_bytes=sum(path.stat().st_size for _, path in paths),
            longest=max(header["longest"] for header in headers),
            seconds=time.perf_counter() - began,
            native=self.native,
        )

    def todo(self) -> dict[int, set[int]]:
        """The slices that are not there, in order, each with slices that it leads to: those that a few of its states
        show. Raises before anything is begun if one won't fit."""
        return {code: self._require_room(code) for code in self.kinds if self.there(code) is None}

    def size_of(self, code: int) -> int:
        """The states of a slice."""
        return int(self.game.tablebase.slice_size(self.game, self.kinds[code]))

    def name_of(self, code: int) -> str:
        """A slice as its game writes it."""
        return str(self.game.tablebase.format_slice(self.game, self.kinds[code]))

    def _require_room(self, code: int) -> set[int]:
        """Raise if a slice won't fit. Some of the slices that it leads to."""
        size, name = self.size_of(code), self.name_of(code)
        if size >= MOST_STATES:
            raise BadLimits(
                f"the slice {name} of {name_of(self.game)} has {size:,} states; {MOST_STATES - 1:,} are the most"
            )
        staying, leading = self._guess(code, size)
        wanted = size * (6 + 4 * self.threads) + 4 * CAUTION * staying * size
        wanted += sum(2 * self.size_of(other) for other in leading)
        if wanted > self.memory:
            raise BadLimits(
                f"the slice {name} of {name_of(self.game)} has {size:,} states and needs about {wanted / 2**20:,.0f}"
                f" MiB of memory, more than the {self.memory / 2**20:,.0f} that are allowed: allow more (--memory-mib),"
                " or build for fewer pieces"
            )
        return leading

    def _guess(self, code: int, size: int) -> tuple[float, set[int]]:
        """How many actions of a state stay in the slice, on average, and which slices are led to, by a few states."""
        game, staying, leading = self.game, 0, set()
        tried = min(TRIED, size)
        for number in range(tried):
            state = coerce(game.tablebase.state_at(game, code, (2 * number + 1) * size // (2 * tried)))
            if not game.tablebase.index_valid(game, state) or game.terminal(state):
                continue
            for action in game.actions(state):
                there = int(
                    game.tablebase.slice_of(game, game.tablebase.canonical(game, game.result(state, action))[0])
                )
                staying += there == code
                if there >= 0 and there != code and there in self.kinds:
                    leading.add(there)
        return staying / tried, leading

    # ------------------------------------------------------------ one slice
    def build_slice(self, code: int, report: Callable[[int], None], control: Control) -> None:
        kind, size = self.kinds[code], self.size_of(code)
        marks, layers, counters = (np.zeros(size, np.uint8), np.zeros(size, np.uint16), np.zeros(size, np.uint8))
        places = np.zeros((self.threads, size), np.uint32)
        needed = np.zeros(self.codes, np.uint8)
        word_at, word_count = np.zeros(self.codes, np.int64), np.zeros(self.codes, np.int64)
        memories = [self._new_memory() for _ in range(self.threads)]

        def visit(entries: np.ndarray, fill: int) -> None:
            parts = [size * part // self.threads for part in range(self.threads + 1)]
            works = []
            for thread, memory in enumerate(memories):
                memory.filling, memory.scheduled = fill, 0
                arrays = (marks, layers, counters, places[thread], entries, needed, word_at, word_count)
                begin, end = parts[thread], parts[thread + 1]
                works.append(Work(self.visit, (self.game, memory, code, begin, end, self.endless, *arrays), memory))
            self._together(works, report, control)

        visit(np.zeros(0, np.uint32), 0)
        total = int(self._chosen[lay_out](places))
        kept = size * (6 + 4 * self.threads) + 4 * total
        self._make_room(kept, needed, code)
        if total >= 1 << 32:
            raise BadLimits(
                f"the slice {self.game.tablebase.format_slice(self.game, kind)} has {total:,} actions that stay in it,"
                " more than can be listed"
            )
        for other in np.flatnonzero(needed).tolist():
            words = self._words_of(other, code)
            word_at[other], word_count[other] = address_of(words), len(words)
        try:
            entries = np.zeros(total, np.uint32)
        except MemoryError:
            raise PlyforgeError(
                f"{4 * total / 2**20:,.0f} MiB of memory can't be had for the slice"
                f" {self.game.tablebase.format_slice(self.game, kind)}"
            ) from None
        visit(entries, 1)

        memory = self._new_memory()
        memory.scheduled = sum(int(m.scheduled) for m in memories)
        layer = 0
        ends = places[self.threads - 1]
        while memory.scheduled > 0:
            if control.stopped:
                raise stopped()
            if layer >= NEVER:
                raise BadRules(
                    f"a state of {self.game.tablebase.format_slice(self.game, kind)} is more than {NEVER} plies from"
                    " the end"
                )
            work = Work(self._chosen[look_back], (memory, layer, marks, layers, counters, ends, entries), memory)
            self._together([work], lambda _: report(2 * size), control)
            layer += 1

        words = new_block(read_words, size)
        counts = np.zeros(5, np.int64)
        self._chosen[finish](marks, layers, words.view(np.ndarray), counts)
        self.words[code] = words
        self._write(kind, marks, layers, counts)

    def _write(self, kind: Any, values: np.ndarray, distances: np.ndarray, counts: np.ndarray) -> None:
        name = self.game.tablebase.format_slice(self.game, kind)
        about = about_slice(self.game, kind, self.endless) | {
            "pieces": self.pieces,
            "counts": {"win": int(counts[WIN]), "draw": int(counts[DRAW]), "loss": int(counts[LOSS])},
            "longest": int(counts[4]),
        }
        write_distances(distances_path(self.folder, name), about, distances)
        write_values(values_path(self.folder, name), about, values, self._chosen[pack_values])

    # ------------------------------------------------------------ finished slices in memory
    def _make_room(self, kept: int, needed: np.ndarray, code: int) -> None:
        """Forget slices that are not needed now until the needed ones fit; raise if they don't."""
        wanted = [other for other in np.flatnonzero(needed).tolist() if other in self.kinds]
        size = kept + sum(2 * self.size_of(other) for other in wanted)
        if size > self.memory:
            raise BadLimits(
                f"the slice {self.name_of(code)} needs {size / 2**20:,.0f}"
                f" MiB of memory, more than the {self.memory / 2**20:,.0f} that are allowed: allow more (--memory-mib)."
                " The slices before it are finished and stay"
            )
        for other in list(self.words):
            if (
                other not in wanted
                and size + sum(block.nbytes for o, block in self.words.items() if o not in wanted) > self.memory
            ):
                del self.words[other]

    def _words_of(self, code: int, asking: int) -> np.ndarray:
        """A finished slice, as words."""
        if code in self.words:
            self.words[code] = self.words.pop(code)  # used last
            return self.words[code]
        if code not in self.kinds:
            raise BadRules(
                f"{name_of(self.game)}: an action leads from the slice"
                f" {self.name_of(asking)} into one with the code {code},"
                " which is not among the slices"
            )
        file = self.there(code)
        if file is None:
            raise self.not_there(code, asking)
        size = int(file.header["size"])
        values = np.zeros(size, np.uint8)
        self._chosen[unpack_values](file.section("content").copy(), file.section("starts", "<u4").copy(), values)
        words = new_block(read_words, size)
        words[:] = values
        distances = SliceFile(distances_path(self.folder, file.header["slice"]), DISTANCES)
        for chunk in range(-(-size // CHUNK)):
            piece = distances.distances(chunk)
            words[chunk * CHUNK : chunk * CHUNK + len(piece)] |= piece.astype(np.uint16) << 2
        self.words[code] = words
        return words

    def not_there(self, code: int, asking: int) -> Exception:
        """What to raise where a slice leads into one that is not finished."""
        return BadRules(
            f"{name_of(self.game)}: an action leads from the slice {self.name_of(asking)} into {self.name_of(code)},"
            " which comes after it"
        )

    # ------------------------------------------------------------ threads
    def _together(self, works: list[Work], report: Callable[[int], None], control: Control) -> None:
        """Run all to their ends. A stop, Ctrl-C or an error ends all of them."""
        memories = [work.memory for work in works]
        with control.over(memories):
            if len(works) == 1 and not self.compiled:
                works[0]()
            else:
                self._wait(works, memories, report)
        for work in works:
            if work.error is not None:
                raise work.error
        for memory in memories:
            if memory.stop:
                raise stopped()
            if memory.trouble:
                raise self._explain(int(memory.trouble), int(memory.where), works[0])

    def _wait(self, works: list[Work], memories: list[Any], report: Callable[[int], None]) -> None:
        threads = [threading.Thread(target=work, daemon=True, name="plyforge build") for work in works]
        reported = time.perf_counter()
        try:
            for thread in threads:
                thread.start()
            for work in works:
                while not work.ended.wait(PATIENCE):
                    if time.perf_counter() - reported >= 0.25:
                        reported = time.perf_counter()
                        report(sum(int(memory.nodes) for memory in memories))
        except BaseException:
            for memory in memories:
                stop_kernel(memory, STOPPED)
            for thread in threads:
                if thread.ident is not None:
                    thread.join(2.0)
            raise

    def _explain(self, trouble: int, where: int, work: Work) -> BadRules:
        code = work.args[2]
        text = text_of(self.game, coerce(self.game.tablebase.state_at(self.game, code, where)))
        name = f"{name_of(self.game)}: {text}, number {where} of the slice {self.name_of(code)},"
        if trouble == LEADS_OUT:
            return BadRules(f"{name} leads to a state that is in no slice and not the end of the game")
        if trouble == TOO_MANY:
            return BadRules(f"{name} has more than {MOST_STAYING} actions that stay in the slice")
        if trouble == TOO_LONG:
            return BadRules(f"{name} is more than {NEVER} plies from the end")
        return BadRules(f"{name} leads into a slice that comes after it")


__all__ = ["BuildProgress", "Builder", "Built", "build", "builder_for"]
