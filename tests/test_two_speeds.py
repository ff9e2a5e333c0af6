"""One source, two speeds: for every game and every search it accepts, interpreted and compiled agree to the node."""

from __future__ import annotations

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.search import SEARCHES

FIELDS = ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "player", "using")

# Kernels are compiled for each game with its parameters: those of the README and of the signature are there anyway.
SMALL = {
    "backgammon": ("backgammon", 2, ["X31"]),
    "backgammon_match": ("backgammon_match(points=3)", 2, ["X31", "8/5 6/5", "double"]),
    "checkers": ("checkers", 4, ["11-15", "22-18"]),
    "chess": ("chess", 2, ["e4", "e5"]),
    "chinese_checkers": ("chinese_checkers", 3, ["a1-c3", "g7-e5"]),
    "connect4": ("connect4", 5, ["1", "2", "2"]),
    "domineering": ("domineering(rows=3, columns=4)", 5, ["a1-a2"]),
    "dots_and_boxes": ("dots_and_boxes(rows=1, columns=2)", 5, []),
    "go": ("go(size=3, komi=0, margin=True)", 2, ["B2", "A1"]),
    "goofspiel": ("goofspiel(cards=2)", None, []),
    "hex": ("hex(size=3, swap=True)", 4, ["b2", "swap"]),
    "hexapawn": ("hexapawn(width=3, height=4)", 6, []),
    "kalah": ("kalah(houses=3, seeds=2)", 5, []),
    "matrix": ("matrix", None, []),
    "mnk": ("mnk(columns=4, rows=3, connect=3)", 4, []),
    "nim": ("nim(heaps=(2, 3, 2))", 6, []),
    "othello": ("othello(size=6)", 3, ["c2", "b2", "a2"]),
    "pacman": ("pacman(maze='ring')", 6, ["wait", "north", "north"]),
    "pacman_rivals": ("pacman_rivals(maze='ring')", 4, ["wait", "north", "north"]),
    "pig": ("pig(goal=10)", 5, []),
    "pursuit": ("pursuit(steps=2)", None, []),
    "random_tree": ("random_tree(depth=5, branching=3, seed=3)", None, []),
    "repeated_prisoners_dilemma": ("repeated_prisoners_dilemma(rounds=2)", None, []),
    "slider": ("slider", 5, []),
    "slippery": ("slippery(battery=5)", 6, []),
    "three_mens_morris": ("three_mens_morris", 4, []),
    "three_nim": ("three_nim(sticks=9)", None, []),
    "tic_tac_toe": ("tic_tac_toe", 5, ["5", "1"]),
    "tree": ("tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])", None, []),
}


def test_every_game_of_the_catalog_is_tested_here():
    assert sorted(SMALL) == pf.names()


SLOW_TO_COMPILE = {
    "engine": ("connect4", "kalah"),
    "star1": ("pig", "kalah"),
    "star2": ("pig", "kalah"),
    "dice_engine": ("pig", "kalah"),
    "best_reply": ("chinese_checkers",),
    "safe_response": ("pig",),
}
"""These compile for several seconds a game: `make test` takes a few games, `make test-full` all."""


BIG_RULES: dict[str, tuple[str, ...]] = {
    "backgammon": (),
    "backgammon_match": (),
    "checkers": ("alpha_beta", "max_n"),
    "chess": (),
    "chinese_checkers": ("best_reply",),
    "go": ("alpha_beta", "max_n"),
    "othello": ("alpha_beta", "max_n"),
    "pacman": ("alpha_beta",),
    "pacman_rivals": (),
    "slider": (),
    "slippery": ("expectimax",),
}
"""These games compile for several seconds with every search, or have searches of their own: `make test` takes the
searches named, `make test-full` all."""


def case(name: str, using: str):
    quick = name in SLOW_TO_COMPILE.get(using, (name,)) and using in BIG_RULES.get(name, (using,))
    return pytest.param(name, using, id=f"{name}-{using}", marks=() if quick else pytest.mark.full)


CASES = [case(name, using) for name in SMALL for using in SEARCHES]


@compiles
@pytest.mark.parametrize(("name", "using"), CASES)
def test_interpreted_and_compiled_agree(name, using):
    spec, depth, moves = SMALL[name]
    game = pf.load(spec)
    if SEARCHES[using].needs.missing(game):
        with pytest.raises(pf.Unsuitable, match="Use '"):
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
