"""How tests speak of time.

A machine that is busy with other things may hold up any call by a second or two. So a test either

- says that something comes to an end at all, by itself or when it is told to: within `PATIENCE`, while without what is
  tested it would go on for longer than that, or
- says how quick it is: then it judges the best of several tries (`best_of`). That shows that nothing in the code itself
  takes longer, not that no operating system ever will.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 30.0
"""Seconds for what happens at once, however busy the machine is."""
FOR_A_PROCESS = 300.0
"""Seconds for another process that starts, loads, perhaps compiles, and ends."""
TRIES = 12
"""At most; the first good one ends them."""


def best_of(attempt: Callable[[], float], good: float, tries: int = TRIES) -> float:
    """The smallest of several tries; no more of them once one is good."""
    best = attempt()
    for _ in range(tries - 1):
        if best <= good:
            break
        best = min(best, attempt())
    return best


@contextmanager
def patiently(seconds: float = PATIENCE) -> Iterator[None]:
    """What is done here comes to an end in time."""
    began = time.perf_counter()
    yield
    took = time.perf_counter() - began
    assert took < seconds, f"that took {took:.1f} s"
