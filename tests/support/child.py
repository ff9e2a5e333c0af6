"""A child process that answers questions in lines of JSON, so that whatever compiled code does, the tests live.

    child = Child("rule_speeds.py")
    child.ask({"file": "row70.py"}, seconds=300)    # its answer, a dict; or {"crashed": "..."} in words

The child reads one question a line and writes one answer a line. When it dies or takes too long, that question alone is
answered with what happened, and the next question is asked of a fresh child. `serve` is the child's side.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


class Child:
    """Runs a Python file of this folder, again where it has died."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.process: subprocess.Popen[bytes] | None = None
        self.started = 0

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer, or `{"crashed": how}`."""
        process = self._alive()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
            line = self._line(process, seconds)
        except BrokenPipeError:
            line = b""
        if line is None:
            self.close()
            return {"crashed": f"no answer after {seconds:g} s"}
        if not line.endswith(b"\n"):
            return {"crashed": _words(process.wait())}
        return dict(json.loads(line))

    def close(self) -> None:
        """End it, whatever it is doing."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def _alive(self) -> subprocess.Popen[bytes]:
        if self.process is None or self.process.poll() is not None:
            self.close()
            self.started += 1
            self.process = subprocess.Popen(
                [sys.executable, str(HERE / self.file)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                env={**os.environ, "PYTHONFAULTHANDLER": "1"},
            )
        return self.process

    def _line(self, process: subprocess.Popen[bytes], seconds: float) -> bytes | None:
        """What it says next; ends without a line feed if it died, None if it said nothing in time."""
        assert process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            line = b""
            while not line.endswith(b"\n"):
                if not selector.select(seconds):
                    return None
                part = os.read(process.stdout.fileno(), 1 << 16)
                if not part:
                    break
                line += part
            return line


def serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """The child's side: one answer a question, until there are no more. What is printed meanwhile goes to stderr."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        out.write(json.dumps(answer(json.loads(line))) + "\n")
        out.flush()


def _words(code: int) -> str:
    with contextlib.suppress(ValueError):
        if code < 0:
            return f"the process died of {signal.Signals(-code).name}"
    return f"the process ended with code {code}"
