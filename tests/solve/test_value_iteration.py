"""Value iteration gives the values of games that can come back to a state, between bounds that hold, and equals
backward induction where they can't."""

from __future__ import annotations

import json
import math
import threading
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import CHANCE, MAX, MIN, Game
from plyforge.evaluate import as_evaluation
from plyforge.games.trees.random_tree import RandomTree, RandomTree3
from plyforge.games.two_players.pig import HOLD, ROLL, Pig, Turn
from plyforge.search import Control, Expectiminimax, Limits, Star2
from plyforge.search.chance_engine.engine import DiceEngine
from plyforge.solve import value_iteration
from plyforge.solve.graph.state_graph import state_graph

SPEEDS = [False, pytest.param(True, marks=compiles)]


# ------------------------------------------------------------ pig
def pig_by_hand(goal: int) -> dict[tuple[int, int, int], float]:
    """The chance of winning for whoever is about to roll or hold, with scores (own, other, turn's sum).

    The equations of Neller and Presser, iterated over plain dictionaries: nothing of the package is used.
    """
    chance = {(own, other, turn): 0.5 for own in range(goal) for other in range(goal) for turn in range(goal - own)}

    def win(own: int, other: int, turn: int) -> float:
        return 1.0 if own + turn >= goal else chance[own, other, turn]

    change = 1.0
    while change > 1e-13:
        change = 0.0
        for (own, other, turn), before in chance.items():
            roll = 1.0 - win(other, own, 0)
            for face in range(2, 7):
                roll += win(own, other, turn + face)
            roll /= 6.0
            hold = 1.0 - win(other, own + turn, 0) if turn > 0 else 0.0
            chance[own, other, turn] = max(roll, hold)
            change = max(change, abs(chance[own, other, turn] - before))
    return chance


@pytest.mark.parametrize("native", SPEEDS)
def test_small_pigs_are_worth_what_the_equations_say_in_every_state(native):
    for goal in (12,) if native else (2, 5, 9):
        found = value_iteration(Pig(goal=goal), native=native)
        assert found.native == bool(native) and found.exact
        by_hand = pig_by_hand(goal)
        assert (found.value + 1) / 2 == pytest.approx(by_hand[0, 0, 0], abs=1e-9)
        compared = 0
        for state, value in found.values.items():
            if state.rolling or Pig(goal=goal).terminal(state):
                continue
            own, other = state.banked_by_max, state.banked_by_min
            wins = (value + 1) / 2
            if state.player == MIN:
                own, other, wins = other, own, 1 - wins
            if own + state.collected < goal:
                assert wins == pytest.approx(by_hand[own, other, state.collected], abs=1e-8), state
                compared += 1
        assert compared >= goal


def test_pig_to_two_points_is_six_games_of_seven():
    found = value_iteration(Pig(goal=2), tolerance=1e-12, native=False)
    assert (found.value + 1) / 2 == pytest.approx(6 / 7, abs=1e-12)
    low, high = found.bounds
    assert low <= 2 * 6 / 7 - 1 <= high and high - low <= 1e-12


@pytest.mark.full
@compiles
def test_pig_to_a_hundred_points_is_won_by_the_first_player_with_the_published_chance():
    """0.5306: Neller and Presser, "Optimal play of the dice game Pig", The UMAP Journal 25 (2004)."""
    found = value_iteration(pf.load("pig(goal=100)"))
    assert found.exact and f"{(found.value + 1) / 2:.4f}" == "0.5306"
    low, high = found.bounds
    assert high - low <= 1e-9
    assert found.states == 2_040_192
    assert found.best == (ROLL,) and found.best_of("99 0 2 max") == (HOLD,)


def test_depth_limited_search_approaches_it_from_both_sides():
    """With everything at the horizon at its lowest, or at its highest, the value is between the two at any depth."""
    game = Pig(goal=6)
    truth = value_iteration(game, native=False).value
    worst, best = as_evaluation(lambda s: -1.0), as_evaluation(lambda s: 1.0)
    gaps = []
    for depth in range(2, 13, 2):
        sides = []
        for estimate in (worst, best):
            found = DiceEngine(evaluation=estimate, table_mib=1).search(game, None, Limits(depth=depth), native=False)
            sides.append(found.value)
            if depth <= 6:
                for search in (Expectiminimax, Star2):
                    other = search(evaluation=estimate).search(game, None, Limits(depth=depth), native=False)
                    assert other.value == found.value
        assert sides[0] <= truth <= sides[1]
        gaps.append(sides[1] - sides[0])
    assert gaps == sorted(gaps, reverse=True) and gaps[0] > 1.5 and gaps[-1] < 0.5


