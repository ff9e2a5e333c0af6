"""A table on disk is read as it was written, or refused with the reason; nothing that was good is ever lost."""

from __future__ import annotations

import errno
import os
import struct
import threading
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from plyforge.errors import BadText, PlyforgeError
from plyforge.kernel import mix
from plyforge.search.engine.transposition_table import EXACT, Table, find, pack, store
from plyforge.solve import Solver, solver, table_file
from plyforge.solve.table_file import Standing, describe_table, load_table, save_table

GAME = pf.load("nim(heaps=(1, 2, 3))")
OTHER = pf.load("nim(heaps=(1, 2, 4))")
STANDING = Standing(-1.0, 0.5, 5e-324, 1234, 5.5)
KIB = 1 / 1024


def filled(mebibytes: float = KIB, seed: int = 1) -> Table:
    """A table with something in every bucket."""
    table = Table(mebibytes)
    table.words[:] = np.random.default_rng(seed).integers(0, 2**63, len(table.words), np.uint64)
    table.salt, table.age = 2**64 - 3, 7
    return table


def load(path: Path) -> tuple[Table, Standing]:
    return load_table(path, GAME, GAME.start())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that is whole."""
    path = tmp_path / "nim.table"
    save_table(path, GAME, GAME.start(), filled(KIB / 8), STANDING)
    return path


# ------------------------------------------------------------ as it was written
@pytest.mark.parametrize("mebibytes", [64 / 2**20, KIB, 2.5])
def test_what_is_read_is_what_was_written(tmp_path: Path, mebibytes: float) -> None:
    table, path = filled(mebibytes), tmp_path / "nim.table"
    save_table(path, GAME, GAME.start(), table, STANDING)
    again, standing = load(path)
    assert standing == STANDING
    assert (again.buckets, again.salt) == (table.buckets, table.salt)
    assert (again.words == table.words).all()
    again.begin("anything")
    assert again.age == table.age  # so that to a search that goes on, no entry is an old one
    assert describe_table(path, GAME, GAME.start()).mebibytes == table.mebibytes


def test_an_empty_table_takes_little_room(tmp_path: Path) -> None:
    path = tmp_path / "nim.table"
    save_table(path, GAME, GAME.start(), Table(8), STANDING)
    assert path.stat().st_size < 50_000
    assert not load(path)[0].words.any()


def test_a_new_checkpoint_takes_the_place_of_the_last(path: Path) -> None:
    save_table(path, GAME, GAME.start(), filled(seed=2), Standing(0.0, 0.0))
    table, standing = load(path)
    assert standing.proven and (table.words == filled(seed=2).words).all()
    assert list(path.parent.iterdir()) == [path]


def test_a_table_may_be_saved_while_it_is_written_to(tmp_path: Path) -> None:
    """Every entry that is found afterwards is one that was stored: its value goes with its key."""
    table, path = Table(KIB), tmp_path / "nim.table"
    keys = [mix(0, number) for number in range(200)]
    values = {int(key): float(number) for number, key in enumerate(keys)}
    done = threading.Event()

    def write() -> None:
        while not done.is_set():
            for key in keys:
                store(table.address, table.buckets, key, values[int(key)], pack(4, EXACT, -1, -1, 0, 1))

    writer = threading.Thread(target=write)
    writer.start()
    found = 0
    try:
        for _ in range(20):
            save_table(path, GAME, GAME.start(), table, STANDING)
            again, _ = load(path)
            for key in keys:
                value, meta = find(again.address, again.buckets, key)
                if meta != 0:
                    found += 1
                    assert value == values[int(key)]
    finally:
        done.set()
        writer.join()
    assert found > 0


# ------------------------------------------------------------ damage
def test_every_flipped_bit_is_noticed(path: Path) -> None:
    good = path.read_bytes()
    assert 300 < len(good) < 1000
    for place in range(len(good)):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1 << place % 8]) + good[place + 1 :])
        with pytest.raises(BadText, match=r"damaged|not a table file"):
            load(path)
    path.write_bytes(good)
    load(path)


def test_every_missing_end_is_noticed(path: Path) -> None:
    good = path.read_bytes()
    for length in range(len(good)):
        path.write_bytes(good[:length])
        with pytest.raises(BadText, match=r"damaged|not a table file"):
            load(path)


def test_more_than_was_written_is_noticed(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")
    with pytest.raises(BadText, match="does not end where it should"):
        load(path)


def test_pieces_in_another_order_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "nim.table"
    save_table(path, GAME, GAME.start(), filled(2), STANDING)
    good, frames, place = path.read_bytes(), [], table_file.PRELUDE.size
    while place < len(good):
        length = table_file.FRAME.size + struct.unpack_from("<4sI", good, place)[1]
        frames.append(good[place : place + length])
        place += length
    assert [frame[:4] for frame in frames] == [b"head", b"data", b"data", b"end."]
    frames[1], frames[2] = frames[2], frames[1]
    path.write_bytes(good[: table_file.PRELUDE.size] + b"".join(frames))
    with pytest.raises(BadText, match="frame 1 is not what was written"):
        load(path)


@pytest.mark.parametrize(
    "change",
    [
        {"buckets": 3}, {"buckets": 2**50}, {"buckets": "many"}, {"chunks": 9}, {"low": 2.0}, {"high": None},
        {"age": 256}, {"salt": -1}, {"question": "?"}, {"low": float("nan")},
    ],
    ids=str,
)  # fmt: skip
def test_a_header_that_makes_no_sense_is_refused_whatever_its_checksum(path: Path, change: dict[str, Any]) -> None:
    import json

    good = path.read_bytes()
    begin = table_file.PRELUDE.size
    _, length, _ = table_file.FRAME.unpack_from(good, begin)
    rest = begin + table_file.FRAME.size + length
    header = json.loads(good[begin + table_file.FRAME.size : rest]) | change
    path.write_bytes(good[:begin] + table_file._frame(b"head", json.dumps(header).encode(), 0) + good[rest:])
    with pytest.raises(BadText, match="its header"):
        load(path)


def test_a_newer_format_is_refused_with_the_remedy(path: Path) -> None:
    good = path.read_bytes()
    first = table_file.MAGIC + struct.pack("<I", table_file.VERSION + 1)
    path.write_bytes(first + struct.pack("<I", zlib.crc32(first)) + good[table_file.PRELUDE.size :])
    with pytest.raises(BadText, match="newer Plyforge"):
        load(path)


@pytest.mark.parametrize("content", [b"", b"PK\3\4 something else", b"plyforge tabl"])
def test_what_is_no_table_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(BadText, match="not a table file of Plyforge"):
        Solver(GAME, native=False).solve(keep=path)
    assert path.read_bytes() == content


# ------------------------------------------------------------ about something else
def test_another_game_other_parameters_and_another_state_are_refused(path: Path) -> None:
    good = path.read_bytes()
    with pytest.raises(BadText, match=r"is about Nim\(.*1,2,3.*, not TicTacToe"):
        load_table(path, pf.load("tic_tac_toe"), pf.load("tic_tac_toe").start())
    with pytest.raises(BadText, match="is about Nim"):
        Solver(OTHER, native=False).solve(keep=path)
    with pytest.raises(BadText, match="is about the state"):
        Solver(GAME, native=False).solve(pf.state_after(GAME, "a1"), keep=path)
    assert path.read_bytes() == good


RULES = """
from typing import NamedTuple
import plyforge as pf

