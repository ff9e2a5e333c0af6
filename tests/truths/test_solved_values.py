"""Known values of solved games, found again by the solver: Connect Four's published test sets and board sizes, and
the table of solved games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from known import small_games
from known.connect4 import EARLY, LATE, MIDDLE, WINNERS
from plyforge.games.two_players.connect4 import Connect4
from plyforge.games.two_players.domineering import Domineering
from plyforge.games.two_players.dots_and_boxes import DotsAndBoxes
from plyforge.games.two_players.hex import Hex
from plyforge.games.two_players.hexapawn import Hexapawn
from plyforge.games.two_players.kalah import Kalah
from plyforge.games.two_players.mnk import Mnk
from plyforge.solve import Solver, prove

GRADED = Connect4(graded=True)


# ------------------------------------------------------------ what is known
def positions(known: dict[str, int]) -> list[tuple[Any, float]]:
    """States of a table, each with its score to MAX: the table has it from the mover's side."""
    found = []
    for moves, score in known.items():
        state = pf.parse_state(GRADED, moves)
        found.append((state, float(score) if GRADED.player(state) == pf.MAX else -float(score)))
    return found


def whole_set(data: Path, name: str) -> dict[str, int]:
    lines = (data / "connect4" / name).read_text().splitlines()
    assert len(lines) == 1000
    return {moves: int(score) for moves, score in map(str.split, lines)}


def value_of(game: Any, native: bool | None = False) -> float:
    return Solver(game, native=native, table_mib=1 if native is False else 64).value()


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


# ------------------------------------------------------------ Connect Four, positions
def assert_exact(solver: Solver, sample: list[tuple[Any, float]]) -> None:
    values = solver.values([state for state, _ in sample])
    wrong = [(state, score, value) for (state, score), value in zip(sample, values, strict=True) if value != score]
    assert wrong == []


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(GRADED)


@compiles
@pytest.mark.parametrize("known", [LATE, MIDDLE, EARLY], ids=["late", "middle", "early"])
def test_a_sample_of_the_published_positions_is_exact(solver: Solver, known: dict[str, int]) -> None:
    sample = positions(known)
    assert {score > 0 for _, score in sample} == {True, False}
    assert_exact(solver, sample)


def test_positions_near_the_end_are_exact_interpreted() -> None:
    assert_exact(Solver(GRADED, native=False, table_mib=1), positions(LATE)[:4])


@compiles
@pytest.mark.full
@pytest.mark.parametrize("name", ["Test_L3_R1", "Test_L2_R1", "Test_L1_R1"])
def test_all_thousand_published_positions_are_exact(data: Path, solver: Solver, name: str) -> None:
    assert_exact(solver, positions(whole_set(data, name)))


@compiles
def test_two_threads_and_a_tiny_table_find_the_same_scores(solver: Solver) -> None:
    sample = positions(MIDDLE)[::2]
    assert_exact(Solver(GRADED, threads=2), sample)
    assert_exact(Solver(GRADED, table_mib=1 / 64), sample)


@compiles
def test_every_best_action_leads_to_the_value_and_no_other_does(solver: Solver) -> None:
    for state, score in positions(MIDDLE)[1::3]:
        found = solver.solve(state)
        values = {action: solver.value(GRADED.result(state, action)) for action in GRADED.actions(state)}
        assert found.value == score
        assert found.best == tuple(action for action, value in values.items() if value == score)


@compiles
@pytest.mark.full
def test_the_plain_game_has_the_sign_of_the_graded_one() -> None:
    """The plain rules know no threats: they check the graded ones' `bounds` and `candidates`."""
    sample = positions(LATE)
    values = Solver(Connect4()).values([state for state, _ in sample])
    assert values == [float(sign(score)) for _, score in sample]


# ------------------------------------------------------------ Connect Four, board sizes
@pytest.mark.parametrize("graded", [True, False], ids=["graded", "plain"])
def test_the_smallest_board_is_drawn(graded: bool) -> None:
    assert value_of(Connect4(4, 4, graded=graded)) == WINNERS[4, 4] == 0


WITHIN_A_MINUTE = [
    (4, 5),
    (4, 6),
    (4, 7),
    (4, 8),
    (4, 9),
    (5, 4),
    (5, 5),
    (5, 6),
    (5, 7),
    (5, 8),
    (6, 4),
    (6, 5),
    (6, 6),
    (7, 4),
    (7, 5),
    (8, 4),
]


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("width", "height"), WITHIN_A_MINUTE)
def test_boards_are_won_by_who_is_known_to_win(width: int, height: int) -> None:
    assert sign(value_of(Connect4(width, height, graded=True), True)) == WINNERS[width, height]


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("width", "height"), [(5, 4), (4, 5), (6, 4)])
def test_plain_boards_are_won_by_who_is_known_to_win(width: int, height: int) -> None:
    assert value_of(Connect4(width, height), True) == WINNERS[width, height]


