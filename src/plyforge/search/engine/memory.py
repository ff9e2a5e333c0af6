"""What the engine keeps while it runs, beside what every search keeps: proofs, ordering, the root's mask.

One record, as in `plyforge.kernel.memory`. Invariant: `low[p]` and `high[p]` speak of the value that the node at ply p
returned last.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from plyforge.kernel.memory import MAX_PLY, PLAIN
from plyforge.kernel.record import PlainRecord, Record
from plyforge.kernel.storage.buffer import ACTION_LIMIT
from plyforge.search.engine.steps.repetition import PAST
from plyforge.search.running.kept import Shelf

TOO_MANY_ACTIONS = 5
"""Why a search stopped: a state with more actions than can be ordered."""
HISTORY = 4096
"""Actions are told apart by so many codes; two actions with one code share their history, which harms nothing but
order."""

CORRECTIONS = 1 << 14
"""Structures are told apart by so many numbers."""
MOVE_CLASSES = 1024
"""Kinds of actions, of both players, by which it is remembered what follows well on what."""

TABLE_SCORE = 2.0**60
ORDERING_UNIT = 2.0**40
KILLER_SCORES = (2.0**39, 2.0**38)
"""Ordering in stages: the table's action, then the ordering score, then killers, then history."""

NO_LIMIT = 1 << 62
NEVER = 1 << 20
"""A depth that no search has."""

# table, buckets, salt, age   where the table is, and what its keys and entries carry
# most_buckets, grow_at       its size; if `buckets` is less, only that part of it is used, up to so many nodes
# table_depth                 it is used with at least so many plies left
# history_depth                  killers and history order actions with at least so many plies left
# etc_depth                  all actions are looked up in the table before any is searched, with at least so many plies
#                            left
# fetch_depth                 their entries are asked for, to be near when they are searched, with at least so many
#                             plies left
# deeper                      values of deeper searches are taken from the table, not only those of the very depth
# marks                       where threads mark what they are looking at; zero for one thread
# partial, excluded           not all root actions are searched; which are not
# ply_limit                   how deep a recursion there is room for, whatever depth is left
# first                       the root action to look at first
# database                    where a database of endings is; zero for none
# accumulators                where the evaluation keeps what it follows the search by; zero for none
# past, path                  keys of the states before: `past` of the game so far, then those on the way from the root
#                             (`repetition.py`)
# reach                       how far back on that way the subtree of each node met what was there before
# static_evaluations                   what the node at each ply looks like without search
# corrections                 by how much estimates of states with a structure are too low, by who moves
# move_classes                     what kind of action led to the node at each ply; -1: none that is known
# counter_move_history, follow_up_history         how well one kind of action answers another, how well it goes on after
#                                                 another of the same player's
# learned, rows               what of these three is not zero any more: the first at all, and which rows of the others
# deadline, look_at           when to stop, in `ticks`, zero for never; at how many nodes to look whether that is now
# low, high                   proofs, see `principal_variation.py`
ENGINE = PLAIN.extended(
    "engine",
    [
        ("table", "i8"),
        ("buckets", "i8"),
        ("most_buckets", "i8"),
        ("grow_at", "i8"),
        ("salt", "u8"),
        ("age", "i8"),
        ("table_depth", "i8"),
        ("history_depth", "i8"),
        ("etc_depth", "i8"),
        ("fetch_depth", "i8"),
        ("marks", "i8"),
        ("deeper", "i8"),
        ("quiescence", "i8"),
        ("selective", "i8"),
        ("partial", "i8"),
        ("ply_limit", "i8"),
        ("first", "i8"),
        ("database", "i8"),
        ("met_endings", "i8"),
        ("accumulators", "i8"),
        ("deadline", "i8"),
        ("look_at", "i8"),
        ("past", "i8"),
        ("path", "u8", (PAST + MAX_PLY + 2,)),
        ("reach", "i8", (MAX_PLY + 2,)),
        ("root_value", "f8"),
        ("low", "i4", (MAX_PLY + 2,)),
        ("high", "i4", (MAX_PLY + 2,)),
        ("root_low", "i4", (ACTION_LIMIT,)),
        ("root_high", "i4", (ACTION_LIMIT,)),
        ("excluded", "i1", (ACTION_LIMIT,)),
        ("static_evaluations", "f8", (MAX_PLY + 2,)),
        ("killers", "i8", (MAX_PLY + 2, 2)),
        ("history", "f8", (HISTORY,)),
        ("corrections", "f4", (2, CORRECTIONS)),
        ("move_classes", "i8", (MAX_PLY + 2,)),
        ("counter_move_history", "i2", (MOVE_CLASSES, MOVE_CLASSES)),
        ("follow_up_history", "i2", (MOVE_CLASSES, MOVE_CLASSES)),
        ("learned", "i8"),
        ("rows", "i1", (MOVE_CLASSES,)),
    ],
)


