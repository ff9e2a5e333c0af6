"""What a solve has learned, in a file: stopped or killed, it goes on from there to the bit.

    magic, version, length of the header | header (one JSON object) | the arrays | SHA-256 of all before

The header says what it is about: the game with its parameters, a digest of its rules, one of the tree that was grown
(so the state it begins in and all locks, too), the algorithm and its seed. A file is read as a whole and as it was
written, or not at all; it is data only. It is written aside, synced, then renamed.
"""

from __future__ import annotations

import hashlib
import json
import struct
import time
from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.errors import BadText
from plyforge.reading import parse_json, read_bytes
from plyforge.solve.hidden.history_tree import HistoryTree
from plyforge.solve.strategy import identity
from plyforge.solve.table_file import is_there, rules_digest
from plyforge.writing import require_writable, write_file

MAGIC = b"plyforge regrets"
VERSION = 1
PRELUDE = struct.Struct("<16sII")
DIGEST_BYTES = 32
LARGEST_FILE = 1 << 30
WRITE_EVERY = 60.0
"""Seconds between two checkpoints."""
SHOWN = 200
"""Letters that a message repeats of what a file says."""


class Keeper:
    """The file of one solve. `pupil` has what is kept: `kept()` and `take(...)`."""

    def __init__(self, path: str, pupil: Any, game: Game, begins: str, using: str, seed: int) -> None:
        """`begins` says where the game begins, and with which locks: `digest_of` a tree, where there is one."""
        self.path, self.pupil = path, pupil
        require_writable(path)
        self.about = {
            "game": identity(game), "rules": rules_digest(game), "tree": begins, "using": using, "seed": seed,
        }  # fmt: skip
        self.written = time.perf_counter()

    def now_and_then(self) -> None:
        """Write, if it is time."""
        if time.perf_counter() - self.written >= WRITE_EVERY:
            self.write()

    def write(self) -> None:
        """Write all that was learned."""
        numbers, arrays = self.pupil.kept()
        header = {**self.about, "numbers": numbers, "arrays": {name: len(array) for name, array in arrays.items()}}
        head = json.dumps(header, allow_nan=False).encode()
        content = b"".join(_plain(array).tobytes() for array in arrays.values())
        whole = PRELUDE.pack(MAGIC, VERSION, len(head)) + head + content
        write_file(self.path, whole + hashlib.sha256(whole).digest())
        self.written = time.perf_counter()

    def read(self) -> None:
        """Give the pupil what the file has, if there is one. Raises BadText; the file stays as it is."""
        if not is_there(self.path):
            return
        whole = read_bytes(self.path, LARGEST_FILE, "a checkpoint")
        if not whole.startswith(MAGIC):
            raise BadText(f"{self.path} is not a checkpoint of Plyforge. It was left as it is: name another file")
        body, digest = whole[:-DIGEST_BYTES], whole[-DIGEST_BYTES:]
        if len(whole) < PRELUDE.size + DIGEST_BYTES or hashlib.sha256(body).digest() != digest:
            raise self._damaged("its checksum is wrong, or its end is missing")
        _, version, length = PRELUDE.unpack_from(body)
        if version != VERSION:
            raise BadText(
                f"{self.path} was written by another Plyforge (format {version}; this one reads {VERSION}): use that"
                " one, or name another file"
            )
        header: Any = parse_json(body[PRELUDE.size : PRELUDE.size + length], "its header")
        self._same(header)
        try:
            arrays, at = {}, PRELUDE.size + length
            for name, like in self.pupil.kept()[1].items():
                kind = _plain(like[:0]).dtype
                number = int(header["arrays"][name])
                arrays[name] = np.frombuffer(body, kind, number, at).astype(like.dtype)
                at += number * kind.itemsize
            if at != len(body):
                raise ValueError("its arrays have another size")
            self.pupil.take(header["numbers"], arrays)
        except (ArithmeticError, ValueError, KeyError, TypeError) as error:
            raise self._damaged(str(error)) from error

    def _same(self, header: dict[str, Any]) -> None:
        try:
            theirs = {name: header[name] for name in self.about}
        except (KeyError, TypeError):
            raise self._damaged("its header says too little") from None
        words = {
            "game": f"is about {str(theirs['game'])[:SHOWN]}, not {self.about['game']}",
            "rules": "was made with other rules: they have changed since, or Plyforge has",
            "tree": "was solved from another state, or with other locks",
            "using": f"was made by {str(theirs['using'])[:SHOWN]}, not by {self.about['using']}",
            "seed": f"was made with the seed {str(theirs['seed'])[:SHOWN]}, not {self.about['seed']}",
        }
        for name, words_for_it in words.items():
            if theirs[name] != self.about[name]:
                raise BadText(f"{self.path} {words_for_it}: name another file")

    def _damaged(self, how: str) -> BadText:
        return BadText(
            f"{self.path} is damaged: {how}. It was left as it is: take a copy of it that is whole, or name another"
            " file"
        )


def _plain(array: np.ndarray) -> np.ndarray:
    """The same, little end first."""
    plain = np.asarray(array)
    return plain.astype(plain.dtype.newbyteorder("<"))


def digest_of(tree: HistoryTree, locks: dict[int, np.ndarray]) -> str:
    """Of a grown tree and what is locked in it."""
    found = hashlib.sha256()
    for array in (tree.keys, tree.owner, tree.offset, tree.chance, tree.payoff, tree.sequence):
        found.update(_plain(array).tobytes())
    for number, shares in sorted(locks.items()):
        found.update(f"{number} {shares.tolist()}".encode())
    return found.hexdigest()


__all__ = ["Keeper", "digest_of"]
