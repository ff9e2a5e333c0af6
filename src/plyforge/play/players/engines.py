"""Programs by names of the user's own: `fish` for `uci:stockfish;Threads=1`, wherever players are named.

They are kept in one file, engines.json in the user's folder of settings, which nobody else may read or write. It is
written by `plyforge engines` alone, and never at the wish of a page: a page chooses among names.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from plyforge.contract import Game
from plyforge.errors import BadText, PlyforgeError
from plyforge.play.players.spec import PROGRAMS, player_kinds
from plyforge.reading import read_json
from plyforge.writing import alone_with, make_folder, settings_folder, write_file

LARGEST_FILE = 1 << 16
"""Bytes."""
NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")
FORMAT = "plyforge engines"


@dataclass(frozen=True)
class Named:
    """A program that the user has named."""

    name: str
    protocol: str
    """One of PROGRAMS."""
    command: str
    """With its settings, as after the protocol's colon."""

    @property
    def text(self) -> str:
        """As `program_player` reads it."""
        return f"{self.protocol}:{self.command}"

    def plays(self, game: Game) -> bool:
        """True if its protocol knows such games; whether the program does shows when it is started."""
        from plyforge.play.players.programs import KINDS

        return KINDS[f"{self.protocol}:"].plays(game)


def file() -> Path:
    """Where they are kept."""
    return settings_folder() / "engines.json"


def engines() -> Mapping[str, Named]:
    """All of them by name. Raises PlyforgeError where the file is damaged, or where others may write it."""
    path = file()
    try:
        mode = path.stat().st_mode
    except OSError:
        return {}
    if os.name == "posix" and mode & 0o022:
        raise PlyforgeError(f"{path} can be written by others, so its programs are not started: chmod 600 {path}")
    data = read_json(path, LARGEST_FILE, "a list of engines")
    found = data.get("engines") if isinstance(data, dict) and data.get("format") == FORMAT else None
    if not isinstance(found, dict):
        raise BadText(f"{path} is no list of engines: remove it, and add them again")
    known = {}
    for name, each in found.items():
        protocol, command = (each.get("protocol"), each.get("command")) if isinstance(each, dict) else (None, None)
        if not NAME.fullmatch(name) or protocol not in PROGRAMS or not isinstance(command, str):
            raise BadText(f"{path}: {name[:40]!r} is no engine with a protocol and a command: remove it there")
        known[name] = Named(name, protocol, command)
    return known


def add(name: str, command: str, protocol: str) -> Named:
    """Name a program, or give a name to another one. Raises BadText."""
    if not NAME.fullmatch(name) or name in PROGRAMS or name in player_kinds():
        raise BadText(
            f"{name[:40]!r} can't name a program: take small letters, digits, - and _, and none that a player has"
        )
    if protocol not in PROGRAMS:
        raise BadText(f"there is no protocol {protocol[:40]!r}; there are {', '.join(PROGRAMS)}")
    if not command.strip():
        raise BadText("say how the program is started, as in: plyforge engines add fish stockfish --protocol uci")
    named = Named(name, protocol, command.strip())
    make_folder(file().parent)
    with alone_with(file()):
        _write({**engines(), name: named})
    return named


def remove(name: str) -> None:
    """Forget a name. Raises BadText if it is none."""
    with alone_with(file()) if file().is_file() else contextlib.nullcontext():
        known = dict(engines())
        if name not in known:
            raise BadText(f"no program is named {name[:40]!r}; there are {', '.join(known) or 'none'}")
        del known[name]
        _write(known)


def _write(known: Mapping[str, Named]) -> None:
    path = file()
    listed = {each.name: {"protocol": each.protocol, "command": each.command} for each in known.values()}
    write_file(path, json.dumps({"format": FORMAT, "engines": listed}, indent=1) + "\n")
    with contextlib.suppress(OSError):  # where files have no owner
        path.chmod(0o600)


def with_program(text: str) -> str:
    """The description that a player's text stands for: of a name in the file, that of its program."""
    name = text.strip()
    if not NAME.fullmatch(name) or name in player_kinds():
        return text
    found = engines().get(name)
    return text if found is None else found.text


__all__ = ["Named", "add", "engines", "file", "remove", "with_program"]
