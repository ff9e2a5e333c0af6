"""Opponents learned from their games: how often each action was played in each state, and text that names any model.

    model = OpponentModel.learn(game, ["evening.json", "engine-random.jsonl"], of="random")
    model.save("random.json")
    pf.search(game, using="expectimax", policy=model.policy(smoothing=1.0))

Games come from saved games (`record.py`) and from records of matches (`match/record.py`); every action is played again
by the rules before it counts. `of` names the player whose choices count, as the file names its players: a part of the
name is enough. Without it everybody's do. Dice, and the random openings of matches, are nobody's choice.

A model's file is JSON, nothing in it is run, and whatever does not fit the game is refused with its place:

    {"format": "plyforge opponent model", "version": 1, "game": "tic_tac_toe", "of": "random", "games": 2,
     "counts": {".........": {"5": 1, "1": 1}, "x........": {"5": 1}}}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyforge.contract import CHANCE, Game, format_action, format_state, legal_moves, parse_state
from plyforge.errors import BadLimits, BadText, PlyforgeError
from plyforge.games import load
from plyforge.kernel.entry import coerce
from plyforge.plain_text import require_length
from plyforge.play.formats.record import LARGEST_FILE, game_text, restore
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.record import LONGEST_LINE, read_header
from plyforge.play.session import GameSession, Turn
from plyforge.reading import open_file, parse_json, read_json, read_lines
from plyforge.search.opponents.empirical import CountedPolicy
from plyforge.search.opponents.noisy import EpsilonPolicy, SoftmaxPolicy
from plyforge.search.opponents.policy import Policy, UniformPolicy
from plyforge.writing import require_writable, write_file

FORMAT = "plyforge opponent model"
VERSION = 1
LONGEST_DESCRIPTION = 1 << 13
"""Letters."""
LARGEST_COUNT = 1 << 53
"""Counts are below this: a float holds them exactly."""


@dataclass
class OpponentModel:
    """What was played where; see the module's text."""

    game: Game
    counts: dict[Any, dict[Any, int]] = field(default_factory=dict)
    """By state, how often each action was played there."""
    games: int = 0
    """How many games were looked at."""
    of: str = ""
    """Whose choices were counted; empty for everybody's."""

    @classmethod
    def learn(cls, game: Game, sources: Iterable[str | Path | GameSession], of: str = "") -> OpponentModel:
        """Count what was played in saved games, records of matches, and sessions."""
        model = cls(game, of=of)
        for source in sources:
            for turns, names in games_of(source, game):
                model.games += 1
                for turn in turns:
                    if turn.player != CHANCE and _is(of, turn.player, names):
                        played = model.counts.setdefault(coerce(turn.state), {})
                        played[turn.action] = played.get(turn.action, 0) + 1
        if not model.counts:
            whose = f" of {of!r}" if of else ""
            raise BadText(f"there is no choice{whose} in these {model.games} games: nothing can be learned")
        return model

    @property
    def choices(self) -> int:
        """How many choices were counted."""
        return sum(sum(played.values()) for played in self.counts.values())

    def policy(self, smoothing: float = 1.0) -> CountedPolicy:
        """The model as a policy: `smoothing` imaginary random games are added in each state."""
        return CountedPolicy.of(self.game, self.counts, smoothing)

    # ------------------------------------------------------------ on disk
    def to_json(self) -> dict[str, Any]:
        """As plain JSON values. Raises BadText if the game has no text."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": game_text(self.game),
            "of": self.of,
            "games": self.games,
            "counts": {
                format_state(self.game, s): {
                    format_action(self.game, s, action): times for action, times in played.items()
                }
                for s, played in self.counts.items()
            },
        }

    def save(self, path: str | Path) -> None:
        """Write a file, whole or not at all; any file that is not such a model is left alone."""
        require_model(path)
        write_file(path, json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, path: str | Path, game: Game) -> OpponentModel:
        """The model in a file, every state and every action checked. Raises BadText, naming the place."""
        data = read_model_text(Path(path).expanduser())
        try:
            return cls.from_json(data, game)
        except BadText as error:
            raise BadText(f"{path}: {error}") from None

    @classmethod
    def from_json(cls, data: dict[str, Any], game: Game) -> OpponentModel:
        """Read what `to_json` gave. Raises BadText."""
        wanted = {"format", "version", "game", "of", "games", "counts"}
        if set(data) != wanted:
            odd = sorted(set(data) ^ wanted)[0]
            raise BadText(f"a model has the fields {', '.join(sorted(wanted))}: {odd!r} is missing, or too much")
        if data["version"] != VERSION or type(data["version"]) is not int:
            raise BadText(f"version: this Plyforge reads {VERSION}, not {str(data['version'])[:20]}")
        if data["game"] != game_text(game):
            raise BadText(f"game: this is a model for {str(data['game'])[:60]}, not for {game_text(game)}")
        if not isinstance(data["of"], str) or not _is_count(data["games"], least=0):
            raise BadText("of must be text, and games a whole number of at least 0")
        if not isinstance(data["counts"], dict):
            raise BadText("counts must be an object, from states to objects")
        model = cls(game, {}, data["games"], data["of"])
        for text, played in data["counts"].items():
            s = coerce(parse_state(game, text))
            if game.terminal(s) or game.player(s) == CHANCE:
                raise BadText(f"counts: nobody chooses anything in {text!r}")
            if s in model.counts:
                raise BadText(f"counts: {text!r} is there twice, in other words")
            if not isinstance(played, dict) or not played:
                raise BadText(f"counts: {text!r} must have an object, from actions to numbers")
            model.counts[s] = {}
            names = {format_action(game, s, action): action for action in legal_moves(game, s)}
            for name, times in played.items():
                if name not in names:
                    raise BadText(f"counts: {name!r} is not an action in {text!r}")
                if not _is_count(times, least=1):
                    raise BadText(f"counts: {name!r} in {text!r} was played {str(times)[:30]} times")
                model.counts[s][names[name]] = times
        return model


def require_model(path: str | Path) -> None:
    """Raise PlyforgeError now if no model can be written there, since it can't be, or since a file of another kind
    is there."""
    target = require_writable(path)
    if target.exists():
        read_model_text(target)


def read_model_text(path: Path) -> dict[str, Any]:
    """The JSON object of a model's file, not looked at any further. Raises BadText."""
    data = read_json(path, LARGEST_FILE, "a model of an opponent")
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadText(f'{path} is not a model of an opponent: it does not say "format": "{FORMAT}"')
    return data


