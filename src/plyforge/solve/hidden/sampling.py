"""Monte Carlo counterfactual regret minimization: on the rules, with a table of the information sets that were met.

No tree is grown: each iteration plays the game once for each player who learns, and looks information sets up by the
64-bit number of what their player knows. How is in `search/hidden/external_sampling.py` and `outcome_sampling.py`: the
latter, aimed at a situation, is a player, too.

Claim: for two players and a constant sum, the average profile comes closer to an equilibrium with many iterations, in
expectation; single runs differ. With more players nothing is promised. The same seed gives the same table at both
speeds.

Memory: two numbers for each slot of an information set that was met, 56 bytes for the set, and room to grow: linear in
information sets, nothing for histories. A table without room ends an iteration in the middle, which is begun again in a
larger one; what its finished parts have learned stays.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from plyforge.contract import Game
from plyforge.contract.naming import as_state
from plyforge.kernel import STOPPED, Kernel, RecordType, new_stream
from plyforge.search.hidden.external_sampling import sample_external
from plyforge.search.hidden.outcome_sampling import EXPLORATION, WALKS, sample_outcomes
from plyforge.search.hidden.regret_table import (
    MET,
    NO_ROOM,
    NOTHING_LEARNED,
    PLACE,
    REGRETS,
    SLOT,
    Contents,
    RegretTable,
    require_sound,
)
from plyforge.search.running.compiling import in_worker
from plyforge.search.running.runner import deep_recursion
from plyforge.search.running.speed import bind_for
from plyforge.solve.hidden.history_tree import HistoryTree
from plyforge.solve.hidden.regret import whole

FIRST_SETS, SLOTS_A_SET = 1 << 12, 4
LARGEST_ROOM = 1 << 28
SAMPLERS: dict[str, tuple[Kernel, RecordType]] = {
    "external": (sample_external, REGRETS),
    "outcome": (sample_outcomes, WALKS),
}


class Learned(NamedTuple):
    """All that a sampler knows."""

    iterations: int
    stream: int
    contents: Contents
    room: tuple[int, int]
    """For so many information sets and slots. When a table grows, an iteration is begun again: so it counts."""


class Sampler:
    """One solve by sampling. `learned` is all that it knows: from there it goes on to the bit."""

    def __init__(self, game: Game, state: Any, using: str, seed: int = 0, native: bool | None = None) -> None:
        self.game, self.state, self.using, self.speed = game, as_state(game, state), using, native
        self.learned = Learned(0, seed, NOTHING_LEARNED, (FIRST_SETS, SLOTS_A_SET * FIRST_SETS))
        self.table: RegretTable | None = None
        """The same as kernels see it; None if it is to be made again."""
        self.native = True

    @property
    def iterations(self) -> int:
        return self.learned.iterations

    @property
    def bytes(self) -> int:
        """What the table takes."""
        sets, slots = self.learned.room
        return sets * (MET.itemsize + 4 * PLACE.itemsize) + slots * SLOT.itemsize

    def kept(self) -> tuple[dict[str, int], dict[str, np.ndarray]]:
        """What goes into a file."""
        iterations, stream, (sets, regret, average), room = self.learned
        numbers = {"iterations": iterations, "stream": stream, "sets": room[0], "slots": room[1]}
        columns = {name: np.ascontiguousarray(sets[name]) for name in MET.names or ()}
        return numbers, {**columns, "regret": regret, "average": average}

    def take(self, numbers: dict[str, int], arrays: dict[str, np.ndarray]) -> None:
        """Go on from there. Raises ValueError for what can't have been learned."""
        regret, average = arrays.pop("regret"), arrays.pop("average")
        sets = np.zeros(len(arrays["key"]), MET)
        for name, column in arrays.items():
            sets[name] = column
        room = whole(numbers["sets"]), whole(numbers["slots"])
        fits = len(sets) <= room[0] <= LARGEST_ROOM and len(regret) == len(average) <= room[1] <= LARGEST_ROOM
        ends = sets["offset"] + sets["width"]
        if not (
            fits
            and room[0] & (room[0] - 1) == 0 < room[0]
            and (sets["width"] > 0).all()
            and np.array_equal(sets["offset"], np.append(0, ends[:-1])[: len(sets)])
            and (ends[-1] if len(sets) else 0) == len(regret)
            and np.isfinite(regret).all()
            and np.isfinite(average).all()
        ):
            raise ValueError("its numbers are not those of a table")
        iterations, stream = whole(numbers["iterations"]), whole(numbers["stream"])
        self.learned, self.table = Learned(iterations, stream, Contents(sets, regret, average), room), None

    def learn(self, iterations: int) -> None:
        """So many more. Stopped in the middle, nothing of them is kept."""
        kernel, kind = SAMPLERS[self.using]
        learned, wanted, players = self.learned, self.iterations + iterations, self.game.players
        stream = new_stream(learned.stream)
        bound = bind_for(self.game, kernel, self.game, self.state, kind, stream, native=self.speed)
        self.native = self.native and bound.is_native
        table = self.table or RegretTable(players, learned.room, bound.compiled, learned.contents, kind)
        self.table = None
        while learned.iterations < wanted:
            memory = table.memory
            memory.iterations, memory.wanted, memory.fault = learned.iterations, wanted, 0
            if self.using == "outcome":
                memory.exploration, memory.asker = EXPLORATION, -1
            call = functools.partial(bound, self.game, self.state, memory, stream)
            try:
                if bound.is_native:
                    in_worker(call)
                else:
                    with deep_recursion():
                        call()
            except BaseException:
                memory.stop = STOPPED
                raise
            require_sound(int(memory.fault), self.game)
            learned = Learned(int(memory.iterations), int(stream.state), table.contents, learned.room)
            if memory.fault == NO_ROOM:
                learned = learned._replace(room=(2 * learned.room[0], 2 * learned.room[1]))
                table = RegretTable(players, learned.room, bound.compiled, learned.contents, kind)
        self.learned, self.table = learned, table

    def profile(self, tree: HistoryTree) -> np.ndarray:
        """The average profile, by a tree's slots; nothing where nobody came."""
        sets, _, average = self.learned.contents
        known = {int(key): k for k, key in enumerate(sets["key"].tolist())}
        found = np.zeros(tree.slots)
        for number, key in enumerate(tree.keys.tolist()):
            if key in known:
                met = sets[known[key]]
                begin = int(met["offset"])
                found[tree.offset[number] : tree.offset[number + 1]] = average[begin : begin + int(met["width"])]
        return found


__all__ = ["SAMPLERS", "Sampler"]
