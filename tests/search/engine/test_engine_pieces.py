"""The engine's pieces: threads, a kept table, what the rules know, a depth that is cut off, progress."""

from __future__ import annotations

import math
import random
import threading

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from patience import PATIENCE
from plyforge.contract import Game
from plyforge.errors import PlyforgeError
from plyforge.games.trees.random_tree import RandomTree
from plyforge.games.two_players.connect4 import Connect4
from plyforge.search.core.limits import Limits
from plyforge.search.engine.engine import Engine
from plyforge.search.engine.thinking.deepening import Thinking
from plyforge.search.engine.transposition_table import EXACT, Table, depth_of, find, pack, store
from plyforge.search.running.control import Control

SPEEDS = [False, pytest.param(True, marks=compiles)]
TREES = RandomTree(depth=6, branching=3, doubles=True)


def engine(game, state=None, native=False, depth=None, table=None, **parameters):
    return Engine(**parameters).start(game, native, table=table).think(state, Limits(depth=depth))


# ------------------------------------------------------------------ threads
@pytest.mark.parametrize("native", SPEEDS)
def test_two_threads_give_minimaxs_value_and_best_actions(native):
    for seed in range(150 if native else 25):
        state = TREES.root(seed)
        wanted = pf.search(TREES, state, "minimax", native=native)
        found = engine(TREES, state, native, all_best=True, table_mib=1.0, threads=2)
        assert (found.value, found.exact, found.best) == (wanted.value, True, wanted.best), seed


@compiles
def test_two_threads_give_the_same_value_at_every_depth():
    for seed in range(60):
        state = TREES.root(5000 + seed)
        for depth in range(1, 6):
            one, two = (engine(TREES, state, True, depth, table_mib=1.0, threads=n) for n in (1, 2))
            assert (one.value, one.depth, one.distance) == (two.value, two.depth, two.distance)


@pytest.mark.full
@compiles
def test_threads_share_the_work_instead_of_repeating_it():
    """In the best of a few tries: other work on the machine may keep a thread from its processor."""
    game = pf.load("connect4(width=5, height=5)")
    alone = engine(game, None, True, 18)
    most = []
    for _ in range(10):
        thinking = Thinking(Engine(threads=2), game, game.start(), True)
        visited = [0, 0]
        run = thinking.run

        def counting(*arguments, run=run, thinking=thinking, visited=visited):
            value = run(*arguments)
            for i, memory in enumerate(thinking.memories):
                visited[i] += int(memory.nodes)
            return value

        thinking.run = counting
        together = thinking.deepen(Limits(depth=18))
        assert together.value == alone.value
        assert sum(visited) == together.nodes
        most.append(max(visited))
        if most[-1] < 0.85 * alone.nodes:
            return
    assert min(most) < 0.85 * alone.nodes, (alone.nodes, most)


def test_threads_that_make_no_sense_are_refused():
    for threads in (0, -1, 1.5, 10_000):
        with pytest.raises(pf.BadLimits, match="threads"):
            Engine(threads=threads)
    with pytest.raises(pf.Unsuitable, match="threads"):
        pf.search("tic_tac_toe", using="minimax", threads=2)


def test_a_thread_that_cannot_be_had_stops_the_others(monkeypatch):
    from plyforge.search.running import runner
    from plyforge.search.time import watch

    begun, start = [], watch.start_with_deep_stack

    def only_two(work):
        if len(begun) == 2:
            raise PlyforgeError("no further thread can be had")
        begun.append(work)
        start(work)

    for module in (runner, watch):
        monkeypatch.setattr(module, "start_with_deep_stack", only_two)
    with pytest.raises(PlyforgeError, match="no further thread"):
        engine(pf.load("connect4"), None, False, threads=4)
    helpers = [work for work in begun if isinstance(work, watch.Work)]
    assert len(helpers) == 1 and all(work.ended.is_set() for work in helpers)


