"""Compiling in the background: the first search never waits, the next one is fast, and what can't be compiled is not
tried again."""

from __future__ import annotations

import io
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.play import Engine
from plyforge.play import warm as warm_module
from plyforge.play.compile import main as compile_process
from plyforge.studio.library.precompile import Warm, note_for, text_of

RULES = '''
from dataclasses import dataclass
import plyforge as pf

@dataclass(frozen=True)
class Sets(pf.Game):
    """It rounds to digits, which has no compiled form."""
    size: int = 3
    def start(self): return frozenset()
    def player(self, s): return len(s) % 2
    def actions(self, s):
        for n in range(4):
            if n not in s: yield n
    def result(self, s, a): return s | {a}
    def terminal(self, s): return len(s) == self.size
    def utility(self, s): return round(1.0 if 0 in s else -1.0, 1)
'''


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLYFORGE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def wait(told: list[Any], seconds: float = 300.0) -> Any:
    end = time.monotonic() + seconds
    while not told:
        assert time.monotonic() < end
        time.sleep(0.02)
    return told[0]


@compiles
def test_the_first_search_is_interpreted_and_the_next_one_compiled(own_cache: Path) -> None:
    changes: list[list[str]] = []
    warm = Warm(lambda: changes.append(warm.compiling))
    told: list[tuple[str, str, str]] = []
    game = pf.load("nim(heaps=(1, 2, 3))")
    try:
        assert warm.native(game, "alpha_beta", lambda *what: told.append(what)) is False
        assert warm.native(game, "alpha_beta") is False
        assert warm.compiling == ["Nim (alpha beta)"] and not told  # nobody has waited for it
        engine = Engine(game, "alpha_beta", native=False)
        engine.start(depth=3)
        assert not engine.wait().native
        assert wait(told) == ("Nim", "alpha_beta", "")
        assert warm.native(game, "alpha_beta") is None
        assert changes[0] == ["Nim (alpha beta)"] and changes[-1] == []
        note = note_for(game, "alpha_beta")
        assert note is not None and note.exists() and note.is_relative_to(own_cache)
        kernels = {file.name for file in note.parent.glob("*.kernel")}
        assert kernels
        engine = Engine(game, "alpha_beta", native=None)
        engine.start(depth=3)
        assert engine.wait().native
        assert {file.name for file in note.parent.glob("*.kernel")} == kernels  # nothing was compiled again
    finally:
        warm.close()


@compiles
def test_rules_that_do_not_compile_are_said_to_and_not_tried_again(own_cache: Path) -> None:
    file = own_cache / "sets.py"
    file.write_text(RULES)
    warm, told = Warm(), []  # type: ignore[var-annotated]
    game = pf.load(str(file))
    try:
        assert warm.native(game, "alpha_beta", lambda *what: told.append(what)) is False
        name, _, why = wait(told)
        assert name == "Sets" and "compiled form" in why
        assert warm.native(game, "alpha_beta", lambda *what: told.append(what)) is False
        assert warm.compiling == [] and len(told) == 1
    finally:
        warm.close()


def test_what_is_not_worth_compiling_is_left_to_the_search() -> None:
    warm = Warm()
    assert warm.native(pf.load("tree"), "minimax") is None
    assert warm.compiling == []


def test_what_has_been_closed_compiles_nothing() -> None:
    warm = Warm()
    warm.close()
    assert warm.native(pf.load("nim"), "alpha_beta") in (False, None)
    assert warm.compiling == []


def test_a_failing_compiler_leaves_the_search_interpreted(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)

    def fail(*what: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(warm_module, "note_for", fail)
    warm, told = Warm(), []  # type: ignore[var-annotated]
    assert warm.native(pf.load("nim"), None, lambda *what: told.append(what)) is False
    assert wait(told) == ("Nim", "", "the compiler failed: MemoryError")
    assert warm.native(pf.load("nim"), None) is False
    warm.close()


@pytest.mark.parametrize(
    "text", ["connect4", "connect4(width=5)", "nim(heaps=(1, 2))", "chess", "kalah(houses=3, seeds=2)"]
)
def test_another_process_can_load_the_same_game(text: str) -> None:
    game = pf.load(text)
    named = text_of(game)
    assert named is not None and pf.load(named) == game


def test_what_another_process_can_not_load_has_no_text() -> None:
    @dataclass(frozen=True)
    class Local(type(pf.load("nim"))):  # type: ignore[misc]
        """Made here."""

    assert text_of(Local()) is None


class Process:
    """Another process that does not end before it is killed."""

    def __init__(self, *command: Any, stdin: Any = None, **options: Any) -> None:
        self.stdin, self.asked, self.killed = self, "", False

    def write(self, text: str) -> None:
        self.asked += text

    def close(self) -> None:
        pass

    def poll(self) -> int | None:
        return 0 if self.killed else None

    def kill(self) -> None:
        self.killed = True

    def wait(self) -> int:
        return 0


def test_a_contest_is_held_by_another_process_one_at_a_time_and_ends_with_us(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Process] = []

    def begin(*command: Any, **options: Any) -> Process:
        begun.append(Process())
        return begun[-1]

    monkeypatch.setattr(warm_module.subprocess, "Popen", begin)
    monkeypatch.setattr(warm_module, "wants_contest", lambda game, using: game.heaps != (5,))
    warm = Warm()
    warm._begin_contest(warm_module.Task(pf.load("nim(heaps=(5,))"), None, "no doubt who plays it best"))
    assert not begun
    for _ in range(2):
        warm._begin_contest(warm_module.Task(pf.load("nim"), None, "Nim"))
    [contest] = begun
    assert json.loads(contest.asked) == {"game": text_of(pf.load("nim")), "using": None, "contest": True}
    warm.close()
    assert contest.killed


def test_a_process_that_is_to_hold_a_contest_compiles_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[pf.Game] = []
    monkeypatch.setattr("plyforge.search.contest.hold", held.append)
    monkeypatch.setattr("plyforge.play.compile.compile_search", lambda *what: pytest.fail("it compiles"))
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"game": "nim", "using": None, "contest": True})))
    monkeypatch.setattr("os.nice", lambda by: by)
    compile_process()
    assert [type(game).__name__ for game in held] == ["Nim"]
