"""Three players and more: what is estimated adds up to what there is to win, at both speeds."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import payoffs
from plyforge.games.trees.tree import Tree
from plyforge.play.review.judging import _everybody


class Race(NamedTuple):
    steps: int
    player: int


class FirstHome(pf.Game):
    """Whoever takes the thirtieth step wins one point; nothing is known before."""

    players = 3
    utility_sum = 1.0
    min_utility = 0.0

    def start(self):
        return Race(0, 0)

    def player(self, s):
        return s.player

    def actions(self, s):
        for steps in range(1, 4):
            yield steps

    def result(self, s, action):
        return Race(s.steps + action, (s.player + 1) % 3)

    def terminal(self, s):
        return s.steps >= 30

    def utility(self, s):
        return (
            1.0 if s.player == 1 else 0.0,
            1.0 if s.player == 2 else 0.0,
            1.0 if s.player == 0 else 0.0,
        )


def half(s):
    return 0.5


SPEEDS = [False, pytest.param(True, marks=[compiles, pytest.mark.full])]


@pytest.mark.parametrize("native", SPEEDS)
@pytest.mark.parametrize(
    ("using", "more"), [("max_n", {}), ("flat", {"rollout_depth": 0}), ("uct", {"rollout_depth": 0})]
)
def test_without_an_opinion_everybody_has_an_equal_share_of_the_total(using, more, native):
    found = pf.search(FirstHome(), using=using, depth=2, native=native, **more)
    assert found.value == pytest.approx((1 / 3, 1 / 3, 1 / 3))


@pytest.mark.parametrize("native", SPEEDS)
@pytest.mark.parametrize("using", ["paranoid", "best_reply"])
def test_nor_does_the_hero_expect_more(using, native):
    assert pf.search(FirstHome(), using=using, depth=2, native=native).value == pytest.approx(1 / 3)


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=compiles)])
def test_one_number_is_the_first_players_and_the_others_share_the_rest(native):
    found = pf.search(FirstHome(), using="max_n", depth=2, evaluate=half, native=native)
    assert found.value == (0.5, 0.25, 0.25)


def test_where_there_is_no_total_one_number_is_everybodys():
    class Open(FirstHome):
        utility_sum = None

    assert payoffs(Open(), 0.5) == (0.5, 0.5, 0.5)
    assert payoffs(FirstHome(), 0.5) == (0.5, 0.25, 0.25)


def test_nodes_of_a_tree_that_have_no_estimate_share_the_total():
    tree = Tree([[(1, 2, 6), (3, 3, 3)], [(9, 0, 0), (0, 0, 9)]])
    assert tree.utility_sum == 9
    assert pf.search(tree, using="max_n", depth=1).value == (3, 3, 3)


def test_a_review_shares_what_is_left_among_the_others():
    game = FirstHome()
    found = pf.search(game, pf.state_after(game, "1"), using="paranoid", depth=1, native=False)
    assert found.player == 1
    assert sum(_everybody(game, found)) == pytest.approx(game.utility_sum)
