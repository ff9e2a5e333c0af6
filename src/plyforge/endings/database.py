"""A database of endings, as Python asks it: the files of a folder, mapped into memory.

database = Database.open("checkers-4", game)
database.outcome(state), database.distance(state), database.best(state), database.line(state)
pf.search(game, state, "engine", seconds=1, database=database)      searches ask it inside compiled code (`probe.py`)
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import MAX, Game, defines, legal_moves
from plyforge.contract.naming import as_state, name_of, text_of
from plyforge.endings.files import (
    CHUNK,
    DISTANCES,
    DRAW,
    LOSS,
    UNKNOWN,
    VALUES,
    WIN,
    SliceFile,
    distances_path,
    rules_sample,
)
from plyforge.endings.probe import probe, read_directory, read_entries
from plyforge.errors import BadText, PlyforgeError, Unsuitable
from plyforge.kernel.storage.block import address_of, lend_block, new_block

SMALL = 64 << 20
"""Bytes. The checksums of smaller databases are always looked at."""


class Database:
    """The endings of a game that are in a folder, mapped into memory."""

    def __init__(self, game: Game, folder: Path, files: dict[Any, SliceFile], endless: float) -> None:
        self.game, self.folder, self.endless = game, folder, endless
        self.files = files
        """The values of each slice, by its kind."""
        self._codes = {game.tablebase.slice_code(game, kind): kind for kind in files}
        self._distances: dict[int, SliceFile | None] = {}
        self._kept: list[np.ndarray] = []  # what addresses point to
        codes = max(self._codes, default=-1) + 1
        self._entries = new_block(read_entries, max(1, codes))
        for code, kind in self._codes.items():
            self._enter(code, files[kind])
        self._directory = new_block(read_directory, 1)
        self._directory[0].codes = codes
        self._directory[0].entries = address_of(self._entries)
        self._chunk = functools.lru_cache(maxsize=64)(self._read_chunk)

    @classmethod
    def open(
        cls, folder: str | os.PathLike[str], game: Game, *, checksums: bool | None = None, pieces: int | None = None
    ) -> Database:
        """The database in a folder. Raises BadText for files that are damaged, or about something else.

        `checksums`: look at every byte now; None does so for databases below 64 MiB. `pieces`: no slices with more than
        that.
        """
        require_index(game)
        place = Path(folder)
        files = read_folder(place, game, pieces)
        if not files:
            raise BadText(
                f"there are no endings of {name_of(game)} in {place}: build some first, as in `plyforge solve"
                f" {name_of(game).lower()} --pieces 4 --table {place}`"
            )
        total = sum(len(file.bytes) for file in files.values())
        if checksums or (checksums is None and total < SMALL):
            for file in files.values():
                file.check()
        endless = {float(file.header["endless"]) for file in files.values()}
        if len(endless) > 1:
            raise BadText(
                f"the files in {place} differ in what an endless game is worth: build anew, in another folder"
            )
        return cls(game, place, files, endless.pop())

    def _enter(self, code: int, file: SliceFile) -> None:
        starts, content = file.section("starts", "<u4"), file.section("content")
        self._kept += [starts, content]
        entry = self._entries[code]
        entry.states, entry.blocks, entry.bytes = file.header["size"], len(starts) - 1, len(content)
        entry.starts, entry.content = lend_block(starts), lend_block(content)

    @property
    def address(self) -> int:
        """What compiled code asks through."""
        return address_of(self._directory)

    @property
    def states(self) -> int:
        """How many states there are."""
        return sum(self.counts.values())

    @property
    def counts(self) -> dict[str, int]:
        """How many states are won, drawn and lost for MAX, of those that are stored."""
        return {
            name: sum(int(file.header["counts"][name]) for file in self.files.values())
            for name in ("win", "draw", "loss")
        }

    @property
    def bits_per_state(self) -> float:
        """On disk, of the values alone."""
        return 8 * sum(len(file.bytes) for file in self.files.values()) / max(1, self.states)

    @property
    def longest(self) -> int:
        """The largest distance of all states."""
        return max((int(file.header["longest"]) for file in self.files.values()), default=0)

    @property
    def pieces(self) -> int:
        """Up to how many pieces it was asked for when it was built."""
        return max((int(file.header["pieces"]) for file in self.files.values()), default=0)

    # ------------------------------------------------------------ one state
    def code(self, state: Any) -> int:
        """What a state (or its text) is worth to MAX: LOSS, DRAW or WIN, or UNKNOWN."""
        here = as_state(self.game, state)
        value = int(probe(self.game, self.address, here))
        if value == UNKNOWN and self.game.terminal(here):
            return value_of_utility(float(self.game.utility(here)), self.endless)
        return value

    def outcome(self, state: Any) -> str | None:
        """ "win", "draw" or "loss" of whoever moves; None if the database does not have the state."""
        here = as_state(self.game, state)
        value = self.code(here)
        if value not in (UNKNOWN, DRAW) and self.game.player(here) != MAX:
            value = 4 - value
        return {UNKNOWN: None, LOSS: "loss", DRAW: "draw", WIN: "win"}[value]

    def distance(self, state: Any) -> int | None:
        """The plies to the end if the winner hurries and the loser delays; None for a draw, and where the database
        has nothing."""
        here = as_state(self.game, state)
        if self.code(here) in (UNKNOWN, DRAW):
            return None
        stored, _ = self.game.tablebase.canonical(self.game, here)
        code = int(self.game.tablebase.slice_of(self.game, stored))
        if code not in self._codes:
            return 0  # over: the value came from the rules
        index = int(self.game.tablebase.index(self.game, stored))
        file = self._distance_file(code)
        return None if file is None else int(self._chunk(code, index // CHUNK)[index % CHUNK])

    def best(self, state: Any) -> tuple[Any, ...]:
        """Every best action: those that keep the value and, where somebody wins, the quickest for the winner and the
        slowest for the loser."""
        here = self._known(state)
        value, distance = self.code(here), self.distance(here)
        found = []
        for action in legal_moves(self.game, here):
            after = as_state(self.game, self.game.result(here, action))
            if self.code(after) == value and (distance is None or self.distance(after) == distance - 1):
                found.append(action)
        return tuple(found)

    def line(self, state: Any, until: Callable[[], bool] = lambda: False) -> tuple[Any, ...]:
        """Best play to the end, or until told to stop; nothing for a draw, which has none."""
        here, actions = self._known(state), []
        while self.distance(here) and not until():
            action = self.best(here)[0]
            actions.append(action)
            here = as_state(self.game, self.game.result(here, action))
        return tuple(actions)

    def _known(self, state: Any) -> Any:
        here = as_state(self.game, state)
        if self.code(here) == UNKNOWN:
            raise PlyforgeError(f"{text_of(self.game, here)} is not in {self.folder}, which has: {self.describe()}")
        return here

    def describe(self) -> str:
        """The slices that there are, in one line."""
        names = [self.game.tablebase.format_slice(self.game, kind) for kind in self.files]
        return ", ".join(names[:30]) + (f" and {len(names) - 30} more" if len(names) > 30 else "")

    # ------------------------------------------------------------ distances
    def load_distances(self) -> None:
        """Bring all distances into memory, two bytes a state, so that compiled code can ask for them. Raises BadText
        if some are not there."""
        for code, kind in self._codes.items():
            if self._entries[code].distances == 0:
                distances = self.all_distances(kind)
                self._kept.append(distances)
                self._entries[code].distances = lend_block(distances)

    def all_distances(self, kind: Any) -> np.ndarray:
        """The distances of a slice."""
        file = self._distance_file(self.game.tablebase.slice_code(self.game, kind))
        if file is None:
            raise BadText(
                f"the distances of {self.game.tablebase.format_slice(self.game, kind)} are not in {self.folder}: build"
                " it again"
            )
        size = self.files[kind].header["size"]
        pieces = [file.distances(chunk) for chunk in range(-(-size // CHUNK))]
        return np.concatenate([np.zeros(0, "<u2"), *pieces]).astype("<u2")

    def _read_chunk(self, code: int, chunk: int) -> np.ndarray:
        file = self._distance_file(code)
        assert file is not None
        return file.distances(chunk)

    def _distance_file(self, code: int) -> SliceFile | None:
        if code not in self._distances:
            kind = self._codes[code]
            path = distances_path(self.folder, self.game.tablebase.format_slice(self.game, kind))
            self._distances[code] = None
            if path.exists():
                file = SliceFile(path, DISTANCES)
                file.require({name: self.files[kind].header[name] for name in ("slice", "size", "rules", "endless")})
                self._distances[code] = file
        return self._distances[code]

    def check(self) -> None:
        """Look at every byte of every file. Raises BadText."""
        for kind, file in self.files.items():
            file.check()
            distances = self._distance_file(self.game.tablebase.slice_code(self.game, kind))
            if distances is not None:
                distances.check()


def value_of_utility(utility: float, endless: float) -> int:
    """Above what an endless game is worth is a win for MAX, below it a loss."""
    return WIN if utility > endless else LOSS if utility < endless else DRAW


def require_index(game: Game) -> None:
    """Raise Unsuitable for a game whose rules don't number their endings."""
    if not defines(game.tablebase, "index"):
        raise Unsuitable(
            f"{name_of(game)} has no index of its endings (slices, index, state_at): only games that number them can"
            " have a database. Small games are solved as a whole by pf.solve.strongly"
        )


