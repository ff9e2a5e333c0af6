"""What every search promises: results, limits, refusals, and play on any Python object."""

from __future__ import annotations

import json
import math
import os
import time
from typing import NamedTuple

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from patience import PATIENCE
from plyforge.contract import Heuristics
from plyforge.kernel import MAX_PLY
from plyforge.search import SEARCHES, Limits, make_search
from plyforge.solve import Solver

TIC_TAC_TOE = pf.load("tic_tac_toe")


def test_tic_tac_toe_is_a_draw_after_549946_nodes():
    found = pf.search(TIC_TAC_TOE, using="minimax")
    assert (found.value, found.nodes, found.reason, found.exact) == (0.0, 549_946, "complete", True)
    assert found.best == tuple(range(9))
    assert found.depth == len(found.line) == 9


def test_connect_four_left_to_right_has_the_known_node_count():
    """From the benchmark's C twin, an independent program: depth 8."""
    assert pf.search(pf.load("connect4"), using="alpha_beta", depth=8).nodes == 12_574


@pytest.mark.parametrize("using", ["minimax", "negamax", "expectiminimax", "max_n"])
def test_where_all_children_are_exact_every_tied_action_is_listed(using):
    found = pf.search(TIC_TAC_TOE, "x........", using=using, native=False, depth=5)
    ties = [a for a, v in found.values.items() if v == found.values[found.action]]
    assert list(found.best) == ties
    assert len(found.values) == 8


def test_alpha_beta_lists_the_first_best_action_and_all_of_them_when_asked():
    everything = pf.search(TIC_TAC_TOE, "x...o....", using="minimax", native=False)
    first = pf.search(TIC_TAC_TOE, "x...o....", using="alpha_beta", native=False)
    every = pf.search(TIC_TAC_TOE, "x...o....", using="alpha_beta", native=False, all_best=True)
    assert first.action == every.action == everything.action
    assert first.best == (first.action,)
    assert every.best == everything.best
    assert first.line == everything.line
    assert first.nodes < every.nodes < everything.nodes


def test_an_exact_value_in_values_is_never_a_mere_bound():
    everything = pf.search(TIC_TAC_TOE, "xo.......", using="minimax")
    pruned = pf.search(TIC_TAC_TOE, "xo.......", using="alpha_beta")
    for action, value in pruned.values.items():
        assert value == everything.values[action]


def test_depth_zero_is_the_estimate_of_the_state_itself():
    found = pf.search(TIC_TAC_TOE, "x........", using="minimax", depth=0, native=False)
    assert (found.action, found.nodes, found.line) == (None, 1, ())
    assert found.value == TIC_TAC_TOE.evaluate(pf.parse_state(TIC_TAC_TOE, "x........"))


def test_a_finished_game_has_a_value_and_no_action():
    for using in SEARCHES:
        found = pf.search(TIC_TAC_TOE, "xxxoo....", using=using, native=False)
        assert found.action is None and found.best == () and found.line == ()
        assert found.value == ((1.0, -1.0) if using == "max_n" else 1.0)


def test_parameters_of_the_engine_are_refused_elsewhere():
    with pytest.raises(pf.Unsuitable, match="takes no lines: that is for 'engine'"):
        pf.search(TIC_TAC_TOE, using="alpha_beta", lines=3)
    with pytest.raises(pf.Unsuitable, match="can't be watched"):
        pf.record(pf.load("pig"), using="dice_engine", depth=2)
    with pytest.raises(pf.BadLimits, match="table_mib"):
        pf.search(TIC_TAC_TOE, using="engine", table_mib=-1)


@pytest.mark.parametrize("using", SEARCHES)
def test_a_win_in_one_is_found_by_searches(using):
    found = pf.search(TIC_TAC_TOE, "xx.oo....", using=using, depth=1, native=False)
    assert found.text(found.action) == "3"
    for_o = pf.search(TIC_TAC_TOE, "xx.oo...x", using=using, depth=1, native=False)
    assert for_o.text(for_o.action) == "6"


