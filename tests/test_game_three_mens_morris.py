"""Three men's morris: its rules, its text, and the values that others have found."""

from __future__ import annotations

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import MAX, MIN
from plyforge.games.three_mens_morris import Men, ThreeMensMorris
from plyforge.solve import strongly


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=compiles)])
def test_whoever_begins_wins_by_the_centre_and_only_by_it(native):
    game = ThreeMensMorris()
    solved = strongly(game, native=native)
    assert solved.value() == 1.0
    assert [game.format_action(game.start(), action) for action in solved.best()] == ["5"]
    for action in game.legal(game.start()):
        after = game.result(game.start(), action)
        assert (solved.value(after) == 1.0) == (game.format_action(game.start(), action) == "5")


def test_without_the_centre_neither_side_can_force_a_win():
    solved = strongly(ThreeMensMorris(centre_first=False), native=False)
    assert solved.value() == 0.0 and solved.distance() is None


def test_men_are_placed_then_moved_along_the_lines():
    game = ThreeMensMorris()
    state = game.play("5", "1", "6", "4", "7", "3")
    assert state == Men(0b1110000, 0b1101, MAX)
    assert game.format_state(state) == "o.ooxxx.. x"
    assert [game.format_action(state, a) for a in game.legal(state)] == ["5-2", "5-8", "6-9", "7-8"]
    assert game.format_action(state, game.parse_action(state, "5-8")) == "5-8"
    with pytest.raises(pf.IllegalAction):
        game.parse_action(state, "5-9")
    assert "5-9" in [game.format_action(state, a) for a in ThreeMensMorris(diagonal_moves=True).legal(state)]
    assert len(ThreeMensMorris(flying=True).legal(state)) == 9


def test_nobody_is_ever_without_a_move():
    for game in (ThreeMensMorris(), ThreeMensMorris(centre_first=False)):
        for state in pf.solve.reachable(game):
            assert game.terminal(state) or game.legal(state)


def test_the_rules_are_lawful():
    for text in (
        "three_mens_morris",
        "three_mens_morris(diagonal_moves=True)",
        "three_mens_morris(flying=True)",
    ):
        report = pf.check(pf.load(text), native=False)
        assert report.ok, str(report)


def test_text_is_read_back_and_nonsense_refused():
    game = ThreeMensMorris()
    for state in pf.solve.reachable(game):
        assert game.parse_state(game.format_state(state)) == state
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
            game.parse_state(text)
    assert game.parse_state("x........ o").player == MIN
    assert "X" in game.show(game.parse_state("x........ o"))
