"""A table on disk: a long solve that was stopped or killed goes on where its last checkpoint was.

A file holds a whole transposition table, what is proven so far, and what all that is about: a digest of the rules and
their parameters, and the state.

    prelude     magic, format version, checksum
    frames      kind (4 bytes), length, checksum, content:
                  "head"   one JSON object
                  "data"   a piece of the table, compressed; as many as it takes
                  "end."   how many bytes came before

Claim: a file is read as a whole and as it was written, or not at all. Every byte is under a checksum (CRC-32), which
also knows the frame's kind, length and number, so a flipped bit, a missing end and pieces in another order are all
found. It is data only: nothing in it is ever run. Checksums find accidents, not malice: believe a file as far as you
believe who wrote it.

Invariants:
- A file is written aside, synced, then renamed: neither a killed process nor a full disk harms the last good one.
- A table may be saved while kernels write to it. An entry that is half old and half new fails its own check word when
  it is looked up (see `table.py`), so it is not there. Bounds are proven whenever they are read.
"""

from __future__ import annotations

import errno
import functools
import hashlib
import json
import math
import os
import struct
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from plyforge.atomic import write_atomically
from plyforge.contract import Game
from plyforge.contract.naming import text_of
from plyforge.errors import BadText, PlyforgeError
from plyforge.kernel.constant import PACKAGE
from plyforge.kernel.run_time import numbers_of
from plyforge.reading import open_file, parse_json
from plyforge.search.engine.transposition_table import AGES, BUCKET_WORDS, MOST_MEBIBYTES, Table
from plyforge.solve.strategy import identity

MAGIC = b"plyforge table\n\0"
VERSION = 1
PRELUDE = struct.Struct("<16sII")
FRAME = struct.Struct("<4sII")
HEAD, DATA, END = b"head", b"data", b"end."
CHUNK_WORDS = 1 << 17
"""A piece of a table: one MiB."""
SMALLEST_CHUNK = 1000
"""Bytes that a whole piece takes in a file at least: zlib makes nothing smaller by more than a factor of 1032, and
the last piece may be a part."""
SHOWN = 200
"""Letters that a message repeats of what a file says."""
LONGEST = 1 << 21
"""No frame is longer; a length beyond it is damage."""
KEYS_DEPEND_ON = (
    "kernel",
    "search/engine/transposition_table.py",
    "search/engine/steps/canonical_key.py",
    "search/engine/principal_variation.py",
    "search/engine/steps/table.py",
)
"""The parts of the package that decide what an entry of a table means."""


@dataclass(frozen=True)
class Standing:
    """How far the solving of a state has come."""

    low: float
    """Its value is at least this."""
    high: float
    """Its value is at most this."""
    question: float | None = None
    """What was being asked: is it worth more than this? None: nothing yet."""
    nodes: int = 0
    """Visited so far, in all runs."""
    seconds: float = 0.0
    """Spent so far, in all runs."""

    @property
    def proven(self) -> bool:
        """True if the value is known."""
        return self.low >= self.high

    def words(self, game: Game) -> str:
        """The same in words."""
        if self.proven:
            return f"the value is {self.low:g}, proven"
        nothing = (self.low, self.high) == (game.min_utility, game.max_utility)
        known = "nothing is proven yet" if nothing else "proven so far"
        return f"{known}: the value is from {self.low:g} to {self.high:g}"


@dataclass(frozen=True)
class Kept:
    """What a file says about itself."""

    buckets: int
    salt: int
    age: int
    standing: Standing

    @property
    def mebibytes(self) -> float:
        """How big its table is."""
        return self.buckets * BUCKET_WORDS * 8 / 2**20


# ------------------------------------------------------------ writing
def save_table(path: str | os.PathLike[str], game: Game, state: Any, table: Table, standing: Standing) -> None:
    """Keep a table and what is proven of `state`. Raises PlyforgeError; the file that was there before is then as it
    was."""
    target = Path(path)
    try:
        write_atomically(target, _pieces(game, state, table, standing))
    except OSError as error:
        raise PlyforgeError(_why_not_written(target, table, error)) from error


