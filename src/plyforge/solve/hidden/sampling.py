"""Monte Carlo counterfactual regret minimization: on the rules, with a table of the information sets that were met.

No tree is grown: each iteration plays the game once for each player who learns, and looks information sets up by the
64-bit number of what their player knows.

    external sampling    chance and the others draw one action, the learner tries all: regrets are what they would be
                         in CFR, on average over what was drawn
    outcome sampling     one line of play; the learner explores at EXPLORATION, and what is found counts as often more
                         as it was unlikely to be drawn

Claim: for two players and a constant sum, the average profile comes closer to an equilibrium with many iterations, in
expectation; single runs differ. With more players nothing is promised. The same seed gives the same table at both
speeds.

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive games", NIPS 2009.
The average of external sampling is added to where the next player moves, in proportion to that player's own reach
("stochastically weighted").

Memory: two numbers for each slot of an information set that was met, 40 bytes for the set, and room to grow: linear in
information sets, nothing for histories. A table without room ends an iteration in the middle, which is begun again in a
larger one; what its finished parts have learned stays.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from plyforge.contract import CHANCE, Game
from plyforge.contract.naming import name_of
from plyforge.contract.payoffs import payoffs
from plyforge.errors import BadRules, TooDeep
from plyforge.kernel import MAX_PLY, hash_state, inline, kernel, new_stream, uniform
from plyforge.kernel.storage.block import block_reader, new_block
from plyforge.search.running.compiling import in_worker
from plyforge.search.running.runner import deep_recursion
from plyforge.search.running.speed import bind_for
from plyforge.solve.hidden.history_tree import (
    FAULT,
    NO_ROOM,
    OTHER_ACTIONS,
    SETS,
    SLOTS,
    TOO_DEEP,
    HistoryTree,
    Root,
    key_of,
    place_of,
    step,
)
from plyforge.solve.hidden.regret import whole

EXPLORATION = 0.6
FIRST_SETS, SLOTS_A_SET = 1 << 12, 4
WORTH_A_PLY = 64
"""Room for the values of actions, on average over the plies of a line."""
LARGEST_ROOM = 1 << 28
DONE = 6
"""Counted, too: iterations that are done."""
MET = np.dtype([("owner", "i4"), ("width", "i4"), ("offset", "i8"), ("key", "u8")])
read_met = block_reader(MET)


# ------------------------------------------------------------------ kernels
@inline
def set_of(game, s, mover, ply, counts, sets, table, regret, memory, seen):
    """The number of the mover's information set, a new one if it is new; -1 if there is no room for it."""
    key = key_of(memory[ply, mover], seen[ply, mover], mover)
    at = place_of(key, sets, table)
    if table[at] != 0:
        return table[at] - 1
    width = 0
    for _ in game.actions(s):
        width += 1
    number = counts[SETS]
    if number == len(sets) or counts[SLOTS] + width > len(regret):
        counts[FAULT] = NO_ROOM
        return -1
    sets[number].key, sets[number].owner = key, mover
    sets[number].width, sets[number].offset = width, counts[SLOTS]
    counts[SETS] += 1
    counts[SLOTS] += width
    table[at] = counts[SETS]
    return number


@inline
def hope(slot, width, regret):
    """The sum of the regrets above 0, from which regret matching takes its shares."""
    total = 0.0
    for a in range(width):
        total += max(regret[slot + a], 0.0)
    return total


@inline
def share(total, width, regret):
    """What regret matching gives an action of that regret."""
    return max(regret, 0.0) / total if total > 0.0 else 1.0 / width


