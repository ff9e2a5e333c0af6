"""Find a game: by name, by name with arguments, or by the path of anyone's rules file.

    load("connect4")    load("connect4(width=6, height=5)")    load("path/to/rules.py")    load("rules.py:Checkers")

Arguments are literals only (numbers, strings, booleans, tuples and lists of those): nothing is evaluated. A rules file
is a Python program, and loading it runs it, as `import` would.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import hashlib
import importlib
import importlib.util
import inspect
import sys
import traceback
import warnings
from os import PathLike
from pathlib import Path
from typing import Any

from plyforge.contract import Game
from plyforge.contract.collisions import require_names
from plyforge.errors import BadRules, GameNotFound, PlyforgeError
from plyforge.plain_text import shown

CATALOG: dict[str, str] = {
    "backgammon": "backgammon:Backgammon",
    "backgammon_match": "backgammon.match:BackgammonMatch",
    "blackjack": "hidden.blackjack:Blackjack",
    "checkers": "checkers:Checkers",
    "chess": "chess:Chess",
    "chinese_checkers": "chinese_checkers:ChineseCheckers",
    "connect4": "two_players.connect4:Connect4",
    "dark_hex": "hidden.dark_hex:DarkHex",
    "domineering": "two_players.domineering:Domineering",
    "dots_and_boxes": "two_players.dots_and_boxes:DotsAndBoxes",
    "go": "go:Go",
    "goofspiel": "simultaneous.goofspiel:Goofspiel",
    "hex": "two_players.hex:Hex",
    "hexapawn": "two_players.hexapawn:Hexapawn",
    "hidden_goofspiel": "hidden.hidden_goofspiel:HiddenGoofspiel",
    "kalah": "two_players.kalah:Kalah",
    "kuhn_poker": "hidden.kuhn_poker:KuhnPoker",
    "leduc_poker": "hidden.leduc_poker:LeducPoker",
    "liars_dice": "hidden.liars_dice:LiarsDice",
    "matrix": "simultaneous.matrix:Matrix",
    "mnk": "two_players.mnk:Mnk",
    "nim": "two_players.nim:Nim",
    "oh_hell": "hidden.oh_hell:OhHell",
    "othello": "othello:Othello",
    "pacman": "pacman:Pacman",
    "pacman_rivals": "several_players.pacman_rivals:PacmanRivals",
    "phantom_tic_tac_toe": "hidden.phantom_tic_tac_toe:PhantomTicTacToe",
    "pig": "two_players.pig:Pig",
    "pursuit": "simultaneous.pursuit:Pursuit",
    "random_tree": "trees.random_tree:RandomTree",
    "repeated_prisoners_dilemma": "simultaneous.repeated_prisoners_dilemma:RepeatedPrisonersDilemma",
    "slider": "one_player.slider:Slider",
    "slippery": "one_player.slippery:Slippery",
    "three_mens_morris": "two_players.three_mens_morris:ThreeMensMorris",
    "three_nim": "several_players.three_nim:ThreeNim",
    "tic_tac_toe": "tic_tac_toe:TicTacToe",
    "tree": "trees.tree:Tree",
}
"""Each game's module in this package, and the class in it."""


LONGEST = 1 << 18
"""Letters of a name with its arguments: a tree of some ten thousand nodes."""
SHOWN = 200
"""Letters that a message repeats of it."""


def names() -> list[str]:
    """The games there are."""
    return sorted(CATALOG)


def catalog_name(game: Game) -> str | None:
    """The name under which the catalog has a game's class; None for rules of one's own."""
    cls = type(game)
    for name in CATALOG:
        module, class_name = place_of(name)
        if cls.__name__ == class_name and f"{cls.__module__}.".startswith(f"{module}."):
            return name
    return None


def place_of(name: str) -> tuple[str, str]:
    """The module of a game of the catalogue, and its class there."""
    module, _, class_name = CATALOG[name].partition(":")
    return f"plyforge.games.{module}", class_name


def load(text: str | Path | Game) -> Game:
    """The game that `text` names: "connect4", "connect4(width=6, height=5)", "path/to/rules.py" or "rules.py:Class". A
    Game is passed through.

    Arguments are literals; loading a rules file runs it. Raises GameNotFound where there is no such game, file or
    class, or where it takes no such arguments, and BadRules where a file can't be run, the game can't be made, or a
    helper has a name that means something else here.
    """
    game = find(text)
    require_names(game)
    return game


