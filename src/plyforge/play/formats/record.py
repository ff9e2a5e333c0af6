"""Games on disk: what was played, as JSON, read back with every field and every action checked.

    {
      "format": "plyforge game",
      "version": 1,
      "game": "connect4(width=6, height=5)",       what `load` takes
      "start": "",                                 the text of the state it began in; null: the start of the game
      "seed": 7,                                   decides what chance does from here on
      "players": ["human", "alpha_beta:depth=8"],  one for each player; empty where nobody said
      "actions": ["4", "4", "3"],                  each as text, chance's outcomes among them
      "resigned": null,                            the number of the player who gave up
      "late": false,                               true: not by choice, but for want of time
      "agreed": false,                             true: the players agreed on a draw
      "drawn_from": 0,                             after fewer actions than this nobody claimed a draw for what happened
                                                   before
      "result": null                               or {"winners": [0], "utilities": [1.0, -1.0], "reason": "..."}
    }

A file may leave out `players` and everything from `resigned` on. Where something is hidden and the game is not over,
`sealed` stands in place of `seed` and `actions` (`sealed.py`); only files have that, no other record of such a game is
made.

Claim: what is read is a game that can be played by the rules named in it, and its result is what the rules say.

Reading runs nothing from the file. A rules file (`my_rules.py`) is a program, so a saved game may name one, but reading
does not import it: the caller has to give the game. Writing is atomic: a file aside, synced, then renamed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyforge.contract import Game, format_state, parse_state
from plyforge.errors import BadText, PlyforgeError
from plyforge.games.as_text import game_text
from plyforge.games.catalog import CATALOG, load
from plyforge.play.formats.sealed import seal, unseal
from plyforge.play.session import LARGEST_SEED, GameSession, Outcome
from plyforge.reading import open_file, read_json
from plyforge.writing import require_writable, write_file

FORMAT = "plyforge game"
VERSION = 1
LARGEST_FILE = 4 << 20
"""Bytes. Longer files are not read: no game that anyone has played is that long."""


@dataclass(frozen=True)
class Record:
    """A saved game, its fields of the right types; whether the actions are legal shows in `session`."""

    game: str
    """What `load` takes."""
    start: str | None
    """The text of the start state; None for the start of the game."""
    seed: int
    """Of the session's chance."""
    players: tuple[str, ...]
    """Who played; empty where nobody said."""
    actions: tuple[str, ...]
    """Each as text."""
    resigned: int | None = None
    """The number of the player who gave up."""
    late: bool = False
    """True if that was for want of time."""
    agreed: bool = False
    """True if the players agreed on a draw."""
    drawn_from: int = 0
    """After fewer actions than this nobody claimed a draw for what happened before."""
    result: dict[str, Any] | None = None
    """How it ended; None if it has not."""
    sealed: bool = False
    """True if what was played is nobody's business yet."""

    @classmethod
    def of(cls, session: GameSession, to_continue: bool = False) -> Record:
        """The record of a session. Raises BadText if game or start state have no text; WrongMoment while parts are
        hidden, but for a file from which the game is to go on."""
        outcome = session.outcome
        sealed = to_continue and session.sealed
        return cls(
            game=game_text(session.game),
            start=_start_text(session),
            seed=session.seed,
            players=session.seats,
            actions=tuple(session.actions_to_keep() if sealed else session.actions_text()),
            resigned=session.resigned,
            late=session.late,
            agreed=session.agreed,
            drawn_from=min(session.drawn_from, session.ply + 1),
            result=None if outcome is None else _result(outcome),
            sealed=sealed,
        )

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game,
            "start": self.start,
            **({} if self.sealed else {"seed": self.seed}),
            "players": list(self.players),
            **({"sealed": seal(self.seed, self.actions)} if self.sealed else {"actions": list(self.actions)}),
            "resigned": self.resigned,
            "late": self.late,
            "agreed": self.agreed,
            "drawn_from": self.drawn_from,
            "result": self.result,
        }

    @classmethod
    def from_json(cls, data: Any) -> Record:
        """Check the form of what `to_json` gave. Raises BadText, naming the field."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise BadText(f'not a saved game: it does not say "format": "{FORMAT}"')
        version = data.get("version")
        if type(version) is not int or version < 1:
            raise BadText(f"version: expected a whole number from 1, found {_short(version)}")
        if version > VERSION:
            raise BadText(f"version: {_short(version)} was written by a newer Plyforge; this one reads up to {VERSION}")
        known = {"format", "version", *(field.name for field in dataclasses.fields(cls))}
        sealed = "sealed" in data
        if sealed:
            if "seed" in data or "actions" in data:
                raise BadText("sealed: seed and actions are in it, and not beside it")
            seed, actions = unseal(data["sealed"])
            data = {**{name: value for name, value in data.items() if name != "sealed"}, "seed": seed}
            data["actions"] = actions
        for name in known - {"players", "resigned", "late", "agreed", "drawn_from", "result", "sealed"}:
            if name not in data:
                raise BadText(f"{name} is missing")
        for name in data:
            if name not in known:
                raise BadText(f"there is no field {_short(name)} in a saved game")
        seed, resigned, late = data["seed"], data.get("resigned"), data.get("late", False)
        if type(seed) is not int or not 0 <= seed <= LARGEST_SEED:
            raise BadText(f"seed: expected a whole number from 0 to 2**64 - 1, found {_short(seed)}")
        if resigned is not None and (type(resigned) is not int or resigned < 0):
            raise BadText(f"resigned: expected the number of a player or null, found {_short(resigned)}")
        if type(late) is not bool or (late and resigned is None):
            raise BadText(f"late: expected false, or true where somebody is out, found {_short(late)}")
        agreed, drawn_from = data.get("agreed", False), data.get("drawn_from", 0)
        if type(agreed) is not bool or (agreed and resigned is not None):
            raise BadText(f"agreed: expected false, or true where nobody is out, found {_short(agreed)}")
        if type(drawn_from) is not int or drawn_from < 0:
            raise BadText(f"drawn_from: expected a number of actions, found {_short(drawn_from)}")
        if data["start"] is not None and not isinstance(data["start"], str):
            raise BadText(f"start: expected text or null, found {_short(data['start'])}")
        if not isinstance(data["game"], str):
            raise BadText(f"game: expected text, found {_short(data['game'])}")
        return cls(
            game=data["game"],
            start=data["start"],
            seed=seed,
            players=_texts(data.get("players", []), "players"),
            actions=_texts(data["actions"], "actions"),
            resigned=resigned,
            late=late,
            agreed=agreed,
            drawn_from=drawn_from,
            result=_checked_result(data.get("result")),
            sealed=sealed,
        )

    def session(self, game: Game | None = None) -> GameSession:
        """Play the record, every action checked. Raises BadText, naming the place.

        Without `game`, the one that the record names, if it is one of Plyforge's own.
        """
        if game is None:
            game = self._load_game()
        elif not self.is_of(game):
            raise BadText(f"game: this is a game of {self.game}, not of {_name_or_class(game)}")
        if self.players and len(self.players) != game.players:
            raise BadText(f"players: {len(self.players)} are named, {self.game} has {game.players}")
        try:
            session = GameSession(game, self.start, self.seed)
        except PlyforgeError as error:
            raise BadText(f"start: {error}") from None
        for number, text in enumerate(self.actions, 1):
            try:
                if number <= self.drawn_from:
                    session.play_on()
                session.play_text(text)
            except PlyforgeError as error:
                if self.sealed:
                    raise BadText(f"sealed: by these rules turn {number} can't be played") from None
                raise BadText(f"action {number}, {_short(text)}: {error}") from None
        if len(self.actions) < self.drawn_from:
            session.play_on()
        if self.resigned is not None:
            try:
                session.resign(self.resigned, self.late)
            except PlyforgeError as error:
                raise BadText(f"resigned: {error}") from None
        if self.agreed:
            try:
                session.agree()
            except PlyforgeError as error:
                raise BadText(f"agreed: {error}") from None
        _check_outcome(self.result, session.outcome)
        session.seats = self.players
        return session

    def is_of(self, game: Game) -> bool:
        """True if this is a record of `game`. Rules files are compared by name: a record may have travelled."""
        name = _name_or_class(game)
        if self.game == name or not names_file(self.game):
            return self.game == name or self._load_game() == game
        return _without_folder(self.game) == _without_folder(name)

    def _load_game(self) -> Game:
        if names_file(self.game):
            raise BadText(
                f"game: it was played by the rules file {_short(self.game)}. A rules file is a program, and reading a "
                "saved game does not run one: name the rules file yourself, as in plyforge play RULES.py --load FILE"
            )
        try:
            return load(self.game)
        except PlyforgeError as error:
            raise BadText(f"game: {error}") from None
        except (RecursionError, MemoryError):
            raise BadText(f"game: {_short(self.game)} is nested too deeply") from None


# ------------------------------------------------------------------ files
def save(session: GameSession, path: str | Path) -> Path:
    """Write a session to a file, all of it or nothing; the file's path.

    An earlier saved game of that name is replaced; any other file is left alone. Of a game that hides something and is
    not over, what was played is sealed.
    """
    target = require_savable(path)
    content = json.dumps(Record.of(session, to_continue=True).to_json(), indent=2, ensure_ascii=False) + "\n"
    return write_file(target, content.encode("utf-8", "backslashreplace"))


def require_savable(path: str | Path) -> Path:
    """Raise PlyforgeError now if no game can be saved there; the file's path."""
    target = require_writable(path)
    if target.exists() and not is_record(target):
        raise PlyforgeError(f"{target} exists and is not a saved game, so it is not replaced: choose another name")
    return target


