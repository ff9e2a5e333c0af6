"""What sampling learns of a game: regrets and averages by information set, and what everybody knows on the way.

An information set is found by the 64-bit number of what its player remembers and sees (`contract/information.py`), by
open addressing, and numbered when it is first met. Its actions have a slot each, side by side, in the order of the
rules. A line of play stands in a trail: for each ply and player, what is remembered and seen.

Compiled, these are blocks behind addresses, since arrays would be unpacked at every call of a recursive kernel;
interpreted, rows that come into being when they are first asked for.

Invariants: at most a quarter of the places are taken, so that looking on ends soon. Without room, a table that may
grow ends the iteration with the fault NO_ROOM; one that is `full` stays as it is, and who is met newly is not learned
about.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plyforge.contract import Game
from plyforge.contract.information import NOTHING, remember_seen
from plyforge.contract.naming import name_of
from plyforge.errors import BadRules, TooDeep
from plyforge.kernel import MAX_PLY, RUNNING, RecordType, hash_state, inline, mix
from plyforge.kernel.function import when_compiling
from plyforge.kernel.storage.block import address_of, block_reader, new_block

NO_ROOM, OTHER_ACTIONS, TOO_DEEP = 1, 2, 3
"""Why an iteration ended in the middle."""
WORTH_A_PLY = 64
"""Room for the values of actions, on average over the plies of a line."""

MET = np.dtype([("owner", "i4"), ("width", "i4"), ("offset", "i8"), ("key", "u8")])
SLOT = np.dtype([("regret", "f8"), ("average", "f8")])
PLACE = np.dtype([("number", "i8")])
KNOWN = np.dtype([("memory", "u8"), ("seen", "u8")])
WORTH = np.dtype([("value", "f8")])
read_sets = block_reader(MET)
read_slots = block_reader(SLOT)
read_places = block_reader(PLACE)
read_trail = block_reader(KNOWN)
read_worth = block_reader(WORTH)

REGRETS = RecordType(
    "regrets",
    [
        ("nodes", "i8"),  # information sets that were met
        ("slots", "i8"),
        ("stop", "i8"),
        ("fault", "i8"),
        ("iterations", "i8"),
        ("wanted", "i8"),  # so many iterations in all
        ("set_room", "i8"),
        ("slot_room", "i8"),
        ("place_room", "i8"),
        ("trail_room", "i8"),
        ("worth_room", "i8"),
        ("full", "i8"),  # not 0: this table grows no more
        ("sets_at", "i8"),
        ("slots_at", "i8"),
        ("places_at", "i8"),
        ("trail_at", "i8"),
        ("worth_at", "i8"),
    ],
)


class Lazy(dict[int, Any]):
    """A block for the interpreted speed."""

    def __init__(self, kind: np.dtype) -> None:
        super().__init__()
        self.zeros = {name: 0.0 if kind[name].kind == "f" else 0 for name in kind.names or ()}

    def __missing__(self, index: int) -> Any:
        row = self[index] = _Row()
        vars(row).update(self.zeros)
        return row


class _Row:
    """A record of a lazy block."""


def open_sets(memory: Any) -> Any:
    return memory.sets_at


def open_slots(memory: Any) -> Any:
    return memory.slots_at


def open_places(memory: Any) -> Any:
    return memory.places_at


def open_trail(memory: Any) -> Any:
    return memory.trail_at


def open_worth(memory: Any) -> Any:
    return memory.worth_at


@when_compiling
def _natively() -> None:
    from numba.extending import overload

    @overload(open_sets, inline="always")
    def _open_sets(memory):
        return lambda memory: read_sets(memory.sets_at, memory.set_room)

    @overload(open_slots, inline="always")
    def _open_slots(memory):
        return lambda memory: read_slots(memory.slots_at, memory.slot_room)

    @overload(open_places, inline="always")
    def _open_places(memory):
        return lambda memory: read_places(memory.places_at, memory.place_room)

    @overload(open_trail, inline="always")
    def _open_trail(memory):
        return lambda memory: read_trail(memory.trail_at, memory.trail_room)

    @overload(open_worth, inline="always")
    def _open_worth(memory):
        return lambda memory: read_worth(memory.worth_at, memory.worth_room)


# ------------------------------------------------------------------ for kernels
@inline
def key_of(memory, seen, player):
    """The information set of `player`, who remembers and sees this: `information_set`, told apart from the others'."""
    return mix(mix(memory, seen), player)


@inline
def begin_trail(game, s, memory):
    """Nobody remembers anything of what came before `s`."""
    trail = open_trail(memory)
    for player in range(game.players):
        trail[player].memory, trail[player].seen = NOTHING, hash_state(game.observe(s, player))


@inline
def go_on(game, s, action, mover, after, ply, memory):
    """What everybody remembers and sees after an action."""
    trail = open_trail(memory)
    here, next_row = ply * game.players, (ply + 1) * game.players
    for player in range(game.players):
        then = hash_state(game.observe(after, player))
        known = trail[here + player]
        trail[next_row + player].seen = then
        trail[next_row + player].memory = remember_seen(game, known.memory, s, action, mover, known.seen, then, player)


