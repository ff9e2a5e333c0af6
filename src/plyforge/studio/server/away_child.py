"""Rules of somebody's own, in a process of their own: the side on which they run. Started by `away.py`, which says what
the two tell each other.

Invariants:
- Nothing but this module writes to the pipe: what rules print goes where errors go.
- The process leaves when the pipe to it is closed, so it never outlives the studio.
- It takes a bounded amount of memory, where the system can be told so; beyond that, rules get a MemoryError, which the
  page is told of like any other.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import secrets
import sys
import threading
from typing import Any

from plyforge.check.trial.process import limit_memory
from plyforge.contract import Game
from plyforge.studio.library.library import Shelf
from plyforge.studio.library.precompile import Warm
from plyforge.studio.library.user_rules import OwnRules
from plyforge.studio.server import limits
from plyforge.studio.server.artifacts import Thing
from plyforge.studio.server.frames import write_json
from plyforge.studio.server.handler import BadRequest, Room
from plyforge.studio.server.handlers import Desks

SWITCH_SECONDS = 0.001
"""As in the server: requests are answered while searches run."""


class Mouth:
    """The pipe to the studio."""

    def __init__(self, pipe: int) -> None:
        self._pipe, self._lock = pipe, threading.Lock()

    def say(self, message: dict[str, Any]) -> None:
        """One message, from any thread."""
        rest = memoryview(write_json(message).encode() + b"\n")
        with self._lock, contextlib.suppress(OSError):
            while rest:
                rest = rest[os.write(self._pipe, rest) :]


class AwayRoom(Room):
    """The surroundings of the desks that one page has here."""

    def __init__(self, page: int, shelf: Shelf, mouth: Mouth, warm: Warm) -> None:
        self.page, self.shelf, self.mouth, self.warm = page, shelf, mouth, warm

    def tell(self, kind: str, fields: dict[str, Any], of: str = "") -> None:
        self.mouth.say({"page": self.page, "news": kind, "of": of, "fields": fields})

    def make(self, name: str, content: bytes | str, media_type: str) -> str:
        thing = Thing.of(name, content, media_type, None)
        key = secrets.token_urlsafe(12)
        message = {
            "name": thing.name,
            "media_type": media_type,
            "content": base64.b64encode(thing.content).decode(),
        }
        self.mouth.say({"page": self.page, "made": key, **message})
        return thing.address(key)

    def native(self, game: Game, using: str | None = None) -> bool | None:
        def heard(name: str, search: str, why: str) -> None:
            self.tell("compiled", {"game": name, "using": search, "why": why}, f"{name} {search}")

        return self.warm.native(game, using, heard)


class Child:
    """All that is here: one rules file, and for each page its desks."""

    def __init__(self, name: str, spec: str, mouth: Mouth) -> None:
        self.mouth = mouth
        self.shelf = Shelf()
        self.rules = self.shelf.own[name] = OwnRules(name, spec, lambda rules: None)
        self.warm = Warm(lambda: mouth.say({"compiling": self.warm.compiling}))
        self.pages: dict[int, Desks] = {}
        threading.Thread(target=self._load, daemon=True, name="studio loads").start()

    def _load(self) -> None:
        rules = self.rules
        stamps = rules.bring()
        files = {str(file): stamp for file, stamp in stamps.items()}
        self.mouth.say({"card": rules.shown, "error": rules.error, "files": files})

    def take(self, message: dict[str, Any]) -> None:
        """What the studio says."""
        if "report" in message:
            self.rules.report = message["report"]
        elif "close" in message:
            page, view = message["page"], message["close"]
            desks = self.pages.get(page) if view is not None else self.pages.pop(page, None)
            if desks is not None:
                desks.close(view)
        else:
            self._ask(message["page"], message["id"], message)

    def _ask(self, page: int, number: int, message: dict[str, Any]) -> None:
        def answer(number: int, frame: str) -> None:
            self.mouth.say({"page": page, "id": number, "frame": frame})

        desks = self.pages.get(page)
        if desks is None:
            room = AwayRoom(page, self.shelf, self.mouth, self.warm)
            desks = self.pages[page] = Desks(room, answer)
        try:
            desks.begin(number, message["view"], message["do"], message["fields"], message["first"])
        except BadRequest as error:
            answer(number, write_json({"re": number, "error": str(error)}))


def main() -> None:
    """Until the studio closes the pipe, or ends us."""
    orders, mouth = os.fdopen(os.dup(0), "rb"), Mouth(os.dup(1))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.setswitchinterval(SWITCH_SECONDS)
    with contextlib.suppress(ValueError):
        first = json.loads(orders.readline())
        sys.path[:] = first["path"]
        limit_memory(limits.OWN_BYTES)
        child = Child(first["name"], first["spec"], mouth)
        for line in orders:
            child.take(json.loads(line))
    os._exit(0)


if __name__ == "__main__":
    main()
