"""Rote learning: known states are worth what was said of them, at both speeds; others are not touched."""

from __future__ import annotations

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.errors import BadLimits
from plyforge.evaluate import OwnEvaluation
from plyforge.evaluate.composed.rote import Rote

GAME = pf.load("connect4(width=5, height=4)")


def table(room: int = 64) -> tuple[Rote, dict[object, float]]:
    """Of some positions, in a table so small that places collide."""
    lines = ["1", "2", "33", "345", "11", "2345", "1234", "54"]
    known = {pf.state_after(GAME, *line): 0.05 * (number + 1) for number, line in enumerate(lines)}
    return Rote.of(OwnEvaluation(), known, room), known


def test_what_is_known_is_what_was_said() -> None:
    rote, known = table(16)
    for state, value in known.items():
        assert rote.estimate(GAME, state) == value
    for line in ("4", "5", "3333", "31"):
        s = pf.state_after(GAME, *line)
        assert rote.estimate(GAME, s) == GAME.evaluate(s)
    assert rote != Rote.of(OwnEvaluation(), {}, 16)


def test_a_search_sees_it_at_its_horizon() -> None:
    """One ply deep the move to the state that was praised is best; a win on the board stays a win."""
    praised = GAME.result(GAME.start(), 1)
    rote = Rote.of(OwnEvaluation(), {praised: 0.9}, 16)
    found = pf.search(GAME, evaluate=rote, using="engine", depth=1, native=False)
    assert found.action == 1 and found.value == pytest.approx(0.9)
    s = pf.state_after(GAME, *"112233")
    assert pf.search(GAME, s, evaluate=rote, using="engine", depth=1, native=False).value == GAME.max_utility


def test_what_does_not_fit_is_refused() -> None:
    _, known = table()
    for room, states in ((8, known), (48, known), (64, {GAME.start(): float("nan")})):
        with pytest.raises(BadLimits):
            Rote.of(OwnEvaluation(), states, room)


@compiles
def test_both_speeds_see_the_same() -> None:
    rote, _ = table()
    found = [pf.search(GAME, evaluate=rote, using="engine", depth=5, native=native) for native in (False, True)]
    assert (found[0].nodes, found[0].value) == (found[1].nodes, found[1].value)
