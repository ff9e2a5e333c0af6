"""Offers of a draw: which games have them, and what an algorithm says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plyforge.errors import PlyforgeError
from plyforge.games import load
from plyforge.games.catalog import names
from plyforge.kernel import below, new_stream
from plyforge.play import GameSession, SearchPlayer
from plyforge.play.match.draw_offers import answer, can_agree, thought_of
from plyforge.play.players.player import worth_to

WITHOUT = {"backgammon", "backgammon_match", "domineering", "go", "hex", "hexapawn", "nim", "pig", "pursuit"}
"""Games of two in which somebody wins."""


def test_the_games_without_draws_are_known() -> None:
    assert {name for name in names() if not load(name).history.draws_possible} == WITHOUT
    assert load("go(size=5, komi=7)").history.draws_possible
    assert not load("go(size=5, komi=6.5)").history.draws_possible
    offered = {name for name in names() if can_agree(load(name))}
    assert {"chess", "checkers", "connect4", "othello", "tic_tac_toe"} <= offered
    alone_many_at_once = {
        "slider",
        "slippery",
        "three_nim",
        "goofspiel",
        "repeated_prisoners_dilemma",
        "matrix",
        "tree",
    }
    assert not offered & (WITHOUT | alone_many_at_once)


@pytest.mark.parametrize("name", [*sorted(WITHOUT - {"go"}), "go(size=3, komi=0.5)"])
def test_games_without_draws_end_with_a_winner(name: str) -> None:
    game = load(name)
    for seed in range(10):
        session, stream = GameSession(game, seed=seed), new_stream(seed)
        while not session.over:
            legal = session.legal
            session.play(legal[below(stream, len(legal))])
        assert session.outcome is not None and not session.outcome.draw, session.actions_text()


def test_an_answer_rests_on_the_last_move_alone() -> None:
    session = GameSession(load("tic_tac_toe"))
    assert not answer(session, 0, None).accepted
    found = SearchPlayer("alpha_beta", native=False).choose(session.game, session.state).result
    assert found is not None and worth_to(found, 0) == worth_to(found, 1) == 0.0
    session.play(found.action)
    thought = thought_of(session, found)
    assert answer(session, 0, thought).accepted
    assert not answer(session, 1, thought).accepted  # it is not what that one thought
    session.play(session.legal[0])
    assert not answer(session, 0, thought).accepted
    session.undo()
    assert answer(session, 0, thought).accepted
    assert not answer(session, 0, thought_of(session, None)).accepted


def test_an_answer_is_about_the_algorithms_own_side() -> None:
    session = GameSession(load("tic_tac_toe"), "xo.......")
    found = SearchPlayer("alpha_beta", native=False).choose(session.game, session.state).result
    assert found is not None and (worth_to(found, 0), worth_to(found, 1)) == (1.0, -1.0)
    others = replace(found, value=-1.0, player=1)
    assert (worth_to(others, 0), worth_to(others, 1)) == (1.0, -1.0)
    everyone = replace(found, value=(1.0, -1.0), player=None)
    assert (worth_to(everyone, 0), worth_to(everyone, 1)) == (1.0, -1.0)
    session.play(found.action)
    for said, accepted in ((1.0, False), (0.01, False), (0.0, True), (-1.0, True)):
        thought = thought_of(session, replace(found, value=said))
        assert answer(session, 0, thought).accepted is accepted
    hurried = replace(found, value=-1.0, depth=0, reason="seconds")
    assert "no time" in answer(session, 0, thought_of(session, hurried)).words


def test_a_draw_that_was_agreed_is_kept_as_one() -> None:
    session = GameSession(load("tic_tac_toe"))
    session.agree()
    assert GameSession.from_json(session.to_json()).agreed
    with pytest.raises(PlyforgeError):
        session.agree()
