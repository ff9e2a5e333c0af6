"""The robot whose wheels slip: the values that Russell and Norvig print, and four ways to the same expectation."""

from __future__ import annotations

from functools import cache

import pytest

import plyforge as pf
from plyforge.solve import value_iteration

# S. Russell and P. Norvig, "Artificial Intelligence", the 4 x 3 world with a step at 0.04 and no discount: what each
# cell is worth.
PRINTED = {
    "a3": 0.812, "b3": 0.868, "c3": 0.918,
    "a2": 0.762, "c2": 0.660,
    "a1": 0.705, "b1": 0.655, "c1": 0.611, "d1": 0.388,
}  # fmt: skip


WALKED = 6
"""Steps after which the robot can be anywhere."""


@cache
def world():
    return value_iteration(pf.load("slippery(battery=40)"), native=False)


def test_the_four_by_three_world_is_worth_what_the_book_prints():
    for cell, worth in PRINTED.items():
        assert world().value_of(f"{cell} {WALKED}") + 0.04 * WALKED == pytest.approx(worth, abs=0.0006), cell
    assert world().value == pytest.approx(PRINTED["a1"], abs=0.0006)


def test_the_best_way_is_the_long_one_past_the_wall():
    """In the book the robot goes north from the start, away from the pit, and from c1 west."""
    game = world().game
    for cell, direction in (("a1", "north"), ("c1", "west"), ("b1", "west"), ("c2", "north"), ("c3", "east")):
        state = pf.parse_state(game, f"{cell} {WALKED}")
        assert pf.format_action(game, state, world().best_of(state)[0]) == direction


def by_hand(cell: int, steps: int, slip: float, battery: int) -> float:
    """A corridor, cells 0 and 1 and a goal at 2, walls above and below; a step costs 1/8."""
    if cell == 2 or steps == battery:
        return float(cell == 2) - 0.125 * steps
    west, stays, east = (
        by_hand(max(0, next_cell), steps + 1, slip, battery) for next_cell in (cell - 1, cell, cell + 1)
    )
    ways = {
        "east": (1.0 - slip) * east + slip * stays,
        "west": (1.0 - slip) * west + slip * stays,
        "north": (1.0 - slip) * stays + slip * 0.5 * (west + east),
    }
    return max(ways.values())


@pytest.mark.parametrize("slip", [0.0, 0.25, 1.0])
def test_a_corridor_is_worth_what_a_recurrence_says(slip):
    game = pf.load(f"slippery(maze='S.G', slip={slip}, price=0.125, battery=4)")
    expected = pytest.approx(by_hand(0, 0, slip, 4), abs=1e-12)
    for using in ("expectimax", "expectiminimax", "star2"):
        assert pf.search(game, using=using, native=False).value == expected
    assert value_iteration(game, native=False).value == expected
    assert pf.solve.backward_induction(game).value == expected


@pytest.mark.parametrize("text", ["c2 0", "c1 2", "b3 1"])
def test_expectimax_and_value_iteration_agree(text):
    game = pf.load("slippery(battery=4, price=0.1)")
    tree = pf.search(game, text, "expectimax", native=False)
    solved = value_iteration(game, text, native=False)
    assert tree.exact and tree.value == pytest.approx(solved.value, abs=1e-12)
    assert tree.action in solved.best


def test_where_steps_are_cheap_the_robot_takes_no_risk_and_where_they_hurt_it_jumps_into_the_pit():
    """The book's four policies: below 0.0221 a step it heads away from the pit, even into a wall; above 1.6284 for
    the nearest way out, whatever it is."""
    cheap, dear = pf.load("slippery(price=0.01, battery=60)"), pf.load("slippery(price=2.0, battery=10)")
    for game, cell, direction in (
        (cheap, "c2", "west"),
        (cheap, "d1", "south"),
        (dear, "c2", "east"),
        (dear, "d1", "north"),
    ):
        found = value_iteration(game, f"{cell} 0", native=False)
        assert found.best == (pf.parse_action(game, pf.parse_state(game, f"{cell} 0"), direction),)


def test_the_wheels_go_left_or_right_of_where_they_should():
    game = pf.load("slippery")
    state = pf.parse_state(game, "a1 0 north")
    outcomes = {pf.format_action(game, state, outcome): p for outcome, p in game.chance(state)}
    assert outcomes == pytest.approx({"north": 0.8, "west": 0.1, "east": 0.1})
    assert pf.format_state(game, game.result(state, pf.parse_action(game, state, "west"))) == "a1 1"
    assert [len(list(pf.load(f"slippery(slip={slip})").chance(state))) for slip in (0.0, 0.5, 1.0)] == [1, 3, 2]


def test_text_reads_back_and_nonsense_is_refused():
    game = pf.load("slippery")
    for text in ("a1 0", "c3 7 east", "d1 60"):
        assert pf.format_state(game, pf.parse_state(game, text)) == text
    for text in ("", "a1", "b2 0", "e1 0", "a1 61", "a1 60 north", "d3 2 east", "a1 x", "a1 0 up"):
        with pytest.raises(pf.BadText):
            pf.parse_state(game, text)


@pytest.mark.parametrize(
    "text",
    [
        "slippery(maze='..G')",
        "slippery(maze='S..')",
        "slippery(maze='S.G/..')",
        "slippery(maze='S?G')",
        "slippery(slip=1.5)",
        "slippery(price=-1.0)",
        "slippery(battery=0)",
    ],
)
def test_impossible_worlds_are_refused(text):
    with pytest.raises(pf.BadRules):
        pf.load(text)
