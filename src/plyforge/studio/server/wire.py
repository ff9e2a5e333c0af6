"""uvicorn's web sockets, with one thing more: a connection can be cut at once.

Closing politely waits until the other side has read what was written. One that never reads would keep its connection,
and what waits for it in memory, for ever. The application finds the scissors in its scope, under `CUT`.
"""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

CUT = "plyforge.cut"


class Wire(WebSocketsSansIOProtocol):
    """What uvicorn makes for each web socket."""

    async def run_asgi(self) -> None:
        self.scope[CUT] = self.transport.abort  # type: ignore[literal-required]
        await super().run_asgi()


__all__ = ["CUT", "Wire"]
