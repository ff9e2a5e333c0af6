"""Whatever searches, solves or learns refuses games of hidden information in a sentence: it looks at states, and who
plays sees none."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

import plyforge as pf
from plyforge.cli import plyforge_command
from plyforge.evaluate.layers import levels_of
from plyforge.evaluate.ntuples import learn
from plyforge.games.hidden.kuhn_poker import KuhnPoker
from plyforge.play.contests.versus import Versus
from plyforge.play.engine import Engine
from plyforge.play.protocols.json_lines.server import Talk
from plyforge.search import AT_ONCE, MONTE_CARLO, PATHS, SEARCHES
from plyforge.solve.endings.build import build

GAME = KuhnPoker()
EVERY = [*SEARCHES, *MONTE_CARLO, *PATHS, *AT_ONCE]
SENTENCE = r"hidden information.*Use 'is_mcts', 'pimc' or another search of what a player sees"


@pytest.mark.parametrize("using", EVERY, ids=str)
def test_searches_refuses_and_says_who_can_play(using: str | None) -> None:
    with pytest.raises(pf.Unsuitable, match=SENTENCE):
        pf.search(GAME, "Q K", using=using, native=False)


REFUSING: dict[str, Callable[[], Any]] = {
    "record": lambda: pf.record(GAME, "Q K", using="expectimax"),
    "search_many": lambda: pf.search_many(GAME, ["Q K"], using="uct"),
    "engine": lambda: Engine(GAME, "uct"),
    "backward_induction": lambda: pf.solve.backward_induction(GAME),
    "Solver": lambda: pf.solve.Solver(GAME),
    "strongly": lambda: pf.solve.strongly(GAME),
    "value_iteration": lambda: pf.solve.value_iteration(GAME),
    "rollouts": lambda: pf.solve.rollouts(GAME, "Q K"),
    "distances": lambda: pf.solve.distances(GAME),
    "prove": lambda: pf.solve.prove(GAME),
    "stage_equilibrium": lambda: pf.solve.stage_equilibrium(GAME),
    "make_strategy": lambda: pf.make_strategy(GAME),
    "make_certificate": lambda: pf.solve.make_certificate(GAME, "Q K", 1.0),
    "tablebase": lambda: build(GAME, 2, "nowhere"),
    "versus": lambda: Versus(GAME),
    "talk": lambda: Talk(io.StringIO(), io.StringIO(), GAME),
}


@pytest.mark.parametrize("who", REFUSING)
def test_everything_else_refuses_too(who: str) -> None:
    with pytest.raises(pf.Unsuitable, match=SENTENCE):
        REFUSING[who]()


@pytest.mark.parametrize("learns", [lambda: learn(GAME), lambda: levels_of(GAME)], ids=["ntuples", "network"])
def test_learners_refuse(learns: Callable[[], Any]) -> None:
    with pytest.raises(pf.Unsuitable, match=r"sees? only a part of them"):
        learns()


@pytest.mark.parametrize(
    "command",
    [
        ["search", "kuhn_poker", "--using", "uct"],
        ["strategy", "kuhn_poker"],
    ],
)
def test_commands_say_so(command: list[str]) -> None:
    error = CliRunner().invoke(plyforge_command, command).exception
    assert isinstance(error, pf.Unsuitable) and "hidden information" in str(error)


def test_counting_is_allowed() -> None:
    assert pf.census(GAME).nodes == 58 and pf.census(GAME).games == 30