class Heap(NamedTuple):
    sticks: int
    player: int

class Sticks(pf.Game):
    def start(self): return Heap(7, 0)
    def player(self, s): return s.player
    def actions(self, s):
        for n in range(1, min(3, s.sticks) + 1):
            yield n
    def result(self, s, n): return Heap(s.sticks - n, 1 - s.player)
    def terminal(self, s): return s.sticks == 0
    def utility(self, s): return -1.0 if s.player == 0 else 1.0
"""


def test_rules_that_have_changed_since_are_refused(tmp_path: Path) -> None:
    rules, path = tmp_path / "sticks.py", tmp_path / "sticks.table"
    rules.write_text(RULES)
    game = pf.load(str(rules))
    Solver(game, native=False, table_mib=KIB).solve(keep=path)
    assert Solver(pf.load(str(rules)), native=False).solve(keep=path).value == 1.0
    rules.write_text(RULES.replace("min(3,", "min(2,"))
    os.utime(rules, (1, 1))
    with pytest.raises(BadText, match="made with other rules"):
        Solver(pf.load(str(rules)), native=False).solve(keep=path)


# ------------------------------------------------------------ where it can't be written
def test_a_full_disk_costs_a_checkpoint_and_nothing_else(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PlyforgeError, match=r"No space left.*Make room"):
        save_table(path, GAME, GAME.start(), filled(seed=2), STANDING)
    assert path.read_bytes() == good
    assert list(path.parent.iterdir()) == [path]


def test_solving_goes_on_when_a_checkpoint_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "nim.table"
    saved = []

    def fails_later(*arguments: Any) -> None:
        if saved:
            raise PlyforgeError("the disk is gone")
        saved.append(arguments)
        save_table(*arguments)

    monkeypatch.setattr(solver, "save_table", fails_later)
    at_work = Solver(GAME, native=False, table_mib=KIB)
    assert at_work.solve(keep=path).value == pf.solve.backward_induction(GAME).value
    assert "the disk is gone" in str(at_work.not_kept)
    assert not load(path)[1].proven  # the first checkpoint is still there


def test_a_folder_that_is_not_there_is_known_before_any_work(tmp_path: Path) -> None:
    at_work = Solver(GAME, native=False)
    with pytest.raises(PlyforgeError, match="make the folder first"):
        at_work.solve(keep=tmp_path / "none" / "nim.table")
    assert at_work.nodes == 0
    with pytest.raises(PlyforgeError, match="can't be read"):
        at_work.solve(keep=tmp_path)
    with pytest.raises(PlyforgeError, match="File name too long"):
        at_work.solve(keep=tmp_path / ("n" * 5000))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may do everything")
def test_a_file_without_permission_is_refused(path: Path) -> None:
    path.chmod(0)
    with pytest.raises(BadText, match="Permission denied"):
        load(path)
    path.parent.chmod(0o500)
    try:
        with pytest.raises(PlyforgeError, match="where you may write"):
            save_table(path, GAME, GAME.start(), filled(), STANDING)
    finally:
        path.parent.chmod(0o700)


def test_permission_refused_by_the_system_is_said_in_words(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = path.read_bytes()

    def refuse(*arguments: Any) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(PlyforgeError, match="where you may write"):
        save_table(path, GAME, GAME.start(), filled(), STANDING)
    monkeypatch.undo()
    assert path.read_bytes() == good
