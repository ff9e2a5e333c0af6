"""Write a file whole or not at all: aside, synced, then renamed. A full disk or a killed process harms no good file."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path


def write_atomically(target: Path, content: bytes | str | Iterable[bytes]) -> None:
    """Replace `target` by `content`, which may come in pieces. Raises OSError, with the old file as it was and nothing left behind."""
    if isinstance(content, (bytes, str)):
        content = [content.encode() if isinstance(content, str) else content]
    target = target.resolve()
    aside = target.with_name(f".plyforge-{secrets.token_hex(8)}.part")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in content:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
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
