"""What has been made for pages to fetch: trees, pictures, saved games. It is kept in memory and never touches a file.

An address, `/made/<random>/<name>`, is known to the page that it was made for. Things are forgotten when that page
goes, or, the oldest first, when there is too much of them.
"""

from __future__ import annotations

import re
import secrets
import threading
from typing import Any, NamedTuple

from plyforge.errors import BadLimits
from plyforge.studio.server import limits

MEDIA_TYPES = {
    "application/json",
    "application/pdf",
    "application/x-tex",
    "image/png",
    "image/svg+xml",
    "text/csv",
    "text/html",
    "text/plain",
    "text/vnd.graphviz",
}
"""Anything else is handed out as plain bytes."""


class Thing(NamedTuple):
    """Something to fetch."""

    name: str
    """What a browser would call it on disk."""
    content: bytes
    media_type: str
    owner: Any
    """The room that it was made in."""

    @classmethod
    def of(cls, name: str, content: bytes | str, media_type: str, owner: Any) -> Thing:
        """Something that may be handed out. Raises BadLimits if it is too large."""
        content = content.encode() if isinstance(content, str) else content
        if len(content) > limits.MADE_FILE_BYTES:
            raise BadLimits(
                f"that is {len(content) >> 20} MiB, and the studio hands out at most {limits.MADE_FILE_BYTES >> 20}:"
                " make less of it"
            )
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:80] or "file"
        media_type = media_type if media_type in MEDIA_TYPES else "application/octet-stream"
        return cls(name, content, media_type, owner)

    def address(self, key: str) -> str:
        """Where a page fetches it."""
        return f"/made/{key}/{self.name}"


class Made:
    """All that can be fetched, by key."""

    def __init__(self) -> None:
        self._things: dict[str, Thing] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    def add(self, name: str, content: bytes | str, media_type: str, owner: Any) -> str:
        """Keep something; its address."""
        thing, key = Thing.of(name, content, media_type, owner), secrets.token_urlsafe(12)
        self.put(key, thing)
        return thing.address(key)

    def put(self, key: str, thing: Thing) -> None:
        """Keep something by a key of somebody else's choosing; one that is taken stays as it is."""
        with self._lock:
            if key in self._things:
                return
            self._things[key] = thing
            self._bytes += len(thing.content)
            while self._bytes > limits.MADE_BYTES:
                self._remove(next(iter(self._things)))

    def get(self, key: str) -> Thing | None:
        """What has that key, if it is still there."""
        return self._things.get(key)

    def at(self, address: str) -> Thing | None:
        """What is at an address that `add` gave, if it is still there."""
        parts = address.split("/")
        return self.get(parts[2]) if len(parts) == 4 else None

    def forget(self, owner: Any) -> None:
        """Remove all that was made in a room."""
        with self._lock:
            for key in [key for key, thing in self._things.items() if thing.owner is owner]:
                self._remove(key)

    def _remove(self, key: str) -> None:
        self._bytes -= len(self._things.pop(key).content)


__all__ = ["MEDIA_TYPES", "Made", "Thing"]
