"""One page's web socket: frames in, answers and news out.

The page sends `{"id": 7, "do": "play.move", ...}`, and gets `{"re": 7, ...}` or `{"re": 7, "error": "in words"}`; news comes on its own, `{"news": "analysis", ...}`.

Invariants:
- The server's one thread only reads, writes and counts. Whatever a request asks for runs in the thread of its desk (`worker.py`).
- Each request has one answer, also one that fails, is refused or takes too long.
- What waits to be sent is bounded in number and bytes. A page that does not read is dropped, and so is one that goes on sending what is no request, or
  more than a person could.
- When the socket goes, for whatever reason, all desks of the page are closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import threading
import time
import traceback
from collections import deque
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from plyforge.errors import PlyforgeError
from plyforge.game import Game
from plyforge.studio import limits
from plyforge.studio.blame import blamed
from plyforge.studio.desk import BadRequest, Desk, Room
from plyforge.studio.frames import read_frame, write_json
from plyforge.studio.wire import CUT
from plyforge.studio.worker import Worker

if TYPE_CHECKING:
    from plyforge.studio.server import Studio

DESKS = {
    "home": "plyforge.studio.home_desk:HomeDesk",
    "play": "plyforge.studio.play_desk:PlayDesk",
    "analyse": "plyforge.studio.analyse_desk:AnalyseDesk",
    "tree": "plyforge.studio.tree_desk:TreeDesk",
    "quiz": "plyforge.studio.quiz_desk:QuizDesk",
}
"""The part of `do` before the dot, and the class that answers to it; imported when a page first asks."""

TOO_MUCH, SLOW = 1008, 1013
"""Codes with which a socket is closed: for what the page sent, and for what it did not read."""

MANY_KINDS = 100
"""Kinds of news of which the time is remembered."""
FAREWELL = 0.5
"""Seconds that a page has to read why its socket is closed."""


class PageRoom(Room):
    """The surroundings of the desks of one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.shelf = page.studio.shelf
        self.made = page.studio.made

    def tell(self, kind: str, fields: dict[str, Any], of: str = "") -> None:
        self.page.post((kind, of), fields)

    def native(self, game: Game, using: str | None = None) -> bool | None:
        return self.page.studio.native(self, game, using)


class Page:
    """One open page: its socket and its desks."""

    def __init__(self, studio: Studio, socket: WebSocket) -> None:
        self.studio = studio
        self.socket = socket
        self.loop = asyncio.get_running_loop()
        self.room = PageRoom(self)
        self.desks: dict[str, Desk] = {}
        self.workers: dict[str, Worker] = {}
        self.outgoing: deque[str] = deque()
        self.outgoing_bytes = 0
        self.wake = asyncio.Event()
        self.ending = asyncio.Event()
        self.code, self.reason = 1000, ""
        self.waiting: dict[Any, Any] = {}
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
        """Say why, if the other side still reads; a moment later cut the connection, so that nothing waits for one that does not."""
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
        for worker in self.workers.values():
            worker.close()
        for name, desk in tuple(self.desks.items()):
            try:
                desk.close()
            except Exception:
                print(f"plyforge studio: the desk {name!r} could not be closed", flush=True)
                traceback.print_exc()
        self.studio.made.forget(self.room)

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
        if view not in DESKS:
            raise BadRequest(f"there is no desk called {view!r}; there are {', '.join(DESKS)}")
        desk = self.desks.get(view)
        lane = f"{view} at once" if desk is not None and desk.does_at_once(name) else view
        worker = self.workers.get(lane)
        if worker is None:
            worker = self.workers[lane] = Worker(f"studio {lane}")
        self.waiting[number] = self.loop.call_later(limits.REQUEST_SECONDS, self._too_late, number, worker)
        worker.run(lambda: self._work(number, view, name, fields))

    # ------------------------------------------------------------ the work, in the desk's thread
    def _work(self, number: int, view: str, name: str, fields: dict[str, Any]) -> None:
        if number not in self.waiting:  # given up while it waited
            return
        try:
            answer = {"re": number, **self._desk(view).do(name, **fields)}
            frame = write_json(answer)
        except PlyforgeError as error:
            frame = write_json({"re": number, "error": str(error)})
        except Exception as error:
            sentence, all_said = blamed(error, self.studio.shelf)
            if all_said:
                print(f"plyforge studio: {sentence}", flush=True)
            else:
                traceback.print_exc()
            frame = write_json({"re": number, "error": sentence})
        self.call_soon(self._answered, number, frame)

    def _desk(self, view: str) -> Desk:
        """The desk of a view, set up by the first request to it: in its thread, since that imports what it needs."""
        if view not in self.desks:
            desk: Desk = desk_class(view)(self.room)
            self.desks[view] = desk
            if self.ending.is_set():  # the page went meanwhile
                desk.close()
        return self.desks[view]

    def _answered(self, number: int, frame: str) -> None:
        late = self.waiting.pop(number, None)
        if late is not None:  # else it was given up, and has been answered
            late.cancel()
            self.send_frame(frame)

    def _too_late(self, number: int, worker: Worker) -> None:
        if self.waiting.pop(number, None) is not None:
            worker.interrupt()
            self.send(
                {
                    "re": number,
                    "error": f"that took longer than {limits.REQUEST_SECONDS:g} s and was given up",
                }
            )

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


def desk_class(view: str) -> type[Desk]:
    """The class of a desk."""
    module, _, name = DESKS[view].partition(":")
    found: type[Desk] = getattr(importlib.import_module(module), name)
    return found


__all__ = ["DESKS", "Page", "PageRoom", "desk_class"]
