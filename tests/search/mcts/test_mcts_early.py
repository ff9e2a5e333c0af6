"""Stopping early: the same choice in less time where one action is far ahead, all of the time where several are close,
and never for whoever analyses.

Where a test runs a search by the time, what it asks for is far from the border: a busy machine makes it slower, not
wrong.
"""

from __future__ import annotations

import io
import json
import time
from types import SimpleNamespace

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.kernel import OUT_OF_TIME, RUNNING
from plyforge.play import Engine
from plyforge.play.players.given import contestant
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.players.spec import parse_player
from plyforge.play.protocols.gtp.go import go_player
from plyforge.play.protocols.json_lines.server import Talk
from plyforge.search.core.limits import Limits
from plyforge.search.mcts import Flat, Puct, Uct
from plyforge.search.mcts.early_stop import Early, Standing
from plyforge.search.mcts.tree.arena import DECIDED, PROVEN, ROOT, Blocks
from plyforge.search.mcts.tree.parallel import MOST_PENDING
from plyforge.search.time.clock import Clock
from plyforge.search.time.manager import TimeManager
from plyforge.search.time.rules import CLOSE, FASTER, LONGER
from plyforge.studio.analyse.algorithms import make

GAME = pf.load("tic_tac_toe")
CLEAR = pf.parse_state(GAME, "x..xo.o..")  # O threatens to win in cell 3: X has to take it
SYMMETRIC = pf.parse_state(GAME, "....x....")  # the four corners are the same, and so are the four sides
LAST = pf.parse_state(GAME, "xoxxoo.xo")
SPEEDS = [False, pytest.param(True, marks=compiles)]
WHOLE = 4.0
"""Seconds: what is decided is decided after little more than half of them."""


def unproven(**more):
    """A search that plays on where it could prove everything."""
    return Uct(solve=False, exploration=0.1, stop_early=True, **more)


def undecided():
    """A search that tries all actions nearly as often: with less curiosity, the first corner that is understood
    would be ahead of its mirror images."""
    return Uct(solve=False, exploration=50.0, stop_early=True)


# ---------------------------------------------------------------- whole searches
@pytest.mark.parametrize(("threads", "native"), [(1, False), pytest.param(2, True, marks=compiles)])
def test_what_is_decided_is_chosen_early_and_is_what_the_whole_time_chooses(native, threads):
    limits = Limits(seconds=WHOLE)
    found = unproven(threads=threads).search(GAME, CLEAR, limits, native=native)
    assert found.reason == "decided" and found.seconds < WHOLE
    patient = Uct(solve=False, exploration=0.1, simulations=2 * found.simulations)
    assert found.action == patient.search(GAME, CLEAR, native=native).action == 2


@pytest.mark.parametrize("native", SPEEDS)
def test_where_actions_are_equally_good_the_whole_time_is_used(native):
    found = undecided().search(GAME, SYMMETRIC, Limits(seconds=1.0), native=native)
    # at the very end a lead of a few visits is enough
    assert found.seconds > 0.8 and found.reason in ("seconds", "decided")


def test_analysis_takes_the_whole_time():
    patient = Uct(solve=False, exploration=0.1)
    for found in (
        pf.search(GAME, CLEAR, patient, seconds=0.5, native=False),
        pf.search(GAME, CLEAR, patient, clock=Clock(0.8, moves_to_go=1), native=False),
    ):
        assert found.reason == "seconds" and found.seconds >= 0.5
    assert not any(search().stop_early for search in (Uct, Puct))
    assert not make("uct", GAME, {}, 1).stop_early  # the studio's Analyse
    assert not Engine(GAME, "uct").search.stop_early


def test_without_a_limit_of_time_nothing_is_stopped_early():
    found = unproven(simulations=700).search(GAME, CLEAR, native=False)
    assert found.reason == "simulations" and found.simulations == 700


def test_the_only_action_is_answered_at_once():
    began = time.monotonic()
    found = unproven().search(GAME, LAST, Limits(seconds=60.0), native=False)
    assert found.reason == "decided" and found.action == 6
    found = unproven().search(GAME, LAST, Limits(clock=Clock(600.0)), native=False)
    assert found.reason == "decided" and found.visits[6] > 0
    assert time.monotonic() - began < 15.0


