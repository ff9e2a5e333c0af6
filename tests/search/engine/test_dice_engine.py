"""The dice engine is expectiminimax at every depth, with a table, pruning and proofs; with dice and without."""

from __future__ import annotations

import json
import math
import random
import time
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge as pf
from conftest import compiles
from patience import PATIENCE, best_of
from plyforge.contract import MAX, Game
from plyforge.evaluate import OwnEvaluation, as_evaluation
from plyforge.games.trees.random_tree import RandomTree, RandomTree3
from plyforge.games.trees.tree import Tree
from plyforge.games.two_players.pig import Pig
from plyforge.kernel import Silent, new_memory
from plyforge.search import Clock, Control, Limits, Star2
from plyforge.search.chance_engine.engine import DiceEngine, Thinking
from plyforge.search.engine.transposition_table import Table
from plyforge.search.textbook.expectiminimax import expectiminimax

FIELDS = ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "player", "using")
TREES = [
    RandomTree(depth=5, branching=3, dice=True, doubles=True),
    RandomTree(depth=4, branching=5, dice=True, doubles=True, largest=1),
    RandomTree(depth=6, branching=3, dice=True, largest=9),
]
MIB = 0.1
TINY = 2**-14
"""A table of one bucket: nearly everything is forgotten."""


def plain(game: Game, state: Any, depth: int) -> float:
    """Expectiminimax's own value."""
    return expectiminimax(game, OwnEvaluation(), Silent(), new_memory(depth, None, False), state, depth)


def dice(game: Game, state: Any = None, depth: int | None = None, native: bool | None = False, **parameters):
    parameters.setdefault("table_mib", MIB)
    return DiceEngine(**parameters).search(game, state, Limits(depth=depth), native=native)


def agree(game: Game, state: Any, depth: int, **parameters: Any) -> None:
    """The same number at this depth; or, if the value was proven at a smaller one, nothing but rounding between
    them."""
    wanted = pf.search(game, state, "expectiminimax", depth=depth, native=False)
    found = dice(game, state, depth, all_best=True, **parameters)
    if found.depth == depth:
        assert found.value == wanted.value
        assert set(found.best) == set(wanted.best)
        assert all(wanted.values[action] == value for action, value in found.values.items())
    else:
        assert found.exact and found.depth < depth
        assert found.value == pytest.approx(wanted.value, abs=1e-9)
    if wanted.best and found.action not in wanted.best:
        assert found.depth < depth and wanted.values[found.action] == pytest.approx(wanted.value, abs=1e-9)


# ------------------------------------------------------------ the same answer
@settings(max_examples=30, deadline=None)
@given(st.sampled_from(TREES), st.integers(0, 10**9), st.sampled_from([0, TINY, MIB]))
def test_on_random_trees_with_dice_and_double_moves_it_is_expectiminimax_at_every_depth(game, seed, mebibytes):
    for depth in range(1, game.depth + 1):
        agree(game, game.root(seed), depth, table_mib=mebibytes)


def unruly_tree(chances: random.Random, depth: int) -> Any:
    """Uneven probabilities, leaves that no binary fraction hits, the same player twice, dice after dice."""
    if depth == 0 or chances.random() < 0.1:
        return chances.randint(-30, 30) / 10
    children = [unruly_tree(chances, depth - 1) for _ in range(chances.randint(1, 4))]
    kind = chances.choice(["max", "min", "chance"])
    if kind != "chance":
        return {kind: children}
    weights = [chances.choice([1.0, 7.0, 1e-6, chances.random() + 1e-3]) for _ in children]
    return {"chance": children, "weights": [weight / sum(weights) for weight in weights]}


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from([0, MIB]))
def test_uneven_probabilities_and_dice_after_dice_change_nothing(seed, mebibytes):
    chances = random.Random(seed)
    game = Tree.of({"max": [unruly_tree(chances, 4), unruly_tree(chances, 3), unruly_tree(chances, 4)]})
    for depth in (2, 4, 6):
        agree(game, game.start(), depth, table_mib=mebibytes)


