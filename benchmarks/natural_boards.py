"""Boards as people write them beside boards packed into words by hand: nodes a second in alpha-beta, in one run.

Each game is written twice, line for line (`boards/`): naturally, with tuples of cells and (row, column) actions, and
with machine words. Both search the very same tree, which is looked at first, from a position in the middle of a random
game. Wanted: natural rules, compiled, at least 0.25 of packed ones, and at least 100 times interpreted ones. "checked"
is the packed game without `machine_words`: what the checks cost that make compiled code give what Python gives. Times
are of the processor, the best of several, in turns.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

from boards import breakthrough, gomoku, kalah
from rich.console import Console
from rich.table import Table

import plyforge as pf

GAMES = (
    ("Breakthrough 6x6", breakthrough, 10, 8, 5),
    ("Gomoku 9x9", gomoku, 16, 5, 3),
    ("Kalah", kalah, 8, 13, 7),
)
"""With the plies before the position, and the depths of compiled and of interpreted searches."""


def middle_of_a_game(game: Any, plies: int) -> Any:
    """The same position of natural and packed rules: they list the same actions in the same order."""
    chooser = random.Random(1)
    while True:
        state, left = game.start(), plies
        while left and not game.terminal(state):
            state, left = game.result(state, chooser.choice(pf.legal_moves(game, state))), left - 1
        if not game.terminal(state):
            return state


def rate(game: Any, state: Any, depth: int, native: bool) -> float:
    """Nodes a second."""
    began = time.process_time()
    found = pf.search(game, state, using="alpha_beta", depth=depth, native=native)
    return float(found.nodes / (time.process_time() - began))


def require_same_tree(games: list[tuple[Any, Any]], depth: int) -> int:
    """How many nodes all of them search. It also compiles what is not compiled yet."""
    found = [pf.search(game, state, using="alpha_beta", depth=depth, native=True) for game, state in games]
    if len({(each.nodes, each.value) for each in found}) > 1:
        raise SystemExit(f"{games[0][0]} and its packed twin search different trees")
    return int(found[0].nodes)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=5)
    given = parser.parse_args()
    table = Table(title="Natural and packed boards: thousands of nodes a second in alpha-beta")
    columns = ("game", "depth", "nodes", "packed", "checked", "natural", "interpreted", "checked / packed")
    for column in (*columns, "natural / packed", "natural / interpreted"):
        table.add_column(column, justify="right")
    for name, module, plies, depth, shallow in GAMES:
        games = [
            (game, middle_of_a_game(game, plies)) for game in (module.Packed(), module.Checked(), module.Natural())
        ]
        nodes = require_same_tree(games, depth)
        turns = []
        for _ in range(given.repeat):
            compiled = [rate(game, state, depth, True) for game, state in games]
            turns.append((*compiled, rate(*games[-1], shallow, False)))
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
