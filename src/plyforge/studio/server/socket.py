"""One page's web socket: frames in, answers and news out.

The page sends `{"id": 7, "do": "play.move", ...}`, and gets `{"re": 7, ...}` or `{"re": 7, "error": "in words"}`; news
comes on its own, `{"news": "analysis", ...}`.

Invariants:
- The server's one thread only reads, writes and counts. Whatever a request asks for runs in the thread of its desk
  (`worker.py`).
- Each request has one answer, also one that fails, is refused or takes too long.
- What waits to be sent is bounded in number and bytes. A page that does not read is dropped, and so is one that goes on
  sending what is no request, or more than a person could.
- When the socket goes, for whatever reason, all desks of the page are closed, and nothing holds them any more.
- A view's desk is in one place: here, or, where the game is somebody's own rules, in the process of those rules
  (`away.py`). A request that names a game says where; one that names none goes where the one before went.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.websockets import WebSocket, WebSocketDisconnect

from plyforge.contract import Game
from plyforge.errors import PlyforgeError
from plyforge.studio.server import limits
from plyforge.studio.server.away import Away, AwayRules
from plyforge.studio.server.frames import read_frame, write_json
from plyforge.studio.server.handler import BadRequest, Desk, Room
from plyforge.studio.server.handlers import APART, Desks
from plyforge.studio.server.wire import CUT
from plyforge.studio.server.worker import Worker

if TYPE_CHECKING:
    from plyforge.studio.server.server import Studio

TOO_MUCH, SLOW = 1008, 1013
"""Codes with which a socket is closed: for what the page sent, and for what it did not read."""

MANY_KINDS = 100
"""Kinds of news of which the time is remembered."""
FAREWELL = 0.5
"""Seconds that a page has to read why its socket is closed."""
HERE = None
"""The place of desks that are in this process."""


class PageRoom(Room):
    """The surroundings of the desks of one page."""

    def __init__(self, page: Page) -> None:
        self.page: Page | None = page
        """None once it has gone: whoever still has something to tell tells nobody."""
        self.studio = page.studio
        self.shelf = page.studio.shelf
        self.made = page.studio.made

    def tell(self, kind: str, fields: dict[str, Any], of: str = "") -> None:
        page = self.page
        if page is not None:
            page.post((kind, of), fields)

    def native(self, game: Game, using: str | None = None) -> bool | None:
        return self.studio.native(self, game, using)


class Waiting(NamedTuple):
    """A request without an answer."""

    view: str
    place: Away | None
    """Where its desk is."""
    timers: tuple[asyncio.TimerHandle, ...]

    def end(self) -> None:
        """It has one."""
        for timer in self.timers:
            timer.cancel()


class Page:
    """One open page: its socket and its desks."""

    def __init__(self, studio: Studio, socket: WebSocket) -> None:
        self.studio = studio
        self.socket = socket
        self.loop = asyncio.get_running_loop()
        self.room = PageRoom(self)
        self.here = Desks(self.room, self.answer, self.awaits)
        self.places: dict[str, Away | None] = {}
        """Where the desk of each view is, HERE or away."""
        self.slow: set[Away] = set()
        """Those of whom the page was told that an answer is late."""
        self.moves = 0
        """How often a view's desk was set up in another place."""
        self.outgoing: deque[str] = deque()
        self.outgoing_bytes = 0
        self.wake = asyncio.Event()
        self.ending = asyncio.Event()
        self.code, self.reason = 1000, ""
        self.waiting: dict[int, Waiting] = {}
        self.tokens, self.counted = float(limits.BURST), time.monotonic()
        self.strikes = 0
        self.posting = threading.Lock()
        self.posted: dict[tuple[str, str], dict[str, Any]] = {}
        self.unsent_news: dict[tuple[str, str], dict[str, Any]] = {}
        self.news_sent: dict[tuple[str, str], float] = {}

    # ------------------------------------------------------------ its life
    async def run(self) -> None:
        """From the first frame to the last."""
        await self.socket.accept()
        self.send({"news": "welcome", **self.studio.welcome()})
        parts = [asyncio.create_task(part) for part in (self._read(), self._write(), self.ending.wait())]
        try:
            await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.ending.set()
            for part in parts:
                part.cancel()
            await asyncio.gather(*parts, return_exceptions=True)
            self._close_desks()
        await self._hang_up()

    async def _hang_up(self) -> None:
        """Say why, if the other side still reads; a moment later cut the connection, so that nothing waits for one
        that does not."""
        cut = self.socket.scope.get(CUT)
        if cut is not None:
            self.loop.call_later(FAREWELL, cut)
        with contextlib.suppress(Exception):
            async with asyncio.timeout(FAREWELL):
                await self.socket.close(self.code, self.reason)

    def end(self, code: int, reason: str) -> None:
        """Close the socket, from the server's thread."""
        if not self.ending.is_set():
            self.code, self.reason = code, reason
            self.ending.set()

    def _close_desks(self) -> None:
        for waiting in self.waiting.values():
            waiting.end()  # a timer would hold the page, and all that is on its desks, to its end
        self.waiting.clear()
        for place in {place for place in self.places.values() if place is not HERE}:
            place.left(self)
        self.places.clear()
        self.slow.clear()
        self.here.close()
        self.room.page = None
        self.studio.made.forget(self.room)

    @property
    def desks(self) -> dict[str, Desk]:
        """Those that are in this process."""
        return self.here.desks

    def call_soon(self, function: Any, *args: Any) -> None:
        """Have the server's thread call something, from any thread. Nothing happens once the server has ended."""
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(function, *args)

    # ------------------------------------------------------------ in
    async def _read(self) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            while not self.ending.is_set():
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                self.take(message.get("text"))

    def take(self, text: str | None) -> None:
        """One frame from the page."""
        if self.ending.is_set():
            return
        if not self._within_rate():
            self.strike("too many requests: wait a moment")
            return
        try:
            request = read_frame(text)
        except BadRequest as error:
            self.strike(str(error))
            return
        number = request.pop("id")
        try:
            self._begin(number, request.pop("do"), request)
        except PlyforgeError as error:
            self.send({"re": number, "error": str(error)})

    def _within_rate(self) -> bool:
        now = time.monotonic()
        self.tokens = min(limits.BURST, self.tokens + (now - self.counted) * limits.REQUESTS_PER_SECOND)
        self.counted = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def strike(self, sentence: str) -> None:
        """Refuse a frame; a page that goes on like that is dropped."""
        self.strikes += 1
        if self.strikes > limits.STRIKES:
            self.end(TOO_MUCH, "too many frames that are no requests")
        else:
            self.send({"news": "refused", "error": sentence})

    def _begin(self, number: int, do: str, fields: dict[str, Any]) -> None:
        if len(self.waiting) >= limits.WAITING_REQUESTS:
            raise BadRequest("too many requests wait for an answer already: wait for some of them")
        if number in self.waiting:
            raise BadRequest(f"a request with the id {number} still waits for its answer")
        view, _, name = do.partition(".")
        place = self._place(view, fields)
        # before it begins: whoever does it looks whether somebody waits
        self.waiting[number] = Waiting(view, place, ())
        try:
            late = self._ask(place, number, view, name, fields)
        except PlyforgeError:
            del self.waiting[number]
            raise
        timers = [self.loop.call_later(limits.REQUEST_SECONDS, self._too_late, number, late)]
        if place is not HERE:
            timers.append(self.loop.call_later(limits.SLOW_SECONDS, self._slow, place, True))
        self.waiting[number] = Waiting(view, place, tuple(timers))

    def _ask(self, place: Away | None, number: int, view: str, name: str, fields: dict[str, Any]) -> Worker | Away:
        """Have a request answered at a place; who is to be told when that takes too long."""
        first = self.moves * APART
        if place is HERE:
            return self.here.begin(number, view, name, fields, first)
        place.ask(self, number, view, name, fields, first)
        return place

    def _place(self, view: str, fields: dict[str, Any]) -> Away | None:
        """Where the desk is that a request is for. One that names a game that is played elsewhere moves the desk:
        the one before is closed."""
        before = self.places.get(view, HERE)
        name = named_game(fields)
        if name is None or view == "home":
            return before
        rules = self.studio.shelf.own.get(name)
        place = rules.process() if isinstance(rules, AwayRules) else HERE
        if place is not before:
            self.moves += 1
            if before is HERE:
                self.here.close(view)
            else:
                before.left(self, view)
            self.places[view] = place
            self._give_up(lambda waiting: waiting.view == view, "another game has been begun meanwhile")
        return place

    def _give_up(self, which: Callable[[Waiting], bool], why: str) -> None:
        """Answer requests that nobody will."""
        for number in [number for number, waiting in self.waiting.items() if which(waiting)]:
            self.waiting.pop(number).end()
            self.send({"re": number, "error": why})

    def awaits(self, number: int) -> bool:
        """True until a request has been answered, or given up."""
        return number in self.waiting

    def answer(self, number: int, frame: str) -> None:
        """The answer to a request, from any thread."""
        self.call_soon(self._answered, number, frame)

    def _answered(self, number: int, frame: str) -> None:
        waiting = self.waiting.pop(number, None)
        if waiting is not None:  # else it was given up, and has been answered
            waiting.end()
            self.send_frame(frame)
            if waiting.place is not HERE:
                self._slow(waiting.place, False)

    def _slow(self, place: Away, slow: bool) -> None:
        """Tell the page that somebody's rules take their time, so that a person can stop them; and when they have
        answered."""
        if slow or (place in self.slow and not any(each.place is place for each in self.waiting.values())):
            (self.slow.add if slow else self.slow.discard)(place)
            self.news(("slow", place.rules.name), {"game": place.rules.name, "slow": slow})

    def _too_late(self, number: int, late: Worker | Away) -> None:
        sentence = f"that took longer than {limits.REQUEST_SECONDS:g} s and was given up"
        if isinstance(late, Away):
            late.stop(sentence)  # it may be deaf to all else; who waits is told
        elif (waiting := self.waiting.pop(number, None)) is not None:
            waiting.end()
            late.interrupt()
            self.send({"re": number, "error": sentence})

    def away_ended(self, place: Away, why: str) -> None:
        """The process that some desks of this page were in has ended: whoever waits is told, and the page is, which
        then offers to begin again."""
        views = [view for view, where in self.places.items() if where is place]
        self.slow.discard(place)
        for view in views:
            self.places[view] = HERE
            self.moves += 1
        self._give_up(lambda waiting: waiting.place is place, why)
        self.news(("ended", place.rules.name), {"game": place.rules.name, "views": views, "why": why})

    # ------------------------------------------------------------ out
    def post(self, key: tuple[str, str], fields: dict[str, Any]) -> None:
        """News, from any thread. Who tells faster than the server can listen only replaces what waits."""
        with self.posting:
            first = not self.posted
            self.posted[key] = fields
        if first:
            self.call_soon(self._collect)

    def _collect(self) -> None:
        with self.posting:
            posted, self.posted = self.posted, {}
        for key, fields in posted.items():
            self.news(key, fields)

    def news(self, key: tuple[str, str], fields: dict[str, Any]) -> None:
        """Tell the page something, now or as soon as ten a second allow. `key` is the kind, and of what."""
        waits = key in self.unsent_news
        self.unsent_news[key] = fields
        if waits:
            return
        gap = 1.0 / limits.NEWS_PER_SECOND
        left = self.news_sent.get(key, -gap) + gap - self.loop.time()
        if left <= 0:
            self._send_news(key)
        else:
            self.loop.call_later(left, self._send_news, key)

    def _send_news(self, key: tuple[str, str]) -> None:
        now = self.loop.time()
        if len(self.news_sent) > MANY_KINDS:  # of those that may be sent again at once nothing need be known
            self.news_sent = {each: at for each, at in self.news_sent.items() if now - at < 1.0}
        self.news_sent[key] = now
        self.send({"news": key[0], **self.unsent_news.pop(key)})

    def send(self, message: dict[str, Any]) -> None:
        """Have a message written to the page."""
        self.send_frame(write_json(message))

    def send_frame(self, frame: str) -> None:
        """The same, already as text."""
        if self.ending.is_set():
            return
        self.outgoing.append(frame)
        self.outgoing_bytes += len(frame)
        if len(self.outgoing) > limits.OUTGOING_FRAMES or self.outgoing_bytes > limits.OUTGOING_BYTES:
            self.end(SLOW, "the page does not read what it is sent")
        self.wake.set()

    async def _write(self) -> None:
        while True:
            await self.wake.wait()
            self.wake.clear()
            while self.outgoing:
                frame = self.outgoing.popleft()
                self.outgoing_bytes -= len(frame)
                try:
                    async with asyncio.timeout(limits.SEND_SECONDS):
                        await self.socket.send_text(frame)
                except TimeoutError:
                    self.end(SLOW, "the page does not read what it is sent")
                    return
                except (WebSocketDisconnect, RuntimeError, OSError):
                    return


def named_game(fields: dict[str, Any]) -> str | None:
    """The name of the game that a request is about, without arguments; None for one that names none."""
    source = fields.get("source")
    text = fields.get("game", source.get("game") if isinstance(source, dict) else None)
    return text.partition("(")[0].strip() if isinstance(text, str) else None


__all__ = ["Page", "PageRoom"]
