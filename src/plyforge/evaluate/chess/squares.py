"""Piece-square tables: what each kind of piece is worth on each square, at the beginning and at the end of the game.

The tables are a file beside the weights, for the side whose pawns move up; for the other side they are turned upside
down. Left and right count the same, so that each has four columns, from the edge to the middle: a to d, or h to e. A
pawn is about 0.01, as in the weights; what a piece is worth at all is not in here.

Invariant: a table has 8 rows, rank 1 first.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.atomic import write_atomically
from plyforge.errors import BadText
from plyforge.evaluate.weighted import LARGEST, LARGEST_FILE, WEIGHTS
from plyforge.reading import read_json

PIECES = ("pawn", "knight", "bishop", "rook", "queen", "king")
PHASES = ("early", "late")
FILE = WEIGHTS / "chess_squares.json"


def read_squares(path: str | Path = FILE) -> np.ndarray:
    """The tables in a file, by phase, piece and square. Raises BadText."""
    content = read_json(path, LARGEST_FILE, "weights")
    if not isinstance(content, dict) or content.get("game") != "chess":
        raise BadText(f"{path} has no piece-square tables of chess")
    table = np.zeros((len(PHASES), len(PIECES), 64))
    for phase, when in enumerate(PHASES):
        for number, piece in enumerate(PIECES):
            tables = content.get(when)
            rows: Any = tables.get(piece) if isinstance(tables, dict) else None
            if not _is_board(rows):
                raise BadText(f"{path}: {when} {piece!r} must be 8 rows, rank 1 first, of 4 numbers each")
            for rank, row in enumerate(rows):
                for column, worth in enumerate(row):
                    table[phase, number, 8 * rank + column] = worth
                    table[phase, number, 8 * rank + 7 - column] = worth
    return table


def _is_board(rows: Any) -> bool:
    return (
        isinstance(rows, list)
        and len(rows) == 8
        and all(isinstance(row, list) and len(row) == 4 for row in rows)
        and all(
            isinstance(x, (int, float)) and not isinstance(x, bool) and abs(x) < LARGEST for row in rows for x in row
        )
    )


def write_squares(path: str | Path, table: np.ndarray, about: str) -> None:
    """Write a file of tables, whole or not at all; of each row the left half counts."""
    tables = []
    for phase, when in enumerate(PHASES):
        pieces = []
        for number, piece in enumerate(PIECES):
            rows = [[float(f"{worth:.3g}") for worth in row] for row in table[phase, number].reshape(8, 8)[:, :4]]
            lines = ",\n   ".join(json.dumps(row) for row in rows)
            pieces.append(f'  "{piece}": [\n   {lines}\n  ]')
        tables.append(f' "{when}": {{\n' + ",\n".join(pieces) + "\n }")
    head = f'{{\n "game": "chess",\n "about": {json.dumps(about)},\n'
    write_atomically(Path(path), head + ",\n".join(tables) + "\n}\n")
