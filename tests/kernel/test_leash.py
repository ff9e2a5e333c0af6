"""Rules that don't come back: limits and stops hold all the same."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plyforge as pf
from patience import FOR_A_PROCESS, PATIENCE, patiently
from plyforge.contract import Game
from plyforge.errors import BadRules
from plyforge.play import Engine
from plyforge.search.protection import leash
from plyforge.search.protection.leash import Leash, Overdue


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leash, "GRACE", 0.1)


class Count(NamedTuple):
    number: int
    mover: int


class Stuck(Game):
    """Count up by ones and twos; from some number on the rules don't come back."""

    worth_compiling = False

    def __init__(self, at: int, how: str = "loop") -> None:
        self.at, self.how = at, how

    def start(self) -> Count:
        return Count(0, 0)

    def player(self, s: Count) -> int:
        return s.mover

    def actions(self, s: Count) -> Iterator[int]:
        yield 1
        yield 2

    def result(self, s: Count, action: int) -> Count:
        return Count(s.number + action, 1 - s.mover)

    def terminal(self, s: Count) -> bool:
        while s.number >= self.at:
            if self.how == "sleep":
                time.sleep(PATIENCE)
            with contextlib.suppress(Exception):  # what rules catch is their own affair, but not this
                len("")
        return False

    def utility(self, s: Count) -> float:
        return 0.0


@pytest.mark.parametrize("using", ["alpha_beta", "engine", "uct"])
def test_a_time_limit_holds_and_there_is_an_answer(using: str) -> None:
    with patiently():
        found = pf.search(Stuck(7), using=using, seconds=0.2, native=False)
    assert found.action in (1, 2) and found.reason == "seconds"
    assert not pf.search(Stuck(7), using="alpha_beta", depth=3, native=False).exact  # nothing is left behind


@pytest.mark.parametrize("using", ["alpha_beta", "engine", "uct"])
def test_where_there_can_be_no_answer_a_sentence_says_why_and_where(using: str) -> None:
    with patiently(), pytest.raises(BadRules, match=r"did not come back in 0.2 s.*test_leash.py, line"):
        pf.search(Stuck(0), using=using, seconds=0.2, native=False)


@pytest.mark.parametrize(("at", "using"), [(7, "alpha_beta"), (7, "uct"), (7, "engine"), (0, "engine")])
def test_a_stop_is_heard(at: int, using: str) -> None:
    engine = Engine(Stuck(at), using, native=False)
    engine.start()
    time.sleep(0.1)
    engine.stop()
    with patiently():
        if at == 0:
            with pytest.raises(BadRules, match="did not come back after they were told to stop"):
                engine.wait()
        else:
            assert engine.wait().action in (1, 2)
    engine.start(depth=2)
    engine.stop()
    assert at == 0 or engine.wait(PATIENCE).action in (1, 2)


def test_what_can_not_be_interrupted_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leash, "LONG_GRACE", 0.1)
    engine = Engine(Stuck(3, "sleep"), "alpha_beta", native=False)
    engine.start(seconds=0.1)
    began = time.perf_counter()
    with pytest.raises(BadRules, match="did not come back"):
        engine.wait(PATIENCE)
    assert time.perf_counter() - began < PATIENCE / 2 and not engine.running


def test_nothing_is_raised_in_a_thread_that_has_come_back() -> None:
    late: list[BaseException] = []

    def work(held: Leash, begun: threading.Event) -> None:
        try:
            with held:
                begun.set()
                for _ in range(1000):
                    pass
        except BadRules:
            pass
        try:
            for _ in range(20_000):
                pass
        except Overdue as error:
            late.append(error)

    for _ in range(100):
        held, begun = Leash(None), threading.Event()
        thread = threading.Thread(target=work, args=(held, begun))
        thread.start()
        begun.wait()
        held.cut()
        thread.join()
        held.cut()
    assert not late


def test_more_actions_than_anybody_can_look_at_are_refused() -> None:
    game: Any = pf.load("nim(heaps=(1000000000,))")
    with patiently(), pytest.raises(BadRules, match="more than 1,048,576 actions"):
        pf.legal_moves(game, game.start())
    with patiently(), pytest.raises(BadRules, match="too many"):
        pf.search(game, using="engine", seconds=60.0, native=False)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_one_ctrl_c_ends_it(tmp_path: Path) -> None:
    rules = tmp_path / "stuck.py"
    lines = Path(__file__).read_text().split("class Count")[1].split("@pytest")[0]
    text = (
        "import contextlib, time\nfrom collections.abc import Iterator\nfrom typing import NamedTuple\nfrom"
        f" plyforge.contract import Game\nPATIENCE = 1\nclass Count{lines}"
    )
    text = text.replace("at: int, how: str", "at: int = 5, how: str").replace('len("")', 'print("looping", flush=True)')
    rules.write_text(text)
    command = [sys.executable, "-m", "plyforge", "search", str(rules), "--seconds", "1000"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "looping\n"
    reading = threading.Thread(target=process.stdout.read)
    reading.start()
    process.send_signal(2)
    assert process.wait(FOR_A_PROCESS) == 130
    assert process.stderr is not None and "Traceback" not in process.stderr.read()
    reading.join()


def test_who_profiles_after_a_search_is_not_kept_for_ever() -> None:
    """Python 3.11 hangs in whatever is traced after an exception that was on its way to a thread is taken back."""
    program = (
        "import cProfile, faulthandler, plyforge as pf\n"
        f"faulthandler.dump_traceback_later({FOR_A_PROCESS}, exit=True)\n"
        "pf.search('tic_tac_toe', using='alpha_beta', seconds=0.01, native=False)\n"
        "cProfile.run('[n for n in range(9)]')\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
