"""Where players choose at once: the contract, refusals, exact solutions, and the searches held against them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import CHANCE, SIMULTANEOUS, Game
from plyforge.errors import BadLimits, Unsuitable
from plyforge.play import Engine
from plyforge.search import AT_ONCE, MONTE_CARLO, SEARCHES, DecoupledUct, Limits, RegretMatching
from plyforge.solve import equilibria, stage_equilibrium

FIELDS = (
    "action",
    "value",
    "values",
    "best",
    "line",
    "nodes",
    "depth",
    "reason",
    "player",
    "policies",
    "visits",
    "simulations",
)
CHOOSING_AT_ONCE = ("goofspiel", "matrix", "pursuit", "repeated_prisoners_dilemma")


class Place(NamedTuple):
    """Where the mixed game below stands."""

    ply: int
    bet: int


@dataclass(frozen=True)
class Mixed(Game):
    """MAX alone says how much a toss of pennies is for, a die may double it, then both choose at once: all kinds of
    nodes, and rewards."""

    min_utility, max_utility = -5.0, 5.0

    def start(self):
        return Place(0, 0)

    def player(self, s):
        return 0 if s.ply == 0 else CHANCE if s.ply == 1 else SIMULTANEOUS

    def legal_actions(self, s, player):
        yield 0
        yield 1

    def actions(self, s):
        if s.ply == 0:
            yield 1, 0
            yield 2, 0
        else:
            for first in range(2):
                for second in range(2):
                    yield first, second

    def chance(self, s):
        yield (1, 0), 0.75
        yield (2, 0), 0.25

    def result(self, s, action):
        if s.ply == 0:
            return Place(1, action[0])
        if s.ply == 1:
            return Place(2, s.bet * action[0])
        return Place(3, s.bet)

    def rewards(self, s, action):
        if s.ply == 0:
            return (0.5, -0.5) if action[0] == 2 else (0.0, 0.0)
        if s.ply == 2:
            # Equal pennies win the bet for MAX; heads and heads only half of it, so that both must mix unevenly.
            won = s.bet * (0.5 if action == (0, 0) else 1.0 if action == (1, 1) else -1.0)
            return (won, -won)
        return (0.0, 0.0)

    def terminal(self, s):
        return s.ply == 3

    def utility(self, s):
        return 0.0


# ------------------------------------------------------------ the contract
def test_joint_actions_come_from_choices_the_last_player_fastest() -> None:
    game = pf.load("matrix(name='odd_one_out')")
    actions = list(game.actions(game.start()))
    assert actions == [(i, j, k) for i in range(2) for j in range(2) for k in range(2)]


def test_rules_without_choices_and_without_actions_are_still_told_so() -> None:
    class Nothing(Game):
        pass

    with pytest.raises(NotImplementedError, match="has no actions"):
        list(Nothing().actions(None))


def test_a_game_of_all_kinds_of_nodes_is_lawful() -> None:
    report = pf.check(Mixed(), native=False)
    assert report.ok and report.complete, str(report)


@pytest.mark.parametrize("name", CHOOSING_AT_ONCE)
def test_every_other_search_refuses_and_says_what_to_use(name: str) -> None:
    game = pf.load(name)
    for using in [*SEARCHES, *MONTE_CARLO]:
        with pytest.raises(
            Unsuitable, match=r"at the same time in it\. Use 'regret_matching' instead, or .*plyforge solve"
        ):
            pf.search(game, using=using, depth=2)
    for refused in (
        pf.solve.backward_induction,
        pf.solve.Solver,
        pf.solve.prove,
        pf.solve.value_iteration,
        pf.make_strategy,
    ):
        with pytest.raises(Unsuitable, match="at the same time"):
            refused(game)
    assert Engine(game).search.name == pf.search.suitable(game) == "regret_matching"


def test_rewards_alone_are_refused_too() -> None:
    class Paid(type(pf.load("tic_tac_toe"))):  # type: ignore[misc]
        def rewards(self, s: Any, action: Any) -> tuple[float, ...]:
            return 0.1, -0.1

    with pytest.raises(Unsuitable, match="rewards on the way"):
        pf.search(Paid(), using="expectiminimax", depth=2)


def test_counting_takes_joint_actions_for_actions() -> None:
    game = pf.load("repeated_prisoners_dilemma(rounds=3)")
    assert pf.perft(game, 3, native=False).nodes == 4**3
    assert pf.census(game).states == 1 + 3 * 4


# ------------------------------------------------------------ exact solutions
def test_a_stage_of_every_kind_is_solved() -> None:
    """By hand: [[b/2, -b], [-b, b]] is worth -b/7, mixed 4/7 and 3/7; the bet is on average 1.25 times what MAX
    says; saying two pays half a point."""
    solved = stage_equilibrium(Mixed())
    assert solved.value == pytest.approx(0.5 - 2 * 1.25 / 7, abs=1e-12)
    assert solved.actions[Place(0, 0)] == (2, 0)
    assert solved.value_of(Place(2, 4)) == pytest.approx(-4 / 7, abs=1e-12)
    for mix in solved.policy_of(Place(2, 4)):
        assert mix == pytest.approx({0: 4 / 7, 1: 3 / 7}, abs=1e-12)
    assert solved.regret < 1e-12


def test_solving_a_game_without_any_choice_at_once_is_backward_induction() -> None:
    for name in ("tic_tac_toe", "three_nim(sticks=7)", "tree(figure='expectiminimax_2_1')"):
        try:
            game = pf.load(name)
        except pf.PlyforgeError:
            continue
        assert stage_equilibrium(game).value == pytest.approx(pf.solve.backward_induction(game).value)


# ------------------------------------------------------------ searches
def profile(found) -> list[list[float]]:
    return [list(policy.values()) for policy in found.policies]


def test_regret_matching_finds_the_thirds_of_rock_paper_scissors() -> None:
    game = pf.load("matrix")
    found = pf.search(game, using="regret_matching", simulations=3000, native=False)
    for policy in found.policies:
        assert list(policy.values()) == pytest.approx([1 / 3] * 3, abs=0.06)
    assert equilibria.regret(game, profile(found)) < 0.1
    assert abs(found.value) < 0.01 and found.reason == "simulations"


def test_regret_matching_finds_uneven_mixes_and_dominant_choices() -> None:
    found = pf.search(pf.load("matrix([[3, -1], [-2, 1]])"), simulations=3000, native=False)
    assert found.using == "regret_matching"
    assert found.policies[0] == pytest.approx({0: 3 / 7, 1: 4 / 7}, abs=0.06)
    assert found.value == pytest.approx(1 / 7, abs=0.05)
    found = pf.search(pf.load("matrix(name='prisoners_dilemma')"), simulations=400, native=False)
    assert found.action == (1, 1) and found.value == pytest.approx((1, 1), abs=0.1)


@pytest.mark.parametrize("using", AT_ONCE)
def test_every_kind_of_node_is_searched(using: str) -> None:
    found = pf.search(Mixed(), using=using, simulations=6000, native=False)
    assert found.action == (2, 0) and found.policies[1] == {}
    assert found.values[2, 0] == pytest.approx(0.5 - 2.5 / 7, abs=0.1)
    assert found.line == ((2, 0),), "up to the first chance node"


def test_the_first_players_of_three_searches_have_tuples() -> None:
    found = pf.search(pf.load("matrix(name='odd_one_out')"), simulations=300, native=False)
    assert len(found.policies) == len(found.value) == 3 and found.player is None
    assert sum(found.value) == pytest.approx(0.0, abs=1e-9)


@compiles
@pytest.mark.parametrize("using", AT_ONCE)
def test_interpreted_and_compiled_grow_the_same_tree(using: str) -> None:
    game = pf.load("goofspiel(cards=3)")
    for state in (None, "1,2,3 1,2,3 3 1,2 +0"):
        slow = pf.search(game, state, using, simulations=250, native=False)
        fast = pf.search(game, state, using, simulations=250, native=True)
        assert fast.native and not slow.native
        for field in FIELDS:
            assert getattr(slow, field) == getattr(fast, field), field


@compiles
@pytest.mark.full
@pytest.mark.parametrize("using", AT_ONCE)
@pytest.mark.parametrize(
    "spec",
    [
        "matrix(name='odd_one_out')",
        "matrix(name='chicken')",
        "pursuit(steps=3)",
        "repeated_prisoners_dilemma(rounds=4)",
        "goofspiel(cards=3, order='descending', scoring='win')",
        "goofspiel(cards=3, order='ascending', scoring='points')",
    ],
)
def test_interpreted_and_compiled_grow_the_same_tree_of_every_game(using: str, spec: str) -> None:
    game = pf.load(spec)
    slow = pf.search(game, using=using, simulations=250, native=False)
    fast = pf.search(game, using=using, simulations=250, native=True)
    for field in FIELDS:
        assert getattr(slow, field) == getattr(fast, field), field


@compiles
@pytest.mark.full
def test_the_game_of_all_kinds_of_nodes_is_the_same_compiled() -> None:
    assert pf.check(Mixed(), native=True, seconds=60).ok
    for using in AT_ONCE:
        slow = pf.search(Mixed(), using=using, simulations=250, native=False)
        fast = pf.search(Mixed(), using=using, simulations=250, native=True)
        for field in FIELDS:
            assert getattr(slow, field) == getattr(fast, field), field


@compiles
def test_regret_matching_comes_near_the_exact_value_of_goofspiel() -> None:
    """Three cards, prizes at random: each first prize has one best bid. The error is in points, of 6 that there are."""
    game = pf.load("goofspiel(cards=3)")
    solved = stage_equilibrium(game)
    for state in ("1,2,3 1,2,3 1 2,3 +0", "1,2,3 1,2,3 2 1,3 +0", "1,2,3 1,2,3 3 1,2 +0"):
        found = pf.search(game, state, "regret_matching", simulations=20_000, native=True)
        assert equilibria.regret(solved.table_of(state), profile(found)) < 0.05
        assert found.value == pytest.approx(solved.value_of(state), abs=0.05)


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("cards", "error"), [(3, 0.01), (4, 0.5), (5, 1.0)])
def test_regret_matching_comes_near_the_exact_values_of_larger_goofspiel(cards: int, error: float) -> None:
    game = pf.load(f"goofspiel(cards={cards})")
    solved = stage_equilibrium(game)
    hand = ",".join(str(card) for card in range(1, cards + 1))
    for prize in range(1, cards + 1):
        others = ",".join(str(card) for card in range(1, cards + 1) if card != prize)
        state = f"{hand} {hand} {prize} {others} +0"
        found = pf.search(game, state, "regret_matching", simulations=200_000, native=True)
        assert equilibria.regret(solved.table_of(state), profile(found)) < error
        assert found.value == pytest.approx(0.0, abs=error / 2)


def test_limits_are_kept_and_wrong_ones_refused() -> None:
    game = pf.load("goofspiel(cards=4)")
    found = pf.search(game, simulations=60, depth=2, native=False)
    assert found.depth <= 2 and found.simulations == 60
    found = pf.search(game, nodes=20, simulations=60, native=False)
    assert found.nodes <= 20
    found = RegretMatching().search(game, None, Limits(seconds=0.2), native=False)
    assert found.reason == "seconds" and found.simulations > 0
    for cls, wrong in (
        (RegretMatching, {"exploration": 0.0}),
        (RegretMatching, {"simulations": 0}),
        (DecoupledUct, {"exploration": -1.0}),
    ):
        with pytest.raises(BadLimits, match=f"{next(iter(wrong))} is "):
            cls(**wrong)
    with pytest.raises(Unsuitable, match="watched"):
        RegretMatching().search(game, watch=object(), native=False)


def test_a_finished_game_and_a_chance_node_have_no_mixes() -> None:
    game = pf.load("goofspiel(cards=2)")
    found = pf.search(game, "- - - - +0", simulations=5, native=False)
    assert found.policies == () and found.action is None and found.value == 0.0
    found = pf.search(game, simulations=50, native=False)
    assert found.policies == () and found.line == ()


def test_the_same_seed_makes_the_same_tree_and_another_another() -> None:
    game = pf.load("matrix")
    one, same, other = (pf.search(game, simulations=200, seed=seed, native=False) for seed in (3, 3, 4))
    assert one.policies == same.policies != other.policies


def test_results_are_plain_json() -> None:
    import json

    found = pf.search(pf.load("matrix(name='chicken')"), simulations=50, native=False)
    data = json.loads(json.dumps(found.to_json()))
    assert data["policies"][0].keys() == {"swerve", "straight"} and data["using"] == "regret_matching"


@pytest.mark.parametrize("using", AT_ONCE)
def test_an_evaluation_that_is_given_speaks_in_place_of_rollouts(using):
    asked = []

    def lead(s):
        asked.append(s)
        return 0.0

    pf.search("goofspiel(cards=4)", using=using, evaluate=lead, simulations=20, native=False)
    assert asked
    asked.clear()
    pf.search("goofspiel(cards=4)", using=using, evaluate=lead, rollout_depth=50, simulations=20, native=False)
    assert not asked
