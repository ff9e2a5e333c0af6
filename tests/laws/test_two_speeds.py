"""One source, two speeds: for every game and every search it accepts, interpreted and compiled agree to the node."""

from __future__ import annotations

import functools

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.search import SEARCHES
from small_games import SMALL

FIELDS = ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "player", "using")


def test_every_game_of_the_catalog_is_tested_here():
    assert sorted(SMALL) == pf.names()


SLOW_TO_COMPILE = {
    "engine": ("kalah",),
    "star1": ("pig",),
    "star2": ("pig",),
    "dice_engine": ("pig",),
    "best_reply": ("chinese_checkers",),
    "safe_response": ("pig",),
}
"""These compile for several seconds a game: `make test` takes a few games, `make test-full` all."""


BIG_RULES: dict[str, tuple[str, ...]] = {
    "backgammon": (),
    "backgammon_match": (),
    "checkers": ("alpha_beta",),
    "chess": (),
    "chinese_checkers": ("best_reply",),
    "go": ("alpha_beta",),
    "othello": ("alpha_beta",),
    "pacman": ("alpha_beta",),
    "pacman_rivals": (),
    "slider": (),
    "slippery": ("expectimax",),
}
"""These games compile for several seconds with every search, or have searches of their own: `make test` takes the
searches named, `make test-full` all."""


ONE_OF_THESE = ("tic_tac_toe", "pig", "three_nim", "kalah")
"""Games of each kind: turns, dice, three players, moves that follow each other. Every search is compiled for the first
that it takes."""
SEARCH_OF_ANY_GAME = ("alpha_beta", "expectiminimax", "max_n", "expectimax")
"""The first of these that takes a game is compiled for it: all rules are, by one search; `make test-full` takes every
search with every game."""


@functools.cache
def takes(name: str, using: str) -> bool:
    return not SEARCHES[using].needs.missing(pf.load(SMALL[name][0]))


def case(name: str, using: str):
    chosen = (
        name == next((game for game in ONE_OF_THESE if takes(game, using)), None)
        or using == next((search for search in SEARCH_OF_ANY_GAME if takes(name, search)), None)
        or using in BIG_RULES.get(name, ())
        or name in SLOW_TO_COMPILE.get(using, ())
        or not takes(name, using)
    )
    quick = chosen and name in SLOW_TO_COMPILE.get(using, (name,)) and using in BIG_RULES.get(name, (using,))
    return pytest.param(name, using, id=f"{name}-{using}", marks=() if quick else pytest.mark.full)


CASES = [case(name, using) for name in SMALL for using in SEARCHES]


def accepted(cases) -> set[tuple[str, str]]:
    return {each.values for each in cases if takes(*each.values)}


def test_each_search_and_each_game_is_compiled_in_every_run():
    here, all_of_them = accepted(case for case in CASES if not case.marks), accepted(CASES)
    assert {using for _, using in here} == {using for _, using in all_of_them}
    in_files_of_their_own = {name for name, searches in BIG_RULES.items() if not searches}
    assert {name for name, _ in all_of_them} - {name for name, _ in here} == in_files_of_their_own


@compiles
@pytest.mark.parametrize(("name", "using"), CASES)
def test_interpreted_and_compiled_agree(name, using):
    spec, depth, moves = SMALL[name]
    game = pf.load(spec)
    if not takes(name, using):
        with pytest.raises(pf.Unsuitable, match=r"Use '"):
            pf.search(game, using=using, depth=2)
        return
    for state in (None, pf.state_after(game, *moves)) if moves else (None,):
        slow = pf.search(game, state, using, depth=depth, native=False, all_best=True)
        fast = pf.search(game, state, using, depth=depth, native=True, all_best=True)
        assert fast.native and not slow.native
        for field in FIELDS:
            assert getattr(slow, field) == getattr(fast, field), field
        assert slow.nodes > 1


@compiles
def test_node_limits_are_kept_exactly_at_both_speeds():
    game = pf.load("tic_tac_toe")
    for limit in (1, 2, 50, 777):
        slow = pf.search(game, using="alpha_beta", nodes=limit, native=False)
        fast = pf.search(game, using="alpha_beta", nodes=limit, native=True)
        assert slow.nodes == fast.nodes == limit
        assert [getattr(slow, f) for f in FIELDS] == [getattr(fast, f) for f in FIELDS]
        assert slow.reason == "nodes" and slow.action is not None