def test_values_are_those_of_max_whoever_moves():
    for using in ("minimax", "negamax", "alpha_beta", "expectiminimax", "expectimax"):
        found = pf.search(TIC_TAC_TOE, "xx.oo...x", using=using, depth=1, native=False)
        assert (found.value, found.player) == (-1.0, 0), using
    paranoid = pf.search(TIC_TAC_TOE, "xx.oo...x", using="paranoid", depth=1, native=False)
    assert (paranoid.value, paranoid.player) == (1.0, 1)


def test_an_evaluation_can_be_any_function_of_a_state():
    found = pf.search(TIC_TAC_TOE, depth=1, using="minimax", evaluate=lambda s: 1.0 if s.x == 0b10000 else 0.0)
    assert found.text(found.action) == "5"
    assert found.best == (4,)


def test_expectimax_follows_the_policy_that_it_is_given():
    """An opponent who always takes the first free cell loses to two in a row elsewhere."""
    first = lambda s, cell: 1.0 if not any(not (s.x | s.o) >> c & 1 for c in range(cell)) else 0.0  # noqa: E731
    found = pf.search(TIC_TAC_TOE, using="expectimax", policy=first, native=False, depth=6)
    assert found.value == 1.0
    uniform = pf.search(TIC_TAC_TOE, using="expectimax")
    assert uniform.value == pytest.approx(0.9947916666666666)
    assert [uniform.text(a) for a in uniform.best] == ["1", "3", "7", "9"]


def test_a_policy_is_refused_where_it_means_nothing():
    with pytest.raises(pf.Unsuitable, match="expectimax"):
        pf.search(TIC_TAC_TOE, using="minimax", policy=lambda s, a: 0.5)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"depth": -1}, "depth is -1"),
        ({"depth": 10**9}, "from 0 to 1000"),
        ({"depth": 2.5}, "whole number"),
        ({"nodes": 0}, "nodes is 0"),
        ({"seconds": 0}, "seconds is 0"),
        ({"seconds": -1.0}, "positive"),
        ({"seconds": math.nan}, "positive"),
        ({"seconds": math.inf}, "positive"),
    ],
)
def test_limits_out_of_range_are_refused_in_words(limits, words):
    with pytest.raises(pf.BadLimits, match=words):
        pf.search(TIC_TAC_TOE, **limits)


def test_an_unknown_search_names_those_there_are():
    with pytest.raises(pf.Unsuitable, match="alpha_beta"):
        pf.search(TIC_TAC_TOE, using="beta_alpha")


def test_a_time_limit_is_kept():
    game = pf.load("connect4")
    pf.search(game, seconds=0.01)  # compiles
    began = time.perf_counter()
    found = pf.search(game, seconds=0.3)
    assert time.perf_counter() - began < PATIENCE
    assert found.reason == "seconds" and found.depth >= 1 and found.action is not None


def test_deepening_stops_when_the_whole_game_has_been_seen():
    found = pf.search(TIC_TAC_TOE, "xoxoxo...", seconds=30.0, native=False)
    assert found.reason == "complete" and found.value == 1.0


def test_deepening_stops_at_the_depth_limit():
    found = pf.search(TIC_TAC_TOE, depth=3, nodes=10**6, native=False)
    assert (found.reason, found.depth) == ("depth", 3)


class Endless(pf.Game):
    """Two players pass forever."""

    def start(self):
        return 0

    def player(self, s):
        return s % 2

    def actions(self, s):
        yield 1

    def result(self, s, a):
        return s + 1

    def terminal(self, s):
        return False

    def utility(self, s):
        return 0.0


@pytest.mark.parametrize("using", SEARCHES)
@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_an_endless_game_is_stopped_at_the_recursion_bound(using, native):
    deepens = using in ("engine", "dice_engine")
    if native and not deepens and using not in ("minimax", "max_n"):
        pytest.skip("one search with numbers and one with tuples are enough to compile here")
    if using == "engine" and os.environ.get("PLYFORGE_TEST_FULL") != "1":
        pytest.skip("it searches every depth up to there, which is for `make test-full`")
    if not native and deepens:
        pytest.skip("it searches every depth up to there, which takes minutes interpreted")
    with pytest.raises(pf.TooDeep, match=f"{MAX_PLY} plies"):
        pf.search(Endless(), using=using, native=native)
    if not deepens and using != "safe_response":  # that one searches below every node
        assert pf.search(Endless(), using=using, depth=MAX_PLY, native=native).nodes == MAX_PLY + 1


