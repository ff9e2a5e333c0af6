"""What a call costs beside the search in it, many positions beside one by one, and BitBully, a solver of Connect Four in C++, beside `pf.search`.

A call at depth 1 is all overhead. The 126 positions are random ones of 24 to 41 plies, seven of each length, searched to a proof.

What is compared there: BitBully gives a score, which says who wins and when, of a board to which the moves are played first. `pf.search` gives the value, the distance, the best action and the whole line, of a state that is there already, with
a table as good as new for each; a call of Python, with all its checks, is most of its time. `Solver.values` gives scores and nothing else, as BitBully does, for all positions in one call. BitBully has one table for all, and once more it is reset before each position, as ours is.
Times are of the processor, the best of several. BitBully needs `pip install -e .[bench]`.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.contract import MAX
from plyforge.solve import Solver

CALLS = (
    ("tic_tac_toe", "minimax", 1),
    ("connect4", "alpha_beta", 1),
    ("pig", "expectiminimax", 1),
    ("connect4", "engine", 1),
    ("connect4", "engine", 4),
    ("chess", "engine", 1),
)
PLIES, EACH = range(24, 42), 7


def best_of(times: int, work: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> float:
    """Seconds."""
    spent = []
    for _ in range(times):
        began = clock()
        work()
        spent.append(clock() - began)
    return min(spent)


def random_columns(game: Any, plies: int, chooser: random.Random) -> list[int]:
    """The columns of a random game that is not over after so many plies."""
    while True:
        state, columns = game.start(), []
        while len(columns) < plies and not game.terminal(state):
            columns.append(chooser.choice(game.legal(state)))
            state = game.result(state, columns[-1])
        if not game.terminal(state):
            return columns


def calls(repeat: int) -> Table:
    table = Table(title="One call, from the second on")
    for name in ("game", "search", "depth", "nodes", "ms"):
        table.add_column(name, justify="right")
    for name, using, depth in CALLS:
        game = pf.load(name)
        nodes = [pf.search(game, using=using, depth=depth).nodes for _ in range(3)][-1]

        def hundred(game: Any = game, using: str = using, depth: int = depth) -> None:
            for _ in range(100):
                pf.search(game, using=using, depth=depth)

        table.add_row(name, using, str(depth), f"{nodes:,}", f"{best_of(repeat, hundred) * 10:.3f}")
    return table


def together(repeat: int, states: list[Any], game: Any) -> Table:
    table = Table(title=f"{len(states)} positions of Connect Four, the engine to depth 10, by the wall clock")
    for name in ("how", "ms"):
        table.add_column(name, justify="right")
    how = {"using": "engine", "depth": 10}
    alone = best_of(repeat, lambda: [pf.search(game, state, **how) for state in states], time.perf_counter)
    many = best_of(repeat, lambda: pf.search_many(game, states, **how), time.perf_counter)
    table.add_row("search, one by one", f"{alone * 1e3:.1f}")
    table.add_row("search_many", f"{many * 1e3:.1f}")
    return table


def beside_bitbully(repeat: int, games: list[list[int]], states: list[Any], game: Any) -> Table:
    table = Table(
        title=f"{len(states)} random positions of Connect Four, {PLIES[0]} to {PLIES[-1]} plies, to a proof"
    )
    for name in ("solver", "ms", "pf.search is slower by", "Solver.values is slower by"):
        table.add_column(name, justify="right")
    found = [pf.search(game, state, using="engine") for state in states]
    ours = best_of(repeat, lambda: [pf.search(game, state, using="engine") for state in states])
    table.add_row("pf.search, engine", f"{ours * 1e3:.1f}", "", "")
    solver = Solver(game.heuristics.by_distance(game))
    if [(score > 0) - (score < 0) for score in solver.values(states)] != [one.value for one in found]:
        raise SystemExit("the solver has other answers than the engine")
    scores = best_of(repeat, lambda: solver.values(states, fresh=True))
    table.add_row("Solver.values, a table as good as new for each", f"{scores * 1e3:.1f}", "", "")
    try:
        import bitbully
    except ImportError:
        table.add_row("BitBully", "not installed", "-", "-")
        return table
    agent = bitbully.BitBully(opening_book=None)

    def solve(fresh: bool) -> list[int]:
        scores = []
        for columns in games:
            board = bitbully.Board()
            for column in columns:
                board.play(column)
            if fresh:
                agent.reset_transposition_table()
            scores.append(agent.mtdf(board))
        return scores

    for one, state, score in zip(found, states, solve(False), strict=True):
        sign = 1 if game.player(state) == MAX else -1
        if one.value != sign * ((score > 0) - (score < 0)):
            raise SystemExit(f"different answers in {game.format_state(state)}: {one.value} and {score}")
    for name, fresh in (("BitBully, one table for all", False), ("BitBully, its table reset for each", True)):
        times = []
        for _ in range(1 if fresh else repeat):
            agent.reset_transposition_table()
            times.append(best_of(1, lambda fresh=fresh: solve(fresh)))  # type: ignore[misc]
        theirs = min(times)
        table.add_row(name, f"{theirs * 1e3:.1f}", f"{ours / theirs:.2f}", f"{scores / theirs:.2f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    console, game, chooser = Console(), pf.load("connect4"), random.Random(given.seed)
    console.print(calls(given.repeat))
    games = [random_columns(game, plies, chooser) for plies in PLIES for _ in range(EACH)]
    states = [game.play(*(str(column + 1) for column in columns)) for columns in games]
    console.print(beside_bitbully(given.repeat, games, states, game))
    early = [game.play(*(str(column + 1) for column in columns[:10])) for columns in games]
    console.print(together(given.repeat, early, game))


if __name__ == "__main__":
    main()
