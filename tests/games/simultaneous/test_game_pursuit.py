"""Pursuit: values that follow by hand, and the rules."""

from __future__ import annotations

import pytest

import plyforge as pf
from plyforge.games.simultaneous.pursuit import Hunt, Pursuit
from plyforge.solve import equilibria, stage_equilibrium


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_on_four_cells_the_evader_escapes_two_rounds_in_three(steps: int) -> None:
    """Everyone reaches every cell. To step to one of the three other cells, each equally likely, is best for both:
    the pursuer guesses right once in three rounds."""
    solved = stage_equilibrium(Pursuit(2, 2, steps))
    assert solved.value == pytest.approx(1 - 2 * (2 / 3) ** steps, abs=1e-12)


def test_the_stage_of_four_cells_written_out() -> None:
    """The same by a table of our own: rows and columns are the cells a1, a2, b1, b2, in the order of the steps from
    a1 and b2."""
    cells = ["a1", "a2", "b2", "b1"]
    caught = [[1.0 if p == e or (p == "b2" and e == "a1") else -1.0 for e in cells] for p in cells]
    assert equilibria.zero_sum(caught).values[0] == pytest.approx(-1 / 3, abs=1e-12)


def test_in_a_corridor_there_is_no_escape_and_round_a_wall_no_catching() -> None:
    assert stage_equilibrium(Pursuit(4, 1, 5)).value == 1.0
    assert stage_equilibrium(Pursuit(3, 3, 4, "b2")).value == -1.0


def test_more_time_is_never_worse_for_the_pursuer() -> None:
    values = [stage_equilibrium(Pursuit(3, 2, steps)).value for steps in (1, 2, 3, 4)]
    assert values == sorted(values) and -1.0 <= values[0] < values[-1] < 1.0


def test_changing_places_is_being_caught() -> None:
    game = Pursuit(2, 1, 3)
    assert game.result(game.start(), (3, 7)) == Hunt(1, 1, 0)
    assert game.utility(Hunt(1, 1, 0)) == 1.0 and game.utility(Hunt(0, 1, 0)) == -1.0


def test_walls_are_not_entered() -> None:
    game = Pursuit(3, 3, 5, "b2, b1")
    assert [pf.format_choice(game, game.start(), 0, step) for step in game.legal_actions(game.start(), 0)] == [
        "stay",
        "n",
    ]
    assert game.show(game.start()).splitlines()[1:3] == ["2 . # .", "1 P # ."]


def test_text_is_read_back_and_nonsense_refused() -> None:
    game = Pursuit(3, 3, 5, "b2")
    for text in ("a1 c3 5", "c1 a3 1", "a2 a2 0"):
        assert pf.format_state(game, pf.parse_state(game, text)) == text
    for text in ("", "a1 c3", "a1 d1 2", "a1 b2 2", "a1 c3 6", "a1 a1 2", "a1 c3 -1"):
        with pytest.raises(pf.BadText):
            pf.parse_state(game, text)


@pytest.mark.parametrize(
    "arguments",
    [{"width": 0}, {"height": 10}, {"steps": 0}, {"walls": "a1"}, {"walls": "z9"}, {"width": 1, "height": 1}],
)
def test_what_makes_no_board_is_refused(arguments) -> None:
    with pytest.raises(pf.BadRules):
        Pursuit(**arguments)
