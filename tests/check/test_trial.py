"""Compiled code is tried in a process of its own: whatever it does, somebody is left to say what it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import paths
import wild_games
from conftest import compiles, thinned
from patience import FOR_A_PROCESS, PATIENCE, patiently
from plyforge.check import Progress, check
from plyforge.check.trial import process, trial
from plyforge.check.trial.trial import Verdict, compare_here, compare_in_child
from plyforge.contract import Encoding, Game
from plyforge.errors import Interrupted
from plyforge.games import load
from wild_games import Crashes, Differs, Hooked, NeverEnds, Raises, Sum, Sums, TakesAll, Talkative

HALF_A_GIGABYTE = 1 << 29
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
pytestmark = compiles


def nobody_forks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> None:
        raise AssertionError("a fresh process could have loaded this")

    monkeypatch.setattr(trial, "fork", refuse)


def nobody_spawns(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **more: Any) -> None:
        raise process.NotLoaded

    monkeypatch.setattr(trial, "spawn", refuse)


# ------------------------------------------------------------ what compiled code may do
WILD = {
    Crashes: ("crashed", "segmentation fault"),
    NeverEnds: ("hung", "had not come back"),
    TakesAll: ("memory", "0.5 GB"),
    Differs: ("differs", "terminal gives something else"),
}


@posix
@pytest.mark.parametrize(
    ("game", "way"),
    [
        pytest.param(game, "fresh", id=f"{game.__name__}-fresh", marks=pytest.mark.full if game is Differs else ())
        for game in WILD
    ]
    + [
        pytest.param(game, "forked", id=f"{game.__name__}-forked", marks=() if game is Crashes else pytest.mark.full)
        for game in WILD
    ],
)
def test_whatever_it_does_becomes_a_sentence(game: Any, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (nobody_forks if way == "fresh" else nobody_spawns)(monkeypatch)
    kind, words = WILD[game]
    if kind == "hung":  # the others come back by themselves, however busy the machine is
        monkeypatch.setattr(trial, "RUNNING", 2.0)
    else:
        monkeypatch.setattr(trial, "RUNNING", FOR_A_PROCESS)
    verdict = compare_in_child(game(), memory=HALF_A_GIGABYTE)
    assert (verdict.ok, verdict.compiled, verdict.kind) == (False, True, kind), verdict
    assert words in verdict.sentence and "\n" not in verdict.sentence
    assert verdict.state.startswith("Sum(sum=") and verdict.index is not None


@pytest.mark.parametrize("compare", thinned([compare_in_child, compare_here], [compare_in_child]))
def test_both_twins_say_the_same_of_rules_that_are_equal_and_of_rules_that_differ(compare: Any) -> None:
    equal = compare(Talkative(), 5)  # what rules print does not disturb
    assert (equal.ok, equal.compiled, equal.kind, equal.states) == (True, True, "equal", 14), equal
    differs = compare(Differs(), 5)
    assert differs == compare_here(Differs(), 5)
    assert differs.kind == "differs"


def test_given_states_are_compared_in_their_order() -> None:
    verdict = compare_in_child(Differs(), [Sum(0, 0), Sum(1, 1), Sum(5, 1), Sum(5, 0)])
    assert (verdict.index, verdict.states, verdict.state) == (2, 2, "Sum(sum=5, player=1)")


def test_compiled_code_that_stops_is_refused_and_not_blamed() -> None:
    verdict = compare_in_child(Raises())
    assert (verdict.ok, verdict.compiled, verdict.kind) == (True, False, "refused")
    assert "ZeroDivisionError" in verdict.sentence


def test_rules_that_do_not_compile_are_refused_and_not_blamed() -> None:
    class Listed(Game):
        def start(self) -> Any:
            return [0]

        def player(self, s: Any) -> int:
            return len(s) % 2

        def actions(self, s: Any) -> Any:
            return [0, 1]

        def result(self, s: Any, action: int) -> Any:
            return [*s, action]

        def terminal(self, s: Any) -> bool:
            return len(s) == 4

        def utility(self, s: Any) -> float:
            return 0.0

    verdict = compare_in_child(Listed())
    assert (verdict.ok, verdict.compiled, verdict.kind) == (True, False, "refused")
    assert "list" in verdict.sentence


def test_rules_that_raise_interpreted_are_told() -> None:
    verdict = compare_here(Sums(), [Sum(0, 0), Sum(None, 0)])  # type: ignore[arg-type]
    assert (verdict.ok, verdict.kind, verdict.index) == (False, "stumbled", 1)
    assert "TypeError" in verdict.sentence


# ------------------------------------------------------------ where games come from
@pytest.mark.full
def test_games_of_the_catalog_with_arguments_are_loaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    nobody_forks(monkeypatch)
    verdict = compare_in_child(load("nim((1, 2, 3))"))
    assert (verdict.kind, verdict.compiled) == ("equal", True)


RULES = '''
from helper_beside import most
from plyforge import MAX, Game

class Steps(Game):
    """One or two steps, to the end."""
    def start(self): return (0, MAX)
    def player(self, s): return s[1]
    def actions(self, s):
        yield 1
        yield 2
    def result(self, s, action): return (s[0] + action, 1 - s[1])
    def terminal(self, s): return s[0] >= most(6)
    def utility(self, s): return -1.0 if s[1] == MAX else 1.0
'''


def test_rules_files_with_helpers_are_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody_forks(monkeypatch)
    (tmp_path / "helper_beside.py").write_text("def most(n):\n    return n\n")
    (tmp_path / "steps.py").write_text(RULES)
    assert compare_in_child(load(tmp_path / "steps.py")).kind == "equal"


@posix
def test_a_file_that_was_edited_since_is_not_what_is_tried(tmp_path: Path) -> None:
    (tmp_path / "helper_beside.py").write_text("def most(n):\n    return n\n")
    file = tmp_path / "steps.py"
    file.write_text(RULES)
    game = load(file)
    for edited in ("raise SystemExit(3)\n", RULES.replace("most(6)", "most(3)")):
        file.write_text(edited)
        verdict = compare_in_child(game)
        # what runs is no longer what the file says: nobody can translate it
        assert (verdict.kind, verdict.states) == ("refused", 0), edited
        assert "has changed since" in verdict.sentence


@pytest.mark.full
@posix
def test_a_script_that_checks_its_own_rules_lives_and_is_not_run_twice(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import plyforge as pf\nfrom wild_games import CRASH, Sums\n"
        "class Mine(Sums):\n    def fate(self, n):\n        return CRASH(n)\n"
        "open('runs', 'a').write('once ')\n"
        "print(pf.check(Mine()))\n"
    )
    path = os.pathsep.join([str(paths.SUPPORT), str(Path(trial.__file__).parents[3])])
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
        timeout=FOR_A_PROCESS,
    )
    assert done.returncode == 0, done.stderr
    assert "crashed (segmentation fault)" in done.stdout
    assert (tmp_path / "runs").read_text() == "once "


# ------------------------------------------------------------ the checker
@posix
def test_the_checker_lives_and_shows_the_state() -> None:
    report = check(Crashes())
    violation = report.violations[0]
    assert violation.law == "compiled equals interpreted"
    assert "crashed (segmentation fault)" in violation.sentence
    state = wild_games.Sums().start()
    for action in violation.actions:
        state = wild_games.Sums().result(state, action)
    assert state.sum >= wild_games.LATE and violation.state == repr(state)


def test_ctrl_c_ends_the_trial_too(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []
    popen = subprocess.Popen

    def start(*args: Any, **more: Any) -> Any:
        started.append(popen(*args, **more))
        return started[-1]

    monkeypatch.setattr(process.subprocess, "Popen", start)
    monkeypatch.setattr(trial, "RUNNING", FOR_A_PROCESS)

    def press(progress: Progress) -> None:
        if progress.phase == "comparing with compiled code" and started:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught, patiently(FOR_A_PROCESS):
        check(NeverEnds(), on_progress=press)
    assert caught.value.found.stopped == "comparing with compiled code"
    assert len(started) == 1
    started[0].wait(PATIENCE)


@posix
@pytest.mark.parametrize(
    "way", ["spawn(NeverEnds(), 0, playouts=9, seconds=9, memory=1 << 30)", "fork(wild(), 1 << 30)"]
)
def test_no_trial_outlives_who_started_it(way: str) -> None:
    program = (
        "import itertools, os, sys, time\nfrom plyforge.check.trial.process import fork, spawn\nfrom wild_games import"
        " NeverEnds\ndef wild():\n    for number in itertools.count():\n        yield {'event': 'asking', 'index':"
        f" number}}\n        time.sleep(0.01)\nwith {way} as child:\n    child.words.get()\n    print(child.pid if"
        " hasattr(child, 'pid') else child.process.pid, flush=True)\n    time.sleep(1000)\n"
    )
    path = os.pathsep.join([str(paths.SUPPORT), str(Path(trial.__file__).parents[3])])
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": path}
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        os.kill(child, 0)
        parent.send_signal(signal.SIGKILL)
    end = time.monotonic() + PATIENCE
    while _lives(child) and time.monotonic() < end:
        time.sleep(0.02)
    assert not _lives(child)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")  # whoever adopts orphans here may be slow to bury them
    try:
        return not status.parent.is_dir() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# ------------------------------------------------------------ the hooks
@pytest.mark.parametrize("number", [0], ids=lambda number: wild_games.HOOKS[number])
def test_a_hook_that_differs_is_found(number: int) -> None:
    verdict = compare_here(Hooked(odd=number))
    assert verdict.kind == "differs"
    assert verdict.sentence.startswith(f"{wild_games.HOOKS[number]} gives something else")


@pytest.mark.full
@pytest.mark.parametrize("number", range(-1, len(wild_games.HOOKS)))
def test_every_hook_that_differs_is_found(number: int) -> None:
    verdict = compare_here(Hooked(odd=number))
    if number < 0:
        assert verdict.kind == "equal"
    else:
        assert verdict.sentence.startswith(f"{wild_games.HOOKS[number]} gives something else")


def test_a_hook_that_does_not_compile_leaves_the_rest_compared() -> None:
    class Letters(Encoding):
        feature_names = ("letters",)

        def features(self, game: Any, s: Any) -> Any:
            return (float(len(repr(object()))),)

    class Wordy(Sums):
        encoding = Letters()

    verdict = compare_here(Wordy())
    assert (verdict.kind, verdict.compiled) == ("equal", True)
    assert "'repr' has no compiled form" in verdict.left_out
    assert any("some hooks run interpreted only" in note for note in check(Wordy()).notes)


def test_a_verdict_can_be_kept() -> None:
    verdict = compare_here(Sums())
    assert eval(repr(verdict), {"Verdict": Verdict}) == verdict