def _is_count(value: Any, least: int) -> bool:
    return type(value) is int and least <= value < LARGEST_COUNT


def _is(of: str, player: int, names: tuple[str, ...]) -> bool:
    return not of or (player < len(names) and of in names[player])


# ------------------------------------------------------------------ where games come from
def games_of(source: str | Path | GameSession, game: Game) -> Iterator[tuple[list[Turn], tuple[str, ...]]]:
    """The turns of each game in a file that somebody chose, and the players' names. Raises BadText, naming file and
    place."""
    if isinstance(source, GameSession):
        yield list(source.history), source.seats
        return
    path = Path(source).expanduser()
    header = read_header(path)
    if header is None:
        session = restore(path, game)
        yield list(session.history), session.seats
        return
    players = header.get("players")
    if header.get("game") != game_text(game) or not isinstance(players, list) or len(players) != 2:
        raise BadText(f"{path} is a match of {str(header.get('game'))[:60]}, not of {game_text(game)}")
    with open_file(path) as file:
        for number, line in enumerate(read_lines(file, LONGEST_LINE, path), 1):
            if number == 1 or not line.endswith(b"\n"):  # the last line may have been cut off
                continue
            try:
                played = PlayedGame.from_json(parse_json(line, "the line"))
                session = GameSession(game, played.start, played.seed)
                for text in played.actions:
                    session.play_text(text)
            except PlyforgeError as error:
                raise BadText(f"{path}, line {number}: {error}") from None
            names = tuple(str(name) for name in (players if played.first == "A" else players[::-1]))
            yield list(session.history)[played.opening :], names


# ------------------------------------------------------------------ models by name
MODELS = "uniform, epsilon:0.1,depth=4, softmax:0.5,depth=4, learned:FILE,smoothing=1"


def parse_model(text: str, game: Game | str) -> Policy:
    """The policy that `text` names, as in MODELS. Where commas separate other things, `+` may stand for them."""
    require_length(text, LONGEST_DESCRIPTION, "model", BadText)
    game = load(game)
    name, _, rest = text.strip().partition(":")
    plus = "+smoothing=" if name.strip().lower() == "learned" else "+"  # a file may have a plus in its name
    parts = [part.strip() for part in rest.replace(plus, plus.replace("+", ",")).split(",") if part.strip()]
    kinds: dict[str, tuple[str | None, dict[str, Any]]] = {
        "uniform": (None, {}),
        "epsilon": ("epsilon", {"depth": int}),
        "softmax": ("temperature", {"depth": int}),
        "learned": ("file", {"smoothing": float}),
    }
    kind = name.strip().lower()
    if kind not in kinds:
        raise BadText(f"{text!r} is not a model of an opponent: there are {MODELS}")
    leading, known = kinds[kind]
    options: dict[str, Any] = {}
    for index, part in enumerate(parts):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals and index == 0 and leading is not None:
            key, value = leading, part
        reader: Any = known.get(key) or (str if leading == "file" else float)
        if key in options or (key != leading and key not in known):
            raise BadText(f"{text!r}: {part!r} is not understood; models are written like {MODELS}")
        try:
            options[key] = reader(value)
        except ValueError:
            raise BadLimits(f"{text!r}: {key} can't be {value[:40]!r}") from None
    if leading is not None and leading not in options:
        raise BadText(f"{text!r}: say which {leading}, as in {MODELS}")
    if kind == "uniform":
        return UniformPolicy()
    if kind == "epsilon":
        return EpsilonPolicy(epsilon=options["epsilon"], depth=options.get("depth"))
    if kind == "softmax":
        return SoftmaxPolicy(temperature=options["temperature"], depth=options.get("depth"))
    return OpponentModel.read(options["file"], game).policy(options.get("smoothing", 1.0))


__all__ = ["FORMAT", "MODELS", "OpponentModel", "games_of", "parse_model"]
