"""The application: one page, its files, one web socket; and how it is started and stopped. Routes only route.

studio = Studio(("my_rules.py",))
studio.listen()           # a socket on the loopback address; studio.link is what to open in a browser
studio.serve()            # until Ctrl-C, or until another thread calls studio.stop()
"""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

import plyforge
from plyforge.contract import Game
from plyforge.errors import PlyforgeError
from plyforge.studio.library.library import Shelf
from plyforge.studio.library.precompile import Warm
from plyforge.studio.server import limits
from plyforge.studio.server.artifacts import Made
from plyforge.studio.server.away import AwayRules
from plyforge.studio.server.guard import Guard
from plyforge.studio.server.handlers import DESKS, desk_class
from plyforge.studio.server.socket import Page
from plyforge.studio.server.wire import Wire

PORT = 8765
"""Where the studio is if nobody says: always the same, so that a bookmark works. If it is taken, any free one."""

LATER = 1.5
"""Seconds after the start before what is only needed later is loaded: the page comes first."""
SWITCH_SECONDS = 0.001
"""How long a thread that runs Python, such as an interpreted search, keeps the others waiting; Python's own 5 ms
would add up where several search at once."""

PAGE = Path(__file__).parents[1] / "page"
MEDIA_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
"""What is served of the page's folder."""


class PortTaken(PlyforgeError):
    """Another program listens where the studio was told to."""


