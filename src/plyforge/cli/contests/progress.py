"""How far a contest is: games played, and how it stands."""

from __future__ import annotations

import sys
import time
from typing import Any, Self

import click

from plyforge.cli import options

PREPARING = "making the players ready"


class GamesProgress:
    """A bar on standard error with a few words. Where that is no terminal: a line, at most one a minute."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.began = self.logged = time.perf_counter()
        self._bar: Any = None
        self._task: Any = None

    @property
    def seconds(self) -> float:
        """Since it began, here."""
        return time.perf_counter() - self.began

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=20),
                MofNCompleteColumn(),
                TimeRemainingColumn(elapsed_when_finished=True),
                console=Console(stderr=True),
                transient=True,
                speed_estimate_period=600.0,
            )
            self._bar.start()
            self._task = self._bar.add_task(PREPARING, total=self.games)
        return self

    def __exit__(self, *exception: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def tell(self, played: int, text: str) -> None:
        """So many games are over, and that is how it stands."""
        text = text if played else PREPARING
        if self._bar is not None:
            self._bar.update(self._task, completed=played, description=text)
        elif time.perf_counter() - self.logged >= options.LOG_EVERY:
            self.logged = time.perf_counter()
            click.echo(f"{played} of {self.games} games: {text}", err=True)
