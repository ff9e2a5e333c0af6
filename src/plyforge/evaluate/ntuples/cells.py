"""Which cells a game's states have, found without anybody saying so: a little random play shows which numbers of a
state vary, and the picture of the board (`game.view`, drawn or found by `plyforge.grids`) where their bits are.

    constant      a number that never changes: left out
    mover         a number that says who moves, and nothing else: left out, since whoever moves has weights of their own
    board         a place of the picture whose content decides some bits: a cell with row and column. Bits of several
                  sets (mine and theirs, black, white and kings) and packed counts (seeds in a pit) are one cell each
    few values    any other number with few values: a cell
    set of bits   any other large number with many values: a cell for each bit that varies
    counter       any other number with many values: a cell with a few ranges

"Decides" is by the mover, so that boards that say "mine" and "theirs" are read as well as those that say "white".

Claim: what is found depends on the rules alone: random play has fixed seeds.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyforge.contract import CHANCE
from plyforge.kernel.compiling.layout import random_states
from plyforge.kernel.storage.cells import read_cells

CODES = 256
"""Values of a cell are told apart by their last eight bits."""
CODE_BITS = 8
MOST_VALUES = 24  # of a cell
RANGES = 8  # of a counter
SMALLEST_SET = 1 << 12  # from here on, numbers with many values are taken for sets of bits
MOST_CELLS = 512
SAMPLES = 2  # times what `random_states` gives
NEAR = 1e-3  # of the place where a symmetry takes a cell
SPARSE = 6  # states that there are at least for each content of a place, on average

Path = tuple[Any, ...]
"""The indices and names that lead to a number of a state."""
Reading = tuple[int, int, int]
"""Bits of a number of a state: which number, by how many bits it is shifted, and how many are taken."""


@dataclass
class Cell:
    """A few bits of a state, which together have a value."""

    readings: tuple[Reading, ...]
    group: str
    """The fields that it is read from: cells of one group have the same values."""
    kind: int = -1
    values: int = 0
    where: tuple[float, float] | None = None
    """Row and column, where there is a board."""


@dataclass
class FoundField:
    """What a part of the states is, for people to read."""

    name: str
    what: str
    """constant, mover, board, few values, set of bits, counter"""
    inputs: int
    says: str


@dataclass
class Description:
    """What states consist of."""

    numbers: int
    """How many numbers a state has."""
    cells: list[Cell]
    kinds: list[list[int]]
    """[kind][code]: the place of a value among those of its kind of cell."""
    fields: list[FoundField]
    images: list[list[int]] = field(default_factory=list)
    """For each symmetry that the rules declare: the cell whose value each cell has in the image."""


class Samples:
    """States of random play in which somebody moves, as numbers."""

    def __init__(self, game: Any) -> None:
        """Raises TypeError, ValueError, OverflowError or IndexError where states have no such form."""
        self.game = game
        seen = [s for seed in range(SAMPLES) for s in random_states(game, seed)]
        self.states = [s for s in seen if not game.terminal(s)]
        self.paths = list(paths_of(self.states[0]))
        self.table = np.array([numbers_of(state, self.paths) for state in self.states], np.int64)
        self.movers = np.array([mover_of(game, s) for s in self.states])
        sides = [self.table[self.movers == mover] for mover in np.unique(self.movers)]
        self.told = np.array([all(np.all(side[0] == side, axis=0)[m] for side in sides) for m in self.numbers])
        """For each number whether it never changes, or only with who moves."""

    @property
    def numbers(self) -> range:
        return range(len(self.paths))


def mover_of(game: Any, s: Any) -> int:
    """Whose bank of weights is asked: a player's, or the last one where chance moves."""
    mover = int(game.player(s))
    return game.players if mover == CHANCE else mover


def describe(game: Any) -> Description | None:
    """The cells of a game's states; None where states hold sets, dicts, sequences whose length varies, or nothing
    that varies."""
    try:
        samples = Samples(game)
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
    from plyforge.evaluate.ntuples.places import cells_of_board

    fields = constants(samples)
    cells = cells_of_board(samples)
    for name in dict.fromkeys(cell.group for cell in cells):
        count = sum(cell.group == name for cell in cells)
        fields.append(FoundField(name, "board", 0, f"{count} cells"))
    for part, more in others(samples, cells):
        fields.append(part)
        cells += more
    if not cells or len(cells) > MOST_CELLS:
        return None
    found = Description(len(samples.paths), cells, [], fields)
    give_values(found, samples)
    for part in fields:
        own = [cell for cell in cells if cell.group == part.name]
        part.inputs = sum(cell.values for cell in own)
        part.says += f", {own[0].values} values each" if part.what == "board" else ""
    found.images = images_of(found, samples)
    return found