class DeadEnd(Endless):
    """A live state without actions."""

    def actions(self, s):
        if s < 2:
            yield 1


def test_a_live_state_without_actions_is_reported():
    with pytest.raises(pf.BadRules, match="not terminal and has no actions"):
        pf.search(DeadEnd(), using="minimax", native=False)


class Words:
    """A state that is no tuple and no number."""

    def __init__(self, letters):
        self.letters = letters


class LastLetter(pf.Game):
    """Players add letters to a word of three; MAX wants it to end in z."""

    def start(self):
        return Words("")

    def player(self, s):
        return len(s.letters) % 2

    def actions(self, s):
        return ["a", "z"]

    def result(self, s, a):
        return Words(s.letters + a)

    def terminal(self, s):
        return len(s.letters) == 3

    def utility(self, s):
        return 1 if s.letters.endswith("z") else -1


@pytest.mark.parametrize("using", SEARCHES)
def test_states_and_actions_can_be_any_python_objects(using):
    found = pf.search(LastLetter(), using=using, native=False)
    assert found.value == ((1.0, -1.0) if using == "max_n" else 1.0)
    assert found.action == "a"
    others = (
        "alpha_beta",
        "paranoid",
        "best_reply",
        "safe_response",
        "star1",
        "star2",
        "engine",
        "dice_engine",
    )
    assert found.nodes == 15 or using in others


class Score(NamedTuple):
    kept: tuple[int, int]
    player: int
    left: int


class TwoGoals(pf.Game):
    """Not constant-sum: both may win."""

    utility_sum = None
    min_utility, max_utility = 0.0, 9.0

    def start(self):
        return Score((0, 0), 0, 3)

    def player(self, s):
        return s.player

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, share):
        mine, other = s.kept
        kept = (mine + 1, other + 2 * share) if s.player == 0 else (mine + 2 * share, other + 1)
        return Score(kept, 1 - s.player, s.left - 1)

    def terminal(self, s):
        return s.left == 0

    def utility(self, s):
        return (float(s.kept[0]), float(s.kept[1]))


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=compiles)])
def test_a_game_that_is_not_constant_sum_is_played_by_max_n_and_refused_by_minimax(native):
    found = pf.search(TwoGoals(), native=native)
    assert found.using == "max_n"
    assert found.value == (2.0, 1.0)
    assert found.best == (0, 1)
    for using in ("minimax", "negamax", "alpha_beta", "expectiminimax"):
        with pytest.raises(pf.Unsuitable, match="Use 'max_n'"):
            pf.search(TwoGoals(), using=using)


def test_results_are_plain_json():
    for using in SEARCHES:
        found = pf.search(TIC_TAC_TOE, "x...o....", using=using, depth=3, native=False)
        record = json.loads(json.dumps(found.to_json(), allow_nan=False))
        wanted = {"action", "value", "values", "best", "line", "nodes", "depth", "seconds", "reason"}
        assert wanted <= set(record)
        assert record["action"] == record["best"][0]


def test_progress_is_reported_while_a_long_search_runs():
    seen = []
    pf.search(pf.load("connect4"), on_progress=seen.append, seconds=1.5)
    assert len(seen) >= 2
    assert all(a.nodes >= 0 and a.seconds > 0 for a in seen)


def test_an_exception_in_a_progress_callback_stops_the_search():
    def fail(progress):
        raise RuntimeError("enough")

    began = time.perf_counter()
    with pytest.raises(RuntimeError, match="enough"):
        pf.search(pf.load("connect4"), depth=40, on_progress=fail)
    assert time.perf_counter() - began < PATIENCE


def test_searches_are_plain_values():
    assert make_search("alpha-beta", TIC_TAC_TOE) == make_search("alpha_beta", TIC_TAC_TOE)
    assert Limits(depth=3) == Limits(3)


def test_every_exported_name_is_there():
    for name in pf.__all__:
        assert getattr(pf, name) is not None
    assert sorted(pf.__all__) == sorted(pf._HOME)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = pf.nonsense


