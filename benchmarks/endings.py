"""Endgame databases of checkers: how long building takes, how small the values are, how fast compiled code asks.

    python benchmarks/endings.py [PIECES]

Builds in a folder that is removed again. Compiling is not counted.
"""

from __future__ import annotations

import sys
import tempfile
import time

import numpy as np

import plyforge as pf
from plyforge.endings.database import Database
from plyforge.endings.probe import probe
from plyforge.kernel import kernel
from plyforge.kernel.entry import native_function
from plyforge.solve.endings.build import build
from plyforge.solve.endings.verify import verify_database

PROBES = 4_000_000


@kernel
def ask(game, database, boards):
    """Ask for one state after the other; `database` 0: the loop alone."""
    total = 0
    for number in range(len(boards)):
        state = game.tablebase.state_at(game, boards[number, 0], boards[number, 1])
        total += state.black & 1
        total += probe(game, database, state)
    return total


def main(pieces: int) -> None:
    game = pf.load("checkers")
    with tempfile.TemporaryDirectory() as folder:
        build(game, 2, f"{folder}/warm")
        built = build(game, pieces, f"{folder}/all")
        print(
            f"built      {built.states:,} states of up to {pieces} pieces in {built.seconds:.1f} s,"
            f" {built.states / built.seconds:,.0f} a second"
        )
        print(f"values     {built.values_bytes:,} bytes, {built.bits_per_state:.2f} bits a state")
        print(
            f"distances  {built.distances_bytes:,} bytes, {8 * built.distances_bytes / built.states:.2f} bits a state"
        )
        database = Database.open(f"{folder}/all", game)
        print(f"asked      {probes_per_second(game, database):,.0f} probes a second, of states at random")
        verified = verify_database(database)
        print(f"verified   {verified.states:,} states in {verified.seconds:.1f} s")


def probes_per_second(game: pf.Game, database: Database) -> float:
    """Of states at random, each as likely as any other. What making the states takes is measured apart and left out."""
    dice = np.random.default_rng(1)
    sizes = np.array([game.tablebase.slice_size(game, kind) for kind in database.files])
    codes = np.array([game.tablebase.slice_code(game, kind) for kind in database.files])
    chosen = dice.choice(len(sizes), PROBES, p=sizes / sizes.sum())
    places = (dice.random(PROBES) * sizes[chosen]).astype(np.int64)
    boards = np.stack([codes[chosen], places], axis=1)
    args = (game, database.address, boards)
    function = native_function(ask, *args)
    times = []
    for address in (database.address, 0):
        began = time.perf_counter()
        function(game, address, boards)
        times.append(time.perf_counter() - began)
    return PROBES / (times[0] - times[1])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
