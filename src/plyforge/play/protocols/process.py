"""An outside program that is talked to in lines, whatever the language: started, read within limits, and ended for
sure.

Invariants:
- No call blocks longer than its timeout, whatever the program does: its output is read by threads of their own.
- A program that was silent too long, or said what it should not, is killed with all its children: it runs in a session
  of its own. Nothing is asked of it after that: an answer that comes late can't be taken for the answer to something
  else.
- What goes wrong is a `ProgramFailed` that says which kind of failure it was, and what the program last wrote on its
  standard error.
"""

from __future__ import annotations

import collections
import contextlib
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from typing import IO

from plyforge.errors import BadText, PlyforgeError
from plyforge.work.processes import kill_session

START_SECONDS = 60.0
"""For the first answer: programs load books and tables."""
COMMAND_SECONDS = 10.0
"""For the answer to a command that needs no thought."""
QUIT_SECONDS = 0.5
"""After `quit`, before a program is killed."""
LONGEST_ANSWER = 1 << 20
"""Bytes. A program that writes more than this in one answer is not answering."""
LAST_WORDS_SECONDS = 2.0
"""For how a program has ended, and what it wrote last: that is there already, unless a child of it still holds the
other end."""
ERRORS_KEPT = 20
"""Last lines of standard error that are kept for messages."""
SHOWN = 200
"""Letters of a program's words that a message shows."""


class ProgramFailed(PlyforgeError):
    """An outside program did not do what was asked of it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        """"crash" (it ended), "stall" (it is silent), "protocol" (what it says is none of its language), or
        "refused" (it said no)."""


class Program:
    """A running program; see the module's text."""

    def __init__(self, command: str, environment: Mapping[str, str] | None = None) -> None:
        """Start `command`, split as a shell would, with this environment or ours; no shell is run."""
        self.arguments = split_command(command)
        self.name = self.arguments[0].rpartition("/")[2]
        self._errors: collections.deque[str] = collections.deque(maxlen=ERRORS_KEPT)
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        """From the reading thread; None is the end of the output."""
        self._dead: ProgramFailed | None = None
        """Why nothing more is asked of it."""
        try:
            self.process = subprocess.Popen(
                self.arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env=environment,
            )
        except OSError as error:
            raise ProgramFailed("crash", f"can't start {command!r}: {error.strerror or error}") from None
        assert self.process.stdout is not None and self.process.stderr is not None
        self._readers = [
            threading.Thread(target=self._read_answers, args=(self.process.stdout,), daemon=True),
            threading.Thread(target=self._read_errors, args=(self.process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def alive(self) -> bool:
        """True as long as it can be asked something."""
        return self._dead is None and self.process.poll() is None

    # ------------------------------------------------------------ talking
    def send(self, *lines: str) -> None:
        """Write lines to it. Raises ProgramFailed if it has gone, or failed before."""
        if self._dead is not None:
            raise self._dead
        try:
            assert self.process.stdin is not None
            self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self.process.stdin.flush()
        except (OSError, ValueError):  # it has gone; what it said before is still worth reading
            raise self._fail("crash", self._last_words(lines[-1])) from None

    def hear(self, asked: str, end: float, seconds: float) -> tuple[str, int]:
        """The next line, and how many bytes it was. `asked` is for the message if none has come by `end`, after
        `seconds`."""
        try:
            raw = self._lines.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            raise self._fail(
                "stall", f"{self.name} has not answered {asked!r} in {seconds:g} s, and was stopped"
            ) from None
        if raw is None:
            raise self._fail("crash", self._last_words(asked))
        return clean(raw), len(raw)

    def overhear(self, asked: str, seconds: float) -> str | None:
        """The next line, or None where none has come in so many seconds: for answers that may take for ever."""
        try:
            raw = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if raw is None:
            raise self._fail("crash", self._last_words(asked))
        return clean(raw)

    # ------------------------------------------------------------ failing and ending
    def _fail(self, kind: str, message: str) -> ProgramFailed:
        self.kill()
        for reader in self._readers:  # the last words on standard error
            reader.join(LAST_WORDS_SECONDS)
        errors = [line for line in self._errors if line]
        if errors:
            message += f" (its last words: {errors[-1][:SHOWN]!r})"
        self._dead = ProgramFailed(kind, message)
        return self._dead

    def _last_words(self, command: str) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(LAST_WORDS_SECONDS)
        code = self.process.returncode
        if code is None:
            how = "closed its output"
        elif code < 0:
            how = f"was ended by {signal.Signals(-code).name}" if -code in _SIGNALS else f"ended with {code}"
        else:
            how = f"ended with exit code {code}"
        return f"{self.name} {how} instead of an answer to {command!r}"

    def close(self) -> None:
        """Ask it to quit, and kill it if it does not. Never raises; may be called twice."""
        if self.alive:
            with contextlib.suppress(OSError, ValueError):
                assert self.process.stdin is not None
                self.process.stdin.write(b"quit\n")
                self.process.stdin.flush()
                self.process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(QUIT_SECONDS)
        self.kill()
        self._dead = self._dead or ProgramFailed("crash", f"{self.name} was closed")

    def kill(self) -> None:
        """End it at once, with what it has started."""
        kill_session(self.process.pid)
        with contextlib.suppress(OSError):
            self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(QUIT_SECONDS)
        with contextlib.suppress(OSError, ValueError):
            if self.process.stdin is not None:
                self.process.stdin.close()

    # ------------------------------------------------------------ the reading threads
    def _read_answers(self, output: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            unread = 0
            while line := output.readline(LONGEST_ANSWER + 1):
                unread = 0 if self._lines.empty() else unread + len(line)
                self._lines.put(line)
                if unread > 4 * LONGEST_ANSWER:  # nobody asked for that much: no more of it is read
                    break
        self._lines.put(None)
        with contextlib.suppress(OSError, ValueError):
            output.close()

    def _read_errors(self, output: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := output.readline(LONGEST_ANSWER):
                self._errors.append(clean(line))
            output.close()


_SIGNALS = {number.value for number in signal.Signals}


def split_command(command: str) -> list[str]:
    """A command line as a list, its program found. Raises BadText."""
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise BadText(f"{command[:SHOWN]!r} is not a command line: {error}") from None
    if not arguments:
        raise BadText("a program is named by its command line, as in gtp:gtp-rhino --level=3 or uci:stockfish")
    if "\0" in command or shutil.which(arguments[0]) is None:
        raise BadText(
            f"there is no program {arguments[0][:SHOWN]!r} here, or it may not be run: install it, or write its whole"
            " path"
        )
    return arguments


def clean(raw: bytes) -> str:
    """A line without what has no place in one: tabs are spaces, other control characters are nothing."""
    text = raw.decode("utf-8", "replace").replace("\t", " ")
    return "".join(letter for letter in text if letter.isprintable()).rstrip()


__all__ = [
    "COMMAND_SECONDS",
    "LAST_WORDS_SECONDS",
    "START_SECONDS",
    "Program",
    "ProgramFailed",
    "split_command",
]
