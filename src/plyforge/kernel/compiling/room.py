"""How much room the numbers of somebody's own rules get in compiled code. It is a guess, and is raised when compiled
code stops because it was too little.

    cells     bits that a cell of a board has at least
    growth    0: all numbers have 64 bits; 1: products, powers and left shifts give numbers of 256 bits; 2: sums and
              differences do, too
    fields    True: whole numbers in states have 256 bits

Most rules need nothing of it, and pay nothing. What was found is kept beside the compiled code, so that the next
process begins with it.

Invariant: room only grows, and each step is taken once, so that asking for more ends.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from plyforge.atomic import write_atomically
from plyforge.kernel.compiling.not_kept import tell

CELL = "is to hold more"
PRODUCT = "a product, power or shift left 64 bits"
SUM = "a sum or difference left 64 bits"
FIELD = "a number of the state left 64 bits"
CONSTANT = "is beyond 64 bits"
"""What compiled code, or the compiler, says where there was too little room."""


@dataclass(frozen=True)
class Room:
    """What the numbers of one game get."""

    cells: int = 2
    growth: int = 0
    fields: bool = False

    @property
    def wide(self) -> bool:
        """True if there are numbers of 256 bits."""
        return self.growth > 0 or self.fields

    def after(self, complaint: str) -> Room | None:
        """More room, where that may help; None where it does not."""
        if CELL in complaint and self.cells < 64:
            return replace(self, cells=16 if self.cells < 16 else 64)
        if (PRODUCT in complaint or CONSTANT in complaint) and self.growth < 1:
            return replace(self, growth=1)
        if SUM in complaint and self.growth < 2:
            return replace(self, growth=2)
        if FIELD in complaint and not self.fields:
            return replace(self, fields=True)
        return None


_known: dict[str, Room] = {}
"""By the fingerprint of the rules."""


def room_of(name: str) -> Room:
    """What the rules with this fingerprint get."""
    if name not in _known:
        _known[name] = _read(_path(name)) or Room()
    return _known[name]


def more_room(name: str, complaint: str) -> bool:
    """Give rules more room from now on; False where that would not help."""
    wanted = room_of(name).after(complaint)
    if wanted is None:
        return False
    _known[name] = wanted
    path = _path(name)
    if path is not None:
        try:
            write_atomically(path, json.dumps(asdict(wanted)).encode())
        except OSError as error:  # found out again next time
            tell(path.parent, f"it can't be written ({error.strerror or error})")
    return True


def _path(name: str) -> Path | None:
    from plyforge.kernel.compiling.cache import directory, usable

    folder = directory()
    return folder / f"room-{hashlib.sha256(name.encode()).hexdigest()[:32]}.json" if usable(folder) else None


def _read(path: Path | None) -> Room | None:
    """What a file says; None where there is none, or none that can be read."""
    if path is None:
        return None
    try:
        found: Any = json.loads(path.read_text())
        room = Room(int(found["cells"]), int(found["growth"]), bool(found["fields"]))
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return room if room.cells in (2, 16, 64) and room.growth in (0, 1, 2) else None
