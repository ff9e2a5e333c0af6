"""One algorithm that thinks about one position at a time, and tells how it stands. A page has one, or two side by side.

    analyst = Analyst(game, tell=print)
    analyst.think(Order(1, state, "engine", {"seconds": 5}))     # returns at once; what was thought before is stopped
    analyst.stop()                                               # returns at once

Invariants:
- Nothing here waits: `think`, `stop` and `close` only leave word for the job, in whose thread the search runs.
- The stream costs the search nothing: messages are written in the engine's thread for that, ten times a second at most.
- Messages carry the number of their order, so that a page can tell what is about a position that it has left. The last
  message about an order says that it has ended, and why.
- What was learned (the table, the tree) is kept for the next order with the same algorithm and settings.
"""

from __future__ import annotations

import dataclasses
import math
import threading
import time
from collections.abc import Callable
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadLimits
from plyforge.play.engine import Engine
from plyforge.play.job import Job
from plyforge.play.players.programs.analyst import ProgramAnalyst, analysts
from plyforge.play.words import ended
from plyforge.search import Progress, Result
from plyforge.studio.analyse.algorithms import make
from plyforge.studio.library.user_rules import words
from plyforge.studio.play.jobs import room_to_search
from plyforge.studio.present.search_message import Teller
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
        """`tell` is called with each message, in threads of the search."""
        self.game, self.tell = game, tell
        self.found: Result | None = None
        """What the last search found; so far, while it runs."""
        self.order: Order | None = None
        """What is being thought about, or was last."""
        self._job = Job(
            "studio analyst",
            room=room_to_search,
            full=f"{limits.SEARCHES} searches run already, in other pages: stop one of them, then start this one again",
            in_turn=True,
            blame=lambda error: f"{type(error).__name__}: {words(error)}",
        )
        self._engine: Any = None
        self._engine_made_of: Any = None
        self._lock = threading.Lock()
        self._closed = False

    # ------------------------------------------------------------ from any thread
    @property
    def thinking(self) -> bool:
        """True from an order to the end of its search."""
        return self._job.running

    def think(self, order: Order) -> None:
        """Think about something; whatever came before is given up."""
        check(order, self.game)  # what is wrong with an order, whoever gives it is to hear
        with self._lock:
            if self._closed:
                return
            self._job.start(
                lambda wanted: self._carry_out(order),
                failed=lambda why: self._say(order, {"status": "failed", "error": why}),
                stop=lambda: self._end(order),
            )

    def stop(self) -> None:
        """End the search, with what it has."""
        self._job.hurry()

    def close(self) -> None:
        """End the search, and start no other."""
        with self._lock:
            self._closed = True
            self._job.give_up()
            if isinstance(self._engine, ProgramAnalyst) and not self._job.running:
                self._engine.close()

    def _end(self, order: Order) -> None:
        order.ended.set()
        engine = self._engine
        if engine is not None and self.order is order:
            engine.stop()

    # ------------------------------------------------------------ in the job's thread
    def _carry_out(self, order: Order) -> None:
        self.order, self.found = order, None
        try:
            engine = self._engine_for(order)
            engine.on_lost = self._job.abandon
            self._follow(order, engine)
        finally:
            if self._closed and isinstance(self._engine, ProgramAnalyst):
                self._engine.close()

    def _engine_for(self, order: Order) -> Any:
        """The last one, with what it has learned, if it is of the same kind; else a new one: an engine, or a program
        of the user's."""
        engine, before = self._engine, self._engine
        if engine is None or self._engine_made_of != order.made_of:
            if order.using in analysts(self.game):
                engine = ProgramAnalyst(self.game, order.using)
            else:
                search = make(order.using, self.game, order.options, order.lines)
                engine = Engine(self.game, search, native=order.native)
            if isinstance(before, ProgramAnalyst):
                before.close()
        self._engine, self._engine_made_of = engine, order.made_of
        return engine

    def _follow(self, order: Order, engine: Any) -> None:
        teller = Teller(self.game, order.state, order.lines)
        if teller.over:
            self._say(order, {"status": "ended", "reason": "the game is over"} | teller.tell(None))
            return
        self._say(order, {"status": "preparing"} | teller.tell(None))
        said = Said(lambda progress: self._tell_progress(order, teller, progress), order.ended, engine.stop)
        allowed = {name: value for name, value in order.limits.items() if value is not None}
        if isinstance(engine, ProgramAnalyst) or hasattr(engine.search, "lines"):
            allowed["lines"] = order.lines
        compiling = threading.Timer(SLOW_START, lambda: self._tell_compiling(order, teller, said))
        if isinstance(engine, Engine) and engine.native is not False:
            compiling.daemon = True
            compiling.start()
        engine.on_progress(said)
        try:
            if order.ended.is_set():  # told to stop before there was anything to stop
                return self._say(order, {"status": "ended", "reason": "stopped"} | teller.tell(None))
            engine.start(order.state, history=order.history, **allowed, **self._bounds(engine))
            found: Result = engine.wait()
        finally:
            compiling.cancel()
            engine.off_progress(said)
        self.found = found
        ending = {"status": "ended", "reason": ended(found), "native": found.native}
        table = None if said.last is None else said.last.table_used
        return self._say(order, ending | teller.tell(found) | ({} if table is None else {"table": table}))

    def _bounds(self, engine: Any) -> dict[str, Any]:
        """A search of ours runs in this thread, and is ended where a page has forgotten it."""
        return {"here": True, "latest": limits.SEARCH_SECONDS} if isinstance(engine, Engine) else {}

    def _tell_progress(self, order: Order, teller: Teller, progress: Progress) -> None:
        self.found = progress.answer or self.found
        self._say(order, {"status": "thinking"} | teller.tell(self.found, progress))

    def _tell_compiling(self, order: Order, teller: Teller, said: Said) -> None:
        if said.last is None and not order.ended.is_set():
            self._say(order, {"status": "compiling"} | teller.tell(None))

    def _say(self, order: Order, fields: dict[str, Any]) -> None:
        given_up = order.ended.is_set() and fields["status"] in ("preparing", "compiling", "thinking")
        if not self._closed and not given_up:
            self.tell({"number": order.number, "using": order.using, "native": order.native is not False} | fields)


class Said:
    """Progress on its way to a page: as often as it reads any, the last one at the end."""

    def __init__(self, tell: Callable[[Progress], None], ended: threading.Event, stop: Callable[[], object]) -> None:
        """`stop` is called for a search that is told of after it `ended`: it was told to stop before it had begun."""
        self.tell, self.ended, self.stop = tell, ended, stop
        self.last: Progress | None = None
        self._told = -math.inf

    def __call__(self, progress: Progress) -> None:
        self.last = progress
        if self.ended.is_set():
            self.stop()
        elif time.monotonic() - self._told >= GAP:
            self.tell(progress)
            self._told = time.monotonic()


def check(order: Order, game: Game) -> None:
    """Raise what is wrong with an order."""
    if order.using in analysts(game):
        if order.options:
            raise BadLimits(f"{order.using} has no settings here: they are part of its command in plyforge engines")
        return
    make(order.using, game, order.options, order.lines)


__all__ = ["Analyst", "Order"]
