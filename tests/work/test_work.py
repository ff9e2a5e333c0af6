"""Orders done by processes that may die at any moment: every result once, and equal to a plain loop's."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import threading
import time

import pytest

from paths import SUPPORT
from plyforge.errors import BadLimits, BadText, PlyforgeError
from plyforge.work import Coordinator, GivenUp, Order, Terms, hire, launchers
from plyforge.work import crew as crew_module
from programs import gone

SUMS, TROUBLE = "jobs_for_work:make_sums", "jobs_for_work:make_trouble"


@pytest.fixture(autouse=True)
def _jobs_are_found(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))


def in_a_loop(terms: Terms, numbers) -> dict[int, object]:
    """What a plain loop gives."""
    do = terms.prepare()
    return {number: do(Order(number)) for number in numbers}


class InMemory:
    """Keeps results as a record does, in memory; each once."""

    def __init__(self) -> None:
        self.results: dict[int, object] = {}
        self.commits = 0

    def add_all(self, results) -> None:
        self.commits += 1
        for number, result in results:
            assert number not in self.results, f"{number} is there twice"
            self.results[number] = result


def kill_now_and_then(crew, times: int, seed: int, pause: float) -> threading.Thread:
    """Kill random workers of a crew, that often."""
    draw = random.Random(seed)

    def kill() -> None:
        killed = 0
        while killed < times:
            time.sleep(draw.uniform(0.2, 1.8) * pause)
            there = [place.process for place in list(crew.places) if place.ready and place.process]
            if there:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(draw.choice(there), signal.SIGKILL)
                    killed += 1

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    return thread


def test_workers_killed_at_random_cost_no_result_and_double_none() -> None:
    terms = Terms.of(SUMS, {"seconds": 0.01})
    keeper, seen = InMemory(), []
    with hire(terms, workers=3) as crew:
        killer = kill_now_and_then(crew, 4, seed=1, pause=0.05)
        for number, _ in Coordinator(crew).results(range(150), keeper):
            seen.append(number)
            assert number in keeper.results, "it counts only when it is kept"
    assert sorted(seen) == list(range(150))
    assert keeper.results == in_a_loop(Terms.of(SUMS, {}), range(150))
    killer.join(0)


@pytest.mark.full
def test_fifty_workers_killed_cost_no_result_and_double_none() -> None:
    terms, keeper = Terms.of(SUMS, {"seconds": 0.05}), InMemory()
    with hire(terms, workers=4) as crew:
        killer = kill_now_and_then(crew, 50, seed=2, pause=0.2)
        assert sum(1 for _ in Coordinator(crew).results(range(1000), keeper)) == 1000
        killer.join(1)
        assert not killer.is_alive(), "all fifty were killed before the end"
    assert keeper.results == in_a_loop(Terms.of(SUMS, {}), range(1000))


def test_a_crew_stays_for_another_run_and_orders_may_be_given_something(monkeypatch) -> None:
    with hire(Terms.of(SUMS, {}), "local*2") as crew:
        coordinator = Coordinator(crew)
        first = dict(coordinator.results(range(5)))
        processes = {place.process for place in crew.places if place.ready}
        again = dict(coordinator.results(dict.fromkeys(range(5), 100)))
        assert processes <= {place.process for place in crew.places}, (
            "the same workers, and who was late the first time"
        )
    assert [first[number]["sum"] for number in range(5)] == [0, 0, 1, 3, 6]
    assert [again[number]["sum"] for number in range(5)] == [100, 100, 101, 103, 106]


def test_a_worker_that_dies_costs_its_order_a_second_try_and_one_that_prints_nothing(tmp_path) -> None:
    data = {"folder": str(tmp_path), "3": ["die", 2], "5": ["killed", 2], "7": ["print", 1]}
    with hire(Terms.of(TROUBLE, data), workers=2) as crew:
        found = dict(Coordinator(crew).results(range(10)))
    assert found == {number: 2 * number for number in range(10)}
    assert (tmp_path / "3").read_text() == "xx" == (tmp_path / "5").read_text()


def test_an_order_that_kills_every_worker_is_given_up_and_said(tmp_path) -> None:
    data = {"folder": str(tmp_path), "3": ["die", 99], "6": ["die", 99]}
    keeper = InMemory()
    with hire(Terms.of(TROUBLE, data), workers=2) as crew, pytest.raises(GivenUp, match="2 orders were") as caught:
        crew.notes = []
        list(Coordinator(crew).results(range(10), keeper))
    assert caught.value.numbers == (3, 6)
    assert "exit code 7" in str(caught.value)
    assert keeper.results == {number: 2 * number for number in range(10) if number not in (3, 6)}
    assert 3 <= len((tmp_path / "3").read_text()) <= 4, "once beside others, then alone"


def test_a_worker_that_hangs_is_ended_and_one_that_tells_of_progress_is_not(tmp_path) -> None:
    data = {"folder": str(tmp_path), "2": ["hang", 1], "4": ["slow", 1]}
    with hire(Terms.of(TROUBLE, data), workers=2) as crew:
        coordinator = Coordinator(crew, patience=1.5)
        assert dict(coordinator.results(range(6))) == {number: 2 * number for number in range(6)}
    assert (tmp_path / "4").read_text() == "x"


def test_what_an_order_raises_ends_the_run_with_its_words(tmp_path) -> None:
    keeper = InMemory()
    with (
        hire(Terms.of(TROUBLE, {"folder": str(tmp_path), "4": ["raise", 9]}), workers=1) as crew,
        pytest.raises(PlyforgeError, match="order 4 can't be done: ValueError: there is no such thing"),
    ):
        list(Coordinator(crew).results(range(9), keeper))
    assert keeper.results == {number: 2 * number for number in range(4)}, "what was finished before is kept"


def test_workers_of_another_version_or_with_other_files_are_refused_in_a_sentence(tmp_path) -> None:
    rules = tmp_path / "rules.py"
    rules.write_text("one = 1\n")
    terms = Terms.of(SUMS, {}, [rules])
    other = Terms(terms.kind, terms.data, {}, "0abc")
    rules.write_text("one = 2\n")
    for wrong, words in (
        (other, "the work is for 0abc: install the same sources"),
        (terms, "rules.py is another file for the worker"),
        (Terms.of("jobs_for_work:nothing", {}), "does not know work of the kind 'jobs_for_work:nothing'"),
        (Terms.of("jobs_for_work:make_refusal", {}), "these rules can't be played"),
    ):
        with hire(wrong, workers=1) as crew, pytest.raises(PlyforgeError, match=words):
            list(Coordinator(crew).results(range(3)))
    rules.unlink()
    with hire(terms, workers=1) as crew, pytest.raises(PlyforgeError, match=r"rules.py is not there for the worker"):
        list(Coordinator(crew).results(range(3)))


def test_workers_that_never_get_ready_end_the_run_with_their_last_words(monkeypatch) -> None:
    monkeypatch.setattr(crew_module, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(crew_module, "MOST_FAILURES", 2)
    with (
        hire(Terms.of("jobs_for_work:make_crash", {}), workers=1) as crew,
        pytest.raises(PlyforgeError, match=r"no worker stays alive.*exit code 9.*'it all goes wrong'"),
    ):
        list(Coordinator(crew).results(range(3)))


def test_a_command_runs_the_same_worker_and_a_broken_line_costs_nothing(tmp_path, monkeypatch) -> None:
    """A fake ssh, whose line breaks now and then."""
    monkeypatch.setattr(crew_module, "FIRST_PAUSE", 0.01)
    ssh = tmp_path / "ssh.py"
    ssh.write_text(
        "import random, subprocess, sys, threading, os, time\n"
        "child = subprocess.Popen(sys.argv[2:])\n"
        "def drop():\n"
        "    time.sleep(random.uniform(0.8, 1.2))\n"
        "    child.kill()\n"
        "    os._exit(255)\n"
        "if random.random() < 0.5:\n"
        "    threading.Thread(target=drop, daemon=True).start()\n"
        "sys.exit(child.wait())\n"
    )
    terms = Terms.of(SUMS, {"seconds": 0.02})
    where = f"command*2:{sys.executable} {ssh} lab1 {{worker}}"
    with hire(terms, where) as crew:
        found = dict(Coordinator(crew).results(range(60)))
    assert found == in_a_loop(Terms.of(SUMS, {}), range(60))


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("mars", "'mars' is no place for work"),
        ("local:here", "local takes nothing"),
        ("local*0", "has no workers"),
        ("command:", "a command is what starts a worker"),
        ("command:no-such-program-here lab1", "there is no program 'no-such-program-here' here"),
        ("command:'", "is not a command line"),
        ("local*99999", "more than 4096"),
    ],
)
def test_a_place_that_is_none_is_said(where, words) -> None:
    with pytest.raises((BadText, BadLimits), match=words):
        launchers(where)


def test_ctrl_c_leaves_no_process_and_keeps_what_is_finished() -> None:
    keeper = InMemory()
    with hire(Terms.of(SUMS, {"seconds": 0.05}), workers=2) as crew:
        results = Coordinator(crew).results(range(10_000), keeper)
        seen = [next(results) for _ in range(5)]
        handles = list(crew.by_handle)
        threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            for one in results:
                seen.append(one)
    assert {number for number, _ in seen} <= set(keeper.results)
    assert all(handle.process.poll() is not None for handle in handles)


def test_a_cluster_where_nobody_is_is_said_at_once() -> None:
    with pytest.raises(PlyforgeError, match=r"nobody is at 127\.0\.0\.1:1: .*ray start --head"):
        launchers("ray:127.0.0.1:1")
    with pytest.raises(BadText, match="an address is a machine and a port"):
        launchers("ray:auto")


def test_where_ray_is_not_installed_it_says_how_to_get_it(monkeypatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(PlyforgeError, match=r"Ray is not installed: pip install 'plyforge\[cluster\]'"):
        launchers("ray")


@pytest.mark.parametrize("how", ["stay", "die", "spent"])
def test_programs_end_with_the_worker_that_started_them(how) -> None:
    """Whether it is let go, killed from outside, or says itself that it can't go on."""
    terms = Terms.of("jobs_for_work:make_programs", {"how": how})
    with hire(terms, workers=1) as crew:
        crew.notes = []
        found = dict(Coordinator(crew, salvage=lambda number, told, gone: told[-1]["program"]).results(range(3)))
        assert crew.notes == ["a program was started"]
    programs = {program if isinstance(program, int) else program["program"] for program in found.values()}
    assert len(programs) == {"stay": 1, "die": 2, "spent": 3}[how]
    assert all(gone(program) for program in programs)