def test_a_module_that_can_be_called_has_the_whole_signature_of_its_function():
    import inspect

    first = {name: next(iter(inspect.signature(getattr(pf, name)).parameters)) for name in ("search", "check", "solve")}
    assert first == {"search": "game", "check": "game", "solve": "game"}
    assert inspect.signature(pf.search) == inspect.signature(pf.search.search)


@pytest.mark.parametrize("name", ["search", "check", "solve", "draw"])
def test_help_for_a_module_that_can_be_called_is_that_of_its_function(name):
    import inspect
    import pydoc

    face = getattr(pf, name)
    text = pydoc.render_doc(face, renderer=pydoc.plaintext)
    assert f"function {name} in module plyforge.{name}" in text
    assert len(text.splitlines()) < 90
    assert face.__doc__.partition("`parameters`")[0] in inspect.getsource(face)


def test_a_module_that_can_be_called_still_has_all_that_is_in_it():
    import importlib
    import pickle

    import plyforge.search.textbook.alpha_beta as file

    module = importlib.import_module("plyforge.search")
    assert module("tic_tac_toe", depth=1).depth == 1
    assert pf.search.textbook.alpha_beta is file
    assert all(getattr(pf.search, name) is getattr(module, name) for name in module.__all__)
    assert pickle.loads(pickle.dumps(pf.search)) is pf.search
    assert pf.kernel.__doc__.startswith("Mark a search function.")


@pytest.mark.parametrize(
    ("using", "meant"),
    [
        ("mcts", "uct"),
        ("MCTS", "uct"),
        ("alphabeta", "alpha_beta"),
        ("AlphaBeta", "alpha_beta"),
        ("alpha_bet", "alpha_beta"),
        ("minmax", "minimax"),
        ("pvs", "engine"),
        ("negascout", "engine"),
        ("maxn", "max_n"),
        ("max^n", "max_n"),
        ("A*", "a_star"),
        ("star-2", "star2"),
        ("iterative deepening", "engine"),
    ],
)
def test_searches_by_the_names_that_they_have_elsewhere(using, meant):
    from plyforge.play import parse_player

    with pytest.raises(pf.Unsuitable, match=f"did you mean '{meant}'"):
        pf.search("tic_tac_toe", using=using)
    with pytest.raises(pf.BadText, match=f"did you mean {meant}"):
        parse_player(using)


def test_whatever_search_elsewhere_is_called_it_is_one_of_ours():
    from plyforge.search import searches
    from plyforge.search.names import nearest
    from plyforge.search.registry import aliases

    for name, ours in aliases().items():
        assert nearest(name, searches()) == ours
    assert nearest("xyzzy", searches()) is None


@pytest.mark.parametrize("name", sorted(pf.search.searches()))
def test_every_field_of_a_search_is_a_parameter(name):
    import dataclasses

    game = pf.load("tic_tac_toe")
    cls = pf.search.searches()[name]
    plain = cls()
    for field in dataclasses.fields(cls):
        value = getattr(plain, field.name)
        made = make_search(name, game, **{field.name: value})
        assert getattr(made, field.name) == value
        assert getattr(make_search(plain, game, **{field.name: value}), field.name) == value


def test_parameters_of_the_searches_that_sample_are_taken_and_used():
    common = {"using": "uct", "simulations": 200, "native": False}
    plain = pf.search("tic_tac_toe", **common)
    for more in ({"rollout_depth": 1}, {"exploration": 0.1}, {"rave": 50.0}, {"rollouts": 3}):
        assert pf.search("tic_tac_toe", **common, **more).values != plain.values
    state = "xx.oo...."
    assert pf.search("tic_tac_toe", state, **common).reason == "complete"
    assert pf.search("tic_tac_toe", state, solve=False, **common).reason == "simulations"


