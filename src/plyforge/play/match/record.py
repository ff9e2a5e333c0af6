"""A match on disk: one JSON line that says what is played, then one line for each finished game. So are tables: those
of `versus.py` and of `multiplayer.py`.

Claims: a game that was finished is on disk, whenever the process or the machine is stopped (each line is flushed and
synced). A line that was cut off is dropped, and its game played again. A file that is not the record of this very match
is never written to.

The first line is the match's identity: game, players, times, seed, openings. Not in it: how many games are played, so
that a match can be made longer; and how many workers play them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from io import FileIO
from pathlib import Path
from typing import Any, Protocol, Self

from plyforge.errors import BadText, PlyforgeError
from plyforge.kernel import package_digest
from plyforge.play.match.referee import PlayedGame
from plyforge.reading import in_mebibytes, open_file, parse_json, read_lines

FORMAT = "plyforge match"
"""The first word of a match; tables have others."""
VERSION = 1
LARGEST_FILE = 1 << 30
"""Bytes of a record: some hundred thousand games."""
LONGEST_LINE = 1 << 20
"""Bytes of a line."""
ASIDE = ("sources",)
"""Fields of the first line that may differ: what they say is told, not refused."""


class Kept(Protocol):
    """A finished game, as a line of a record."""

    @property
    def number(self) -> Any:
        """By which it is known in its record: no two games have the same."""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Read it back. Raises BadText."""


