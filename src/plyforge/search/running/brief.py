"""What is over in no time is searched in the caller's thread.

To start a thread takes longer than a shallow search, and debuggers and profilers see one thread only. So where nobody
asks for a time limit, for progress or for a handle,

- interpreted rules run in the caller's thread (`fits_here`): Ctrl-C stops them as it stops any Python. Where the
  caller's stack may be small, only up to HERE_PLIES plies;
- a compiled search of few plies (`brief_plies`) is tried in the caller's thread with at most BRIEF_NODES nodes, which
  is over before anybody can press Ctrl-C. If that was not enough, it begins again, in a thread: the answer and its
  nodes are those of the second. One that may follow lines beyond its depth is tried only if it is very shallow
  (BRIEF_DEPTH). Not the first time: rules that never come back have to be stopped, too.
"""

from __future__ import annotations

import contextlib
import functools
import math
import threading
from collections.abc import Iterator

from plyforge.contract import Game
from plyforge.kernel.storage.buffer import ACTION_LIMIT

BRIEF_NODES = 2_000
"""As long as it takes to start a thread: 0.2 ms where a node takes 0.1 us."""
BRIEF_DEPTH, BRIEF_QUIET_NODES = 2, 200
"""Where lines may be longer than the depth, or depth is no promise, nodes are dearer: only so shallow a search is
tried, with so many nodes."""
BRIEF_PLIES = 16
"""A compiled node of the engine has up to 25 KB on the stack (512 actions of four numbers, and their scores): so
many fit anywhere."""
MOST_BRIEF_PLIES = 48
"""However few actions a state has."""
HERE_PLIES = 100
"""A ply of interpreted recursion takes up to 2 KB of the stack."""
ROOMY_STACK = 8 << 20
"""Bytes that MAX_PLY plies of interpreted recursion, and rules that recurse themselves, fit into."""


_here = threading.local()
"""In a thread that searches briefly: that it does."""


def brief_plies(game: Game) -> int:
    """How many plies of a compiled search there is room for on any stack: a node's part of it grows with the actions
    that a state may have."""
    return min(MOST_BRIEF_PLIES, max(BRIEF_PLIES, BRIEF_PLIES * ACTION_LIMIT // (2 * game.max_actions)))


def fits_here(depth: int | None) -> bool:
    """True if interpreted recursion of that depth (None: of any) has room on the stack of this thread."""
    if depth is not None and depth <= HERE_PLIES:
        return True
    return threading.current_thread() is threading.main_thread() and _main_stack() >= ROOMY_STACK


@functools.cache
def _main_stack() -> float:
    try:
        import resource
    except ImportError:  # not a system that says
        return 0
    given = resource.getrlimit(resource.RLIMIT_STACK)[0]
    return math.inf if given == resource.RLIM_INFINITY else given


class TakesLonger(Exception):
    """A search that was tried in the caller's thread is none that is over in no time."""


@contextlib.contextmanager
def brief_ones() -> Iterator[None]:
    """Here and meanwhile, a search that would need a thread of its own raises TakesLonger before it has one."""
    _here.brief = True
    try:
        yield
    finally:
        _here.brief = False


def only_brief() -> bool:
    """True where only what is over in no time may be searched."""
    return getattr(_here, "brief", False)