def _pieces(game: Game, state: Any, table: Table, standing: Standing) -> Iterator[bytes]:
    """The file from its beginning to its end."""
    words = table.words
    header = {
        "game": identity(game),
        "rules": rules_digest(game),
        "state": text_of(game, state),
        "buckets": table.buckets,
        "salt": int(table.salt),
        "age": int(table.age),
        "low": standing.low,
        "high": standing.high,
        "question": standing.question,
        "nodes": int(standing.nodes),
        "seconds": float(standing.seconds),
        "chunk_words": CHUNK_WORDS,
        "chunks": -(-len(words) // CHUNK_WORDS),
    }
    first = MAGIC + struct.pack("<I", VERSION)
    yield PRELUDE.pack(MAGIC, VERSION, zlib.crc32(first))
    written = PRELUDE.size
    number = 0
    for kind, content in _contents(header, words):
        yield _frame(kind, content, number)
        written += FRAME.size + len(content)
        number += 1
    yield _frame(END, struct.pack("<Q", written), number)


def _contents(header: dict[str, Any], words: np.ndarray) -> Iterator[tuple[bytes, bytes]]:
    yield HEAD, json.dumps(header, allow_nan=False).encode()
    for begin in range(0, len(words), CHUNK_WORDS):
        piece = words[begin : begin + CHUNK_WORDS].astype("<u8")  # a copy: kernels may go on writing
        yield DATA, zlib.compress(piece.tobytes(), 1)


def _frame(kind: bytes, content: bytes, number: int) -> bytes:
    return FRAME.pack(kind, len(content), _checksum(kind, content, number)) + content


def _checksum(kind: bytes, content: bytes, number: int) -> int:
    return zlib.crc32(content, zlib.crc32(struct.pack("<4sIQ", kind, len(content), number)))


def _why_not_written(target: Path, table: Table, error: OSError) -> str:
    reason = error.strerror or str(error)
    if error.errno == errno.ENOSPC:
        reason += (
            f": the file needs up to {table.mebibytes:,.0f} MiB, and as much again while it is being replaced. Make"
            " room, or name a file on another disk"
        )
    elif isinstance(error, PermissionError):
        reason += ": name a file in a folder where you may write"
    elif isinstance(error, (FileNotFoundError, NotADirectoryError)):
        reason += ": make the folder first"
    return f"the table can't be kept in {target}: {reason}"


# ------------------------------------------------------------ reading
def is_there(path: str | os.PathLike[str]) -> bool:
    """True if there is a file, whatever it holds. Raises BadText where nobody lets us know."""
    try:
        return Path(path).exists()
    except OSError as error:
        raise BadText(f"{path} can't be read: {error.strerror or error}") from error


def kept_size(path: str | os.PathLike[str] | None, game: Game, root: Any, wanted: float | None, usual: float) -> float:
    """How big a table is to be, in MiB: as wanted or usual, or as that of the file. Raises PlyforgeError where the file
    has another size than is wanted."""
    if path is None or not is_there(path):
        return usual if wanted is None else wanted
    kept = describe_table(path, game, root).mebibytes
    if wanted is not None and not kept <= wanted < 2 * kept:  # a table's size is a power of two
        raise PlyforgeError(
            f"the table in {path} has {kept:g} MiB: leave table_mib (--table-mib) out to go on with it, or name another"
            " file"
        )
    return kept


def load_table(path: str | os.PathLike[str], game: Game, state: Any) -> tuple[Table, Standing]:
    """The table of a file, and what was proven of `state`. Raises BadText for a file that is damaged or about
    something else; the file stays as it is."""
    with _Reader(Path(path)) as reader:
        kept, chunks = reader.head(game, state)
        table = Table(kept.mebibytes)
        words = table.words
        for index in range(chunks):
            begin = index * CHUNK_WORDS
            reader.data(words[begin : begin + CHUNK_WORDS])
        reader.end()
    table.salt = kept.salt
    table.age = (kept.age - 1) % AGES  # `begin` adds one: to a search that goes on, no entry is old
    return table, kept.standing


def describe_table(path: str | os.PathLike[str], game: Game, state: Any) -> Kept:
    """What a file says about itself. Raises BadText as `load_table` does, but does not look at the table."""
    with _Reader(Path(path)) as reader:
        return reader.head(game, state)[0]


class _Reader:
    """Reads a file frame by frame. Whatever is wrong becomes a BadText."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0
        self.file: BinaryIO = open_file(path)

    def __enter__(self) -> _Reader:
        return self

    def __exit__(self, *what: object) -> None:
        self.file.close()

    def head(self, game: Game, state: Any) -> tuple[Kept, int]:
        """The header, if it is about this game and state, and how many pieces the table comes in."""
        prelude = self._read(PRELUDE.size)
        if prelude[: len(MAGIC)] != MAGIC:
            raise BadText(
                f"{self.path} is not a table file of Plyforge{' (it is empty)' if not prelude else ''}. It was left as"
                " it is: name another file"
            )
        if len(prelude) < PRELUDE.size:
            raise self._damaged("it ends in its first bytes")
        _, version, checksum = PRELUDE.unpack(prelude)
        if zlib.crc32(prelude[: len(MAGIC) + 4]) != checksum:
            raise self._damaged("its first bytes are not what was written")
        if version > VERSION:
            raise BadText(
                f"{self.path} was written by a newer Plyforge (format {version}; this one reads {VERSION}): use that"
                " one, or name another file"
            )
        head = self._frame(HEAD)
        try:
            header = parse_json(head, "its header")
        except BadText as error:
            raise self._damaged(str(error)) from None
        try:
            self._same(header, game, state)
            return self._kept(header)
        except (ArithmeticError, ValueError, KeyError, TypeError) as error:
            raise self._damaged(f"its header makes no sense ({error})") from error

    def _same(self, header: dict[str, Any], game: Game, state: Any) -> None:
        if header["game"] != identity(game):
            raise BadText(
                f"{self.path} is about {str(header['game'])[:SHOWN]}, not {identity(game)}: name another file"
            )
        if header["rules"] != rules_digest(game):
            raise BadText(
                f"{self.path} was made with other rules: those of {identity(game)} have changed since, or Python or"
                " Plyforge has. What is in it may not be true any more: name another file"
            )
        if header["state"] != text_of(game, state):
            raise BadText(
                f"{self.path} is about the state {str(header['state'])[:SHOWN]}, not {text_of(game, state)}: name"
                " another file"
            )

    def _kept(self, header: dict[str, Any]) -> tuple[Kept, int]:
        whole = {name: header[name] for name in ("buckets", "salt", "age", "nodes", "chunk_words", "chunks")}
        if any(type(value) is not int or value < 0 for value in whole.values()):
            raise ValueError("a count is no whole number")
        low, high, seconds = (float(header[name]) for name in ("low", "high", "seconds"))
        question = header["question"] if header["question"] is None else float(header["question"])
        if not all(math.isfinite(number) for number in (low, high, seconds, question or 0.0)) or low > high:
            raise ValueError("what is proven contradicts itself")
        buckets, chunks = whole["buckets"], whole["chunks"]
        words = buckets * BUCKET_WORDS
        if buckets < 1 or buckets & (buckets - 1) or words * 8 >= MOST_MEBIBYTES * 2**20:
            raise ValueError(f"a table of {buckets} buckets")
        if whole["chunk_words"] != CHUNK_WORDS or chunks != -(-words // CHUNK_WORDS):
            raise ValueError(f"{chunks} pieces")
        if os.fstat(self.file.fileno()).st_size < (chunks - 1) * SMALLEST_CHUNK:  # before memory is asked for
            raise ValueError(f"{chunks} pieces, which the file is too short for")
        if whole["salt"] >> 64 or whole["age"] >= AGES:
            raise ValueError("no such salt or age")
        standing = Standing(low, high, question, whole["nodes"], seconds)
        return Kept(buckets, whole["salt"], whole["age"], standing), chunks

    def data(self, words: np.ndarray) -> None:
        """The next piece of the table, into `words`."""
        unpacker = zlib.decompressobj()
        try:
            content = unpacker.decompress(self._frame(DATA), words.nbytes)
        except zlib.error as error:
            raise self._damaged(str(error)) from error
        if len(content) != words.nbytes or not unpacker.eof or unpacker.unused_data:
            raise self._damaged("a piece of the table has another size")
        words[:] = np.frombuffer(content, "<u8")

    def end(self) -> None:
        """The last frame, and nothing after it."""
        before = self.file.tell()
        if self._frame(END) != struct.pack("<Q", before) or self._read(1):
            raise self._damaged("it does not end where it should")

    def _frame(self, wanted: bytes) -> bytes:
        """The content of the next frame, checked."""
        head = self._read(FRAME.size)
        if len(head) < FRAME.size:
            raise self._damaged("its end is missing")
        kind, length, checksum = FRAME.unpack(head)
        if length > LONGEST:
            raise self._damaged(f"frame {self.number} is not what was written")
        content = self._read(length)
        if len(content) < length:
            raise self._damaged("its end is missing")
        if kind != wanted or _checksum(kind, content, self.number) != checksum:
            raise self._damaged(f"frame {self.number} is not what was written")
        self.number += 1
        return content

    def _read(self, length: int) -> bytes:
        try:
            return self.file.read(length)
        except OSError as error:
            raise BadText(f"{self.path} can't be read: {error.strerror or error}") from error

    def _damaged(self, how: str) -> BadText:
        return BadText(
            f"{self.path} is damaged: {how}. It was left as it is: take a copy of it that is whole, or name another"
            " file to begin anew"
        )


# ------------------------------------------------------------ what it is about
def rules_digest(game: Game) -> str:
    """Equal for rules and parameters that give the same tables, in any process; other rules have another one.

    Of a game that comes with Plyforge its own file is part of it, and so are those parts of the package that say what
    an entry means.
    """
    rules: Any = type(game)
    return hashlib.sha256((game.fingerprint() + numbers_of(game) + _package_part(rules)).encode()).hexdigest()


@functools.cache
def _package_part(rules: Any) -> str:
    files = set()
    for cls in rules.__mro__:
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        if file is not None and Path(file).resolve().is_relative_to(PACKAGE):
            files.add(Path(file).resolve())
    for part in KEYS_DEPEND_ON:
        files.update([PACKAGE / part] if part.endswith(".py") else (PACKAGE / part).rglob("*.py"))
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


__all__ = ["Kept", "Standing", "describe_table", "is_there", "load_table", "rules_digest", "save_table"]
