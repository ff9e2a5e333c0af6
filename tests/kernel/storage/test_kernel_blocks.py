"""Buffers of actions and blocks behind an address work the same at both speeds."""

from __future__ import annotations

import gc
import mmap
import os
import threading
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import plyforge as pf
from plyforge.kernel import kernel, new_memory, visit
from plyforge.kernel.storage.block import (
    address_of,
    as_array,
    block_reader,
    lend_block,
    longer_block,
    new_block,
    new_rows,
    put_array,
)
from plyforge.kernel.storage.buffer import get, new_buffer, put
from plyforge.kernel.storage.numbering import Numbering, number_of

ENTRY = np.dtype([("key", "u8"), ("value", "f8"), ("depth", "i2")], align=True)
read_entries = block_reader(ENTRY)


@kernel
def count_backwards(game, memory, state, depth):
    """Perft that keeps the actions first and takes them from the last to the first."""
    if visit(memory):
        return 0
    if game.terminal(state):
        return 0
    if depth == 0:
        return 1
    buffer = new_buffer(game, state)
    number = 0
    for action in game.actions(state):
        put(buffer, number, action)
        number += 1
    leaves = 0
    while number > 0:
        number -= 1
        leaves += count_backwards(game, memory, game.result(state, get(buffer, number)), depth - 1)
    return leaves


@pytest.mark.parametrize(("spec", "depth"), [("connect4", 4), ("nim", 3), ("hexapawn(width=4, height=4)", 4)])
def test_a_buffer_keeps_actions_of_any_type(spec, depth):
    game = pf.load(spec)
    fast = count_backwards.native(game, new_memory(depth, None, True), game.start(), depth)
    slow = count_backwards(game, new_memory(depth, None, False), game.start(), depth)
    live = sum(1 for _ in live_leaves(game, game.start(), depth))
    assert fast == slow == live > 10


def live_leaves(game, state, depth):
    if game.terminal(state):
        return
    if depth == 0:
        yield state
        return
    for action in game.actions(state):
        yield from live_leaves(game, game.result(state, action), depth - 1)


@kernel
def fill(address, length):
    entries = read_entries(address, length)
    for i in range(length):
        entries[i].key = np.uint64(i * i)
        entries[i].value += 0.5 * i
        entries[i].depth = -i
    return entries[length - 1].value


def test_a_block_is_written_and_read_at_both_speeds():
    one, other = new_block(read_entries, 100), new_block(read_entries, 100)
    assert fill(address_of(one), 100) == fill.native(address_of(other), 100) == 49.5
    assert (one == other).all()
    assert one[7].key == 49 and one[7].depth == -7
    fill.native(address_of(one), 100)
    assert one[7].value == 7.0


def test_a_block_is_forgotten_with_its_array():
    block = new_block(read_entries, 10)
    address = address_of(block)
    del block
    gc.collect()
    with pytest.raises(KeyError):
        read_entries(address, 10)


def test_memory_that_cannot_be_had_is_an_error_in_words():
    with pytest.raises(pf.PlyforgeError, match="MiB of memory can't be had"):
        new_block(read_entries, 1 << 60)


STATM = Path("/proc/self/statm")


def resident() -> float:
    """MiB of memory that this process holds."""
    return int(STATM.read_text().split()[1]) * mmap.PAGESIZE / 2**20


@pytest.mark.skipif(not STATM.exists(), reason="no /proc here")
def test_blocks_made_in_threads_take_only_what_is_touched_and_leave_nothing():
    size, threads = 16, 3
    length = (size << 20) // ENTRY.itemsize

    def make(fill: bool) -> None:
        block = new_block(read_entries, length)
        if fill:
            block.view(np.ndarray).fill(1)
        made.append(block)
        everyone.wait()  # each thread has asked for memory before any is gone

    made: list[Any] = []
    before = resident()
    for fill in (True, False):
        everyone = threading.Barrier(threads)
        workers = [threading.Thread(target=make, args=(fill,)) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert all(address_of(block) % 64 == 0 for block in made)
        assert fill or resident() - before < 2 * size  # nobody has touched them
        assert not fill or resident() - before > (threads - 1) * size
        made.clear()
        gc.collect()
        assert resident() - before < 2 * size


def test_a_large_block_is_not_shared_with_a_process_that_is_split_off():
    block = new_block(read_entries, (2 << 20) // ENTRY.itemsize)
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that the new process does not have
        child = os.fork()
    if child == 0:
        block[0].key = 7
        os._exit(0)
    os.waitpid(child, 0)
    assert block[0].key == 0


def test_where_no_pages_can_be_had_the_error_says_how_much_was_wanted(monkeypatch):
    def refuse(*args: Any, **options: Any) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(mmap, "mmap", refuse)
    with pytest.raises(pf.PlyforgeError, match="24 MiB of memory can't be had"):
        new_block(read_entries, 1 << 20)


read_numbers = block_reader(np.dtype("<u2"))


@kernel
def add_up(address, length):
    """The sum of the numbers of a block."""
    numbers = read_numbers(address, length)
    total = 0
    for place in range(length):
        total += int(numbers[place])
    return total


@pytest.mark.parametrize("function", [add_up, add_up.native], ids=["interpreted", "compiled"])
def test_kernels_look_at_memory_that_is_lent_to_them(function, tmp_path):
    path = tmp_path / "numbers"
    np.arange(100, dtype="<u2").tofile(path)
    mapped = np.memmap(path, "<u2", "r")
    address = lend_block(mapped)
    assert function(address, len(mapped)) == sum(range(100))


def test_rows_are_a_block_of_plain_objects():
    dtype = np.dtype([("weight", "f8"), ("next", "i4")])
    read = block_reader(dtype)
    for new in (new_block, new_rows):
        block = new(read, 3)
        rows = read(address_of(block), 3)
        assert (rows[2].weight, rows[2].next) == (0.0, 0)
        rows[1].weight, rows[1].next = 2.5, 7
        longer = longer_block(read, block, 5)
        array = as_array(read, longer, 5)
        assert array.dtype == dtype and array["next"].tolist() == [0, 7, 0, 0, 0]
        turned = array[::-1].copy()
        put_array(longer, turned)
        again = read(address_of(longer), 5)
        assert [float(again[i].weight) for i in range(5)] == [0.0, 0.0, 0.0, 2.5, 0.0]


def test_what_numbering_keeps_is_found_under_its_new_number():
    class Pair(NamedTuple):
        one: int
        other: int

    pairs = [Pair(i, i * i) for i in range(40)]
    memory: Any = SimpleNamespace(states=0)
    numbering = Numbering(memory, pairs[0], native=False)
    for pair in pairs:
        number_of(memory, pair)
    numbering.keep(np.array([7, 3, 30]))
    assert numbering.all() == [pairs[7], pairs[3], pairs[30]] and len(numbering) == 3
    assert [numbering.find(pairs[i]) for i in (3, 4, 7, 30)] == [1, None, 0, 2]
    assert number_of(memory, pairs[4]) == 3
