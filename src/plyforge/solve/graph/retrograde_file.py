"""A strongly solved game in a file: every state that can arise, its value and its distance.

    magic, version, length of the header | header (one JSON object) | the arrays, compressed | SHA-256 of all before

States lie sorted by their bytes, so that a state is found by halving. A file is read as a whole and as it was written,
or not at all; it is data only, and nothing in it is ever run. It is written aside, synced, then renamed: neither a
killed process nor a full disk harms one that was there before.
"""

from __future__ import annotations

import bisect
import hashlib
import json
import os
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.atomic import write_atomically
from plyforge.contract import Game
from plyforge.contract.naming import as_state, name_of, text_of
from plyforge.errors import BadText, PlyforgeError
from plyforge.games import load
from plyforge.kernel.storage.numbering import Numbering, layout_of
from plyforge.reading import parse_json, read_bytes
from plyforge.solve.graph.retrograde import StrongSolution
from plyforge.solve.strategy import identity
from plyforge.solve.table_file import rules_digest

MAGIC = b"plyforge solved\n"
VERSION = 1
PRELUDE = struct.Struct("<16sII")
DIGEST_BYTES = 32
LARGEST_FILE = 1 << 30
"""Bytes of a file: some hundred million states."""
PIECE = 1 << 20
"""Bytes that are unpacked at once."""
SHOWN = 200
"""Letters that a message repeats of what a file says."""


class SortedStates(Sequence[bytes]):
    """States as rows of bytes, in order; the number of a state is where its row is."""

    def __init__(self, rows: bytes, layout: np.dtype) -> None:
        self.rows, self.layout = rows, layout

    def __len__(self) -> int:
        return len(self.rows) // self.layout.itemsize

    def __getitem__(self, number: Any) -> Any:
        begin = number * self.layout.itemsize
        return self.rows[begin : begin + self.layout.itemsize]

    def find(self, state: Any) -> int | None:
        """The number of a state; None if it has none."""
        try:
            row = pack([state], self.layout).tobytes()
        except (TypeError, ValueError, OverflowError):
            return None
        number = bisect.bisect_left(self, row)
        return number if number < len(self) and self[number] == row else None


def packed_layout(game: Game, state: Any) -> np.dtype:
    """The layout of a row. Raises PlyforgeError for states that are not made of numbers."""
    try:
        return _packed(layout_of(state))
    except KeyError as error:
        raise PlyforgeError(
            f"solutions of {name_of(game)} can't be kept in a file: its states are not made of numbers alone"
            f" ({error.args[0].__name__})"
        ) from None


def _packed(layout: np.dtype) -> np.dtype:
    """Without the gaps that the compiler leaves, little end first."""
    if layout.fields is None:
        return layout.newbyteorder("<")
    return np.dtype([(name, _packed(layout[name])) for name in layout.names or ()])


def pack(states: list[Any], layout: np.dtype) -> np.ndarray:
    """States as records."""
    return np.array(states, layout) if layout.fields is not None else np.array(states, dtype=layout)


def save_solution(path: str | os.PathLike[str], solution: StrongSolution) -> None:
    """Keep a solution. Raises PlyforgeError; the file that was there before is then as it was."""
    game, lookup = solution.game, solution.lookup
    layout = packed_layout(game, solution.state)
    ranks, distances = solution.ranks, solution.distances
    if isinstance(lookup, Numbering):
        try:
            states = lookup.pool[: len(lookup)].astype(layout) if lookup.native else pack(lookup.all(), layout)
        except OverflowError:
            raise PlyforgeError(
                f"solutions of {name_of(game)} can't be kept in a file: its states hold integers of more than 64 bits"
            ) from None
        rows = np.frombuffer(states.tobytes(), np.dtype((np.void, layout.itemsize)))
        order = np.argsort(rows, kind="stable")
        content, ranks, distances = rows[order].tobytes(), ranks[order], distances[order]
    else:
        content = lookup.rows
    header = {
        "game": identity(game),
        "rules": rules_digest(game),
        "state": text_of(game, solution.state),
        "endless": solution.endless,
        "utilities": solution.utilities.tolist(),
        "states": solution.states,
        "row": layout.itemsize,
        "seconds": solution.seconds,
        "native": solution.native,
    }
    head = json.dumps(header, allow_nan=False).encode()
    arrays = content + ranks.astype("<i4").tobytes() + distances.astype("<i4").tobytes()
    whole = PRELUDE.pack(MAGIC, VERSION, len(head)) + head + zlib.compress(arrays, 6)
    try:
        write_atomically(Path(path), whole + hashlib.sha256(whole).digest())
    except OSError as error:
        reason = error.strerror or str(error)
        raise PlyforgeError(
            f"the solution can't be kept in {path}: {reason}. Name a file in a folder where you may write, on a disk"
            f" with {len(whole) / 2**20:,.1f} MiB to spare"
        ) from error


