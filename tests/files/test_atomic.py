"""Files are written whole or not at all, and what a killed process leaves beside them is cleared away."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plyforge.atomic import ABANDONED, write_atomically

WRITES_FOR_EVER = """
import sys, time
from pathlib import Path
from plyforge.atomic import write_atomically

def pieces():
    while True:
        yield b"x" * 10_000
        print("written", flush=True)
        time.sleep(0.01)

write_atomically(Path(sys.argv[1]), pieces())
"""


def asides(folder: Path) -> list[Path]:
    return sorted(folder.glob(".plyforge-*.part"))


def make_old(path: Path) -> None:
    then = time.time() - 2 * ABANDONED
    os.utime(path, (then, then))


def start_writing(target: Path) -> subprocess.Popen[bytes]:
    writer = subprocess.Popen([sys.executable, "-c", WRITES_FOR_EVER, str(target)], stdout=subprocess.PIPE)
    assert writer.stdout is not None and writer.stdout.readline()
    return writer


def test_what_a_killed_process_left_is_removed_by_the_next_write_once_it_is_old(tmp_path):
    target = tmp_path / "good"
    write_atomically(target, "good")
    writer = start_writing(target)
    writer.kill()
    writer.communicate()
    assert len(asides(tmp_path)) == 1 and target.read_text() == "good"
    write_atomically(target, "better")
    assert len(asides(tmp_path)) == 1, "too young: it might just have been made"
    make_old(asides(tmp_path)[0])
    write_atomically(target, "best")
    assert not asides(tmp_path) and target.read_text() == "best"


@pytest.mark.skipif(os.name != "posix", reason="there a file that is open can't be removed anyway")
def test_what_somebody_is_writing_stays_however_old_it_is(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    held = tmp_path / ".plyforge-0123456789abcdef.part"
    with held.open("wb") as file:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        make_old(held)
        write_atomically(tmp_path / "other", b"1")
        assert held.exists()
    write_atomically(tmp_path / "other", b"2")
    assert not held.exists()


def test_a_writer_holds_what_it_writes(tmp_path):
    writer = start_writing(tmp_path / "one")
    try:
        for _ in range(50):
            make_old(asides(tmp_path)[0])
            write_atomically(tmp_path / "two", b"")
            assert len(asides(tmp_path)) == 1
    finally:
        writer.kill()
        writer.communicate()


def test_other_files_stay_however_they_are_called(tmp_path):
    others = [tmp_path / name for name in (".plyforge-notes", "table.part", "plyforge-1.part")]
    for path in others:
        path.write_bytes(b"mine")
        make_old(path)
    (tmp_path / ".plyforge-folder.part").mkdir()
    make_old(tmp_path / ".plyforge-folder.part")
    write_atomically(tmp_path / "target", b"")
    assert all(path.exists() for path in others) and (tmp_path / ".plyforge-folder.part").is_dir()


def test_content_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    target = tmp_path / "good"
    write_atomically(target, "good")

    def pieces():
        yield b"half"
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        write_atomically(target, pieces())
    assert target.read_text() == "good" and not asides(tmp_path)