# ------------------------------------------------------------ games that can't come back
@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_where_no_state_comes_back_it_is_backward_induction_to_the_bit(native):
    for game in (
        RandomTree(depth=5, branching=3, dice=True, doubles=True),
        RandomTree(depth=5, branching=3, largest=9, doubles=True),
    ):
        for seed in range(30):
            root = game.root(seed)
            wanted = pf.solve.backward_induction(game, root)
            found = value_iteration(game, root, native=native)
            assert found.value == wanted.value and found.bounds == (wanted.value, wanted.value)
            assert found.iterations == 0
            for state, value in found.values.items():
                assert value == wanted.values[state]
                best = wanted.best_of(state)
                assert set(found.best_of(state)) <= set(best) and bool(best) == bool(found.best_of(state))


def test_without_dice_it_solves_as_backward_induction_does():
    for spec in ("tic_tac_toe", "hexapawn(width=3, height=3)", "kalah(houses=2, seeds=2)"):
        game = pf.load(spec)
        if spec == "tic_tac_toe":
            state = pf.state_after(game, "1", "2")
        else:
            state = game.start()
        wanted, found = pf.solve.backward_induction(game, state), value_iteration(game, state, native=False)
        assert found.value == wanted.value and set(found.best) <= set(wanted.best_of(state))


# ------------------------------------------------------------ one player, and going on for ever
class Purse(NamedTuple):
    coins: int
    stake: int


