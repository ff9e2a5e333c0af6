"""Many positions at once: the answers of `search`, one by one, in their order."""

from __future__ import annotations

import json
import random
import signal
import threading
import time

import pytest
from click.testing import CliRunner

import plyforge as pf
from conftest import compiles, working_threads
from plyforge.cli import plyforge_command as main
from plyforge.search.core import many

FIELDS = ("state", "action", "value", "values", "best", "line", "nodes", "depth", "reason")


def told(found):
    return tuple(getattr(found, name) for name in FIELDS)


def positions(game, number, seed=1):
    chooser, found = random.Random(seed), []
    while len(found) < number:
        state = game.start()
        for _ in range(chooser.randrange(12)):
            if not game.terminal(state):
                state = game.result(state, chooser.choice(pf.legal_moves(game, state)))
        found.append(state)
    return found


@pytest.mark.parametrize(
    ("name", "using", "how"),
    [
        ("connect4", "engine", {"depth": 5}),
        ("connect4", "alpha_beta", {"depth": 4, "all_best": True}),
        ("connect4", "engine", {"nodes": 2000}),
        ("connect4", "uct", {"simulations": 100, "seed": 3}),
        ("pig(goal=10)", None, {"depth": 3}),
    ],
)
@pytest.mark.parametrize("native", [pytest.param(None, marks=compiles), False])
def test_the_answers_are_those_of_one_by_one(name, using, how, native):
    game = pf.load(name)
    states = positions(game, 12 if native is None else 5)
    if name.startswith("pig"):
        states = [state for state in states if not game.terminal(state)]
    wanted = [told(pf.search(game, state, using, native=native, **how)) for state in states]
    for threads in (None, 1, 3):
        found = pf.search_many(game, states, using, native=native, threads=threads, **how)
        assert [told(one) for one in found] == wanted


def test_texts_and_names_are_taken_and_nothing_is_nothing():
    found = pf.search_many("tic_tac_toe", ["xx.oo....", "xo......."], depth=2, native=False)
    assert found[0].action == 2
    assert pf.search_many("tic_tac_toe", [], depth=2) == []


@compiles
def test_interpreted_searches_have_no_threads(monkeypatch):
    monkeypatch.setattr(many, "start_with_deep_stack", lambda work: pytest.fail("a thread"))
    pf.search_many("tic_tac_toe", ["xx.oo....", "xo......."], depth=2, native=False)
    with pytest.raises(pytest.fail.Exception):
        pf.search_many("tic_tac_toe", ["xx.oo....", "xo......."], depth=2, threads=2)


@pytest.mark.parametrize("native", [pytest.param(True, marks=compiles), False])
def test_progress_is_told_in_the_calling_thread_up_to_the_end(native):
    said, threads = [], set()

    def listen(done, number):
        said.append((done, number))
        threads.add(threading.current_thread())

    game = pf.load("tic_tac_toe")
    pf.search_many(game, positions(game, 9), depth=3, native=native, threads=2, on_progress=listen)
    assert said[-1] == (9, 9)
    assert said == sorted(said)
    assert threads == {threading.current_thread()}


@pytest.mark.parametrize("native", [pytest.param(True, marks=compiles), False])
def test_an_error_says_which_position_it_is_about(native):
    with pytest.raises(pf.BadText) as caught:
        pf.search_many("tic_tac_toe", ["xx.oo....", "xo.......", "xyz"], depth=2, native=native, threads=2)
    assert caught.value.__notes__ == ["(position 3 of 3)"]


def test_threads_are_a_number():
    with pytest.raises(pf.BadLimits, match="threads is 0"):
        pf.search_many("tic_tac_toe", ["xx.oo...."], depth=2, threads=0)


@compiles
def test_ctrl_c_stops_all_of_them():
    game = pf.load("connect4")
    pf.search(game, using="alpha_beta", depth=2)
    before = working_threads()
    timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        pf.search_many(game, [game.start()] * 50, "alpha_beta", depth=30, threads=3)
    timer.join()
    end = time.perf_counter() + 60
    while working_threads() > before and time.perf_counter() < end:
        time.sleep(0.01)
    assert working_threads() <= before


@compiles
def test_a_time_limit_is_that_of_each_position():
    game = pf.load("connect4")
    pf.search(game, using="engine", depth=2)
    found = pf.search_many(game, [game.start()] * 3, "engine", seconds=0.2, threads=3)
    assert [one.reason for one in found] == ["seconds"] * 3


def test_the_command_line_searches_a_file_of_positions(tmp_path):
    file = tmp_path / "positions.txt"
    file.write_text("xx.oo....\n\nxo.......\n")
    arguments = ["search", "tic_tac_toe", "--states", str(file), "--depth", "3", "--interpreted"]
    lines = CliRunner().invoke(main, [*arguments, "--json"]).stdout.splitlines()
    said = [json.loads(line) for line in lines]
    assert [one["state"] for one in said] == ["xx.oo....", "xo......."]
    for one in said:
        assert one["action"] == pf.search("tic_tac_toe", one["state"], depth=3, native=False).to_json()["action"]
    assert CliRunner().invoke(main, arguments).stdout.splitlines()[0] == "xx.oo....  3  1.0"
    wrong = CliRunner().invoke(main, [*arguments, "--state", "........."])
    assert wrong.exit_code == 2


@compiles
def test_what_is_over_in_no_time_needs_no_thread(monkeypatch):
    game = pf.load("connect4")
    chooser, short = random.Random(1), []
    while len(short) < 2:
        state = game.start()
        for _ in range(36):
            if not game.terminal(state):
                state = game.result(state, chooser.choice(pf.legal_moves(game, state)))
        if not game.terminal(state):
            short.append(pf.format_state(game, state))
    long = [f"{first}{second}" for first in "123" for second in "4567"]
    pf.search_many(game, short, using="engine")  # from the second time on
    started = []
    start = many.start_with_deep_stack
    monkeypatch.setattr(many, "start_with_deep_stack", lambda work: (started.append(work), start(work)))
    found = pf.search_many(game, short, using="engine")
    assert [told(one) for one in found] == [told(pf.search(game, state, using="engine")) for state in short]
    assert not started
    found = pf.search_many(game, [*long, *short], using="engine", depth=9)
    assert [told(one) for one in found] == [
        told(pf.search(game, state, using="engine", depth=9)) for state in [*long, *short]
    ]
    assert started
