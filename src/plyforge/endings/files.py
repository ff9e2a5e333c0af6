"""The files of an endgame database: for each slice its values, and beside them the distances.

    NAME.values       win, draw or loss of every state of the slice, packed, in blocks of 1024 states; read where it
                      lies, by compiled code
    NAME.distances    the plies to the end, in pieces that are compressed one by one

Both begin alike: magic, version, length and checksum of the header, the header (one JSON object), then sections that
begin at multiples of 64 bytes.

Values are packed into bytes. Below 243 a byte is five values, digits of a number to the base 3; the twelve bytes from
243 to 254 are runs of one value, of one of four lengths. A block begins with a fresh byte, and `starts` says where. So
a value is found by walking through at most 205 bytes, and long stretches of wins cost next to nothing. Numbers without
a state may have any value: whatever lengthens a run.

Claim: a file is taken for what it says it is about (the game, the slice, what the rules do in a sample of its states)
or refused; with `checksum` also as it was written. It is data only: nothing in it is ever run. Invariants: a file is
written aside, synced, then renamed. The values come last, so a slice whose values are there is complete.
"""

from __future__ import annotations

import errno
import hashlib
import json
import mmap
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.atomic import write_atomically
from plyforge.contract import MAX, Game
from plyforge.contract.naming import name_of
from plyforge.errors import BadText, PlyforgeError
from plyforge.kernel import kernel
from plyforge.kernel.entry import coerce
from plyforge.reading import open_file, parse_json

UNKNOWN, LOSS, DRAW, WIN = 0, 1, 2, 3
"""What a state is worth to MAX. Exchanging the sides takes one of the last three to 4 minus it."""

MAGIC = b"plyforge endings"
VERSION = 1
PRELUDE = struct.Struct("<16sIII")
ALIGNMENT = 64
VALUES, DISTANCES = "values", "distances"