# ------------------------------------------------------------------ the table
def test_a_table_keeps_the_deeper_of_two_and_forgets_older_searches_first():
    table = Table(0.0001)
    assert table.buckets == 1
    for depth in (5, 9, 7):
        store(table.address, 1, np.uint64(100 + depth), float(depth), pack(depth, EXACT, -1, -1, 0, 1))
    kept = {depth for depth in (5, 7, 9) if find(table.address, 1, np.uint64(100 + depth))[1] != 0}
    assert kept == {7, 9}
    store(table.address, 1, np.uint64(3), 0.5, pack(1, EXACT, -1, -1, 0, 2))  # shallow, but of a newer search
    value, meta = find(table.address, 1, np.uint64(3))
    assert (value, depth_of(meta)) == (0.5, 1)


def test_a_torn_entry_is_not_there():
    table = Table(0.0001)
    store(table.address, 1, np.uint64(77), 1.0, pack(3, EXACT, -1, -1, 0, 1))
    assert find(table.address, 1, np.uint64(77))[1] != 0
    table.words[1] ^= np.uint64(1 << 40)  # half of another writer's entry
    assert find(table.address, 1, np.uint64(77))[1] == 0


def test_a_kept_table_saves_work_and_proves_nothing_false():
    game = pf.load("connect4(width=5, height=4)")
    table, limits = Table(8), Limits(depth=8, nodes=10**9)
    state, chooser = game.start(), random.Random(3)
    spent = fresh = 0
    while not game.terminal(state):
        kept = Engine().start(game, table=table).think(state, limits)
        alone = Engine().search(game, state, limits)
        if kept.exact:
            assert kept.value == pf.search(game, state, "engine").value
        if alone.exact:
            assert (kept.value, kept.exact, kept.distance) == (alone.value, True, alone.distance)
        spent, fresh = spent + kept.nodes, fresh + alone.nodes
        state = game.result(state, chooser.choice(pf.legal_moves(game, state)))
    assert spent < 0.9 * fresh


def test_with_a_depth_alone_a_kept_table_changes_no_value():
    game = pf.load("connect4(width=5, height=4)")
    table = Table(8)
    state, chooser = game.start(), random.Random(4)
    while not game.terminal(state):
        kept, alone = engine(game, state, None, 6, table=table), engine(game, state, None, 6)
        assert (kept.value, kept.exact, kept.distance) == (alone.value, alone.exact, alone.distance)
        state = game.result(state, chooser.choice(pf.legal_moves(game, state)))


def test_a_cleared_table_is_like_a_new_one():
    game = pf.load("hexapawn(width=4, height=4)")
    table = Table(1)
    first = engine(game, None, False, 7, table=table)
    table.clear()
    again = engine(game, None, False, 7, table=table)
    assert again.nodes == first.nodes
    assert engine(game, None, False, 7, table=table).nodes < first.nodes


def test_a_table_of_another_game_is_refused():
    table = Table(1)
    engine(pf.load("tic_tac_toe"), None, False, 2, table=table)
    with pytest.raises(PlyforgeError, match="another game"):
        engine(pf.load("hexapawn(width=3, height=3)"), None, False, 2, table=table)
    with pytest.raises(PlyforgeError, match="another game"):
        Engine(evaluation=pf.evaluate.as_evaluation(lambda s: 0.25)).start(
            pf.load("tic_tac_toe"), False, table=table
        ).think(None, Limits(depth=2))


def test_memory_that_cannot_be_had_is_an_error_in_words():
    with pytest.raises(PlyforgeError, match="MiB"):
        Table(2**19)  # half a million MiB
    for size in (0, -1, math.nan, math.inf):
        with pytest.raises(pf.BadLimits, match="MiB"):
            Table(size)


