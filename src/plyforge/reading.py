"""Read a file that somebody named, within limits: the other half of `atomic`.

Claims:
- No more is read than the limit of the caller, who says how large its kind of file may be. A larger file is refused
  before any of it is read.
- Only a regular file is opened: a device never ends, and a pipe may never begin. Where a pipe is meant (`pipes`), it is
  read up to the limit.
- Whatever is wrong becomes a BadText, one sentence that names the file.

Read as JSON, a file is data: constants that JSON does not have are refused, and so is what is nested too deep, or has
more lists and objects than MOST_PARTS.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from plyforge.errors import BadText

MOST_PARTS = 2_500_000
"""Lists and objects in one JSON text: an empty one takes 2 bytes there and 64 in memory."""
SHOWN = 100
"""Letters that a message repeats of a path."""


def open_file(path: str | os.PathLike[str], pipes: bool = False) -> BinaryIO:
    """A regular file, open for reading; where pipes are meant, `-` is standard input. Raises BadText."""
    shown = str(path) if len(str(path)) <= SHOWN else f"{str(path)[:SHOWN]}..."
    if not str(path) or "\0" in str(path):
        raise BadText(f"{shown!r} is not the name of a file")
    if pipes and str(path) == "-":
        return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    waiting = 0 if pipes else getattr(os, "O_NONBLOCK", 0)  # without it, opening a pipe waits for somebody who writes
    try:
        handle = os.open(Path(path).expanduser(), os.O_RDONLY | waiting | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise BadText(f"{shown} can't be read: there is no file of that name") from None
    except (OSError, RuntimeError, ValueError) as error:
        raise BadText(f"{shown} can't be read: {getattr(error, 'strerror', None) or error}") from None
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode) or (pipes and not stat.S_ISDIR(mode)):
        return os.fdopen(handle, "rb")
    os.close(handle)
    kind = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
    raise BadText(f"{shown} can't be read: it is {kind}, not a file")


def read_bytes(path: str | os.PathLike[str], limit: int, what: str, pipes: bool = False) -> bytes:
    """All of a file of at most `limit` bytes. `what` is in it, with an article: `a strategy`. Raises BadText."""
    with open_file(path, pipes) as file:
        try:
            larger = os.fstat(file.fileno()).st_size > limit
            content = b"" if larger else file.read(limit + 1)  # what is not on disk has no size beforehand
        except OSError as error:
            raise BadText(f"{path} can't be read: {error.strerror or error}") from None
    if larger or len(content) > limit:
        raise BadText(f"{path} is larger than {in_mebibytes(limit)}, the limit for {what}")
    return content


def read_text(path: str | os.PathLike[str], limit: int, what: str, pipes: bool = False) -> str:
    """The same as text in UTF-8. Raises BadText."""
    try:
        return read_bytes(path, limit, what, pipes).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadText(f"{path} can't be read: byte {error.start} is not UTF-8 text") from None


def read_lines(file: BinaryIO, longest: int, source: object) -> Iterator[bytes]:
    """The lines of a file, each with its end. Raises BadText for one of more than `longest` bytes."""
    number = 1
    while line := file.readline(longest + 1):
        if len(line) > longest:
            raise BadText(f"{source}, line {number}: it is longer than {in_mebibytes(longest)}")
        yield line
        number += 1


def read_json(path: str | os.PathLike[str], limit: int, what: str, **hooks: Callable[..., Any]) -> Any:
    """What a JSON file says, as plain values; `hooks` are those of `json.loads`. Raises BadText."""
    return parse_json(read_text(path, limit, what), f"{path}", **hooks)


def parse_json(text: str | bytes, source: str, **hooks: Callable[..., Any]) -> Any:
    """What a JSON text says, as plain values; `source` is where it comes from. Raises BadText, naming the place."""
    lists, objects = ("[", "{") if isinstance(text, str) else (b"[", b"{")
    if text.count(lists) + text.count(objects) > MOST_PARTS:  # type: ignore[arg-type]
        raise BadText(f"{source} has more than {MOST_PARTS:,} lists and objects")
    try:
        text = text if isinstance(text, str) else text.decode("utf-8")
        return json.loads(text, **{"parse_constant": _no_constant, **hooks})  # type: ignore[arg-type]
    except json.JSONDecodeError as error:
        raise BadText(f"{source} is not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except UnicodeDecodeError as error:
        raise BadText(f"{source} is not JSON: byte {error.start} is not UTF-8 text") from None
    except RecursionError:
        raise BadText(f"{source} is not JSON that can be read: it is nested too deeply") from None
    except ValueError as error:  # a number of thousands of digits
        raise BadText(f"{source} is not JSON that can be read: {str(error)[:SHOWN]}") from None


def without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A hook for objects (`object_pairs_hook`): a key that is there twice is refused, since one of its values would
    be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"{twice[:SHOWN]!r} is there twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number in JSON")


def in_mebibytes(size: int) -> str:
    """A limit in words."""
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size:,} bytes"


__all__ = ["open_file", "parse_json", "read_bytes", "read_json", "read_lines", "read_text", "without_twins"]
