"""The one table of hooks: what rules may be asked, read off the contract's own classes.

A hook is a function of `Game` or of a companion. Its arguments, its answer and its meaning stand in the contract, and
nowhere else: the checker, the explanation of what can't be compiled, `plyforge check --hooks`, the guide's table and
the notice about colliding names all read this table.

Invariant: no name of a hook is written here.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plyforge.contract import text
from plyforge.contract.companions.companion import Companion, defines
from plyforge.contract.game import Game
from plyforge.kernel.compiling.asked import ASKED
from plyforge.kernel.constant import PACKAGE
from plyforge.plain_text import first_paragraph

GAME_PYTHON_ONLY = ("start", "show")
ASKING = ("endings", "evaluate", "grids", "learn", "play", "search", "solve", "studio")
"""Packages that ask rules; the checker asks everything."""


@dataclass(frozen=True)
class Hook:
    """One function that rules may be asked."""

    companion: str
    """The attribute of the game that has it; "" for the game itself."""
    name: str
    arguments: tuple[str, ...]
    """Without `self` and `game`."""
    answer: str
    """What it gives, as the contract writes it: float, bool, State, Iterable[Action] ..."""
    compiled: bool
    says: str
    """Its meaning, in a sentence."""

    @property
    def path(self) -> str:
        """How it is reached from the game: `heuristics.ordering`."""
        return f"{self.companion}.{self.name}" if self.companion else self.name

    def owner_of(self, game: Game) -> Any:
        """The game or its companion."""
        return getattr(game, self.companion) if self.companion else game

    def function_of(self, game: Game) -> Any:
        """The function as it is written; None where something else has its name."""
        return inspect.getattr_static(type(self.owner_of(game)), self.name, None)

    def defined_by(self, game: Game) -> bool:
        """True if the rules give it a body of their own."""
        return defines(self.owner_of(game), self.name)


def askers(hook: Hook) -> tuple[str, ...]:
    """The modules that ask for a hook of a companion, read off the sources: `search/selective`, `play/referee` ..."""
    dotted = rf"{hook.companion}\.{hook.name}\b"
    by_name = rf"|(?<![\w.]){hook.name}\(" if hasattr(text, hook.name) else ""
    question = re.compile(rf'[."]{dotted}|\bfill_{hook.name}\b{by_name}')
    return tuple(module for module, source in _sources().items() if hook.name in source and question.search(source))


@functools.cache
def _sources() -> dict[str, str]:
    """The modules that may ask, with their text."""
    paths = {path.relative_to(PACKAGE): path for path in sorted(PACKAGE.rglob("*.py"))}
    asking = {place: path for place, path in paths.items() if place.parts[0] in ASKING}
    return {place.with_suffix("").as_posix(): path.read_text("utf-8") for place, path in asking.items()}


def companions() -> dict[str, Companion]:
    """The companions that a game has, by the names of its attributes, as they are by default."""
    return {name: getattr(Game, name) for name in Game._companions}


def _read() -> Iterator[Hook]:
    for name, value in vars(Game).items():
        if inspect.isfunction(value) and not name.startswith("_"):
            yield _hook("", value, name not in GAME_PYTHON_ONLY, skipped=1)
    for companion, default in companions().items():
        for name, value in vars(type(default)).items():
            if inspect.isfunction(value) and not name.startswith("_"):
                yield _hook(companion, value, name not in default.python_only, skipped=2)


def _hook(companion: str, function: Any, compiled: bool, skipped: int) -> Hook:
    parameters = tuple(inspect.signature(function).parameters)[skipped:]
    answer = str(function.__annotations__.get("return", "Any"))
    return Hook(companion, function.__name__, parameters, answer, compiled, first_paragraph(function.__doc__))


HOOKS: tuple[Hook, ...] = tuple(_read())
"""All of them: those of the game first, in the order of the contract."""
ASKED[:] = [hook for hook in HOOKS if hook.compiled]

__all__ = ["HOOKS", "Hook", "askers", "companions"]
