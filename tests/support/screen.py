"""A program in a pseudo-terminal."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from typing import NoReturn

from patience import PATIENCE

PLAY = [sys.executable, "-c", "from plyforge.cli import main; main()", "play"]


class Screen:
    """A program in a pseudo-terminal."""

    def __init__(self, *arguments: str, verb: str = "play", **environment: str) -> None:
        import pty

        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execve(
                sys.executable,
                [*PLAY[:-1], verb, *arguments],
                os.environ | {"TERM": "xterm-256color"} | environment,
            )
        self.shown = ""
        self.read_up_to = 0

    def wait_for(self, text: str, seconds: float = 2 * PATIENCE) -> None:
        """Read until `text` has been shown, after what was waited for before."""
        end = time.monotonic() + seconds
        while text not in self.shown[self.read_up_to :]:
            ready, _, _ = select.select([self.terminal], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                self.fail(f"{text!r} was not shown")
            try:
                chunk = os.read(self.terminal, 65536)
            except OSError:  # the other end is closed
                chunk = b""
            if not chunk:
                self.fail(f"{text!r} was not shown before the end")
            self.shown += chunk.decode(errors="replace")
        self.read_up_to = self.shown.index(text, self.read_up_to) + len(text)

    def type(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def code(self) -> int:
        """Wait for the end; the exit code."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                os.close(self.terminal)
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.02)
        self.fail("it did not end")

    def fail(self, why: str) -> NoReturn:
        """Leave no process behind."""
        os.kill(self.process, signal.SIGKILL)
        raise AssertionError(f"{why}; shown: {self.shown[-2000:]!r}")
