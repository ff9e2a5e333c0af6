"""Monte Carlo tree search with random rollouts: Plyforge's UCT beside OpenSpiel's `MCTSBot`, and two threads beside
one.

Both build the same kind of tree (all children of a node at its second visit, UCB1, one rollout for a new node, proofs
off) from the start of the game. Rates of one thread are simulations per second of processor time, set-up included, best
of several, measured in turns in one run; those of two threads are by the clock on the wall, and mean something only
where both cores are free. Read the ratios, not the rates. Random games of chess are about as long on both sides, some
345 plies: OpenSpiel also ends them at the third repetition, which is rare in them. OpenSpiel needs `pip install -e
.[bench]`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.search.mcts import Uct

THREADS_WANTED = 1.7
"""How many times faster two threads are to be than one."""


class Contest(NamedTuple):
    """A game to measure."""

    game: str
    theirs: str | None
    """Its name with them; None: measured here alone."""
    simulations: int
    wanted: float
    """How many times faster we mean to be."""


CONTESTS = (
    Contest("connect4", "connect_four", 100_000, 12.0),
    Contest("tic_tac_toe", "tic_tac_toe", 300_000, 4.0),
    Contest("chess", "chess", 2_000, 10.0),
    Contest("go(size=9)", None, 10_000, 0.0),
)


class Row(NamedTuple):
    """What was measured for one game."""

    contest: Contest
    ours: float
    theirs: float | None
    node_bytes: int
    one_thread: float
    two_threads: float
    cores: float
    """How much of two cores the two threads had in their best run: 2 where nothing else was running."""


def our_rate(name: str, simulations: int) -> tuple[float, int]:
    """Simulations per second of one search with an empty tree, and bytes per node."""
    game, search = pf.load(name), Uct(simulations=simulations, solve=False)
    began = time.process_time()
    found = search.search(game, native=True)
    return simulations / (time.process_time() - began), found.node_bytes


def threads_rate(name: str, simulations: int, threads: int) -> tuple[float, float]:
    """Simulations per second on the wall, and the cores that were used."""
    search = Uct(simulations=simulations, solve=False, threads=threads)
    began, used = time.perf_counter(), time.process_time()
    search.search(pf.load(name), native=True)
    seconds, used = time.perf_counter() - began, time.process_time() - used
    return simulations / seconds, used / seconds


def their_rate(name: str, simulations: int) -> float | None:
    """The same of OpenSpiel; its exploration constant is not scaled, and the utilities' range is 2."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 4000, False, 1, False)
    began = time.process_time()
    bot.mcts_search(game.new_initial_state())
    return simulations / (time.process_time() - began)


def measure(repeat: int) -> list[Row]:
    """All games, in turns, so that a slow moment of the machine meets everyone."""
    rows = []
    for contest in CONTESTS:
        game, number = contest.game, contest.simulations
        our_rate(game, 100)  # compile
        threads_rate(game, 100, 2)
        ours, theirs, one, two = [], [], [], []
        for _ in range(repeat):
            ours.append(our_rate(game, number))
            theirs.append(None if contest.theirs is None else their_rate(contest.theirs, number))
            one.append(threads_rate(game, number, 1))
            two.append(threads_rate(game, number, 2))
        found = [rate for rate in theirs if rate is not None]
        best, node_bytes = max(ours)
        rows.append(Row(contest, best, max(found, default=None), node_bytes, max(one)[0], *max(two)))
    return rows


THEIR_MEMORY = """
import pyspiel
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
game = pyspiel.load_game("connect_four")
bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, {simulations}, 4000, False, 1, False)
before = resident()
root = bot.mcts_search(game.new_initial_state())
after = resident()
def count(node):
    return 1 + sum(count(child) for child in node.children)
print((after - before) / count(root))
"""


def their_node_bytes(simulations: int) -> float | None:
    """What a node of OpenSpiel's takes: how much a fresh process grew, by the nodes of its tree."""
    if sys.platform != "linux":
        return None
    program = [sys.executable, "-c", THEIR_MEMORY.format(simulations=simulations)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    return float(done.stdout) if done.returncode == 0 else None


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=7)
    rows = measure(parser.parse_args().repeat)
    title = "Monte Carlo tree search from the start, one thread, simulations a second"
    table = Table(title=title, title_justify="left")
    for heading in ("game", "plyforge", "OpenSpiel", "faster by", "wanted"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for row in rows:
        if row.contest.theirs is None:
            continue
        theirs = "not installed" if row.theirs is None else f"{row.theirs:,.0f}"
        ratio = "" if row.theirs is None else f"{row.ours / row.theirs:.1f} x"
        table.add_row(row.contest.game, f"{row.ours:,.0f}", theirs, ratio, f"{row.contest.wanted:g} x")
    Console().print(table)
    table = Table(title="Two threads, on the wall", title_justify="left")
    for heading in ("game", "one", "two", "faster by", "wanted", "cores they had"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for row in rows:
        one, two, ratio = row.one_thread, row.two_threads, row.two_threads / row.one_thread
        wanted, cores = f"{THREADS_WANTED:g} x", f"{row.cores:.1f}"
        table.add_row(row.contest.game, f"{one:,.0f}", f"{two:,.0f}", f"{ratio:.2f} x", wanted, cores)
    Console().print(table)
    their_bytes = their_node_bytes(100_000)
    print(f"bytes for a node: plyforge {rows[0].node_bytes}", end="")
    print("" if their_bytes is None else f", OpenSpiel {their_bytes:.0f}")


if __name__ == "__main__":
    main()
