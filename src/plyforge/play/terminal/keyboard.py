"""Lines of input, from a terminal with completion, or from a pipe, whose lines are echoed so that the output reads
like a game."""

from __future__ import annotations

import contextlib
import getpass
import glob
import sys
from collections.abc import Callable, Iterator
from typing import TextIO

from rich.console import Console
from rich.text import Text

LONGEST_LINE = 10_000
"""Characters of input; the rest of a longer line is dropped."""


class Keyboard:
    """Where a person's lines come from."""

    def __init__(self, source: TextIO, console: Console) -> None:
        self.source, self.console = source, console
        self.interactive = source.isatty()
        """True if a person sits there, who can be asked what to do."""

    def read(self, prompt: str, hidden: bool = False) -> str | None:
        """A line of input, or None at its end. From a pipe it is echoed; what is `hidden` from the others is not."""
        if self.interactive and self.source is sys.stdin:
            try:
                return (getpass.getpass(prompt) if hidden else input(prompt))[:LONGEST_LINE]
            except EOFError:
                self.console.print()
                return None
            except UnicodeDecodeError:
                return "\ufffd"
        self.console.print(Text(prompt), end="", soft_wrap=True)
        try:
            line = self.source.readline(LONGEST_LINE)
        except UnicodeDecodeError:
            line = "\ufffd\n"
        longer = line
        while longer and not longer.endswith("\n"):
            longer = self.source.readline(LONGEST_LINE)
        self.console.print(Text("..." if hidden else _printable(line.rstrip("\n"))), soft_wrap=True)
        return line if line else None

    @contextlib.contextmanager
    def completion(self, words: Callable[[], list[str]]) -> Iterator[None]:
        """Tab completes words and, after `save` and `load`, names of files."""
        if not (self.interactive and self.source is sys.stdin):
            yield
            return
        try:
            import readline
        except ImportError:
            yield
            return
        before, delimiters = readline.get_completer(), readline.get_completer_delims()

        def complete(text: str, number: int) -> str | None:
            try:
                if readline.get_line_buffer().startswith(("save ", "load ")):
                    found = glob.glob(glob.escape(text) + "*")  # noqa: PTH207, keeps the text as it was typed
                else:
                    found = [word for word in words() if word.startswith(text)]
                return found[number] if number < len(found) else None
            except Exception:  # readline swallows errors anyway, and a failed completion is none
                return None

        readline.set_completer(complete)
        readline.set_completer_delims(" \t\n")
        readline.parse_and_bind("tab: complete")
        try:
            yield
        finally:
            readline.set_completer(before)
            readline.set_completer_delims(delimiters)


def _printable(text: str) -> str:
    """Control characters from a pipe must not reach somebody's terminal."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


__all__ = ["Keyboard"]
