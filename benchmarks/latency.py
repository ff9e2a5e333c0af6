"""What a move costs beside its search, on this machine as busy as it is now, and what the time manager keeps back for
it.

Over UCI: from `go nodes 1` to `bestmove`, both pipes included, and by how much moves on a quick clock (0.2 s + 0.002 s)
take longer than the time manager gives them. In this process, as in a match: what the player has measured itself
(`search/time/clock.py`, `Pace`), and the reserve that follows from it.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import threading
import time

from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.play.players.given import contestant
from plyforge.play.players.player import Budget
from plyforge.search import Clock
from plyforge.search.protection.threads import start_with_deep_stack

QUICK = Clock(0.2, 0.002)
MOVES = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"]


class Program:
    """`plyforge uci` at the other end of two pipes."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "plyforge", "uci"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.ask("isready", b"readyok")

    def ask(self, line: str, until: bytes) -> float:
        """Seconds from the command to the answer that begins so."""
        assert self.process.stdin is not None and self.process.stdout is not None
        began = time.perf_counter()
        self.process.stdin.write(line.encode() + b"\n")
        while not (heard := self.process.stdout.readline()).startswith(until):
            if not heard:
                raise SystemExit("the program has ended")
        return time.perf_counter() - began

    def round_trips(self, go: str, number: int) -> list[float]:
        """Of that many `go`, from positions of one opening."""
        took = []
        for index in range(number):
            moves = " ".join(MOVES[: index % (len(MOVES) + 1)])
            self.ask(f"position startpos moves {moves}\nisready", b"readyok")
            took.append(self.ask(go, b"bestmove"))
        return took


def over_uci(number: int) -> list[tuple[str, list[float]]]:
    program = Program()
    try:
        program.round_trips("go nodes 1", 20)
        one_node = program.round_trips("go nodes 1", number)
        milliseconds = [round(1000 * part) for part in (QUICK.remaining, QUICK.increment)]
        left, more = milliseconds
        clock = f"go wtime {left} btime {left} winc {more} binc {more}"
        return [("UCI: go nodes 1", one_node), (f"UCI: {clock}", program.round_trips(clock, number))]
    finally:
        program.process.kill()
        program.process.wait()


def in_a_match(number: int) -> tuple[list[float], Clock]:
    """What moves have cost beside their searches, and the clock that follows from it."""
    game = pf.load("chess")
    player = contestant("engine", game, clock=QUICK)
    player.prepare(game)
    player.new_game(0, None, 1)
    engine, state, costs = player.engine(game), game.start(), []  # type: ignore[attr-defined]
    for _ in range(number):
        if game.terminal(state):
            state = game.start()
        state = game.result(state, player.choose(game, state, budget=Budget(clock=QUICK)).action)
        costs.append(engine._pace.last)
    return costs, QUICK.kept_by(engine._pace)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=500, help="moves of each kind")
    number = parser.parse_args().number
    rows = over_uci(number)
    found: list[tuple[list[float], Clock]] = []
    ended = threading.Event()

    def play() -> None:  # where a match plays: in a thread with room for a search
        try:
            found.append(in_a_match(number))
        finally:
            ended.set()

    start_with_deep_stack(play)
    ended.wait()
    costs, clock = found[0]
    rows.append(("in a match, beside the search", costs))
    table = Table(title="From the question to the answer", title_justify="left")
    for title in ("what", "median", "99 %", "most"):
        table.add_column(title, justify="left" if title == "what" else "right")
    for name, took in rows:
        ordered = sorted(took)
        high = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
        table.add_row(name, *(f"{1000 * each:.2f} ms" for each in (statistics.median(took), high, ordered[-1])))
    Console().print(table)
    print(
        f"kept back at {QUICK}: a reserve of {1000 * clock.reserve:.1f} ms, {1000 * clock.overhead:.2f} ms for each"
        f" later move; at most {1000 * clock.hard_seconds:.1f} ms for the next one"
    )


if __name__ == "__main__":
    main()
