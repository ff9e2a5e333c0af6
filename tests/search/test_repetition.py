"""Games that can come back to a state: searches take that for a draw, referees end the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import MAX, Game, HistoryRules
from plyforge.errors import Unsuitable
from plyforge.play import Engine, GameSession, SearchPlayer
from plyforge.search import Engine as Search
from plyforge.search import Limits
from plyforge.solve import Solver


class Token(NamedTuple):
    place: int
    player: int


class CircleHistory(HistoryRules):
    repetition = True

    def draw_reason(self, game, history: list[Any]) -> str:
        return "repetition" if history.count(history[-1]) >= 3 else ""


@dataclass(frozen=True)
class Circle(Game):
    """A token on a strip from 0 to 8: MAX wants it at 8, MIN at 0; each moves it one place up or down, or gives up a
    win at 4."""

    history = CircleHistory()

    start_place: int = 4

    def start(self) -> Token:
        return Token(self.start_place, MAX)

    def player(self, s: Token) -> int:
        return s.player

    def actions(self, s: Token) -> Iterator[int]:
        yield 1
        yield -1

    def result(self, s: Token, step: int) -> Token:
        return Token(s.place + step, 1 - s.player)

    def terminal(self, s: Token) -> bool:
        return s.place in (0, 8)

    def utility(self, s: Token) -> float:
        return 1.0 if s.place == 8 else -1.0

    def evaluate(self, s: Token) -> float:
        return (s.place - 4) / 8


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_coming_back_is_worth_a_draw_and_proves_nothing(native: bool) -> None:
    for depth in range(4, 12):
        found = Search().search(Circle(), None, Limits(depth=depth), native=native)
        assert found.value == 0.0 and not found.proven
    won = Search().search(Circle(7), None, Limits(depth=9), native=native)
    assert (won.value, won.action, won.proven, won.distance) == (1.0, 1, True, 1)


def test_both_speeds_visit_the_same_nodes() -> None:
    game = Circle()
    for place in (2, 4, 6):
        counts = {
            Search().search(game, Token(place, MAX), Limits(depth=9), native=native).nodes for native in (False, True)
        }
        assert len(counts) == 1


def test_the_game_so_far_counts_as_well() -> None:
    """One ply ahead MAX would go up, which looks better; where it has been there before, that is worth no more than
    a draw."""
    fresh = Search().search(Circle(), Token(4, MAX), Limits(depth=1), native=False)
    been = Search().search(Circle(), Token(4, MAX), Limits(depth=1), native=False, history=[Token(5, 1)])
    other = Search().search(Circle(), Token(4, MAX), Limits(depth=1), native=False, history=[Token(5, 0)])
    assert (fresh.value, been.value, other.value) == (1 / 8, 0.0, 1 / 8)


def test_the_engine_object_and_players_hand_the_history_on() -> None:
    engine = Engine(Circle(), native=False)
    seen = [Token(4, 0), Token(5, 1), Token(4, 0), Token(3, 1)]
    engine.start(Token(4, 0), depth=2, history=seen)
    assert engine.wait().value == 0.0
    engine.start(Token(4, 0), depth=1)
    assert engine.wait().value == 1 / 8
    chosen = SearchPlayer("engine", depth=1, native=False).choose(Circle(), Token(4, 0), history=[Token(5, 1)])
    assert chosen.action == 1 and chosen.result is not None and chosen.result.value == 0.0


def test_a_session_ends_where_the_rules_of_play_say_so() -> None:
    session = GameSession(Circle())
    for step in (1, -1, 1, -1):
        assert not session.over and session.outcome is None
        session.play(step)
    assert session.over and session.drawn == "repetition" and session.player is None
    outcome = session.outcome
    assert outcome is not None and outcome.draw and outcome.reason == "by repetition"
    assert outcome.utilities == (0.0, 0.0)
    session.undo()
    assert not session.over


def test_solving_by_search_is_refused() -> None:
    with pytest.raises(Unsuitable, match="come back"):
        Solver(Circle())


def test_games_that_never_come_back_pay_nothing() -> None:
    assert not any(pf.load(name).history.repetition for name in ("connect4", "othello", "kalah"))
