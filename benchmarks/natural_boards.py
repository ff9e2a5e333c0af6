"""Boards as people write them beside boards packed into words by hand: nodes a second in alpha-beta, in one run.

Each game is written twice, line for line (`boards/`): naturally, with tuples of cells and (row, column) actions, and with machine words. Both search the very same tree, which is looked at first. Wanted:
natural rules, compiled, at least 0.25 of packed ones, and at least 100 times interpreted ones. "checked" is the packed game without `machine_words`: what the checks cost that make compiled code
give what Python gives. Times are of the processor, the best of several, in turns.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from boards import breakthrough, gomoku, kalah
from rich.console import Console
from rich.table import Table

import plyforge as pf

GAMES = (
    ("Breakthrough 6x6", breakthrough, 9, 4),
    ("Gomoku 9x9", gomoku, 5, 3),
    ("Kalah", kalah, 13, 7),
)
"""With the depths of compiled and of interpreted searches."""


def rate(game: Any, depth: int, native: bool) -> float:
    """Nodes a second."""
    began = time.process_time()
    found = pf.search(game, using="alpha_beta", depth=depth, native=native)
    return float(found.nodes / (time.process_time() - began))


def require_same_tree(natural: Any, others: tuple[Any, ...], depth: int) -> int:
    """How many nodes all of them search. It also compiles what is not compiled yet."""
    found = [pf.search(game, using="alpha_beta", depth=depth, native=True) for game in (natural, *others)]
    if len({(each.nodes, each.value) for each in found}) > 1:
        raise SystemExit(f"{natural} and its packed twin search different trees")
    return int(found[0].nodes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    given = parser.parse_args()
    table = Table(title="Natural and packed boards: thousands of nodes a second in alpha-beta")
    columns = ("game", "depth", "nodes", "packed", "checked", "natural", "interpreted", "checked / packed")
    for column in (*columns, "natural / packed", "natural / interpreted"):
        table.add_column(column, justify="right")
    for name, module, depth, shallow in GAMES:
        natural, packed, checked = module.Natural(), module.Packed(), module.Checked()
        nodes = require_same_tree(natural, (packed, checked), depth)
        turns = []
        for _ in range(given.repeat):
            compiled = [rate(game, depth, True) for game in (packed, checked, natural)]
            turns.append((*compiled, rate(natural, shallow, False)))
        fastest = [max(turn[place] for turn in turns) for place in range(4)]
        table.add_row(
            name,
            str(depth),
            f"{nodes:,}",
            *(f"{each / 1e3:,.0f}" for each in fastest),
            f"{fastest[1] / fastest[0]:.2f}",
            f"{fastest[2] / fastest[0]:.2f}",
            f"{fastest[2] / fastest[3]:.0f}",
        )
    Console().print(table)


if __name__ == "__main__":
    main()