# ------------------------------------------------------------------ what the rules know
@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_bounds_and_candidates_change_no_value(native):
    """Graded Connect Four with and without what its rules know about threats."""

    class Plain(Connect4):
        heuristics = Game.heuristics

    known, plain = Connect4(4, 4, 3, True), Plain(4, 4, 3, True)
    chooser = random.Random(8)
    for _ in range(12):
        state = known.start()
        for _ in range(chooser.randrange(4, 11)):
            if not known.terminal(state):
                state = known.result(state, chooser.choice(pf.legal_moves(known, state)))
        if known.terminal(state):
            continue
        wanted = engine(plain, state, native, all_best=True)
        found = engine(known, state, native, all_best=True)
        assert (found.value, found.exact, found.best) == (wanted.value, True, wanted.best)
        assert found.nodes < wanted.nodes or wanted.nodes < 50
        assert found.distance is None and wanted.distance is not None


def test_a_line_through_candidates_is_legal():
    game = Connect4(graded=True)
    found = engine(game, pf.parse_state(game, "44444"), False, 6)
    state = pf.parse_state(game, "44444")
    assert len(found.line) > 1
    for action in found.line:
        assert action in pf.legal_moves(game, state)
        state = game.result(state, action)


def test_more_actions_than_a_game_says_are_an_error():
    class Wide(pf.Game):
        max_actions = 2

        def start(self):
            return (0, 0)

        def player(self, s):
            return s[0] % 2

        def actions(self, s):
            yield from range(2 if s[0] == 0 else 3)

        def result(self, s, action):
            return (s[0] + 1, action)

        def terminal(self, s):
            return s[0] == 3

        def utility(self, s):
            return 0.5 * s[1]

    with pytest.raises(pf.BadRules, match="more than 2 actions"):
        engine(Wide(), None, False, 3)


# ------------------------------------------------------------------ a depth that is cut off
class SecondThoughts(pf.Game):
    """Action 0 looks best one ply ahead, 1 is best two plies ahead, and 2 takes long to refute."""

    def start(self):
        return (0, 0, 0)  # ply, MAX's action, MIN's reply

    def player(self, s):
        return s[0] % 2

    def actions(self, s):
        for action in range(3 if s[0] == 0 else 60 if s[1] == 2 else 1):
            yield action

    def result(self, s, action):
        return (1, action, 0) if s[0] == 0 else (s[0] + 1, s[1], action)

    def terminal(self, s):
        return s[0] == 4

    def utility(self, s):
        return 0.0

    def evaluate(self, s):
        if s[0] < 2:
            return (0.5, 0.1, 0.0)[s[1]]
        return (-0.5, 0.6, -0.9 if s[2] == 59 else 0.9)[s[1]]


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_what_a_cut_off_depth_had_found_counts(native):
    finished = [engine(SecondThoughts(), None, native, depth) for depth in (1, 2)]
    assert [found.action for found in finished] == [0, 1]
    limit = Limits(nodes=finished[0].nodes + 30)  # in the middle of action 2's replies
    found = Engine().search(SecondThoughts(), None, limit, native=native)
    assert (found.reason, found.depth, found.nodes) == ("nodes", 1, limit.nodes)
    assert (found.action, found.value, found.best, found.line[0]) == (1, 0.6, (1,), 1)


def test_progress_tells_depth_value_line_nodes_rate_and_table():
    reports = []
    game = pf.load("connect4")
    pf.search(game, using="engine", seconds=0.8, native=False, table_mib=1, on_progress=reports.append)
    assert reports
    last = reports[-1]
    assert last.depth >= 2 and last.nodes > 0 and last.rate > 0 and 0 < last.seconds < PATIENCE
    assert last.value is not None and last.line and last.line[0] in pf.legal_moves(game, game.start())
    assert last.table_used is not None and 0 <= last.table_used <= 1
    assert [r.nodes for r in reports] == sorted(r.nodes for r in reports)


@pytest.mark.parametrize("threads", [1, 2])
def test_control_stops_every_thread(threads):
    control = Control()
    threading.Timer(0.3, control.stop).start()
    found = pf.search("connect4", using="engine", native=False, threads=threads, control=control)
    assert found.reason == "stopped" and found.action is not None
    assert control.stopped
