"""What a network is told of a state: which of its inputs are active, as a set of bits.

    bit i of the words that `mark` fills is 1        input i is active, and the i-th row of the first layer is added

Such inputs are sparse: of hundreds a few dozen are active, and the first layer costs that many rows. And two states are
compared by XOR: the bits that differ are the rows by which an accumulator changes (`accumulators.py`), so no game has
to know what an action changed.

`FieldInputs` are found in the states of any game, by the same random play as n-tuples (`ntuples/cells.py`): numbers
that are sets of bits are taken as they are, a number with few values has an input for each value but the first. There
is a bank of inputs for each player to move: nothing is assumed of sides.

Claim: both speeds mark the same bits.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plyforge.errors import BadText, Unsuitable
from plyforge.evaluate.ntuples.cells import CODES, MOST_VALUES, name_of, numbers_of, paths_of
from plyforge.kernel import Constant, bind, kernel, lowest, word
from plyforge.kernel.bits import MASK
from plyforge.kernel.compiling.layout import random_states
from plyforge.kernel.entry import coerce
from plyforge.kernel.storage.cells import read_cells
from plyforge.kernel.storage.scratch import new_scratch

BANKS = 2
"""One for each player to move."""
MOST_WORDS = 1024
"""65,536 inputs."""
MOST_NUMBERS = 4096
"""Of a state."""


@dataclass(frozen=True)
class SparseInputs(Constant):
    """Base of all descriptions of inputs. Write `mark`, and `description`, which a file keeps."""

    digest: str
    """Of all that is described, by which inputs are told apart."""
    words: int
    """How many words of 64 inputs there are."""
    most: int
    """How many inputs can be active at once."""

    def mark(self, game: Any, s: Any, bits: Any) -> None:
        """Fill all words."""
        raise NotImplementedError(f"{type(self).__name__} has no mark(game, s, bits)")

    def side(self, game: Any, s: Any) -> int:
        """MAX or MIN: for whom a network's value is. By default always MAX."""
        return 0

    def description(self) -> dict[str, Any]:
        """Plain values, from which the same inputs can be made again."""
        raise NotImplementedError(f"{type(self).__name__} has no description()")

    @property
    def count(self) -> int:
        """How many inputs there are, those that are never active included."""
        return 64 * self.words


