"""Boards of more than 64 cells in one int, as a new user writes and runs them: right from the command line, at every
speed, and nothing crashes.

What is expected is counted by hand. In a row of 70 cells, two sequences of one stone each are 70 * 69 = 4,830, and a
third stone can end the game for the first time. After a first stone with two free neighbours one of them is left
whatever MIN does, so that it wins; at either end it has only one, which MIN takes.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import plyforge as pf
from command import as_json
from conftest import compiles, thinned
from paths import RULES_CORPUS

CORPUS = RULES_CORPUS
ROW, GOMOKU = CORPUS / "row70.py", CORPUS / "gomoku81.py"
SPEEDS = pytest.mark.parametrize("speed", [(), ("--interpreted",)], ids=["by default", "interpreted"])
COMPILED_FIRST = pytest.mark.parametrize(
    "speed",
    [pytest.param((), id="by default"), pytest.param(("--interpreted",), id="interpreted", marks=pytest.mark.full)],
)
"""Where there is so much to look at that the slow speed, which is Python's own, is left to `make test-full`."""


# ------------------------------------------------------------ a row of 70
@SPEEDS
@pytest.mark.parametrize("depth, count", [(1, 70), (2, 4830)])
def test_sequences_on_a_row_of_70_are_counted(speed: tuple[str, ...], depth: int, count: int) -> None:
    assert as_json("perft", ROW, "--depth", depth, *speed)["nodes"] == count


@COMPILED_FIRST
def test_the_third_stone_on_a_row_of_70_wins(speed: tuple[str, ...]) -> None:
    found = as_json("search", ROW, "--using", "minimax", "--depth", 3, *speed)
    assert (found["action"], found["value"]) == ("68", 1.0)
    assert found["values"] == {str(i): 0.0 if i in (0, 69) else 1.0 for i in range(70)}
    assert found["nodes"] == 1 + 70 + 70 * 69 + 70 * 69 * 68
    assert found["line"] == ["68", "69", "67"]


@SPEEDS
def test_alpha_beta_on_a_row_of_70_finds_what_minimax_finds(speed: tuple[str, ...]) -> None:
    found = as_json("search", ROW, "--using", "alpha_beta", "--depth", 3, *speed)
    assert (found["action"], found["value"]) == ("68", 1.0)


@pytest.mark.parametrize("file", thinned([ROW, GOMOKU], [ROW]), ids=["row70", "gomoku81"])
def test_the_checker_lives(file: Path) -> None:
    report = as_json("check", file, "--seconds", 240, "--states", 300)
    assert report["ok"] and report["states"] >= 300
    assert not report["violations"]


@compiles
@pytest.mark.parametrize("file", [ROW, GOMOKU], ids=["row70", "gomoku81"])
def test_boards_of_more_than_64_cells_run_compiled(file: Path) -> None:
    assert as_json("perft", file, "--depth", 2)["native"]


# ------------------------------------------------------------ gomoku, nine by nine
@COMPILED_FIRST
def test_sequences_of_gomoku_are_counted(speed: tuple[str, ...]) -> None:
    assert as_json("perft", GOMOKU, "--depth", 3, *speed)["nodes"] == 81 * 80 * 79


def line_of_five(points: set[tuple[int, int]]) -> bool:
    """By coordinates, point by point: nothing in common with shifts."""
    ways = ((0, 1), (1, 0), (1, 1), (1, -1))
    return any(
        all((row + k * down, column + k * right) in points for k in range(5))
        for row, column in points
        for down, right in ways
    )


def test_gomoku_in_bits_knows_five_in_a_row() -> None:
    game = pf.load(str(GOMOKU))
    draw = random.Random(5)
    seen = {True: 0, False: 0}
    for n in range(1500):
        stones = draw.sample(range(81), 20 + n % 25)
        state = game.start()._replace(black=sum(1 << point for point in stones))
        truth = line_of_five({divmod(point, 9) for point in stones})
        assert game.terminal(state) == truth, stones
        seen[truth] += 1
    assert min(seen.values()) > 100


@COMPILED_FIRST
@pytest.mark.parametrize("using", ["minimax", "alpha_beta"])
@pytest.mark.parametrize("row", [0, 8])
def test_the_fifth_stone_is_found_wherever_it_lies(speed: tuple[str, ...], using: str, row: int) -> None:
    game = pf.load(str(GOMOKU))
    black = [9 * row + column for column in (2, 3, 4, 5)]
    white = [9 * ((row + 2) % 9) + column for column in (0, 2, 5, 7)]
    state = game.start()
    for mine, yours in zip(black, white, strict=True):
        state = game.result(game.result(state, mine), yours)
    text = pf.format_state(game, state)
    found = as_json("search", GOMOKU, "--state", text, "--using", using, "--depth", 2, *speed)
    assert (found["action"], found["value"]) == (str(9 * row + 1), 1.0)
    if using == "minimax":
        winning = (str(9 * row + 1), str(9 * row + 6))
        assert tuple(action for action, value in found["values"].items() if value == 1.0) == winning