def test_the_last_action_that_is_not_lost_is_answered_at_once():
    # The second player has three in column 2: all but taking it loses, which is proven in a few dozen simulations.
    game = pf.load("connect4(width=5, height=5)")
    state = pf.parse_state(game, "124242")
    began = time.monotonic()
    found = Uct(stop_early=True).search(game, state, Limits(seconds=60.0), native=False)
    assert found.action == 1 and found.reason in ("decided", "complete")
    assert time.monotonic() - began < 40.0


@pytest.mark.parametrize("name", ["three_nim(sticks=60)", "pig"])
def test_three_players_and_dice_are_decided_by_visits_too(name):
    game = pf.load(name)
    found = unproven().search(game, limits=Limits(seconds=0.5), native=False)
    assert found.reason in ("decided", "seconds") and found.action in pf.legal_moves(game, game.start())


def test_where_chance_moves_there_is_nothing_to_decide():
    game = pf.load("pig")
    rolled = next(
        s for a in pf.legal_moves(game, game.start()) if game.player(s := game.result(game.start(), a)) == pf.CHANCE
    )
    found = unproven().search(game, rolled, Limits(seconds=0.3), native=False)
    assert found.reason == "seconds" and found.action is None


# ---------------------------------------------------------------- the rule, by numbers
@pytest.fixture
def tree():
    """The start after nothing, with its nine actions: a test says how they stand."""
    tree = Uct(simulations=40, solve=False).start(GAME, native=False)
    tree.think()
    set_children(tree, visits=[0] * 9)
    return tree


def set_children(tree, visits, values=None, proven=()):
    for number, child in enumerate(tree.blocks.children(ROOT)):
        node = tree.blocks.nodes[child]
        node.visits, node.value = visits[number], 0.0 if values is None else values[number]
        node.spread = PROVEN if number in proven else 1.0


def asked(tree, made=1000, past=0.5, left=0.5, longer=0.0, limit=1 << 62, threads=1):
    """What is said after `past` seconds with `made` simulations, `left` before the end and `longer` before the hard
    one."""
    memories = [SimpleNamespace(simulations=made / threads, simulation_limit=limit)] * threads
    limits = Limits(clock=Clock(1000.0)) if longer else Limits(seconds=past + left)
    manager = TimeManager(limits, now=lambda: past)
    manager.begin(0.0)
    manager.soft, manager.hard = past + left, past + left + longer
    return Early(GAME, tree.blocks, memories, manager)()


def test_a_lead_that_cannot_be_caught_up_decides(tree):
    for lead, said in ((2000, DECIDED), (int(FASTER * 1000) + 5, DECIDED), (int(FASTER * 1000) - 5, RUNNING)):
        set_children(tree, [0, 3000 + lead, 3000, 10, 0, 0, 0, 0, 0])
        assert asked(tree, made=1000, past=0.5, left=0.5) == said
    assert asked(tree, made=1000, past=0.9, left=0.1) == DECIDED  # the same lead later
    assert asked(tree, made=1000, past=0.5, left=0.5, limit=1200) == DECIDED  # or with few simulations allowed


def test_a_rate_is_not_believed_at_once(tree):
    set_children(tree, [0, 9000, 1000, 0, 0, 0, 0, 0, 0])
    assert asked(tree, made=1, past=0.05, left=0.95) == RUNNING
    assert asked(tree, made=10, past=0.15, left=0.85) == DECIDED


def test_what_threads_have_yet_to_tell_counts_against_the_lead(tree):
    set_children(tree, [0, 1000 + 2 * MOST_PENDING, 1000, 0, 0, 0, 0, 0, 0])
    assert asked(tree, made=100, past=0.999, left=0.001) == DECIDED
    assert asked(tree, made=100, past=0.999, left=0.001, threads=2) == RUNNING