@kernel
def external(game, s, ply, player, top, counts, sets, table, regret, average, stream, memory, seen, worth) -> float:
    """What `s` is worth to `player`, who learns, with one action of everybody else drawn."""
    if counts[FAULT] != 0:
        return 0.0
    if game.terminal(s):
        return payoffs(game, game.utility(s))[player]
    if ply + 2 > len(memory):
        counts[FAULT] = TOO_DEEP
        return 0.0
    mover = game.player(s)
    if mover == CHANCE:
        left = uniform(stream)
        for outcome, probability in game.chance(s):
            drawn = outcome
            left -= probability
            if left < 0.0:
                break
        after = game.result(s, drawn)
        step(game, s, drawn, mover, after, ply, memory, seen)
        return external(
            game, after, ply + 1, player, top, counts, sets, table, regret, average, stream, memory, seen, worth
        )
    number = set_of(game, s, mover, ply, counts, sets, table, regret, memory, seen)
    if number < 0:
        return 0.0
    slot, width = sets[number].offset, sets[number].width
    total = hope(slot, width, regret)
    if mover != player:
        if mover == (player + 1) % game.players:
            for a in range(width):
                average[slot + a] += share(total, width, regret[slot + a])
        left, a = uniform(stream), 0
        for action in game.actions(s):
            chosen = action
            left -= share(total, width, regret[slot + a])
            a += 1  # noqa: SIM113
            if left < 0.0 or a == width:
                break
        after = game.result(s, chosen)
        step(game, s, chosen, mover, after, ply, memory, seen)
        return external(
            game, after, ply + 1, player, top, counts, sets, table, regret, average, stream, memory, seen, worth
        )
    if top + width > len(worth):
        counts[FAULT] = TOO_DEEP
        return 0.0
    value, a = 0.0, 0
    for action in game.actions(s):
        if a == width:
            counts[FAULT] = OTHER_ACTIONS
            return 0.0
        after = game.result(s, action)
        step(game, s, action, mover, after, ply, memory, seen)
        worth[top + a] = external(
            game, after, ply + 1, player, top + width, counts, sets, table, regret, average, stream, memory, seen, worth
        )
        value += share(total, width, regret[slot + a]) * worth[top + a]
        a += 1  # noqa: SIM113
    if counts[FAULT] == 0:
        for a in range(width):
            regret[slot + a] += worth[top + a] - value
    return value


@kernel
def outcome(
    game, s, ply, player, reach, drawn_reach, counts, sets, table, regret, average, stream, memory, seen
) -> float:
    """What `s` is worth to `player`, who learns, by one line of play.

    `reach` is how likely the learner goes there, `drawn_reach` how likely that was drawn; what chance and the others
    do was drawn as likely as it is.
    """
    if counts[FAULT] != 0:
        return 0.0
    if game.terminal(s):
        return payoffs(game, game.utility(s))[player]
    if ply + 2 > len(memory):
        counts[FAULT] = TOO_DEEP
        return 0.0
    mover = game.player(s)
    if mover == CHANCE:
        left = uniform(stream)
        for event, probability in game.chance(s):
            drawn = event
            left -= probability
            if left < 0.0:
                break
        after = game.result(s, drawn)
        step(game, s, drawn, mover, after, ply, memory, seen)
        return outcome(
            game, after, ply + 1, player, reach, drawn_reach, counts, sets, table, regret, average, stream, memory, seen
        )
    number = set_of(game, s, mover, ply, counts, sets, table, regret, memory, seen)
    if number < 0:
        return 0.0
    slot, width = sets[number].offset, sets[number].width
    total = hope(slot, width, regret)
    explore = EXPLORATION if mover == player else 0.0
    left, a = uniform(stream), 0
    likely = policy = 0.0
    for action in game.actions(s):
        chosen = action
        policy = share(total, width, regret[slot + a])
        likely = explore / width + (1.0 - explore) * policy
        left -= likely
        a += 1
        if (left < 0.0 and likely > 0.0) or a == width:
            break
    after = game.result(s, chosen)
    step(game, s, chosen, mover, after, ply, memory, seen)
    if mover != player:
        return outcome(
            game, after, ply + 1, player, reach, drawn_reach, counts, sets, table, regret, average, stream, memory, seen
        )
    value = outcome(
        game, after, ply + 1, player, reach * policy, drawn_reach * likely, counts, sets, table, regret, average,
        stream, memory, seen,
    )  # fmt: skip
    if counts[FAULT] == 0:
        value /= likely
        for b in range(width):
            own = share(total, width, regret[slot + b])
            average[slot + b] += reach / drawn_reach * own
        for b in range(width):
            found = value if b == a - 1 else 0.0
            regret[slot + b] += (found - policy * value) / drawn_reach
        return policy * value
    return 0.0


