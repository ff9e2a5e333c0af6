"""The engine on Connect Four: nodes beside plain alpha-beta, and two threads beside one.

Nodes do not depend on the machine. Threads are timed by the wall clock, in turns, best of several; with other work on
the machine their figures mean little.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import plyforge as pf

NODES_DEPTH = 14


class Timed(NamedTuple):
    """One search to a fixed depth."""

    seconds: float
    nodes: int


def to_depth(depth: int, threads: int) -> Timed:
    """A search from nothing."""
    began = time.perf_counter()
    found = pf.search("connect4", using="engine", depth=depth, threads=threads, native=True)
    return Timed(time.perf_counter() - began, found.nodes)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--depth", type=int, default=20, help="of the searches that are timed")
    parser.add_argument("--repeat", type=int, default=5)
    given = parser.parse_args()
    console = Console()

    plain = pf.search("connect4", using="alpha_beta", depth=NODES_DEPTH, native=True)
    found = pf.search("connect4", using="engine", depth=NODES_DEPTH, native=True)
    table = Table(title=f"Nodes, Connect Four to depth {NODES_DEPTH}")
    for name in ("search", "nodes", "times fewer"):
        table.add_column(name, justify="right")
    table.add_row("alpha_beta", f"{plain.nodes:,}", "1")
    table.add_row("engine", f"{found.nodes:,}", f"{plain.nodes / found.nodes:.0f}")
    console.print(table)

    rows: dict[int, list[Timed]] = {1: [], 2: []}
    to_depth(6, 2)
    for _ in range(given.repeat):
        for threads, timed in rows.items():
            timed.append(to_depth(given.depth, threads))
    rate = {threads: max(t.nodes / t.seconds for t in timed) for threads, timed in rows.items()}
    best = {threads: min(t.seconds for t in timed) for threads, timed in rows.items()}
    table = Table(title=f"Threads, Connect Four to depth {given.depth}, {os.cpu_count()} processors")
    for name in ("threads", "seconds", "times faster", "M nodes/s", "ratio"):
        table.add_column(name, justify="right")
    for threads in rows:
        table.add_row(
            str(threads),
            f"{best[threads]:.2f}",
            f"{best[1] / best[threads]:.2f}",
            f"{rate[threads] / 1e6:.1f}",
            f"{rate[threads] / rate[1]:.2f}",
        )
    console.print(table)


if __name__ == "__main__":
    main()
