"""A game as text that `load` reads back, and the files that it needs for that: how other processes are told which game
is meant."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import sys
from pathlib import Path

from plyforge.contract import Game
from plyforge.errors import BadText, PlyforgeError
from plyforge.games.catalog import catalog_name, files_of, load

SHOWN = 60
"""Letters that a message repeats of a value."""


def game_text(game: Game) -> str:
    """What `load` takes to make this game again: `connect4(width=6, height=5)`. Raises BadText if nothing does."""
    cls = type(game)
    name = catalog_name(game)
    if name is not None:
        return _catalog_text(game, name)
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None)
    if file is None or not file.endswith(".py") or getattr(module, cls.__qualname__, None) is not cls:
        raise BadText(
            f"{cls.__name__} can't be saved: it has no name that `load` could find it by. "
            "Write its class at the top level of a .py file"
        )
    return f"{Path(file).resolve()}:{cls.__name__}{_arguments(game)}"


def rules_files(game: Game) -> list[Path]:
    """The rules file of somebody's own game, and the helpers beside it; nothing for ours."""
    if catalog_name(game) is not None:
        return []
    file = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    return [] if file is None else sorted({Path(file).resolve(), *files_of(Path(file))})


def _catalog_text(game: Game, name: str) -> str:
    """By its fields; or by its `repr`, where a game is made from something other than its fields (a tree)."""
    for arguments in (_arguments, lambda game: repr(game).removeprefix(type(game).__name__)):
        with contextlib.suppress(PlyforgeError):
            text = name + arguments(game)
            if load(text) == game:
                return text
    raise BadText(f"{type(game).__name__} can't be saved: no text makes the same game again")


def _arguments(game: Game) -> str:
    """The fields that differ from their defaults, as arguments in brackets; nothing if none does."""
    if not dataclasses.is_dataclass(game):
        return ""
    given = []
    for field in dataclasses.fields(game):
        if not field.init:
            continue
        value = getattr(game, field.name)
        default = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        if default is not dataclasses.MISSING and type(default) is type(value) and default == value:
            continue
        text = repr(value)
        try:
            plain = ast.literal_eval(text) == value
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            plain = False
        if not plain:
            raise BadText(
                f"{type(game).__name__} can't be saved: its {field.name} is {text[:SHOWN]}, "
                "which is not a plain value (a number, a string, a tuple of those)"
            )
        given.append(f"{field.name}={text}")
    return f"({', '.join(given)})" if given else ""


__all__ = ["game_text", "rules_files"]
