"""One algorithm that thinks about one position at a time, and tells how it stands. A page has one, or two side by side.

    analyst = Analyst(game, tell=print)
    analyst.think(Order(1, state, "engine", {"seconds": 5}))     # returns at once; what was thought before is stopped
    analyst.stop()                                               # returns at once

Invariants:
- Nothing here waits: `think`, `stop` and `close` only leave word for the analyst's own thread.
- The stream costs the search nothing: it runs in the threads of `play.Engine`, whose reports are kept, the last one
  only, and ten times a second at most this thread looks whether there is a new one, and writes the message.
- Messages carry the number of their order, so that a page can tell what is about a position that it has left. The last
  message about an order says that it has ended, and why.
- What was learned (the table, the tree) is kept for the next order with the same algorithm and settings.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import time
from collections.abc import Callable
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadLimits, PlyforgeError
from plyforge.play.engine import Engine
from plyforge.search import Progress, Result
from plyforge.studio.analyse.algorithms import make
from plyforge.studio.library.user_rules import words
from plyforge.studio.play.jobs import room_to_search
from plyforge.studio.present.search_message import Teller, reason_text
from plyforge.studio.server import limits

GAP = 1.0 / limits.NEWS_PER_SECOND
"""Seconds between two messages."""
SLOW_START = 1.0
"""A search that is not interpreted and has nothing to tell after so many seconds is being compiled."""


@dataclasses.dataclass(frozen=True)
class Order:
    """What to think about, and how."""

    number: int
    state: Any
    using: str
    limits: dict[str, Any] = dataclasses.field(default_factory=dict)
    """depth, nodes, seconds, simulations; with none of them until a proof, or until it is told to stop."""
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    """What a page has set about the algorithm."""
    lines: int = 1
    history: tuple[Any, ...] = ()
    native: bool | None = None
    ended: threading.Event = dataclasses.field(default_factory=threading.Event, compare=False)
    """Set when the order is no longer wanted."""

    @property
    def made_of(self) -> Any:
        """Orders that have this in common can be carried out by one engine."""
        return self.using, sorted(self.options.items()), self.native


class Analyst:
    """See the module's text."""

    def __init__(self, game: Game, tell: Callable[[dict[str, Any]], None]) -> None:
        """`tell` is called with each message, in the analyst's thread."""
        self.game, self.tell = game, tell
        self.found: Result | None = None
        """What the last search found; so far, while it runs."""
        self.order: Order | None = None
        """What is being thought about, or was last."""
        self._next: Order | None = None
        self._thread: threading.Thread | None = None
        self._engine: Engine | None = None
        self._engine_made_of: Any = None
        self._lock = threading.Lock()
        self._closed = False

    # ------------------------------------------------------------ from any thread
    @property
    def thinking(self) -> bool:
        """True from an order to the end of its search."""
        thread = self._thread
        return thread is not None and thread.is_alive()

    def think(self, order: Order) -> None:
        """Think about something; whatever came before is given up."""
        make(
            order.using, self.game, order.options, order.lines
        )  # what is wrong with an order, whoever gives it is to hear
        with self._lock:
            if self._closed:
                return
            self._give_up()
            self._next = order
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True, name="studio analyst")
                self._thread.start()

    def stop(self) -> None:
        """End the search, with what it has."""
        with self._lock:
            self._give_up()

    def close(self) -> None:
        """End the search, and start no other."""
        with self._lock:
            self._closed = True
            self._give_up()

    def _give_up(self) -> None:
        self._next = None
        if self.order is not None:
            self.order.ended.set()
        if self._engine is not None:
            self._engine.stop()

    # ------------------------------------------------------------ in the analyst's thread
    def _work(self) -> None:
        while True:
            with self._lock:
                order, self._next = self._next, None
                if order is None:
                    self._thread = None
                    return
                self.order, self.found = order, None
            try:
                self._carry_out(order)
            except PlyforgeError as error:
                self._say(order, {"status": "failed", "error": str(error)})
            except BaseException as error:
                self._say(order, {"status": "failed", "error": f"{type(error).__name__}: {words(error)}"})

    def _carry_out(self, order: Order) -> None:
        if not room_to_search.acquire(blocking=False):
            raise BadLimits(
                f"{limits.SEARCHES} searches run already, in other pages: stop one of them, then start this one again"
            )
        try:
            engine = self._engine_for(order)
            latest: list[Progress] = []

            def told(progress: Progress) -> None:
                latest[:] = [progress]

            engine.on_progress(told)
            try:
                self._follow(order, engine, latest)
            finally:
                engine.off_progress(told)
        finally:
            room_to_search.release()

    def _engine_for(self, order: Order) -> Engine:
        """The last one, with what it has learned, if it is of the same kind; else a new one."""
        engine = self._engine
        if engine is None or self._engine_made_of != order.made_of:
            search = make(order.using, self.game, order.options, order.lines)
            engine = Engine(self.game, search, native=order.native)
        with self._lock:
            self._engine, self._engine_made_of = engine, order.made_of
        return engine

    def _follow(self, order: Order, engine: Engine, latest: list[Progress]) -> None:
        teller = Teller(self.game, order.state, order.lines)
        if teller.over:
            self._say(order, {"status": "ended", "reason": "the game is over"} | teller.tell(None))
            return
        self._say(order, {"status": "preparing"} | teller.tell(None))
        allowed = {name: value for name, value in order.limits.items() if value is not None}
        if hasattr(engine.search, "lines"):
            allowed["lines"] = order.lines
        engine.start(order.state, history=order.history, **allowed)
        if order.ended.is_set():  # told to stop before there was anything to stop
            engine.stop()
        began = time.monotonic()
        end, waited = began + limits.SEARCH_SECONDS, False
        shown: Progress | None = None
        found: Result | None = None
        while found is None:
            with contextlib.suppress(TimeoutError):
                found = engine.wait(GAP)
                break
            if time.monotonic() > end:
                engine.stop()
            if not latest and engine.native is not False and not order.ended.is_set():
                slow = time.monotonic() - began > SLOW_START
                if slow and not waited:
                    self._say(order, {"status": "compiling"} | teller.tell(None))
                waited = slow
            if latest and latest[0] is not shown and not order.ended.is_set():
                shown = latest[0]
                self.found = shown.answer or self.found
                self._say(order, {"status": "thinking"} | teller.tell(self.found, shown))
        self.found = found
        said = {"status": "ended", "reason": reason_text(found), "native": found.native}
        table = None if shown is None else shown.table_used
        self._say(order, said | teller.tell(found) | ({} if table is None else {"table": table}))

    def _say(self, order: Order, fields: dict[str, Any]) -> None:
        given_up = order.ended.is_set() and fields["status"] in ("preparing", "compiling", "thinking")
        if not self._closed and not given_up:
            self.tell({"number": order.number, "using": order.using, "native": order.native is not False} | fields)


__all__ = ["Analyst", "Order"]
