"""`plyforge solve` with a folder of endings: build it, verify it, say what is in it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from plyforge.cli import options
from plyforge.cli.report import print_rows
from plyforge.contract import Game, defines
from plyforge.contract.value_words import short_name

TAKES = {"pieces": {"table", "threads", "memory_mib", "pieces", "workers", "where"}, "verify": {"table", "verify"}}
"""The options of each job on a database."""


def solve_endings(game: Game, text: str | None, asked: dict[str, Any], native: bool | None, as_json: bool) -> bool:
    """What `plyforge solve` does with a database beside looking a position up: build, verify, describe. False if it was
    not asked for that."""
    folder: str | None = asked.get("table")
    job = next((job for job in TAKES if job in asked), None)
    if job is None:
        for option, flag in {"memory_mib": "memory-mib", "workers": "workers", "where": "on"}.items():
            if option in asked:
                raise click.UsageError(f"--{flag} is for --pieces", click.get_current_context())
        if text is not None or folder is None or not defines(game.tablebase, "index") or not Path(folder).is_dir():
            return False
    if "pieces" in asked and "verify" in asked:
        raise click.UsageError("build first (--pieces), then --verify", click.get_current_context())
    for option in asked:
        if option not in TAKES.get(str(job), {"table"}):
            flag = option.replace("_", "-")
            raise click.UsageError(f"--{flag} means nothing for a database of endings", click.get_current_context())
    call = Endings(game, folder, native, as_json)
    if job == "pieces":
        call.build(asked)
    elif job == "verify":
        call.verify()
    else:
        call.describe()
    return True


class Endings:
    """One call of the verb, for a database of endings."""

    def __init__(self, game: Game, folder: str | None, native: bool | None, as_json: bool) -> None:
        if folder is None:
            raise click.UsageError("name the folder of the database: --table DIR", click.get_current_context())
        self.game, self.folder, self.native, self.as_json = game, Path(folder), native, as_json

    def build(self, asked: dict[str, Any]) -> None:
        from plyforge.solve.endings.build import build
        from plyforge.solve.endings.by_workers import build_by_workers

        pieces = asked["pieces"]
        self._require_numbered(pieces)
        progress = BuildLine()
        how = {name: asked[name] for name in ("threads", "memory_mib", "workers", "where") if name in asked}
        shared = "workers" in how or "where" in how
        try:
            with options.quiet_fallback():
                builds: Callable[..., Any] = build_by_workers if shared else build
                built = builds(self.game, pieces, self.folder, native=self.native, on_progress=progress, **how)
        except KeyboardInterrupt:
            progress.clear()
            self._interrupted(progress)
            raise click.exceptions.Exit(130) from None
        finally:
            progress.clear()
        if self.as_json:
            options.print_json({"game": str(self.game), "pieces": pieces, **built.to_json()})
            return
        rate = built.states / max(built.seconds, 1e-9)
        speed = "compiled" if built.native else "interpreted"
        done = (
            f"{built.built} of {built.slices} slices, {built.states:,} states, {built.seconds:.1f} s, {rate:,.0f}"
            f" states a second, {speed}"
        )
        rows = [
            ("database", f"{self.folder}, endings of up to {pieces} pieces"),
            ("built", done if built.built else "nothing: all slices were there already"),
            ("states", self._counts(built.counts)),
            (
                "on disk",
                f"{built.values_bytes / 2**20:,.1f} MiB, {built.bits_per_state:.2f} bits a state;"
                f" distances {built.distances_bytes / 2**20:,.1f} MiB",
            ),
            ("farthest end", f"{built.longest} plies away"),
        ]
        print_rows(None, None, rows)

    def _require_numbered(self, pieces: int) -> None:
        """Raise where the game numbers no endings of so many pieces: they would be fewer than was asked for."""
        from plyforge.endings.database import require_index
        from plyforge.errors import BadLimits

        require_index(self.game)
        every = len(self.game.tablebase.slices(self.game, pieces))
        most = next(
            (fewer for fewer in range(1, pieces) if len(self.game.tablebase.slices(self.game, fewer)) == every), pieces
        )
        if every and most < pieces:
            raise BadLimits(
                f"pieces is {pieces}; {type(self.game).__name__} numbers its endings of up to {most} pieces, and none"
                " with more"
            )

    def _interrupted(self, progress: BuildLine) -> None:
        last = progress.last
        finished = 0 if last is None else last.number - 1
        number = 0 if last is None else last.slices
        if self.as_json:
            options.print_json(
                {"interrupted": True, "finished": finished, "slices": number, "folder": str(self.folder)}
            )
        what = f"{finished} of {number} slices were finished now; what is finished is in {self.folder}"
        what = "before the first slice was begun" if last is None else what
        click.echo(f"\nstopped: {what}; the same command goes on from there", err=True)

    def verify(self) -> None:
        from plyforge.endings.database import Database
        from plyforge.solve.endings.verify import verify_database

        database = Database.open(self.folder, self.game, checksums=True)
        progress = VerifyLine(database.states)
        try:
            with options.quiet_fallback():
                verified = verify_database(database, native=self.native, on_progress=progress)
        finally:
            progress.clear()
        if self.as_json:
            options.print_json({"game": str(self.game), "folder": str(self.folder), **verified.to_json()})
            return
        rate = verified.states / max(verified.seconds, 1e-9)
        print_rows(
            None,
            None,
            [
                (
                    "verified",
                    f"every value and distance in {self.folder} follows from the next: {verified.slices} slices",
                ),
                ("states", self._counts(verified.counts)),
                ("looked at", f"in {verified.seconds:.1f} s, {rate:,.0f} states a second"),
            ],
        )

    def describe(self) -> None:
        from plyforge.endings.database import Database

        database = Database.open(self.folder, self.game)
        slices = [
            {
                "slice": file.header["slice"],
                "states": file.header["size"],
                **file.header["counts"],
                "longest": file.header["longest"],
            }
            for file in database.files.values()
        ]
        if self.as_json:
            options.print_json(
                {
                    "game": str(self.game),
                    "folder": str(self.folder),
                    "pieces": database.pieces,
                    "states": database.states,
                    "counts": database.counts,
                    "bits_per_state": database.bits_per_state,
                    "longest": database.longest,
                    "slices": slices,
                }
            )
            return
        print_rows(
            None,
            None,
            [
                ("database", f"{self.folder}, endings of up to {database.pieces} pieces"),
                ("slices", f"{len(slices)}: {database.describe()}"),
                ("states", self._counts(database.counts)),
                ("on disk", f"{database.bits_per_state:.2f} bits a state"),
                ("farthest end", f"{database.longest} plies away"),
            ],
        )

    def _counts(self, counts: dict[str, int]) -> str:
        first = short_name(self.game, 0)
        return (
            f"{sum(counts.values()):,}: {first} wins {counts['win']:,}, draws {counts['draw']:,}, loses"
            f" {counts['loss']:,}"
        )


class BuildLine(options.ProgressLine):
    """The progress line of a build: which slice, how much of all, how much time is left."""

    def __init__(self) -> None:
        super().__init__()
        self.last: Any = None

    def __call__(self, progress: Any) -> None:
        self.last = progress
        super().__call__(progress)

    def text(self, progress: Any) -> str:
        part = 100 * progress.states / max(1, progress.all_states)
        left = "" if progress.left is None or progress.seconds < 1 else f", about {_time(progress.left)} left"
        return (
            f"{_time(progress.seconds)}{left} (Ctrl-C stops), slice {progress.slice}, {progress.number} of"
            f" {progress.slices}, {part:.0f} % of {progress.all_states:,} states"
        )


class VerifyLine(options.ProgressLine):
    """The progress line of a verification."""

    def __init__(self, states: int) -> None:
        super().__init__()
        self.states = states

    def text(self, progress: Any) -> str:
        spent = time.perf_counter() - self.began
        part = min(1.0, progress.nodes / max(1, self.states))
        left = f", about {_time(spent * (1 - part) / part)} left" if part > 0 else ""
        return f"{_time(spent)}{left} (Ctrl-C stops), {100 * part:.0f} % of {self.states:,} states verified"


def _time(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
