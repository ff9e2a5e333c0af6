"""The engine gives minimax's values, tells proofs from estimates, and takes the shortest win and the longest loss."""

from __future__ import annotations

import json
import random

import pytest

import plyforge as pf
from conftest import compiles
from patience import PATIENCE
from plyforge.contract import Heuristics
from plyforge.errors import BadRules
from plyforge.games.trees.random_tree import RandomTree
from plyforge.search.core.limits import Limits
from plyforge.search.engine.engine import Engine

TABLES = (0.0, 1.0)
SPEEDS = [False, pytest.param(True, marks=compiles)]
TREES = RandomTree(depth=6, branching=3, doubles=True)

SMALL = [
    "nim(heaps=(2, 3, 2))",
    "hexapawn(width=3, height=3)",
    "kalah(houses=2, seeds=2)",
    "dots_and_boxes(rows=1, columns=2)",
]
"""Small enough to be solved interpreted again and again: compiling each would take longer."""


def engine(game, state=None, native=False, depth=None, **parameters):
    return Engine(**parameters).search(game, state, Limits(depth=depth), native=native)


@pytest.mark.parametrize("native", SPEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_on_random_trees_value_and_best_actions_are_minimaxs(table, native):
    for seed in range(400 if native else 60):
        state = TREES.root(seed)
        wanted = pf.search(TREES, state, "minimax", native=native)
        found = engine(TREES, state, native, all_best=True, table_mib=table)
        assert (found.value, found.exact) == (wanted.value, True), seed
        assert found.best == wanted.best, seed
        assert found.action in wanted.best


@pytest.mark.parametrize("native", SPEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_at_every_depth_the_value_is_minimaxs_to_the_bit(table, native):
    for seed in range(120 if native else 25):
        state = TREES.root(1000 + seed)
        for depth in range(6):
            wanted = pf.search(TREES, state, "minimax", depth=depth, native=native)
            found = engine(TREES, state, native, depth, table_mib=table)
            if found.depth == depth:
                assert found.value == wanted.value, (seed, depth)
            else:  # a proof came before the depth limit
                assert found.exact and found.value == pf.search(TREES, state, "minimax", native=native).value


@pytest.mark.parametrize("spec", SMALL)
def test_small_games_are_solved_as_by_alpha_beta(spec):
    game = pf.load(spec)
    chooser = random.Random(5)
    state = game.start()
    while not game.terminal(state):
        wanted = pf.search(game, state, "alpha_beta", all_best=True, native=False)
        found = engine(game, state, False, all_best=True)
        assert found.exact
        assert (found.value, found.best) == (wanted.value, wanted.best)
        state = game.result(state, chooser.choice(pf.legal_moves(game, state)))


def distances(game):
    """By brute force: plies to the end if the winner hurries and the loser delays; for draws, None."""
    known = {}

    def of(state):
        if state not in known:
            if game.terminal(state):
                known[state] = (game.utility(state), 0)
            else:
                children = [of(game.result(state, action)) for action in game.actions(state)]
                sign = 1 if game.player(state) == pf.MAX else -1
                best = max(sign * value for value, _ in children)
                among = [plies for value, plies in children if sign * value == best]
                known[state] = (sign * best, 1 + (min(among) if best > 0 else max(among)))
        return known[state]

    return of


@pytest.mark.parametrize("spec", ["tic_tac_toe", pytest.param("hexapawn(width=3, height=4)", marks=pytest.mark.full)])
def test_wins_are_the_shortest_and_losses_the_longest(spec):
    game = pf.load(spec)
    of = distances(game)
    chooser = random.Random(11)
    decided = 0
    for _ in range(12):
        state = game.start()
        while not game.terminal(state):
            value, plies = of(state)
            found = engine(game, state, None)
            assert found.exact and found.value == value
            if value != 0:
                decided += 1
                assert found.distance == plies
                after = of(game.result(state, found.action))
                assert after == (value, plies - 1)
            state = game.result(state, chooser.choice(pf.legal_moves(game, state)))
    assert decided > 15


@compiles
@pytest.mark.parametrize(
    ("spec", "depth"),
    [
        ("connect4(width=5, height=4)", 6),
        ("kalah(houses=3, seeds=2)", 6),
        pytest.param("hexapawn(width=4, height=4)", 7, marks=pytest.mark.full),
    ],
)
def test_interpreted_and_compiled_visit_the_same_nodes(spec, depth):
    game = pf.load(spec)
    slow, fast = engine(game, None, False, depth), engine(game, None, True, depth)
    for name in ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "distance"):
        assert getattr(slow, name) == getattr(fast, name), name


def test_the_same_call_visits_the_same_nodes_every_time():
    game = pf.load("connect4(width=5, height=4)")
    counts = {engine(game, None, None, 9).nodes for _ in range(3)}
    assert len(counts) == 1


def test_it_needs_a_fraction_of_the_nodes_of_plain_alpha_beta():
    game = pf.load("connect4")
    plain = pf.search(game, using="alpha_beta", depth=11)
    found = engine(game, None, None, 11)
    assert found.value == plain.value
    assert found.nodes < plain.nodes / 10


def test_an_estimate_is_not_a_proof():
    found = engine(pf.load("connect4"), None, False, 3)
    assert not found.exact and found.distance is None and found.reason == "depth"


def test_a_proven_win_ends_the_search_before_the_depth_limit():
    found = engine(pf.load("tic_tac_toe"), pf.parse_state(pf.load("tic_tac_toe"), "xx.oo...."), False, 9)
    assert (found.depth, found.distance, found.value) == (1, 1, 1.0)


def test_several_lines_come_best_first():
    game = pf.load("tic_tac_toe")
    state = pf.parse_state(game, "x........")
    found = engine(game, state, False, None, lines=3)
    values = [value for value, _ in found.lines]
    assert values == sorted(values) and len(values) == 3  # O moves: small is good
    assert len({line[0] for _, line in found.lines}) == 3
    assert found.lines[0][1] == found.line


def test_only_the_given_actions_are_searched():
    game = pf.load("tic_tac_toe")
    state = pf.parse_state(game, "xx.oo....")
    found = engine(game, state, False, None, only=(5, 8))
    assert (found.action == 5 and found.value < 1.0) or found.action in (5, 8)
    assert set(found.values) <= {5, 8}
    with pytest.raises(pf.IllegalAction):
        engine(game, state, False, None, only=(0,))


def test_limits_are_kept():
    game = pf.load("connect4")
    found = Engine().search(game, None, Limits(nodes=5000), native=False)
    assert (found.nodes, found.reason) == (5000, "nodes") and found.action is not None
    found = Engine().search(game, None, Limits(nodes=1), native=False)
    assert found.action == 0 and found.reason == "nodes"
    found = Engine().search(game, None, Limits(seconds=0.2), native=None)
    assert found.reason == "seconds" and found.seconds < PATIENCE


def test_it_refuses_what_it_cannot_soundly_do():
    for spec, instead in (("pig", "expectiminimax"), ("three_nim", "max_n")):
        with pytest.raises(pf.Unsuitable, match=instead):
            engine(pf.load(spec))


def test_a_finished_game_has_a_value_and_no_action():
    game = pf.load("tic_tac_toe")
    found = engine(game, pf.parse_state(game, "xxxoo...."))
    assert (found.action, found.value, found.exact, found.distance) == (None, 1.0, True, 0)


def test_results_are_plain_json():
    record = engine(pf.load("tic_tac_toe"), None, False, 4, lines=2).to_json()
    again = json.loads(json.dumps(record, allow_nan=False))
    assert again["exact"] is False and len(again["lines"]) == 2


class LoudHeuristics(Heuristics):
    def tactical_actions(self, game, s):
        if s[2] == 1:
            yield 1


class Loud(pf.Game):
    """MAX may take three points and then stands open to lose five: the horizon effect, cured by quiescence."""

    heuristics = LoudHeuristics()

    min_utility, max_utility = -9.0, 9.0

    def start(self):
        return (0, 0.0, 0)  # ply, score, who stands open

    def player(self, s):
        return s[0] % 2

    def actions(self, s):
        yield 0
        if s[0] % 2 == 0 or s[2] == 1:
            yield 1

    def result(self, s, taking):
        if taking == 0:
            return (s[0] + 1, s[1], s[2])
        return (s[0] + 1, s[1] + (3.0 if s[0] % 2 == 0 else -5.0), 1 - s[0] % 2)

    def terminal(self, s):
        return s[0] == 4

    def utility(self, s):
        return s[1]

    def evaluate(self, s):
        return s[1]


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_quiescence_follows_noisy_actions_beyond_the_limit(native):
    loud = engine(Loud(), None, native, 1, quiescence=False)
    quiet = engine(Loud(), None, native, 1)
    assert loud.value == 3.0
    assert quiet.value == 0.0
    assert quiet.action == 0 and loud.action == 1


# ------------------------------------------------------------------ limits, and answers that must not be lost to them
@pytest.mark.parametrize("more", [{}, {"all_best": True}, {"lines": 2}])
def test_a_proven_win_is_not_thrown_away_for_ties_or_further_lines(more):
    for nodes in (200, 400, 800, 1600, 3200):
        found = pf.search("connect4", "4455", "engine", nodes=nodes, native=False, **more)
        assert found.value == 1.0 and (found.exact or nodes == 200)
        after = pf.state_after(pf.load("connect4"), *"4455", found.text(found.action))
        assert pf.search("connect4", after, "engine", native=False).value == 1.0


class DeafeningHeuristics(Heuristics):
    def tactical_actions(self, game, s):
        yield from game.actions(s)


class Deafening(pf.Game):
    """Every action is noisy, for forty plies: quiescence alone would never end."""

    heuristics = DeafeningHeuristics()
    worth_compiling = False

    def start(self):
        return (40, 0, 0)

    def player(self, s):
        return s[2]

    def actions(self, s):
        yield from range(4)

    def result(self, s, action):
        return (s[0] - 1, (s[1] * 7 + action * 3 + 1) % 1000003, 1 - s[2])

    def terminal(self, s):
        return s[0] == 0

    def utility(self, s):
        return (s[1] % 201 - 100) / 100

    def evaluate(self, s):
        return (-0.9 if s[2] == 0 else 0.9) + (s[1] % 99) / 10000


def test_a_limit_that_comes_before_the_first_depth_ends_quiescence_too():
    found = pf.search(Deafening(), using="engine", nodes=2000, native=False)
    assert found.reason == "nodes" and found.action in range(4) and found.nodes <= 2001


def test_an_estimate_outside_the_bounds_is_refused():
    with pytest.raises(BadRules, match="outweigh a win"):
        pf.search("tic_tac_toe", "xx.oo....", "engine", depth=3, evaluate=lambda s: 5.0, native=False)


def test_lines_of_the_depth_before_stay_where_a_depth_is_cut_off() -> None:
    """As many lines as were asked for, each with a first action of its own, wherever the nodes end."""
    game = pf.load("othello(size=6)")
    for nodes in range(300, 1500, 150):
        found = Engine(lines=3).search(game, None, Limits(nodes=nodes), native=False)
        firsts = [line[0] for _, line in found.lines]
        assert found.depth == 0 or (len(set(firsts)) == len(firsts) == 3 and firsts[0] == found.action), nodes
        assert len(found.distances) == len(found.lines)
