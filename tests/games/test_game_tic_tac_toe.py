"""Tic-tac-toe: every number that textbooks give about it."""

from __future__ import annotations

import pytest

import plyforge as pf
from plyforge.solve import census, perft

GAME = pf.load("tic_tac_toe")


def test_the_census_is_as_every_textbook_has_it():
    counted = census(GAME)
    assert counted.nodes == 549_946
    assert counted.states == 5_478
    assert counted.terminal_states == 958
    assert counted.games == 255_168
    assert counted.outcomes == {1.0: 131_184, 0.0: 46_080, -1.0: 77_904}


@pytest.mark.parametrize("native", [False, None])
def test_it_is_a_draw_by_searches(native):
    for using in ("minimax", "negamax", "alpha_beta", "expectiminimax"):
        if native is False and using != "alpha_beta":
            continue  # half a million interpreted nodes once is enough, and done elsewhere
        assert pf.search(GAME, using=using, native=native).value == 0.0


def test_perft_adds_up_to_the_tree():
    counts = [perft(GAME, depth).nodes for depth in range(1, 10)]
    assert counts == [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]
    assert 1 + sum(counts) == 549_946


def test_the_corner_is_answered_in_the_centre():
    """Every textbook's advice: after X in the corner, only the centre holds."""
    found = pf.search(GAME, "x........", using="minimax")
    assert [found.text(a) for a in found.best] == ["5"]
    assert set(found.values.values()) == {0.0, 1.0}


def test_the_lectures_heuristic_counts_open_lines():
    assert GAME.evaluate(GAME.start()) == 0.0
    assert GAME.evaluate(pf.parse_state(GAME, "....x....")) == pytest.approx((8 - 4) / 9)
    assert GAME.evaluate(pf.parse_state(GAME, "x...o....")) == pytest.approx((4 - 5) / 9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "nine cells"),
        ("x" * 10, "nine cells"),
        ("xoz......", "nine cells"),
        ("xxx......", "X begins"),
        ("o........", "X begins"),
        ("xxxooo...", "after the game was won"),
        ("xxxoo.o..", "after the game was won"),
    ],
)
def test_bad_text_is_refused_in_words(text, words):
    with pytest.raises(pf.BadText, match=words):
        pf.parse_state(GAME, text)


def test_actions_are_read_and_illegal_ones_explained():
    state = pf.state_after(GAME, "5", "1")
    assert pf.parse_action(GAME, state, " 9 ") == 8
    with pytest.raises(pf.IllegalAction, match="legal: 2, 3, 4, 6, 7, 8, 9"):
        pf.parse_action(GAME, state, "5")


def test_the_board_shows_the_cells_to_type():
    assert (
        GAME.show(pf.parse_state(GAME, "x...o....")) == " X | 2 | 3\n---+---+---\n 4 | O | 6\n---+---+---\n 7 | 8 | 9"
    )
