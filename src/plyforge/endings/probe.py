"""Asking a database of endings from compiled code, through one address.

    probe(game, database.address, state)      LOSS, DRAW or WIN of MAX; UNKNOWN where the database has nothing

It is exact, whoever moves: values are MAX's, as everywhere. Where `canonical` exchanges the sides, the answer is
exchanged back. An address of 0 is an empty database.

Behind the address is a record with the address of a table with an entry for each slice code; an entry has the addresses
of a mapped file's sections. Kernels read the files where they lie, and never write.

Invariant: the address is good as long as the Database is kept and not closed.
"""

from __future__ import annotations

import numpy as np

from plyforge.endings.files import BLOCK, FIRST_RUN, LENGTHS, POWERS, UNKNOWN
from plyforge.kernel import inline, kernel
from plyforge.kernel.storage.block import block_reader

DIRECTORY = np.dtype([("codes", "i8"), ("entries", "i8")], align=True)
"""What the one address leads to: how many codes there are, and where the entries are."""
ENTRY = np.dtype(
    [
        ("states", "i8"),
        ("starts", "i8"),
        ("blocks", "i8"),
        ("content", "i8"),
        ("bytes", "i8"),
        ("distances", "i8"),
    ],
    align=True,
)
"""A slice: how many states, where its blocks begin, its packed values, and its distances if they were loaded. Zeros:
it is not there."""
read_directory = block_reader(DIRECTORY)
read_entries = block_reader(ENTRY)
read_starts = block_reader(np.dtype("<u4"))
read_bytes = block_reader(np.dtype("u1"))
read_distances = block_reader(np.dtype("<u2"))


@kernel
def stored_value(database, code, index):
    """The value at a place of a slice, as it is stored; UNKNOWN if it is not there."""
    if database == 0:
        return UNKNOWN
    directory = read_directory(database, 1)
    codes = directory[0].codes
    if code < 0 or code >= codes:
        return UNKNOWN
    entries = read_entries(directory[0].entries, codes)
    if index < 0 or index >= entries[code].states:
        return UNKNOWN
    content = read_bytes(entries[code].content, entries[code].bytes)
    starts = read_starts(entries[code].starts, entries[code].blocks + 1)
    at = int(starts[index // BLOCK])
    left = index % BLOCK
    end = entries[code].bytes
    while at < end:
        byte = int(content[at])
        if left < LENGTHS[byte]:
            if byte >= FIRST_RUN:
                return (byte - FIRST_RUN) // 4 % 3 + 1
            return int(byte // POWERS[left] % 3 + 1)
        left -= LENGTHS[byte]
        at += 1
    return UNKNOWN


@kernel
def stored_distance(database, code, index):
    """The plies to the end at a place of a slice; -1 if it is not loaded. Means nothing where the value is a draw."""
    if database == 0:
        return -1
    directory = read_directory(database, 1)
    codes = directory[0].codes
    if code < 0 or code >= codes:
        return -1
    entries = read_entries(directory[0].entries, codes)
    if index < 0 or index >= entries[code].states or entries[code].distances == 0:
        return -1
    return int(read_distances(entries[code].distances, entries[code].states)[index])


@inline
def probe(game, database, state):
    """What a state is worth to MAX: LOSS, DRAW or WIN; UNKNOWN if the database does not have it. `database` is an
    address, 0 for none."""
    if database == 0:
        return UNKNOWN
    stored, exchanged = game.tablebase.canonical(game, state)
    code = game.tablebase.slice_of(game, stored)
    if code < 0:
        return UNKNOWN
    value = stored_value(database, code, game.tablebase.index(game, stored))
    if exchanged and value != UNKNOWN:
        return 4 - value
    return value


@inline
def probe_distance(game, database, state):
    """The plies to the end of a state that is won or lost; -1 if distances are not loaded
    (`Database.load_distances`)."""
    if database == 0:
        return -1
    stored, _ = game.tablebase.canonical(game, state)
    code = game.tablebase.slice_of(game, stored)
    if code < 0:
        return -1
    return stored_distance(database, code, game.tablebase.index(game, stored))
