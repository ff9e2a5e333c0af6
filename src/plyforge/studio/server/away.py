"""Rules of somebody's own, in a process of their own, which they can't leave: the server's side.

Rules are code, and can do anything: raise SystemExit, end the process, loop for ever, take all memory. So the server
never runs them. Each own file has a process (`away_child.py`), which loads it and holds the desks of the pages that
play it; requests go there, answers and news come back. What ends that process, ends nothing else: pages are told, and
the next request that names the game starts another one.

The two speak JSON, a line for each message, through pipes. What comes back is somebody's code's, and is believed no
more than what comes from a page.

Invariants:
- Nothing here waits for the process but `first`, which has a thread for that.
- What was loaded plays on in its process, also when a later text is loaded into another one, until the last desk there
  is closed.
- However the process ends, each page that has a desk there is told once, and whoever waits for an answer gets one.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from plyforge.contract import Game
from plyforge.errors import BadRules
from plyforge.studio.library.user_rules import OwnRules
from plyforge.studio.server import limits
from plyforge.studio.server.artifacts import Thing
from plyforge.studio.server.frames import write_json

if TYPE_CHECKING:
    from plyforge.studio.server.socket import Page

SOURCES = Path(__file__).resolve().parents[3]
LONGEST_LINE = 2 * limits.MADE_FILE_BYTES
"""Bytes of one message: a file, as text."""
KEY = re.compile(r"[A-Za-z0-9_-]{16}")
"""Of something that was made there for a page to fetch."""

_numbers = itertools.count(1)


class AwayRules(OwnRules):
    """A rules file that runs elsewhere; what the home page shows of it, and its process."""

    def __init__(self, name: str, spec: str, on_change: Callable[[OwnRules], object]) -> None:
        super().__init__(name, spec, on_change)
        self.away: Away | None = None
        """The process in use."""
        self.coming: Away | None = None
        """One that is still loading the file."""
        self.on_compiling: Callable[[], object] = lambda: None
        """Called when what is being compiled there has changed."""
        self._read: dict[Path, int] = {}
        self._starting = threading.RLock()

    @property
    def playable(self) -> bool:
        return bool(self._shown)

    def load(self) -> None:
        with self._starting:
            if self.coming is not None:
                self.coming.stop("the file was loaded anew")
            self.coming = away = Away(self)
        threading.Thread(target=self._work, args=(away,), daemon=True, name=f"studio loads {self.name}").start()

    def process(self) -> Away:
        """Where to send requests; started anew if it has ended. Raises BadRules if the file can't be loaded."""
        with self._starting:
            place = self.away or self.coming
            if place is None:
                if not self.playable:
                    raise BadRules(self.error or f"{self.path.name} is not loaded")
                self.load()
                place = self.coming
            assert place is not None
            return place

    def stop(self) -> None:
        for place in (self.away, self.coming):
            if place is not None:
                place.stop(f"{self.path.name} was stopped")

    @property
    def compiling(self) -> list[str]:
        """What is being compiled there."""
        away = self.away
        return [] if away is None else away.compiling

    def game(self, arguments: str = "") -> Game:
        raise BadRules(f"{self.path.name} runs in a process of its own: begin with its name")

    def ended(self, away: Away) -> None:
        """A process has ended."""
        with self._starting:
            if self.away is away:
                self.away = None
        self.on_compiling()

    # ------------------------------------------------------------ in the thread that loads
    def _take(self, *given: Any) -> None:
        (away,) = given
        said = away.first()
        self._read = said["files"]
        with self._starting:
            if self.coming is away:
                self.coming = None
            before = self.away
            if not said["error"]:
                self.away, self._shown = away, said["card"]
            elif before is None:
                self._shown = {}
        if said["error"]:
            away.stop(said["error"])
            raise BadRules(said["error"])
        if before is not None:
            before.retire()

    def _files(self) -> dict[Path, int]:
        return self._read

    def _reported(self) -> None:
        away = self.away
        if away is not None:
            away.say({"report": self.report})