@pytest.mark.parametrize(
    ("using", "parameter", "error", "words"),
    [
        ("uct", {"explration": 1.0}, pf.Unsuitable, "did you mean exploration"),
        ("uct", {"iterations": 5}, pf.Unsuitable, "did you mean simulations"),
        ("minimax", {"max_depth": 5}, pf.Unsuitable, "did you mean depth"),
        ("minimax", {"xyzzy": 5}, pf.Unsuitable, "no search takes xyzzy: minimax takes"),
        ("minimax", {"rave": 5.0}, pf.Unsuitable, "minimax takes no rave: that is for 'uct'"),
        (pf.search.Uct(), {"sede": 5}, pf.Unsuitable, "did you mean seed"),
        ("uct", {"exploration": "much"}, pf.BadLimits, "exploration is 'much'"),
        ("uct", {"rave": "yes"}, pf.BadLimits, "rave is 'yes'"),
        ("uct", {"solve": "no"}, pf.BadLimits, "solve is 'no'; it must be True or False"),
    ],
)
def test_a_parameter_that_there_is_not_is_refused_in_a_sentence(using, parameter, error, words):
    with pytest.raises(error, match=words):
        pf.search("tic_tac_toe", using=using, **parameter)


def test_whatever_takes_a_game_takes_its_name():
    assert pf.perft("tic_tac_toe", 2, native=False).nodes == 72
    assert pf.census("tic_tac_toe").states == pf.solve.backward_induction("tic_tac_toe").states == 5478
    assert pf.make_strategy("tic_tac_toe").size == 99
    assert pf.record("tic_tac_toe", depth=1).result.value == pf.search("tic_tac_toe", depth=1).value
    assert pf.solve.Solver("nim(heaps=(1, 2))", native=False).value() == 1.0
    assert pf.solve.prove("nim(heaps=(1, 2))", native=False).proven
    assert pf.solve.strongly("nim(heaps=(1, 2))", native=False).value == 1.0
    assert next(pf.solve.reachable("nim")) == pf.load("nim").start()
    with pytest.raises(pf.BadRules, match=r"plyforge\.load\('nim'\)"):
        pf.check("nim")


def test_evaluations_that_look_alike_are_told_apart_in_compiled_code():
    """Lambdas share a name, closures share their code: what counts is what they do."""
    values = [
        pf.search(TIC_TAC_TOE, using="minimax", depth=1, evaluate=e).value for e in (lambda s: 0.25, lambda s: -0.75)
    ]
    assert values == [0.25, -0.75]

    def constant(number):
        return lambda s: number

    found = [pf.search(TIC_TAC_TOE, using="minimax", depth=1, evaluate=constant(n)).value for n in (0.1, 0.2)]
    assert found == [0.1, 0.2]


class Sized(pf.Game):
    """A plain class with an attribute that is no field."""

    def __init__(self, size):
        self._size = size

    def start(self):
        return (self._size, 0)

    def player(self, s):
        return s[1]

    def actions(self, s):
        for n in range(1, min(self._size, s[0]) + 1):
            yield n

    def result(self, s, n):
        return (s[0] - n, 1 - s[1])

    def terminal(self, s):
        return s[0] == 0

    def utility(self, s):
        return float(self._size) / 9.0


@compiles
def test_attributes_that_are_no_fields_count_in_compiled_code():
    for size in (3, 5):
        slow, fast = (pf.search(Sized(size), using="minimax", native=native) for native in (False, True))
        assert (slow.value, slow.nodes) == (fast.value, fast.nodes)


def test_a_policy_that_is_no_distribution_is_refused():
    with pytest.raises(pf.BadRules, match="sum to 1"):
        pf.search(TIC_TAC_TOE, using="expectimax", policy=lambda s, a: 0.5, native=False, depth=3)


def test_parameters_reach_a_search_that_is_given_as_an_object():
    found = pf.search(TIC_TAC_TOE, using=SEARCHES["alpha_beta"](), all_best=True, depth=2, native=False)
    assert len(found.best) == len(pf.search(TIC_TAC_TOE, using="minimax", depth=2, native=False).best)
    assert pf.search(TIC_TAC_TOE, using=SEARCHES["minimax"], depth=1, evaluate=lambda s: 0.5, native=False).value == 0.5
    with pytest.raises(pf.Unsuitable, match="minimax takes no lines"):
        pf.search(TIC_TAC_TOE, using=SEARCHES["minimax"](), lines=2)


def test_a_game_can_be_named_and_limits_can_be_numpys():
    import numpy as np

    assert pf.search("tic_tac_toe", depth=np.int64(2), native=False).depth == 2


