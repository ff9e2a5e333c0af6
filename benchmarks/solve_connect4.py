"""Solving Connect Four: Plyforge's Solver, on rules written in Python, beside BitBully, a solver written in C++ for
this one game.

Random positions of several lengths, none of them over; one thread each, no opening book. BitBully's table is reset
before each position and so is ours (ours in no time: the salt of its keys changes), and neither reset is counted. Both
answers are compared. The two take turns, fifty positions at a time, so that a slow moment of the machine meets both.
Times are of the processor. BitBully needs `pip install -e .[bench]`.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.contract import MAX
from plyforge.solve import Solver

LENGTHS = ((10, 1), (14, 4), (18, 10), (22, 20), (28, 20))
"""Plies of the positions, and how many of them for each unit of `--positions`."""
TURN = 50


class Row(NamedTuple):
    """The mean of positions of one length."""

    plies: int
    positions: int
    ours: float
    theirs: float | None
    nodes: float
    their_nodes: float | None


def random_columns(game: Any, plies: int, chooser: random.Random) -> list[int]:
    """The columns of a random game that is not over after so many plies."""
    while True:
        state, columns = game.start(), []
        while len(columns) < plies and not game.terminal(state):
            columns.append(chooser.choice(pf.legal_moves(game, state)))
            state = game.result(state, columns[-1])
        if not game.terminal(state):
            return columns


class BitBully:
    """The other solver, if it is installed."""

    def __init__(self) -> None:
        import bitbully

        self.new_board = bitbully.Board
        self.agent = bitbully.BitBully(opening_book=None)

    def score(self, columns: list[int]) -> tuple[int, float, int]:
        """The mover's score, the seconds it took, and the nodes."""
        board = self.new_board()
        for column in columns:
            board.play(column)
        self.agent.reset_transposition_table()
        self.agent.reset_node_counter()
        began = time.thread_time()
        score = self.agent.mtdf(board)
        return score, time.thread_time() - began, self.agent.get_node_counter()


def our_values(solver: Solver, states: list[Any]) -> tuple[list[float], float, int]:
    """Values, seconds and nodes."""
    before, began = solver.nodes, time.process_time()
    values = solver.values(states, fresh=True)
    return values, time.process_time() - began, solver.nodes - before


def measure(positions: int, table_mib: float, seed: int) -> list[Row]:
    """All lengths."""
    game = pf.load("connect4(graded=True)")
    solver = Solver(game, native=True, table_mib=table_mib)
    solver.table.words[:] = 0  # touch its memory, as BitBully's reset does
    try:
        other = BitBully()
    except ImportError:
        other = None
    chooser = random.Random(seed)
    rows = []
    for plies, weight in LENGTHS:
        number = positions * weight
        games = [random_columns(game, plies, chooser) for _ in range(number)]
        ours = theirs = 0.0
        nodes = their_nodes = 0
        for first in range(0, number, TURN):
            part = games[first : first + TURN]
            states = [pf.state_after(game, *(str(column + 1) for column in columns)) for columns in part]
            answers = [other.score(columns) for columns in part] if other is not None else []
            values, seconds, visited = our_values(solver, states)
            ours, nodes = ours + seconds, nodes + visited
            for value, state, (score, spent, count) in zip(values, states, answers, strict=False):
                sign = 1 if game.player(state) == MAX else -1
                if value != sign * score:
                    raise SystemExit(f"different answers in {pf.format_state(game, state)}: {value} and {score}")
                theirs, their_nodes = theirs + spent, their_nodes + count
        found = other is not None
        rows.append(
            Row(
                plies,
                number,
                ours / number,
                theirs / number if found else None,
                nodes / number,
                their_nodes / number if found else None,
            )
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--positions", type=int, default=10, help="how many of 10 plies; more of the others")
    parser.add_argument("--table-mib", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rows = measure(given.positions, given.table_mib, given.seed)
    table = Table(title="Solving Connect Four: mean of random positions, one thread")
    for name in ("plies", "positions", "Plyforge ms", "BitBully ms", "ratio", "nodes", "BitBully's"):
        table.add_column(name, justify="right")
    for row in rows:
        theirs = "-" if row.theirs is None else f"{row.theirs * 1e3:.3f}"
        ratio = "-" if row.theirs is None else f"{row.ours / row.theirs:.2f}"
        counted = "-" if row.their_nodes is None else f"{row.their_nodes:,.0f}"
        table.add_row(
            str(row.plies),
            str(row.positions),
            f"{row.ours * 1e3:.3f}",
            theirs,
            ratio,
            f"{row.nodes:,.0f}",
            counted,
        )
    console = Console()
    console.print(table)
    console.print("A ratio below 1 means that Plyforge is faster. BitBully counts nodes in its own way.")


if __name__ == "__main__":
    main()
