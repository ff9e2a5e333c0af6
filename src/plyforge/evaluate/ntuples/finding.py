"""Which n-tuples a game's states have: each cell by itself, and tuples of neighbouring cells.

    cells that form a grid     squares of two by two, and straight lines in all directions, as long as their tables stay
                               small; one table for each shape, wherever on the grid it is
    walks                      for long learning: random walks of up to eight neighbouring cells, a table each, which a
                               walk shares with its images under the symmetries that the rules declare

Neighbours are what lies beside each other on the board; where there is none, cells that tell most of each other (mutual
information). Lucas (2008) and Thill, Koch and Konen, "Reinforcement learning with n-tuples on the game Connect-4"
(2012), have the walks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from plyforge.evaluate.ntuples.cells import CODES, Cell, Description, Samples, describe, valued
from plyforge.evaluate.ntuples.tuples import NTuples

LARGEST_TABLE = 700  # weights of one tuple of a shape
LONGEST_LINE = 5  # cells
SQUARE = ((0, 0), (0, 1), (1, 0), (1, 1))
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
LARGEST_WALK = 20_000  # weights of one walk
LONGEST_WALK = 8  # cells
NEAR = 1.5  # times the smallest distance of two places
NEIGHBOURS = 4  # of a cell, where there is no board
TRIES = 20  # for each walk that is wanted

Tuple = tuple[list[int], int, int]
"""Cells, how many values they have, and the first weight."""


def find_tuples(game: Any, walks: int = 0, described: Description | None = None) -> NTuples | None:
    """The n-tuples of a game's states, with so many random walks; None where states hold sets, dicts, sequences whose
    length varies, or nothing that varies."""
    found = described or describe(game)
    if found is None:
        return None
    tuples: list[Tuple] = []
    weights = 0
    for i, cell in enumerate(found.cells):
        tuples.append(([i], cell.values, weights))
        weights += cell.values
    for grid, base in grids_of(found.cells):
        for members_of_all in shapes(grid, base):
            tuples += [(members, base, weights) for members in members_of_all]
            weights += base ** len(members_of_all[0])
    if walks:
        near = neighbours(found, game)
        for images, base in walks_over(found, near, walks):
            tuples += [(members, base, weights) for members in images]
            weights += base ** len(images[0])
    return arrays_of(found, tuples, weights)


def arrays_of(found: Description, tuples: list[Tuple], weights: int) -> NTuples:
    """All in arrays."""
    ends = np.cumsum([len(members) for members, _, _ in tuples])
    read_to = np.cumsum([len(cell.readings) for cell in found.cells])
    rows = [(int(end), base, offset) for end, (_, base, offset) in zip(ends, tuples, strict=True)]
    return NTuples.of(
        found.numbers,
        weights,
        cells=np.array([(end, CODES * cell.kind) for end, cell in zip(read_to, found.cells, strict=True)], np.int64),
        readings=np.array([reading for cell in found.cells for reading in cell.readings], np.int64),
        values=np.array(found.kinds, np.int64).reshape(-1),
        tuples=np.array(rows, np.int64),
        members=np.array([m for members, _, _ in tuples for m in members], np.int64),
    )


# ------------------------------------------------------------ shapes on a grid
def grids_of(cells: list[Cell]) -> Iterator[tuple[dict[tuple[int, int], int], int]]:
    """Cells of one kind in rows and columns, with how many values they have."""
    for kind in dict.fromkeys(cell.kind for cell in cells):
        own = [(i, cell) for i, cell in enumerate(cells) if cell.kind == kind and cell.where is not None]
        if len(own) < 4:
            continue
        spots = in_rows(np.array([cell.where for _, cell in own]))
        if len(set(spots)) == len(own):
            yield {spot: i for spot, (i, _) in zip(spots, own, strict=True)}, own[0][1].values


def in_rows(where: np.ndarray) -> list[tuple[int, int]]:
    """Rows and columns as whole numbers, those of hexagons with columns that lean; nothing where they are neither."""
    rows = np.unique(np.round(where[:, 0], 6))
    step = float(np.diff(rows).min()) if len(rows) > 1 else 1.0
    row = where[:, 0] / step
    for lean in (0.0, -0.5, 0.5):
        column = where[:, 1] + lean * row
        both = np.stack([row, column - column.min()], axis=1)
        if np.abs(both - np.round(both)).max() < 1e-3:
            return [(int(r), int(c)) for r, c in np.round(both)]
    return []


def shapes(grid: dict[tuple[int, int], int], base: int) -> Iterator[list[list[int]]]:
    """Of a grid's cells with so many values: all squares, and in each direction all lines as long as grid and table
    allow."""
    for found in (inside(grid, SQUARE), *(longest_lines(grid, base, *way) for way in DIRECTIONS)):
        if found and base ** len(found[0]) <= LARGEST_TABLE:
            yield found


def longest_lines(grid: dict[tuple[int, int], int], base: int, dr: int, dc: int) -> list[list[int]]:
    """All lines of one direction, as long as can be; none if not even two cells can."""
    for length in range(LONGEST_LINE, 1, -1):
        found = inside(grid, tuple((dr * i, dc * i) for i in range(length)))
        if found and base**length <= LARGEST_TABLE:
            return found
    return []


def inside(grid: dict[tuple[int, int], int], shape: tuple[tuple[int, int], ...]) -> list[list[int]]:
    """The cells of a shape, wherever on the grid it fits."""
    found = [[grid.get((r + dr, c + dc), -1) for dr, dc in shape] for r, c in grid]
    return [members for members in found if -1 not in members]


# ------------------------------------------------------------ walks
def neighbours(found: Description, game: Any) -> list[list[int]]:
    """For each cell those that a walk may go on to."""
    cells = found.cells
    near: list[list[int]] = [[] for _ in cells]
    placed = [i for i, cell in enumerate(cells) if cell.where is not None]
    if len(placed) >= 4:
        where = np.array([cells[i].where for i in placed])
        away = np.sqrt(((where[:, None] - where[None]) ** 2).sum(axis=2))
        np.fill_diagonal(away, np.inf)
        step = away.min(axis=1)  # boards may have wide places beside narrow ones
        for a, i in enumerate(placed):
            reach = NEAR * max(float(np.median(step)), float(step[a]))
            near[i] = [placed[b] for b in np.flatnonzero(away[a] <= reach)]
        return near
    told = mutual_information(found, Samples(game).table)
    for i in range(len(cells)):
        near[i] = [int(j) for j in np.argsort(-told[i], kind="stable")[:NEIGHBOURS] if told[i, j] > 0.0]
    return near


def mutual_information(found: Description, table: np.ndarray) -> np.ndarray:
    """How much each two cells tell of each other, in states of random play."""
    count = len(table)
    shares = []
    for cell in found.cells:
        ones = np.zeros((count, cell.values), np.float32)
        ones[np.arange(count), valued(found, cell, table)] = 1.0
        shares.append(ones)
    told = np.zeros((len(shares), len(shares)))
    for i, one in enumerate(shares):
        for j in range(i):
            joint = np.asarray(one.T @ shares[j], np.float64) / count
            apart = joint.sum(axis=1)[:, None] * joint.sum(axis=0)[None]
            there = joint > 0.0
            told[i, j] = told[j, i] = float((joint[there] * np.log(joint[there] / apart[there])).sum())
    return told


def walks_over(found: Description, near: list[list[int]], wanted: int) -> Iterator[tuple[list[list[int]], int]]:
    """Different random walks, each with its images, and how many values their cells have at most."""
    chooser = random.Random(1)
    starts = [i for i, ways in enumerate(near) if ways]
    seen: set[frozenset[int]] = set()
    made = 0
    for _ in range(TRIES * wanted if starts else 0):
        if made == wanted:
            break
        walk = a_walk(found.cells, near, chooser.choice(starts), chooser)
        images = [walk, *([image[i] for i in walk] for image in found.images)]
        if len(walk) < 3 or any(frozenset(each) in seen for each in images):
            continue
        distinct = {frozenset(each): each for each in images}
        seen |= set(distinct)
        made += 1
        yield list(distinct.values()), max(found.cells[i].values for i in walk)


def a_walk(cells: list[Cell], near: list[list[int]], start: int, chooser: random.Random) -> list[int]:
    """From cell to neighbouring cell, as far as the table allows."""
    walk, base, at = [start], cells[start].values, start
    while len(walk) < LONGEST_WALK:
        ways = [i for i in near[at] if i not in walk] or [i for j in walk for i in near[j] if i not in walk]
        if not ways:
            break
        at = chooser.choice(ways)
        base = max(base, cells[at].values)
        if base ** (len(walk) + 1) > LARGEST_WALK:
            break
        walk.append(at)
    return walk


__all__ = ["find_tuples"]
