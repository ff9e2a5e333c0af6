"""The engine object: it thinks in the background, and answers whenever it is asked."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plyforge as pf
from conftest import compiles, working_threads
from patience import FOR_A_PROCESS, PATIENCE, best_of
from plyforge.contract import MAX, Game
from plyforge.errors import BadLimits, BadRules, BadText, CannotCompile, Unsuitable, WrongMoment
from plyforge.play import CallbackFailed, Engine, SearchPlayer, parse_player, strongest
from plyforge.play.thought import Thought
from plyforge.play.warm import Warm
from plyforge.search import SEARCHES, Clock, Limits, Progress, search
from plyforge.search.protection.threads import start_with_deep_stack
from plyforge.search.running import speed
from plyforge.search.time.manager import TimeManager

CONNECT4 = pf.load("connect4")
TIC_TAC_TOE = pf.load("tic_tac_toe")
KINDS = ["engine", "alpha_beta", "uct", "puct", "flat"]
AT_ONCE, SHORTLY = 0.1, 0.5
"""Seconds: what a call that never blocks takes at most, and what the answer to a stop takes."""


def thinking(using: str | None = None, **options: Any) -> Engine:
    """An engine that has begun to think and would go on for a very long time."""
    engine = Engine(CONNECT4, using, native=False, **options)
    engine.start()
    assert engine.running and engine.status == "thinking"
    return engine


class Bare(NamedTuple):
    number: int


@dataclass(frozen=True)
class Failing(Game):
    """Count up; the rules fail at 3."""

    worth_compiling = False

    def start(self) -> Bare:
        return Bare(0)

    def player(self, s: Bare) -> int:
        return MAX

    def actions(self, s: Bare) -> Iterator[int]:
        yield 1

    def result(self, s: Bare, action: int) -> Bare:
        if s.number == 3:
            raise ZeroDivisionError("nothing is divided by nothing")
        return Bare(s.number + 1)

    def terminal(self, s: Bare) -> bool:
        return s.number > 9

    def utility(self, s: Bare) -> float:
        return 1.0


# ------------------------------------------------------------------ what it finds
@pytest.mark.parametrize("using", SEARCHES)
def test_it_finds_what_the_search_finds(using: str) -> None:
    game = pf.load("nim(heaps=(1, 2, 2))")
    engine = Engine(game, using, native=False)
    engine.start(depth=5)
    found = engine.wait()
    same = search(game, using=using, depth=5, native=False)
    assert (found.action, found.value, found.exact) == (same.action, same.value, same.exact)
    assert engine.result is found and not engine.running and engine.status == "ready"


def test_the_strongest_search_is_taken_where_nobody_says() -> None:
    assert strongest(CONNECT4) == "engine"
    assert strongest(pf.load("pig")) == ("dice_engine" if "dice_engine" in SEARCHES else "star2")
    assert strongest(pf.load("three_nim")) == "guarded_uct"
    for name in pf.names():
        game = pf.load(name)
        if name not in ("tree", "random_tree") and not game.hidden_information:
            assert Engine(game).search.name == strongest(game)


def test_a_state_is_given_as_a_state_as_text_or_not_at_all() -> None:
    engine = Engine("tic_tac_toe", native=False)
    state = pf.parse_state(TIC_TAC_TOE, "xx.oo....")
    for given in (state, "xx.oo...."):
        engine.start(given, depth=3)
        assert engine.wait().action == 2
    engine.start(depth=1)
    assert engine.wait().state == TIC_TAC_TOE.start()


def test_options_of_the_search_are_taken_and_a_start_goes_before_them() -> None:
    engine = Engine(CONNECT4, "uct", native=False, simulations=50, seed=3)
    engine.start()
    assert engine.wait().simulations == 50  # type: ignore[attr-defined]
    engine.start(simulations=20)
    assert engine.wait().simulations == 20  # type: ignore[attr-defined]
    engine = Engine(CONNECT4, lines=2, native=False)
    engine.start(depth=3, only=(0, 1, 2))
    found = engine.wait()
    assert len(found.lines) == 2 and {line[0] for _, line in found.lines} <= {0, 1, 2}  # type: ignore[attr-defined]
    engine.start(depth=3, lines=3)
    assert len(engine.wait().lines) == 3  # type: ignore[attr-defined]


def test_what_can_not_be_asked_is_refused_at_the_call_and_nothing_is_started() -> None:
    engine = Engine(TIC_TAC_TOE, native=False)
    for wrong, error in (
        ({"seconds": -1.0}, BadLimits),
        ({"depth": 10**9}, BadLimits),
        ({"simulations": 5}, Unsuitable),
        ({"state": "abc"}, BadText),
    ):
        with pytest.raises(error):
            engine.start(**wrong)  # type: ignore[arg-type]
        assert not engine.running
    for arguments in (("pig", "alpha_beta"), ("three_nim", "engine"), ("connect4", "magic")):
        with pytest.raises(Unsuitable):
            Engine(*arguments)
    with pytest.raises(BadLimits):
        Engine(CONNECT4, "uct", simulations=0)
    with pytest.raises(BadLimits):
        Engine(CONNECT4, "uct").start(simulations=0)


# ------------------------------------------------------------------ starting, stopping, waiting
@pytest.mark.parametrize("using", KINDS)
def test_start_and_stop_return_at_once_and_the_best_so_far_is_the_answer(using: str) -> None:
    def attempt() -> float:
        told = threading.Event()
        began = time.perf_counter()
        engine = Engine(CONNECT4, using, native=False)
        engine.on_progress(lambda progress: told.set())
        engine.start()
        starting = time.perf_counter() - began
        assert told.wait(PATIENCE)
        began = time.perf_counter()
        engine.stop()
        stopping = time.perf_counter() - began
        assert engine.status in ("stopping", "ready")
        found = engine.wait(timeout=PATIENCE)
        assert (
            found.reason == "stopped" and found.action in pf.legal_moves(CONNECT4, CONNECT4.start()) and found.nodes > 1
        )
        return max(starting, stopping)

    assert best_of(attempt, AT_ONCE) <= AT_ONCE


def test_a_second_start_while_it_thinks_is_an_error_that_says_so() -> None:
    engine = thinking()
    with pytest.raises(WrongMoment, match="thinking already: stop"):
        engine.start(depth=1)
    engine.stop()
    engine.wait()
    engine.start(depth=1)  # after the end, it is none
    assert engine.wait().depth == 1


def test_many_threads_may_start_and_only_one_of_them_does() -> None:
    engine = Engine(CONNECT4, native=False)
    refused = []

    def start() -> None:
        try:
            engine.start()
        except WrongMoment as error:
            refused.append(error)

    threads = [threading.Thread(target=start) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    engine.stop()
    assert engine.wait().reason == "stopped" and len(refused) == 19


def test_stopping_is_harmless_before_a_start_twice_and_after_the_end() -> None:
    engine = Engine(TIC_TAC_TOE, native=False)
    engine.stop()
    engine.start(depth=2)
    found = engine.wait()
    assert found.reason == "depth"
    engine.stop()
    engine.stop()
    assert engine.wait() is found is engine.result
    engine.start()
    engine.stop()
    engine.stop()
    assert engine.wait().reason == "stopped"


def test_what_stops_one_search_stops_no_later_one() -> None:
    engine = thinking()
    stop = engine.stopper()
    stop()
    assert engine.wait(timeout=PATIENCE).reason == "stopped"
    engine.start(depth=3)
    stop()
    assert engine.wait(timeout=PATIENCE).reason == "depth"


def test_an_engine_that_fails_leaves_no_search_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Engine, thought: Any) -> Any:
        raise OverflowError("too long")

    monkeypatch.setattr(Engine, "_next", fail)
    engine = Engine(CONNECT4, "engine", native=False)
    engine.on_progress(lambda progress: None)
    engine.start()
    with pytest.raises(OverflowError):
        engine.wait(timeout=PATIENCE)
    assert engine._last is not None and engine._last.watch.ended


def test_a_stop_right_after_the_start_counts() -> None:
    for using in KINDS:
        engine = Engine(CONNECT4, using, native=False)
        engine.start()
        engine.stop()
        found = engine.wait(timeout=PATIENCE)
        assert found.reason == "stopped" and found.action is not None


def test_an_answer_before_the_first_depth_has_the_estimate_of_the_state() -> None:
    for using in ("alpha_beta", "minimax"):
        engine = Engine(TIC_TAC_TOE, using, native=False)
        state = pf.parse_state(TIC_TAC_TOE, "x........")
        engine.start(state)
        engine.stop()
        found = engine.wait()
        if found.depth == 0:
            assert found.value == TIC_TAC_TOE.evaluate(state) != 0.0


def test_waiting_needs_a_start() -> None:
    engine = Engine(TIC_TAC_TOE)
    with pytest.raises(WrongMoment, match="start"):
        engine.wait()
    assert engine.result is None and not engine.running


def test_waiting_can_be_limited_and_tried_again() -> None:
    engine = thinking()
    with pytest.raises(TimeoutError, match="still thinking"):
        engine.wait(timeout=0.05)
    assert engine.running and engine.result is None
    engine.stop()
    assert engine.wait(timeout=PATIENCE) is engine.wait(timeout=0.0)


def test_several_threads_may_wait() -> None:
    engine = thinking()
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(engine.wait())) for _ in range(5)]
    for thread in threads:
        thread.start()
    engine.stop()
    for thread in threads:
        thread.join(timeout=PATIENCE)
    assert len(found) == 5 and all(each is found[0] for each in found)


def test_an_error_in_the_rules_is_raised_by_every_wait_and_the_engine_goes_on() -> None:
    for using in ("engine", "alpha_beta", "uct"):
        engine = Engine(Failing(), using)
        engine.start(nodes=1000)
        for _ in range(2):
            with pytest.raises(BadRules, match="the rules raised ZeroDivisionError") as caught:
                engine.wait()
            assert isinstance(caught.value.__cause__, ZeroDivisionError)
        assert not engine.running and engine.result is None
        engine.start(Bare(8), depth=2)
        assert engine.wait().value == 1.0


def test_without_limits_it_thinks_until_there_is_a_proof() -> None:
    game = pf.load("nim(heaps=(1, 2))")
    for using in ("engine", "alpha_beta", "uct", "puct"):
        engine = Engine(game, using, native=False)
        engine.start()
        assert engine.wait(timeout=PATIENCE).exact


# ------------------------------------------------------------------ progress
def test_progress_is_told_in_the_engines_own_thread_until_nobody_wants_it() -> None:
    engine = Engine(CONNECT4, "alpha_beta", native=False)
    told: list[tuple[Progress, str]] = []

    @engine.on_progress
    def note(progress: Progress) -> None:
        told.append((progress, threading.current_thread().name))

    engine.start(depth=5)
    found = engine.wait()
    depths = [progress.depth for progress, _ in told]
    assert depths == sorted(depths) and depths[-1] == 5  # type: ignore[type-var]
    last = told[-1][0]
    assert last.nodes == found.nodes and last.value == found.value and last.line == found.line
    assert 0 < last.seconds <= found.seconds + PATIENCE and last.rate > 0
    assert {name for _, name in told} == {"plyforge engine"}
    told.clear()
    engine.off_progress(note)
    engine.off_progress(note)
    engine.start(depth=3)
    engine.wait()
    assert not told


@pytest.mark.parametrize("using", KINDS)
def test_searches_tells_of_its_progress(using: str) -> None:
    engine = Engine(CONNECT4, using, native=False)
    told: list[Progress] = []
    engine.on_progress(told.append)
    engine.start(seconds=0.9)
    engine.wait()
    assert told and all(progress.nodes > 0 for progress in told)
    assert [progress.seconds for progress in told] == sorted(progress.seconds for progress in told)


def test_who_listens_quickly_hears_everything_however_late_we_get_to_tell_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hear = Engine._next

    def late(engine: Engine, thought: Any) -> Any:
        time.sleep(0.1)  # a busy machine: the search is over long before
        return hear(engine, thought)

    monkeypatch.setattr(Engine, "_next", late)
    engine = Engine(TIC_TAC_TOE, "alpha_beta", native=False)
    told: list[Progress] = []
    engine.on_progress(told.append)
    engine.start(depth=3)
    found = engine.wait(timeout=PATIENCE)
    assert {progress.depth for progress in told} == {1, 2, 3} and told[-1].nodes == found.nodes


def test_a_callback_that_raises_is_dropped_with_a_warning_and_the_search_goes_on() -> None:
    engine = Engine(CONNECT4, "alpha_beta", native=False)
    calls, told = [], []

    def broken(progress: Progress) -> None:
        calls.append(progress)
        raise SystemExit("I have had enough")

    engine.on_progress(broken)
    engine.on_progress(told.append)
    with pytest.warns(CallbackFailed, match=r"broken raised SystemExit: I have had enough"):
        engine.start(depth=4)
        found = engine.wait()
    assert found.depth == 4 and len(calls) == 1 and len(told) >= 4


def test_where_warnings_are_errors_a_callback_that_raises_stops_the_search() -> None:
    engine = Engine(CONNECT4, "alpha_beta", native=False)

    @engine.on_progress
    def broken(progress: Progress) -> None:
        raise KeyError("nothing of the kind")

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        engine.start()
        with pytest.raises(CallbackFailed, match="broken raised KeyError") as caught:
            engine.wait(timeout=PATIENCE)
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_callback_may_stop_the_search_but_not_wait_for_it_or_start_another() -> None:
    engine = Engine(CONNECT4, "alpha_beta", native=False)
    refused = []

    @engine.on_progress
    def meddle(progress: Progress) -> None:
        for attempt in (engine.wait, engine.start, engine.new_game):
            try:
                attempt()
            except WrongMoment as error:
                refused.append(str(error))
        engine.stop()

    engine.start()
    assert engine.wait(timeout=PATIENCE).reason == "stopped"
    assert len(refused) >= 3 and "wait for ever" in refused[0]


def test_a_slow_callback_does_not_make_a_search_overstep_its_time() -> None:
    def attempt() -> float:
        engine = Engine(CONNECT4, "alpha_beta", native=False)
        engine.on_progress(lambda progress: time.sleep(0.4))
        began = time.perf_counter()
        engine.start(seconds=0.5)
        over = engine.wait().seconds - 0.6
        return max(over, time.perf_counter() - began - 1.5)  # a call or two, not one for each depth

    assert best_of(attempt, 0.0) <= 0.0


# ------------------------------------------------------------------ what is kept
def test_a_tree_is_kept_between_moves_until_a_new_game() -> None:
    engine = Engine(CONNECT4, "uct", native=False)
    engine.start(simulations=400)
    first = engine.wait()
    after = CONNECT4.result(CONNECT4.start(), first.action)
    engine.start(after, simulations=1)
    kept = engine.wait()
    assert sum(kept.visits.values()) > 50  # type: ignore[attr-defined]
    engine.start(after, simulations=1, nodes=kept.nodes + 100)  # nor does a limit that leaves it room end it
    assert sum(engine.wait().visits.values()) > 50  # type: ignore[attr-defined]
    engine.new_game()
    engine.start(after, simulations=1)
    assert sum(engine.wait().visits.values()) <= 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "using", "state"), [("connect4", "engine", "4455"), ("pig(10)", "dice_engine", None)])
def test_a_table_is_kept_between_moves_until_a_new_game(name: str, using: str, state: str | None) -> None:
    engine = Engine(pf.load(name), using, native=False)
    nodes = []
    for again in (False, True, False):
        if not again:
            engine.new_game()
        engine.start(state, depth=6)
        nodes.append(engine.wait().nodes)
    assert nodes[1] < nodes[0] / 2 and nodes[2] == nodes[0]


@pytest.mark.parametrize("name", ["tic_tac_toe", "hexapawn", "nim(heaps=(1, 3, 4))", "domineering(columns=4, rows=3)"])
def test_a_game_played_with_a_kept_table_has_the_values_and_distances_of_a_new_one(name: str) -> None:
    game = pf.load(name)
    engine, state = Engine(game, native=False), game.start()
    while not game.terminal(state):
        engine.start(state)
        found: Any = engine.wait()
        fresh: Any = search(game, state, "engine", native=False)
        assert (found.value, found.distance) == (fresh.value, fresh.distance)
        state = game.result(state, found.action)


def test_a_tree_that_was_stopped_is_kept_too() -> None:
    engine, told = Engine(CONNECT4, "puct", native=False), threading.Event()
    engine.on_progress(lambda progress: told.set())
    engine.start()
    assert told.wait(PATIENCE)
    engine.stop()
    before = engine.wait()
    engine.start(simulations=1)
    assert sum(engine.wait().visits.values()) > sum(before.visits.values()) > 1  # type: ignore[attr-defined]


def test_a_new_game_waits_for_the_end_of_the_search() -> None:
    engine = thinking()
    with pytest.raises(WrongMoment, match="new game"):
        engine.new_game()
    engine.stop()
    engine.wait()
    engine.new_game()


def test_players_keep_what_they_learn_to_themselves_and_to_one_game() -> None:
    first = parse_player("uct:simulations=300", CONNECT4, native=False)
    second = parse_player("uct:simulations=300", CONNECT4, native=False)
    assert isinstance(first, SearchPlayer) and isinstance(second, SearchPlayer)
    choice = first.choose(CONNECT4, CONNECT4.start())
    second.choose(CONNECT4, CONNECT4.start())
    mine, other = first.engine(CONNECT4), second.engine(CONNECT4)
    assert mine is not other and mine._searcher is not other._searcher
    after = CONNECT4.result(CONNECT4.start(), choice.action)
    again = first.choose(CONNECT4, after).result
    assert again is not None and sum(again.visits.values()) > 300  # type: ignore[attr-defined]
    small = pf.load("connect4(width=5, height=4)")
    fresh = first.choose(small, small.start()).result
    assert first.engine(small) is not mine and first.engine(small).game is small
    assert fresh is not None and sum(fresh.visits.values()) <= 300  # type: ignore[attr-defined]


def test_a_player_given_more_time_goes_on_with_what_it_has_learned() -> None:
    player = SearchPlayer("uct", seconds=0.2, native=False)
    player.choose(CONNECT4, CONNECT4.start())
    assert player.with_seconds(0.3).engine(CONNECT4) is player.engine(CONNECT4)


# ------------------------------------------------------------------ compiling
RULES = """
from typing import NamedTuple
import plyforge as pf

