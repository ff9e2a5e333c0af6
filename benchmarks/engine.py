"""The engine: nodes beside plain alpha-beta on Connect Four, and two threads beside one there and in chess.

Nodes do not depend on the machine. Threads are timed by the wall clock, in turns, best of several; with other work on
the machine their figures mean little, but for the last column: nodes a second of processor time, which says what
threads cost each other.
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
DEPTHS = {"connect4": 20, "chess": 10}
"""Of the searches that are timed."""
NODES_WANTED, FASTER_WANTED = 1.8, 1.7


class Timed(NamedTuple):
    """One search to a fixed depth."""

    seconds: float
    processor: float
    nodes: int


def to_depth(game: str, depth: int, threads: int) -> Timed:
    """A search from nothing."""
    began, used = time.perf_counter(), time.process_time()
    found = pf.search(game, using="engine", depth=depth, threads=threads, native=True)
    return Timed(time.perf_counter() - began, time.process_time() - used, found.nodes)


def threads_table(game: str, depth: int, repeat: int) -> Table:
    """Two threads beside one, in turns."""
    rows: dict[int, list[Timed]] = {1: [], 2: []}
    for threads in rows:
        to_depth(game, 3, threads)
    for _ in range(repeat):
        for threads, timed in rows.items():
            timed.append(to_depth(game, depth, threads))
    rate = {threads: max(t.nodes / t.seconds for t in timed) for threads, timed in rows.items()}
    own = {threads: max(t.nodes / t.processor for t in timed) for threads, timed in rows.items()}
    best = {threads: min(t.seconds for t in timed) for threads, timed in rows.items()}
    wanted = f"wanted {NODES_WANTED} x the nodes, {FASTER_WANTED} x faster"
    table = Table(title=f"Threads, {game} to depth {depth}, {os.cpu_count()} processors; {wanted}")
    for name in ("threads", "seconds", "times faster", "M nodes/s", "ratio", "of one processor"):
        table.add_column(name, justify="right")
    for threads in rows:
        table.add_row(
            str(threads),
            f"{best[threads]:.2f}",
            f"{best[1] / best[threads]:.2f}",
            f"{rate[threads] / 1e6:.1f}",
            f"{rate[threads] / rate[1]:.2f}",
            f"{own[threads] / own[1]:.2f}",
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--depth", type=int, help="of the searches that are timed")
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

    for game, depth in DEPTHS.items():
        console.print(threads_table(game, depth if given.depth is None else given.depth, given.repeat))


if __name__ == "__main__":
    main()
