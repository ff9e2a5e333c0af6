"""The way of the chess search to machine code, while somebody talks to us: compiled in another process, loaded in a
thread.

The compiler holds Python's lock for seconds: in this process `isready` and `stop` would wait for it. So another process
compiles into the cache on disk (`play/warm.py`), and searches are interpreted meanwhile. Where an earlier start has
done that, there is only something to load, which takes a second or two.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

from plyforge.contract import Game
from plyforge.kernel.compiling import not_kept
from plyforge.play.warm import Warm, note_for

LOADING, COMPILING, READY = "loading", "compiling", "ready"
ENGINE = "engine"
"""The search that plays where nobody says otherwise."""
SAID_AFTER, SAID_EVERY = 5.0, 5.0
"""Seconds of compiling before that is said, and between two times of saying it. What is only loaded takes less, also
on a busy machine: then there is nothing to say, and `python-chess` warns of every line that comes while no search
runs."""
LOOK = 0.1


class Readiness:
    """How far the search is. `on_change` is called in another thread, when it is known that it has to be compiled,
    and when all is done; `say` tells people how it goes."""

    def __init__(
        self,
        game: Game,
        native: bool | None,
        on_change: Callable[[], object],
        say: Callable[[str], object],
        using: str = ENGINE,
    ) -> None:
        self.game, self.on_change, self.say, self.using = game, on_change, say, using
        self.state = READY
        """Before `start`, too: a search then compiles where it runs."""
        self._given = native
        self._warm: Warm | None = None
        self._thread: threading.Thread | None = None

    @property
    def native(self) -> bool | None:
        """What to give a search for `native` now."""
        return self._given if self.state == READY else False

    @property
    def busy(self) -> bool:
        """True while the compiler or the loader is at work: a process that ends then should end at once."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Begin, in the background."""
        if self._given is not False and os.environ.get("NUMBA_DISABLE_JIT") != "1" and self._thread is None:
            self.state = LOADING
            self._thread = threading.Thread(target=self._run, daemon=True, name="plyforge uci compiling")
            self._thread.start()

    def wait(self) -> None:
        """Until all is done; Ctrl-C is heard."""
        while self._thread is not None and self._thread.is_alive():
            self._thread.join(LOOK)

    def close(self) -> None:
        """Compile no further."""
        if self._warm is not None:
            self._warm.close()

    # ------------------------------------------------------------ in the thread
    def _run(self) -> None:
        began = time.perf_counter()
        try:
            note = note_for(self.game, self.using)
            if note is None or not note.exists():
                self.state = COMPILING
                self.on_change()
            why = self._compile(began)
            if why:
                self.say(f"the search can't be compiled, and stays interpreted: {why}")
            if time.perf_counter() - began >= SAID_AFTER:
                self.say(f"compiled in {time.perf_counter() - began:.0f} s")
            for trouble in not_kept.said:
                self.say(trouble)
        except Exception as error:  # searches will say so again; here it must not keep anybody waiting
            self.say(f"the search can't be made ready: {error}")
        self.state = READY
        self.on_change()

    def _compile(self, began: float) -> str:
        """Why it can't be; "" if all is well."""
        over, whys, said = threading.Event(), [""], began

        def heard(name: str, using: str, why: str) -> None:
            whys.append(why)
            over.set()

        self._warm = Warm()
        if self._warm.native(self.game, self.using, heard) is False:
            while not over.wait(LOOK):
                now = time.perf_counter()
                first = said == began
                if now - said >= (SAID_AFTER if first else SAID_EVERY):
                    said = now
                    self.say(
                        "compiling the search: this takes about half a minute the first time, a second or two later on"
                        if first
                        else f"compiling the search, {now - began:.0f} s so far"
                    )
        self._warm.close()
        return whys[-1]


__all__ = ["COMPILING", "ENGINE", "LOADING", "READY", "Readiness"]
