"""The lectures' table of assumptions and realities, timed: four cells of 100 games. Run it: python benchmarks/pacman.py
[GAMES]

It should take less than 5 minutes on two cores. What it prints is what `plyforge versus "pacman(maze='trap')" --against
adversarial,random` prints, and the time.
"""

from __future__ import annotations

import resource
import sys
import time

from plyforge.cli.contests.versus import print_table
from plyforge.play.contests.versus import Versus

LIMIT = 300.0
"""Seconds."""
CORES = 2


def main(games: int = 100) -> None:
    began = time.perf_counter()
    table = Versus("pacman(maze='trap')", ["minimax", "expectimax"], ["adversarial", "random"], games=games)
    table.run()
    seconds = time.perf_counter() - began
    print_table(table)
    moves = sum(sum(cell.standing.times(name).moves for name in "AB") for cell in table.cells)
    own, workers = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    used = sum(each.ru_utime + each.ru_stime for each in (own, workers))
    print(
        f"{seconds:.0f} s with {table.workers} workers, compiling included ({seconds / LIMIT:.2f} of the 5 minutes"
        f" allowed), {used:.0f} s of processor time ({used / LIMIT / CORES:.2f} of two cores for 5 minutes);"
        f" {moves / used:,.0f} moves a second of processor time"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