class PlainEngineMemory(PlainRecord):
    """The same for a specialised kernel (`interpreted/specialise.py`): arrays are lists, `field[p, q]` is
    `field[p][q]`, and what is not touched is not there."""

    kind = ENGINE

    def __init__(self) -> None:
        for name in ENGINE.dtype.names or ():
            kind = ENGINE.dtype[name]
            if not kind.shape:
                setattr(self, name, 0.0 if kind.kind == "f" else 0)
            elif len(kind.shape) == 1 and name != "values":
                setattr(self, name, [0.0 if kind.base.kind == "f" else 0] * kind.shape[0])
        self.values: Any = [0.0] * ACTION_LIMIT
        self.line: Any = defaultdict(dict)
        self.counter_move_history: Any = defaultdict(lambda: defaultdict(int))
        self.follow_up_history: Any = defaultdict(lambda: defaultdict(int))
        self.corrections = np.zeros((2, CORRECTIONS), np.float32)  # as exact as those of compiled code
        self.begin_anew()

    def begin_anew(self) -> None:
        """As the function of that name."""
        self.killers: Any = defaultdict(lambda: [-1, -1])
        self.move_classes = [-1] * (MAX_PLY + 2)
        self.first, self.past, self.met_endings = -1, 0, 0

    def best_line(self) -> list[int]:
        row = self.line[0]
        return [row[place] for place in range(self.length[0])]


def best_line(memory: Any) -> tuple[int, ...]:
    """The best line at the root, as indices."""
    if isinstance(memory, PlainEngineMemory):
        return tuple(memory.best_line())
    return tuple(memory.line[0, : memory.length[0]].tolist())


def new_engine_memory(native: bool) -> Any:
    """Memory for one thread of the engine. What it has learned about the order of actions lives as long as it does."""
    return set_up(ENGINE.new(native))


def set_up(memory: Any) -> Any:
    """A memory of zeros, made ready."""
    memory.history_depth = 2
    memory.etc_depth = 4
    memory.fetch_depth = 4
    memory.grow_at = NO_LIMIT
    memory.ply_limit = MAX_PLY
    begin_anew(memory)
    return memory


def begin_anew(memory: Any) -> None:
    """Ready for the next search of the same game: what belongs to one position is forgotten, what follows well on
    what is not."""
    if isinstance(memory, PlainEngineMemory):
        memory.begin_anew()
        return
    memory.killers[:] = -1
    memory.move_classes[:] = -1
    memory.first = -1
    memory.past = 0
    memory.met_endings = 0


def forget_all(memory: Any) -> None:
    """A memory for compiled code is as good as a new one again, and has its pages already."""
    memory.block.view(np.uint8)[:] = 0
    set_up(memory)


_shelf = Shelf(lambda: new_engine_memory(True))
"""Of memories for compiled code. Interpreted ones are made anew: what learning has left in them is sooner forgotten
than cleaned."""


def take_engine_memory(compiled: bool) -> Any:
    """As good as a new one."""
    return _shelf.take() if compiled else new_engine_memory(False)


def plain_engine_memory() -> Any:
    """A new one for a specialised kernel."""
    return set_up(PlainEngineMemory())


def hand_on_engine_memory(memory: Any, actions: int, selective: bool) -> None:
    """For the next search, of any game: one at a root with so many actions, and without threads, has left no more
    than this."""
    if not isinstance(memory, Record):
        return
    memory.values[:actions] = 0.0
    memory.root_low[:actions] = 0
    memory.root_high[:actions] = 0
    memory.excluded[:actions] = 0
    memory.length[:] = 0
    memory.history[:] = 0.0
    memory.nodes = memory.estimates = memory.stop = 0
    memory.table = memory.marks = memory.database = memory.deeper = memory.accumulators = 0
    memory.root_value = 0.0
    if selective:
        forget_what_was_learned(memory)
    begin_anew(memory)
    _shelf.hand_on(memory)


def forget_what_was_learned(memory: Any) -> None:
    """After a selective search. A short one has learned of few kinds of actions, and all of them are megabytes."""
    memory.static_evaluations[:] = 0.0
    if memory.learned:
        memory.corrections[:] = 0.0
        memory.learned = 0
    rows = memory.rows.nonzero()[0]
    memory.counter_move_history[rows] = 0
    memory.follow_up_history[rows] = 0
    memory.rows[rows] = 0


class _Field:
    """A field of the interpreted memory, read and written as `field[0]`."""

    def __init__(self, memory: Any, name: str) -> None:
        self.memory, self.name = memory, name

    def __getitem__(self, index: int) -> Any:
        return getattr(self.memory, self.name)

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self.memory, self.name, value)


def live(memory: Any, name: str) -> Any:
    """A number in the memory, as `field[0]`, as quick as it can be."""
    return memory.block[name] if isinstance(memory, Record) else _Field(memory, name)