class Heap(NamedTuple):
    sticks: int
    player: int

class Sticks(pf.Game):
    def start(self): return Heap(200, 0)
    def player(self, s): return s.player
    def actions(self, s):
        for n in range(1, min(3, s.sticks) + 1):
            yield n
    def result(self, s, n): return Heap(s.sticks - n, 1 - s.player)
    def terminal(self, s): return s.sticks == 0
    def utility(self, s): return -1.0 if s.player == 0 else 1.0
    def evaluate(self, s): return 0.0 if s.sticks < NUMBER else 0.5
"""


def fresh_rules(folder: Path) -> Game:
    """Rules that no cache knows."""
    path = folder / "fresh.py"
    path.write_text(RULES.replace("NUMBER", str(time.time_ns())))
    return pf.load(str(path))


@compiles
def test_compiling_blocks_neither_start_nor_stop_nor_the_answer(tmp_path: Path) -> None:
    engines: list[Engine] = []

    def attempt() -> float:
        folder = tmp_path / str(len(engines))
        folder.mkdir()
        engine = Engine(fresh_rules(folder), "alpha_beta", native=True)
        engines.append(engine)
        began = time.perf_counter()
        engine.start()
        starting = time.perf_counter() - began
        time.sleep(0.05)
        began = time.perf_counter()
        engine.stop()
        stopping = time.perf_counter() - began
        found = engine.wait()
        waiting = time.perf_counter() - began
        assert found.reason == "stopped" and found.action is not None and not found.native
        return max(starting / AT_ONCE, stopping / AT_ONCE, waiting / SHORTLY)

    assert best_of(attempt, 1.0) <= 1.0
    engines[0].start(depth=6)  # goes on with the compiling that was begun
    found = engines[0].wait()
    assert found.native and found.depth == 6


@compiles
def test_a_clock_runs_while_rules_are_compiled(tmp_path: Path) -> None:
    number = itertools.count()

    def attempt() -> float:
        folder = tmp_path / str(next(number))
        folder.mkdir()
        engine = Engine(fresh_rules(folder), "uct", native=True)
        began = time.perf_counter()
        engine.start(clock=Clock(0.4, moves_to_go=1))
        found = engine.wait()
        assert found.action is not None and found.reason == "seconds"
        return time.perf_counter() - began

    assert best_of(attempt, 0.4) <= 0.4


def test_who_starts_and_stops_again_and_again_while_rules_are_compiled_leaves_few_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled = threading.Event()

    begun: list[Game] = []

    def slow(kernel: Any, game: Game, args: Any, directly: bool) -> Any:
        begun.append(game)
        assert compiled.wait(PATIENCE)
        raise CannotCompile("not today")

    monkeypatch.setattr(speed, "_trusted", slow)
    monkeypatch.setattr(speed, "bound_before", lambda *args, **more: None)
    monkeypatch.setattr(speed, "_bound", {})
    engine = Engine(TIC_TAC_TOE, "engine", native=True)
    before = working_threads()
    for _ in range(30):
        engine.start()
        time.sleep(0.02)  # so that it waits for the compiler
        engine.stop()
        assert engine.wait(timeout=PATIENCE).action is not None
    assert len(begun) == 1 and working_threads() <= before + 4
    compiled.set()
    engine.start()
    with pytest.raises(CannotCompile, match="not today"):
        engine.wait(timeout=PATIENCE)


# ------------------------------------------------------------------ what a move costs beside its search
def test_a_start_uses_the_threads_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(TIC_TAC_TOE, "engine", native=False)
    engine.on_progress(lambda progress: None)
    for _ in range(3):
        engine.start(depth=1)
        engine.wait()
    begin, begun = threading.Thread.start, []

    def start(self: threading.Thread) -> None:
        begun.append(self)
        begin(self)

    monkeypatch.setattr(threading.Thread, "start", start)
    for _ in range(30):
        engine.start(depth=1)
        engine.wait()
    assert len(begun) <= 10  # one may still be on its way to wait when the next start comes


class Whereabouts(type(TIC_TAC_TOE)):  # type: ignore[misc]
    """Notes in which thread its rules are asked."""

    asked: set[int] = set()

    def terminal(self, s: Any) -> bool:
        self.asked.add(threading.get_ident())
        return bool(super().terminal(s))


def in_a_deep_thread(work: Callable[[], Any]) -> Any:
    """What `work` gives, done in a thread with room for a search."""
    found, ended = [], threading.Event()

    def do() -> None:
        try:
            found.append(work())
        finally:
            ended.set()

    start_with_deep_stack(do)
    assert ended.wait(PATIENCE) and found
    return found[0]


def test_whoever_has_room_for_a_search_thinks_without_handing_over(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(Whereabouts(), "engine", native=False)
    engine.start(depth=1)  # the timekeeper is up from here on
    engine.wait()
    Whereabouts.asked.clear()

    def think() -> int:
        monkeypatch.setattr("plyforge.play.engine.start_with_deep_stack", None)  # nobody else is needed
        engine.start(depth=3, clock=Clock(5.0), here=True)
        assert not engine.running
        return threading.get_ident()

    assert Whereabouts.asked == {in_a_deep_thread(think)}
    monkeypatch.undo()
    Whereabouts.asked.clear()
    engine.start(depth=3, clock=Clock(5.0), here=True)  # no room in this thread
    engine.wait()
    assert threading.get_ident() not in Whereabouts.asked and len(Whereabouts.asked) == 1


def test_on_a_clock_nobody_is_told_of_the_first_moments_and_the_rest_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for quiet, heard in ((1000.0, False), (0.0, True)):
        monkeypatch.setattr("plyforge.play.engine.QUIET", quiet)
        engine, told = Engine(TIC_TAC_TOE, "engine", native=False), list[Progress]()
        engine.on_progress(told.append)
        engine.start(clock=Clock(100.0))
        assert engine.wait(timeout=PATIENCE).exact
        assert bool(told) == heard
    told.clear()
    monkeypatch.setattr("plyforge.play.engine.QUIET", 1000.0)
    engine.start(depth=3)
    engine.wait(timeout=PATIENCE)
    assert told  # without a clock there is nothing to save


def test_whoever_has_searched_ends_it_where_nothing_is_left_to_be_told() -> None:
    engine, ended = Engine(TIC_TAC_TOE, "engine", native=False), list[int]()
    thought = Thought(
        engine.search, None, TimeManager(Limits(depth=1)), on_end=lambda: ended.append(threading.get_ident())
    )
    thought.given = thought.told = 1  # all that there was to tell has been told
    engine._think(thought)
    assert ended == [threading.get_ident()] and thought.reports.get_nowait() is None
    waiting = Thought(engine.search, None, TimeManager(Limits(depth=1)), on_end=lambda: ended.append(0))
    waiting.given = 1  # somebody is still telling
    engine._think(waiting)
    assert len(ended) == 1 and not waiting.finished.is_set()


def test_what_a_move_costs_beside_its_search_is_measured_and_kept_back() -> None:
    engine = Engine(TIC_TAC_TOE, "engine", native=False)
    clock = Clock(1.0, 0.01)
    for _ in range(20):
        engine.start(clock=clock)
        assert engine.wait().seconds < 1.0
        time.sleep(0.02)  # to hand it on takes long
        engine.sent()
    assert engine._pace.usual > 0.01 and engine._pace.worst >= 0.02
    engine.start(clock=clock)
    assert engine._last is not None and engine._last.limits.clock is not None
    assert engine._last.limits.clock.hard_seconds < clock.hard_seconds
    engine.wait()


def test_what_is_called_at_the_end_has_the_result() -> None:
    for told in ([], [print]):
        engine, ended, found = Engine(TIC_TAC_TOE, "alpha_beta", native=False), threading.Event(), []
        for callback in told:
            engine.on_progress(lambda progress, callback=callback: callback)

        def note(engine: Engine = engine, found: list[Any] = found, ended: Any = ended) -> None:
            found.append(engine.wait(timeout=0.0))
            ended.set()

        engine.start(depth=3, on_end=note)
        assert ended.wait(PATIENCE) and found == [engine.wait()]


def test_the_latest_end_holds_whatever_the_search_is_doing() -> None:
    engine = Engine(CONNECT4, "alpha_beta", native=False)
    engine.start(latest=0.05)
    assert engine.wait(timeout=PATIENCE).reason == "seconds"
    engine.start(seconds=0.05, ponder=True)
    time.sleep(0.1)
    assert engine.running
    engine.ponder_hit()
    assert engine.wait(timeout=PATIENCE).reason == "seconds"


# ------------------------------------------------------------------ Ctrl-C, and the end of the program
PROGRAM = """
import sys, threading, time, _thread
from plyforge.play import Engine
engine = Engine("connect4", {using!r}, native={native})
"""
CTRL_C = """
engine.start()
threading.Timer(0.5, _thread.interrupt_main).start()
try:
    engine.wait()