class Studio:
    """The running studio: the shelf, the pages that are open, what was made for them."""

    def __init__(self, files: tuple[str, ...] = (), token: str | None = None) -> None:
        self.made = Made()
        self.pages: set[Page] = set()
        self._telling = threading.Lock()
        self.shelf = Shelf(files, self._shelf_changed, AwayRules)
        self.warm = Warm(self._compiling)
        for rules in self.shelf.own.values():
            if isinstance(rules, AwayRules):
                rules.on_compiling = self._compiling
        self.files = page_files()
        self._token = token
        self._listening: socket.socket | None = None
        self._server: uvicorn.Server | None = None
        self.guard: Guard | None = None

    # ------------------------------------------------------------ starting and stopping
    def listen(self, port: int | None = None) -> None:
        """Open a socket on the loopback address: at `port`, or at the usual one, or at any. Raises PortTaken."""
        tries = [port] if port is not None else [PORT, 0]
        for number in tries:
            listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listening.bind(("127.0.0.1", number))
                listening.listen(128)
            except OSError as error:
                listening.close()
                if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                    raise
                continue
            self._listening = listening
            self.guard = Guard(self._routes(), listening.getsockname()[1], self._token)
            return
        raise PortTaken(f"the port {port} can't be had: choose another one with --port, or none, for any that is free")

    @property
    def port(self) -> int:
        assert self.guard is not None, "listen() first"
        return self.guard.port

    @property
    def link(self) -> str:
        """What to open in a browser; it holds the key."""
        assert self.guard is not None, "listen() first"
        return self.guard.link

    def serve(self) -> None:
        """Answer until told to stop: by Ctrl-C, in the main thread, or by `stop`."""
        assert self._listening is not None and self.guard is not None, "listen() first"
        config = uvicorn.Config(
            self.guard,
            http="h11",
            ws=Wire,
            loop="asyncio",
            lifespan="off",
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            ws_max_size=limits.FRAME_BYTES,
            ws_per_message_deflate=False,  # a small frame could unpack to a large one
            timeout_keep_alive=30,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_SECONDS)
        threading.Thread(target=self._prepare, daemon=True, name="studio prepares").start()
        try:
            self._server.run(sockets=[self._listening])
        except KeyboardInterrupt:  # the usual end: everything is closed by now
            pass
        finally:
            sys.setswitchinterval(before)
            self.warm.close()
            self.shelf.close()
            with contextlib.suppress(OSError):
                self._listening.close()

    def _prepare(self) -> None:
        """Before anybody asks: the cards, and the modules behind the desks. What fails here fails again, and is
        told, when somebody does."""
        with contextlib.suppress(Exception):
            self.shelf.cards()
        for view in tuple(DESKS):
            with contextlib.suppress(Exception):
                desk_class(view)
        time.sleep(LATER)
        with contextlib.suppress(ImportError):
            import plyforge.kernel.compiling.compiler  # noqa: F401  (a part of a second in which others wait: not in the middle of a game)

    @contextlib.contextmanager
    def running(self) -> Iterator[Studio]:
        """In a thread of its own, at any free port, until the block is left: for scripts that look at it."""
        self.listen(0)
        thread = threading.Thread(target=self.serve, daemon=True)
        thread.start()
        while not self.started and thread.is_alive():
            time.sleep(0.01)
        try:
            yield self
        finally:
            self.stop()
            thread.join(5.0)

    def stop(self) -> None:
        """End `serve`, from any thread; returns at once."""
        if self._server is not None:
            self._server.should_exit = True

    @property
    def started(self) -> bool:
        """True once it answers."""
        return self._server is not None and self._server.started

    # ------------------------------------------------------------ routes
    def _routes(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", self._file),
                Route("/page/{path:path}", self._file),
                Route("/favicon.ico", self._file),
                Route("/made/{key}/{name}", self._thing),
                WebSocketRoute("/socket", self._socket),
            ],
            exception_handlers={404: _not_found},
        )

    async def _file(self, request: Request) -> Response:
        path = request.path_params.get("path", "index.html" if request.url.path == "/" else "favicon.svg")
        file = self.files.get(path)
        if file is None:
            return await _not_found(request, None)
        return Response(file.read_bytes(), media_type=MEDIA_TYPES[file.suffix])

    async def _thing(self, request: Request) -> Response:
        thing = self.made.get(request.path_params["key"])
        if thing is None or thing.name != request.path_params["name"]:
            return await _not_found(request, None)
        headers = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
        if "keep" in request.query_params:
            headers["content-disposition"] = f'attachment; filename="{thing.name}"'
        return Response(thing.content, media_type=thing.media_type, headers=headers)

    async def _socket(self, socket: WebSocket) -> None:
        if len(self.pages) >= limits.SOCKETS:
            await socket.accept()
            await socket.close(1013, "too many pages are open")
            return
        page = Page(self, socket)
        self.pages.add(page)
        try:
            await page.run()
        finally:
            self.pages.discard(page)

    # ------------------------------------------------------------ what pages need
    def welcome(self) -> dict[str, Any]:
        """The first news of every socket."""
        return {"version": plyforge.__version__, "compiling": self.compiling}

    @property
    def compiling(self) -> list[str]:
        """What is being compiled, here and where own rules run."""
        own = (rules.compiling for rules in self.shelf.own.values() if isinstance(rules, AwayRules))
        return [*self.warm.compiling, *(name for names in own for name in names)]

    def native(self, room: Any, game: Game, using: str | None) -> bool | None:
        """See `Desk.native`."""

        def heard(name: str, search: str, why: str) -> None:
            room.tell("compiled", {"game": name, "using": search, "why": why}, f"{name} {search}")

        return self.warm.native(game, using, heard)

    def _shelf_changed(self, card: dict[str, Any]) -> None:
        """Tell all pages how an own rules file stands now."""
        for page in tuple(self.pages):
            page.room.tell("shelf", {"card": card}, card["name"])

    def _compiling(self) -> None:
        """Tell all pages what is being compiled."""
        with (
            self._telling
        ):  # else what one thread has read before could be told after what another has read since, and stay
            names = self.compiling
            for page in tuple(self.pages):
                page.room.tell("compiling", {"games": names})


def page_files() -> dict[str, Path]:
    """The files of the page, by the name that a browser asks for: a request never becomes a path."""
    return {
        file.relative_to(PAGE).as_posix(): file
        for file in sorted(PAGE.rglob("*"))
        if file.suffix in MEDIA_TYPES and file.is_file() and not file.is_symlink()
    }


async def _not_found(request: Request, error: Any) -> Response:
    return PlainTextResponse("There is nothing here. The studio is at /", status_code=404)


__all__ = ["PORT", "PortTaken", "Studio"]
