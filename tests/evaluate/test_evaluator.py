"""The evaluator seam: the value of a state, or priors and value once for each node; mixed with rollouts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles, thinned
from plyforge.errors import BadLimits, BadRules, CannotCompile
from plyforge.evaluate import Evaluation, PolicyFunction, as_evaluation
from plyforge.evaluate.policy import gives_priors

SPEEDS = [False, pytest.param(True, marks=[compiles, pytest.mark.full])]
"""Compiled in every run is the one tree that is compared at both speeds, and the one that threads share."""
SETTINGS = {"simulations": 300, "seed": 5, "solve": False}


def visits(found: Any) -> list[int]:
    return [found.visits.get(column, 0) for column in range(7)]


@dataclass(frozen=True)
class Central(Evaluation):
    """Connect Four: the middle column is the best, says this one, and X is a little ahead."""

    ahead: float = 0.1

    def estimate(self, game: Any, s: Any) -> Any:
        return self.ahead + 0.01 * (s.both % 7)

    def policy_value(self, game: Any, s: Any, priors: Any) -> Any:
        for number, column in enumerate(game.actions(s)):
            priors[number] = 1.0 / (1.0 + abs(column - 3))
        return self.ahead + 0.01 * (s.both % 7)


@dataclass(frozen=True)
class CentralValue(Evaluation):
    """The same without priors."""

    def estimate(self, game: Any, s: Any) -> Any:
        return 0.1 + 0.01 * (s.both % 7)


# ------------------------------------------------------------ values mixed with rollouts
@pytest.mark.parametrize("native", SPEEDS)
@pytest.mark.parametrize("using", ["uct", "puct"])
def test_a_mix_of_nothing_is_the_pure_form(using: str, native: bool) -> None:
    settings = {"using": using, "native": native, **SETTINGS}
    estimates = pf.search("connect4", evaluate=CentralValue(), rollout_depth=0, **settings)
    none = pf.search("connect4", evaluate=CentralValue(), rollout_share=0.0, **settings)
    assert visits(none) == visits(estimates) and none.value == estimates.value
    rollouts = pf.search("connect4", **settings)
    whole = pf.search("connect4", evaluate=CentralValue(), rollout_share=1.0, **settings)
    assert visits(whole) == visits(rollouts) and whole.value == rollouts.value
    assert visits(none) != visits(whole)


@pytest.mark.parametrize("native", SPEEDS)
def test_between_them_values_are_mixed_in_proportion(native: bool) -> None:
    game = pf.load("tic_tac_toe")
    means = {}
    for share in (0.0, 0.25, 1.0):
        tree = pf.search.Uct(evaluation=as_evaluation(lambda s: 0.6), rollout_share=share, **SETTINGS).start(
            game, native
        )
        tree.think(limits=pf.Limits(depth=0))
        means[share] = tree.root_value(-1)
    assert means[0.0] == pytest.approx(0.6)
    assert means[0.25] == pytest.approx(0.25 * means[1.0] + 0.75 * 0.6)


@compiles
@pytest.mark.parametrize("share", thinned([None, 0.0, 0.3, 1.0], [0.3]))
def test_both_speeds_grow_the_same_tree(share: float | None) -> None:
    for evaluation in (Central(), CentralValue()):
        found = [
            pf.search("connect4", using="puct", evaluate=evaluation, rollout_share=share, native=n, **SETTINGS)
            for n in (False, True)
        ]
        assert visits(found[0]) == visits(found[1])
        assert found[0].value == pytest.approx(found[1].value, abs=1e-12)


@pytest.mark.parametrize("share", [-0.1, 1.1, "half", float("nan")])
def test_a_share_is_a_number_from_0_to_1(share: Any) -> None:
    with pytest.raises(BadLimits, match="rollout_share"):
        pf.search("connect4", using="puct", rollout_share=share, native=False)


# ------------------------------------------------------------ priors
@pytest.mark.parametrize("native", SPEEDS)
def test_priors_of_an_evaluation_steer_visits(native: bool) -> None:
    settings = {"using": "puct", "native": native, "exploration": 2.0, **SETTINGS}
    by_priors = visits(pf.search("connect4", evaluate=Central(), **settings))
    assert by_priors[3] == max(by_priors) and by_priors[3] > 2 * by_priors[0]
    assert by_priors == visits(pf.search("connect4", evaluate=Central(), rollout_share=0.0, **settings))


def test_priors_of_a_function_steer_visits() -> None:
    def favour(column: int) -> Any:
        return lambda s: ({column: 0.9, 5: 0.1}, 0.0)

    for column in (0, 6):
        found = pf.search("connect4", using="puct", evaluate=favour(column), simulations=100, solve=False)
        counts = visits(found)
        assert counts[column] > 50 and sum(counts) - counts[column] - counts[5] == 0
    uniform = visits(pf.search("connect4", using="puct", evaluate=lambda s: (None, 0.0), simulations=141))
    assert max(uniform) - min(uniform) <= 1


def test_values_of_a_function_count_as_well() -> None:
    """Whoever has taken the leftmost column is thought to win: both are led there by the value alone."""

    def leftmost(s: Any) -> Any:
        mover_has, other_has = s.mine & 1, (s.both ^ s.mine) & 1
        value = other_has - mover_has
        return None, float(value if s.ply & 1 else -value) * 0.5

    counts = visits(pf.search("connect4", using="puct", evaluate=leftmost, simulations=200))
    assert counts[0] == max(counts) > 100


def test_a_function_is_asked_once_for_each_node() -> None:
    asked: Counter[Any] = Counter()

    def count(s: Any) -> Any:
        asked[s] += 1
        return [1.0] * game.count(s), 0.0

    game = pf.load("nim")
    settings = {"using": "puct", "evaluate": count, "simulations": 40, "solve": False}
    pf.search(game, **settings)
    assert asked[game.start()] == 2, "once to see what it gives, once for the root"
    assert sum(asked.values()) <= 42


def test_an_evaluation_with_priors_makes_the_games_ordering_unasked() -> None:
    from plyforge.search.mcts.selection.puct import PredictorUcb, PriorUcb

    game = pf.load("checkers")
    assert type(pf.search.Puct().selection(game)) is PriorUcb
    assert type(pf.search.Puct(evaluation=Central()).selection(game)) is PredictorUcb


def test_games_of_chance_and_of_three_take_priors_and_value() -> None:
    found = pf.search("pig(20)", using="puct", evaluate=lambda s: (None, 0.0), simulations=200, native=False)
    assert found.action is not None
    found = pf.search("three_nim", using="puct", evaluate=lambda s: (None, (2.0, 0.0, 0.0)), simulations=50)
    assert found.action is not None


@pytest.mark.full
@compiles
def test_several_threads_share_a_tree_with_priors() -> None:
    found = pf.search(
        "connect4", using="puct", evaluate=Central(), simulations=4000, threads=2, native=True, solve=False
    )
    counts = visits(found)
    assert sum(counts) >= 3900 and counts[3] == max(counts)


def test_what_is_wrong_with_an_answer_is_said_in_a_sentence() -> None:
    for answer, words in (
        (([1.0, 2.0], 0.0), "2 priors for 7 actions"),
        (([-1.0] * 7, 0.0), "at least 0"),
        (([float("nan")] * 7, 0.0), "at least 0"),
    ):
        with pytest.raises(BadRules, match=words):
            pf.search("connect4", using="puct", evaluate=lambda s, a=answer: a, simulations=10)
    with pytest.raises(CannotCompile, match="interpreted only"):
        pf.search("connect4", using="puct", evaluate=lambda s: (None, 0.0), native=True)


def test_payoffs_are_no_priors() -> None:
    assert not gives_priors((0.5, -0.5)) and not gives_priors(0.3) and not gives_priors((1, 2, 3))
    assert gives_priors((None, 0.0)) and gives_priors(({}, 0.0)) and gives_priors(([1.0], (0.0, 1.0)))


def test_searches_without_priors_ask_for_the_value() -> None:
    both = PolicyFunction(lambda s: (None, 0.01 * (s.both % 7)))
    value = pf.search("connect4", using="alpha_beta", evaluate=lambda s: 0.01 * (s.both % 7), depth=3)
    assert pf.search("connect4", using="alpha_beta", evaluate=both, depth=3, native=False).value == value.value
