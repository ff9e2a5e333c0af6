"""Three men's morris: its rules, its text, and the values that others have found."""

from __future__ import annotations

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import MAX, MIN
from plyforge.games.two_players.three_mens_morris import Men, ThreeMensMorris
from plyforge.solve import strongly


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=compiles)])
def test_whoever_begins_wins_by_the_centre_and_only_by_it(native):
    game = ThreeMensMorris()
    solved = strongly(game, native=native)
    assert solved.value == 1.0
    assert [pf.format_action(game, game.start(), action) for action in solved.best] == ["5"]
    for action in pf.legal_moves(game, game.start()):
        after = game.result(game.start(), action)
        assert (solved.value_of(after) == 1.0) == (pf.format_action(game, game.start(), action) == "5")


def test_without_the_centre_neither_side_can_force_a_win():
    solved = strongly(ThreeMensMorris(centre_first=False), native=False)
    assert solved.value == 0.0 and solved.distance is None


def test_men_are_placed_then_moved_along_the_lines():
    game = ThreeMensMorris()
    state = pf.state_after(game, "5", "1", "6", "4", "7", "3")
    assert state == Men(0b1110000, 0b1101, MAX)
    assert pf.format_state(game, state) == "o.ooxxx.. x"
    assert [pf.format_action(game, state, a) for a in pf.legal_moves(game, state)] == [
        "5-2",
        "5-8",
        "6-9",
        "7-8",
    ]
    assert pf.format_action(game, state, pf.parse_action(game, state, "5-8")) == "5-8"
    with pytest.raises(pf.IllegalAction):
        pf.parse_action(game, state, "5-9")
    assert "5-9" in [
        pf.format_action(game, state, a) for a in pf.legal_moves(ThreeMensMorris(diagonal_moves=True), state)
    ]
    assert len(pf.legal_moves(ThreeMensMorris(flying=True), state)) == 9


def test_nobody_is_ever_without_a_move():
    for game in (ThreeMensMorris(), ThreeMensMorris(centre_first=False)):
        for state in pf.solve.reachable(game):
            assert game.terminal(state) or pf.legal_moves(game, state)


def test_the_rules_are_lawful():
    for text in (
        "three_mens_morris",
        "three_mens_morris(diagonal_moves=True)",
        "three_mens_morris(flying=True)",
    ):
        report = pf.check(pf.load(text), states=1500, native=False)
        assert report.ok, str(report)


def test_text_is_read_back_and_nonsense_refused():
    game = ThreeMensMorris()
    for state in pf.solve.reachable(game):
        assert pf.parse_state(game, pf.format_state(game, state)) == state
    for text in (
        "",
        "x",
        "xxxxooo.. x",
        "x........ x",
        "xxx......",
        "xo....... z",
        "xxxoo.... x",
        "xxxooo... o",
    ):
        with pytest.raises(pf.BadText):
            pf.parse_state(game, text)
    assert pf.parse_state(game, "x........ o").player == MIN
    assert "X" in game.show(pf.parse_state(game, "x........ o"))
