"""Perft of checkers: how many sequences of moves a second, here and by OpenSpiel driven from Python.

Both count the same sequences from the start, and must agree before a rate is shown. OpenSpiel plays a multiple capture
as several actions of the same player, so its plies are counted by changes of the player. Rates are the best of several,
in one run on one machine, turn by turn; read the ratio, not the rates. OpenSpiel needs `pip install -e .[bench]`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.solve import perft


def count_by_open_spiel(state: Any, depth: int) -> int:
    """Sequences of `depth` moves. The last ply is counted in bulk, as ours is, but where there are captures: they
    may go on."""
    if depth == 0:
        return 1
    if state.is_terminal():
        return 0
    mover = state.current_player()
    actions = state.legal_actions()
    if depth == 1 and actions[0] % 2 == 0:  # the last digit of an action is 1 for a capture; captures are forced
        return len(actions)
    leaves = 0
    for action in actions:
        after = state.child(action)
        goes_on = not after.is_terminal() and after.current_player() == mover
        leaves += count_by_open_spiel(after, depth if goes_on else depth - 1)
    return leaves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--depth", type=int, default=10, help="plies of our own perft (default 10)")
    parser.add_argument("--their-depth", type=int, default=6, help="plies of OpenSpiel's (default 6)")
    parser.add_argument("--times", type=int, default=5, help="how often each is measured (default 5)")
    options = parser.parse_args()

    game = pf.load("checkers")
    perft(game, 1, native=True)  # compiled before anything is timed
    try:
        import pyspiel
    except ImportError:
        theirs = None
    else:
        theirs = pyspiel.load_game("checkers").new_initial_state()

    ours_best = theirs_best = 0.0
    for _ in range(options.times):
        ours_best = max(ours_best, perft(game, options.depth, native=True).rate)
        if theirs is not None:
            began = time.perf_counter()
            leaves = count_by_open_spiel(theirs, options.their_depth)
            theirs_best = max(theirs_best, leaves / (time.perf_counter() - began))
            expected = perft(game, options.their_depth, native=True).nodes
            if leaves != expected:
                raise SystemExit(
                    f"OpenSpiel counts {leaves:,} sequences of {options.their_depth} moves, we {expected:,}"
                )

    table = Table("perft of checkers", "depth", "leaves per second", "times OpenSpiel's")
    ratio = f"{ours_best / theirs_best:,.0f}" if theirs_best else "-"
    table.add_row("plyforge, compiled", str(options.depth), f"{ours_best:,.0f}", ratio)
    if theirs is None:
        table.add_row("OpenSpiel, from Python", "-", "not installed", "-")
    else:
        table.add_row("OpenSpiel, from Python", str(options.their_depth), f"{theirs_best:,.0f}", "1")
    Console().print(table)


if __name__ == "__main__":
    main()
