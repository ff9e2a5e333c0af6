"""Known values of solved games, found again by the solver: Connect Four's published test sets and board sizes, and
the table of solved games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from paths import DATA
from plyforge.games.connect4 import Connect4
from plyforge.games.domineering import Domineering
from plyforge.games.dots_and_boxes import DotsAndBoxes
from plyforge.games.hex import Hex
from plyforge.games.hexapawn import Hexapawn
from plyforge.games.kalah import Kalah
from plyforge.games.mnk import Mnk
from plyforge.solve import Solver, prove

GRADED = Connect4(graded=True)


# ------------------------------------------------------------ what is known
def fact(beginning: str) -> str:
    """The second column of a row of the table of solved games."""
    if not DATA.is_dir():
        pytest.skip("the folder of known truths (../shared/data) is not here")
    for line in (DATA / "facts" / "solved-values.tsv").read_text().splitlines():
        if line.startswith(beginning):
            return line.split("\t")[1] if not re.search(r"\d\)[+-]?\d", line) else line
    raise AssertionError(f"the row {beginning!r} is gone")


def positions(data: Path, name: str) -> list[tuple[Any, float]]:
    """States of a test set, each with its score to MAX: the file has it from the mover's side."""
    found = []
    for line in (data / "connect4" / name).read_text().splitlines():
        moves, score = line.split()
        state = pf.parse_state(GRADED, moves)
        found.append((state, float(score) if GRADED.player(state) == pf.MAX else -float(score)))
    assert len(found) == 1000
    return found


def board_values() -> dict[tuple[int, int], int]:
    """Who wins on boards of width by height: 1 the first player, 0 nobody, -1 the second."""
    path = DATA / "facts" / "connect4-boards.tsv"
    if not path.is_file():
        return {}
    rows = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    signs = {"+": 1, "=": 0, "-": -1}
    return {(int(row[0]), int(row[1])): signs[row[2]] for row in rows if row[2]}


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
@pytest.mark.parametrize(("name", "step"), [("Test_L3_R1", 10), ("Test_L2_R1", 10), ("Test_L1_R1", 40)])
def test_a_sample_of_the_published_positions_is_exact(data: Path, solver: Solver, name: str, step: int) -> None:
    sample = positions(data, name)[::step]
    assert {score > 0 for _, score in sample} == {True, False}
    assert_exact(solver, sample)


def test_positions_near_the_end_are_exact_interpreted(data: Path) -> None:
    assert_exact(Solver(GRADED, native=False, table_mib=1), positions(data, "Test_L3_R1")[:4])


@compiles
@pytest.mark.full
@pytest.mark.parametrize("name", ["Test_L3_R1", "Test_L2_R1", "Test_L1_R1"])
def test_all_thousand_published_positions_are_exact(data: Path, solver: Solver, name: str) -> None:
    assert_exact(solver, positions(data, name))


@compiles
def test_two_threads_and_a_tiny_table_find_the_same_scores(data: Path, solver: Solver) -> None:
    sample = positions(data, "Test_L2_R1")[5::50]
    assert_exact(Solver(GRADED, threads=2), sample)
    assert_exact(Solver(GRADED, table_mib=1 / 64), sample)


@compiles
def test_every_best_action_leads_to_the_value_and_no_other_does(data: Path, solver: Solver) -> None:
    for state, score in positions(data, "Test_L2_R1")[3::100]:
        found = solver.solve(state)
        values = {action: solver.value(GRADED.result(state, action)) for action in GRADED.actions(state)}
        assert found.value == score
        assert found.best == tuple(action for action, value in values.items() if value == score)


@compiles
@pytest.mark.full
def test_the_plain_game_has_the_sign_of_the_graded_one(data: Path) -> None:
    """The plain rules know no threats: they check the graded ones' `bounds` and `candidates`."""
    sample = positions(data, "Test_L3_R1")[::25]
    values = Solver(Connect4()).values([state for state, _ in sample])
    assert values == [float(sign(score)) for _, score in sample]


# ------------------------------------------------------------ Connect Four, board sizes
@pytest.mark.parametrize("graded", [True, False], ids=["graded", "plain"])
def test_the_smallest_board_is_drawn(graded: bool) -> None:
    values = board_values()
    if not values:
        pytest.skip("the folder of known truths (../shared/data) is not here")
    assert value_of(Connect4(4, 4, graded=graded)) == values[4, 4] == 0


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
def test_boards_are_won_by_who_is_known_to_win(data: Path, width: int, height: int) -> None:
    assert sign(value_of(Connect4(width, height, graded=True), True)) == board_values()[width, height]


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("width", "height"), [(5, 4), (4, 5), (6, 4)])
def test_plain_boards_are_won_by_who_is_known_to_win(data: Path, width: int, height: int) -> None:
    assert value_of(Connect4(width, height), True) == board_values()[width, height]


# ------------------------------------------------------------ the table of solved games
def numbers(pattern: str, row: str) -> list[tuple[str, ...]]:
    found = re.findall(pattern, fact(row))
    assert found, row
    return found


