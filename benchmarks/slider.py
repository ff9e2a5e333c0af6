"""The 15-puzzle: IDA* compiled, interpreted and in C, with the same heuristic and the same nodes; then what a better
heuristic is worth, and A*.

Rates are nodes per second, best of several, all in one run on one machine; read the ratios, not the rates. C needs gcc
or cc.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.search import travel

# Number 85 and number 1 of Korf's hundred, with the blank last when solved: 44 and 57 moves.
EASY = "1 5 . 13/11 2 8 4/10 7 14 15/6 3 9 12"
LONG = "13 6 8 12/15 14 . 10/11 7 4 5/9 1 3 2"

INTERPRETED_NODES = 100_000
"""Enough for a rate."""


class Row(NamedTuple):
    """One measured program."""

    name: str
    cost: float | None
    """None: it was stopped before it had found the end."""
    nodes: int
    seconds: float
    held: str = "one path"

    @property
    def rate(self) -> float:
        return self.nodes / self.seconds


def best_of(times: int, measure: Callable[[], Row | None]) -> Row | None:
    rows = [row for row in (measure() for _ in range(times)) if row is not None]
    return min(rows, key=lambda row: row.seconds) if rows else None


def ours(state: str, heuristic: str, using: str, native: bool) -> Row:
    game = pf.load(f"slider(width=4, height=4, heuristic='{heuristic}')")
    found = pf.search(game, state, using, native=native, nodes=None if native else INTERPRETED_NODES)
    name = f"{using}, {'compiled' if native else 'interpreted'}, {heuristic}"
    held = f"{found.states:,} states" if getattr(found, "states", 0) else "one path"
    return Row(name, found.cost if found.exact else None, found.nodes, found.seconds, held)


def c_twin(state: str, folder: Path) -> Row | None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    program = folder / "twin"
    if not program.exists():
        source = Path(__file__).with_name("slider_twin.c")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
    tiles = state.replace("/", " ").replace(".", "0").split()
    nodes, seconds, length = subprocess.run(
        [program, *tiles], capture_output=True, text=True, check=True
    ).stdout.split()
    return Row("C, gcc -O3 -march=native, manhattan", float(length), int(nodes), float(seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="runs of each row; the best counts")
    parser.add_argument("--long", action="store_true", help="Korf's first puzzle, some hundred million nodes")
    options = parser.parse_args()
    state = LONG if options.long else EASY
    rows: list[Row | None] = []
    with tempfile.TemporaryDirectory() as folder:
        ours(EASY, "manhattan", "ida_star", True)  # compile
        rows.append(best_of(options.times, lambda: ours(state, "manhattan", "ida_star", True)))
        rows.append(best_of(options.times, lambda: c_twin(state, Path(folder))))
        rows.append(ours(state, "manhattan", "ida_star", False))
        ours(EASY, "linear_conflict", "ida_star", True)
        rows.append(best_of(options.times, lambda: ours(state, "linear_conflict", "ida_star", True)))
        ours(EASY, "linear_conflict", "a_star", True)
        rows.append(best_of(options.times, lambda: ours(state, "linear_conflict", "a_star", True)))
    table = Table(box=None, header_style="bold")
    for title in ("program", "moves", "nodes", "seconds", "nodes a second", "ratio", "holds"):
        table.add_column(title, justify="left" if title in ("program", "holds") else "right")
    first = rows[0]
    assert first is not None
    for row in rows:
        if row is not None:
            table.add_row(
                row.name,
                "-" if row.cost is None else f"{row.cost:g}",
                f"{row.nodes:,}",
                f"{row.seconds:.3f}",
                f"{row.rate:,.0f}",
                f"{row.rate / first.rate:.2f}",
                row.held,
            )
    console = Console(highlight=False, width=130)
    console.print(f"15-puzzle {state}")
    console.print(table)
    twin = rows[1]
    if twin is not None and (twin.nodes, twin.cost) != (first.nodes, first.cost):
        raise SystemExit(f"C looked at {twin.nodes:,} nodes, plyforge at {first.nodes:,}: not the same search")

    console.print("\nReal time, A* within a budget of nodes for each move:")
    game = pf.load("slider(width=4, height=4)")
    for nodes in (100, 1000, 10_000):
        trip = travel(game, EASY, nodes=nodes, native=True, most_moves=2000)
        ended = f"{trip.cost:g} moves" if trip.ended else f"not there after {len(trip.actions):,} moves"
        console.print(f"  {nodes:>6,} nodes a move: {ended}, {sum(trip.nodes):,} nodes, {trip.seconds:.2f} s")


if __name__ == "__main__":
    main()
