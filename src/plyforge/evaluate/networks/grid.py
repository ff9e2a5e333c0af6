"""Inputs on a board, for convolutions: the inputs that are found in a state's fields, each with place and plane.

    place      where on the board the input's bit is, found from the picture; -1 for what is on no board
    plane      what it says of a place: mine, theirs, a kind of piece; a bank of planes for each player to move
    near       the nine places around each, itself in the middle; beyond the edge is the place behind the last

An action has a place, too, where people point at: from the first place of its way to the last, as long as that is the
same wherever the action was seen. Actions without one are told apart by their hash alone.

Claim: what is found depends on the rules alone: random play has fixed seeds.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from plyforge.contract import CHANCE, legal_moves
from plyforge.errors import BadText, Unsuitable
from plyforge.evaluate.networks.inputs import BANKS, FieldInputs, found_inputs
from plyforge.evaluate.ntuples.cells import CODES, Cell, describe
from plyforge.evaluate.ntuples.finding import in_rows
from plyforge.grids.hooks import board_of, ways_of
from plyforge.kernel import inline
from plyforge.kernel.compiling.layout import random_states
from plyforge.kernel.hashing import hash_state

ACTIONS = 1 << 13
"""Hashes of actions whose places are known."""
MOST_PLACES = 400
SAMPLES = 2
"""Times what `random_states` gives, for the places of actions."""
UNKNOWN = -1


@inline
def action_number(action):
    """The hash of an action, below ACTIONS."""
    return np.int64(hash_state(action) & np.uint64(ACTIONS - 1))


@dataclass(frozen=True)
class GridInputs(FieldInputs):
    """Inputs with places. Make them with `grid_inputs`."""

    places: int = 0
    planes: int = 0
    """Of a bank."""

    @cached_property
    def spots(self) -> np.ndarray:
        """[input of a bank, place and plane]"""
        raise TypeError("made by grid_inputs")

    @cached_property
    def near(self) -> np.ndarray:
        """[place, 9]"""
        raise TypeError("made by grid_inputs")

    @cached_property
    def ways(self) -> np.ndarray:
        """[number of an action, from and to], of 16 bits: it is a constant of the compiled code."""
        raise TypeError("made by grid_inputs")

    @classmethod
    def on(cls, fields: FieldInputs, spots: Any, near: Any, ways: Any) -> GridInputs:
        """From arrays. Raises BadText where they don't fit together."""
        arrays: dict[str, np.ndarray] = {
            "spots": np.array(spots, np.int64).reshape(-1, 2),
            "near": np.array(near, np.int64).reshape(-1, 9),
            "ways": np.array(ways, np.int16).reshape(-1, 2),
        }
        places, planes = len(arrays["near"]), int(arrays["spots"][:, 1].max(initial=-1)) + 1
        good = 0 < places <= MOST_PLACES and len(arrays["ways"]) == ACTIONS and len(spots) == fields.count // BANKS
        good = good and all((array >= UNKNOWN).all() for array in arrays.values())
        near_places = arrays["near"]
        good = good and bool(((near_places >= 0) & (near_places <= places)).all()) and 0 < planes <= CODES
        if not good or (arrays["spots"][:, 0] >= places).any() or (arrays["ways"] >= places).any():
            raise BadText("a description of a board whose numbers don't fit together")
        digest = hashlib.sha256(fields.digest.encode() + b"".join(a.tobytes() for a in arrays.values())).hexdigest()
        made = cls(digest[:32], fields.words, fields.most, fields.numbers, places, planes)
        for name in ("sets", "masks", "cells", "values"):
            vars(made)[name] = getattr(fields, name)
        vars(made).update(arrays)
        return made

    def description(self) -> dict[str, Any]:
        known = np.flatnonzero((self.ways != UNKNOWN).any(axis=1))
        ways = [[int(number), *self.ways[number].tolist()] for number in known]
        board = {"spots": self.spots.tolist(), "near": self.near.tolist(), "ways": ways}
        return {**super().description(), "kind": "grid", **board}


