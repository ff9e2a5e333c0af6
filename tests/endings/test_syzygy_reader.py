"""The reader of Syzygy's tables that other tests trust, beside the one of python-chess: the same value of random
positions of every ending."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.games.chess.tablebase import LETTERS, Slice
from plyforge.kernel.entry import coerce, native_function
from syzygy_reader import DRAWN, LOST, WON, Tables, read_table, read_tables, table_name, value_of

CHESS = pf.load("chess")
ENDINGS = [part for part in CHESS.tablebase.slices(CHESS, 4) if sum(part)]
POSITIONS = 300
"""Of each ending."""


@pytest.fixture(scope="module")
def folder(data: Path) -> Path:
    place = data / "chess" / "syzygy-3-4"
    if not place.is_dir():
        pytest.skip(f"Syzygy's tables, {place.name}, are not here")
    return place


@pytest.fixture(scope="module")
def captures(folder: Path) -> list[Slice]:
    """What captures lead to."""
    return [part for part in ENDINGS if sum(part) == 1]


def test_a_file_of_another_ending_is_refused(folder: Path) -> None:
    queen, *_, pawn = (part for part in ENDINGS if sum(part) == 1)
    with pytest.raises(ValueError, match="is not the table of wins, draws and losses of"):
        read_table(folder / f"{table_name(queen)}.rtbw", pawn)
    with pytest.raises(ValueError, match="is not the table of wins, draws and losses of"):
        read_table(folder / f"{table_name(queen)}.rtbz", queen)


def value(tables: Tables, fen: str) -> int:
    arguments = (CHESS, tables, coerce(pf.parse_state(CHESS, fen)))
    return int(native_function(value_of, *arguments)(*arguments))


def test_known_positions_of_three_men(folder: Path, captures: list[Slice]) -> None:
    tables = read_tables(folder, captures)
    assert value(tables, "8/8/3k4/8/3K4/3P4/8/8 w - - 0 1") == DRAWN  # whoever does not move has the opposition
    assert value(tables, "8/8/3k4/8/3K4/3P4/8/8 b - - 0 1") == LOST
    assert value(tables, "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1") == DRAWN  # stalemate
    assert value(tables, "8/8/8/8/8/3k4/8/qK6 w - - 0 1") == DRAWN  # the king takes the queen
    assert value(tables, "8/8/8/8/3k4/8/8/q1K5 w - - 0 1") == LOST
    assert value(tables, "8/8/3k4/8/3K4/3P4/p7/8 w - - 0 1") < 0  # whose table was not read


@compiles
def test_known_positions_of_four_men(folder: Path, captures: list[Slice]) -> None:
    tables = read_tables(folder, captures + [part for part in ENDINGS if table_name(part) in ("KPvKP", "KRvKP")])
    assert value(tables, "7K/8/k1P5/7p/8/8/8/8 w - - 0 1") == DRAWN  # R. Réti (1921)
    assert value(tables, "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1") == WON  # F. Saavedra (1895): to a rook, not to a queen


def random_board(chess: Any, part: Slice, dice: random.Random) -> Any:
    """A legal position with this material, for either side, whoever moves."""
    men = "Kk" + "".join(letter * n for letter, n in zip(LETTERS.upper() + LETTERS, part, strict=True))
    while True:
        board = chess.Board(None)
        for man, square in zip(men, dice.sample(range(64), len(men)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn = dice.random() < 0.5
        board = board.mirror() if dice.random() < 0.5 else board
        if board.is_valid():
            return board


@compiles
@pytest.mark.parametrize("part", ENDINGS, ids=table_name)
def test_values_are_those_that_python_chess_reads(part: Slice, folder: Path, captures: list[Slice]) -> None:
    chess = pytest.importorskip("chess", reason="python-chess is not installed: pip install chess")
    syzygy = pytest.importorskip("chess.syzygy")
    dice = random.Random(POSITIONS)
    tables = read_tables(folder, list({*captures, part}))
    with syzygy.open_tablebase(str(folder)) as theirs:
        for _ in range(POSITIONS):
            board = random_board(chess, part, dice)
            assert value(tables, board.fen()) == theirs.probe_wdl(board) + 2, board.fen()


@compiles
def test_pawns_that_can_be_taken_in_passing_are_as_python_chess_reads_them(folder: Path, captures: list[Slice]) -> None:
    chess = pytest.importorskip("chess", reason="python-chess is not installed: pip install chess")
    syzygy = pytest.importorskip("chess.syzygy")
    dice = random.Random(POSITIONS)
    pawns = next(part for part in ENDINGS if table_name(part) == "KPvKP")
    tables = read_tables(folder, [*captures, pawns])
    found = 0
    with syzygy.open_tablebase(str(folder)) as theirs:
        while found < POSITIONS:
            file = dice.randrange(7)
            taker, taken = dice.sample((file, file + 1), 2)
            king, other_king = dice.sample(range(64), 2)
            board = chess.Board(None)
            men = {king: "K", other_king: "k", 32 + taker: "P", 32 + taken: "p"}
            for square, man in men.items():
                board.set_piece_at(square, chess.Piece.from_symbol(man))
            board.ep_square = 40 + taken
            if len(men) == 4 and board.is_valid() and board.has_legal_en_passant():
                found += 1
                board = board.mirror() if dice.random() < 0.5 else board
                assert value(tables, board.fen()) == theirs.probe_wdl(board) + 2, board.fen()
