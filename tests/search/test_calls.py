"""What a call costs and where it runs: what is kept between calls changes no answer, and short or interpreted
searches need no thread."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import NamedTuple

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import MAX, Game
from plyforge.kernel.constant import Constant
from plyforge.search import Engine, Limits
from plyforge.search.engine.transposition_table import GENERATIONS, Table, hand_back, take_table
from plyforge.search.protection.threads import WAITING, WORKING
from plyforge.search.running import runner as run
from plyforge.search.running import speed

FIELDS = ("action", "value", "values", "best", "line", "nodes", "depth", "reason")


def told(found):
    return tuple(getattr(found, name) for name in FIELDS)


class Heap(NamedTuple):
    sticks: int
    player: int


def most(s):
    return min(3, s.sticks)


seen: set[threading.Thread] = set()


@dataclass(frozen=True)
class Sticks(Game):
    """Take one to three sticks; whoever takes the last one wins."""

    sticks: int = 9

    def start(self):
        return Heap(self.sticks, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for n in range(1, most(s) + 1):
            yield n

    def result(self, s, n):
        return Heap(s.sticks - n, 1 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0


class Noticed(Sticks):
    """Notes which threads ask the rules."""

    def terminal(self, s):
        seen.add(threading.current_thread())
        return s.sticks == 0


@pytest.mark.parametrize("using", ["minimax", "alpha_beta", "negamax", "engine"])
@pytest.mark.parametrize("limits", [{"depth": 4}, {"nodes": 50}, {}])
def test_interpreted_rules_run_in_the_callers_thread(using, limits):
    seen.clear()
    pf.search(Noticed(), using=using, native=False, **limits)
    assert seen == {threading.current_thread()}


def test_with_a_time_limit_they_have_a_thread_that_can_be_stopped():
    seen.clear()
    pf.search(Noticed(), using="alpha_beta", native=False, seconds=5.0)
    assert any(thread.name in (WORKING, WAITING) for thread in seen)


def test_what_rules_raise_is_named_in_the_callers_thread_too():
    class Broken(Sticks):
        def result(self, s, n):
            raise ValueError("no such heap")

    with pytest.raises(pf.BadRules, match=r"the rules raised ValueError \(test_calls\.py, line \d+\): no such heap"):
        pf.search(Broken(), using="alpha_beta", native=False, depth=2)


@compiles
@pytest.mark.parametrize("using", ["alpha_beta", "engine"])
@pytest.mark.parametrize("depth", [3, 5, 7, 9])
@pytest.mark.parametrize("all_best", [False, True])
@pytest.mark.parametrize("name", ["connect4", "tic_tac_toe"])
def test_a_short_call_gives_what_a_long_one_gives(name, using, depth, all_best, monkeypatch):
    game, how = pf.load(name), {"using": using, "native": True, "all_best": all_best}
    pf.search(game, depth=2, **how)
    brief = told(pf.search(game, depth=depth, **how))
    again = told(pf.search(game, depth=depth, **how))
    monkeypatch.setattr("plyforge.search.core.base.BRIEF_NODES", 0)
    monkeypatch.setattr("plyforge.search.engine.thinking.deepening.BRIEF_NODES", 0)
    assert brief == again == told(pf.search(game, depth=depth, **how))


@compiles
def test_a_short_call_starts_no_thread_from_the_second_on(monkeypatch):
    game = pf.load("tic_tac_toe")
    for using in ("alpha_beta", "engine"):
        pf.search(game, using=using, depth=2, native=True)
    monkeypatch.setattr(run, "start_with_deep_stack", lambda work: pytest.fail("a thread"))
    for using in ("alpha_beta", "engine"):
        assert pf.search(game, using=using, depth=2, native=True).native


@compiles
def test_the_node_limit_is_kept_where_a_call_is_short():
    game = pf.load("connect4")
    for nodes in (1, 100, 1999, 2000, 2001, 5000):
        for using in ("alpha_beta", "engine"):
            found = pf.search(game, using=using, nodes=nodes, native=True)
            again = pf.search(game, using=using, nodes=nodes, native=True)
            assert told(found) == told(again)
            assert found.nodes <= nodes + 1


@compiles
def test_a_renewed_table_is_as_a_new_one():
    game, engine = pf.load("connect4"), Engine(table_mib=0.01)
    table = Table(0.01)
    fresh = told(engine.start(game, table=Table(0.01)).think(limits=Limits(depth=9)))
    for _ in range(3):
        assert told(engine.start(game, table=table).think(limits=Limits(depth=9))) == fresh
        table.renew()
    table.generation = GENERATIONS - 1
    table.renew()
    assert table.generation == 0
    assert not table.words.any()
    assert told(engine.start(game, table=table).think(limits=Limits(depth=9))) == fresh


def test_a_table_that_was_handed_back_is_taken_again():
    table = take_table(0.125)
    hand_back(table)
    assert take_table(0.125) is table
    assert take_table(0.125) is not table
    assert table.owner is None


def test_a_fingerprint_is_kept_until_the_rules_change(monkeypatch):
    game = Sticks()
    first = game.fingerprint()
    assert game.fingerprint() is first
    monkeypatch.setitem(globals(), "most", lambda s: min(2, s.sticks))
    assert game.fingerprint() != first
    monkeypatch.undo()
    assert game.fingerprint() == first
    monkeypatch.setattr(Sticks, "utility", lambda self, s: 0.0)
    assert game.fingerprint() != first
    monkeypatch.undo()
    monkeypatch.setattr(most, "__code__", (lambda s: 1).__code__)
    assert game.fingerprint() != first


def test_a_fingerprint_sees_what_is_changed_in_place():
    class Loose(Constant):
        def __init__(self):
            self.size, self.cells = 3, [1, 2]

    loose = Loose()
    first = loose.fingerprint()
    loose.cells[0] = 5
    second = loose.fingerprint()
    loose.size = 4
    assert len({first, second, loose.fingerprint()}) == 3


@compiles
def test_rules_that_change_are_compiled_again(monkeypatch):
    game = Sticks(sticks=8)
    assert pf.search(game, native=True).value == -1.0
    monkeypatch.setitem(globals(), "most", lambda s: min(2, s.sticks))
    assert pf.search(game, native=True).value == 1.0


@compiles
def test_the_compiler_refuses_the_same_rules_only_once(monkeypatch):
    class Texts(Sticks):
        def utility(self, s):
            return float(eval("1"))

    game = Texts()
    with pytest.warns(pf.search.FellBack):
        first = pf.search(game, using="alpha_beta", depth=2)
    monkeypatch.setattr(speed, "bind", lambda *args, **more: pytest.fail("asked again"))
    with pytest.warns(pf.search.FellBack):
        assert told(pf.search(game, using="alpha_beta", depth=2)) == told(first)


@compiles
def test_a_selective_search_leaves_nothing_for_the_next():
    """What it has learned is in its memory, which the next call gets."""
    game = pf.load("chess")
    other = pf.state_after(game, "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5")
    first = told(pf.search(game, other, using="engine", depth=5, native=True))
    for state, depth in ((None, 1), (None, 4), (other, 2)):
        pf.search(game, state, using="engine", depth=depth, native=True)
        assert told(pf.search(game, other, using="engine", depth=5, native=True)) == first


@compiles
def test_a_very_shallow_search_of_a_noisy_game_starts_no_thread(monkeypatch):
    game = pf.load("chess")
    long = [told(pf.search(game, using="engine", depth=depth, native=True)) for depth in (1, 2)]
    monkeypatch.setattr("plyforge.search.engine.thinking.deepening.BRIEF_QUIET_NODES", 0)
    assert [told(pf.search(game, using="engine", depth=depth, native=True)) for depth in (1, 2)] == long
    monkeypatch.undo()
    monkeypatch.setattr(run, "start_with_deep_stack", lambda work: pytest.fail("a thread"))
    assert told(pf.search(game, using="engine", depth=1, native=True)) == long[0]


@compiles
def test_a_line_without_end_is_given_a_thread(monkeypatch):
    """Beyond the plies that any stack has room for, a search that was tried in the caller's thread begins again."""
    game = pf.load("chess")
    state = pf.state_after(game, "e2e4", "d7d5")  # something to capture
    deep = told(pf.search(game, state, using="engine", depth=2, native=True))
    monkeypatch.setattr("plyforge.search.engine.thinking.runs.brief_plies", lambda game: 2)
    assert told(pf.search(game, state, using="engine", depth=2, native=True)) == deep


def test_weights_that_come_with_a_game_are_read_once(monkeypatch):
    game = pf.load("connect4")
    first = pf.search.make_search("engine", game)
    monkeypatch.setattr("plyforge.evaluate.linear.read_weights", lambda *args: pytest.fail("read again"))
    assert pf.search.make_search("engine", game) is first


def test_a_table_is_wiped_as_far_as_it_was_written():
    table = Table(1.0)
    assert table.written == 0
    table.begin("somebody")
    assert table.written == table.buckets
    table.words[:] = 1
    table.generation = GENERATIONS - 1
    table.renew()
    assert table.written == 0
    assert not table.words.any()