@dataclass(frozen=True)
class Numbered(Game):
    """A layered graph whose states are plain numbers, small ones: as small as depths are."""

    seed: int = 0
    keyed: bool = False
    states: int = 25

    has_chance = True
    worth_compiling = False

    def draw(self, *what: Any) -> random.Random:
        return random.Random(repr((self.seed, *what)))

    def start(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return self.draw("mover", s).choice((-1, 0, 1))

    def actions(self, s: int):
        yield from range(self.draw("number", s).randint(1, 3))

    def result(self, s: int, action: int) -> int:
        return self.draw("result", s, action).randint(s + 1, s + 7)

    def terminal(self, s: int) -> bool:
        return s >= self.states

    def utility(self, s: int) -> float:
        return self.draw("utility", s).uniform(-1.0, 1.0)

    def evaluate(self, s: int) -> float:
        return self.draw("estimate", s).uniform(-1.0, 1.0)

    def key(self, s: int) -> Any:
        return s if self.keyed else super().key(s)


@pytest.mark.parametrize("keyed", [False, True])
def test_states_and_keys_that_are_small_numbers_are_not_taken_for_depths(keyed):
    for seed in range(20):
        for depth in (2, 6):
            agree(Numbered(seed, keyed), None, depth)


@pytest.mark.parametrize("game", TREES[::2], ids=str)
def test_with_any_window_and_a_table_full_of_others_bounds_a_value_is_exact_inside_and_a_true_bound_outside(game):
    """One table for many windows that touch the value by one bit: what is stored must be a fact, not a result for
    one window."""
    for seed in range(40):
        state = game.root(seed)
        thinking = Thinking(DiceEngine(table_mib=MIB), game, state, False, None, None)
        for depth in (3, game.depth):
            value = plain(game, state, depth)
            down, up = math.nextafter(value, -math.inf), math.nextafter(value, math.inf)
            windows = [
                (value - 1.0, value - 0.4),
                (down, value),
                (value + 0.3, value + 0.5),
                (value, up),
                (value - 0.25, math.inf),
                (down, up),
                (-math.inf, value + 0.25),
                (-math.inf, math.inf),
            ]
            random.Random(seed).shuffle(windows)
            for alpha, beta in windows:
                thinking.memory.node_limit = 1 << 62
                found = thinking.look(depth, alpha, beta, range(len(thinking.legal)))
                if alpha < found < beta:
                    assert found == value
                elif found <= alpha:
                    assert value <= found
                else:
                    assert found >= beta and value >= found


PIG = ["0 0 0 max", "9 12 4 max", "14 3 5 min", "17 16 0 max rolling", "15 18 3 max", "18 18 2 min"]


@pytest.mark.parametrize("text", PIG)
def test_pig_is_expectiminimaxs_at_every_depth(text):
    game = pf.load("pig(goal=20)")
    for depth in range(1, 8):
        agree(game, pf.parse_state(game, text), depth)


@compiles
def test_pig_at_both_speeds_visits_the_same_nodes():
    game = pf.load("pig(goal=20)")
    for text in PIG:
        for depth in (5, 8):
            state = pf.parse_state(game, text)
            slow = dice(game, state, depth, native=False, all_best=True)
            fast = dice(game, state, depth, native=True, all_best=True)
            assert fast.native and not slow.native
            assert not slow.best or slow.best[0] == slow.action
            for field in FIELDS:
                assert getattr(slow, field) == getattr(fast, field), field


@pytest.mark.full
@compiles
@pytest.mark.parametrize("game", TREES, ids=str)
def test_hundreds_of_trees_at_both_speeds(game):
    for seed in range(400):
        state = game.root(seed)
        for depth in range(1, game.depth + 1):
            wanted = pf.search(game, state, "expectiminimax", depth=depth, native=True)
            fast = dice(game, state, depth, native=True, all_best=True)
            assert fast.depth < depth or (fast.value, set(fast.best)) == (wanted.value, set(wanted.best))
        if seed % 50 == 0:
            slow = dice(game, state, game.depth, native=False, all_best=True)
            assert [getattr(slow, f) for f in FIELDS] == [getattr(fast, f) for f in FIELDS]


@pytest.mark.parametrize(
    "spec", ["tic_tac_toe", "kalah(houses=2, seeds=2)", "nim(heaps=(2, 3, 2))", "hexapawn(width=3, height=3)"]
)
def test_without_dice_it_is_minimax_with_whole_lines(spec):
    game = pf.load(spec)
    state = pf.state_after(game, "5", "1") if spec == "tic_tac_toe" else game.start()
    for depth in (2, 4, None):
        wanted = pf.search(game, state, "minimax", depth=depth, native=False)
        found = dice(game, state, depth, all_best=True)
        assert found.value == wanted.value
        assert found.exact if depth is None else found.depth <= depth
        if found.depth == depth:
            assert set(found.best) == set(wanted.best)
            assert len(found.line) == depth or game.terminal(end_of(game, state, found.line))


def end_of(game: Game, state: Any, line: tuple[Any, ...]) -> Any:
    for action in line:
        state = game.result(state, action)
    return state


def test_a_chance_node_at_the_root_is_averaged_and_nothing_is_chosen():
    game = Tree.of({"chance": [{"max": [1, 2]}, {"min": [3, -1]}], "weights": [0.25, 0.75]})
    found = dice(game, all_best=True)
    assert (found.value, found.action, found.best, found.line) == (-0.25, None, (), ())
    assert found.exact


def test_the_pitfall_of_naive_pruning_is_not_its_own():
    """See tests/search/textbook/test_star.py: whoever passes the window through the chance node rolls here, and is
    wrong."""
    game = Tree.of({"max": {"stay": 3, "roll": {"chance": [{"min": [2, -10]}, {"min": [10, 12]}]}}})
    found = dice(game)
    assert (found.value, found.text(found.action)) == (3.0, "stay")


# ------------------------------------------------------------ less work
def test_it_needs_a_fraction_of_star2s_nodes_on_pig():
    game = pf.load("pig(goal=100)")
    for text in ("0 0 0 max", "80 85 10 max", "90 88 5 min"):
        state = pf.parse_state(game, text)
        star = Star2().search(game, state, Limits(depth=10), native=False)
        found = dice(game, state, 10, table_mib=4)
        assert found.value == star.value
        assert found.nodes < star.nodes / 4, text  # although the shallower depths are counted, too


@compiles
def test_the_deeper_the_greater_the_saving():
    game = pf.load("pig(goal=20)")
    state = pf.parse_state(game, "9 12 4 max")
    ratios = []
    for depth in (6, 10, 14):
        star = pf.search(game, state, "expectiminimax", depth=depth)
        found = dice(game, state, depth, native=True, table_mib=16)
        assert found.value == star.value
        ratios.append(found.nodes / star.nodes)
    assert ratios[0] > ratios[1] > ratios[2] and ratios[2] < 0.02


# ------------------------------------------------------------ proofs
def test_what_rests_on_the_ends_of_the_game_alone_is_proven_and_ends_the_deepening():
    proven = 0
    for game in TREES:
        for seed in range(40):
            state = game.root(seed)
            found = dice(game, state)
            assert found.exact and found.reason == "complete" and found.depth <= game.depth
            assert found.value == pytest.approx(plain(game, state, game.depth), abs=1e-9)
            proven += found.depth < game.depth
    assert proven > 10


def estimates(game: Game, value: float) -> Any:
    return as_evaluation(lambda s: value)


def test_no_estimate_can_change_a_value_that_is_said_to_be_proven():
    proven = early = 0
    for game in TREES:
        for seed in range(20):
            state = game.root(seed)
            for depth in range(1, game.depth):
                found = dice(game, state, depth)
                if not found.exact:
                    continue
                proven += 1
                early += found.depth == depth and plain(game, state, depth) != 0
                for worst in (game.min_utility, game.max_utility):
                    other = dice(game, state, depth, evaluation=estimates(game, worst))
                    assert other.value == pytest.approx(found.value, abs=1e-9)
                assert found.value == pytest.approx(plain(game, state, game.depth), abs=1e-9)
    assert proven > 20 and early > 5


def test_a_sure_win_in_pig_is_proven_at_once_and_a_gamble_is_not():
    game = pf.load("pig(goal=30)")
    found = dice(game, pf.parse_state(game, "24 25 6 max"), 9)
    assert (found.value, found.depth, found.exact, found.text(found.action)) == (1.0, 1, True, "hold")
    found = dice(game, pf.parse_state(game, "24 25 4 max"), 6)
    assert (found.depth, found.exact, found.reason) == (6, False, "depth")


# ------------------------------------------------------------ limits
def test_the_same_call_visits_the_same_nodes_every_time():
    game = pf.load("pig(goal=50)")
    assert len({dice(game, None, 8).nodes for _ in range(3)}) == 1


def test_node_limits_are_kept_and_the_answer_is_that_of_a_finished_depth():
    game = pf.load("pig(goal=20)")
    state = pf.parse_state(game, "9 12 4 max")
    for nodes in (1, 40, 2500):
        found = DiceEngine(table_mib=MIB).search(game, state, Limits(nodes=nodes), native=False)
        assert (found.nodes, found.reason) == (nodes, "nodes") and found.action is not None
        if found.depth:
            assert found.value == plain(game, state, found.depth)
    assert found.depth >= 7


def test_clocks_end_a_search():
    game = pf.load("pig")
    found = DiceEngine(table_mib=1).search(game, None, Limits(seconds=0.2), native=False)
    assert found.reason == "seconds" and found.seconds < PATIENCE and found.depth >= 1

    def attempt() -> float:
        found = DiceEngine(table_mib=1).search(game, None, Limits(clock=Clock(1.0)), native=False)
        assert found.reason == "seconds"
        return found.seconds

    assert best_of(attempt, 0.95) <= 0.95


def test_it_stops_when_told_to():
    control = Control()
    began = time.perf_counter()
    found = DiceEngine(table_mib=1).search(
        pf.load("pig"),
        None,
        Limits(),
        native=False,
        control=control,
        on_progress=lambda progress: control.stop() if progress.depth > 4 else None,
    )
    assert found.reason == "stopped" and found.depth >= 4 and time.perf_counter() - began < PATIENCE
    assert found.value == plain(pf.load("pig"), pf.load("pig").start(), 4) or found.depth > 4


def test_progress_tells_of_every_finished_depth():
    reports = []
    game = pf.load("pig(goal=20)")
    found = DiceEngine(table_mib=MIB).search(game, None, Limits(depth=7), native=False, on_progress=reports.append)
    finished = {report.depth: report for report in reports}
    assert set(finished) == set(range(1, 8))
    last = reports[-1]
    assert (last.value, last.nodes, last.line) == (found.value, found.nodes, found.line)
    assert [report.nodes for report in reports] == sorted(report.nodes for report in reports)


def test_a_table_can_be_kept_for_the_next_move_but_not_for_another_game():
    game = pf.load("pig(goal=30)")
    table = Table(1.0)
    search = DiceEngine()
    first = search.start(game, False, table=table).think(None, Limits(depth=9))
    after = pf.state_after(game, "roll", "4")
    fresh = search.search(game, after, Limits(depth=7), native=False)
    again = search.start(game, False, table=table).think(after, Limits(depth=7))
    assert again.value == fresh.value == plain(game, after, 7)
    assert again.nodes < fresh.nodes / 2 and first.depth == 9
    with pytest.raises(pf.PlyforgeError, match="another game"):
        search.start(pf.load("pig(goal=31)"), False, table=table).think(None, Limits(depth=3))


# ------------------------------------------------------------ refusals
@dataclass(frozen=True)
class Crowded(Pig):
    """More actions than can be ordered, two plies down."""

    def actions(self, s):
        for action in range(600 if s.collected > 0 else 1):
            yield action

    def result(self, s, action):
        return Pig.result(self, s, action if s.rolling else min(action, 1))


MANY_SIDES = Tree.of({"max": [{"chance": [{"min": [i % 7, 3]} for i in range(600)]}, 1]})


@dataclass(frozen=True)
class Unbounded(Pig):
    max_utility = math.inf


def test_it_refuses_what_it_cannot_soundly_do():
    with pytest.raises(pf.Unsuitable, match="3 players"):
        dice(RandomTree3(dice=True))
    with pytest.raises(pf.Unsuitable, match=r"inf.*expectiminimax"):
        dice(Unbounded(), None, 3)
    with pytest.raises(pf.Unsuitable, match=r"too many.*star2"):
        dice(Crowded(), None, 5)
    with pytest.raises(pf.Unsuitable, match=r"outcomes: too many.*star2"):
        dice(MANY_SIDES)
    with pytest.raises(pf.Unsuitable, match=r"outcomes: too many.*star2"):
        dice(MANY_SIDES, MANY_SIDES.result(MANY_SIDES.start(), 0))
    with pytest.raises(pf.Unsuitable, match="watched"):
        DiceEngine().search(pf.load("pig"), None, Limits(depth=2), watch=Silent())
    with pytest.raises(pf.BadLimits, match="table_mib"):
        DiceEngine(table_mib=-1)
    with pytest.raises(pf.BadRules, match="outside the game's bounds"):
        dice(pf.load("pig"), None, 5, evaluation=as_evaluation(lambda s: 2.0))


@dataclass(frozen=True)
class Endless(Game):
    """One action, for ever."""

    def start(self):
        return (0,)

    def player(self, s):
        return MAX

    def actions(self, s):
        yield 0

    def result(self, s, action):
        return (1 - s[0],)

    def terminal(self, s):
        return False


def test_an_endless_game_needs_a_limit_and_is_told_so(monkeypatch):
    monkeypatch.setattr("plyforge.search.core.base.MAX_PLY", 60)  # the recursion bound, nearer
    with pytest.raises(pf.TooDeep, match="value iteration"):
        dice(Endless())
    assert dice(Endless(), None, 50).depth == 50


def test_finished_games_depth_zero_and_json():
    game = pf.load("pig(goal=20)")
    over = dice(game, pf.parse_state(game, "20 3 0 min"))
    assert (over.action, over.value, over.exact) == (None, 1.0, True)
    nothing = dice(game, pf.parse_state(game, "5 3 2 min"), 0)
    assert (nothing.value, nothing.action, nothing.exact) == (game.evaluate(nothing.state), None, False)
    record = json.loads(json.dumps(dice(game, None, 4).to_json(), allow_nan=False))
    assert record["using"] == "dice_engine" and record["depth"] == 4


def test_a_win_that_rounds_to_more_than_a_win_is_expectiminimaxs_number_at_every_depth():
    """Some averages of wins are more than a win, in binary: a proof by the game's bounds at one depth is not the
    number of the next."""
    wins = {"chance": [3.0] * 5}
    assert plain(Tree.of(wins), Tree.of(wins).start(), 1) > 3.0
    chain: Any = 0.1  # keeps the root from being proven for a while
    for _ in range(5):
        chain = {"max": [chain]}
    node = {"max": [3.0, wins]}
    game = Tree.of({"max": [{"chance": [node, chain]}, -3.0]})
    for depth in range(1, 8):
        found = dice(game, None, depth)
        assert found.depth == depth or found.exact
        assert found.value == plain(game, game.start(), found.depth)