def about_slice(game: Game, kind: Any, endless: float) -> dict[str, Any]:
    """What a file of a slice has to say of itself."""
    return {
        "game": name_of(game),
        "slice": game.tablebase.format_slice(game, kind),
        "size": int(game.tablebase.slice_size(game, kind)),
        "rules": rules_sample(game, kind),
        "endless": float(endless),
    }


def read_folder(folder: Path, game: Game, pieces: int | None = None) -> dict[Any, SliceFile]:
    """The values of all slices in a folder, by their kind, in the order of the rules. Each is about this game, or
    BadText is raised."""
    try:
        found = [path for path in sorted(folder.iterdir()) if path.suffix == f".{VALUES}"]
    except OSError as error:
        raise BadText(f"{folder} can't be read: {error.strerror or error}") from error
    files = {path.stem: SliceFile(path, VALUES) for path in found}
    for file in files.values():
        file.require({"game": name_of(game)})
    most = max((int(file.header["pieces"]) for file in files.values()), default=0)
    most = most if pieces is None else min(pieces, most)
    named = {
        game.tablebase.format_slice(game, kind): kind for kind in (game.tablebase.slices(game, most) if files else [])
    }
    ordered = {}
    for name, kind in named.items():
        if name in files:
            file = files[name]
            file.require(about_slice(game, kind, float(file.header["endless"])))
            ordered[kind] = file
    if pieces is None and len(ordered) < len(files):
        strange = next(file for name, file in files.items() if name not in named)
        raise BadText(f"{strange.path} is about no slice of {name_of(game)}: use another folder")
    return ordered
