"""Programs on the other side of a protocol: a fake one, and whether one has ended."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import paths
from patience import PATIENCE

FAKE = paths.SUPPORT / "fake_gtp.py"


def fake(game: str = "tic_tac_toe", **options: object) -> str:
    """The command line of the fake program."""
    words = [sys.executable, str(FAKE), game, *(f"--{name}={value}" for name, value in options.items())]
    return " ".join(words)


def gone(pid: int) -> bool:
    """True once a process has ended; a zombie that nobody has waited for counts."""
    for _ in range(int(PATIENCE / 0.05)):
        status = Path(f"/proc/{pid}/stat")
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False