def test_kalahs_small_boards() -> None:
    found = numbers(r"\((\d),(\d)\)([+-]?\d+)", "kalah small")
    assert len(found) == 17
    for houses, seeds, margin in found:
        if (houses, seeds) not in {("4", "2"), ("3", "3")}:
            assert value_of(Kalah(int(houses), int(seeds))) == int(margin), (houses, seeds)


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("houses", "seeds"), [(3, 3), (4, 2)])
def test_kalahs_larger_boards(houses: int, seeds: int) -> None:
    known = {(int(h), int(s)): int(m) for h, s, m in numbers(r"\((\d),(\d)\)([+-]?\d+)", "kalah small")}
    assert value_of(Kalah(houses, seeds), True) == known[houses, seeds]


@compiles
@pytest.mark.full
def test_kalah_4_3_is_the_same_to_both_provers() -> None:
    """Its sign is known: the first player wins. Its margin is what two programs without a common line agree on."""
    game = Kalah(4, 3)
    value = value_of(game, True)
    assert value > 0
    assert prove(game, at_least=value, native=True).proven is True
    assert prove(game, at_least=value + 1, native=True).proven is False


def known_boxes() -> dict[tuple[int, int], int]:
    found = numbers(r"(\d)x(\d) ([+-]?\d+)", "dots and boxes")
    assert len(found) == 9
    return {(int(rows), int(columns)): int(margin) for rows, columns, margin in found}


def test_dots_and_boxes_in_one_row() -> None:
    for columns in (1, 2, 3):
        assert value_of(DotsAndBoxes(1, columns)) == known_boxes()[1, columns]


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("rows", "columns"), [(1, 4), (1, 5), (2, 2), (2, 3), (2, 4), (3, 3)])
def test_dots_and_boxes_on_larger_boards(rows: int, columns: int) -> None:
    assert value_of(DotsAndBoxes(rows, columns), True) == known_boxes()[rows, columns]


def known_pawns() -> dict[tuple[int, int], float]:
    """By rows and columns."""
    found = numbers(r"(\d)x(\d) ([FS])", "hexapawn")
    assert len(found) == 15
    return {(int(rows), int(columns)): 1.0 if who == "F" else -1.0 for rows, columns, who in found}


def test_hexapawn() -> None:
    for (rows, columns), value in known_pawns().items():
        if rows * columns <= 15 and (rows, columns) != (5, 3):
            assert value_of(Hexapawn(columns, rows)) == value, (rows, columns)


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (4, 5), (5, 3), (5, 4), (5, 5)])
def test_hexapawn_on_larger_boards(rows: int, columns: int) -> None:
    assert value_of(Hexapawn(columns, rows), True) == known_pawns()[rows, columns]


def known_lines() -> dict[tuple[int, int, int], float]:
    found = numbers(r"(\d),(\d),(\d) (draw|first)", "mnk")
    assert len(found) == 5
    return {
        (int(columns), int(rows), int(connect)): 1.0 if who == "first" else 0.0 for columns, rows, connect, who in found
    }


def test_three_in_a_row() -> None:
    assert value_of(Mnk(3, 3, 3)) == known_lines()[3, 3, 3]
    assert value_of(Mnk(3, 4, 3)) == known_lines()[3, 4, 3]


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("columns", "rows", "connect"), [(4, 4, 3), (3, 5, 4), (4, 4, 4)])
def test_lines_on_larger_boards(columns: int, rows: int, connect: int) -> None:
    assert value_of(Mnk(columns, rows, connect), True) == known_lines()[columns, rows, connect]


OUTCOMES = {"V": (1.0, 1.0), "H": (-1.0, -1.0), "N": (1.0, -1.0), "P": (-1.0, 1.0)}
"""The values if Vertical (MAX) begins and if Horizontal does: the Next player wins, or the Previous one."""


def known_dominoes() -> dict[tuple[int, int], tuple[float, float]]:
    found = numbers(r"(\d)x(\d) ([VHNP])", "domineering")
    assert len(found) == 17
    return {(int(rows), int(columns)): OUTCOMES[who] for rows, columns, who in found}


def test_domineering() -> None:
    for (rows, columns), values in known_dominoes().items():
        if rows * columns <= 12:
            found = tuple(value_of(Domineering(rows, columns, first)) for first in ("vertical", "horizontal"))
            assert found == values, (rows, columns)


@compiles
@pytest.mark.full
@pytest.mark.parametrize("first", ["vertical", "horizontal"])
@pytest.mark.parametrize(("rows", "columns"), [(3, 5), (4, 4), (4, 5), (5, 3), (5, 4), (5, 5)])
def test_domineering_on_larger_boards(rows: int, columns: int, first: str) -> None:
    value = value_of(Domineering(rows, columns, first), True)
    assert value == known_dominoes()[rows, columns][0 if first == "vertical" else 1]


def winning_picture(size: int, native: bool) -> str:
    game = Hex(size)
    found = Solver(game, native=native, table_mib=1 if not native else 64).solve(distance=False)
    assert found.value == 1.0
    return "".join("W" if cell in found.best else "." for cell in range(game.cells))


def test_the_first_moves_that_win_hex() -> None:
    row = fact("hex winning first moves")
    assert "2x2: 2;" in row and winning_picture(2, False).count("W") == 2
    assert "3x3: 5 (..W/WWW/W..)" in row and winning_picture(3, False) == "..WWWWW.."


@compiles
@pytest.mark.full
def test_the_first_moves_that_win_hex_four_by_four() -> None:
    assert "4x4: 4 (the short diagonal)" in fact("hex winning first moves")
    assert winning_picture(4, True) == "...W..W..W..W..."
