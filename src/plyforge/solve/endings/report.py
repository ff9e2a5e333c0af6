"""What building a database tells: how far it is, and what was built."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


# ------------------------------------------------------------ the public face
@dataclass(frozen=True)
class BuildProgress:
    """How a running build stands."""

    slice: str
    """The one in work."""
    number: int
    """Which one it is, from 1 on."""
    slices: int
    """How many there are."""
    states: int
    """Finished so far, of all slices that are to be built now."""
    all_states: int
    seconds: float
    """Since it began."""

    @property
    def left(self) -> float | None:
        """Seconds that are still needed, by the rate so far; None before there is one."""
        return self.seconds * (self.all_states - self.states) / self.states if self.states else None


@dataclass(frozen=True)
class Built:
    """What a build has made, or found."""

    folder: Path
    slices: int
    """All slices up to the pieces that were asked for."""
    built: int
    """Of these, made now; the others were there already."""
    states: int
    """In the slices that were made now."""
    counts: dict[str, int]
    """States that MAX wins, draws and loses, in all slices."""
    values_bytes: int
    distances_bytes: int
    longest: int
    """The largest distance."""
    seconds: float
    """Wall-clock time, without compiling."""
    native: bool

    @property
    def bits_per_state(self) -> float:
        """On disk, of the values alone."""
        return 8 * self.values_bytes / max(1, sum(self.counts.values()))

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        return {
            "folder": str(self.folder),
            "slices": self.slices,
            "built": self.built,
            "states": self.states,
            "counts": self.counts,
            "values_bytes": self.values_bytes,
            "distances_bytes": self.distances_bytes,
            "bits_per_state": self.bits_per_state,
            "longest": self.longest,
            "seconds": self.seconds,
            "native": self.native,
        }
