"""A handle on a search that runs: stop it, from any thread, at any time.

    control = Control()
    threading.Timer(0.5, control.stop).start()
    found = pf.search(game, control=control)      # ends when told to, with the best it has: found.reason == "stopped"

Invariant: after `stop` no kernel under this control goes on for more than one node, be it running already or about to
be started.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from plyforge.kernel import RUNNING, STOPPED


class Control:
    """Stops the kernels that run under it. One control is for one search: once stopped, it stays so."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: list[Any] = []
        self._stopped = False

    @property
    def stopped(self) -> bool:
        """True once `stop` was called."""
        return self._stopped

    def stop(self) -> None:
        """End the search as soon as each of its threads has finished the node it is at. Returns at once."""
        with self._lock:
            self._stopped = True
            for memory in self._running:
                stop_kernel(memory, STOPPED)

    @contextlib.contextmanager
    def over(self, memories: list[Any]) -> Iterator[None]:
        """While kernels run with these memories, `stop` reaches them."""
        with self._lock:
            self._running += memories
            if self._stopped:
                for memory in memories:
                    stop_kernel(memory, STOPPED)
        try:
            yield
        finally:
            with self._lock:
                ended = {id(memory) for memory in memories}
                self._running = [memory for memory in self._running if id(memory) not in ended]


def stop_kernel(memory: Any, reason: int) -> None:
    """Ask one kernel to end, unless it has a reason to end already."""
    if memory.stop == RUNNING:
        memory.stop = reason