@dataclass(frozen=True)
class Gambler(Game):
    """Stake what you like on a coin that comes up right 2 times in 5, until nothing or `goal` is yours."""

    goal: int = 16
    bold: bool = True
    """False: the stake is always one."""
    players = 1
    min_utility = 0.0

    def start(self):
        return Purse(self.goal // 2, 0)

    def player(self, s):
        return MAX if s.stake == 0 else CHANCE

    def actions(self, s):
        largest = min(s.coins, self.goal - s.coins) if self.bold else 1
        for stake in range(1, largest + 1):
            yield stake

    def chance(self, s):
        yield 1, 0.4
        yield -1, 0.6

    def result(self, s, action):
        if s.stake == 0:
            return Purse(s.coins, action)
        return Purse(s.coins + action * s.stake, 0)

    def terminal(self, s):
        return s.stake == 0 and (s.coins == 0 or s.coins == self.goal)

    def utility(self, s):
        return 1.0 if s.coins == self.goal else 0.0


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_bold_play_is_best_against_the_odds(native):
    """Dubins and Savage: with 1/4, 1/2 and 3/4 of the goal, the chances are p^2, p, and p + (1 - p) p."""
    found = value_iteration(Gambler(), native=native)
    assert found.exact
    for coins, wins in ((4, 0.16), (8, 0.4), (12, 0.64)):
        assert found.value_of(Purse(coins, 0)) == pytest.approx(wins, abs=1e-9)
    assert 8 in found.best_of(Purse(8, 0))


def test_the_ruin_of_a_gambler_with_small_stakes_is_de_moivres():
    found = value_iteration(Gambler(goal=12, bold=False), tolerance=1e-10, native=False)
    ratio = 0.6 / 0.4
    for coins in range(1, 12):
        low, high = found.bounds_of(Purse(coins, 0))
        truth = (1 - ratio**coins) / (1 - ratio**12)
        assert low - 1e-12 <= truth <= high + 1e-12 and high - low < 1e-9
    assert found.iterations > 10


class Place(NamedTuple):
    number: int
    player: int


@dataclass(frozen=True)
class Roundabout(Game):
    """MAX, then MIN, may go round or leave. MAX leaves with `mine`, MIN with `yours`."""

    mine: float = 0.25
    yours: float = -0.25

    def start(self):
        return Place(0, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, leaving):
        return Place(1 + s.player, s.player) if leaving else Place(0, 1 - s.player)

    def terminal(self, s):
        return s.number > 0

    def utility(self, s):
        return self.mine if s.number == 1 else self.yours


def test_where_going_on_for_ever_is_a_choice_the_bounds_stay_apart_and_say_what_hangs_on_it():
    """Whoever leaves loses a little: so both stay, and what that is worth nobody has said."""
    stay = value_iteration(Roundabout(mine=-0.25, yours=0.25), native=False)
    assert not stay.exact and stay.bounds == (-0.25, 0.25)
    assert "value -0.25 to 0.25, between these" in str(stay)


def test_where_leaving_is_better_they_meet():
    leave = value_iteration(Roundabout(mine=0.25, yours=-0.25), native=False)
    assert leave.bounds == (0.25, 0.25) and leave.best == (1,)
    assert leave.value_of(Place(0, MIN)) == -0.25


# ------------------------------------------------------------ the graph of states
@compiles
@pytest.mark.parametrize(
    "game",
    [
        Pig(goal=12),
        pytest.param(pf.load("kalah(houses=2, seeds=2)"), marks=pytest.mark.full),  # tuples in a tuple
        pytest.param(RandomTree(depth=6, branching=4, dice=True), marks=pytest.mark.full),  # unsigned numbers
    ],
    ids=str,
)
def test_both_speeds_number_the_same_states_and_find_them_again(game):
    slow, fast = (state_graph(game, game.start(), native=native) for native in (False, True))
    assert slow.numbering.all() == fast.numbering.all()
    for name in ("mover", "utility", "first_edge", "successor", "probability", "action"):
        assert np.array_equal(getattr(slow, name), getattr(fast, name)), name
    for number in range(0, fast.states, 7):
        assert fast.numbering.find(fast.numbering[number]) == number
        assert hash(fast.numbering[number]) == hash(slow.numbering[number])
    assert fast.numbering.find(slow.numbering[slow.states - 1]) == slow.states - 1


@compiles
def test_both_speeds_give_the_same_bounds():
    slow, fast = (value_iteration(Pig(goal=12), native=native) for native in (False, True))
    assert np.array_equal(slow.lower, fast.lower) and np.array_equal(slow.upper, fast.upper)
    assert slow.iterations == fast.iterations


def test_what_lies_behind_a_neglected_win_is_not_looked_at():
    found = value_iteration(Pig(goal=5), native=False)
    assert found.value_of("4 0 3 max") == 1.0 and found.best_of("4 0 3 max") == (HOLD,)
    with pytest.raises(pf.PlyforgeError, match="neglected win"):
        found.value_of(Turn(4, 0, 20, MAX, True))


# ------------------------------------------------------------ the result, and what goes wrong
def test_the_result_is_plain_json_and_a_line_of_text():
    found = value_iteration(Pig(goal=5), native=False)
    record = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert record["value"] == found.value and record["bounds"] == list(found.bounds)
    assert record["best"] == ["roll"] and record["exact"] is True and record["states"] == found.states
    assert "Pig: value 0.5" in str(found) and "states" in str(found)


def test_text_and_states_are_both_understood():
    found = value_iteration(Pig(goal=5), "2 2 0 min", native=False)
    assert found.state == Turn(2, 2, 0, MIN, False)
    assert found.value_of("2 2 0 min") == found.value < 0


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_too_many_states_are_refused(native):
    with pytest.raises(pf.BadLimits, match="more than 100 distinct states"):
        value_iteration(Pig(goal=12), limit=100, native=native)


@dataclass(frozen=True)
class Flawed(Gambler):
    """The gambler with a defect."""

    flaw: str = ""

    def chance(self, s):
        yield 1, 0.4
        yield -1, 0.5 if self.flaw == "sum" else 0.6

    def actions(self, s):
        if self.flaw != "stuck" or s.coins != 5:
            for stake in range(1, min(s.coins, self.goal - s.coins) + 1):
                yield stake

    def utility(self, s):
        return 7.0 if self.flaw == "utility" and s.coins == 0 else float(s.coins == self.goal)

    def result(self, s, action):
        if self.flaw == "raises" and s.coins == 3:
            raise ValueError("three is too many")
        return Gambler.result(self, s, action)


@pytest.mark.parametrize(
    ("flaw", "words"),
    [
        ("sum", "sum to 0.9"),
        ("stuck", "no actions"),
        ("utility", "utility of 7, outside"),
        ("raises", "three is too many"),
    ],
)
def test_rules_with_a_defect_are_named(flaw, words):
    with pytest.raises(pf.BadRules, match=words):
        value_iteration(Flawed(flaw=flaw), native=False)


@dataclass(frozen=True)
class Boundless(Pig):
    min_utility = -math.inf


def test_what_cannot_be_iterated_is_refused():
    with pytest.raises(pf.Unsuitable, match="3 players"):
        value_iteration(RandomTree3(dice=True))
    with pytest.raises(pf.Unsuitable, match="finite"):
        value_iteration(Boundless(goal=3))
    for tolerance in (0, -1.0, math.nan, "small"):
        with pytest.raises(pf.BadLimits, match="tolerance"):
            value_iteration(Pig(goal=3), tolerance=tolerance)
    with pytest.raises(pf.BadLimits, match="limit"):
        value_iteration(Pig(goal=3), limit=0)


def test_it_stops_when_told_to_and_reports_meanwhile():
    control, reports = Control(), []

    def hear(progress):
        reports.append(progress)
        if progress.nodes > 100:
            threading.Timer(0.05, control.stop).start()

    with pytest.raises(pf.PlyforgeError, match="stopped"):
        value_iteration(Pig(goal=100), native=False, control=control, on_progress=hear)
    assert reports and reports[-1].nodes > 100
