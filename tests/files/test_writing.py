"""Files that can't be written: said before the work, in a sentence, with nothing lost and nothing left behind."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from patience import FOR_A_PROCESS
from plyforge import atomic
from plyforge.cli import main
from plyforge.errors import PlyforgeError
from plyforge.learn import TemporalDifferences
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.record import MatchRecord
from plyforge.writing import require_writable, write_file


def no_room(*_: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_file_that_can_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    assert require_writable(tmp_path / "a") == tmp_path / "a" and (tmp_path / "a").read_text() == "old"
    assert require_writable(tmp_path / "b") == tmp_path / "b" and not (tmp_path / "b").exists()
    assert write_file(tmp_path / "b", "new").read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


@pytest.mark.parametrize("ask", [require_writable, lambda path: write_file(path, b"new")])
def test_what_can_not_be_written_is_said_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ask: Any) -> None:
    with pytest.raises(PlyforgeError, match=r"there is no folder .*nodir"):
        ask(tmp_path / "nodir" / "n.npz")
    for name in ("", "a\0b"):
        with pytest.raises(PlyforgeError, match="not the name of a file"):
            ask(name)
    with pytest.raises(PlyforgeError, match="can't be written"):
        ask(tmp_path)
    (tmp_path / "a").write_text("old")
    monkeypatch.setattr(atomic.os, "fsync", no_room)
    with pytest.raises(PlyforgeError, match="No space left on device"):
        ask(tmp_path / "a")
    assert [path.name for path in tmp_path.iterdir()] == ["a"] and (tmp_path / "a").read_text() == "old"


BEFORE_THE_WORK = {
    "learn": ["learn", "backgammon", "--games", "1000", "-o", "{}.npz"],
    "learn, folder": ["learn", "tic_tac_toe", "--interpreted", "--games", "10", "--folder", "{}"],
    "strategy": ["strategy", "tic_tac_toe", "-o", "{}"],
    "tree": ["tree", "tic_tac_toe", "-o", "{}.svg"],
    "sheet": ["sheet", "-o", "{}.txt"],
    "opponent": ["opponent", "tic_tac_toe", "none.json", "-o", "{}"],
    "solve, certificate": ["solve", "tic_tac_toe", "--certificate", "{}"],
    "solve, table": ["solve", "tic_tac_toe", "--table", "{}"],
    "solve, strongly": ["solve", "three_mens_morris", "--table", "{}"],
    "play": ["play", "tic_tac_toe", "--save", "{}"],
    "match": ["match", "tic_tac_toe", "random", "random", "--record", "{}"],
    "versus": ["versus", "tic_tac_toe", "--record", "{}"],
    "table": ["table", "three_nim", "random", "random", "random", "--rounds", "1", "--record", "{}"],
}


@pytest.mark.parametrize("verb", BEFORE_THE_WORK)
@pytest.mark.parametrize("trouble", ["missing", "full"])
def test_every_verb_asks_before_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, verb: str, trouble: str
) -> None:
    """Nothing is searched, solved or played before it is known that the outcome can be kept."""

    def worked(*_: Any, **__: Any) -> None:
        raise AssertionError("it has begun to work")

    for place in (
        "plyforge.learn.TemporalDifferences.run",
        "plyforge.learn.Run.go_on",
        "plyforge.solve.make_strategy",
        "plyforge.search.trace.recorder.record",
        "plyforge.teach.make_sheet",
        "plyforge.play.players.opponent_model.OpponentModel.learn",
        "plyforge.solve.solver.Solver._attempt",
        "plyforge.solve.strongly",
        "plyforge.play.terminal.play_in_terminal",
        "plyforge.play.match.referee.Referee.play",
    ):
        monkeypatch.setattr(place, worked, raising=False)
    target = tmp_path / "nodir" / "out" if trouble == "missing" else tmp_path / "out"
    if trouble == "full":
        monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(SystemExit) as ended:
        main([word.format(target) for word in BEFORE_THE_WORK[verb]])
    said = capsys.readouterr().err
    assert ended.value.code == 2 and "Traceback" not in said, said
    words = "No space left" if trouble == "full" else "no folder|the folder first|No such file"
    assert re.search(words, said), said


def test_a_learner_asks_when_it_is_made(tmp_path: Path) -> None:
    with pytest.raises(PlyforgeError, match="there is no folder"):
        TemporalDifferences("backgammon", tmp_path / "nodir" / "n.npz")


def played(number: int) -> PlayedGame:
    return PlayedGame(number, "A", 1, None, 0, ("5",) * 200, (0.1,) * 200, "A", "by the rules", (1.0, -1.0))


def test_a_record_on_a_disk_that_gets_full_keeps_all_games_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system takes a part of a line, then nothing more: also not what a buffer might still hold when the file is
    closed."""
    path = tmp_path / "m.jsonl"
    record = MatchRecord(path, {"seed": 1})
    record.add(played(0))
    before = path.read_bytes()

    class Full:
        """A file on a disk with a hundred bytes left."""

        def __init__(self, file: Any) -> None:
            self.file, self.left = file, 100

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

        def write(self, content: bytes) -> int:
            if not self.left:
                no_room()
            taken, self.left = self.file.write(content[: self.left]), 0
            return int(taken)

    whole = record._file
    record._file = Full(whole)  # type: ignore[assignment]
    with pytest.raises(PlyforgeError, match="The games before are kept"):
        record.add(played(1))
    record._file = whole
    assert path.read_bytes() == before
    record.close()
    with MatchRecord(path, {"seed": 1}) as again:
        assert list(again.games) == [0] and not again.dropped
        again.add(played(1))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_output_to_a_full_disk_is_a_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "plyforge", "games"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=FOR_A_PROCESS,
        )
    assert (
        done.returncode == 2
        and done.stderr
        == "plyforge: No space left on device: what was to be written is not whole. Make room and try again\n"
    )


def test_files_that_are_written_are_files_that_can_be_read(tmp_path: Path) -> None:
    """What is kept at the most is below what is read at the most: see each module's LARGEST_FILE."""
    plan = pf.solve.make_strategy("tic_tac_toe")
    plan.save(tmp_path / "plan.json")
    assert pf.solve.Strategy.load(tmp_path / "plan.json", pf.load("tic_tac_toe")) == plan
