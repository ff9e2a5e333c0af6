"""Verifying an endgame database: every value and distance follows from those of the successors. Trusts nothing of the
builder.

Each state of each slice is made from its number; its successors are asked for through the public probe. For whoever
moves, the state must be

    over    as the rules say                                     at distance 0
    won     if an action leads to a won state                    at the least distance of those, plus 1
    lost    if all actions lead to lost states                   at the greatest distance of all, plus 1
    drawn   otherwise: no action wins, and one at least draws

Claim: if that holds everywhere, all values and distances are right. Distances grow by one from the ends on, so a won
state really is won, step by step, and so is a lost one lost. From a drawn state either side can stay among the drawn
ones, or better, for ever: so neither can be beaten, and an endless game is a draw.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.contract import MAX, payoffs
from plyforge.contract.naming import text_of
from plyforge.endings.database import Database
from plyforge.endings.files import DRAW, LOSS, UNKNOWN, WIN
from plyforge.endings.probe import probe, probe_distance
from plyforge.errors import BadText
from plyforge.kernel import STOPPED, RecordType, kernel
from plyforge.kernel.entry import coerce
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress, run
from plyforge.search.running.speed import bind_for
from plyforge.solve.graph.retrograde import stopped

VERIFY = RecordType("verify", [("nodes", "i8"), ("stop", "i8")])


@kernel
def first_wrong(game, memory, database, code, size, endless, counts):
    """The first number of a slice whose value or distance does not follow from its successors; -1 if there is none.
    `counts` by value."""
    for here in range(size):
        if memory.stop != 0:
            return -1
        memory.nodes += 1
        state = game.tablebase.state_at(game, code, here)
        if not game.tablebase.index_valid(game, state):
            continue
        value, distance = 0, 0
        if game.terminal(state):
            utility = payoffs(game, game.utility(state))[0]
            value = WIN if utility > endless else LOSS if utility < endless else DRAW
        else:
            winning = WIN if game.player(state) == MAX else LOSS
            wins, draws, losses = 0, 0, 0
            nearest, farthest = 1 << 30, 0
            for action in game.actions(state):
                after = game.result(state, action)
                worth, plies = probe(game, database, after), probe_distance(game, database, after)
                if worth == UNKNOWN:
                    if not game.terminal(after):
                        return here
                    utility = payoffs(game, game.utility(after))[0]
                    worth, plies = (WIN if utility > endless else LOSS if utility < endless else DRAW), 0
                if worth == DRAW:
                    draws += 1
                elif worth == winning:
                    wins += 1
                    nearest = min(nearest, plies)
                else:
                    losses += 1
                    farthest = max(farthest, plies)
            if wins > 0:
                value, distance = winning, nearest + 1
            elif draws > 0:
                value = DRAW
            elif losses > 0:
                value, distance = 4 - winning, farthest + 1
        if probe(game, database, state) != value:
            return here
        if value != DRAW and probe_distance(game, database, state) != distance:
            return here
        counts[value] += 1
    return -1


@dataclass(frozen=True)
class Verified:
    """A database in which every state follows from its successors."""

    slices: int
    states: int
    counts: dict[str, int]
    """States that MAX wins, draws and loses, counted anew."""
    seconds: float
    """Wall-clock time, without compiling."""
    native: bool
    """True if the rules ran as machine code."""

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        return {
            "slices": self.slices,
            "states": self.states,
            "counts": self.counts,
            "seconds": self.seconds,
            "native": self.native,
        }


def verify_database(
    database: Database,
    *,
    native: bool | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    control: Control | None = None,
) -> Verified:
    """Look at every state of every slice. Raises BadText that names the first one that is wrong."""
    game = database.game
    tally = np.zeros(4, np.int64)
    bound = bind_for(game, first_wrong, game, VERIFY, 0, 0, 0, 0.0, tally, native=native)
    memory = bound.new_memory()
    began = time.perf_counter()
    database.check()
    database.load_distances()
    for kind, file in database.files.items():
        code, size = int(game.tablebase.slice_code(game, kind)), int(game.tablebase.slice_size(game, kind))
        counts = np.zeros(4, np.int64)
        args = (game, memory, database.address, code, size, database.endless, counts)
        wrong = run(bound.function, args, memory, None, on_progress, None, control)
        if memory.stop == STOPPED:
            raise stopped()
        if wrong >= 0:
            raise BadText(f"{file.path} is wrong: {_what(database, kind, int(wrong))}. Remove it and build again")
        told = file.header["counts"]
        if [told["loss"], told["draw"], told["win"]] != counts[1:].tolist():
            raise BadText(
                f"{file.path} is wrong: it has not as many wins, draws and losses as it says. Remove it and build again"
            )
        tally += counts
    return Verified(
        slices=len(database.files),
        states=int(tally.sum()),
        counts={"win": int(tally[WIN]), "draw": int(tally[DRAW]), "loss": int(tally[LOSS])},
        seconds=time.perf_counter() - began,
        native=bound.is_native,
    )


def _what(database: Database, kind: Any, number: int) -> str:
    """The state whose value or distance does not follow from its successors."""
    game = database.game
    state = coerce(game.tablebase.state_at(game, game.tablebase.slice_code(game, kind), number))
    outcome, distance = database.outcome(state), database.distance(state)
    plies = "" if distance is None else f" in {distance} plies"
    return (
        f"in {text_of(game, state)} (number {number}) whoever moves is said to have a {outcome}{plies}, which does not"
        " follow from the positions after it"
    )
