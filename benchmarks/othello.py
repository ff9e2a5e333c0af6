"""Othello side by side: counting moves, Monte Carlo tree search, and exact endings.

- perft: leaves a second, the last ply in bulk, beside rust-reversi and OpenSpiel driven from Python;
- Monte Carlo: simulations a second from the start, random rollouts, beside rust-reversi's own `MctsSearch` and
  OpenSpiel's `MCTSBot`;
- endings: the problems 40 to 44 of the French federation, solved exactly, with one thread and with two, the table
  cleared before each.

Rates are of processor time, best of several, measured in turns in one run; the endings also on the wall. Read the
ratios. The others need `pip install -e .[bench]`; the problems are read from ../shared/data/othello.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.search.mcts import Uct
from plyforge.solve import Solver, perft

PROBLEMS = Path(__file__).resolve().parents[2] / "shared" / "data" / "othello" / "fforum-40-59.obf"
OURS_DEPTH, THEIR_DEPTH = 10, 7
SIMULATIONS = 20_000


def rate(count: Callable[[], int], repeat: int) -> float:
    """What `count` counts, by second of processor time, at its best."""
    best = 0.0
    for _ in range(repeat):
        began = time.process_time()
        counted = count()
        best = max(best, counted / (time.process_time() - began))
    return best


# ------------------------------------------------------------------ perft
def rust_leaves(board: Any, depth: int) -> int:
    moves = board.get_legal_moves()
    if moves == 0:
        if board.is_game_over():
            return 1
        if depth == 1:
            return 1
        board.do_pass()
        return rust_leaves(board, depth - 1)
    if depth == 1:
        return int(moves).bit_count()
    return sum(rust_leaves(child, depth - 1) for child in board.get_child_boards())


def spiel_leaves(state: Any, depth: int) -> int:
    if state.is_terminal():
        return 1
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(spiel_leaves(state.child(action), depth - 1) for action in actions)


def rust_perft() -> Callable[[], int] | None:
    try:
        import rust_reversi
    except ImportError:
        return None
    return lambda: rust_leaves(rust_reversi.Board(), THEIR_DEPTH)


def spiel_perft() -> Callable[[], int] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("othello")
    return lambda: spiel_leaves(game.new_initial_state(), THEIR_DEPTH - 2)


# ------------------------------------------------------------------ Monte Carlo
def our_simulations() -> int:
    Uct(simulations=10 * SIMULATIONS, solve=False).search(pf.load("othello"), native=True)
    return 10 * SIMULATIONS


def rust_simulations() -> Callable[[], int] | None:
    try:
        import rust_reversi
    except ImportError:
        return None

    def count() -> int:
        rust_reversi.MctsSearch(SIMULATIONS, 1.0, 10).get_move(rust_reversi.Board())
        return SIMULATIONS

    return count


def spiel_simulations() -> Callable[[], int] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("othello")
    number = SIMULATIONS // 20
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, number, 4000, False, 1, False)

    def count() -> int:
        bot.mcts_search(game.new_initial_state())
        return number

    return count


# ------------------------------------------------------------------ endings
def endings() -> None:
    """Problems 40 to 44, each with a cleared table."""
    if not PROBLEMS.is_file():
        print("endings: left out, ../shared/data/othello is not here")
        return
    lines = PROBLEMS.read_text().splitlines()[:5]
    game: Any = pf.load("othello(empties_to_winner=True)")
    solvers = {threads: Solver(game, native=True, table_mib=256, threads=threads) for threads in (1, 2)}
    for solver in solvers.values():
        solver.value(pf.parse_state(game, f"{'X' * 58}OO---- X"))
    table = Table(title="Endings solved exactly", title_justify="left")
    for heading in (
        "problem",
        "empty",
        "score",
        "million nodes",
        "s",
        "M nodes/s",
        "two threads: s",
        "faster by",
    ):
        table.add_column(heading, justify="right")
    totals = [0.0, 0.0, 0.0, 0.0]
    for number, line in enumerate(lines, 40):
        text, *scores = line.split(";")
        state = pf.parse_state(game, text)
        wanted = max(float(score.partition(":")[2]) for score in scores if ":" in score)
        seconds, used, nodes = {}, 0.0, 0
        for threads, solver in solvers.items():
            solver.clear()
            before, began, processor = solver.nodes, time.perf_counter(), time.process_time()
            value = solver.value(state)
            seconds[threads] = time.perf_counter() - began
            if threads == 1:
                used, nodes = time.process_time() - processor, solver.nodes - before
            score = value if state.player == pf.MAX else -value
            assert score == wanted, f"problem {number}: {score:g}, not {wanted:g}"
        for place, figure in enumerate((nodes, seconds[1], used, seconds[2])):
            totals[place] += figure
        row = (nodes, seconds[1], used, seconds[2])
        table.add_row(f"{number}", str(text.count("-")), f"{wanted:+g}", *shown(*row))
    table.add_section()
    table.add_row("all", "", "", *shown(*totals))
    Console().print(table)
    print("Wanted: at least 8 M nodes/s with one thread, all five in at most 600 s; two threads 1.5 x faster.")


def shown(nodes: float, seconds: float, used: float, together: float) -> list[str]:
    return [
        f"{nodes / 1e6:.1f}",
        f"{seconds:.2f}",
        f"{nodes / used / 1e6:.1f}",
        f"{together:.2f}",
        f"{seconds / together:.2f} x",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", choices=["rates", "endings"])
    given = parser.parse_args()
    if given.only != "endings":
        game = pf.load("othello")
        perft(game, 2, native=True)
        Uct(simulations=10).search(game, native=True)
        contests = [
            (
                "perft, leaves",
                lambda: perft(game, OURS_DEPTH, native=True).nodes,
                {"rust-reversi": (rust_perft(), 10), "OpenSpiel": (spiel_perft(), 100)},
            ),
            (
                "Monte Carlo, simulations",
                our_simulations,
                {"rust-reversi": (rust_simulations(), 3), "OpenSpiel": (spiel_simulations(), 50)},
            ),
        ]
        table = Table(title="Othello, a second of one core", title_justify="left")
        for heading in ("", "plyforge", "beside it", "", "faster by", "wanted"):
            table.add_column(heading, justify="left" if heading in ("", "beside it") else "right")
        for name, ours, others in contests:
            mine = rate(ours, given.repeat)
            for other, (count, wanted) in others.items():
                theirs = None if count is None else rate(count, given.repeat)
                row = ("not installed", "") if theirs is None else (f"{theirs:,.0f}", f"{mine / theirs:.1f} x")
                table.add_row(name, f"{mine:,.0f}", other, *row, f"{wanted} x")
        Console().print(table)
    if given.only != "rates":
        endings()


if __name__ == "__main__":
    main()
