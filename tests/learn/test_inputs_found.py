"""What is found in the states of games that know nothing of it.

The truth that nobody here wrote: how large the boards are, how many kinds of pieces there are, that Connect Four has
one mirror image, Othello eight.
"""

from __future__ import annotations

import numpy as np
import pytest

import paths
import plyforge as pf
from plyforge.evaluate.ntuples.cells import Description, Samples, codes_of, describe, mover_of, valued
from plyforge.evaluate.ntuples.finding import find_tuples, in_rows
from plyforge.evaluate.ntuples.tuples import BASE, END, OFFSET, banks_of


def found_in(name: str) -> Description:
    found = describe(pf.load(name))
    assert found is not None
    return found


def natural(name: str) -> str:
    return f"{paths.NATURAL_GAMES / name}.py"


@pytest.mark.parametrize(
    ("name", "rows", "columns", "values"),
    [
        ("tic_tac_toe", 3, 3, 3),
        ("connect4", 6, 7, 3),
        ("othello", 8, 8, 3),
        ("hexapawn", 3, 3, 3),
        (natural("breakthrough"), 6, 6, 3),
        (natural("quarto"), 4, 4, 17),
    ],
)
def test_a_board_is_found_with_its_rows_columns_and_pieces(name: str, rows: int, columns: int, values: int) -> None:
    found = found_in(name)
    board = [cell for cell in found.cells if cell.where is not None]
    assert len(board) == rows * columns and {cell.values for cell in board} == {values}
    assert len({cell.kind for cell in board}) == 1
    spots = in_rows(np.array([cell.where for cell in board]))
    assert set(spots) == {(r, c) for r in range(rows) for c in range(columns)}


def test_checkers_has_the_dark_squares_with_men_and_kings() -> None:
    board = [cell for cell in found_in("checkers").cells if cell.where is not None]
    assert len(board) == 32 and {cell.values for cell in board} == {5}


def test_kalah_s_pits_and_stores_are_counts() -> None:
    found = found_in("kalah")
    names = {field.name: field.what for field in found.fields}
    assert names == {"south": "board", "north": "board", "player": "mover"}
    assert len(found.cells) == 2 * 7 and all(cell.values > 3 for cell in found.cells)


def test_a_cell_says_what_stands_on_its_place() -> None:
    """Of Connect Four's states, cell by cell, against the picture that the rules draw."""
    game = pf.load("connect4")
    found = found_in("connect4")
    board = {cell.where: cell for cell in found.cells if cell.where is not None}
    for state in [s for s in Samples(game).states if not game.terminal(s)][:60]:
        picture = game.view.board(game, state)
        places = {place.name: (float(place.y), float(place.x)) for place in picture.places}
        stones = {places[piece.place]: piece.owner for piece in picture.pieces}
        table = np.array([[state.mine, state.both, state.ply]], np.int64)
        values = {where: int(valued(found, cell, table)[0]) for where, cell in board.items()}
        mover = mover_of(game, state)
        seen = {where: -1 if where not in stones else int(stones[where] == mover) for where in values}
        assert len(set(zip(values.values(), seen.values(), strict=True))) == len(set(values.values()))


def test_what_says_who_moves_and_what_never_changes_is_left_out() -> None:
    fields = {field.name: field for field in found_in("chess").fields}
    assert fields["player"].what == "mover" and fields["player"].inputs == 0
    counter = {field.name: field.what for field in found_in("connect4").fields}
    assert counter["ply"] == "counter"


@pytest.mark.parametrize(("name", "images"), [("connect4", 1), ("othello", 7), ("mnk", 7), ("hex(size=4)", 1)])
def test_symmetries_are_exchanges_of_cells(name: str, images: int) -> None:
    found = found_in(name)
    assert len(found.images) == images
    for image in found.images:
        assert sorted(image) == list(range(len(found.cells)))


def test_the_mirror_image_of_connect_four_exchanges_columns() -> None:
    found = found_in("connect4")
    for own, other in enumerate(found.images[0]):
        if found.cells[own].where is not None:
            (row, column), (there, mirrored) = found.cells[own].where, found.cells[other].where
            assert (there, mirrored) == (row, 6 - column)


@pytest.mark.parametrize("name", ["tic_tac_toe", "othello", "pig", natural("dice_race"), natural("konane")])
def test_every_place_of_every_tuple_is_inside_its_table(name: str) -> None:
    game = pf.load(name)
    tuples = find_tuples(game, walks=12)
    assert tuples is not None
    sizes = np.diff(tuples.tuples[:, END], prepend=0)
    places = np.zeros(len(tuples.tuples), np.int64)
    for state in Samples(game).states[::40]:
        tuples.list_places(game, state, places, 0)
        first = mover_of(game, state) * tuples.weights + tuples.tuples[:, OFFSET]
        assert (places >= first).all() and (places < first + tuples.tuples[:, BASE] ** sizes).all()
        assert places.max() < banks_of(game) * tuples.weights


def test_a_walk_and_its_mirror_image_share_a_table() -> None:
    """So Connect Four's network thinks the same of a position and of its mirror image, whatever its weights."""
    game = pf.load("connect4")
    tuples = find_tuples(game, walks=20)
    found = found_in("connect4")
    assert tuples is not None
    walked = [offset for offset in tuples.tuples[:, OFFSET] if np.sum(tuples.tuples[:, OFFSET] == offset) == 2]
    assert len(walked) >= 2 * 15 and len(found.images) == 1


def test_what_is_found_is_the_same_every_time() -> None:
    one, two = (find_tuples(pf.load(natural("breakthrough")), walks=8) for _ in range(2))
    assert one is not None and two is not None and one.digest == two.digest


def test_codes_are_the_bits_of_the_readings_side_by_side() -> None:
    found = found_in("connect4")
    cell = next(cell for cell in found.cells if cell.where is not None)
    (mine, bit, _), (both, _, _) = cell.readings
    table = np.zeros((3, found.numbers), np.int64)
    table[1, both] = table[2, mine] = table[2, both] = 1 << bit
    assert list(codes_of(cell, table)) == [0, 1, 3]
