"""Results on disk: one JSON line that says what work it is, then one line for each result.

Claims: a result that was kept is on disk, whenever the process or the machine is stopped (lines are written in groups,
flushed and synced). A line that was cut off is dropped, and its work done again. A file that is not the record of this
very work is never written to.

The first line is the work's identity. Not in it: how much work there is, so that there can be more of it later; and how
many workers do it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from io import FileIO
from pathlib import Path
from typing import Any

from plyforge.errors import BadText, PlyforgeError
from plyforge.reading import in_mebibytes, open_file, parse_json, read_lines

FORMAT = "plyforge work"
VERSION = 1
LARGEST_FILE = 1 << 30
"""Bytes of a record: some hundred thousand games."""
LONGEST_LINE = 1 << 20
"""Bytes of a line."""


class Record:
    """The file of one piece of work, open for more results. At most one process has it open."""

    kind, one, many = "run", "result", "results"
    """What messages call the work, and what is kept of it."""
    aside: tuple[str, ...] = ()
    """Fields of the first line that may differ: what they say is told, not refused."""

    def __init__(self, path: str | Path, identity: dict[str, Any], *, name: str = FORMAT) -> None:
        """Open the record of the work with this identity, or begin it. Raises PlyforgeError if the file is something
        else."""
        self.path = Path(path).expanduser()
        self.name = name
        self.header = {"format": name, "version": VERSION} | identity
        self.results: dict[Any, Any] = {}
        """What is kept, by number."""
        self.dropped = False
        """True if the last line was cut off."""
        self.differs: tuple[str, ...] = ()
        """Those fields of `aside` that were different when the work began."""
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

    # ------------------------------------------------------------ what a line says
    def read_line(self, data: Any) -> tuple[Any, Any]:
        """A number and its result. Raises BadText."""
        if not isinstance(data, dict) or set(data) != {"number", "result"} or type(data["number"]) is not int:
            raise BadText("it does not have a number and a result")
        return data["number"], data["result"]

    def line_of(self, number: Any, result: Any) -> dict[str, Any]:
        """The other way round."""
        return {"number": number, "result": result}

    # ------------------------------------------------------------ keeping
    def add_all(self, results: Iterable[tuple[Any, Any]]) -> None:
        """Keep results by their numbers: when this returns, all are on disk; when it raises, none is kept."""
        new = dict(results)
        for number in new:
            if number in self.results:
                raise PlyforgeError(f"{self.path}: {self.one} {number} is there already")
        try:
            self._write(*(self.line_of(number, result) for number, result in new.items()))
        except OSError as error:
            raise PlyforgeError(
                f"can't write the record {self.path}: {error.strerror or error}. The {self.many} before are kept: make"
                " room, and give the same command again"
            ) from None
        self.results.update(new)

    def close(self) -> None:
        """Let others open it. Everything is on disk already, so there is nothing left that could go wrong."""
        with contextlib.suppress(OSError):
            self._file.close()

    def __enter__(self) -> Any:
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
                    self._read_result(line, number)
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
            header = parse_json(line, "the line")
        except BadText:
            header = None
        self._check_header(header)

    def _read_result(self, line: bytes, place: int) -> None:
        try:
            number, result = self.read_line(parse_json(line, "the line"))
        except BadText as error:
            raise PlyforgeError(
                f"{self.path}, line {place}: not a {self.one} of a {self.kind}: {error}. The file was changed, or is"
                " damaged: remove that line"
            ) from None
        if number in self.results:
            raise PlyforgeError(
                f"{self.path}, line {place}: {self.one} {number} is there twice: remove one of the two lines"
            )
        self.results[number] = result

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
            if name in self.aside:
                self.differs += (name,)
                continue
            raise self._foreign(f"{name} is {_shown(there)} there, and {_shown(here)} here")

    def _foreign(self, why: str) -> PlyforgeError:
        return PlyforgeError(
            f"{self.path} is not the record of this {self.kind}: {why}. Nothing was written; name another file, or"
            f" repeat the other {self.kind}'s settings"
        )

    def _began_as_ours(self, content: bytes) -> bool:
        """True for a first line that was cut off while it was written."""
        return content.startswith(_line({"format": self.name, "version": VERSION})[:-2])

    def _cut(self, length: int) -> None:
        self._file.truncate(length)
        self._file.seek(0, os.SEEK_END)

    def _write(self, *lines: dict[str, Any]) -> None:
        place = self._file.seek(0, os.SEEK_END)
        try:
            rest = b"".join(map(_line, lines))
            while rest:  # a disk that gets full takes a part
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                self._file.truncate(place)
            raise

    def _lock(self) -> None:
        """Two coordinators must not write one file. The lock goes with the process, however that ends."""
        try:
            import fcntl
        except ImportError:  # not on this system
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PlyforgeError(f"{self.path} is in use: another {self.kind} is writing it") from None


def read_header(path: Path, name: str = FORMAT) -> dict[str, Any] | None:
    """The first line of a record; None if the file is not one, or not there."""
    try:
        with open_file(path) as file:
            found = parse_json(next(read_lines(file, LONGEST_LINE, path), b""), "the line")
    except (OSError, BadText):
        return None
    return found if isinstance(found, dict) and found.get("format") == name else None


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(", ", ": ")).encode() + b"\n"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."


__all__ = ["FORMAT", "Record", "read_header"]
