"""Plyforge's lines of JSON from the side of whoever asks: any program that answers them is a player of any game.

    program = TalkProgram("./bot")
    program.ask("hello")                                            {"name": "Bot"}
    program.ask("position", actions=["4", "4"])                     {}
    program.ask("go", seconds=1.0)                                  {"found": {"action": "3"}}
    program.close()

A request is an object on a line; its answer is an object with the same `id` and `ok`. Objects with `event` may come
before it. The other side is `server.py`, and `plyforge talk GAME` is such a program. How a program is kept in check is
in `process.py`.

Invariant: an answer counts if it has the number of the question that was asked last. One with another number is told as
a mistake of the program, which is not asked again: a late answer is never taken for the next one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from plyforge.errors import BadText
from plyforge.play.protocols.json_lines.words import read_request
from plyforge.play.protocols.process import COMMAND_SECONDS, SHOWN, Program, ProgramFailed

LONGEST_ANSWER = 1 << 20
"""Bytes of an answer, with the events before it."""


class TalkRefused(ProgramFailed):
    """The program said no, and goes on."""

    def __init__(self, error_kind: str, message: str) -> None:
        super().__init__("refused", message)
        self.error_kind = error_kind
        """What kind of error it names; "" if none."""


class TalkProgram(Program):
    """A running program that answers lines of JSON; see the module's text."""

    def __init__(self, command: str, name: str = "", environment: Mapping[str, str] | None = None) -> None:
        super().__init__(command, environment)
        self.name = name or self.name
        self._asked = 0

    def ask(self, verb: str, within: float = COMMAND_SECONDS, **arguments: Any) -> dict[str, Any]:
        """The answer to a request. Raises ProgramFailed, and TalkRefused where the answer is no."""
        self._asked += 1
        end = time.monotonic() + within
        self.send(json.dumps({"id": self._asked, "do": verb} | arguments, allow_nan=False))
        size = 0
        while True:
            line, read = self.hear(verb, end, within)
            size += read
            if size > LONGEST_ANSWER:
                raise self._fail("protocol", f"{self.name} answers {verb!r} without end, and was stopped")
            if not line:
                continue
            answer = self._parsed(verb, line)
            if "event" in answer and answer.get("id") == self._asked:
                continue
            if answer.get("id") != self._asked or type(answer.get("ok")) is not bool:
                what = "an id that was not asked for" if answer.get("id") != self._asked else "no ok of true or false"
                raise self._fail("protocol", f"{self.name} answers {verb!r} with {what}: {line[:SHOWN]!r}")
            if answer["ok"]:
                return answer
            error = answer.get("error")
            error = error if isinstance(error, dict) else {}
            message = str(error.get("message", "no reason given"))[: 2 * SHOWN]
            raise TalkRefused(str(error.get("kind", ""))[:SHOWN], f"{self.name} refuses {verb!r}: {message}")

    def _parsed(self, verb: str, line: str) -> dict[str, Any]:
        try:
            return read_request(line)
        except BadText:
            raise self._fail(
                "protocol",
                f"{self.name} answers {verb!r} with {line[:SHOWN]!r}, which is no object of JSON",
            ) from None


__all__ = ["TalkProgram", "TalkRefused"]