def read(path: str | Path) -> Record:
    """The record in a file, its form checked. Raises BadText."""
    source = path_of(path)
    data = read_json(source, LARGEST_FILE, "a saved game")
    try:
        return Record.from_json(data)
    except BadText as error:
        raise BadText(f"{source}: {error}") from None


def restore(path: str | Path, game: Game | str | None = None) -> GameSession:
    """The session in a file, every action checked. Raises BadText, naming file and place."""
    record = read(path)
    try:
        return record.session(None if game is None else load(game))
    except BadText as error:
        raise BadText(f"{path_of(path)}: {error}") from None


def path_of(path: str | Path) -> Path:
    """The file behind a name, `~` and links followed: replacing a link would leave the file it names as it was."""
    if not str(path) or "\0" in str(path):
        raise BadText(f"{str(path)[:100]!r} is not the name of a file")
    try:
        return Path(path).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise BadText(f"{str(path)[:100]!r} is not the name of a file: {error}") from None


def is_record(path: Path) -> bool:
    with open_file(path) as file:
        return f'"{FORMAT}"'.encode() in file.read(200)


# ------------------------------------------------------------------ the game as text
def _name_or_class(game: Game) -> str:
    try:
        return game_text(game)
    except BadText:
        return type(game).__name__


def names_file(text: str) -> bool:
    """True if `load` might take this for a rules file: on the safe side, whatever is not plainly in the catalog."""
    plain = re.fullmatch(r"(\w+)\s*(\(.*\))?", text.strip(), re.DOTALL)
    if plain is not None and plain[1] in CATALOG:
        return False
    return ".py" in text or "/" in text or "\\" in text


