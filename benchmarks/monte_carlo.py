"""Monte Carlo tree search with random rollouts, one thread: Plyforge's UCT beside OpenSpiel's `MCTSBot`.

Both build the same kind of tree (all children of a node at its second visit, UCB1, one rollout for a new node, proofs off) from
the start of the game. Rates are simulations per second of processor time, best of several, measured in turns in one run; read the
ratios, not the rates. OpenSpiel needs `pip install -e .[bench]`.
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

GAMES = (("connect4", "connect_four", 12.0), ("tic_tac_toe", "tic_tac_toe", 4.0))
"""Our name, theirs, and how many times faster we mean to be."""


class Row(NamedTuple):
    """What was measured for one game."""

    game: str
    ours: float
    theirs: float | None
    wanted: float
    node_bytes: int


def our_rate(name: str, simulations: int) -> tuple[float, int]:
    """Simulations per second of one search with an empty tree, and bytes per node."""
    game, search = pf.load(name), Uct(simulations=simulations, solve=False)
    began = time.process_time()
    found = search.search(game, native=True)
    return simulations / (time.process_time() - began), found.node_bytes


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


def measure(simulations: int, repeat: int) -> list[Row]:
    """All games, in turns, so that a slow moment of the machine meets both."""
    rows = []
    for ours, theirs, wanted in GAMES:
        our_rate(ours, 100)  # compile
        rates, others = [], []
        for _ in range(repeat):
            rates.append(our_rate(ours, simulations))
            others.append(their_rate(theirs, simulations))
        found = [rate for rate in others if rate is not None]
        best, node_bytes = max(rates)
        rows.append(Row(ours, best, max(found) if found else None, wanted, node_bytes))
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=7)
    arguments = parser.parse_args()
    rows = measure(arguments.simulations, arguments.repeat)
    title = f"Monte Carlo tree search, {arguments.simulations:,} simulations from the start, one thread"
    table = Table(title=title, title_justify="left")
    for heading in ("game", "plyforge, a second", "OpenSpiel, a second", "faster by", "wanted"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for row in rows:
        theirs = "not installed" if row.theirs is None else f"{row.theirs:,.0f}"
        ratio = "" if row.theirs is None else f"{row.ours / row.theirs:.1f} x"
        table.add_row(row.game, f"{row.ours:,.0f}", theirs, ratio, f"{row.wanted:g} x")
    Console().print(table)
    their_bytes = their_node_bytes(100_000)
    print(f"bytes for a node: plyforge {rows[0].node_bytes}", end="")
    print("" if their_bytes is None else f", OpenSpiel {their_bytes:.0f}")


if __name__ == "__main__":
    main()