def test_a_proof_that_may_be_chosen_leaves_the_choice_open(tree):
    visits = [5, 9000, 10, 0, 0, 0, 0, 0, 0]
    values = [0.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    set_children(tree, visits, values, proven=[0])  # a draw: chosen if the mean of the other falls below 0
    assert asked(tree, made=100, past=0.5, left=0.5) == RUNNING
    assert asked(tree, made=100, past=1.0, left=0.0, longer=1.0) == OUT_OF_TIME
    values[0] = -1.0
    set_children(tree, visits, values, proven=[0])  # a loss is chosen only where nothing else is left
    assert asked(tree, made=100, past=0.5, left=0.5) == DECIDED


def test_by_a_clock_doubt_takes_longer_and_no_doubt_does_not(tree):
    clear = [0, 1000, int(CLOSE * 1000) - 5, 0, 0, 0, 0, 0, 0]
    close = [0, 1000, int(CLOSE * 1000) + 5, 0, 0, 0, 0, 0, 0]
    best, other = ([0.1 if number == place else 0.0 for number in range(9)] for place in (1, 2))
    for visits, values, said in (
        (clear, best, OUT_OF_TIME),
        (close, best, RUNNING),
        (clear, other, RUNNING),  # the second is better by value
        ([0, 1000, 50, 0, 0, 0, 0, 0, 0], other, OUT_OF_TIME),  # but this one has hardly been looked at
    ):
        set_children(tree, visits, values)
        assert asked(tree, made=9000, past=1.0, left=0.0, longer=1.0) == said
        assert asked(tree, made=9000, past=1.0, left=0.0, longer=0.0) == OUT_OF_TIME
    for value in (0.99, -0.99):  # any action will do
        set_children(tree, close, [value] * 9)
        assert asked(tree, made=9000, past=1.0, left=0.0, longer=1.0) == OUT_OF_TIME
    # what looks decided by visits has to wait, if by a clock there is doubt and time
    set_children(tree, [0, 1000, 500, 0, 0, 0, 0, 0, 0], other)
    assert asked(tree, made=600, past=0.6, left=0.4, longer=0.0) == RUNNING
    assert asked(tree, made=600, past=0.8, left=0.2, longer=0.0) == DECIDED
    assert asked(tree, made=600, past=0.8, left=0.2, longer=1.0) == RUNNING


def test_how_long_a_doubt_may_take():
    assert TimeManager(Limits(seconds=2.0)).longest == 2.0
    clock = Clock(300.0)
    assert TimeManager(Limits(clock=clock)).longest == LONGER * clock.soft_seconds < clock.hard_seconds
    last = Clock(10.0, moves_to_go=1)
    assert TimeManager(Limits(clock=last)).longest == last.hard_seconds


def test_a_doubtful_move_takes_more_than_its_share_of_a_clock():
    clock = Clock(5.0, moves_to_go=10)
    found = undecided().search(GAME, SYMMETRIC, Limits(clock=clock), native=False)
    assert found.seconds > 1.5 * clock.soft_seconds  # four corners stay close


def test_before_there_is_a_tree_nothing_is_known():
    assert Standing.of(GAME, Blocks(GAME, 10, False, False)) is None


# ---------------------------------------------------------------- who does it
def test_players_stop_early_unless_they_are_told_not_to():
    for player in (
        SearchPlayer("uct", seconds=1.0),
        SearchPlayer("puct", seconds=1.0),
        parse_player("uct:seconds=1", GAME),
        parse_player("uct:seconds=1,stop_early=yes", GAME),
    ):
        assert player.engine(GAME).search.stop_early
    asked_not_to = parse_player("uct:seconds=1,stop_early=no", GAME)
    assert not asked_not_to.engine(GAME).search.stop_early
    assert asked_not_to.description == "uct:seconds=1,stop_early=False"
    assert not parse_player(asked_not_to.description, GAME).engine(GAME).search.stop_early
    assert isinstance(parse_player("flat:seconds=1", GAME).engine(GAME).search, Flat)
    assert SearchPlayer().engine(GAME).search.name == "engine"
    go = pf.load("go(size=5)")
    assert go_player(native=False).engine(go).search.stop_early
    opponent = contestant("uct", GAME, seconds=0.1)
    assert opponent.engine(GAME).search.stop_early


def test_a_program_that_talks_may_ask_for_the_whole_time():
    state = pf.format_state(GAME, LAST)
    for asked_for, reasons in (({}, {"decided", "complete"}), ({"stop_early": False}, {"seconds"})):
        answers = io.StringIO()
        talk = Talk(io.StringIO(), answers, "tic_tac_toe", native=False)
        talk.obey(json.dumps({"do": "position", "state": state}))
        go = {"do": "go", "using": "uct", "seconds": 0.5, "solve": False, "progress": False}
        talk.obey(json.dumps(go | asked_for))
        talk.wait()
        assert json.loads(answers.getvalue().splitlines()[-1])["found"]["reason"] in reasons