@inline
def set_of(game, s, mover, ply, memory):
    """The number of the mover's information set, a new one if it is new; -1 if there is no room for it."""
    sets, places = open_sets(memory), open_places(memory)
    known = open_trail(memory)[ply * game.players + mover]
    key = key_of(known.memory, known.seen, mover)
    mask = memory.place_room - 1
    at = np.int64(key >> np.uint64(20)) & mask
    while places[at].number != 0 and sets[places[at].number - 1].key != key:
        at = (at + 1) & mask
    if places[at].number != 0:
        return places[at].number - 1
    width = 0
    for _ in game.actions(s):
        width += 1
    number = memory.nodes
    if number == memory.set_room or memory.slots + width > memory.slot_room:
        if memory.full == 0:
            memory.fault = NO_ROOM
        return -1
    sets[number].key, sets[number].owner = key, mover
    sets[number].width, sets[number].offset = width, memory.slots
    memory.nodes += 1
    memory.slots += width
    places[at].number = memory.nodes
    return number


@inline
def hope(slots, slot, width):
    """The sum of the regrets above 0, from which regret matching takes its shares."""
    total = 0.0
    for a in range(width):
        total += max(slots[slot + a].regret, 0.0)
    return total


@inline
def share(total, width, regret):
    """What regret matching gives an action of that regret."""
    return max(regret, 0.0) / total if total > 0.0 else 1.0 / width


# ------------------------------------------------------------------ the table
class Contents(NamedTuple):
    """What a table has learned, as arrays."""

    sets: np.ndarray
    regret: np.ndarray
    average: np.ndarray


NOTHING_LEARNED = Contents(np.zeros(0, MET), np.zeros(0), np.zeros(0))


class RegretTable:
    """Room for so many information sets and slots, and the record through which kernels see it."""

    def __init__(
        self, players: int, room: tuple[int, int], compiled: bool, contents: Contents = NOTHING_LEARNED,
        kind: RecordType = REGRETS, full: bool = False,
    ) -> None:  # fmt: skip
        self.compiled = compiled
        memory = self.memory = kind.new(compiled)
        memory.stop = RUNNING
        memory.set_room, memory.slot_room = room
        memory.place_room, memory.trail_room = 4 * room[0], MAX_PLY * players
        memory.worth_room, memory.full = MAX_PLY * WORTH_A_PLY, int(full)
        self.sets = self._block("sets_at", read_sets, MET, room[0])
        self.slots = self._block("slots_at", read_slots, SLOT, room[1])
        self.places = self._block("places_at", read_places, PLACE, memory.place_room)
        self.trail = self._block("trail_at", read_trail, KNOWN, memory.trail_room)
        self.worth = self._block("worth_at", read_worth, WORTH, memory.worth_room)
        self._fill(contents)

    def _block(self, name: str, reader: Any, kind: np.dtype, length: int) -> Any:
        block: Any = new_block(reader, length) if self.compiled else Lazy(kind)
        setattr(self.memory, name, address_of(block) if self.compiled else block)
        return block

    def _fill(self, contents: Contents) -> None:
        """Places are found anew: so they depend on the information sets and the room alone."""
        sets, regret, average = contents
        if self.compiled:
            self.sets[: len(sets)] = sets
            self.slots["regret"][: len(regret)], self.slots["average"][: len(average)] = regret, average
        else:
            for number, values in enumerate(sets):
                for name, value in zip(MET.names or (), values, strict=True):
                    setattr(self.sets[number], name, value)
            for slot, (one, other) in enumerate(zip(regret.tolist(), average.tolist(), strict=True)):
                self.slots[slot].regret, self.slots[slot].average = one, other
        mask = self.memory.place_room - 1
        for number, at in enumerate(((sets["key"] >> np.uint64(20)).astype(np.int64) & mask).tolist()):
            while self.places[at].number:
                at = (at + 1) & mask
            self.places[at].number = number + 1
        self.memory.nodes, self.memory.slots = len(sets), len(regret)

    @property
    def contents(self) -> Contents:
        """What was learned so far."""
        n, slots = int(self.memory.nodes), int(self.memory.slots)
        if self.compiled:
            return Contents(
                np.array(self.sets[:n], MET), self.slots["regret"][:slots].copy(), self.slots["average"][:slots].copy()
            )
        rows = [tuple(getattr(self.sets[number], name) for name in MET.names or ()) for number in range(n)]
        columns = [[getattr(self.slots[slot], name) for slot in range(slots)] for name in ("regret", "average")]
        return Contents(np.array(rows, MET), *map(np.array, columns))


def require_sound(fault: int, game: Game) -> None:
    """Raise for rules that can't be sampled."""
    name = name_of(game)
    if fault == TOO_DEEP:
        raise TooDeep(f"{name} has histories of more than {MAX_PLY - 2} actions: too long, or endless")
    if fault == OTHER_ACTIONS:
        raise BadRules(f"{name}: one information set has different actions. `plyforge check` says more")


__all__ = [
    "MET", "NO_ROOM", "OTHER_ACTIONS", "REGRETS", "TOO_DEEP", "Contents", "RegretTable", "begin_trail", "go_on", "hope",
    "key_of", "open_sets", "open_slots", "open_trail", "open_worth", "require_sound", "set_of", "share",
]  # fmt: skip
