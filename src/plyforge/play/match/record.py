"""A match on disk: one JSON line that says what is played, then one line for each finished game. So are tables: those
of `versus.py` and of `multiplayer.py`. The file itself is a record of any work, `work/record.py`: a game that was
finished is on disk, whatever happens, and a file that is not the record of this very match is never written to.

The first line is the match's identity: game, players, times, seed, openings. Not in it: how many games are played, so
that a match can be made longer; and how many workers play them.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol, Self

from plyforge.kernel import package_digest
from plyforge.play.match.played import PlayedGame
from plyforge.work.record import LONGEST_LINE, Record
from plyforge.work.record import read_header as read_header_of

FORMAT = "plyforge match"
"""The first word of a match; tables have others."""
ASIDE = ("sources",)
"""Fields of the first line that may differ: what they say is told, not refused."""


class Kept(Protocol):
    """A finished game, as a line of a record."""

    @property
    def number(self) -> Any:
        """By which it is known in its record: no two games have the same."""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Read it back. Raises BadText."""


class MatchRecord(Record):
    """The file of one match, open for more games. At most one process has it open."""

    kind, one, many, aside = "match", "game", "games", ASIDE

    def __init__(
        self, path: str | Path, identity: dict[str, Any], *, kind: type[Kept] = PlayedGame, name: str = FORMAT
    ) -> None:
        """Open the record of the match with this identity, or begin it. Raises PlyforgeError if the file is
        something else."""
        self._kept = kind
        super().__init__(path, identity, name=name)

    @property
    def games(self) -> dict[Any, Any]:
        """The finished games by their numbers."""
        return self.results

    @property
    def notes(self) -> list[str]:
        """What whoever goes on with it should know."""
        found = []
        if self.dropped:
            found.append("the last line of the record was cut off: that game is played again")
        if self.differs and self.games:
            found.append(
                "Plyforge or the rules were changed since this match began: its games are by different players"
            )
        return found

    def add(self, game: Kept) -> None:
        """Keep a finished game: when this returns, it is on disk."""
        self.add_all([(game.number, game)])

    def read_line(self, data: Any) -> tuple[Any, Kept]:
        """A game, by its number."""
        game = self._kept.from_json(data)
        return game.number, game

    def line_of(self, number: Any, result: Kept) -> dict[str, Any]:
        """The other way round."""
        return result.to_json()


def read_header(path: Path, name: str = FORMAT) -> dict[str, Any] | None:
    """The first line of a record of that name; None if the file is not one, or not there."""
    return read_header_of(path, name)


def sources_of(game: Any, files: Iterable[Path] = ()) -> str:
    """What the players of a record were made of: Plyforge's own sources, the rules, and files of agents."""
    found = hashlib.sha256((package_digest() + game.fingerprint()).encode())
    for file in files:
        with contextlib.suppress(OSError):
            found.update(file.read_bytes())
    return found.hexdigest()[:16]


__all__ = ["FORMAT", "LONGEST_LINE", "Kept", "MatchRecord", "read_header", "sources_of"]
