"""Perft of chess: how many sequences of moves a second, here, by Stockfish's `go perft` and by python-chess.

From the start and from "Kiwipete", a position with everything in it. All count the last ply in bulk, on one thread, and
must agree before a rate is shown. Rates are the best of several, measured in turns in one run on one machine; read the
ratios, not the rates. Stockfish is looked for as `stockfish` on the path and in /usr/games, python-chess is imported;
what is not there is left out.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.solve import perft

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class Stockfish:
    """The engine as a running program: its start costs it nothing here."""

    def __init__(self, path: str) -> None:
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say("setoption name Threads value 1", "isready")
        self.read("readyok")

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n".join(lines) + "\n")
        self.process.stdin.flush()

    def read(self, beginning: str) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(beginning):
                return line
        raise SystemExit("Stockfish has ended without an answer")

    def count(self, fen: str, depth: int) -> int:
        self.say(f"position fen {fen}", f"go perft {depth}")
        return int(self.read("Nodes searched").split(":")[1])


def python_chess_count(board: Any, depth: int) -> int:
    if depth == 1:
        return int(board.legal_moves.count())
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += python_chess_count(board, depth - 1)
        board.pop()
    return leaves


def timed(count: Callable[[], int]) -> tuple[int, float]:
    """What was counted, and how many a second."""
    began = time.perf_counter()
    leaves = count()
    return leaves, leaves / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--times", type=int, default=5, help="how often each is measured (default 5)")
    options = parser.parse_args()

    game = pf.load("chess")
    perft(game, 1, native=True)  # compiled before anything is timed
    path = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")
    stockfish = Stockfish(path) if path else None
    try:
        import chess
    except ImportError:
        chess = None

    table = Table("perft of chess", "depth", "leaves per second", "plyforge is so many times as fast")
    for name, fen, depth, small in (("the start", START, 6, 4), ("Kiwipete", KIWIPETE, 5, 3)):
        counts: dict[str, tuple[int, Callable[[], int]]] = {
            "plyforge": (depth, lambda fen=fen, depth=depth: perft(game, depth, fen, native=True).nodes)  # type: ignore[misc]
        }
        if stockfish is not None:
            counts["Stockfish"] = (depth, lambda fen=fen, depth=depth: stockfish.count(fen, depth))  # type: ignore[misc]
        if chess is not None:
            counts["python-chess"] = (
                small,
                lambda fen=fen, small=small: python_chess_count(chess.Board(fen), small),  # type: ignore[misc]
            )
        best = dict.fromkeys(counts, 0.0)
        for _ in range(options.times):
            for who, (plies, count) in counts.items():
                leaves, rate = timed(count)
                best[who] = max(best[who], rate)
                expected = perft(game, plies, fen, native=True).nodes
                if leaves != expected:
                    raise SystemExit(f"{who} counts {leaves:,} sequences of {plies} moves, we {expected:,}")
        for who, (plies, _) in counts.items():
            ratio = best["plyforge"] / best[who]
            table.add_row(
                f"{name}: {who}", str(plies), f"{best[who]:,.0f}", f"{ratio:,.2f}" if ratio < 10 else f"{ratio:,.0f}"
            )
    for who, there in (("Stockfish", stockfish), ("python-chess", chess)):
        if there is None:
            table.add_row(who, "-", "not here", "-")
    Console().print(table)
    if stockfish is not None:
        stockfish.say("quit")
        stockfish.process.wait()


if __name__ == "__main__":
    main()
