"""Damaged text and files, thousands for each reader: see `fuzz_readers.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz_readers import folder, fuzz, readers

READERS = readers()
FEW, BATCH, BATCHES = 300, 50_000, 4
"""In `make test`, and in `make test-full`, where they are 200,000 each."""


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder())  # a damaged name of a file names nothing there


@pytest.mark.parametrize("name", READERS)
def test_what_is_damaged_is_read_or_refused_in_a_sentence(name: str) -> None:
    assert 0 <= fuzz(READERS[name], 0, FEW) <= FEW


@pytest.mark.full
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("name", READERS)
def test_so_are_two_hundred_thousand_of_each(name: str, batch: int) -> None:
    fuzz(READERS[name], FEW + batch * BATCH, FEW + (batch + 1) * BATCH)


def test_every_module_that_reads_has_a_reader_here() -> None:
    """Whoever opens a file of somebody's, or parses JSON, does so through `plyforge.reading`; what is left reads files or pipes of our own making."""
    package = Path(__import__("plyforge").__file__).parent
    own = {
        "check/trial_child.py", "check/trial_process.py", "cli/new.py", "evaluate/ntuples/kept.py", "studio/away.py", "studio/away_child.py", "kernel/cache.py", "kernel/constant.py", "kernel/room.py", "play/compile.py", "play/match.py",
        "play/match_record.py", "play/match_worker.py", "play/protocols/gtp_go.py", "play/protocols/talk.py", "play/warm.py", "reading.py", "search/contest.py", "search/trust.py",
        "solve/table_file.py", "studio/frames.py", "studio/own.py", "studio/server.py", "teach/trees.py", "games/catalog.py",
    }  # fmt: skip
    signs = ("json.loads(", ".read_text(", ".read_bytes(", "np.load(", '.open("r', 'open("rb')
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if any(sign in path.read_text(encoding="utf-8") for sign in signs)
    }
    assert found <= own, f"read through plyforge.reading, and give fuzz_readers.py a line: {found - own}"