def load_solution(path: str | os.PathLike[str], game: Game | str, state: Any = None) -> StrongSolution:
    """A solution that was kept. Raises BadText for a file that is damaged or about something else; the file stays as
    it is."""
    game = load(game)
    root = as_state(game, state)
    layout = packed_layout(game, root)
    whole = read_bytes(path, LARGEST_FILE, "a solved game")
    if not whole.startswith(MAGIC):
        raise BadText(f"{path} is not a solved game of Plyforge. It was left as it is: name another file")
    body, digest = whole[:-DIGEST_BYTES], whole[-DIGEST_BYTES:]
    if len(whole) < PRELUDE.size + DIGEST_BYTES or hashlib.sha256(body).digest() != digest:
        raise _damaged(path, "its checksum is wrong, or its end is missing")
    _, version, length = PRELUDE.unpack_from(body)
    if version > VERSION:
        raise BadText(
            f"{path} was written by a newer Plyforge (format {version}; this one reads {VERSION}): use that one, or"
            " name another file"
        )
    try:
        header = _parsed(path, body[PRELUDE.size : PRELUDE.size + length])
        _same(path, header, game, root)
        states, row = int(header["states"]), int(header["row"])
        utilities = np.array(header["utilities"], float)
        if row != layout.itemsize or states < 0 or utilities.ndim != 1:
            raise ValueError("its arrays have another size")
        arrays = _unpacked(body[PRELUDE.size + length :], states, row)
        numbers = np.frombuffer(arrays, "<i4", 2 * states, states * row)
        ranks, distances = numbers[:states], numbers[states:]
        if states and not 0 <= ranks.min() <= ranks.max() < len(utilities):
            raise ValueError("a value is out of range")
        return StrongSolution(
            game=game,
            state=root,
            endless=float(header["endless"]),
            utilities=utilities,
            ranks=ranks,
            distances=distances,
            lookup=SortedStates(arrays[: states * row], layout),
            seconds=float(header["seconds"]),
            native=bool(header["native"]),
        )
    except (ArithmeticError, ValueError, KeyError, TypeError, zlib.error) as error:
        raise _damaged(path, str(error)) from error


def _parsed(path: Any, head: bytes) -> Any:
    try:
        return parse_json(head, "its header")
    except BadText as error:
        raise _damaged(path, str(error)) from None


def _unpacked(content: bytes, states: int, row: int) -> bytes:
    """Rows, values and distances. They come in pieces, the rows checked as they come: rows in order can't be made
    very small, so neither can a small file fill the memory."""
    unpacker, found, wanted = zlib.decompressobj(), bytearray(), states * (row + 8)
    checked = 0
    for begin in range(0, len(content), PIECE):
        packed = content[begin : begin + PIECE]
        while not unpacker.eof and (room := min(PIECE, wanted + 1 - len(found))) > 0:
            piece = unpacker.decompress(packed, room)
            found += piece
            packed = unpacker.unconsumed_tail
            end = min(len(found) // row, states)
            if end > checked + 1:
                _require_order(np.frombuffer(found[checked * row : end * row], np.uint8).reshape(-1, row))
                checked = end - 1
            if len(piece) < room:  # all that was given is unpacked
                break
    if len(found) != wanted or not unpacker.eof or unpacker.unused_data:
        raise ValueError("its arrays have another size")
    return bytes(found)


def _require_order(rows: np.ndarray) -> None:
    """Each row has to be above the one before: a state is found by halving."""
    before, after = rows[:-1], rows[1:]
    first = (before != after).argmax(axis=1)
    numbers = np.arange(len(first))
    if not (before[numbers, first] < after[numbers, first]).all():
        raise ValueError("its states are not in order")


def _same(path: Any, header: dict[str, Any], game: Game, root: Any) -> None:
    if header["game"] != identity(game):
        raise BadText(f"{path} is about {str(header['game'])[:SHOWN]}, not {identity(game)}: name another file")
    if header["rules"] != rules_digest(game):
        raise BadText(
            f"{path} was made with other rules: those of {identity(game)} have changed since, or Python or Plyforge"
            " has. Name another file"
        )
    if header["state"] != text_of(game, root):
        raise BadText(
            f"{path} was solved from {str(header['state'])[:SHOWN]}, not from {text_of(game, root)}: name another file"
        )


def _damaged(path: Any, how: str) -> BadText:
    return BadText(
        f"{path} is damaged: {how}. It was left as it is: take a copy of it that is whole, or name another file"
    )
