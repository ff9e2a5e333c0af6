"""The formats in which games are kept, each beside its game: terminal, studio, command line and Python read and write
all of them.

    session = restore("game.pgn")              a record (.json), or a format that some game has of its own
    save(session, "game.sgf")
    games = read(content, "pgn")               all games of a file, as sessions
    write(sessions, "pdn")

A format is a `Format`, named in FORMATS of a module of this folder; whoever adds one names the module in MODULES.

Invariant: what is read has been played by the rules, action by action. Nothing in a file is run: a record may name a
rules file, and then the caller has to give that game.
"""

from __future__ import annotations

import codecs
import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plyforge.contract import Game
from plyforge.errors import BadText, PlyforgeError, Unsuitable
from plyforge.games import load
from plyforge.play.formats import record
from plyforge.play.session import GameSession
from plyforge.reading import parse_json, read_bytes
from plyforge.writing import require_writable, write_file

MODULES = ("pgn_pdn", "sgf", "mat")
LARGEST_FILE = 4 << 20
"""Bytes of a file of games."""
JSON = "json"
"""A record, which every game has: `record.py`."""


@dataclass(frozen=True)
class Format:
    """A format that one game has of its own."""

    name: str
    """Also how its files end: `pgn`."""
    game: type[Game]
    media: str
    """Its kind, as the web names it."""
    read: Callable[[str, int | None], list[GameSession]]
    """The games of a text, at most so many. Raises BadText."""
    write: Callable[[Sequence[GameSession]], str]
    """Games as the text of a file. Raises Unsuitable where the format can't hold them."""
    decode: Callable[[bytes], str] | None = None
    """A file's text, where it says itself how it is encoded."""


def own_formats() -> dict[str, Format]:
    """All of them by name."""
    modules = [importlib.import_module(f"plyforge.play.formats.{name}") for name in MODULES]
    return {each.name: each for module in modules for each in module.FORMATS}


def formats_of(game: Game) -> list[str]:
    """The formats that a game can be written in, its own first."""
    return [*(each.name for each in own_formats().values() if isinstance(game, each.game)), JSON]


def media(kind: str) -> str:
    """The format's kind, as the web names it."""
    return "application/json" if kind == JSON else own_formats()[kind].media


def write(sessions: Sequence[GameSession], kind: str) -> str:
    """Games as the text of a file; a record holds one. Raises BadText or Unsuitable."""
    if not sessions:
        raise BadText("there is no game to write")
    known = formats_of(sessions[0].game)
    if kind not in known:
        raise BadText(f"{kind[:20]!r} is no format of this game; it has {', '.join(known)}")
    if kind != JSON:
        return own_formats()[kind].write(sessions)
    if len(sessions) > 1:
        raise Unsuitable(f"a record (.json) holds one game, and there are {len(sessions)}: name {known[0]} or a number")
    return json.dumps(sessions[0].to_json(), indent=1)


def read(content: bytes, kind: str, most: int | None = None) -> list[GameSession]:
    """The games of a file in a format that is not a record. Raises BadText."""
    known = own_formats()
    if kind not in known:
        raise BadText(f"{kind[:20]!r} is no format of games; there are {', '.join([*known, JSON])}")
    decode = known[kind].decode
    text = _plain(content) if decode is None else decode(content)
    found = known[kind].read(text, most)
    if not found:
        raise BadText(f"there is no game in this {kind.upper()} file")
    return found


def _plain(content: bytes) -> str:
    """The text of a file that names no encoding: UTF-8 where it can be, else Latin-1, as the standard of PGN wants."""
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


UNKNOWN = "?"
"""Whoever a file does not name."""


def seats_of(*names: str) -> tuple[str, ...]:
    """Who played, as a session keeps it, by the names in a file; empty where it has none."""
    known = tuple(name.strip() or UNKNOWN for name in names)
    return known if set(known) != {UNKNOWN} else ()


# ------------------------------------------------------------------ files
def kind_of(path: str | Path) -> str:
    """The format that a file's name tells: what it ends with, json where that says nothing."""
    ending = Path(path).suffix.lower().removeprefix(".")
    return ending if ending and ending != JSON and ending in own_formats() else JSON


def restore(path: str | Path, game: Game | str | None = None, number: int = 1) -> GameSession:
    """The game in a file, or the one of that number, every action checked. Raises BadText, naming file and place."""
    if not 1 <= number <= LARGEST_FILE:
        raise BadText(f"{path} has no game number {number}: the first is number 1")
    found = [record.restore(path, game)] if kind_of(path) == JSON else restore_all(path, number)
    if len(found) < number:
        raise BadText(f"{path} has no game number {number}, but {len(found)} in all")
    session = found[number - 1]
    if game is not None and load(game) != session.game:
        raise BadText(f"{path} has a game of {record.game_text(session.game)}, not of {record.game_text(load(game))}")
    return session


def restore_all(path: str | Path, most: int | None = None) -> list[GameSession]:
    """All games in a file, or the first so many."""
    kind = kind_of(path)
    if kind == JSON:
        return [record.restore(path)]
    try:
        return read(read_bytes(record.path_of(path), LARGEST_FILE, f"a {kind.upper()} file"), kind, most)
    except BadText as error:
        raise BadText(f"{path}: {error}") from None


def save(session: GameSession, path: str | Path) -> Path:
    """Write a game to a file, in the format that its name tells; the file's path."""
    if kind_of(path) == JSON:
        return record.save(session, path)
    return write_file(require_savable(path), write([session], kind_of(path)))


def require_savable(path: str | Path) -> Path:
    """Raise PlyforgeError now if no game can be saved there: what is there is replaced if it is a saved game."""
    if kind_of(path) == JSON:
        return record.require_savable(path)
    target = require_writable(path)
    if target.exists():
        try:
            restore_all(target, 1)
        except PlyforgeError:
            raise PlyforgeError(
                f"{target} exists and is not a saved game, so it is not replaced: choose another name"
            ) from None
    return target


def read_any(content: bytes, game: Game) -> GameSession | object:
    """What a page sent: the first game in the own format of `game`, or the plain values of a record."""
    content = content.removeprefix(codecs.BOM_UTF8)
    if content.lstrip().startswith(b"{"):
        return parse_json(content, "the file")  # type: ignore[no-any-return]
    kind = formats_of(game)[0]
    if kind == JSON:
        raise BadText("not a saved game: a file that the studio saved begins with {")
    return read(content, kind, 1)[0]


__all__ = [
    "JSON",
    "Format",
    "formats_of",
    "kind_of",
    "media",
    "own_formats",
    "read",
    "read_any",
    "require_savable",
    "restore",
    "restore_all",
    "save",
    "seats_of",
    "write",
]
