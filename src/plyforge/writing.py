"""Write a file that somebody named: whole or not at all (`atomic`), and whatever goes wrong as a sentence.

Whoever works for long before there is anything to write asks first (`require_writable`): a folder that is not there, a
disk that is full or read-only are told before the work, not after it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on this system
    fcntl = None  # type: ignore[assignment]

from plyforge.atomic import require_room, write_atomically
from plyforge.errors import PlyforgeError

ROOM = 1 << 16
"""Bytes that a disk needs to have left: it may well be too few in the end, but a full disk is found out."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_file(path: str | os.PathLike[str], content: bytes | str | Iterable[bytes]) -> Path:
    """Write a file, and give its path. Raises PlyforgeError, with whatever was there as it was."""
    target = _target(path)
    try:
        write_atomically(target, content)
    except OSError as error:
        raise PlyforgeError(why_not_written(target, error)) from error
    return target


def require_writable(path: str | os.PathLike[str]) -> Path:
    """Raise PlyforgeError now if a file can't be written there; its path. What is there stays as it is."""
    target = _target(path)
    try:
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            raise PlyforgeError(f"{target} can't be written: it is not a file: name a file")
        require_room(target, ROOM)
    except OSError as error:
        raise PlyforgeError(why_not_written(target, error)) from error
    return target


def make_folder(path: Path) -> Path:
    """Make a folder that only its owner may look into, and those above it; one that is there stays as it is. Raises
    PlyforgeError."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise PlyforgeError(f"the folder {path} can't be made: {error.strerror or error}") from error
    return path


@contextlib.contextmanager
def alone_with(path: Path) -> Iterator[None]:
    """Wait until nobody else who asks here changes this file, and let nobody do so until the end: what is read from it
    and written back loses nothing. Beside it there is an empty `.lock` afterwards. Raises PlyforgeError."""
    lock = path.with_name(f".{path.name}.lock")
    try:
        handle = os.open(lock, os.O_WRONLY | os.O_CREAT, 0o600)
    except OSError as error:
        raise PlyforgeError(why_not_written(path, error)) from error
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def settings_folder() -> Path:
    """The user's own folder of settings; it need not be there yet."""
    own = os.environ.get("PLYFORGE_CONFIG_DIR")
    if own:
        return Path(own)
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111  (never fails)
    return Path(home) / "plyforge"


def why_not_written(path: Path, error: OSError) -> str:
    """In words, with what to do."""
    reason = error.strerror or str(error)
    if error.errno in FULL:
        reason += ". Make room, or name a file on another disk"
    elif isinstance(error, PermissionError) or error.errno == errno.EROFS:
        reason += ". Name a file in a folder where you may write"
    elif isinstance(error, (FileNotFoundError, NotADirectoryError)) and not path.parent.is_dir():
        reason = f"there is no folder {path.parent}. Make it first"
    return f"{path} can't be written: {reason}"


def _target(path: str | os.PathLike[str]) -> Path:
    """Links followed: to replace one would leave the file it names as it was."""
    if not str(path) or "\0" in str(path):
        raise PlyforgeError(f"{str(path)[:100]!r} is not the name of a file")
    try:
        return Path(path).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise PlyforgeError(f"{str(path)[:100]!r} is not the name of a file: {error}") from None


__all__ = ["alone_with", "make_folder", "require_writable", "settings_folder", "why_not_written", "write_file"]
