"""The processes in which compiled code is tried: a fresh one that loads the game again, and a fork that has it already.

Both speak JSON lines, the events of `comparing.py`, through a pipe. Both end with the process that started them: they
hold the reading end of a pipe that it holds open, and a thread of theirs leaves when that is closed. Compiled code
holds no lock, so the thread runs beside it.
"""

from __future__ import annotations

import base64
import contextlib
import faulthandler
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from plyforge.check.trial.comparing import Event, States
from plyforge.contract import Game
from plyforge.kernel.constant import local_modules

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

WITHIN = "PLYFORGE_TRIAL"
"""Set in the environment of a process that tries compiled code: it starts no further one."""
ENDED: Any = object()
"""Comes after the last event."""
HERE = Path(__file__).resolve().parents[3]


class NotLoaded(Exception):
    """A fresh process can't make this game."""


class Child:
    """A running trial: its events as they come, and its end."""

    def __init__(self, source: IO[bytes]) -> None:
        self.words: SimpleQueue[Event] = SimpleQueue()
        self._source = source
        self._reader = threading.Thread(target=self._read, daemon=True, name="plyforge trial")
        self._reader.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in self._source:
                with contextlib.suppress(ValueError):  # machine code gone wild may write anything
                    event = json.loads(line)
                    if isinstance(event, dict) and "event" in event:
                        self.words.put(event)
        self.words.put(ENDED)

    def exit_code(self) -> int | None:
        """How the process ended, which it has; a signal is a negative number."""
        raise NotImplementedError

    def end(self) -> None:
        """Make sure that it is over."""
        raise NotImplementedError

    def _closed(self) -> None:
        self._reader.join(1.0)
        with contextlib.suppress(OSError, ValueError):
            self._source.close()


# ------------------------------------------------------------ a fresh process
class Spawned(Child):
    """Another Python."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        self.process = process
        super().__init__(process.stdout)

    def exit_code(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(5.0)
        return None

    def end(self) -> None:
        self.process.kill()
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5.0)
        self._closed()


@contextlib.contextmanager
def spawn(game: Game, states: States, **limits: Any) -> Iterator[Child]:
    """A trial in a fresh process, of a game that it can load. Raises NotLoaded where that is known beforehand."""
    request = _request(game, states) | limits
    path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-W", "ignore", "-m", "plyforge.check.trial.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": path, WITHIN: "1"},
        )
    except OSError:
        raise NotLoaded from None
    child = Spawned(process)
    try:
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        yield child
    finally:
        child.end()


def _request(game: Game, states: States) -> dict[str, Any]:
    """All that a fresh process needs to know. The game is named by its class and what it holds; nothing comes back
    but JSON."""
    try:
        modules = local_modules(type(game))
        if "__main__" in modules or not sys.executable:
            raise NotLoaded  # a script would be run once more, with all that it does; a notebook has no file
        given = base64.b64encode(pickle.dumps((game, states))).decode()
        files = {name: getattr(module, "__file__", None) for name, module in modules.items()}
        return {
            "given": given,
            "fingerprint": game.fingerprint(),
            "path": [entry for entry in sys.path if isinstance(entry, str)],
            "files": {name: file for name, file in files.items() if file is not None},
        }
    except NotLoaded:
        raise
    except Exception:  # a class inside a function, a field that can't be written down
        raise NotLoaded from None


# ------------------------------------------------------------ a fork
class Forked(Child):
    """This process once more."""

    def __init__(self, pid: int, source: IO[bytes], life: int) -> None:
        self.pid = pid
        self.life = life
        """While this pipe is open, the child may live."""
        self.code: int | None = None
        super().__init__(source)

    def exit_code(self) -> int | None:
        if self.code is None:
            with contextlib.suppress(ChildProcessError):  # somebody else has waited for all children
                self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    def end(self) -> None:
        if self.code is None:
            with contextlib.suppress(OSError):
                os.kill(self.pid, signal.SIGKILL)
        self.exit_code()
        os.close(self.life)
        self._closed()


@contextlib.contextmanager
def fork(events: Iterable[Event], memory: int) -> Iterator[Child]:
    """A trial in a fork of this process. Machine code has to be compiled before: the fork only runs it."""
    from plyforge.kernel.compiling.compiler import nobody_compiles

    life, hold = os.pipe()
    source, words = os.pipe()
    with nobody_compiles, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads: it calls nothing of theirs
        pid = os.fork()
        if pid == 0:
            os.close(hold)
            os.close(source)
            _live(events, memory, words, life)
    os.close(life)
    os.close(words)
    child = Forked(pid, os.fdopen(source, "rb"), hold)
    try:
        yield child
    finally:
        child.end()


def _live(events: Iterable[Event], memory: int, words: int, life: int) -> None:
    """All that a fork does; it never returns."""
    code = 1
    try:
        os.environ[WITHIN] = "1"
        quietly()
        leave_with(life)
        limit_memory(memory)
        for event in events:
            tell(words, event)
        code = 0
    except BaseException:
        pass
    finally:
        os._exit(code)


# ------------------------------------------------------------ what both children do
def tell(words: int, event: Event) -> None:
    """One event, as a line."""
    os.write(words, json.dumps(event).encode() + b"\n")


def quietly() -> None:
    """What rules print is nobody's business here; and Ctrl-C is for whoever started us, who ends us then."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        with contextlib.suppress(OSError):
            os.dup2(nowhere, stream)
    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.disable()
    with contextlib.suppress(AttributeError, OSError, ValueError):  # a crash is told in words: no file of it
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def leave_with(life: int) -> None:
    """Leave as soon as the other end of this pipe is closed."""

    def wait() -> None:
        with contextlib.suppress(OSError):
            while os.read(life, 1 << 16):
                time.sleep(0.01)
        os._exit(1)

    threading.Thread(target=wait, daemon=True, name="plyforge life").start()


def limit_memory(beyond: int) -> None:
    """From here on take at most so many bytes more, where the system can be told so."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = pages * resource.getpagesize() + beyond
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    except (AttributeError, OSError, ValueError):  # Windows, macOS: nobody limits it there
        pass
