"""Monte Carlo searches make the same tree interpreted and compiled: values, visits, nodes, to the last bit."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import Heuristics, defines
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.games.trees.random_tree import RandomTree3
from plyforge.search.mcts import Flat, Puct, Uct

FIELDS = (
    "action", "value", "values", "best", "line", "nodes", "depth", "reason", "player", "visits", "errors", "proven",
    "simulations",
)  # fmt: skip
SEARCHES = {
    "flat": Flat(simulations=300),
    "uct": Uct(simulations=300),
    "uct, all moves as first": Uct(simulations=300, rave=50.0),
    "puct": Puct(simulations=300, rollouts=2),
    "puct, cut off": Puct(simulations=300, rollout_depth=3),
}
QUICK = {
    ("tic_tac_toe", "uct"),
    ("pig", "puct"),
    ("three_nim", "flat"),
    ("nim", "puct, cut off"),
}
"""A kernel takes seconds to compile: `make test` takes these, `make test-full` all games and all searches."""
LONG_GAMES = {
    "backgammon": 25,
    "backgammon_match": 25,
    "chess": 25,
    "chinese_checkers": 25,
    "go": 100,
    "slider": 40,
}
"""Interpreted, a rollout takes seconds: fewer simulations."""


class HintedHeuristics(Heuristics):
    def ordering(self, game, s, cell):
        return 8.0 if cell == 4 else 0.0 if cell == 8 else 1.0


@dataclass(frozen=True)
class Hinted(TicTacToe):
    """Tic-tac-toe whose rules say that the centre is promising and that cell 9 is not."""

    heuristics = HintedHeuristics()


def compare(game, search):
    slow, fast = search.search(game, native=False), search.search(game, native=True)
    assert fast.native and not slow.native
    for field in FIELDS:
        assert getattr(slow, field) == getattr(fast, field), field
    return slow


GAMES = [name for name in pf.names() if not defines(pf.load(name), "legal_actions")]
"""Where players choose at once, other searches sample: `test_at_once.py`."""


def case(game: str, search: str):
    marks = () if (game, search) in QUICK else pytest.mark.full
    return pytest.param(game, search, id=f"{game}-{search}", marks=marks)


@compiles
@pytest.mark.parametrize(("game", "search"), [case(g, s) for g in GAMES for s in SEARCHES])
def test_every_game_has_the_same_tree_at_both_speeds(game, search):
    how = SEARCHES[search]
    if game in LONG_GAMES:
        how = replace(how, simulations=LONG_GAMES[game])
    compare(pf.load(game), how)


@compiles
def test_dice_tuples_and_double_moves_are_the_same_at_both_speeds():
    found = compare(RandomTree3(depth=5, doubles=True, dice=True), Uct(simulations=400))
    assert found.simulations > 20


@compiles
@pytest.mark.full
def test_priors_and_weighted_rollouts_are_the_same_at_both_speeds():
    compare(Hinted(), Puct(simulations=500, weighted=True))


@compiles
def test_a_kept_tree_is_the_same_at_both_speeds():
    game = TicTacToe()
    slow, fast = (Uct(simulations=300, solve=True).start(game, native=native) for native in (False, True))
    for moves in ([], ["5", "1"], ["5", "1", "9", "2"]):
        left, right = slow.think(pf.state_after(game, *moves)), fast.think(pf.state_after(game, *moves))
        for field in FIELDS:
            assert getattr(left, field) == getattr(right, field), field
