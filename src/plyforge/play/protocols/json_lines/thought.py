"""A `go` that is under way."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any


@dataclasses.dataclass
class Thought:
    """A `go` on its way to its answer."""

    number: Any
    state: Any
    quiet: bool
    """True: no events are wanted."""
    limited: bool = False
    """True if it ends by itself."""
    offered: int | None = None
    """Who is asked whether they accept a draw."""
    told: bool = False
    """True once there was progress."""
    answered: bool = False
    """True from just before its answer is sent: who has read that may ask for the next one."""
    thread: threading.Thread | None = None
