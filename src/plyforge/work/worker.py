"""The worker's end: a process that does orders, and talks in lines of JSON. Started by `processes.py`, or by whatever a
command launcher starts, as `python -m plyforge.work`.

    standard input    {"terms": {...}, "run": "..."}     answered with {"ready": true} or {"refused": "..."}
                      {"do": [[number, given], ...]}     orders, done in that order; answered, several at a time, with
                                                         {"done": [[number, result, seconds], ...], "run": "..."}
                      {"drop": [number, ...]}            orders that somebody else does, if they have not been begun
                      the end                            whoever gave the orders has gone: so does the worker, at once
    standard output   besides the answers {"progress": true}, where an order tells of some, and {"failed": "..."} for
                      an order that can't be done anywhere

Whatever else is written to standard output goes to standard error.

Invariant: a result is sent at most GATHER seconds after it was found, or as soon as an order is done after that.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from typing import Any

from plyforge.errors import PlyforgeError
from plyforge.work.orders import Doer, Order, Terms

GATHER = 0.02
"""Seconds for which results of quick orders are gathered into one answer."""
TELL_EVERY = 1.0
"""Seconds between two words of progress, however often an order tells of it."""


class Worker:
    """Does orders under one set of terms. It knows nothing of pipes: words come in by `hear`, and go out by `say`."""

    def __init__(self, say: Callable[[dict[str, Any]], object]) -> None:
        self.say = say
        self.run = ""
        self.do: Doer | None = None
        self._orders: deque[tuple[int, Any]] = deque()
        self._found: list[tuple[int, Any, float]] = []
        self._sent = self._told = 0.0
        self._wake = threading.Condition()

    def hear(self, said: dict[str, Any]) -> None:
        """A word from whoever gives the orders, from any thread."""
        with self._wake:
            if "terms" in said:
                self._orders.appendleft((-1, said))
            for number, given in said.get("do", ()):
                self._orders.append((number, given))
            dropped = set(said.get("drop", ()))
            if dropped:
                self._orders = deque(order for order in self._orders if order[0] not in dropped)
            self._wake.notify()

    def work(self) -> None:
        """Until the process ends, or these orders can't be done here."""
        while True:
            with self._wake:
                while not self._orders:
                    self._wake.wait()
                number, given = self._orders.popleft()
            if number == -1:
                if not self._prepare(given):
                    return
            elif not self._one(number, given):
                return

    def _prepare(self, said: dict[str, Any]) -> bool:
        try:
            self.do = Terms.from_json(said["terms"]).prepare()
        except PlyforgeError as error:
            self.say({"refused": str(error)})
            return False
        self.run = said["run"]
        self.say({"ready": True, "process": os.getpid()})
        return True

    def _one(self, number: int, given: Any) -> bool:
        assert self.do is not None, "orders come after terms"
        began = time.perf_counter()
        try:
            result = self.do(Order(number, given, self._tell))
        except MemoryError:
            raise  # another machine, or another moment, may have more of it
        except Exception as error:
            traceback.print_exc()
            words = str(error) if isinstance(error, PlyforgeError) else f"{type(error).__name__}: {error}"
            self._send()
            self.say({"failed": words, "number": number, "run": self.run})
            return False
        now = time.perf_counter()
        self._found.append((number, result, now - began))
        if not self._orders or now - self._sent >= GATHER:
            self._send()
        return True

    def _send(self) -> None:
        if self._found:
            self.say({"done": self._found, "run": self.run})
            self._found = []
        self._sent = time.perf_counter()

    def _tell(self) -> None:
        now = time.perf_counter()
        if now - self._told >= TELL_EVERY:
            self._told = now
            self.say({"progress": True, "run": self.run})


def main() -> None:
    """Work on what standard input asks for, until it ends."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever gives the orders

    def say(said: dict[str, Any]) -> None:
        line = json.dumps(said, allow_nan=False).encode() + b"\n"
        while line:  # a pipe may take a part
            line = line[output.write(line) or 0 :]

    worker = Worker(say)

    def listen() -> None:
        try:
            for line in sys.stdin.buffer:
                worker.hear(json.loads(line))
        finally:
            os._exit(0)  # whatever the other thread does

    threading.Thread(target=listen, daemon=True).start()
    try:
        worker.work()
    except OSError:  # nobody listens any more
        os._exit(0)
    time.sleep(0.1)  # let the last word be heard
    sys.stderr.flush()
    os._exit(2)


__all__ = ["Worker", "main"]
