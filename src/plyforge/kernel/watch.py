"""Watchers: what a search tells while it runs.

Every search calls the same few methods of its watcher. `Silent` compiles to nothing. `Principal`, compiled
as well, keeps the best line and the value of each root action. A recording watcher (`plyforge.search.trace.recorder`)
runs interpreted and sees every node, window and cut: so a drawing shows *the* algorithm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.kernel.constant import Constant
from plyforge.kernel.function import seldom


@dataclass(frozen=True)
class Silent(Constant):
    """Watches nothing, costs nothing. The methods are the protocol of all watchers."""

    def enter(self, memory: Any, state: Any, depth: int, alpha: float, beta: float) -> None:
        """A node is entered, `depth` plies above the horizon, with this window."""

    def child(self, memory: Any, depth: int, index: int, value: Any) -> None:
        """The node's `index`-th action (or chance outcome) has come back with `value`."""

    def better(self, memory: Any, depth: int, index: int) -> None:
        """That action is the best so far, and inside the window."""

    def cut(self, memory: Any, depth: int, index: int, value: float, alpha: float, beta: float) -> None:
        """Actions after the `index`-th are not looked at: `value` is outside the window."""

    def leave(self, memory: Any, depth: int, value: Any) -> None:
        """The node has got its value."""


@seldom
def keep_line(memory: Any, ply: int, index: int) -> None:
    """The best line at `ply` is now the `index`-th action, followed by the best line one ply below."""
    end = memory.length[ply + 1]
    memory.line[ply, ply] = index
    for i in range(ply + 1, end):
        memory.line[ply, i] = memory.line[ply + 1, i]
    memory.length[ply] = end


@seldom
def keep_root_value(memory: Any, index: int, value: float) -> None:
    """The root's `index`-th action is worth that."""
    if index < memory.values.size:
        memory.values[index] = value


@dataclass(frozen=True)
class Principal(Silent):
    """Keeps the best line, and the values of the root's actions, in the search's memory."""

    def enter(self, memory: Any, state: Any, depth: int, alpha: float, beta: float) -> None:
        ply = memory.depth - depth
        memory.length[np.uint64(ply)] = ply  # a number with a sign might count from the end: compiled code would ask

    def child(self, memory: Any, depth: int, index: int, value: float) -> None:
        if depth == memory.depth:
            keep_root_value(memory, index, value)

    def better(self, memory: Any, depth: int, index: int) -> None:
        keep_line(memory, memory.depth - depth, index)


@dataclass(frozen=True)
class PrincipalTuple(Principal):
    """The same where values are tuples, one number for each player."""

    def child(self, memory: Any, depth: int, index: int, value: Any) -> None:
        if depth == memory.depth:
            first = index * len(value)
            if first + len(value) <= memory.values.size:
                for i in range(len(value)):
                    memory.values[first + i] = value[i]
