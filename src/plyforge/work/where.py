"""Where work is done: `--on` as text, read.

local                              processes on this machine; as many as --workers says
local*4                            four of them
command:ssh lab1 {worker}          a worker over the pipes of a command; `command*8:...` eight of them
ray, ray:ADDRESS                   a Ray cluster: one begun here, or the one at that address (`ray_cluster.py`)
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from plyforge.errors import BadLimits, BadText
from plyforge.work.mailbox import Launcher
from plyforge.work.processes import Command, Local

MOST_WORKERS = 4096
"""Places in a crew."""
SHOWN = 100
"""Letters that a message repeats."""


def launchers(where: str | Iterable[str] = "local", workers: int | None = None) -> list[tuple[Launcher, int]]:
    """Launchers with their numbers of workers: `workers` of each place that does not say, by default one a core of this
    machine, one for a command, one a core of a cluster. Raises PlyforgeError."""
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise BadLimits(f"there are {workers} workers; there must be at least 1, and at most {MOST_WORKERS}")
    found = [_launcher(text.strip(), workers) for text in ([where] if isinstance(where, str) else where)]
    if sum(count for _, count in found) > MOST_WORKERS:
        raise BadLimits(f"there are more than {MOST_WORKERS} workers")
    return found or [(Local(), workers or cores())]


def _launcher(text: str, workers: int | None) -> tuple[Launcher, int]:
    parts = re.fullmatch(r"(local|command|ray)(?:\*(\d{1,9}))?(?::(.*))?", text, re.DOTALL)
    if parts is None:
        raise BadText(
            f"{text[:SHOWN]!r} is no place for work: write local, command:PROGRAM ..., ray or ray:ADDRESS, with a"
            " number of workers as in local*4 or command*8:ssh lab1 {worker}"
        )
    name, said, rest = parts.groups()
    count = int(said) if said is not None else workers
    if count is not None and count < 1:
        raise BadLimits(f"{text[:SHOWN]!r} has no workers: there must be at least 1")
    if name == "local":
        if rest is not None:
            raise BadText(f"{text[:SHOWN]!r}: local takes nothing but a number of workers, as in local*4")
        return Local(), count or cores()
    if name == "command":
        return Command(rest or ""), count or 1
    from plyforge.work.ray_cluster import Ray  # heavy, and not installed with the rest

    cluster = Ray(rest or None)
    return cluster, count or cluster.cores


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


__all__ = ["MOST_WORKERS", "cores", "launchers"]
