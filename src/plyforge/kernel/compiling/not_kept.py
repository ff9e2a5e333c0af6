"""What should have been kept for later processes and could not be: said once, with what to do."""

from __future__ import annotations

import warnings
from pathlib import Path


class NotKept(UserWarning):
    """Compiled code could not be written to its cache."""


said: list[str] = []
"""What this process has said: nothing, or one sentence."""


def tell(folder: Path, reason: str) -> None:
    """Compiled code can't be kept in this folder."""
    if said:
        return
    said.append(
        f"compiled code can't be kept in {folder}: {reason}. It is compiled again by every process: let that be a"
        " directory that you can write to, and nobody else, or name one by PLYFORGE_CACHE_DIR"
    )
    warnings.warn(NotKept(said[0]), stacklevel=2)


__all__ = ["NotKept", "said", "tell"]
