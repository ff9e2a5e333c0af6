"""The games on offer: those of the catalogue, and the rules files that were named on the command line.

A page names a game by a word, with arguments or without: "connect4", "connect4(width=6, height=5)". An own file
`my_rules.py` is called "my_rules". No text that comes from a page is ever taken for a path.
"""

from __future__ import annotations

import ast
import difflib
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadLimits, GameNotFound
from plyforge.games import load
from plyforge.games.catalog import CATALOG
from plyforge.studio.library.cards import GROUPS, card
from plyforge.studio.library.user_rules import OwnRules
from plyforge.studio.server import limits

NAME = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*(\(.*\))?", re.DOTALL)


class Shelf:
    """The games on offer, by name."""

    def __init__(
        self,
        files: tuple[str, ...] = (),
        on_change: Callable[[dict[str, Any]], object] = lambda card: None,
        kind: type[OwnRules] = OwnRules,
    ) -> None:
        """`files` are `rules.py`, or `rules.py:Class` where a file has several games. `on_change` is called with the
        card of an own file that has changed. `kind` is how own files run: in this process, or away from it."""
        if len(files) > limits.OWN_FILES:
            raise BadLimits(f"{len(files)} rules files; the studio takes up to {limits.OWN_FILES}")
        self.on_change = on_change
        self.own: dict[str, OwnRules] = {}
        self.address = ""
        """Where pages fetch the cards."""
        self._cards: list[dict[str, Any]] | None = None
        self._lock, self._closed = threading.Lock(), threading.Event()
        for file in files:
            rules = kind(self._name_for(file), file, lambda changed: self.on_change(changed.card()))
            if not rules.path.is_file():
                raise GameNotFound(f"there is no file {rules.path}")
            self.own[rules.name] = rules
        for rules in self.own.values():
            rules.load()
        if self.own:
            threading.Thread(target=self._watch, daemon=True, name="studio watches").start()

    def _name_for(self, file: str) -> str:
        """A word for a file that nothing else here is called by."""
        path, _, cls = file.partition(".py:")
        stem = re.sub(r"\W+", "_", cls or Path(path).name.removesuffix(".py"), flags=re.ASCII).strip("_")
        stem = stem if stem and not stem[0].isdigit() else f"my_{stem}"
        name, number = stem, 2
        while name in CATALOG or name in self.own:
            name, number = f"{stem}_{number}", number + 1
        return name

    @property
    def names(self) -> list[str]:
        """All names, own files first, the others as the home page shows them."""
        grouped = [name for members in GROUPS.values() for name in members if name in CATALOG]
        return [*self.own, *grouped, *(name for name in sorted(CATALOG) if name not in grouped)]

    def game(self, text: str) -> Game:
        """The game that a page means. Raises GameNotFound, or what is wrong with an own file."""
        match = NAME.fullmatch(text.strip()) if len(text) <= limits.GAME_TEXT else None
        if match is None:
            raise GameNotFound(
                f"{text[:80]!r} is no game here: write a name, or a name with arguments, as in connect4(width=6,"
                " height=5)"
            )
        name, arguments = match.group(1), match.group(2) or ""
        _check_size(name, arguments)
        if name in self.own:
            return self.own[name].game(arguments)
        if name not in CATALOG:
            near = difflib.get_close_matches(name, self.names, n=1, cutoff=0.5)
            raise GameNotFound(f"there is no game called {name!r} here{f'; did you mean {near[0]}?' if near else ''}")
        return load(f"{name}{arguments}")

    def own_cards(self) -> list[dict[str, Any]]:
        """What the home page shows of own files, as they stand now."""
        return [rules.card() for rules in self.own.values()]

    def cards(self) -> list[dict[str, Any]]:
        """What the home page shows of every game of the catalogue."""
        with self._lock:
            if self._cards is None:
                self._cards = [card(name, self.game(name)) for name in self.names if name not in self.own]
        return self._cards

    def reload(self, name: str) -> None:
        """Load an own file anew, in the background; its card tells how that went."""
        if name not in self.own:
            raise GameNotFound(
                f"there is no rules file called {name!r} here: only those of the command line can be loaded"
            )
        self.own[name].load()

    def stop(self, name: str) -> None:
        """End whatever an own file does, now."""
        if name not in self.own:
            raise GameNotFound(f"there is no rules file called {name!r} here")
        self.own[name].stop()

    def close(self) -> None:
        """Nobody needs own files any more."""
        self._closed.set()
        for rules in self.own.values():
            rules.stop()

    def _watch(self) -> None:
        while not self._closed.wait(limits.WATCH_SECONDS):
            for rules in self.own.values():
                rules.look()


def _check_size(name: str, arguments: str) -> None:
    """Refuse boards that no page could show: a size beyond reason would be drawn place by place, until the memory is
    full."""
    try:
        call = ast.parse(f"f{arguments or '()'}", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return  # `load` says what is wrong with it
    if not isinstance(call, ast.Call):
        return
    parts = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg != "seed")]
    for node in (node for part in parts for node in ast.walk(part)):
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value > limits.ARGUMENT:
            raise BadLimits(
                f"a number in the arguments of {name} is more than the studio can show: up to {limits.ARGUMENT:,}, but"
                " for a seed"
            )


__all__ = ["Shelf"]