# ------------------------------------------------------------ numbers
def paths_of(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where the numbers of a state are, in the order of `read_cells`. Raises TypeError for what has none."""
    if isinstance(value, str) and len(value) == 1:
        yield path
    elif isinstance(value, (tuple, list, str)):
        names = getattr(value, "_fields", range(len(value)))
        for name, item in zip(names, value, strict=True):
            yield from paths_of(item, (*path, name))
    elif dataclasses.is_dataclass(value):
        for part in dataclasses.fields(value):
            yield from paths_of(getattr(value, part.name), (*path, part.name))
    elif value is None or isinstance(value, (int, float, np.number, np.bool_, enum.Enum)):
        yield path
    else:
        raise TypeError(f"a {type(value).__name__} has no cells")


def numbers_of(state: Any, paths: list[Path]) -> list[int]:
    """The numbers of a state as signed words. Raises ValueError where they are not in the same places as in others."""
    if list(paths_of(state)) != paths:
        raise ValueError("states of different shapes")
    found = [0] * len(paths)
    read_cells(state, found, 0)
    if not all(-(1 << 63) <= number < 1 << 64 for number in found):
        raise OverflowError("a number beyond 64 bits")
    return [number - (1 << 64) if number >= 1 << 63 else number for number in found]


def name_of(path: Path) -> str:
    """The field that a number belongs to: its first name, or "state" where there are none."""
    return str(path[0]) if path and isinstance(path[0], str) else "state"


def constants(samples: Samples) -> list[FoundField]:
    """The fields that never change, or only with who moves; their numbers are left out."""
    found = []
    for name in dict.fromkeys(map(name_of, samples.paths)):
        members = [m for m, path in enumerate(samples.paths) if name_of(path) == name]
        if not any(np.ptp(samples.table[:, m].astype(np.float64)) for m in members):
            found.append(FoundField(name, "constant", 0, "never changes: left out"))
        elif all(samples.told[m] for m in members):
            found.append(FoundField(name, "mover", 0, "says who moves: whoever does has weights of their own"))
    return found


# ------------------------------------------------------------ what stands on no board
def others(samples: Samples, cells: list[Cell]) -> Iterator[tuple[FoundField, list[Cell]]]:
    """The cells of what is left, field by field."""
    taken = np.zeros((len(samples.paths), 64), bool)
    for cell in cells:
        for source, shift, width in cell.readings:
            is_whole = shift == 0 and width == CODE_BITS and np.ptp(samples.table[:, source].astype(np.float64)) < CODES
            taken[source, shift : 64 if is_whole else shift + width] = True
    whole = {source for source in range(len(samples.paths)) if taken[source].any()}
    for name in dict.fromkeys(map(name_of, samples.paths)):
        members = [m for m, path in enumerate(samples.paths) if name_of(path) == name and m not in whole]
        members = [m for m in members if not samples.told[m]]
        rest = [m for m, path in enumerate(samples.paths) if name_of(path) == name and m in whole]
        left = [(m, bit) for m in rest for bit in range(64) if not taken[m, bit] and varies(samples, m, bit)]
        if left:
            part = f"{name} (rest)"
            bits = [Cell(((m, bit, 1),), part) for m, bit in left]
            yield FoundField(part, "set of bits", 0, f"{len(bits)} bits"), bits
        if not members:
            continue
        seen = np.unique(samples.table[:, members])
        if len(seen) <= MOST_VALUES:
            says = f"{len(members)} of {len(seen)} values"
            yield FoundField(name, "few values", 0, says), [Cell(((m, 0, CODE_BITS),), name) for m in members]
        elif seen.max() >= SMALLEST_SET or seen.min() < -SMALLEST_SET:
            bits = [Cell(((m, bit, 1),), name) for m in members for bit in range(64) if varies(samples, m, bit)]
            yield FoundField(name, "set of bits", 0, f"{len(bits)} bits"), bits
        else:
            shift = max(0, int(seen.max() - min(0, seen.min())).bit_length() - CODE_BITS)
            says = f"{len(members)} from {seen.min()} to {seen.max()}"
            yield FoundField(name, "counter", 0, says), [Cell(((m, shift, CODE_BITS),), name) for m in members]


def varies(samples: Samples, number: int, bit: int) -> bool:
    """True if a bit is not the same in all states."""
    return bool(np.ptp(samples.table[:, number] >> bit & 1))


# ------------------------------------------------------------ values
def codes_of(cell: Cell, table: np.ndarray) -> np.ndarray:
    """The bits of a cell in each state, side by side."""
    code = np.zeros(len(table), np.int64)
    for source, shift, width in cell.readings:
        code = code << width | (table[:, source] >> shift & ((1 << width) - 1))
    return code & (CODES - 1)


def give_values(found: Description, samples: Samples) -> None:
    """Number the values of each kind of cell: those that were seen, or ranges of them."""
    for name in dict.fromkeys(cell.group for cell in found.cells):
        members = [cell for cell in found.cells if cell.group == name]
        columns = [codes_of(cell, samples.table) for cell in members]
        seen = np.unique(np.concatenate(columns))
        signed = any(samples.table[:, r[0]].min() < 0 and r[2] == CODE_BITS for c in members for r in c.readings)
        places, values = numbered(seen, np.concatenate(columns), signed)
        for cell in members:
            cell.kind, cell.values = len(found.kinds), values
        found.kinds.append(places)


def numbered(seen: np.ndarray, all_codes: np.ndarray, signed: bool) -> tuple[list[int], int]:
    """The place of each code, and how many there are. Codes that were never seen count as the nearest smaller one
    where values are ranges, and else as the first."""
    places = [0] * CODES
    if len(seen) <= MOST_VALUES:
        for place, code in enumerate(seen):
            places[int(code)] = place
        return places, len(seen)
    order = np.arange(CODES) if not signed else np.argsort((np.arange(CODES) + CODES // 2) % CODES)
    rank = np.empty(CODES, np.int64)
    rank[order] = np.arange(CODES)
    ranks = np.sort(rank[all_codes])
    edges = np.unique([ranks[len(ranks) * part // RANGES] for part in range(1, RANGES)])
    for code in range(CODES):
        places[code] = int(np.searchsorted(edges, rank[code], side="right"))
    return places, len(edges) + 1


# ------------------------------------------------------------ symmetries
def images_of(found: Description, samples: Samples) -> list[list[int]]:
    """For each symmetry that the rules declare, here or in the same game by distance, where its image has each cell.
    What is no exchange of cells is left out."""
    game = samples.game
    try:
        rules = [game, game.heuristics.by_distance(game)]
        for each in rules:
            maps = [] if each is None else list(exchanges(each, found, samples))
            if maps:
                return maps
    except Exception:  # rules of somebody's own: without symmetries it works as well
        return []
    return []


def exchanges(game: Any, found: Description, samples: Samples) -> Iterator[list[int]]:
    """The exchanges of cells among the symmetries of the states that were seen."""
    pairs = [(s, list(game.heuristics.symmetries(game, s))) for s in samples.states if not game.terminal(s)]
    most = max((len(images) for _, images in pairs), default=0)
    pairs = [(s, images) for s, images in pairs if len(images) == most]
    before = np.array([numbers_of(s, samples.paths) for s, _ in pairs], np.int64)
    columns = [valued(found, cell, before) for cell in found.cells]
    for number in range(most):
        after = np.array([numbers_of(images[number], samples.paths) for _, images in pairs], np.int64)
        matches = []
        for cell in found.cells:
            column = valued(found, cell, after)
            alike = [i for i, other in enumerate(found.cells) if other.kind == cell.kind]
            matches.append([i for i in alike if np.array_equal(columns[i], column)])
        exchange = exchange_of(found.cells, matches)
        if exchange is not None and exchange != list(range(len(columns))):
            yield exchange


def exchange_of(cells: list[Cell], matches: list[list[int]]) -> list[int] | None:
    """The one exchange among what each cell may become; cells that were all the same in the states that were seen,
    such as those of empty rows, go where the board's own movement takes them. None where there is none."""
    sure = [i for i, match in enumerate(matches) if len(match) == 1]
    placed = [i for i in sure if cells[i].where is not None and cells[matches[i][0]].where is not None]
    moved = None
    if len(placed) >= 3:
        before = np.array([(*cells[i].where, 1.0) for i in placed])  # type: ignore[misc]
        moved = np.linalg.lstsq(before, np.array([cells[matches[i][0]].where for i in placed]), rcond=None)[0]
    exchange = [-1] * len(cells)
    for i, match in enumerate(matches):
        free = [j for j in match if j not in exchange]
        where = cells[i].where
        if len(match) > 1 and moved is not None and where is not None:
            there = np.array((*where, 1.0)) @ moved
            free = [j for j in free if cells[j].where is not None and np.abs(there - cells[j].where).max() < NEAR]
        if not free:
            return None
        exchange[i] = i if len(match) > 1 and i in free else free[0]
    return exchange


def valued(found: Description, cell: Cell, table: np.ndarray) -> np.ndarray:
    """The values of a cell in each state."""
    return np.array(found.kinds[cell.kind])[codes_of(cell, table)]


__all__ = ["Cell", "Description", "FoundField", "Samples", "codes_of", "describe", "mover_of", "numbers_of", "paths_of"]