BLOCK = 1024
"""States of a block."""
DIGITS = 5
"""Values in a byte that is no run."""
FIRST_RUN = 3**DIGITS
RUNS = (8, 24, 80, 300)
MOST_BYTES = -(-BLOCK // DIGITS)
"""Of a block without any run."""
LENGTHS = np.array([DIGITS] * FIRST_RUN + list(RUNS) * 3 + [1], np.int64)
"""By byte: how many values it holds. (The last byte has no meaning.)"""
POWERS = np.array([3**digit for digit in range(DIGITS)], np.int64)

CHUNK = 1 << 16
"""Distances that are compressed together."""
MOST_PIECES = 64
"""Of an ending."""
LONGEST_HEADER = 1 << 20
"""Bytes."""
SHOWN = 200
"""Letters that a message repeats of what a file says."""
SAMPLES = 12
"""States of a slice in which the rules are looked at."""


# ------------------------------------------------------------ packing values
@kernel
def run_length(values, begin, end):
    """How far the value at `begin` goes on, counting what has no state, and which it is. At most as long as the
    longest run."""
    value = 0
    at = begin
    while at < end and at - begin < RUNS[3]:
        here = int(values[at])
        if here != 0:
            if value == 0:
                value = here
            elif here != value:
                break
        at += 1
    return at - begin, max(value, 1)


@kernel
def pack_values(values, content, starts):
    """Write `values` (1 to 3; 0 where there is no state) as bytes, and where each block begins. How many bytes."""
    written = 0
    for block in range(len(starts) - 1):
        starts[block] = written
        at = block * BLOCK
        end = min(at + BLOCK, len(values))
        while at < end:
            length, value = run_length(values, at, end)
            if length >= RUNS[0] or (length > DIGITS and at + length == end):
                kind = 0
                while kind < 3 and (RUNS[kind + 1] <= length or (at + length == end and RUNS[kind] < length)):
                    kind += 1
                content[written] = FIRST_RUN + 4 * (value - 1) + kind
                at += RUNS[kind]
            else:
                byte = 0
                for digit in range(DIGITS):
                    if at + digit < end and values[at + digit] != 0:
                        byte += (int(values[at + digit]) - 1) * POWERS[digit]
                content[written] = byte
                at += DIGITS
            written += 1
    starts[len(starts) - 1] = written
    return written


@kernel
def unpack_values(content, starts, values):
    """The inverse, for all states; what has no state gets some value."""
    for block in range(len(starts) - 1):
        begin = block * BLOCK
        end = min(begin + BLOCK, len(values))
        at = begin
        byte_at = int(starts[block])
        while at < end and byte_at < len(content):
            byte = int(content[byte_at])
            byte_at += 1
            for digit in range(LENGTHS[byte]):
                if at < end:
                    values[at] = value_in(byte, digit)
                    at += 1


@kernel
def value_in(byte, digit):
    """The value at a place of a byte."""
    if byte >= FIRST_RUN:
        return (byte - FIRST_RUN) // 4 % 3 + 1
    return byte // POWERS[digit] % 3 + 1


# ------------------------------------------------------------ what a file is about
def rules_sample(game: Game, kind: Any) -> str:
    """A digest of what the rules do in a few states of a slice: of rules that do something else there it differs, on
    any machine.

    Not of their text: to write a comment into the rules should not cost a database that took hours. The verifier
    (`solve/endings/verify.py`) looks at every state.
    """
    code, size = game.tablebase.slice_code(game, kind), game.tablebase.slice_size(game, kind)
    digest = hashlib.sha256(f"{name_of(game)} {game.tablebase.format_slice(game, kind)} {size}".encode())
    for number in range(min(size, SAMPLES)):
        place = (2 * number + 1) * size // (2 * min(size, SAMPLES))
        digest.update(f"{place} {_what_happens(game, code, place)}\n".encode())
    return digest.hexdigest()[:32]


def _what_happens(game: Game, code: int, place: int) -> str:
    state = coerce(game.tablebase.state_at(game, code, place))
    if not game.tablebase.index_valid(game, state):
        return "nothing"
    if game.terminal(state):
        return f"over {float(game.utility(state)):g}"
    after = [game.tablebase.canonical(game, game.result(state, action)) for action in game.actions(state)]
    leads = sorted(
        (
            game.tablebase.slice_of(game, s),
            game.tablebase.index(game, s) if game.tablebase.slice_of(game, s) >= 0 else -1,
            bool(x),
        )
        for s, x in after
    )
    return f"{'MAX' if game.player(state) == MAX else 'MIN'} {leads}"


# ------------------------------------------------------------ writing
def values_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.{VALUES}"


def distances_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.{DISTANCES}"


def write_values(path: Path, about: dict[str, Any], values: np.ndarray, pack: Any) -> int:
    """Write the values of a slice. How many bytes the file has. Raises PlyforgeError, with whatever was there as it
    was."""
    blocks = -(-len(values) // BLOCK)
    content = np.zeros(blocks * MOST_BYTES, np.uint8)
    starts = np.zeros(blocks + 1, np.uint32)
    written = pack(values, content, starts)
    header = {**about, "holds": VALUES, "block": BLOCK}
    return _write(path, header, {"starts": starts.astype("<u4").tobytes(), "content": content[:written].tobytes()})


def write_distances(path: Path, about: dict[str, Any], distances: np.ndarray) -> int:
    """Write the distances of a slice."""
    width = 1 if len(distances) == 0 or int(distances.max()) < 256 else 2
    numbers = distances.astype(f"<u{width}")
    pieces = [zlib.compress(numbers[at : at + CHUNK].tobytes(), 6) for at in range(0, len(numbers), CHUNK)]
    starts = np.cumsum([0, *map(len, pieces)]).astype("<u8")
    header = {**about, "holds": DISTANCES, "chunk": CHUNK, "width": width}
    return _write(path, header, {"starts": starts.tobytes(), "content": b"".join(pieces)})


def _write(path: Path, header: dict[str, Any], sections: dict[str, bytes]) -> int:
    """Prelude, header, sections. Where a section lies is counted from the end of the header, padded."""
    at, places, body = 0, {}, []
    for name, content in sections.items():
        padded = content + bytes(-len(content) % ALIGNMENT)
        places[name] = [at, len(content), zlib.crc32(padded)]
        body.append(padded)
        at += len(padded)
    head = json.dumps({**header, "sections": places, "body": at}, allow_nan=False).encode()
    head += b" " * (-(PRELUDE.size + len(head)) % ALIGNMENT)
    first = struct.pack("<16sII", MAGIC, VERSION, len(head))
    prelude = PRELUDE.pack(MAGIC, VERSION, len(head), zlib.crc32(head, zlib.crc32(first)))
    try:
        write_atomically(path, [prelude, head, *body])
    except OSError as error:
        raise PlyforgeError(why_not_written(path, PRELUDE.size + len(head) + at, error)) from error
    return PRELUDE.size + len(head) + at


def why_not_written(path: Path, size: int, error: OSError) -> str:
    """In words, with what to do."""
    reason = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        reason += f": it needs {size / 2**20:,.1f} MiB. Make room and start again: the slices that are finished stay"
    elif isinstance(error, PermissionError) or error.errno == errno.EROFS:
        reason += ": name a folder where you may write"
    return f"{path} can't be written: {reason}"


# ------------------------------------------------------------ reading
def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{str(value)[:SHOWN]} is no number of bytes or states")
    return value


class SliceFile:
    """A file of a slice, mapped into memory. Whatever is wrong with it becomes a BadText; the file stays as it is."""

    def __init__(self, path: Path, holds: str) -> None:
        self.path = path
        try:
            with open_file(path) as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            raise BadText(f"{path} is not a database file of Plyforge (it is empty)") from None
        except OSError as error:
            raise BadText(f"{path} can't be read: {error.strerror or error}") from error
        self.bytes = np.frombuffer(self._map, np.uint8)
        """The whole file."""
        self.header = self._read_header(holds)

    def _read_header(self, holds: str) -> dict[str, Any]:
        first = bytes(self._map[: PRELUDE.size])
        if first[: len(MAGIC)] != MAGIC:
            raise BadText(f"{self.path} is not a database file of Plyforge. It was left as it is")
        if len(first) < PRELUDE.size:
            raise self.damaged("it ends in its first bytes")
        _, version, length, checksum = PRELUDE.unpack(first)
        if length > LONGEST_HEADER:
            raise self.damaged("its header is not what was written")
        head = bytes(self._map[PRELUDE.size : PRELUDE.size + length])
        if zlib.crc32(head, zlib.crc32(first[:-4])) != checksum:
            raise self.damaged("its header is not what was written")
        if version > VERSION:
            raise BadText(f"{self.path} was written by a newer Plyforge (format {version}; this one reads {VERSION})")
        try:
            header: dict[str, Any] = parse_json(head, "its header")
        except BadText as error:
            raise self.damaged(str(error)) from None
        try:
            if header["holds"] != holds:
                raise BadText(f"{self.path} holds {str(header['holds'])[:SHOWN]}, not {holds}: somebody has renamed it")
            self.body = PRELUDE.size + length
            if self.body + _whole(header["body"]) != len(self._map):
                raise self.damaged("its end is missing, or something was added to it")
            for section in header["sections"].values():
                at, size, _ = map(_whole, section)
                if at + size > header["body"]:
                    raise ValueError("a section outside of the file")
            self._check_sections(header)
            return header
        except (AttributeError, ValueError, KeyError, TypeError) as error:
            raise self.damaged(f"its header makes no sense ({error})") from error

    def _check_sections(self, header: dict[str, Any]) -> None:
        """That the sections are as long as the header's numbers say."""
        per, width = (_whole(header["block"]), 4) if header["holds"] == VALUES else (_whole(header["chunk"]), 8)
        width_of_one = 1 if header["holds"] == VALUES else header["width"]
        if per != (BLOCK if header["holds"] == VALUES else CHUNK) or width_of_one not in (1, 2):
            raise ValueError("blocks of another size")
        if header["sections"]["starts"][1] != (-(-_whole(header["size"]) // per) + 1) * width:
            raise ValueError("another number of blocks")
        if "content" not in header["sections"]:
            raise ValueError("no content")
        if header["holds"] == VALUES and (
            _whole(header["pieces"]) > MOST_PIECES or type(header["endless"]) is not float
        ):
            raise ValueError("other pieces than a game has, or endless games worth nothing")

    def section(self, name: str, dtype: str = "<u1") -> np.ndarray:
        """A part of the file, where it lies."""
        at, size, _ = self.header["sections"][name]
        return self.bytes[self.body + at : self.body + at + size].view(dtype)

    def require(self, wanted: dict[str, Any]) -> None:
        """Raise BadText unless the file is about this."""
        for name, value in wanted.items():
            there = self.header.get(name)
            if there != value:
                if name == "rules":
                    raise BadText(
                        f"{self.path} was made with other rules: in the states that were tried they do something else"
                        " now. Build it anew, in another folder"
                    )
                raise BadText(f"{self.path} is about the {name} {there!r}, not {value!r}: use another folder")

    def check(self) -> None:
        """Raise BadText if any byte is not as it was written."""
        for at, size, checksum in self.header["sections"].values():
            begin, end = self.body + at, self.body + at + size + -size % ALIGNMENT
            if zlib.crc32(memoryview(self._map)[begin:end]) != checksum:
                raise self.damaged("its checksum is wrong")

    def distances(self, chunk: int) -> np.ndarray:
        """One piece of the distances."""
        starts, content = self.section("starts", "<u8"), self.section("content")
        width = self.header["width"]
        wanted = min(CHUNK, self.header["size"] - chunk * CHUNK) * width
        try:
            begin, end = int(starts[chunk]), int(starts[chunk + 1])
            piece = zlib.decompressobj().decompress(content[begin:end].tobytes(), wanted + 1)
        except zlib.error as error:
            raise self.damaged(str(error)) from error
        if len(piece) != wanted:
            raise self.damaged("a piece of it has another size")
        return np.frombuffer(piece, f"<u{width}")

    def damaged(self, how: str) -> BadText:
        return BadText(
            f"{self.path} is damaged: {how}. It was left as it is: remove it and build again, which makes this slice"
            " anew"
        )