def test_the_error_for_a_game_with_dice_names_both_searches_that_take_it():
    with pytest.raises(pf.Unsuitable, match="Use 'expectiminimax' or 'dice_engine' instead"):
        pf.search("pig", using="engine")
    with pytest.raises(pf.Unsuitable, match="Use 'max_n' or 'uct' instead"):
        pf.search("three_nim", using="engine")


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"seconds": "3"}, "seconds is '3'"),
        ({"nodes": 10**30}, "nodes is 10{30}; "),
        ({"clock": "60+1"}, r"Clock.parse\('60\+1'\)"),
        ({"table_mib": "64"}, "table_mib is '64'"),
        ({"table_mib": 2.0**20}, "less than 1048576"),
        ({"lines": 1.5}, "lines is 1.5"),
        ({"lines": "3"}, "lines is '3'"),
        ({"only": 3}, "only is 3; it must be a tuple"),
        ({"using": "uct", "simulations": 10**30}, "simulations is 10{30}; "),
        ({"using": "uct", "seed": "one"}, "seed is 'one'"),
    ],
)
def test_limits_and_parameters_of_the_wrong_kind_are_refused_in_words(parameters, said):
    with pytest.raises(pf.BadLimits, match=said):
        pf.search(TIC_TAC_TOE, **{"using": "engine", "native": False} | parameters)


def test_a_search_is_given_by_name_or_as_an_object():
    with pytest.raises(pf.Unsuitable, match="using is 3; it must be the name of a search"):
        pf.search(TIC_TAC_TOE, using=3)


def test_numbers_of_numpy_are_limits_like_others():
    found = pf.search(TIC_TAC_TOE, using="engine", seconds=np.float32(5), depth=np.int64(2), native=False)
    assert found.depth == 2
    clock = pf.search.Clock(np.float32(5))
    assert pf.search(TIC_TAC_TOE, using="engine", clock=clock, depth=2, native=False).depth == 2


def test_what_fails_in_the_rules_of_a_game_of_ours_is_said_with_its_place():
    with pytest.raises(pf.BadRules, match=r"the rules raised AttributeError \(tic_tac_toe.py, line \d+\)"):
        pf.search(TIC_TAC_TOE, 42, using="engine", native=False)


def test_an_estimate_that_is_no_number_is_blamed():
    with pytest.raises(pf.BadRules, match="an estimate is not a finite number"):
        pf.search(TIC_TAC_TOE, using="engine", depth=2, evaluate=lambda s: math.nan, native=False)


class Sticks(NamedTuple):
    left: int
    player: int


class LastStick(pf.Game):
    """Take one to three of nine; whoever takes the last one wins. Only taking one wins."""

    def start(self):
        return Sticks(9, 0)

    def player(self, s):
        return s.player

    def actions(self, s):
        for taken in range(1, min(3, s.left) + 1):
            yield taken

    def result(self, s, taken):
        return Sticks(s.left - taken, 1 - s.player)

    def terminal(self, s):
        return s.left == 0

    def utility(self, s):
        return -1.0 if s.player == 0 else 1.0


class HashedByPython(LastStick):
    def key(self, s):
        return hash(s)


@pytest.mark.parametrize("using", ["engine", "dice_engine"])
def test_a_key_may_be_pythons_hash_which_may_be_negative(using):
    game = HashedByPython()
    assert any(game.key(Sticks(left, 0)) < 0 for left in range(10))
    found = pf.search(game, using=using, native=False)
    assert (found.value, found.best) == (1.0, (1,))
    assert Solver(game, native=False).solve().best == (1,)


class PromisingHeuristics(Heuristics):
    def ordering(self, game, s, taken):
        return game.number


class Promising(LastStick):
    """Promises that no lawful game makes."""

    heuristics = PromisingHeuristics()

    def __init__(self, number):
        self.number = number


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
@pytest.mark.parametrize("number", [math.nan, pytest.param(-math.inf, marks=pytest.mark.full)])
def test_a_promise_that_is_no_number_costs_order_and_not_truth(number, native):
    for using in ("engine", "dice_engine") if not native else ("engine",):
        found = pf.search(Promising(number), using=using, native=native)
        assert (found.value, found.best, found.exact) == (1.0, (1,), True)


def test_bounds_without_end_are_refused_where_they_are_needed():
    game = LastStick()
    game.min_utility, game.max_utility = -math.inf, math.inf
    for using in ("uct", "puct"):
        with pytest.raises(pf.Unsuitable, match="explores by the range of the utility"):
            pf.search(game, using=using, native=False)