def find(text: str | Path | Game) -> Game:
    """The same, whatever the names in the rules stand for: for the checker, which tells it."""
    if isinstance(text, Game):
        return text
    if isinstance(text, type) and issubclass(text, Game):
        raise GameNotFound(f"{text.__name__} is a class; a game is an object of it: {text.__name__}()")
    if not isinstance(text, (str, PathLike)):
        raise GameNotFound(
            f"{text!r} is no game: give an object of a class that inherits from plyforge.Game, the name of a game, or a"
            " .py file"
        )
    text = str(text).strip()
    if len(text) > LONGEST:
        raise GameNotFound(
            f"{_short(text)} has {len(text):,} letters: a game is named with at most {LONGEST:,}. A larger tree or"
            " table can be read from a file, as in tree(file='my.json')"
        )
    return _from_catalog(text) if text.partition("(")[0].strip() in CATALOG else _fresh(text)


@functools.lru_cache(maxsize=64)
def _from_catalog(text: str) -> Game:
    """One object for one text: our own games never change, and what was found out about one, compiled code above
    all, is found by the object."""
    return _fresh(text)


def _fresh(text: str) -> Game:
    name, arguments = _split(text)
    if name.endswith(".py") or ".py:" in name or "/" in name:
        cls = _class_from_file(name)
    else:
        cls = _class_from_catalog(name)
    return _make(cls, name, arguments)


def class_in_file(spec: str) -> type[Game]:
    """The class of the game in a rules file: `rules.py`, or `rules.py:Class`. A file that has changed is run again."""
    return _class_from_file(spec)


def make(cls: type[Game], name: str, arguments: str = "") -> Game:
    """A game of that class, with arguments as text, "(width=6)"; `name` is what messages call it."""
    game = _make(cls, name, _split(f"{name}{arguments}")[1])
    require_names(game)
    return game


def files_of(path: Path) -> dict[Path, int]:
    """A rules file that was loaded, and the helpers beside it that it imports, each with the time of its last change
    then."""
    return dict(_loaded.get(path.resolve(), ({}, None))[0])


