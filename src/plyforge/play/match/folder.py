"""Where matches are kept that nobody named a file for: `plyforge-matches` in the user's cache directory, one file a
match."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from pathlib import Path

from plyforge.errors import PlyforgeError
from plyforge.play.match.match import Match
from plyforge.play.match.record import ASIDE
from plyforge.writing import require_writable


def folder() -> Path:
    """In $PLYFORGE_CACHE_DIR, or in the user's cache directory."""
    for name in ("PLYFORGE_CACHE_DIR", "XDG_CACHE_HOME"):
        chosen = os.environ.get(name)
        if chosen:
            return Path(chosen) / "plyforge-matches"
    return Path(os.path.expanduser("~")) / ".cache" / "plyforge-matches"  # noqa: PTH111  (never fails)


def new_record(match: Match) -> Path | None:
    """A name for a match that begins; None if nothing can be kept."""
    with contextlib.suppress(OSError, PlyforgeError):
        folder().mkdir(parents=True, exist_ok=True)
        moment = time.strftime("%Y-%m-%d-%H%M%S")
        return require_writable(folder() / f"{_name(match)}-{moment}-{os.getpid()}.jsonl")
    return None


def newest_record(match: Match) -> Path:
    """The last match of the same settings. Raises PlyforgeError if there is none."""
    found = sorted(folder().glob(f"{_name(match)}-*.jsonl"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise PlyforgeError("there is no match of these settings to go on with: leave out --resume to begin one")
    return found[-1]


def _name(match: Match) -> str:
    settings = {name: value for name, value in match.identity().items() if name not in ASIDE}
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]
    return f"{type(match.game).__name__.lower()}-{digest}"


__all__ = ["folder", "new_record", "newest_record"]
