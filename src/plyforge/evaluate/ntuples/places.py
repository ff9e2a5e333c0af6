"""The cells that a picture shows: which bits of a state the content of each place of the board decides.

A bit belongs to a place if, whoever moves, the same content always came with the same bit. So a stone's bit in the set
of its colour belongs to the square where the stone is drawn, and the bits of a packed count to its pit; no geometry of
bits has to be known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.evaluate.ntuples.cells import CODE_BITS, SPARSE, Cell, Reading, Samples, name_of

LEAST_SHARE = 1 / 3
"""Of a number's bits that vary, places decide so many, or none."""


def cells_of_board(samples: Samples) -> list[Cell]:
    """A cell for each place that decides something; none where there is no picture."""
    try:
        contents, spots = contents_of(samples)
    except (Exception, SystemExit):  # rules of somebody's own draw it; without a picture there is no board
        return []
    if len(spots) < 4:
        return []
    told = samples.told
    bits = [(m, b) for m in samples.numbers for b in range(64) if not told[m] and often(samples.table[:, m] >> b & 1)]
    if not bits:
        return []
    columns = np.stack([samples.table[:, m] >> b & 1 for m, b in bits], axis=1).astype(np.float32)
    owner = owners(contents, samples.movers, columns)
    sources = np.array([source for source, _ in bits])
    for source in np.unique(sources[owner >= 0]):
        if np.mean(owner[sources == source] >= 0) < LEAST_SHARE:
            owner[sources == source] = -1  # a count of plies, say, of which one bit is set late, as a corner is
    found = []
    for place, spot in enumerate(spots):
        own = [bits[i] for i in np.flatnonzero(owner == place)]
        if own:
            found.append((own, spot))
    return same_form(samples, [Cell(readings_of(own, bits, samples), "", where=spot) for own, spot in found])


def contents_of(samples: Samples) -> tuple[np.ndarray, list[tuple[float, float]]]:
    """[state, place]: numbers for what stands there; and where the places are: row and column."""
    game = samples.game
    first = game.view.board(game, samples.states[0])
    if first is None:
        return np.zeros((0, 0), np.int64), []
    index = {place.name: i for i, place in enumerate(first.places)}
    words: dict[Any, int] = {(): 0}
    rows = np.zeros((len(samples.states), len(index)), np.int64)
    for number, state in enumerate(samples.states):
        there: dict[int, tuple[Any, ...]] = {}
        board = game.view.board(game, state)
        for piece in board.pieces:
            at = index.get(piece.place)
            if at is not None:
                there[at] = (*there.get(at, ()), (piece.look, piece.owner, piece.count))
        for place in board.places:  # colours and words on the place itself
            if place.text and place.name in index:
                at = index[place.name]
                there[at] = (*there.get(at, ()), place.text)
        for at, content in there.items():
            rows[number, at] = words.setdefault(content, len(words))
    return rows, [(float(place.y), float(place.x)) for place in first.places]


def owners(contents: np.ndarray, movers: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """For each bit the place that decides it, with the fewest contents; -1 where none does."""
    best = np.full(columns.shape[1], 1 << 30)
    owner = np.full(columns.shape[1], -1)
    for place in range(contents.shape[1]):
        _, content = np.unique(contents[:, place] * 8 + movers, return_inverse=True)
        content = content.reshape(-1)
        many = int(content.max()) + 1
        if len(np.unique(contents[:, place])) < 2 or many * SPARSE > len(content):
            continue
        members = np.zeros((len(content), many), np.float32)
        members[np.arange(len(content)), content] = 1.0
        ones, sizes = members.T @ columns, members.sum(axis=0)[:, None]
        decided = ((ones == 0) | (ones == sizes)).all(axis=0) & (many < best)
        owner[decided], best[decided] = place, many
    return owner


def readings_of(own: list[tuple[int, int]], bits: list[tuple[int, int]], samples: Samples) -> tuple[Reading, ...]:
    """Bits of one number that lie side by side are read at once; a number that nobody else reads is read whole."""
    found: list[list[int]] = []
    for source, bit in own:
        if found and found[-1][0] == source and found[-1][1] + found[-1][2] == bit:
            found[-1][2] += 1
        else:
            found.append([source, bit, 1])
    if len(found) >= 1 and len({source for source, _, _ in found}) == 1:
        source = found[0][0]
        if all((source, b) in own for m, b in bits if m == source):
            return ((source, 0, CODE_BITS),)
        if len(found) == 1 and found[0][2] > 1:  # a packed count may grow beyond what was seen
            above = [b for m, b in bits if m == source and b >= found[0][1] + found[0][2]]
            found[0][2] = min(CODE_BITS, min(above, default=64) - found[0][1])
    return tuple((source, shift, width) for source, shift, width in found)


def same_form(samples: Samples, cells: list[Cell]) -> list[Cell]:
    """Cells of one form: where all are single bits of sets, each has its bit of every set, whether it varied or not.
    Groups are named by the fields that are read."""
    names = [name_of(path) for path in samples.paths]
    single = [cell for cell in cells if all(width == 1 for _, _, width in cell.readings)]
    if len(single) == len(cells) and all(len({bit for _, bit, _ in cell.readings}) == 1 for cell in cells):
        sets: dict[tuple[str, ...], list[int]] = {}
        for cell in cells:  # of the numbers that lie at the same place of their fields
            for source, _, _ in cell.readings:
                sets.setdefault(_inside(samples, source), [])
        for cell in cells:
            for source, _, _ in cell.readings:
                members = sets[_inside(samples, source)]
                if source not in members:
                    members.append(source)
        for cell in cells:
            bit = cell.readings[0][1]
            members = sorted(sets[_inside(samples, cell.readings[0][0])])
            if len(members) <= CODE_BITS:
                cell.readings = tuple((source, bit, 1) for source in members)
    for cell in cells:
        cell.group = " + ".join(dict.fromkeys(names[source] for source, _, _ in cell.readings))
        widths = {width for _, _, width in cell.readings}
        if sum(width for _, _, width in cell.readings) > CODE_BITS:
            cell.readings = cell.readings[:CODE_BITS] if widths == {1} else cell.readings[:1]
    return cells


def _inside(samples: Samples, source: int) -> tuple[str, ...]:
    """Where in its field a number is: words of several sets go together by that."""
    return tuple(map(str, samples.paths[source][1:]))


def often(column: np.ndarray) -> bool:
    """True if a bit is set, and not set, often enough that a place agrees with it for a reason."""
    return SPARSE <= int(column.sum()) <= len(column) - SPARSE


__all__ = ["cells_of_board"]