class MatchRecord:
    """The file of one match, open for more games. At most one process has it open."""

    def __init__(
        self, path: str | Path, identity: dict[str, Any], *, kind: type[Kept] = PlayedGame, name: str = FORMAT
    ) -> None:
        """Open the record of the match with this identity, or begin it. Raises PlyforgeError if the file is
        something else."""
        self.path = Path(path).expanduser()
        self.kind, self.name = kind, name
        self.header = {"format": name, "version": VERSION} | identity
        self.games: dict[Any, Any] = {}
        """The finished games by their numbers."""
        self.dropped = False
        """True if the last line was cut off."""
        self.differs: tuple[str, ...] = ()
        """Those fields of ASIDE that were different when the match began."""
        try:
            if self.path.exists() and not self.path.is_file():
                raise PlyforgeError(f"can't write the record {self.path}: it is not a file")
            # Not buffered: what a full disk refuses is not tried again when the file is closed.
            self._file: FileIO = self.path.open("a+b", buffering=0)
        except OSError as error:
            raise PlyforgeError(f"can't write the record {self.path}: {error.strerror or error}") from None
        try:
            self._lock()
            self._load()
        except OSError as error:
            self._file.close()
            raise PlyforgeError(f"can't read or write the record {self.path}: {error.strerror or error}") from None
        except BaseException:
            self._file.close()
            raise

    @property
    def notes(self) -> list[str]:
        """What whoever goes on with it should know."""
        found = []
        if self.dropped:
            found.append("the last line of the record was cut off: that game is played again")
        if self.differs and self.games:
            found.append(
                "Plyforge or the rules were changed since this match began: its games are by different players"
            )
        return found

    def add(self, game: Kept) -> None:
        """Keep a finished game: when this returns, it is on disk."""
        if game.number in self.games:
            raise PlyforgeError(f"{self.path}: game {game.number} is there already")
        try:
            self._write(game.to_json())
        except OSError as error:
            raise PlyforgeError(
                f"can't write the record {self.path}: {error.strerror or error}. The games before are kept: make room, "
                "and give the same command again"
            ) from None
        self.games[game.number] = game

    def close(self) -> None:
        """Let others open it. Every game is on disk already, so there is nothing left that could go wrong."""
        with contextlib.suppress(OSError):
            self._file.close()

    def __enter__(self) -> MatchRecord:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ------------------------------------------------------------ reading and writing
    def _load(self) -> None:
        size = self._file.seek(0, os.SEEK_END)
        if size > LARGEST_FILE:
            raise PlyforgeError(
                f"{self.path} is larger than {in_mebibytes(LARGEST_FILE)}, the limit for a record: begin another one"
            )
        end = 0
        with os.fdopen(os.dup(self._file.fileno()), "rb") as file:
            file.seek(0)
            for number, line in enumerate(read_lines(file, LONGEST_LINE, self.path), 1):
                if number == 1:
                    self._read_header(line)
                elif line.endswith(b"\n"):
                    self._read_game(line, number)
                if line.endswith(b"\n"):
                    end += len(line)
        self.dropped = end < size
        if self.dropped:
            self._cut(end)
        if end == 0:
            self._write(self.header)

    def _read_header(self, line: bytes) -> None:
        """The first line, which may have been cut off while it was written."""
        if not line.endswith(b"\n"):
            if not (_line(self.header).startswith(line) or self._began_as_ours(line)):
                raise self._foreign(f"its first line is not that of a {self.name.removeprefix('plyforge ')}")
            return
        try:
            header = _parsed(line)
        except BadText:
            header = None
        self._check_header(header)

    def _read_game(self, line: bytes, number: int) -> None:
        try:
            game = self.kind.from_json(_parsed(line))
        except BadText as error:
            raise PlyforgeError(
                f"{self.path}, line {number}: not a game of a match: {error}. The file was changed, or is damaged:"
                " remove that line"
            ) from None
        if game.number in self.games:
            raise PlyforgeError(
                f"{self.path}, line {number}: game {game.number} is there twice: remove one of the two lines"
            )
        self.games[game.number] = game

    def _check_header(self, found: Any) -> None:
        if not isinstance(found, dict) or found.get("format") != self.name:
            raise self._foreign(f"its first line is not that of a {self.name.removeprefix('plyforge ')}")
        if found.get("version") != VERSION:
            raise self._foreign(f"it has version {str(found.get('version'))[:20]}, this Plyforge writes {VERSION}")
        names = [*self.header, *(name for name in found if name not in self.header)]
        for name in names:
            there, here = found.get(name), self.header.get(name)
            if there == here:
                continue
            if name in ASIDE:
                self.differs += (name,)
                continue
            raise self._foreign(f"{name} is {_shown(there)} there, and {_shown(here)} here")

    def _foreign(self, why: str) -> PlyforgeError:
        return PlyforgeError(
            f"{self.path} is not the record of this match: {why}. Nothing was written; name another file, or repeat the"
            " other match's settings"
        )

    def _began_as_ours(self, content: bytes) -> bool:
        """True for a first line that was cut off while it was written."""
        return content.startswith(_line({"format": self.name, "version": VERSION})[:-2])

    def _cut(self, length: int) -> None:
        self._file.truncate(length)
        self._file.seek(0, os.SEEK_END)

    def _write(self, data: dict[str, Any]) -> None:
        place = self._file.seek(0, os.SEEK_END)
        try:
            rest = _line(data)
            while rest:  # a disk that gets full takes a part
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                self._file.truncate(place)
            raise

    def _lock(self) -> None:
        """Two matches must not write one file. The lock goes with the process, however that ends."""
        try:
            import fcntl
        except ImportError:  # not on this system
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PlyforgeError(f"{self.path} is in use: another match is writing it") from None


def read_header(path: Path) -> dict[str, Any] | None:
    """The first line of a record; None if the file is not one, or not there."""
    try:
        with open_file(path) as file:
            found = _parsed(next(read_lines(file, LONGEST_LINE, path), b""))
    except (OSError, BadText):
        return None
    return found if isinstance(found, dict) and found.get("format") == FORMAT else None


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(", ", ": ")).encode() + b"\n"


def _parsed(line: bytes) -> Any:
    return parse_json(line, "the line")


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."


def sources_of(game: Any, files: Iterable[Path] = ()) -> str:
    """What the players of a record were made of: Plyforge's own sources, the rules, and files of agents."""
    found = hashlib.sha256((package_digest() + game.fingerprint()).encode())
    for file in files:
        with contextlib.suppress(OSError):
            found.update(file.read_bytes())
    return found.hexdigest()[:16]


__all__ = ["FORMAT", "Kept", "MatchRecord", "read_header", "sources_of"]