def _split(text: str) -> tuple[str, ast.Call | None]:
    name, bracket, inside = text.partition("(")
    if not bracket or (".py" in inside and not inside.endswith(")")):  # a path may have brackets in it
        return text, None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # about text that is then refused
            call = ast.parse(f"f({inside}", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # the last two: nested too deeply
        call = None
    if not isinstance(call, ast.Call):
        open_ended = text.count("(") > text.count(")")
        reason = f"the bracket after {name.strip()[:SHOWN]} is not closed; " if open_ended else ""
        raise GameNotFound(f"{_short(text)} can't be read: {reason}write it like connect4(width=6, height=5)")
    return name.strip(), call


def _make(cls: type[Game], name: str, call: ast.Call | None) -> Game:
    positional, named = [], {}
    try:
        for argument in call.args if call else []:
            positional.append(ast.literal_eval(argument))
        for keyword in call.keywords if call else []:
            if keyword.arg is None:
                raise ValueError
            named[keyword.arg] = ast.literal_eval(keyword.value)
    except (ValueError, TypeError, MemoryError, RecursionError):
        raise GameNotFound(f"the arguments of {name} must be plain values, as in connect4(width=6)") from None
    try:
        inspect.signature(cls).bind(*positional, **named)
    except TypeError as error:
        raise GameNotFound(f"{name}: {error}; it takes {_parameters(cls)}") from None
    _check_types(cls, name, positional, named)
    try:
        return cls(*positional, **named)
    except PlyforgeError:
        raise
    except Exception as error:
        raise BadRules(f"{name} can't be made: {type(error).__name__}: {str(error)[:1000]}") from error


def _check_types(cls: type[Game], name: str, positional: list[Any], named: dict[str, Any]) -> None:
    """A field with a plain default takes values of the default's type."""
    if not dataclasses.is_dataclass(cls):
        return
    fields = {f.name: f for f in dataclasses.fields(cls) if f.init}
    given = dict(zip(fields, positional, strict=False)) | named
    for key, value in given.items():
        default = fields[key].default if key in fields else None
        if isinstance(default, (bool, int, float, str)):
            kinds: tuple[type, ...] = (float, int) if type(default) is float else (type(default),)
            if type(value) not in kinds:
                raise GameNotFound(f"{name}: {key} must be {type(default).__name__}, not {shown(value)}")


def _short(text: str) -> str:
    return repr(text) if len(text) <= SHOWN else f"{text[:SHOWN]!r}..."


def _parameters(cls: type[Game]) -> str:
    shown = [str(p).split(":")[0] for p in inspect.signature(cls).parameters.values()]
    return ", ".join(shown) if shown else "no arguments"


def _class_from_catalog(name: str) -> type[Game]:
    if name not in CATALOG:
        import difflib

        near = difflib.get_close_matches(name[:SHOWN], names(), n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise GameNotFound(
            f"there is no game called {_short(name)}{hint} There are {', '.join(names())}; or give a .py file"
        )
    module, class_name = place_of(name)
    found: type[Game] = getattr(importlib.import_module(module), class_name)
    return found


def _class_from_file(name: str) -> type[Game]:
    file, _, wanted = name.partition(".py:")
    path = Path(f"{file}.py" if wanted else file)
    if not _is_file(path):
        shown = str(path)[:SHOWN]
        if not path.exists():
            raise GameNotFound(f"there is no file {shown}")
        raise GameNotFound(f"{shown} is a {'folder' if path.is_dir() else 'device or a pipe'}, not a file")
    module = _import_file(path.resolve())
    classes = {
        value.__name__: value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Game) and value.__module__ == module.__name__
    }
    if wanted:
        if wanted not in classes:
            raise GameNotFound(f"{path} has no game called {wanted}; it has {', '.join(classes) or 'none'}")
        return classes[wanted]
    bases = {base for cls in classes.values() for base in cls.__mro__[1:]}
    leaves = [cls for cls in classes.values() if cls not in bases]
    if not leaves:
        raise BadRules(f"{path} defines no game: write a class that inherits from plyforge.Game")
    if len(leaves) > 1:
        listed = ", ".join(f"{path}:{cls.__name__}" for cls in leaves)
        raise GameNotFound(f"{path} defines several games; say which one: {listed}")
    return leaves[0]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # no name that a file could have
        return False


_loaded: dict[Path, tuple[dict[Path, int], Any]] = {}
"""Rules files by path: the stamps of the file and of the helpers beside it when it was loaded, and the module."""


def _import_file(path: Path) -> Any:
    """Run a rules file as a module of its own. Unchanged files are not run again; its name is stable, so that compiled
    code is found again on disk."""
    stamps, module = _loaded.get(path, ({}, None))
    if module is not None and all(_stamp(file) == stamp for file, stamp in stamps.items()):
        return module
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise GameNotFound(f"{path} is not a Python file: rules are written in Python")
    _forget_helpers()
    before = set(sys.modules)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))  # the rules may import helpers beside them
    bytecode, sys.dont_write_bytecode = (
        sys.dont_write_bytecode,
        True,
    )  # known by the second: a quick edit would not count
    try:
        spec.loader.exec_module(module)
    except PlyforgeError:
        sys.modules.pop(name, None)
        raise
    except (Exception, SystemExit) as error:
        sys.modules.pop(name, None)
        raise BadRules(f"{path} can't be imported: {_where(error, path)}") from error
    finally:
        sys.path.remove(str(path.parent))
        sys.dont_write_bytecode = bytecode
    beside = {path: _stamp(path)}
    for new in set(sys.modules) - before - {name}:
        file = getattr(sys.modules[new], "__file__", None)
        if file is not None and Path(file).is_relative_to(path.parent):
            _helpers[new] = Path(file)
            beside[Path(file)] = _stamp(Path(file))
    _loaded[path] = (beside, module)
    return module


_helpers: dict[str, Path] = {}
"""Modules that rules files have imported from their own folders."""


def _forget_helpers() -> None:
    """Rules of another folder may have a helper of the same name, and a helper may have been edited: import it
    afresh."""
    for name in list(_helpers):
        sys.modules.pop(name, None)
        del _helpers[name]


def _stamp(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _where(error: BaseException, path: Path) -> str:
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"line {error.lineno}: {error.msg}"
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if Path(f.filename) == path]
    place = f"line {lines[-1]}: " if lines else ""
    return f"{place}{type(error).__name__}: {error}"