def _without_folder(text: str) -> str:
    path, bracket, arguments = text.partition("(")
    return path.replace("\\", "/").rpartition("/")[2] + bracket + arguments


def _start_text(session: GameSession) -> str | None:
    """The start state's text, if it reads back as the same state."""
    game, start = session.game, session.start
    with contextlib.suppress(PlyforgeError):
        text = format_state(game, start)
        if parse_state(game, text) == start:
            return text
    if start == game.start():
        return None
    raise BadText(
        f"{type(game).__name__} can't be saved from this start: its text does not read back as the same state"
    )


# ------------------------------------------------------------------ the parts of a record
def _texts(value: Any, name: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise BadText(f"{name}: expected a list of texts, found {_short(value)}")
    for number, item in enumerate(value, 1):
        if not isinstance(item, str):
            raise BadText(f"{name}, number {number}: expected text, found {_short(item)}")
    return tuple(value)


def _result(outcome: Outcome) -> dict[str, Any]:
    utilities = None if outcome.utilities is None else list(outcome.utilities)
    return {"winners": list(outcome.winners), "utilities": utilities, "reason": outcome.reason}


def _checked_result(value: Any) -> dict[str, Any] | None:
    if value is None:
        return None
    if not isinstance(value, dict) or set(value) != {"winners", "utilities", "reason"}:
        raise BadText("result: expected winners, utilities and reason, or null")
    winners, utilities = value["winners"], value["utilities"]
    if not isinstance(winners, list) or not all(type(player) is int for player in winners):
        raise BadText(f"result: winners is {_short(winners)}, not a list of players")
    if utilities is not None and not (isinstance(utilities, list) and all(_is_number(u) for u in utilities)):
        raise BadText(f"result: utilities is {_short(utilities)}, not a list of numbers")
    if not isinstance(value["reason"], str):
        raise BadText(f"result: reason is {_short(value['reason'])}, not text")
    return value


def _is_number(value: Any) -> bool:
    return type(value) is float or (type(value) is int and abs(value) < 1 << 63)


def _check_outcome(result: dict[str, Any] | None, outcome: Outcome | None) -> None:
    """A record may leave its result out; one that is there must be what the rules say."""
    if result is None:
        return
    if outcome is None:
        raise BadText("result: there is one, but the game is not over after the last action")
    winners, utilities = result["winners"], result["utilities"]
    same = tuple(winners) == outcome.winners and (utilities is None) == (outcome.utilities is None)
    if same and utilities is not None and outcome.utilities is not None:
        same = len(utilities) == len(outcome.utilities) and all(
            math.isclose(said, found, abs_tol=1e-9) for said, found in zip(utilities, outcome.utilities, strict=True)
        )
    if not same:
        raise BadText(
            f"result: it says winners {_short(winners)} and utilities {_short(utilities)}, but the actions lead to "
            f"winners {list(outcome.winners)} and utilities {_result(outcome)['utilities']}"
        )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


__all__ = ["FORMAT", "LARGEST_FILE", "VERSION", "Record", "game_text", "names_file", "read", "restore", "save"]
