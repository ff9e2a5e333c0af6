"""Workers as processes over pipes: here (`local`), or wherever a command takes us (`command:ssh lab1 {worker}`).

In a command `{worker}` stands for the worker as it would be started here: this Python's path and `-m plyforge.work`,
right where the other machine has the same paths (`srun`, a shared folder). Otherwise the command says it all, as in
`command:ssh lab1 venv/bin/python -m plyforge.work`.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyforge.errors import BadText
from plyforge.work.mailbox import Gone, Post

WORKER = "{worker}"
LAST_WORDS_SECONDS = 2.0
"""For what a process that has ended still has in its pipes."""
ENDING = 0.5
"""Seconds in which a worker that is let go should be gone."""
ERRORS_KEPT = 30
LONGEST_LINE = 64 << 20
"""Bytes of an answer."""
SHOWN = 100
"""Letters that a message repeats of a command."""
FROM_OUTSIDE = {
    -getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
}
"""Exit codes of processes that somebody else has ended: a crash has other signals."""
LINE_BROKE = 255
"""What ssh ends with when it is the connection that has ended."""


class ProcessWorker:
    """A worker at the other end of two pipes."""

    def __init__(self, arguments: list[str], post: Post, *, is_local: bool) -> None:
        here = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
        self.is_local, self.post = is_local, post
        self.errors: deque[str] = deque(maxlen=ERRORS_KEPT)
        self.process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C is for the coordinator
        )
        self.stopped = False
        self._programs: Sequence[int] = ()
        self._reading = threading.Thread(target=self._read_errors, daemon=True)
        self._reading.start()
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, said: dict[str, Any]) -> None:
        """A line to the worker."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it has died: its end is on the way
            self.process.stdin.write(json.dumps(said).encode() + b"\n")
            self.process.stdin.flush()

    def leave(self) -> None:
        """The end of its input ends it."""
        assert self.process.stdin is not None
        self.stopped = True
        with contextlib.suppress(OSError):
            self.process.stdin.close()

    def kill(self) -> None:
        """It, and what it has started."""
        if self.stopped:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(ENDING)
        self._end_programs()
        kill_session(self.process.pid)
        with contextlib.suppress(OSError):
            self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(LAST_WORDS_SECONDS)

    def has_started(self, programs: Sequence[int]) -> None:
        """Programs that lead sessions of their own. On other machines they see that nobody talks to them any more."""
        self._programs = programs if self.is_local else ()

    def _end_programs(self) -> None:
        for program in self._programs:
            kill_session(program)

    def _read(self) -> None:
        output = self.process.stdout
        assert output is not None
        with contextlib.suppress(OSError, ValueError):
            while line := output.readline(LONGEST_LINE):
                if line.endswith(b"\n"):  # else it died while it wrote
                    self.post(self, line)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(LAST_WORDS_SECONDS)
        self._reading.join(LAST_WORDS_SECONDS)
        self._end_programs()
        self.post(self, self._how_it_ended())

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            for line in self.process.stderr:
                self.errors.append(line.decode("utf-8", "replace").rstrip())

    def _how_it_ended(self) -> Gone:
        code = self.process.returncode
        words = next((line for line in reversed(self.errors) if line.strip()), "")
        if code is None:
            how = "its process closed its output"
        elif code < 0:
            how = f"its process was ended by signal {-code}"
        else:
            how = f"its process ended with exit code {code}"
        outside = code in FROM_OUTSIDE or (not self.is_local and code in (LINE_BROKE, 0))
        return Gone(how + (f" (its last words: {words[:200]!r})" if words else ""), outside)


class Local:
    """Processes on this machine."""

    name = "local"

    def start(self, post: Post) -> ProcessWorker:
        """One more."""
        return ProcessWorker(worker_command(), post, is_local=True)

    def close(self) -> None:
        """Nothing is left to do."""


class Command:
    """Processes that a command starts, here or elsewhere."""

    def __init__(self, command: str) -> None:
        """Raises BadText for what can't be run."""
        self.name = f"command:{command}"
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise BadText(f"{command[:SHOWN]!r} is not a command line: {error}") from None
        if not arguments:
            raise BadText('a command is what starts a worker, as in --on "command:ssh lab1 {worker}"')
        if "\0" in command or shutil.which(arguments[0]) is None:
            raise BadText(f"there is no program {arguments[0][:SHOWN]!r} here: install it, or write its whole path")
        self.arguments: list[str] = []
        for argument in arguments:
            if argument == WORKER:
                self.arguments += worker_command()
            else:
                self.arguments.append(argument.replace(WORKER, shlex.join(worker_command())))

    def start(self, post: Post) -> ProcessWorker:
        """One more."""
        return ProcessWorker(self.arguments, post, is_local=False)

    def close(self) -> None:
        """Nothing is left to do."""


def kill_session(leader: int) -> None:
    """Kill a process that leads a session, and its children with it."""
    with contextlib.suppress(OSError, AttributeError):  # it has gone already; or the system has no such groups
        os.killpg(leader, signal.SIGKILL)


def worker_command() -> list[str]:
    """How a worker is started with this Python."""
    return [sys.executable, "-P", "-m", "plyforge.work"]


__all__ = ["Command", "Local", "ProcessWorker", "kill_session", "worker_command"]