except KeyboardInterrupt:
    began = time.perf_counter()
    found = engine.wait()
    print(found.reason, found.action is not None, time.perf_counter() - began < 20)
engine.start(depth=2)
print(engine.wait().reason)
"""
LEAVE = """
engine.on_progress(lambda progress: None)
engine.start()
time.sleep({sleep})
print(engine.status, flush=True)
{leave}
"""


def run(text: str) -> tuple[subprocess.CompletedProcess[str], float]:
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=FOR_A_PROCESS)
    return done, time.perf_counter() - began


def test_ctrl_c_while_waiting_stops_the_search_and_the_best_so_far_can_be_had() -> None:
    done, _ = run(PROGRAM.format(using="alpha_beta", native=False) + CTRL_C)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["stopped True True", "depth"]


@pytest.mark.parametrize("leave", ["", "sys.exit(3)", "raise SystemExit(3)", "1 / 0"])
def test_a_program_may_end_while_its_engine_thinks(leave: str) -> None:
    done, seconds = run(
        PROGRAM.format(using="uct", native=False) + LEAVE.format(sleep=0.3, leave=leave),
    )
    assert done.stdout == "thinking\n" and seconds < FOR_A_PROCESS
    assert done.returncode == {"": 0, "1 / 0": 1}.get(leave, 3)
    assert ("ZeroDivisionError" in done.stderr) == (leave == "1 / 0")
    assert leave == "1 / 0" or done.stderr == ""


@compiles
@pytest.mark.parametrize(
    "using", ["alpha_beta", *(pytest.param(name, marks=pytest.mark.full) for name in ("engine", "uct"))]
)
def test_a_program_may_end_while_compiled_code_runs(using: str) -> None:
    ready = "engine.start(nodes=100); engine.wait()\n"
    done, _ = run(PROGRAM.format(using=using, native=True) + ready + LEAVE.format(sleep=0.3, leave=""))
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "thinking\n")


@compiles
def test_a_program_may_end_while_rules_are_compiled(tmp_path: Path) -> None:
    game = fresh_rules(tmp_path)
    path = sys.modules[type(game).__module__].__file__
    text = PROGRAM.replace('"connect4"', repr(str(path))).format(using="engine", native=True)
    for sleep in (0.3, 1.2):
        done, seconds = run(text + LEAVE.format(sleep=sleep, leave=""))
        assert (done.returncode, done.stderr, done.stdout) == (0, "", "thinking\n")
        assert seconds < FOR_A_PROCESS


def test_at_once_it_is_interpreted_until_another_process_has_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []

    def native(warm: Warm, game: Game, using: str | None, heard: Any = None) -> bool | None:
        asked.append(using)
        return False if len(asked) < 3 else None

    monkeypatch.setattr(Warm, "native", native)
    engine = Engine(Failing(), "uct", at_once=True, rollout_depth=2, seed=5)  # of rules that are not worth compiling
    meanwhile = engine._meanwhile
    assert meanwhile is not None and asked == ["uct"]  # the compiler has begun, with what its code depends on
    assert meanwhile.searcher().native is False
    assert meanwhile.searcher() is None
    tic_tac_toe, asked[:] = Engine(TIC_TAC_TOE, "uct", at_once=True), []
    for expected in (False, False):
        tic_tac_toe.start(seconds=0.02)
        found = tic_tac_toe.wait()
        assert found.native is expected and found.action is not None
    tic_tac_toe.new_game()
    with pytest.raises(TypeError, match="another process"):
        Engine(TIC_TAC_TOE, at_once=True, evaluate=lambda state: 0.0)
