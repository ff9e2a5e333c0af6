"""A page on disk that leads a browser to the studio.

What a browser is started with, everybody on the machine can read in the list of processes. So it is not started with
the link, which holds the key, but with the address of a file that nobody but its owner can read, and that sends the
browser on. It is there as long as the studio is.
"""

from __future__ import annotations

import contextlib
import html
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

SNAPS = Path("/snap")
"""Where it is, browsers may come as snaps, which see a home directory and no other folder for files of the moment."""


@contextlib.contextmanager
def signpost(link: str) -> Iterator[str]:
    """The address of such a file, until the block is left. Raises OSError where none can be written."""
    folder = Path(tempfile.mkdtemp(prefix="plyforge-studio-", dir=Path.home() if SNAPS.is_dir() else None))  # 0700
    try:
        file = folder / "studio.html"
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as page:
            there = html.escape(link)
            page.write(
                '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="referrer"'
                ' content="no-referrer"><meta http-equiv="refresh" content="0;'
                f' url={there}"><title>Plyforge</title></head><body><p><a href="{there}">To the'
                " studio</a></p></body></html>"
            )
        yield file.as_uri()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


__all__ = ["signpost"]
