"""Where everything that workers say arrives, and the clock that goes with it. The simulator has another one."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Gone:
    """A worker's last word: it has ended."""

    how: str
    """In words."""
    from_outside: bool = False
    """True where somebody ended it, or the line to it broke: no crash of its own."""
    silent: bool = False
    """True where it was ended because nothing was heard of it."""


class Handle(Protocol):
    """A worker that was started."""

    def send(self, said: dict[str, Any]) -> None:
        """Tell it something. No error if it has gone: that is on its way."""

    def kill(self) -> None:
        """End it at once."""

    def leave(self) -> None:
        """Let it end by itself: nobody needs it any more."""

    def has_started(self, programs: Sequence[int]) -> None:
        """These processes of its machine are its own: they end with it."""


Word = tuple[Handle, "dict[str, Any] | bytes | Gone"]
Post = Callable[[Handle, "dict[str, Any] | bytes | Gone"], None]


class Launcher(Protocol):
    """A place where workers can be started."""

    name: str
    """As `--on` says it."""

    def start(self, post: Post) -> Handle:
        """Start a worker, whose words go to `post`. Raises PlyforgeError where that can never succeed."""

    def close(self) -> None:
        """Nobody will be started here any more."""


class Mailbox:
    """The words of all workers, in the order in which they come."""

    def __init__(self) -> None:
        self._words: queue.SimpleQueue[Word] = queue.SimpleQueue()

    def post(self, handle: Handle, said: dict[str, Any] | bytes | Gone) -> None:
        """From any thread."""
        self._words.put((handle, said))

    def get(self, seconds: float) -> Word | None:
        """The next word, waited for no longer than that."""
        try:
            return self._words.get(timeout=seconds) if seconds > 0.0 else self._words.get_nowait()
        except queue.Empty:
            return None

    def now(self) -> float:
        """Seconds of a clock that nobody sets."""
        return time.monotonic()


__all__ = ["Gone", "Handle", "Launcher", "Mailbox", "Post", "Word"]
