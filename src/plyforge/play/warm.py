"""Compiling in the background, so that the first move of a cold start never waits.

A search that is not compiled yet runs interpreted. Meanwhile a process of its own, at a lower priority, compiles it
into the cache on disk (`compile.py`): the compiler holds Python's lock for seconds, and inside a server everybody's
requests would wait for it, in a terminal the person. When that process has ended, this one loads what it wrote, in a
thread, which takes a fraction of a second. From then on searches of that game are fast.

What was asked for last is compiled first: somebody is looking at it. Where nobody knows yet who plays the rules best, a
contest follows, in another process yet: compiled code is used meanwhile.

Which searches have been compiled by earlier processes is noted beside the compiled code, in files of the same folder,
by a digest of all that the code depends on: what they name is loaded at once, without the process. If such a note is
wrong, for the code was cleared away, the thread compiles: slower for others, but right.

Where a game can't be named to another process (rules made in this one, with fields that are no plain values), the
thread compiles, too.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import queue
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyforge.contract import Game
from plyforge.errors import PlyforgeError
from plyforge.games.catalog import load
from plyforge.play.compile import compile_search, wants_contest
from plyforge.play.formats.record import game_text

COMMAND, OUT = [sys.executable, "-m", "plyforge.play.compile"], subprocess.DEVNULL
LONGEST = 600.0
"""Seconds after which the compiling process is given up."""

Heard = Callable[[str, str, str], object]
"""Called with the game's name, the search and why it stays interpreted ("" if it is compiled)."""


@dataclasses.dataclass
class Task:
    """One search of one game, on its way to machine code."""

    game: Game
    using: str | None
    label: str
    """What the note on the page calls it."""
    state: str = "waiting"
    """waiting, ready, or never: the rules can't be compiled."""
    why: str = ""
    """Why never."""
    heard: list[Heard] = dataclasses.field(default_factory=list)


class Warm:
    """What is compiled, and what is being compiled; see the module's text. All methods can be called in any thread,
    and none blocks."""

    def __init__(
        self,
        on_change: Callable[[], object] = lambda: None,
        called: Callable[[Game], str] = lambda game: type(game).__name__,
    ) -> None:
        """`on_change` is called when `compiling` has changed; `called` says what people call a game."""
        self.on_change, self.called = on_change, called
        self._tasks: dict[tuple[str, str | None], Task] = {}
        self._queue: queue.LifoQueue[Task | None] = queue.LifoQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[str] | None = None
        self._contests: list[subprocess.Popen[str]] = []
        self._current: Task | None = None
        self._closed = False

    @property
    def compiling(self) -> list[str]:
        """What is on its way, for the note on the page: first what is being compiled, then in the order in which it
        will be."""
        waiting = [task for task in reversed(tuple(self._tasks.values())) if task.state == "waiting"]
        waiting.sort(key=lambda task: task is not self._current)
        return [task.label for task in waiting]

    def native(self, game: Game, using: str | None, heard: Heard | None = None) -> bool | None:
        """What to give a search for `native` now: None if it is compiled, False if it is not, or never will be. `using`
        is its name, or what `compile.code_of` says.

        If it is not yet, that begins, and `heard` is called when it is done.
        """
        if not game.worth_compiling or os.environ.get("NUMBA_DISABLE_JIT") == "1":
            return None
        key = (game.fingerprint(), using)
        with self._lock:
            task = self._tasks.get(key)
            if task is None and not self._closed:
                task = self._tasks[key] = Task(game, using, label(self.called(game), using))
                self._queue.put(task)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, daemon=True, name="plyforge warm")
                    self._thread.start()
            if task is None or task.state == "never":
                return False
            if task.state == "ready":
                return None
            if heard is not None:
                task.heard.append(heard)
        self.on_change()
        return False

    def close(self) -> None:
        """Compile nothing more."""
        self._closed = True
        self._queue.put(None)
        process = self._process
        for each in (process, *self._contests):
            if each is not None:
                each.kill()
        for each in self._contests:
            each.wait()

    # ------------------------------------------------------------ in the thread
    def _run(self) -> None:
        while (task := self._queue.get()) is not None and not self._closed:
            self._current = task
            try:
                native, why = self._compile(task)
            except PlyforgeError as error:
                native, why = False, str(error)
            except BaseException as error:  # the rules run, too: whatever they raise, others wait for the compiler
                traceback.print_exc()
                native, why = False, f"the compiler failed: {type(error).__name__}"
            with self._lock:
                task.state, task.why = ("ready", "") if native else ("never", why)
                heard, task.heard = task.heard, []
            self.on_change()
            for tell in heard:
                tell(type(task.game).__name__, task.using or "", task.why)
            if native:
                with contextlib.suppress(Exception):  # without one, simulations play
                    self._begin_contest(task)

    def _begin_contest(self, task: Task) -> None:
        """In a process of its own, one at a time; whoever comes meanwhile holds none."""
        self._contests = [each for each in self._contests if each.poll() is None]
        if self._contests or self._closed or not wants_contest(task.game, task.using):
            return
        text = text_of(task.game)
        if text is not None:
            process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=OUT, stderr=OUT, text=True)
            self._contests.append(process)
            assert process.stdin is not None
            process.stdin.write(json.dumps({"game": text, "using": task.using, "contest": True}))
            process.stdin.close()

    def _compile(self, task: Task) -> tuple[bool, str]:
        note = note_for(task.game, task.using)
        if note is not None and not note.exists():
            text = text_of(task.game)
            if text is not None:
                native, why = self._in_process({"game": text, "using": task.using})
                if not native:
                    return False, why
        native, why = compile_search(task.game, task.using)
        if native and note is not None:
            note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            note.touch()
        return native, why

    def _in_process(self, request: dict[str, Any]) -> tuple[bool, str]:
        """Have another process compile; what it answers."""
        with subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=OUT, text=True
        ) as self._process:
            if self._closed:
                self._process.kill()
            try:
                written, _ = self._process.communicate(json.dumps(request), timeout=LONGEST)
                answer = json.loads(written)
            except (subprocess.TimeoutExpired, ValueError):
                self._process.kill()
                return False, "the compiler gave up"
            finally:
                process, self._process = self._process, None
                process.poll()
        return bool(answer["native"]), str(answer["why"])


def label(name: str, using: str | None) -> str:
    """What the note calls a search of a game that is being compiled."""
    return f"{name} ({using.partition(':')[0].replace('_', ' ')})" if using else name


def text_of(game: Game) -> str | None:
    """The text by which another process can load the same game; None if there is none."""
    try:
        text = game_text(game)
        same = load(text).fingerprint() == game.fingerprint()
    except PlyforgeError:
        return None
    return text if same else None


def note_for(game: Game, using: str | None) -> Path | None:
    """The file that says that a search is compiled already; None where nothing is kept on disk."""
    try:
        import numpy

        from plyforge.kernel.compiling.cache import directory, usable
        from plyforge.kernel.compiling.compiler import VERSION
        from plyforge.kernel.constant import package_digest
    except ImportError:
        return None
    if not usable(directory()):
        return None
    parts = (
        game.fingerprint(),
        using or "",
        package_digest(),
        sys.version,
        VERSION,
        numpy.__version__,
    )
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    return directory() / f"warm-{digest}.note"


__all__ = ["Warm", "text_of"]
