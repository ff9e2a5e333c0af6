"""A page without a browser: the cookie, the web socket, requests and news. For tests of the studio's server."""

from __future__ import annotations

import json
import re
import time
from typing import Any

from websockets.sync.client import connect

from patience import PATIENCE


class Client:
    """One socket of a studio whose link (or token and port) is known."""

    def __init__(self, link: str, timeout: float = PATIENCE, **options: Any) -> None:
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/door\?token=(\S+)", link)
        assert found, link
        self.port, self.timeout = int(found[1]), timeout
        self._connection = connect(
            f"ws://127.0.0.1:{self.port}/socket",
            origin=f"http://127.0.0.1:{self.port}",  # type: ignore[arg-type]
            additional_headers={"Cookie": f"plyforge-{self.port}={found[2]}"},
            compression=None,
            open_timeout=timeout,
            close_timeout=1,
            max_size=None,
            **options,
        )
        self.socket = self._connection.__enter__()
        self.number = 0
        self.news: list[dict[str, Any]] = []

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: Any) -> None:
        self._connection.__exit__(*error)

    def send(self, frame: Any) -> None:
        """A frame as it is."""
        self.socket.send(frame if isinstance(frame, (str, bytes)) else json.dumps(frame))

    def next(self, timeout: float | None = None) -> dict[str, Any]:
        """The next message, whatever it is."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=timeout or self.timeout))
        return message

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """The answer to a request; news that comes before it is kept."""
        self.number += 1
        self.send({"id": self.number, "do": do, **fields})
        while True:
            message = self.next()
            if message.get("re") == self.number:
                return message
            self.news.append(message)

    def wait_for(self, kind: str, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next news of a kind."""
        end = time.monotonic() + seconds
        while True:
            for place, message in enumerate(self.news):
                if message.get("news") == kind:
                    return self.news.pop(place)
            self.news.append(self.next(max(0.01, end - time.monotonic())))
