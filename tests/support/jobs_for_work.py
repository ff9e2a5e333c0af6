"""Kinds of work for the tests of `plyforge.work`: orders that add numbers, sleep, die, hang or print."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from plyforge.errors import PlyforgeError
from plyforge.work.orders import Last, Order


def make_sums(data: dict[str, Any]) -> Any:
    """Sums of the numbers below the order's, plus what is given."""

    def do(order: Order) -> dict[str, int]:
        time.sleep(data.get("seconds", 0.0))
        return {"sum": sum(range(order.number)) + (order.given or 0)}

    return do


def make_trouble(data: dict[str, Any]) -> Any:
    """The same, but some orders do what `data` says under their number; each as often as `data` says there."""

    def do(order: Order) -> int:
        what, times = data.get(str(order.number), ("", 0))
        mark = Path(data["folder"]) / f"{order.number}"
        done = len(mark.read_text()) if mark.exists() else 0
        if done < times:
            mark.write_text("x" * (done + 1))
            if what == "die":
                os._exit(7)
            if what == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if what == "hang":
                time.sleep(600)
            if what == "raise":
                raise ValueError("there is no such thing")
            if what == "print":
                print("something that rules print")
            if what == "slow":
                for _ in range(20):
                    time.sleep(0.1)
                    order.tell()
        return order.number * 2

    return do


class make_programs:
    """Starts a program, says which, and ends or is spent as it is told."""

    notes = ("a program was started",)

    def __init__(self, data: dict[str, Any]) -> None:
        self.program = subprocess.Popen(["sleep", "600"], start_new_session=True)
        self.how = data["how"]

    def __call__(self, order: Order) -> Any:
        order.tell({"program": self.program.pid})
        if self.how == "die" and order.number == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return Last(self.program.pid) if self.how == "spent" else self.program.pid

    def programs(self) -> list[int]:
        return [self.program.pid]


def make_refusal(data: dict[str, Any]) -> Any:
    raise PlyforgeError("these rules can't be played")


def make_crash(data: dict[str, Any]) -> Any:
    print("it all goes wrong")
    os._exit(9)
