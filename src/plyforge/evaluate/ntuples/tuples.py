"""The inputs of an n-tuple network: each cell of a state by itself, and small tuples of neighbouring cells.

A cell is a number of the state with few values, or a few bits of large ones. A tuple of n cells with b values each is
one number below b**n, the place of its weight in a table. Tuples of the same shape share a table wherever on the board
they are; single cells have one each. There is a bank of tables for each player to move, and one for chance.

Claim: both speeds find the same places. Made by `finding.find_tuples`, which keeps the invariant that every place is
inside its table whatever a state holds: values that were never seen count as the first.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from plyforge.contract import CHANCE
from plyforge.evaluate.ntuples.cells import CODES
from plyforge.kernel import Constant, inline
from plyforge.kernel.storage.cells import read_cells
from plyforge.kernel.storage.scratch import new_scratch

READ_TO, KIND = 0, 1
"""Of a cell: the place behind its last reading, and CODES times the kind of cell."""
SOURCE, SHIFT, WIDTH = 0, 1, 2
"""Of a reading: the number of the state, by how many bits that is shifted, and how many are taken."""
END, BASE, OFFSET = 0, 1, 2
"""Of a tuple: the place behind its last cell among `members`, how many values its cells have, and the first weight of
its table."""

TUPLE, STEP = 0, 1
"""Of a use of a cell: the tuple, and by how much its place moves when the cell's value grows by 1."""


def banks_of(game: Any) -> int:
    """How many banks of weights a game has."""
    return int(game.players) + bool(game.has_chance)


@inline
def bank_of(game, s):
    """Whose weights are asked: those of the player to move; where chance moves, those behind the players'."""
    mover = game.player(s)
    return game.players if mover == CHANCE else mover


@dataclass(frozen=True)
class NTuples(Constant):
    """The cells and tuples of one game's states."""

    digest: str
    """Of all arrays. They are not fields: a Constant's fields are described at every call of a search, and these are
    many."""
    numbers: int
    """How many numbers a state has."""
    weights: int
    """How many weights a bank has."""

    @cached_property
    def cells(self) -> np.ndarray:
        """[cell, READ_TO to KIND]"""
        raise TypeError("n-tuples are made by find_tuples(game)")

    @cached_property
    def readings(self) -> np.ndarray:
        """[reading, SOURCE to WIDTH]: those of all cells, one after another."""
        raise TypeError("n-tuples are made by find_tuples(game)")

    @cached_property
    def values(self) -> np.ndarray:
        """[kind + code]: the place of a value among those of its kind of cell."""
        raise TypeError("n-tuples are made by find_tuples(game)")

    @cached_property
    def tuples(self) -> np.ndarray:
        """[tuple, END to OFFSET]"""
        raise TypeError("n-tuples are made by find_tuples(game)")

    @cached_property
    def members(self) -> np.ndarray:
        """The cells of all tuples, one after another."""
        raise TypeError("n-tuples are made by find_tuples(game)")

    @classmethod
    def of(cls, numbers: int, weights: int, **arrays: np.ndarray) -> Self:
        digest = hashlib.sha256(b"".join(repr(a.shape).encode() + a.tobytes() for a in arrays.values()))
        made = cls(digest.hexdigest()[:32], numbers, weights)
        vars(made).update(arrays)
        return made

    @property
    def scratch(self) -> np.dtype:
        return np.dtype([("numbers", "i8", (self.numbers,)), ("cells", "i8", (len(self.cells),))])

    def read(self, s: Any, board: Any) -> None:
        """The values of all cells."""
        read_cells(s, board.numbers, 0)
        for cell in range(self.cells.shape[0]):
            board.cells[cell] = self.value(board, cell)

    def value(self, board: Any, cell: int) -> int:
        """The value of a cell, from the state's numbers."""
        code = 0
        first = self.cells[cell - 1, READ_TO] if cell > 0 else 0
        for at in range(first, self.cells[cell, READ_TO]):
            width = int(self.readings[at, WIDTH])
            number = board.numbers[self.readings[at, SOURCE]] >> int(self.readings[at, SHIFT])
            code = (code << width) | (number & ((1 << width) - 1))
        return int(self.values[self.cells[cell, KIND] + (code & (CODES - 1))])

    def place(self, board: Any, number: int, first: int) -> int:
        """The weight of one tuple, whose cells begin with `first`."""
        index = 0
        for member in range(first, self.tuples[number, END]):
            index = index * self.tuples[number, BASE] + board.cells[self.members[member]]
        return self.tuples[number, OFFSET] + index

    def total(self, game: Any, s: Any, weights: Any) -> float:
        """What the weights of a state's tuples add up to."""
        board = new_scratch(self)
        self.read(s, board)
        bank, first, found = bank_of(game, s) * self.weights, 0, 0.0
        for number in range(self.tuples.shape[0]):
            found += weights[bank + self.place(board, number, first)]
            first = self.tuples[number, END]
        return found

    def list_places(self, game: Any, s: Any, places: Any, at: int) -> None:
        """Write the places of those weights, from `at` on."""
        board = new_scratch(self)
        self.read(s, board)
        bank, first = bank_of(game, s) * self.weights, 0
        for number in range(self.tuples.shape[0]):
            places[at + number] = bank + self.place(board, number, first)
            first = self.tuples[number, END]


@dataclass(frozen=True)
class LinkedTuples(NTuples):
    """The same for `following.py`: with what moves when a bit of a state does. Made by `merging.merged`."""

    @cached_property
    def owner(self) -> np.ndarray:
        """[64 * number + bit]: the cell that a bit belongs to, -1 for none."""
        raise TypeError("linked tuples are made by merged(inputs)")

    @cached_property
    def use_ends(self) -> np.ndarray:
        """[cell]: the place behind its last use."""
        raise TypeError("linked tuples are made by merged(inputs)")

    @cached_property
    def uses(self) -> np.ndarray:
        """[use, TUPLE to STEP]: those of all cells, one after another."""
        raise TypeError("linked tuples are made by merged(inputs)")


__all__ = [
    "BASE",
    "END",
    "KIND",
    "OFFSET",
    "READ_TO",
    "SHIFT",
    "SOURCE",
    "STEP",
    "TUPLE",
    "WIDTH",
    "LinkedTuples",
    "NTuples",
    "bank_of",
    "banks_of",
]
