"""A rules file that was named on the command line: loaded, looked at by the checker, and watched.

Loading runs somebody's code, and can fail in any way or never come back: so it has a thread of its own, in the studio
also a process of its own (`away.py`), and a file that fails does not harm the others. What was loaded stays in use
until somebody asks for it to be loaded anew, also while the file on disk is being edited, and also if the new text does
not load. The checker runs in a process of its own, for a few seconds: it draws random numbers, uses the processor, and
may have to be ended.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadRules, PlyforgeError
from plyforge.games.catalog import class_in_file, files_of, make
from plyforge.studio.library.cards import OWN, card, title
from plyforge.studio.server import limits

PATIENCE = 10.0
"""Seconds that a page's request waits for a file that is being loaded."""
GRACE = 60.0
"""Seconds that the checking process may take beyond its time, to start and to end; a busy machine needs some."""


LONGEST_MESSAGE = 300
"""Letters of an exception's own words."""


class OwnRules:
    """One file; see the module's text."""

    def __init__(self, name: str, spec: str, on_change: Callable[[OwnRules], object]) -> None:
        """`spec` is `rules.py`, or `rules.py:Class`. `on_change` is called, in any thread, when the card has
        changed."""
        self.name, self.spec, self.on_change = name, spec, on_change
        self.cls: type[Game] | None = None
        """What is in use."""
        self.error = ""
        """Why the file could not be loaded the last time."""
        self.changed = False
        """True if the file on disk is not the one that was loaded."""
        self.report: dict[str, Any] | None = None
        """What the checker said of what is in use."""
        self.stage = "loading"
        """loading, checking or done."""
        self.changes = 0
        """How often the card has changed. An answer and a piece of news can overtake each other: of two cards, the
        one with more changes is the newer one."""
        self._shown: dict[str, Any] = {}
        self._stamps: dict[Path, int] = {}
        self._loaded = threading.Event()
        self._lock, self._telling = threading.Lock(), threading.Lock()

    @property
    def path(self) -> Path:
        """Where it is."""
        file, _, wanted = self.spec.partition(".py:")
        return Path(f"{file}.py" if wanted else file)

    def load(self) -> None:
        """Load the file, or load it anew, in the background."""
        threading.Thread(target=self._work, daemon=True, name=f"studio loads {self.name}").start()

    def game(self, arguments: str = "") -> Game:
        """The game in use, with arguments as text, "(size=4)" or "". Raises BadRules if there is none."""
        if not self._loaded.wait(PATIENCE):
            raise BadRules(f"{self.path.name} is still being loaded: does it wait for something?")
        if self.cls is None:
            raise BadRules(self.error)
        return make(self.cls, self.name, arguments)

    @property
    def playable(self) -> bool:
        """True if there is a game in use."""
        return self.cls is not None

    @property
    def shown(self) -> dict[str, Any]:
        """What the card says of the game in use."""
        return self._shown

    def stop(self) -> None:
        """End whatever runs, where that can be done."""

    def card(self) -> dict[str, Any]:
        """What the home page shows."""
        changes = self.changes  # read first: what else has changed meanwhile comes again, as news
        return {
            "name": self.name,
            "changes": changes,
            "title": title(self.name),
            "group": OWN,
            "own": True,
            **self._shown,
            "file": self.spec,
            "stage": self.stage,
            "playable": self.playable,
            "changed": self.changed,
            "error": self.error,
            "report": self.report,
        }

    def look(self) -> None:
        """See whether the file, or one of those that it imports from its folder, has changed."""
        stamps = self._stamps
        changed = any(_stamp(file) != stamp for file, stamp in stamps.items())
        with self._telling:
            if not changed or self.changed or self.stage == "loading" or stamps is not self._stamps:
                return  # the last: it has been loaded anew while we looked
            self.changed = True
        self._tell()

    # ------------------------------------------------------------ in threads of their own
    def bring(self, *given: Any) -> dict[Path, int]:
        """Load the file in this thread: what was loaded is in use then, or `error` says why not. Gives the files
        that were read, with their stamps."""
        stamps = {self.path: _stamp(self.path)}
        try:
            self._take(*given)
            self.error, self.report = "", None
        except PlyforgeError as error:
            self.error = str(error)
        except BaseException as error:  # anyone's code; it may also try to end the program
            self.error = raised(error)
        stamps |= self._files()
        with self._telling:
            self._stamps, self.changed = stamps, False
        self._loaded.set()
        return stamps

    def _take(self, *given: Any) -> None:
        cls = class_in_file(self.spec)
        shown = card(self.name, make(cls, self.name), own=True)
        self.cls, self._shown = cls, shown

    def _files(self) -> dict[Path, int]:
        return files_of(self.path)

    def _reported(self) -> None:
        """The checker has said something."""

    def _work(self, *given: Any) -> None:
        with self._lock:
            self._become("loading")
            self.bring(*given)
            if self.error:
                self._become("done")
                return
            self._become("checking")
            report = checked(self.spec)
            if report is not None:
                self.report = report
                self._reported()
            self._become("done")

    def _become(self, stage: str) -> None:
        self.stage = stage
        self._tell()

    def _tell(self) -> None:
        with self._telling:  # of two pieces of news only the one that was told last may arrive
            self.changes += 1
            self.on_change(self)


_checkers = threading.Semaphore(1)
"""One at a time: the machine is for whoever plays."""


def checked(spec: str) -> dict[str, Any] | None:
    """What `plyforge check` says of a file: its report as JSON, cut to what a card shows; None if it could not be
    had."""
    program = [sys.executable, "-m", "plyforge", "check", spec, "--json", "--interpreted"]
    with _checkers:
        try:
            done = subprocess.run(
                [*program, "--seconds", f"{limits.CHECK_SECONDS:g}"],
                capture_output=True,
                text=True,
                timeout=limits.CHECK_SECONDS + GRACE,
                stdin=subprocess.DEVNULL,
            )
            report = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, OSError, ValueError):
            return None
    return {key: report[key] for key in ("ok", "violations", "warnings", "states", "complete")}


def words(error: BaseException) -> str:
    """What an exception says, cut; somebody's own kind of exception may fail at that too."""
    try:
        said = str(error)
    except Exception:
        return ""
    return said if len(said) <= LONGEST_MESSAGE else f"{said[:LONGEST_MESSAGE]} ..."


def raised(error: BaseException) -> str:
    """What to say of an exception of somebody's rules."""
    said = words(error)
    return f"the rules raised {type(error).__name__}{f': {said}' if said else ''}"


def _stamp(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


__all__ = ["OwnRules", "checked", "raised", "words"]
