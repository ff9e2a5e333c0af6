"""The state graph in the order of induction: every state once, after all that follow it, for any number of players."""

from __future__ import annotations

from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.errors import BadLimits, Unsuitable
from plyforge.solve.census import post_order
from plyforge.solve.graph.successors_first import successors_first


@pytest.mark.parametrize(
    "spec", ["tic_tac_toe", "three_nim", "goofspiel(cards=3)", "slippery(battery=3)", "pursuit(steps=2)", "hexapawn"]
)
def test_it_is_what_a_walk_of_its_own_finds(spec: str) -> None:
    game = pf.load(spec)
    found = list(successors_first(game, game.start(), None).nodes)
    assert found == list(post_order(game, game.start(), None))
    seen: set[Any] = set()
    for node in found:
        assert node.state not in seen and seen.issuperset(node.successors)
        seen.add(node.state)
    assert found[-1].state == game.start()


def test_the_third_player_is_no_end() -> None:
    game = pf.load("three_nim(sticks=9)")
    movers = {node.player for node in successors_first(game, game.start(), None).nodes}
    assert movers == {0, 1, 2, None}


@compiles
def test_compiled_rules_find_the_same() -> None:
    for spec, using in (("three_nim", "backward_induction"), ("goofspiel(cards=2)", "stage_equilibrium")):
        plain, compiled = (pf.solve(spec, using=using, native=native) for native in (False, True))
        assert (plain.native, compiled.native) == (False, True)
        assert plain.values == compiled.values and list(plain.values) == list(compiled.values)
        assert plain.actions == compiled.actions


def test_a_state_that_comes_back_is_told_at_once_though_there_are_more_than_can_be_held() -> None:
    with pytest.raises(Unsuitable, match=r"can go on for ever: from .* leads back to it"):
        pf.solve.backward_induction("checkers")
    with pytest.raises(Unsuitable, match=r"can go on for ever: from .* leads back to it"):
        successors = successors_first(pf.load("pig(goal=2)"), pf.load("pig(goal=2)").start(), limit=400)
        list(successors.nodes)


def test_limits_are_kept_and_looked_at_first() -> None:
    with pytest.raises(BadLimits, match="more than 5,000 distinct states"):
        pf.solve.backward_induction("tic_tac_toe", limit=5000)
    for limit in (0, True, 2.5):
        with pytest.raises(BadLimits, match="limit is"):
            pf.solve.backward_induction("tic_tac_toe", limit=limit)
