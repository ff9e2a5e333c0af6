"""The status line of an algorithm that thinks, and the notes that wait until it has gone."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.text import Text

from plyforge.contract import Game
from plyforge.play.terminal.screen import Screen
from plyforge.search import Progress, hearing_of_fall_backs

PATIENCE = 2.0
"""Seconds of thinking before the status line shows."""


class StatusLine:
    """Says who thinks, and how far they have come; shown only on a terminal."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.notes: list[str] = []

    @contextlib.contextmanager
    def thinking(self, name: str, game: Game, screen: Screen) -> Iterator[Callable[[Progress], None]]:
        """A status line from the third second on; gives the function that takes reports of progress."""
        reports: list[Progress] = []
        done = threading.Event()
        began = time.perf_counter()

        def describe() -> str:
            words = f"{name} is thinking, {time.perf_counter() - began:.0f} s"
            if not reports:
                return f"{words} (compiling the rules) - Ctrl-C stops" if game.worth_compiling else words
            depth = f"depth {reports[-1].depth}, " if reports[-1].depth is not None else ""
            return f"{words}, {depth}{reports[-1].nodes:,} nodes - Ctrl-C stops"

        def show() -> None:
            if done.wait(PATIENCE):
                return
            with self.console.status(Text(describe()), spinner="line") as line:
                while not done.wait(0.25):
                    line.update(Text(describe()))

        thread = threading.Thread(target=show, name="plyforge status") if self.console.is_terminal else None
        try:
            if thread is not None:
                thread.start()
            yield lambda progress: reports.__setitem__(slice(None), [progress])
        finally:
            done.set()
            if thread is not None:
                thread.join()
            while self.notes:
                screen.say("", f"Note: {self.notes.pop(0)}")

    @contextlib.contextmanager
    def warnings(self) -> Iterator[None]:
        """Rules that can't be compiled are worth one line, not one at every move."""
        told: set[str] = set()

        def show(message: str) -> None:
            if message not in told:
                told.add(message)
                self.notes.append(message)  # shown when the status line has gone

        with hearing_of_fall_backs(show):
            yield


__all__ = ["StatusLine"]
