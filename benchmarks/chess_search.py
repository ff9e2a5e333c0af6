"""The chess engine: positions a second in the middle game on one core, and how long `plyforge uci --prepare` takes
until it says `readyok`.

Rates are nodes per second of processor time, each position searched from an empty table, best of several. Starts are by
the clock on the wall, of whole processes: from an empty cache, where everything is compiled, and from a full one. Quiet
machines only: what else runs is in the figures.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time

from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.search.core.limits import Limits
from plyforge.search.engine.engine import Engine

MIDDLE_GAMES = {
    "Italian, all pieces": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "semi-Slav, before castling": "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2PBPN2/PP3PPP/RNBQK2R w KQkq - 0 6",
    "Kiwipete, all hanging": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "queens gone": "3r1rk1/pp3ppp/2p1b3/4P3/2P1n3/1P2BP2/P5PP/R3RBK1 w - - 0 20",
}
RATE_WANTED, COLD_WANTED, WARM_WANTED = 1e6, 45.0, 2.5


def rate(fen: str, nodes: int) -> tuple[float, int]:
    """Nodes per second of processor time, and the depth that was reached."""
    game = pf.load("chess")
    engine, state = Engine(), pf.parse_state(game, fen)
    table = engine.new_table()
    began = time.process_time()
    found = engine.start(game, True, table=table).think(state, Limits(nodes=nodes))
    return found.nodes / (time.process_time() - began), found.depth or 0


def seconds_to_ready(cache: str) -> float:
    """From the start of a process that waits for the compiler to its `readyok`."""
    began = time.perf_counter()
    program = subprocess.Popen(
        [sys.executable, "-m", "plyforge", "uci", "--prepare"],
        stdout=subprocess.PIPE, text=True,
        env=dict(os.environ, PLYFORGE_CACHE_DIR=cache),
    )  # fmt: skip
    assert program.stdout is not None
    for line in program.stdout:
        if line.startswith("readyok"):
            break
    taken = time.perf_counter() - began
    program.wait(20)
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--nodes", type=int, default=1_000_000, help="for each position (default 1,000,000)")
    parser.add_argument("--times", type=int, default=3, help="how often each is measured (default 3)")
    parser.add_argument("--starts", action=argparse.BooleanOptionalAction, default=True)
    options = parser.parse_args()

    table = Table(title="The chess engine", title_justify="left")
    for title in ("what", "measured", "wanted"):
        table.add_column(title, justify="left" if title == "what" else "right")
    rate(MIDDLE_GAMES["queens gone"], 1000)  # compiled before anything is timed
    for name, fen in MIDDLE_GAMES.items():
        measured = [rate(fen, options.nodes) for _ in range(options.times)]
        best = max(measured)
        table.add_row(f"{name}, depth {best[1]}", f"{best[0] / 1e6:.2f} M nodes/s", f"{RATE_WANTED / 1e6:g} M")
    if options.starts:
        with tempfile.TemporaryDirectory() as folder:
            cold = seconds_to_ready(folder)
            warm = [seconds_to_ready(folder) for _ in range(options.times)]
        table.add_row("uci to readyok, cold", f"{cold:.1f} s", f"{COLD_WANTED:g} s")
        table.add_row("uci to readyok, warm, the slowest", f"{max(warm):.2f} s", f"{WARM_WANTED:g} s")
    Console().print(table)


if __name__ == "__main__":
    main()
