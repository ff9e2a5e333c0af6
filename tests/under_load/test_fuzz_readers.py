"""Damaged text and files, thousands for each reader: see `fuzz_readers.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

import fuzz_readers
from fuzz_readers import Reader, folder, fuzz, fuzz_all, readers

READERS = readers()
FEW, ALL = 300, 200_000
"""Of each in `make test`, and in `make test-full`."""


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder())  # a damaged name of a file names nothing there


@pytest.mark.parametrize("name", READERS)
def test_what_is_damaged_is_read_or_refused_in_a_sentence(name: str) -> None:
    assert 0 <= fuzz(READERS[name], 0, FEW) <= FEW


@pytest.mark.full
def test_so_are_two_hundred_thousand_of_each() -> None:
    """18 ms for one damaged thing of each, so an hour of one core, by all cores at once."""
    refused, wrong = fuzz_all(FEW, ALL)
    assert not wrong, "\n".join(wrong)
    assert refused > ALL * len(READERS) // 4


def test_what_nobody_can_cope_with_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(given: str) -> None:
        if given != "good":
            raise KeyError(given)

    monkeypatch.setattr(fuzz_readers, "_readers_here", lambda: {"bad": Reader("bad", read, ("good",))})
    refused, wrong = fuzz_readers._fuzz_named(("bad", 0, 100))
    assert refused == 0 and wrong.startswith("bad 0: KeyError")


def test_every_module_that_reads_has_a_reader_here() -> None:
    """Whoever opens a file of somebody's, or parses JSON, does so through `plyforge.reading`; what is left reads
    files or pipes of our own making."""
    package = Path(__import__("plyforge").__file__).parent
    own = {
        "check/trial/child.py",
        "check/trial/process.py",
        "contract/hooks.py",
        "cli/rules/new.py",
        "evaluate/ntuples/kept.py",
        "studio/server/away.py",
        "studio/server/away_child.py",
        "kernel/compiling/cache.py",
        "kernel/constant.py",
        "kernel/compiling/reach.py",
        "kernel/compiling/room.py",
        "play/compile.py",
        "play/match/record.py",
        "play/players/programs/agent.py",
        "play/players/programs/agent_child.py",
        "play/protocols/gtp/go.py",
        "play/protocols/json_lines/words.py",
        "play/warm.py",
        "poker/matchups.py",
        "reading.py",
        "search/contest.py",
        "search/protection/trust.py",
        "solve/table_file.py",
        "studio/server/frames.py",
        "studio/library/user_rules.py",
        "studio/server/server.py",
        "teach/trees.py",
        "games/catalog.py",
        "work/crew.py",
        "work/orders.py",
        "work/ray_cluster.py",
        "work/worker.py",
    }
    signs = ("json.loads(", ".read_text(", ".read_bytes(", "np.load(", '.open("r', 'open("rb')
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if any(sign in path.read_text(encoding="utf-8") for sign in signs)
    }
    assert found <= own, f"read through plyforge.reading, and give fuzz_readers.py a line: {found - own}"