# ------------------------------------------------------------ the table of solved games
def test_kalahs_small_boards() -> None:
    for (houses, seeds), margin in small_games.KALAH.items():
        if (houses, seeds) not in {(4, 2), (3, 3)}:
            assert value_of(Kalah(houses, seeds)) == margin, (houses, seeds)


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("houses", "seeds"), [(3, 3), (4, 2)])
def test_kalahs_larger_boards(houses: int, seeds: int) -> None:
    assert value_of(Kalah(houses, seeds), True) == small_games.KALAH[houses, seeds]


@compiles
@pytest.mark.full
def test_kalah_4_3_is_the_same_to_both_provers() -> None:
    """Its sign is known: the first player wins. Its margin is what two programs without a common line agree on."""
    game = Kalah(4, 3)
    value = value_of(game, True)
    assert value > 0
    assert prove(game, at_least=value, native=True).proven is True
    assert prove(game, at_least=value + 1, native=True).proven is False


def test_dots_and_boxes_in_one_row() -> None:
    for columns in (1, 2, 3):
        assert value_of(DotsAndBoxes(1, columns)) == small_games.DOTS_AND_BOXES[1, columns]


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("rows", "columns"), [(1, 4), (1, 5), (2, 2), (2, 3), (2, 4), (3, 3)])
def test_dots_and_boxes_on_larger_boards(rows: int, columns: int) -> None:
    assert value_of(DotsAndBoxes(rows, columns), True) == small_games.DOTS_AND_BOXES[rows, columns]


PAWNS = {board: 1.0 if who == "F" else -1.0 for board, who in small_games.HEXAPAWN.items()}


def test_hexapawn() -> None:
    for (rows, columns), value in PAWNS.items():
        if rows * columns <= 15 and (rows, columns) != (5, 3):
            assert value_of(Hexapawn(columns, rows)) == value, (rows, columns)


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (4, 5), (5, 3), (5, 4), (5, 5)])
def test_hexapawn_on_larger_boards(rows: int, columns: int) -> None:
    assert value_of(Hexapawn(columns, rows), True) == PAWNS[rows, columns]


LINES = {board: 1.0 if who == "first" else 0.0 for board, who in small_games.IN_A_ROW.items()}


def test_three_in_a_row() -> None:
    assert value_of(Mnk(3, 3, 3)) == LINES[3, 3, 3]
    assert value_of(Mnk(3, 4, 3)) == LINES[3, 4, 3]


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("columns", "rows", "connect"), [(4, 4, 3), (3, 5, 4), (4, 4, 4)])
def test_lines_on_larger_boards(columns: int, rows: int, connect: int) -> None:
    assert value_of(Mnk(columns, rows, connect), True) == LINES[columns, rows, connect]


OUTCOMES = {"V": (1.0, 1.0), "H": (-1.0, -1.0), "N": (1.0, -1.0), "P": (-1.0, 1.0)}
"""The values if Vertical (MAX) begins and if Horizontal does: the Next player wins, or the Previous one."""


DOMINOES = {board: OUTCOMES[who] for board, who in small_games.DOMINEERING.items()}


def test_domineering() -> None:
    for (rows, columns), values in DOMINOES.items():
        if rows * columns <= 12:
            found = tuple(value_of(Domineering(rows, columns, first)) for first in ("vertical", "horizontal"))
            assert found == values, (rows, columns)


@compiles
@pytest.mark.full
@pytest.mark.parametrize("first", ["vertical", "horizontal"])
@pytest.mark.parametrize(("rows", "columns"), [(3, 5), (4, 4), (4, 5), (5, 3), (5, 4), (5, 5)])
def test_domineering_on_larger_boards(rows: int, columns: int, first: str) -> None:
    value = value_of(Domineering(rows, columns, first), True)
    assert value == DOMINOES[rows, columns][0 if first == "vertical" else 1]


def winning_picture(size: int, native: bool) -> str:
    game = Hex(size)
    found = Solver(game, native=native, table_mib=1 if not native else 64).solve(distance=False)
    assert found.value == 1.0
    return "".join("W" if cell in found.best else "." for cell in range(game.cells))


def test_the_first_moves_that_win_hex() -> None:
    for size in (2, 3):
        assert winning_picture(size, False) == small_games.HEX_WINNING_FIRST_MOVES[size]


@compiles
@pytest.mark.full
def test_the_first_moves_that_win_hex_four_by_four() -> None:
    assert winning_picture(4, True) == small_games.HEX_WINNING_FIRST_MOVES[4]
