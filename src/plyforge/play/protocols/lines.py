"""Lines of text, as protocols between programs want them: read within limits, written whole and at once.

Invariants:
- Reading never keeps more of a line than `longest` letters, however long whoever writes it makes it.
- A line that is written is not mixed with another thread's, and is on its way when `write` returns.
- Whoever reads us may go away at any time: after that, writing does nothing.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import TextIO

LONGEST_LINE = 1 << 16
"""Letters: a game of thousands of moves fits."""


def read_lines(stream: TextIO, longest: int = LONGEST_LINE) -> Iterator[str | None]:
    """The lines of a stream until its end, without what ends them; None in place of a line that is longer than
    `longest`."""
    while line := stream.readline(longest + 1):
        if len(line) > longest and not line.endswith("\n"):
            while (rest := stream.readline(longest + 1)) and not rest.endswith("\n"):
                pass
            yield None
        else:
            yield line.rstrip("\r\n").removeprefix("\ufeff")


class LineWriter:
    """Writes lines to a stream that several threads share."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self.broken = False
        """True once nobody reads any more."""

    def write(self, *lines: str) -> None:
        """Write these lines, with no other between them."""
        if self.broken:
            return
        try:
            with self._lock:
                self._stream.write("".join(f"{line}\n" for line in lines))
                self._stream.flush()
        except (OSError, ValueError):  # a broken pipe, or a stream that was closed
            self.broken = True


def standard_streams() -> tuple[TextIO, TextIO]:
    """Standard input and output, set up so that no byte that comes in and no letter that goes out is an error."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        with contextlib.suppress(AttributeError, ValueError):  # not a file: a test's, say
            stream.reconfigure(encoding="utf-8", errors=errors)  # type: ignore[union-attr]
    return sys.stdin, sys.stdout


__all__ = ["LONGEST_LINE", "LineWriter", "read_lines", "standard_streams"]
