"""Pig: the turn that holds at 20 and the advantage of the first player are known from the literature."""

from __future__ import annotations

import functools
import random
from fractions import Fraction

import pytest

from plyforge.contract import (
    CHANCE,
    MAX,
    MIN,
    format_action,
    format_state,
    legal_moves,
    parse_action,
    parse_state,
    state_after,
)
from plyforge.errors import BadRules, BadText, TooDeep, Unsuitable
from plyforge.games import load
from plyforge.games.two_players.pig import HOLD, ROLL, Pig, Turn
from plyforge.search import search

SAME = ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "player")


@functools.cache
def turn_outcomes(game: Pig, s: Turn, hold_at: int) -> dict[int, Fraction]:
    """What MAX's turn adds to the score, by the game's own rules, if MAX holds at `hold_at` or at the goal."""
    if game.player(s) == CHANCE:
        outcomes: dict[int, Fraction] = {}
        for face, probability in game.chance(s):
            assert probability == 1 / 6
            for gain, chance in turn_outcomes(game, game.result(s, face), hold_at).items():
                outcomes[gain] = outcomes.get(gain, Fraction(0)) + chance / 6
        return outcomes
    if game.player(s) == MIN:
        return {0: Fraction(1)}
    if s.collected >= hold_at or s.banked_by_max + s.collected >= game.goal:
        after = game.result(s, HOLD)
        return {after.banked_by_max - s.banked_by_max: Fraction(1)}
    return turn_outcomes(game, game.result(s, ROLL), hold_at)


def test_a_turn_that_holds_at_20_brings_what_the_literature_says() -> None:
    """Neller and Presser, "Optimal play of the dice game Pig", The UMAP Journal 25 (2004)."""
    outcomes = turn_outcomes(Pig(), Pig().start(), 20)
    assert sum(outcomes.values()) == 1
    rounded = {gain: round(float(chance), 4) for gain, chance in outcomes.items()}
    assert rounded == {0: 0.6245, 20: 0.0997, 21: 0.0950, 22: 0.0742, 23: 0.0542, 24: 0.0352, 25: 0.0172}


def test_the_first_player_wins_5347_of_10000_games_if_both_hold_at_20_or_the_goal() -> None:
    """The figure is from T. Neller, "First-player advantage", nifty.stanford.edu/2010/neller-pig/advantage.html."""
    game = Pig()
    turns = [
        {gain: float(p) for gain, p in turn_outcomes(game, Turn(banked, 0, 0, MAX, False), 20).items()}
        for banked in range(game.goal)
    ]
    wins: dict[tuple[int, int], float] = {}

    def after_gains(mine: int, theirs: int) -> float:
        """The chance to win in or after this turn, the case that it brings nothing left out."""
        chance = 0.0
        for gain, p in turns[mine].items():
            if gain:
                chance += p * (1.0 if mine + gain >= game.goal else 1.0 - wins[theirs, mine + gain])
        return chance

    # Scores only grow, but for turns that bring nothing: those tie the chances of (i, j) and (j, i) together.
    for both in range(2 * game.goal - 2, -1, -1):
        for i in range(max(0, both - game.goal + 1), min(both, game.goal - 1) + 1):
            j = both - i
            if (i, j) not in wins:
                a, b, p, q = after_gains(i, j), after_gains(j, i), turns[i].get(0, 0.0), turns[j].get(0, 0.0)
                wins[i, j] = (a + p * (1 - b - q)) / (1 - p * q)
                wins[j, i] = b + q * (1 - wins[i, j])
    assert round(wins[0, 0], 4) == 0.5347


def test_a_race_to_two_is_won_by_the_first_with_six_chances_in_seven() -> None:
    """Any roll but a 1 wins: p = 5/6 + 1/6 (1 - p). Each lost turn leaves a sixth of the error."""
    found = search(Pig(goal=2), depth=8, native=False)
    lost_turns = 8 // 2
    assert found.value == pytest.approx(2 * 6 / 7 - 1, abs=2 * 6.0**-lost_turns + 1e-12)
    assert found.reason == "depth"


def test_at_the_goal_it_holds_and_before_it_rolls() -> None:
    game = Pig(goal=20)
    assert search(game, "15 15 6 max", depth=4, native=False).action == HOLD
    assert search(game, "15 15 6 max", depth=4, native=False).value == 1.0
    assert search(game, "15 15 6 min", depth=4, native=False).value == -1.0
    assert search(game, "0 0 2 max", depth=6, native=False).action == ROLL


def test_a_one_loses_the_turn_and_only_the_turn() -> None:
    game = Pig()
    s = parse_state(game, "23 17 8 min rolling")
    assert game.player(s) == CHANCE
    assert format_state(game, game.result(s, 1)) == "23 17 0 max"
    assert format_state(game, game.result(s, 6)) == "23 17 14 min"
    assert format_state(game, state_after(game, "hold", state=game.result(s, 6))) == "23 31 0 max"


def test_a_turn_begins_with_a_roll() -> None:
    game = Pig()
    assert legal_moves(game, game.start()) == [ROLL]
    assert legal_moves(game, state_after(game, "roll", "5")) == [ROLL, HOLD]


def test_estimates_stay_inside_the_bounds() -> None:
    game = Pig(goal=10)
    assert game.evaluate(parse_state(game, "9 0 60 max")) == 1.0
    assert game.evaluate(parse_state(game, "0 9 60 min")) == -1.0
    assert game.evaluate(parse_state(game, "5 4 2 max")) == pytest.approx(0.3)
    assert game.evaluate(parse_state(game, "5 4 2 min")) == pytest.approx(-0.1)


def test_it_is_endless_and_the_search_says_so() -> None:
    with pytest.raises(TooDeep, match="Give a depth"):
        search(Pig(), native=False)


def test_searches_that_know_no_chance_refuse_it() -> None:
    with pytest.raises(Unsuitable, match="expectiminimax"):
        search(Pig(), using="alpha_beta", depth=3)


@pytest.mark.full
def test_native_is_interpreted() -> None:
    game = Pig(goal=30)
    for state in (None, "20 25 6 min", "24 20 9 max rolling"):
        slow = search(game, state, "expectiminimax", depth=6, native=False)
        fast = search(game, state, "expectiminimax", depth=6, native=True)
        assert [getattr(slow, name) for name in SAME] == [getattr(fast, name) for name in SAME]


def test_text_is_read_back() -> None:
    game = Pig(goal=25)
    stream = random.Random(3)
    s = game.start()
    while not game.terminal(s):
        assert parse_state(game, format_state(game, s)) == s
        for action in legal_moves(game, s):
            assert parse_action(game, s, format_action(game, s, action)) == action
        s = game.result(s, stream.choice(legal_moves(game, s)))
    assert parse_state(game, format_state(game, s)) == s


def test_the_picture_says_whose_turn_it_is() -> None:
    game = Pig()
    assert game.show(parse_state(game, "23 7 8 min rolling")) == "MAX  23 of 100\nMIN   7 of 100 + 8 this turn, rolling"


@pytest.mark.parametrize("goal", [0, -5, 10**9])
def test_a_goal_out_of_range_is_refused(goal: int) -> None:
    with pytest.raises(BadRules, match="goal"):
        Pig(goal)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 2 3",
        "1 2 3 nobody",
        "1 2 -3 max",
        "1 2 3 max flying",
        "0 0 1 max",
        "100 0 5 max",
        "100 100 0 max",
    ],
)
def test_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(BadText):
        parse_state(Pig(), text)


def test_it_is_in_the_catalog() -> None:
    assert load("pig(goal=50)") == Pig(50)
    assert load("pig").has_chance
