"""What a call costs beside the search in it, many positions beside one by one, and BitBully, a solver of Connect Four
in C++, beside `pf.search`.

A call at depth 1 is all overhead. The 126 positions are random ones, searched to a proof: of 16 to 41 plies, where
search takes most of the time, and of 24 to 41 plies, where calls do.

What is compared there. BitBully's `mtdf` gives a score, which says who wins and when, and its `best_move` an action, of
a board to which the moves are played first; its one table is empty at first, and there for all positions. `pf.search`
and `pf.search_many` give the value, the distance, the best action and the whole line, of a state that is there already,
with a table as good as new for each: the like of it is `best_move`. `Solver.values` gives scores and nothing else, as
`mtdf` does, for all positions in one call. Times are of the processor, the best of several, in turns. BitBully needs
`pip install -e .[bench]`.
"""

from __future__ import annotations

import argparse
import functools
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
LEAST_PLIES, POSITIONS = (16, 24), 126
BITBULLY = {"BitBully, mtdf": "mtdf", "BitBully, best_move": "best_move"}
"""What is asked of it."""


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
            columns.append(chooser.choice(pf.legal_moves(game, state)))
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
    lengths = [len(columns) for columns in games]
    title = f"{len(states)} random positions of Connect Four, {min(lengths)} to {max(lengths)} plies, to a proof"
    table = Table(title=title)
    for name in ("solver", "us each", "over mtdf", "over best_move"):
        table.add_column(name, justify="right")
    solver = Solver(game.heuristics.by_distance(game))
    found = [pf.search(game, state, using="engine") for state in states]
    if [(score > 0) - (score < 0) for score in solver.values(states)] != [one.value for one in found]:
        raise SystemExit("the solver has other answers than the engine")
    works: dict[str, Callable[[], Any]] = {
        "pf.search, engine": lambda: [pf.search(game, state, using="engine") for state in states],
        "pf.search_many, engine": lambda: pf.search_many(game, states, using="engine"),
        "Solver.values": lambda: solver.values(states, fresh=True),
    }
    try:
        import bitbully
    except ImportError:
        table.caption = "BitBully is not installed"
    else:
        agent = bitbully.BitBully(opening_book=None)
        for name, question in BITBULLY.items():
            works[name] = functools.partial(_ask_all, getattr(agent, question), games)
        for one, state, score in zip(found, states, works["BitBully, mtdf"](), strict=True):
            sign = 1 if game.player(state) == MAX else -1
            if one.value != sign * ((score > 0) - (score < 0)):
                raise SystemExit(f"different answers in {pf.format_state(game, state)}: {one.value} and {score}")
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeat):
        for name, work in works.items():
            if name in BITBULLY:
                agent.reset_transposition_table()
            times[name].append(best_of(1, work))
    best = {name: min(spent) / len(states) * 1e6 for name, spent in times.items()}
    for name, own in best.items():
        ratios = [f"{own / best[other]:.2f}" if other in best else "-" for other in BITBULLY]
        table.add_row(name, f"{own:.1f}", *ratios)
    return table


def _ask_all(ask: Callable[[Any], int], games: list[list[int]]) -> list[int]:
    """What BitBully says of the boards after these moves."""
    import bitbully

    answers = []
    for columns in games:
        board = bitbully.Board()
        for column in columns:
            board.play(column)
        answers.append(ask(board))
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, nargs="+", default=LEAST_PLIES, help="of the shortest positions")
    given = parser.parse_args()
    console, game, chooser = Console(), pf.load("connect4"), random.Random(given.seed)
    console.print(calls(given.repeat))
    for least in given.plies:
        lengths = [least + place * (42 - least) // POSITIONS for place in range(POSITIONS)]
        games = [random_columns(game, plies, chooser) for plies in lengths]
        states = [pf.state_after(game, *(str(column + 1) for column in columns)) for columns in games]
        console.print(beside_bitbully(given.repeat, games, states, game))
    early = [pf.state_after(game, *(str(column + 1) for column in columns[:10])) for columns in games]
    console.print(together(given.repeat, early, game))


if __name__ == "__main__":
    main()