def test_solving_says_where_a_live_state_has_no_actions():
    class Stuck(LastStick):
        def actions(self, s):
            for taken in range(1, min(3, s.left) + 1):
                if s.left != 5:
                    yield taken

    with pytest.raises(pf.BadRules, match="not terminal and has no actions"):
        Solver(Stuck(), native=False).solve()


def _divides(s):
    return 1.0 / 0.0


def _gives_nothing(s):
    return None


def _knows_no_action(s, action):
    return {}[action]


class _Wrong(pf.Evaluation):
    def estimate(self, game, s):
        return s.nonsense


class _Silly(pf.Policy):
    def replies(self, game, s):
        yield 1, s.nonsense


@pytest.mark.parametrize("using", ["alpha_beta", "minimax", "engine", "uct"])
@pytest.mark.parametrize(
    ("evaluate", "words"),
    [
        (_divides, r"evaluate \(`_divides`\) raised ZeroDivisionError \(test_search.py, line \d+\)"),
        (
            _gives_nothing,
            r"the rules or evaluate \(`_gives_nothing`, test_search.py, line \d+\) gave can't be",
        ),
        (_Wrong(), r"evaluate \(`_Wrong`\) raised AttributeError \(test_search.py, line \d+\)"),
        (lambda: 0.0, r"evaluate \(`<lambda>`, test_search.py, line \d+\) is asked with a state"),
    ],
)
def test_what_an_evaluation_does_wrong_is_not_blamed_on_the_rules(using, evaluate, words):
    with pytest.raises(pf.BadRules, match=words) as caught:
        pf.search("tic_tac_toe", using=using, depth=2, evaluate=evaluate, native=False)
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize("using", ["expectimax", "safe_response"])
@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (_knows_no_action, r"policy \(`_knows_no_action`\) raised KeyError \(test_search.py, line \d+\)"),
        (_Silly(), r"policy \(`_Silly`\) raised AttributeError \(test_search.py, line \d+\)"),
        (
            lambda s: 1.0,
            r"policy \(`<lambda>`, test_search.py, line \d+\) is asked with a state and an action",
        ),
    ],
)
def test_what_a_policy_does_wrong_is_not_blamed_on_the_rules(using, policy, words):
    with pytest.raises(pf.BadRules, match=words):
        pf.search("tic_tac_toe", using=using, depth=2, policy=policy, native=False)


def test_rules_that_fail_are_blamed_also_where_an_evaluation_is_given():
    class Broken(type(TIC_TAC_TOE)):
        def result(self, s, action):
            return s.nonsense

    with pytest.raises(pf.BadRules, match=r"^the rules raised AttributeError \(test_search.py"):
        pf.search(Broken(), using="minimax", depth=2, evaluate=_divides, native=False)


def test_compiled_code_names_everybody_who_took_part():
    with pytest.raises(pf.BadRules, match=r"(the rules or )?evaluate \(`_divides`.*raised ZeroDivisionError"):
        pf.search("tic_tac_toe", using="minimax", depth=1, evaluate=_divides)


def test_what_is_not_a_game_is_refused_in_a_sentence():
    cls = type(TIC_TAC_TOE)
    with pytest.raises(pf.GameNotFound, match=r"TicTacToe is a class; a game is an object of it: TicTacToe\(\)"):
        pf.search(cls)
    with pytest.raises(pf.GameNotFound, match="3 is no game: give an object"):
        pf.perft(3, 2)
    for search in (pf.search.AlphaBeta(), pf.search.Uct(), pf.search.RegretMatching(), pf.search.AStar()):
        with pytest.raises(pf.Unsuitable, match=r"'tic_tac_toe' is none: pf\.load finds"):
            search.search("tic_tac_toe")


def test_progress_is_written_in_a_line():
    from plyforge.search import Progress

    class Long:
        def __repr__(self):
            return "x" * 10_000

    progress = Progress(5, 0.5, 3, 0.25, (1, 2), found=Long(), read=Long())
    assert repr(progress) == "Progress(nodes=5, seconds=0.5, depth=3, value=0.25, line=(1, 2), table_used=None)"
