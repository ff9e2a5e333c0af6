"""Write a file whole or not at all: aside, synced, then renamed. A full disk or a killed process harms no good file.

A process that is killed in the middle of it leaves the file that it wrote aside, `.plyforge-….part`. The next write
into the same folder removes it. A file aside is locked as long as somebody writes it, so one that can be locked, and
has not changed for a while, is nobody's.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where a file that is open can't be removed
    fcntl = None  # type: ignore[assignment]

PREFIX, SUFFIX = ".plyforge-", ".part"
ABANDONED = 60.0
"""Seconds after which a file aside that nobody holds is taken for left behind: longer than there is between making
and locking it."""


def write_atomically(target: Path, content: bytes | str | Iterable[bytes]) -> None:
    """Replace `target` by `content`, which may come in pieces. Raises OSError, with the old file as it was and
    nothing left behind."""
    if isinstance(content, (bytes, str)):
        content = [content.encode() if isinstance(content, str) else content]
    target = target.resolve()
    with _written_aside(target, content) as aside:
        if fcntl is not None:
            aside.replace(target)  # still locked
    if fcntl is None:  # a file that is open can't be renamed there
        try:
            aside.replace(target)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise
    if os.name == "posix":
        with contextlib.suppress(OSError):  # the rename itself, on disk; some file systems can't promise that
            folder = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def require_room(target: Path, size: int) -> None:
    """Raise OSError if `target` could not be replaced now by so many bytes: they are written aside, and removed
    again."""
    with _written_aside(target.resolve(), [bytes(size)]) as aside:
        aside.unlink()


@contextlib.contextmanager
def _written_aside(target: Path, content: Iterable[bytes]) -> Iterator[Path]:
    """The content on disk beside the target, locked while it is looked at. Nothing is left of it after an error."""
    _remove_abandoned(target.parent)
    aside = target.with_name(f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            _lock(file.fileno())
            for piece in content:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
            yield aside
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def _lock(handle: int) -> bool:
    """Lock an open file; False if somebody else has, or where that can't be."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove_abandoned(folder: Path) -> None:
    """Remove what killed processes have left in a folder. It is no error if that can't be done."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            ours = entry.name.startswith(PREFIX) and entry.name.endswith(SUFFIX)
            if not ours or not entry.is_file(follow_symlinks=False):
                continue
            with contextlib.suppress(OSError):
                if time.time() - entry.stat(follow_symlinks=False).st_mtime < ABANDONED:
                    continue
                _remove_unless_held(folder / entry.name)


def _remove_unless_held(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        if fcntl is not None and _lock(handle):
            path.unlink()
    finally:
        os.close(handle)
    if fcntl is None:
        path.unlink()  # fails while somebody writes it
