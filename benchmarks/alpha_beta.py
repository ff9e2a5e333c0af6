"""Alpha-beta on Connect Four, columns left to right, no table: compiled, interpreted, in C, and in other libraries.

Every row is the same textbook search on the same game. Rates are nodes per second, best of several, all in one run on
one machine; read the ratios, not the rates. C needs gcc or cc; OpenSpiel and easyAI need `pip install -e .[bench]`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.evaluate import OwnEvaluation
from plyforge.kernel import Silent, new_memory
from plyforge.search.textbook.alpha_beta import alpha_beta


class Row(NamedTuple):
    """One measured program."""

    name: str
    depth: int
    nodes: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.nodes / self.seconds


def best_of(times: int, measure: Callable[[], Row | None]) -> Row | None:
    rows = [row for row in (measure() for _ in range(times)) if row is not None]
    return min(rows, key=lambda row: row.seconds) if rows else None


def ours(depth: int, native: bool) -> Row:
    found = pf.search(pf.load("connect4"), using="alpha_beta", depth=depth, native=native)
    name = "plyforge, compiled" if native else "plyforge, interpreted"
    return Row(f"{name} (pf.search)", depth, found.nodes, found.seconds)


def kernel_alone(depth: int) -> Row:
    """Without the watcher that keeps the line: what the C twin does."""
    game, memory = pf.load("connect4"), new_memory(depth, None, native=True)
    infinity = float("inf")
    began = time.perf_counter()
    alpha_beta.native(game, OwnEvaluation(), Silent(), memory, game.start(), depth, -infinity, infinity)
    seconds = time.perf_counter() - began
    return Row("plyforge, compiled (value only)", depth, int(memory.nodes), seconds)


def c_twin(depth: int, folder: Path) -> Row | None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    program = folder / "twin"
    if not program.exists():
        source = Path(__file__).with_name("connect4_twin.c")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source, "-lm"], check=True)
    nodes, seconds, _ = subprocess.run([program, str(depth)], capture_output=True, text=True, check=True).stdout.split()
    return Row("C, gcc -O3 -march=native", depth, int(nodes), float(seconds))


def open_spiel(depth: int, nodes: int) -> Row | None:
    try:
        import pyspiel
        from open_spiel.python.algorithms import minimax
    except ImportError:
        return None
    game = pyspiel.load_game("connect_four")
    began = time.perf_counter()
    minimax.alpha_beta_search(game, value_function=lambda state: 0.0, maximum_depth=depth, maximizing_player_id=0)
    return Row("OpenSpiel alpha_beta_search", depth, nodes, time.perf_counter() - began)


def easy_ai(depth: int) -> Row | None:
    try:
        from easyAI import AI_Player, Negamax
        from easyAI.games.ConnectFour import ConnectFour
    except ImportError:
        return None

    class Counting(ConnectFour):  # type: ignore[misc]
        moves = 0

        def make_move(self, column: int) -> None:
            Counting.moves += 1
            super().make_move(column)

    search = Negamax(depth)
    game = Counting([AI_Player(search), AI_Player(search)])
    began = time.perf_counter()
    search(game)
    return Row("easyAI Negamax", depth, Counting.moves + 1, time.perf_counter() - began)


def measure(depth: int, repeat: int) -> list[Row]:
    """All rows that can be measured here; the first is the reference."""
    infinity = float("inf")
    game, memory = pf.load("connect4"), new_memory(1, None, native=True)
    alpha_beta.native(game, OwnEvaluation(), Silent(), memory, game.start(), 1, -infinity, infinity)  # compile
    shallow = {d: ours(d, native=True).nodes for d in (7, 8)}
    rows: list[Row | None] = []
    with tempfile.TemporaryDirectory() as folder:
        twins, kernels, searches = [], [], []
        for _ in range(repeat):  # in turns, so that a slow moment of the machine meets them all
            searches.append(ours(depth, native=True))
            kernels.append(kernel_alone(depth))
            twins.append(c_twin(depth, Path(folder)))
        rows.append(min(searches, key=lambda row: row.seconds))
        rows.append(min(kernels, key=lambda row: row.seconds))
        found = [twin for twin in twins if twin is not None]
        rows.append(min(found, key=lambda row: row.seconds) if found else None)
    rows.append(best_of(repeat, lambda: ours(8, native=False)))
    rows.append(best_of(repeat, lambda: open_spiel(8, shallow[8])))
    rows.append(best_of(2, lambda: easy_ai(4)))
    return [row for row in rows if row is not None]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--depth", type=int, default=14)
    parser.add_argument("--repeat", type=int, default=4)
    arguments = parser.parse_args()
    rows = measure(arguments.depth, arguments.repeat)
    table = Table(title="Alpha-beta on Connect Four, no table, columns left to right", title_justify="left")
    for title in ("program", "depth", "nodes", "seconds", "nodes a second", "pf.search is faster by"):
        table.add_column(title, justify="left" if title == "program" else "right")
    for row in rows:
        table.add_row(
            row.name,
            str(row.depth),
            f"{row.nodes:,}",
            f"{row.seconds:.3f}",
            f"{row.rate:,.0f}",
            f"{rows[0].rate / row.rate:,.2f} x",
        )
    Console().print(table)
    same = {row.nodes for row in rows if row.depth == arguments.depth}
    print(f"node counts at depth {arguments.depth}: {'all equal' if len(same) == 1 else 'DIFFERENT: ' + str(same)}")


if __name__ == "__main__":
    main()
