"""A program or an object that talks in lines, and a test that talks with it over real pipes. Nothing here waits for
ever."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, TextIO

from patience import PATIENCE


class Conversation:
    """Says lines, and hears what comes back."""

    def __init__(self, to: IO[bytes], came: IO[bytes], ended: Callable[[float], bool]) -> None:
        self._to, self._came, self._ended = to, came, ended
        self._heard: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    @classmethod
    def with_object(cls, run: Callable[[TextIO, TextIO], object]) -> Conversation:
        """`run` reads one stream and writes the other, in a thread."""
        commands, to = os.pipe()
        came, answers = os.pipe()
        reads = os.fdopen(commands, encoding="utf-8", errors="replace")
        writes = os.fdopen(answers, "w", encoding="utf-8")

        def work() -> None:
            with reads, writes:
                run(reads, writes)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()

        def ended(seconds: float) -> bool:
            thread.join(seconds)
            return not thread.is_alive()

        return cls(os.fdopen(to, "wb"), os.fdopen(came, "rb"), ended)

    @classmethod
    def with_verb(cls, *arguments: str) -> Conversation:
        """`plyforge ARGUMENTS`, as a process."""
        process = subprocess.Popen(
            [sys.executable, "-m", "plyforge", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert process.stdin is not None and process.stdout is not None

        def ended(seconds: float) -> bool:
            try:
                return process.wait(seconds) == 0
            except subprocess.TimeoutExpired:
                process.kill()
                return False

        return cls(process.stdin, process.stdout, ended)

    def _listen(self) -> None:
        for line in self._came:
            self._heard.put(line.decode().rstrip("\n"))
        self._heard.put(None)

    def say(self, *lines: str | bytes) -> None:
        for line in lines:
            self._to.write((line.encode() if isinstance(line, str) else line) + b"\n")
        self._to.flush()

    def hear(self, until: Callable[[str], bool] | str, seconds: float = PATIENCE) -> list[str]:
        """The lines up to the first one that begins with `until`, or for which it is true."""
        is_last = until if callable(until) else lambda line: line.startswith(until)
        end = time.monotonic() + seconds
        lines: list[str] = []
        while True:
            try:
                line = self._heard.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"nothing like {until!r} in {seconds:g} s, only {lines}") from None
            if line is None:
                raise AssertionError(f"it ended before {until!r}, after {lines}")
            lines.append(line)
            if is_last(line):
                return lines

    def hears_nothing(self, seconds: float) -> list[str]:
        """What comes in so many seconds."""
        time.sleep(seconds)
        lines = []
        while not self._heard.empty():
            lines.append(self._heard.get())
        return [line for line in lines if line is not None]

    def ask(self, line: str, until: Callable[[str], bool] | str, seconds: float = PATIENCE) -> list[str]:
        self.say(line)
        return self.hear(until, seconds)

    def close(self, seconds: float = PATIENCE) -> list[str]:
        """End what it reads; it has to end by itself. What it still said."""
        self._to.close()
        assert self._ended(seconds), f"it did not end within {seconds:g} s of the end of its input"
        lines = []
        while (line := self._heard.get(timeout=seconds)) is not None:
            lines.append(line)
        return lines
