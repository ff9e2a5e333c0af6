"""A game in progress: turns, undo, chance, resignation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from party_games import TIC_TAC_TOE, X_WINS, DiceRace, Sticks, ThreeSticks, played
from plyforge.contract import CHANCE, MAX, MIN, Game, Notation, parse_state
from plyforge.errors import BadLimits, BadRules, BadText, IllegalAction
from plyforge.games import load
from plyforge.kernel import new_stream, uniform
from plyforge.play import GameSession, player_name


def test_a_session_knows_who_moves_what_is_legal_and_who_won() -> None:
    session = GameSession(TIC_TAC_TOE)
    assert session.player == MAX and session.legal == list(range(9)) and session.outcome is None
    for text in X_WINS:
        session.play_text(text)
    assert session.over and session.player is None and session.legal == []
    outcome = session.outcome
    assert outcome is not None
    assert outcome.winners == (MAX,) and outcome.utilities == (1.0, -1.0) and outcome.reason == "by the rules"
    assert outcome.text(TIC_TAC_TOE) == "X (MAX) wins"
    assert [turn.player for turn in session.history] == [MAX, MIN, MAX, MIN, MAX]
    with pytest.raises(IllegalAction, match="the game is over"):
        session.play(8)


def test_a_draw_has_no_winner() -> None:
    outcome = GameSession(TIC_TAC_TOE, "xoxxoooxx").outcome
    assert outcome is not None and outcome.draw and outcome.winners == () and outcome.text(TIC_TAC_TOE) == "a draw"


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    session = played(TIC_TAC_TOE, "5")
    before = session.state
    with pytest.raises(IllegalAction, match="5 is not a legal action here; legal: 1, 2, 3, 4, 6"):
        session.play(4)
    with pytest.raises(IllegalAction, match="legal: 1, 2"):
        session.play_text("z9")
    with pytest.raises(IllegalAction):
        session.play("nonsense")
    assert session.state == before and len(session.history) == 1


def test_resigning_ends_the_game_and_can_be_taken_back() -> None:
    session = played(TIC_TAC_TOE, "5")
    session.resign(MIN)
    outcome = session.outcome
    assert outcome is not None
    assert outcome.winners == (MAX,) and outcome.utilities == (1.0, -1.0) and outcome.reason == "O (MIN) resigned"
    session.undo()
    assert session.outcome is None and len(session.history) == 1
    with pytest.raises(IllegalAction, match="no player 2"):
        session.resign(2)


def test_a_draw_can_be_agreed_and_taken_back() -> None:
    session = played(TIC_TAC_TOE, "5")
    session.agree()
    outcome = session.outcome
    assert outcome is not None and outcome.draw and outcome.utilities == (0.0, 0.0)
    assert outcome.reason == "by agreement" and outcome.text(TIC_TAC_TOE) == "a draw"
    assert session.over and session.player is None and session.copy().outcome == outcome
    with pytest.raises(IllegalAction, match="the game is over"):
        session.agree()
    with pytest.raises(IllegalAction, match="the game is over"):
        session.resign(MAX)
    with pytest.raises(IllegalAction, match="can't take back 3 turns: there are 2"):
        session.undo(3)
    session.undo()
    assert session.outcome is None and len(session.history) == 1
    session.agree()
    session.undo(2)
    assert not session.agreed and not session.history
    with pytest.raises(IllegalAction, match="only one player"):
        GameSession(load("slider")).agree()


def test_nobody_wins_when_one_of_three_resigns() -> None:
    session = GameSession(ThreeSticks())
    session.resign(1)
    outcome = session.outcome
    assert outcome is not None and outcome.winners == () and outcome.utilities is None and not outcome.draw
    assert outcome.text(session.game) == "Bob resigned"


def test_three_players_take_turns_and_one_wins() -> None:
    session = played(ThreeSticks(), "2", "1", "2")
    outcome = session.outcome
    assert outcome is not None and outcome.winners == (2,) and outcome.utilities == (-1.0, -1.0, 2.0)
    assert player_name(session.game, 2) == "Cleo"


def test_undo_and_redo_walk_along_the_game() -> None:
    session = played(TIC_TAC_TOE, *X_WINS)
    states = [turn.state for turn in session.history] + [session.state]
    session.undo(3)
    assert session.state == states[2] and session.can_redo
    session.redo(2)
    assert session.state == states[4]
    session.undo(4)
    session.play_text("9")
    assert not session.can_redo
    with pytest.raises(IllegalAction, match="can't take back 3 turns: there are 1"):
        session.undo(3)
    with pytest.raises(IllegalAction):
        session.redo()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-3, 8), max_size=40))
def test_the_state_is_always_the_start_with_the_history_applied(steps: list[int]) -> None:
    session = GameSession(DiceRace(), seed=5)
    for step in steps:
        if step == -1 and session.history:
            session.undo()
        elif step == -2 and session.can_redo:
            session.redo()
        elif step >= 0 and not session.over:
            if session.player == CHANCE:
                session.draw()
            else:
                session.play(session.legal[step % len(session.legal)])
        state = session.start
        for turn in session.history:
            assert turn.state == state and turn.player == session.game.player(state)
            state = session.game.result(state, turn.action)
        assert state == session.state


def test_chance_takes_the_numbers_of_the_seeds_stream_one_for_each_ply() -> None:
    session = GameSession(DiceRace(goal=40), seed=99)
    stream = new_stream(99)
    while not session.over:
        number = uniform(stream)
        if session.player == CHANCE:
            assert session.draw().outcome == int(number * 6) + 1
        else:
            session.play(1)


def test_taking_back_does_not_buy_another_throw() -> None:
    session = played(DiceRace(), "1", seed=4)
    first = session.draw().outcome
    session.undo(2)
    session.play(2)
    assert session.draw().outcome == first


def test_every_face_of_the_die_comes_up_as_often_as_it_should() -> None:
    counts: Counter[int] = Counter()
    for seed in range(3000):
        session = played(DiceRace(), "1", seed=seed)
        counts[session.draw().outcome] += 1
    assert set(counts) == set(range(1, 7))
    assert all(abs(count - 500) < 100 for count in counts.values())  # five standard deviations


def test_chance_moves_only_where_it_is_to_move() -> None:
    session = GameSession(DiceRace(), seed=1)
    with pytest.raises(IllegalAction, match="chance is not to move"):
        session.draw()
    session.play(1)
    session.play(6)  # an outcome may also be given: real dice
    assert session.state.first == 6 and session.history[-1].player == CHANCE


def test_rules_without_an_action_in_a_live_state_are_named() -> None:
    class Stuck(ThreeSticks):
        def actions(self, s: Sticks) -> Iterator[int]:
            return iter(())

    with pytest.raises(BadRules, match="no action"):
        _ = GameSession(Stuck()).legal


def test_a_session_begins_anywhere_but_not_with_any_seed() -> None:
    assert GameSession(TIC_TAC_TOE, "x...o...x").player == MIN
    with pytest.raises(BadText):
        GameSession(TIC_TAC_TOE, "xxxxxxxxx")
    with pytest.raises(BadLimits, match="seed"):
        GameSession(TIC_TAC_TOE, seed=-1)


def test_reading_an_action_asks_of_it_alone_whether_it_is_forbidden(monkeypatch) -> None:
    session, asked = GameSession(load("go(size=5)")), []
    original = GameSession.forbidden

    def spy(self: GameSession, action: Any) -> str:
        asked.append(action)
        return original(self, action)

    monkeypatch.setattr(GameSession, "forbidden", spy)
    action = session.read_action("C3")
    assert asked == [action]


def test_a_session_takes_the_name_of_a_game():
    assert GameSession("tic_tac_toe", "x........").state == parse_state(load("tic_tac_toe"), "x........")


def test_a_copy_of_a_game_whose_states_are_texts_stands_where_that_one_does():
    """A text that is a state already is not to be read as one."""

    class LettersNotation(Notation):
        def parse_state(self, game, text):
            raise BadRules("nobody should read a state again")

    class Letters(Game):
        notation = LettersNotation()

        worth_compiling = False

        def start(self):
            return "a"

        def player(self, s):
            return len(s) % 2

        def actions(self, s):
            return ["b", "c"]

        def result(self, s, action):
            return s + action

        def terminal(self, s):
            return len(s) > 3

        def utility(self, s):
            return 0.0

    session = GameSession(Letters())
    session.play("b")
    other = session.copy()
    other.play("c")
    assert (other.state, session.state, other.start) == ("abc", "ab", "a")
