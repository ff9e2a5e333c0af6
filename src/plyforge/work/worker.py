"""The worker's end: a process that does orders, and talks in lines of JSON. Started by `processes.py`, or by whatever a
command launcher starts, as `python -m plyforge.work`.

    standard input    {"terms": {...}, "run": "..."}     answered with {"ready": true} or {"refused": "..."}
                      {"do": [[number, given], ...]}     orders, done in that order; answered, several at a time, with
                                                         {"done": [[number, result, seconds], ...], "run": "..."}
                      {"drop": [number, ...]}            orders that somebody else does, if they have not been begun
                      the end                            whoever gave the orders has gone: so does the worker, at once
    standard output   besides the answers {"progress": ..., "number": ...}, where an order tells of some, and
                      {"failed": "..."} for an order that can't be done anywhere; "programs" are those that the worker
                      has started

Whatever else is written to standard output goes to standard error.

Invariant: a result is sent at most GATHER seconds after it was found, or as soon as an order is done after that.
"""

from __future__ import annotations

import functools
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
from plyforge.work.orders import Doer, Last, Order, Terms
from plyforge.work.processes import kill_session

GATHER = 0.02
"""Seconds for which results of quick orders are gathered into one answer."""
TELL_EVERY = 1.0
"""Seconds between two words of mere progress, however often an order tells of it."""
SPENT = 3
"""Exit code of a worker that can't go on after its last result."""


class Worker:
    """Does orders under one set of terms. It knows nothing of pipes: words come in by `hear`, and go out by `say`."""

    def __init__(self, say: Callable[[dict[str, Any]], object], leave: Callable[[int], object] = os._exit) -> None:
        """`leave` ends the process, whatever its other threads do."""
        self.say, self.leave = say, leave
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
        ready = {"ready": True, "process": os.getpid(), "notes": list(getattr(self.do, "notes", ()))}
        self.say(ready | self._programs())
        return True

    def _one(self, number: int, given: Any) -> bool:
        assert self.do is not None, "orders come after terms"
        began = time.perf_counter()
        try:
            result = self.do(Order(number, given, functools.partial(self._tell, number)))
        except MemoryError:
            raise  # another machine, or another moment, may have more of it
        except Exception as error:
            traceback.print_exc()
            words = str(error) if isinstance(error, PlyforgeError) else f"{type(error).__name__}: {error}"
            self._send()
            self.say({"failed": words, "number": number, "run": self.run})
            return False
        now = time.perf_counter()
        is_last = isinstance(result, Last)
        self._found.append((number, result.result if is_last else result, now - began))
        if is_last or not self._orders or now - self._sent >= GATHER:
            self._send()
        if is_last:
            self.end(SPENT)
        return True

    def _send(self) -> None:
        if self._found:
            self.say({"done": self._found, "run": self.run})
            self._found = []
        self._sent = time.perf_counter()

    def _tell(self, number: int, said: Any = None, patience: float | None = None) -> None:
        now = time.perf_counter()
        if said is None and patience is None and now - self._told < TELL_EVERY:
            return
        self._told = now
        self._send()
        self.say({"progress": said, "number": number, "patience": patience, "run": self.run} | self._programs())

    def end(self, code: int) -> None:
        """At once, with the programs that were started."""
        for program in self._programs().get("programs", ()):
            kill_session(program)
        self.leave(code)

    def _programs(self) -> dict[str, list[int]]:
        asked = getattr(self.do, "programs", None)
        return {} if asked is None else {"programs": asked()}


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
            worker.end(0)

    threading.Thread(target=listen, daemon=True).start()
    try:
        worker.work()
    except OSError:  # nobody listens any more
        worker.end(0)
    time.sleep(0.1)  # let the last word be heard
    sys.stderr.flush()
    worker.end(2)


__all__ = ["Worker", "main"]