def grid_from(fields: FieldInputs, description: dict[str, Any]) -> GridInputs:
    """The inputs that a file describes. Raises BadText, TypeError or ValueError where it makes no sense."""
    ways = np.full((ACTIONS, 2), UNKNOWN, np.int64)
    for number, origin, goal in description["ways"]:
        if not 0 <= number < ACTIONS:
            raise BadText("a description of a board with an action that is none")
        ways[number] = origin, goal
    return GridInputs.on(fields, description["spots"], description["near"], ways)


@functools.lru_cache(maxsize=16)
def grid_inputs(game: Any) -> GridInputs:
    """The inputs of a game with a board. Raises Unsuitable where there is none."""
    fields, found = found_inputs(game), describe(game)
    cells = [] if found is None else [cell for cell in found.cells if cell.where is not None]
    grid = in_rows(np.array([cell.where for cell in cells])) if len(cells) >= 4 else []
    if not grid or len(set(grid)) != len(grid):
        raise Unsuitable(
            f"no board is found in the states of {type(game).__name__}, so convolutions have nothing to look at."
            " Use --net policy:N"
        )
    at = {spot: place for place, spot in enumerate(grid)}
    around = list(product((-1, 0, 1), repeat=2))
    near = [[at.get((row + down, column + right), len(grid)) for down, right in around] for row, column in grid]
    return GridInputs.on(fields, spots_of(fields, cells), near, ways_over(game, cells))


def spots_of(fields: FieldInputs, cells: list[Cell]) -> np.ndarray:
    """The place and the plane of each input of a bank."""
    spots = np.full((fields.count // BANKS, 2), UNKNOWN, np.int64)
    sets = {int(source): number for number, source in enumerate(fields.sets)}
    valued = {int(source): (int(kind), int(first)) for source, kind, first in fields.cells}
    planes: dict[Any, int] = {}
    for place, cell in enumerate(cells):
        for order, (source, shift, width) in enumerate(cell.readings):
            inputs: list[tuple[int, tuple[Any, ...]]]
            if source in sets:
                inputs = [(64 * sets[source] + bit, ("bit", order, bit - shift)) for bit in range(shift, shift + width)]
                inputs = [each for each in inputs if int(fields.masks[sets[source]]) >> each[0] % 64 & 1]
            else:
                kind, first = valued.get(source, (0, 0))
                many = int(fields.values[kind : kind + CODES].max()) if source in valued else 0
                inputs = [(first + value, ("value", order, kind, value)) for value in range(many)]
            for number, plane in inputs:
                spots[number] = place, planes.setdefault(plane, len(planes))
    return spots


def ways_over(game: Any, cells: list[Cell]) -> np.ndarray:
    """Where the actions of random play begin and end."""
    ways = np.full((ACTIONS, 2), UNKNOWN, np.int64)
    spot = {cell.where: place for place, cell in enumerate(cells)}
    doubtful: set[int] = set()
    for number, way in ways_seen(game, spot):
        if (ways[number] != UNKNOWN).any() and tuple(ways[number]) != way:
            doubtful.add(number)
        ways[number] = way
    ways[list(doubtful)] = UNKNOWN
    return ways


def ways_seen(game: Any, spot: dict[Any, int]) -> Iterator[tuple[int, tuple[int, int]]]:
    """The actions of states of random play, with the first place and the last of their way."""
    for seed in range(SAMPLES):
        for s in random_states(game, seed):
            if game.terminal(s) or game.player(s) == CHANCE:
                continue
            board = board_of(game, s)
            names = {} if board is None else {place.name: (float(place.y), float(place.x)) for place in board.places}
            for action in legal_moves(game, s):
                way = next(iter(ways_of(game, s, action)), ())
                on = [spot.get(names.get(name), UNKNOWN) for name in way] or [UNKNOWN]
                yield int(action_number(action)), (on[0] if len(on) > 1 else UNKNOWN, on[-1])


__all__ = ["ACTIONS", "UNKNOWN", "GridInputs", "action_number", "grid_from", "grid_inputs"]