@kernel
def sample_external(game, root, iterations, counts, sets, table, regret, average, stream, memory, seen, worth):
    """So many iterations, or until there is no room."""
    for _ in range(iterations):
        for player in range(game.players):
            external(game, root, 0, player, 0, counts, sets, table, regret, average, stream, memory, seen, worth)
        if counts[FAULT] != 0:
            return
        counts[DONE] += 1


@kernel
def sample_outcome(game, root, iterations, counts, sets, table, regret, average, stream, memory, seen, worth):
    """So many iterations, or until there is no room."""
    for _ in range(iterations):
        for player in range(game.players):
            outcome(game, root, 0, player, 1.0, 1.0, counts, sets, table, regret, average, stream, memory, seen)
        if counts[FAULT] != 0:
            return
        counts[DONE] += 1


SAMPLERS = {"external": sample_external, "outcome": sample_outcome}


# ------------------------------------------------------------------ the learner
class Table(NamedTuple):
    """What was learned: the stream, information sets, regrets, averages."""

    iterations: int
    stream: int
    sets: np.ndarray
    regret: np.ndarray
    average: np.ndarray
    room: tuple[int, int]
    """For so many information sets and slots. When a table grows, an iteration is begun again: so it counts."""
    places: np.ndarray
    """The table that finds information sets by their keys."""


def table_of(
    iterations: int, stream: int, sets: Any, regret: np.ndarray, average: np.ndarray, room: tuple[int, int]
) -> Table:
    """The same with its places found anew: so they depend on the information sets and the room alone."""
    places = np.zeros(4 * room[0], np.int64)
    mask = len(places) - 1
    for number, at in enumerate(((sets.key >> np.uint64(20)).astype(np.int64) & mask).tolist()):
        while places[at]:
            at = (at + 1) & mask
        places[at] = number + 1
    return Table(iterations, stream, sets, regret, average, room, places)


