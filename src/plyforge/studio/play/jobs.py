"""Work that a desk lets run beside it: one piece at a time, given up at once when something else matters more.

Whoever gives up a piece of work need not wait for its end: what it brings is thrown away.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from typing import Any

from plyforge.errors import PlyforgeError
from plyforge.studio.library.user_rules import raised
from plyforge.studio.server import limits

room_to_search = threading.BoundedSemaphore(limits.SEARCHES)
"""Searches that may run at once, of all pages together; others wait until there is room."""
LOOK = 0.1
"""Seconds between two looks at whether work that waits is still wanted."""


class Thinker:
    """Runs work in threads of its own; see the module's text."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._number = 0
        self._stop: Callable[[], object] | None = None
        self.hurried = False
        """True once the work that runs was asked to end soon."""

    @property
    def busy(self) -> bool:
        """True while there is work that somebody wants."""
        return self._stop is not None

    def start(
        self,
        work: Callable[[Callable[[], bool]], Any],
        done: Callable[[Any], object],
        failed: Callable[[str], object],
        stop: Callable[[], object] = lambda: None,
    ) -> None:
        """Give up what runs, and begin `work(wanted)`; `wanted()` tells whether its result still matters. Then
        `done(result)`, or `failed(why)`.

        `stop` ends the work soon when it is given up. Returns at once.
        """
        self.give_up()
        with self._lock:
            self._number += 1
            number, self._stop, self.hurried = self._number, stop, False
        threading.Thread(target=self._run, args=(number, work, done, failed), daemon=True, name=self.name).start()

    def give_up(self) -> None:
        """Nobody wants the result any more; returns at once."""
        with self._lock:
            self._number += 1
            stop, self._stop = self._stop, None
        if stop is not None:
            stop()

    def hurry(self) -> None:
        """Let the work end soon with what it has; returns at once."""
        stop, self.hurried = self._stop, True
        if stop is not None:
            stop()

    def _wanted(self, number: int) -> bool:
        return self._number == number

    def _run(self, number: int, work: Any, done: Any, failed: Any) -> None:
        result, why = None, ""
        while not room_to_search.acquire(timeout=LOOK):
            if not self._wanted(number):
                return
        try:
            result = work(lambda: self._wanted(number))
        except PlyforgeError as error:
            why = str(error)
        except BaseException as error:  # rules of a user's own can fail in any way
            traceback.print_exc()
            why = raised(error)
        finally:
            room_to_search.release()
        with self._lock:
            if self._number != number:
                return
            self._stop = None
        if not why:
            try:
                done(result)
            except BaseException as error:
                traceback.print_exc()
                why = raised(error)
        if why:
            failed(why)


__all__ = ["Thinker"]
