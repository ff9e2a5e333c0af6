"""The games on offer: those of the catalogue, and the rules files that were named on the command line.

A page names a game by a word, with arguments or without: "connect4", "connect4(width=6, height=5)". An own file `my_rules.py` is called "my_rules".
No text that comes from a page is ever taken for a path.
"""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

from plyforge.errors import GameNotFound
from plyforge.game import Game
from plyforge.games import load
from plyforge.games.catalog import CATALOG
from plyforge.studio import limits
from plyforge.studio.cards import card

NAME = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*(\(.*\))?", re.DOTALL)


class Shelf:
    """The games on offer, by name."""

    def __init__(self, files: tuple[str, ...] = ()) -> None:
        """`files` are paths, as `plyforge.load` takes them: `rules.py`, or `rules.py:Class` where there are several games in one."""
        self.files: dict[str, str] = {}
        for file in files:
            self.files[self._name_for(file)] = file
        self._cards: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()

    def _name_for(self, file: str) -> str:
        """A word for a file that nothing else here is called by."""
        path, _, cls = file.partition(".py:")
        stem = re.sub(r"\W+", "_", cls or Path(path).name.removesuffix(".py"), flags=re.ASCII).strip("_")
        stem = stem if stem and not stem[0].isdigit() else f"my_{stem}"
        name, number = stem, 2
        while name in CATALOG or name in self.files:
            name, number = f"{stem}_{number}", number + 1
        return name

    @property
    def names(self) -> list[str]:
        """All names, own files first."""
        return [*self.files, *sorted(CATALOG)]

    def game(self, text: str) -> Game:
        """The game that a page means. Raises GameNotFound, or what is wrong with an own file."""
        match = NAME.fullmatch(text.strip()) if len(text) <= limits.GAME_TEXT else None
        if match is None:
            raise GameNotFound(
                f"{text[:80]!r} is no game here: write a name, or a name with arguments, as in connect4(width=6, height=5)"
            )
        name, arguments = match.group(1), match.group(2) or ""
        if name in self.files:
            return load(f"{self.files[name]}{arguments}")
        if name not in CATALOG:
            raise GameNotFound(f"there is no game called {name!r} here; there are {', '.join(self.names)}")
        return load(f"{name}{arguments}")

    def cards(self) -> list[dict[str, Any]]:
        """What the home page shows of every game."""
        with self._lock:
            for name in self.names:
                if name not in self._cards:
                    self._cards[name] = card(name, lambda name=name: self.game(name), own=name in self.files)  # type: ignore[misc]
            return [self._cards[name] for name in self.names]


__all__ = ["Shelf"]