class Sampler:
    """One solve by sampling. `learned` is all that it knows: from there it goes on to the bit."""

    def __init__(self, game: Game, root: Root, using: str, seed: int = 0, native: bool | None = None) -> None:
        self.game, self.root, self.using, self.speed = game, root, using, native
        room = (FIRST_SETS, SLOTS_A_SET * FIRST_SETS)
        nothing = np.zeros(0)
        self.learned = table_of(0, seed, new_block(read_met, 0), nothing, nothing, room)
        self.native = True

    @property
    def iterations(self) -> int:
        return self.learned.iterations

    @property
    def bytes(self) -> int:
        """What the table takes."""
        sets, slots = self.learned.room
        return sets * (MET.itemsize + 32) + slots * 16

    def kept(self) -> tuple[dict[str, int], dict[str, np.ndarray]]:
        """What goes into a file."""
        iterations, stream, sets, regret, average, room, _ = self.learned
        numbers = {"iterations": iterations, "stream": stream, "sets": room[0], "slots": room[1]}
        columns = {name: np.ascontiguousarray(sets[name]) for name in MET.names or ()}
        return numbers, {**columns, "regret": regret, "average": average}

    def take(self, numbers: dict[str, int], arrays: dict[str, np.ndarray]) -> None:
        """Go on from there. Raises ValueError for what can't have been learned."""
        regret, average = arrays.pop("regret"), arrays.pop("average")
        sets: Any = new_block(read_met, len(arrays["key"]))
        for name, column in arrays.items():
            sets[name] = column
        room = whole(numbers["sets"]), whole(numbers["slots"])
        fits = len(sets) <= room[0] <= LARGEST_ROOM and len(regret) == len(average) <= room[1] <= LARGEST_ROOM
        ends = sets.offset + sets.width
        if not (
            fits
            and room[0] & (room[0] - 1) == 0 < room[0]
            and (sets.width > 0).all()
            and np.array_equal(sets.offset, np.append(0, ends[:-1])[: len(sets)])
            and (ends[-1] if len(sets) else 0) == len(regret)
            and np.isfinite(regret).all()
            and np.isfinite(average).all()
        ):
            raise ValueError("its numbers are not those of a table")
        iterations, stream = whole(numbers["iterations"]), whole(numbers["stream"])
        self.learned = table_of(iterations, stream, sets, regret, average, room)

    def learn(self, iterations: int) -> None:
        """So many more. Stopped in the middle, nothing of them is kept."""
        game, players = self.game, self.game.players
        wanted = self.iterations + iterations
        learned = self.learned
        while learned.iterations < wanted:
            counts, arrays = self._arrays(learned)
            sets, table, regret, average, stream = arrays
            rows = (MAX_PLY, players)
            memory, seen = np.zeros(rows, np.uint64), np.zeros(rows, np.uint64)
            for player in range(players):
                memory[0, player] = self.root.memories[player]
                seen[0, player] = hash_state(game.observe(self.root.state, player))
            worth = np.zeros(MAX_PLY * WORTH_A_PLY)
            args = (game, self.root.state, wanted - learned.iterations, counts, *arrays, memory, seen, worth)
            bound = bind_for(game, SAMPLERS[self.using], *args, native=self.speed)
            self.native = self.native and bound.is_native
            if bound.is_native:
                in_worker(functools.partial(bound, *args))
            else:
                with deep_recursion():
                    bound(*args)
            self._require(int(counts[FAULT]))
            n, slots = int(counts[SETS]), int(counts[SLOTS])
            done = learned.iterations + int(counts[DONE])
            if counts[FAULT] == NO_ROOM:
                room = (2 * learned.room[0], 2 * learned.room[1])
                learned = table_of(done, int(stream.state), sets[:n], regret[:slots], average[:slots], room)
            else:
                learned = Table(
                    done, int(stream.state), sets[:n], regret[:slots], average[:slots], learned.room, table
                )  # fmt: skip
        self.learned = learned

    def _arrays(self, learned: Table) -> tuple[np.ndarray, tuple[Any, ...]]:
        """Room for the kernel to go on from what was learned."""
        number, slots = learned.room
        counts = np.zeros(8, np.int64)
        counts[SETS], counts[SLOTS] = len(learned.sets), len(learned.regret)
        sets = new_block(read_met, number)
        sets[: len(learned.sets)] = learned.sets
        regret, average = np.zeros(slots), np.zeros(slots)
        regret[: len(learned.regret)], average[: len(learned.regret)] = learned.regret, learned.average
        return counts, (sets, learned.places.copy(), regret, average, new_stream(learned.stream))

    def _require(self, fault: int) -> None:
        name = name_of(self.game)
        if fault == TOO_DEEP:
            raise TooDeep(f"{name} has histories of more than {MAX_PLY - 2} actions: too long, or endless")
        if fault == OTHER_ACTIONS:
            raise BadRules(f"{name}: one information set has different actions. `plyforge check` says more")

    def profile(self, tree: HistoryTree) -> np.ndarray:
        """The average profile, by a tree's slots; all alike where nobody came."""
        known = {int(key): k for k, key in enumerate(self.learned.sets["key"].tolist())}
        found = np.zeros(tree.slots)
        for number, key in enumerate(tree.keys.tolist()):
            if key in known:
                met = self.learned.sets[known[key]]
                begin = int(met.offset)
                found[tree.offset[number] : tree.offset[number + 1]] = self.learned.average[begin : begin + met.width]
        return found


__all__ = ["SAMPLERS", "Sampler", "Table"]
