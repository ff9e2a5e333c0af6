"""Rules that change a state in place are caught by the search itself, and states that can't change cost nothing."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, NamedTuple

import numpy as np
import pytest

import plyforge as pf
from plyforge.contract import MAX, Game, PathCosts
from plyforge.search.protection.guard import can_change, guarded


class Row(NamedTuple):
    cells: Any
    player: int


class Thing:
    def __init__(self, cells, player):
        self.cells, self.player = cells, player


@dataclasses.dataclass
class Loose:
    cells: Any
    player: int


class Filling(Game):
    """Fill a row; whoever fills the last cell wins. `state` makes a state of cells and a player, `copies` copies the
    cells."""

    def __init__(self, state=Row, copies=True, kind=list):
        self.state, self.copies, self.kind = state, copies, kind

    worth_compiling = False

    def start(self):
        return self.state(self.kind([0, 0, 0, 0]), MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for i in range(4):
            if s.cells[i] == 0:
                yield i

    def result(self, s, i):
        cells = copy.deepcopy(s.cells) if self.copies else s.cells
        cells[i] = 1 + s.player
        return self.state(cells, 1 - s.player)

    def terminal(self, s):
        return all(s.cells[i] != 0 for i in range(4))

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0


def as_dict(cells):
    return dict(enumerate(cells))


@pytest.mark.parametrize("using", ["minimax", "alpha_beta", "negamax", "max_n", "engine", "dice_engine", "uct", "flat"])
@pytest.mark.parametrize("kind", [list, as_dict, bytearray, np.array])
@pytest.mark.parametrize("state", [Row, Thing, Loose])
def test_a_result_that_changes_its_state_is_named(using, kind, state):
    limits = {"simulations": 50} if using in ("uct", "flat") else {"depth": 3}
    with pytest.raises(
        pf.BadRules, match=r"result changed the state that it was given: its field 'cells' was .*copy first"
    ):
        pf.search(Filling(state, copies=False, kind=kind), using=using, **limits)


@pytest.mark.parametrize("using", ["alpha_beta", "engine"])
@pytest.mark.parametrize("kind", [list, as_dict, bytearray, np.array])
@pytest.mark.parametrize("state", [Row, Thing, Loose])
def test_rules_that_copy_are_searched(using, kind, state):
    assert pf.search(Filling(state, kind=kind), using=using).value == -1.0


def test_perft_names_it_too():
    for divide in (False, True):
        with pytest.raises(pf.BadRules, match="result changed the state that it was given"):
            pf.perft(Filling(copies=False), 3, divide=divide)
    assert pf.perft(Filling(), 3).nodes == 24


class AloneCosts(PathCosts):
    def cost(self, game, s, i):
        return 1.0


class Alone(Filling):
    """One player fills the row, at a cost of 1 for each cell."""

    costs = AloneCosts()

    players, utility_sum, min_utility, max_utility = 1, None, 0.0, 0.0

    def player(self, s):
        return MAX

    def utility(self, s):
        return 0.0


@pytest.mark.parametrize("using", ["a_star", "ida_star", "real_time_a_star", "lrta_star"])
def test_path_searches_name_it_too(using):
    with pytest.raises(pf.BadRules, match="result changed the state that it was given"):
        pf.search(Alone(Thing, copies=False), using=using, nodes=100)
    assert pf.search(Alone(Thing), using=using, nodes=100).line


class AtOnce(Filling):
    """Both name a cell of the row at once, and it is filled three times."""

    def player(self, s):
        return pf.SIMULTANEOUS

    def legal_actions(self, s, player):
        return (0, 1, 2, 3)

    def actions(self, s):
        return pf.Game.actions(self, s)

    def result(self, s, named):
        cells = copy.deepcopy(s.cells) if self.copies else s.cells
        cells[named[0]] += 1
        return self.state(cells, s.player + 1)

    def terminal(self, s):
        return s.player == 3

    def utility(self, s):
        return float(s.cells[0]) / 3.0


@pytest.mark.parametrize("using", ["decoupled_uct", "regret_matching"])
def test_so_do_searches_of_games_in_which_all_choose_at_once(using):
    with pytest.raises(pf.BadRules, match="result changed the state that it was given"):
        pf.search(AtOnce(copies=False), using=using, simulations=50)
    assert pf.search(AtOnce(), using=using, simulations=50).nodes


class Sometimes(Filling):
    """Forgets to copy now and then."""

    def result(self, s, i):
        self.made[0] += 1
        careless = Filling(Row, copies=self.made[0] % 7 != 0)
        return careless.result(s, i)


def test_one_that_forgets_to_copy_only_sometimes_is_caught_too():
    game = Sometimes()
    game.made = [0]
    with pytest.raises(pf.BadRules, match="result changed"):
        pf.search(game, using="minimax")


class Tuples(Filling):
    def start(self):
        return Row((0, 0, 0, 0), MAX)

    def result(self, s, i):
        return Row((*s.cells[:i], 1, *s.cells[i + 1 :]), 1 - s.player)


def test_where_nothing_can_change_nothing_is_looked_at():
    game = Tuples()
    assert guarded(game, game.start()) is game
    game = pf.load("connect4")
    assert guarded(game, game.start()) is game


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        ((1, 2.0, "a", None, True), False),
        (Row((1, 2), 0), False),
        (Row([1, 2], 0), True),
        (frozenset({1}), False),
        ({1}, True),
        ({}, True),
        (np.int64(3), False),
        (np.array([1]), True),
        (Thing(1, 2), True),
        (Loose(1, 2), True),
        (dataclasses.make_dataclass("Frozen", ["a"], frozen=True)(1), False),
        (dataclasses.make_dataclass("Frozen", ["a"], frozen=True)([1]), True),
    ],
)
def test_what_can_change(value, changes):
    assert can_change(value) is changes


def test_the_guarded_game_is_otherwise_the_same():
    game = Filling()
    other = guarded(game, game.start())
    assert type(other).__name__ == "Filling"
    assert isinstance(other, Filling)
    assert other.result(game.start(), 2) == game.result(game.start(), 2)
    assert pf.search(game, using="alpha_beta").game is game