class Away:
    """One process with one file in it; see the module's text."""

    def __init__(self, rules: AwayRules) -> None:
        self.rules = rules
        self.compiling: list[str] = []
        self._pages: dict[int, tuple[Page, set[str]]] = {}
        """By number: who has desks there, and of which views."""
        self._numbers: dict[Page, int] = {}
        self._said: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._orders: SimpleQueue[str | None] = SimpleQueue()
        self._lock = threading.RLock()
        self._why, self._retired, self._over = "", False, ""
        path = os.pathsep.join([str(SOURCES), *filter(None, [os.environ.get("PYTHONPATH")])])
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "plyforge.studio.server.away_child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": path},
                start_new_session=True,  # Ctrl-C is for the studio; and what it starts ends with it
            )
        except OSError as error:
            raise BadRules(f"no process can be had for {rules.path.name}: {error}") from error
        self.say({"name": rules.name, "spec": rules.spec, "path": sys.path})
        for part in (self._write, self._read, self._watch):
            threading.Thread(target=part, daemon=True, name=f"studio {rules.name}").start()

    # ------------------------------------------------------------ from any thread
    def first(self) -> dict[str, Any]:
        """How loading went: `card`, `error` ("" if it went well) and `files` with their stamps. Waits for it."""
        said = self._said.get()
        files = said.get("files")
        return {
            "card": said.get("card") or {},
            "error": str(said.get("error") or ""),
            "files": {Path(name): int(stamp) for name, stamp in files.items()} if isinstance(files, dict) else {},
        }

    def ask(self, page: Page, number: int, view: str, name: str, fields: dict[str, Any], first: int) -> None:
        """Send a page's request there; its answer goes to the page."""
        with self._lock:
            if page not in self._numbers:
                self._numbers[page] = next(_numbers)
                self._pages[self._numbers[page]] = (page, set())
            there = self._numbers[page]
            self._pages[there][1].add(view)
            over = self._over
        if over:
            page.call_soon(page.away_ended, self, over)
        else:
            self.say({"page": there, "id": number, "view": view, "do": name, "fields": fields, "first": first})

    def left(self, page: Page, view: str | None = None) -> None:
        """A page has gone, or has moved a view elsewhere: its desks there are closed."""
        with self._lock:
            there = self._numbers.get(page)
            if there is None:
                return
            views = self._pages[there][1]
            views -= {view} if view is not None else set(views)
            if not views:
                del self._pages[there], self._numbers[page]
        self.say({"page": there, "close": view if views else None})
        self._end_if_idle()

    def retire(self) -> None:
        """Another process has a later text of the file: this one ends with its last desk."""
        self._retired = True
        self._end_if_idle()

    def stop(self, why: str) -> None:
        """End it, now, and tell `why`."""
        with self._lock:
            self._why = self._why or why
        self._kill()

    def say(self, message: dict[str, Any]) -> None:
        """Send a message, after those before it."""
        self._orders.put(write_json(message))

    def _end_if_idle(self) -> None:
        with self._lock:
            idle = self._retired and not self._pages
        if idle:
            self.stop("a later text of the file is in use")

    def _kill(self) -> None:
        with contextlib.suppress(OSError):
            if self._process.returncode is None:
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()

    # ------------------------------------------------------------ in threads of its own
    def _write(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while (order := self._orders.get()) is not None:
                self._process.stdin.write(order.encode() + b"\n")
                self._process.stdin.flush()
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _watch(self) -> None:
        """What it has started may hold the pipe open when it has ended."""
        self._process.wait()
        with contextlib.suppress(OSError, AttributeError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while line := self._process.stdout.readline(LONGEST_LINE):
                with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
                    self._take(json.loads(line))
        self._kill()  # it may have closed the pipe and live on
        code = self._process.wait()
        self._process.stdout.close()
        self._orders.put(None)
        with self._lock:
            self._over = self._why or ended_words(self.rules.path.name, code)
            pages = [page for page, _ in self._pages.values()]
        self._said.put({"error": self._over})
        self.rules.ended(self)
        for page in pages:
            page.call_soon(page.away_ended, self, self._over)

    def _take(self, message: dict[str, Any]) -> None:
        """One message from there. One of another form is as if it had not come."""
        if "card" in message:
            self._said.put(message)
            return
        if "compiling" in message:
            self.compiling = [str(name) for name in message["compiling"]]
            self.rules.on_compiling()
            return
        with self._lock:
            page, _ = self._pages[message["page"]]
        if "frame" in message:
            number, frame = message["id"], message["frame"]
            if type(number) is int and json.loads(frame)["re"] == number:
                page.answer(number, frame)
        elif "news" in message:
            page.post((str(message["news"]), str(message["of"])), dict(message["fields"]))
        elif "made" in message and KEY.fullmatch(message["made"]):
            content = base64.b64decode(message["content"])
            thing = Thing.of(str(message["name"]), content, str(message["media_type"]), page.room)
            page.studio.made.put(message["made"], thing)


def ended_words(file: str, code: int) -> str:
    """How a process ended that nobody here has stopped."""
    if code >= 0:
        return f"{file} has ended the process that it ran in (exit status {code}): rules must not end the program"
    with contextlib.suppress(ValueError):
        return f"the process that {file} ran in was ended by {signal.Signals(-code).name}"
    return f"the process that {file} ran in was ended by signal {-code}"


__all__ = ["Away", "AwayRules"]