@dataclass(frozen=True)
class FieldInputs(SparseInputs):
    """Inputs from the fields of a state. Make them with `found_inputs` or `of`."""

    numbers: int = 0
    """How many numbers a state has. The arrays are no fields: those are described at every call of a search."""

    @cached_property
    def sets(self) -> np.ndarray:
        """[set]: the number of the state that is a set of bits."""
        raise TypeError("made by FieldInputs.of")

    @cached_property
    def masks(self) -> np.ndarray:
        """[set]: the bits of it that vary."""
        raise TypeError("made by FieldInputs.of")

    @cached_property
    def cells(self) -> np.ndarray:
        """[cell]: the number that it is, the kind of its values, and its first input in the bank."""
        raise TypeError("made by FieldInputs.of")

    @cached_property
    def values(self) -> np.ndarray:
        """[kind + code]: the place of a value among those of its kind of cell; the first has no input."""
        raise TypeError("made by FieldInputs.of")

    @classmethod
    def of(cls, numbers: int, sets: Any, masks: Any, cells: Any, values: Any) -> FieldInputs:
        """From arrays; see the properties. Raises BadText where they don't fit together."""
        arrays = {
            "sets": np.array(sets, np.int64).reshape(-1),
            "masks": np.array(masks, np.uint64).reshape(-1),
            "cells": np.array(cells, np.int64).reshape(-1, 3),
            "values": np.array(values, np.int64).reshape(-1),
        }
        bank = _bank(numbers, **arrays)
        most = int(sum(int(mask).bit_count() for mask in arrays["masks"])) + len(arrays["cells"])
        digest = hashlib.sha256(b"".join(repr(a.shape).encode() + a.tobytes() for a in arrays.values())).hexdigest()
        made = cls(digest[:32], BANKS * bank, most, numbers)
        for array in arrays.values():
            array.flags.writeable = False
        vars(made).update(arrays)
        return made

    def description(self) -> dict[str, Any]:
        arrays = {name: getattr(self, name).tolist() for name in ("sets", "masks", "cells", "values")}
        return {"kind": "fields", "numbers": self.numbers, **arrays}

    @property
    def scratch(self) -> np.dtype:
        return np.dtype([("numbers", "i8", (self.numbers,))])

    def mark(self, game: Any, s: Any, bits: Any) -> None:
        board = new_scratch(self)
        read_cells(s, board.numbers, 0)
        for place in range(self.words):
            bits[place] = 0
        first = game.player(s) * (self.words // BANKS)
        for i in range(self.sets.shape[0]):
            bits[first + i] = int(word(board.numbers[self.sets[i]]) & self.masks[i])
        for cell in range(self.cells.shape[0]):
            place = self.values[self.cells[cell, 1] + (board.numbers[self.cells[cell, 0]] & (CODES - 1))]
            if place > 0:
                bit = self.cells[cell, 2] + place - 1
                bits[first + (bit >> 6)] = int(word(bits[first + (bit >> 6)]) | np.uint64(1) << np.uint64(bit & 63))


def _bank(numbers: int, sets: np.ndarray, masks: np.ndarray, cells: np.ndarray, values: np.ndarray) -> int:
    """How many words a bank has. Raises BadText where an index is outside of what it counts."""
    kinds = len(values) // CODES
    good = (
        0 < numbers <= MOST_NUMBERS
        and len(sets) == len(masks)
        and len(values) == kinds * CODES
        and (values >= 0).all()
        and (values < CODES).all()
        and (sets >= 0).all()
        and (sets < numbers).all()
        and (cells >= 0).all()
        and (cells[:, 0] < numbers).all()
        and (cells[:, 1] % CODES == 0).all()
        and (cells[:, 1] < kinds * CODES).all()
        and len(sets) + len(cells) > 0
    )
    words = len(sets)
    if good and len(cells):
        top = values.reshape(kinds, CODES).max(axis=1)[cells[:, 1] // CODES]
        good = bool((cells[:, 2] >= 64 * len(sets)).all())
        words = -(-int((cells[:, 2] + top).max()) // 64)
    if not good or BANKS * words > MOST_WORDS:
        raise BadText("a description of inputs whose numbers don't fit together")
    return max(1, words)


def found_inputs(game: Any) -> FieldInputs:
    """The inputs that are found in the game's states. Raises Unsuitable where there is nothing to look at."""
    states = list(random_states(game))
    try:
        paths = list(paths_of(states[0]))
        table = np.array([numbers_of(state, paths) for state in states], np.int64)
    except (TypeError, ValueError, OverflowError, IndexError):
        paths, table = [], np.zeros((1, 0), np.int64)
    groups: dict[str, list[int]] = {}
    for source, path in enumerate(paths):
        groups.setdefault(name_of(path), []).append(source)
    masks: dict[int, int] = {}
    valued: list[tuple[int, int, int]] = []  # source, kind, and how many values have an input
    values: list[list[int]] = []
    for members in groups.values():
        seen = np.unique(table[:, members])
        varying = [m for m in members if np.any(table[:, m] != table[0, m])]
        if varying and len(seen) <= MOST_VALUES:
            valued += [(m, len(values), len(seen) - 1) for m in varying]
            values.append([0] * CODES)
            for place, value in enumerate(seen):
                values[-1][int(value) & (CODES - 1)] = place
        else:  # sets of bits, and counters: either way their bits say all
            masks |= {m: int(np.bitwise_or.reduce(table[:, m] ^ table[0, m])) & MASK for m in varying}
    if not valued and not masks:
        raise Unsuitable(
            f"nothing in the states of {type(game).__name__} can be an input of a network: they hold sets, dicts, or"
            " sequences whose length varies"
        )
    few, bit = [], 64 * len(masks)
    for source, kind, number in valued:
        few.append((source, CODES * kind, bit))
        bit += number
    return FieldInputs.of(len(paths), list(masks), list(masks.values()), few, values if few else [])


def inputs_from(description: Any) -> SparseInputs:
    """The inputs that a file describes. Raises BadText."""
    if isinstance(description, dict) and description.get("kind") in ("fields", "grid"):
        names: Any = {name: description.get(name) for name in ("numbers", "sets", "masks", "cells", "values")}
        if isinstance(names["numbers"], int) and all(isinstance(names[n], list) for n in list(names)[1:]):
            try:
                fields = FieldInputs.of(**names)
                if description["kind"] == "fields":
                    return fields
                from plyforge.evaluate.networks.grid import grid_from

                return grid_from(fields, description)
            except (TypeError, ValueError, OverflowError, KeyError, IndexError):
                pass
    raise BadText(f"inputs of a network are described in a way that is not known here: {json.dumps(description)[:80]}")


# ------------------------------------------------------------------ lists of active inputs
@dataclass(frozen=True)
class Marks(Constant):
    """Room for the bits of a state."""

    words: int

    @property
    def scratch(self) -> np.dtype:
        return np.dtype([("bits", "i8", (self.words,))])


@kernel
def list_active(game: Any, inputs: Any, room: Any, s: Any, active: Any) -> int:
    """Write the numbers of the active inputs of a state, in growing order; gives how many."""
    board = new_scratch(room)
    inputs.mark(game, s, board.bits)
    found = 0
    for place in range(inputs.words):
        left = word(board.bits[place])
        while left != 0:
            active[found] = 64 * place + lowest(left)
            found += 1
            left &= left - np.uint64(1)
    return found


def active_lists(game: Any, inputs: SparseInputs, states: Iterable[Any], native: bool = False) -> list[np.ndarray]:
    """The active inputs of each state."""
    room, active, lists = Marks(inputs.words), np.zeros(inputs.count, np.int32), []
    listed: Any = list_active
    for s in states:
        s = coerce(s)
        if native and listed is list_active:
            listed = bind(list_active, game, inputs, room, s, active)
        lists.append(active[: listed(game, inputs, room, s, active)].copy())
    return lists


__all__ = ["FieldInputs", "Marks", "SparseInputs", "active_lists", "found_inputs", "inputs_from", "list_active"]
