"""Goofspiel: what others have worked out by hand and by program, and the rules in all their orders."""

from __future__ import annotations

import random

import pytest

import plyforge as pf
from plyforge.check import check
from plyforge.games.simultaneous.goofspiel import Goofspiel
from plyforge.solve import stage_equilibrium


def test_two_cards_left_are_worth_minus_a_third() -> None:
    """Worked out at github.com/matttang27/GOPSsolver: MAX has 1 and 3 and leads by one, MIN 2 and 3; the prize is 2,
    then 3."""
    game = Goofspiel(3, scoring="win")
    solved = stage_equilibrium(game, "1,3 2,3 2 3 +1")
    assert solved.value == pytest.approx(-1 / 3, abs=1e-12)
    assert solved.policy_of()[0] == pytest.approx({1: 1 / 3, 3: 2 / 3}, abs=1e-12)


def test_the_table_of_three_cards_and_the_prize_one() -> None:
    """From the same place: everybody bids 1 for it."""
    solved = stage_equilibrium(Goofspiel(3, scoring="win"), "1,2,3 1,2,3 1 2,3 +0")
    third = 1 / 3
    assert solved.table_of()[..., 0] == pytest.approx(
        pytest.importorskip("numpy").array([[0, third, 1], [-third, 0, third], [-1, -third, 0]]), abs=1e-12
    )
    assert [max(policy, key=policy.get) for policy in solved.policy_of()] == [1, 1]


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_bidding_the_prize_against_random_bids_wins_a_sixth_of_n_squared_less_one(cards: int) -> None:
    """Ross 1971: against an opponent who bids at random, match the prize; with 13 cards that wins 28 points on
    average."""
    game = Goofspiel(cards)

    def expected(s) -> float:
        if game.terminal(s):
            return 0.0
        if game.player(s) == pf.CHANCE:
            return sum(p * expected(game.result(s, outcome)) for outcome, p in game.chance(s))
        theirs = list(game.legal_actions(s, 1))
        total = 0.0
        for bid in theirs:
            action = (s.prize, bid)
            total += game.rewards(s, action)[0] + expected(game.result(s, action))
        return total / len(theirs)

    assert expected(game.start()) == pytest.approx((cards**2 - 1) / 6)


@pytest.mark.parametrize("order", ["random", "descending", "ascending"])
def test_both_sides_are_alike_so_the_value_is_nothing(order: str) -> None:
    """The value of OpenSpiel's goofspiel, too, in the file of facts."""
    for scoring in ("difference", "win"):
        solved = stage_equilibrium(Goofspiel(3, order, scoring))
        assert solved.value == pytest.approx(0.0, abs=1e-12) and solved.regret < 1e-12


def test_prizes_come_in_their_order() -> None:
    for order, first in (("descending", 3), ("ascending", 1)):
        game = Goofspiel(3, order)
        assert game.start().prize == first and game.player(game.start()) == pf.SIMULTANEOUS and not game.has_chance
    game = Goofspiel(3)
    assert game.player(game.start()) == pf.CHANCE and game.has_chance
    assert pf.legal_moves(game, game.start()) == [(1, 0), (2, 0), (3, 0)]


def test_points_are_paid_to_the_higher_bid_and_a_tie_wins_nothing() -> None:
    s = pf.parse_state(Goofspiel(4), "1,2,3 1,2,4 3 1,4 +0")
    assert Goofspiel(4).rewards(s, (3, 2)) == (3.0, -3.0)
    assert Goofspiel(4, scoring="points").rewards(s, (1, 4)) == (0.0, 3.0)
    assert Goofspiel(4).rewards(s, (2, 2)) == (0.0, 0.0)
    assert Goofspiel(4, scoring="win").result(s, (3, 4)).lead == -3


@pytest.mark.parametrize(
    "spec", ["goofspiel(3, 'ascending', 'win')", "goofspiel(2, 'random', 'points')", "goofspiel(1)"]
)
def test_other_kinds_are_lawful(spec: str) -> None:
    report = check(pf.load(spec), states=300, native=False)
    assert report.ok and not report.warnings, str(report)


@pytest.mark.parametrize("scoring", ["win", "points"])
def test_text_is_read_back(scoring: str) -> None:
    game, stream = Goofspiel(4, scoring=scoring), random.Random(1)
    for _ in range(20):
        s = game.start()
        while not game.terminal(s):
            assert pf.parse_state(game, pf.format_state(game, s)) == s
            s = game.result(s, stream.choice(pf.legal_moves(game, s)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1,2 1,2 1 2",
        "1,2 1,2 1 1 +0",
        "1,2 1 1 2 +0",
        "1,1 1,2 1 2 +0",
        "1,9 1,2 1 2 +0",
        "1,2 1,2 - 1,2 +3",
        "1,2 1,2 x 2 +0",
    ],
)
def test_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(pf.BadText):
        pf.parse_state(Goofspiel(2), text)


def test_states_of_another_order_are_refused() -> None:
    with pytest.raises(pf.BadText, match="descending"):
        pf.parse_state(Goofspiel(2, "descending"), "1,2 1,2 1 2 +0")
    assert pf.parse_state(Goofspiel(2, "ascending"), "1,2 1,2 1 2 +0").prize == 1


@pytest.mark.parametrize("arguments", [(0,), (99,), (3, "sideways"), (3, "random", "luck")])
def test_what_makes_no_game_is_refused(arguments) -> None:
    with pytest.raises(pf.BadRules):
        Goofspiel(*arguments)
