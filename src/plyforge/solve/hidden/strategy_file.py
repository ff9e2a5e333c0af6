"""Mixed strategies of a game of hidden information as data: kept in a file, looked at, played from; and locks.

A strategy is a mix for each information set: who moves, what that player sees, how often to take each action, and what
an action costs. Information sets are told apart by a number that comes from what the player sees and remembers
(`contract/information.py`) and is the same in every process, for the same rules.

    {"format": "plyforge mixed strategy 1", "game": ..., "rules": ..., "information_sets": [
        {"player": 0, "observation": "J ?", "key": "09f1...", "mix": {"check": 0.8, "bet": 0.2}, "cost": {...}}, ...]}

A lock is what somebody writes: a player, an observation and a mix. It holds in all information sets in which that
player sees this.

    {"locks": [{"player": 1, "observation": "? Q bet", "mix": {"fold": 1}}]}

Files are data: everything is checked, nothing is executed.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.contract import Game, format_action, parse_state
from plyforge.contract.naming import as_state, text_of
from plyforge.errors import BadText
from plyforge.games.catalog import catalog_name
from plyforge.reading import read_json
from plyforge.solve.hidden.history_tree import HistoryTree
from plyforge.solve.hidden.sampled import SampledSolution
from plyforge.solve.hidden.solution import NAMES, HiddenSolution, InformationSet
from plyforge.solve.strategy import identity
from plyforge.solve.table_file import rules_digest
from plyforge.writing import write_file

FORMAT = "plyforge mixed strategy 1"
LARGEST_FILE = 1 << 26
SLACK = 1e-6
"""By which shares may miss 1 together."""
ROUNDING = 1e-12
"""By which they do, if they were written as they are."""
SHOWN = 80
"""Letters that a message repeats of what a file says."""


@dataclass(frozen=True)
class MixedStrategy:
    """What all players do, by information set."""

    game: Game
    using: str
    """How it was found."""
    iterations: int
    value: float | tuple[float, ...]
    """What MAX gets; what everybody gets where that does not say everything."""
    exploitability: float | None
    """None: nobody knows. Such a strategy was learned without a tree, and says nothing of what was not met."""
    information_sets: tuple[InformationSet, ...]

    def at(self, key: Any) -> dict[Any, float] | None:
        """The mix of an information set, by its number (`key_of`); None if the strategy says nothing of it."""
        if "_by_key" not in self.__dict__:
            object.__setattr__(self, "_by_key", {each.key: each.policy for each in self.information_sets})
        found: dict[int, dict[Any, float]] = self.__dict__["_by_key"]
        return found.get(int(key))

    def value_text(self) -> str:
        """The value in a line of text."""
        values = self.value if isinstance(self.value, tuple) else (self.value,)
        return ", ".join(f"{value:.6f}" for value in values)

    def seeing(self, observation: Any, player: int | None = None) -> Iterator[InformationSet]:
        """The information sets in which this is seen; several, where what is remembered makes a difference."""
        for each in self.information_sets:
            if each.observation == observation and player in (None, each.player):
                yield each

    def profile(self, tree: HistoryTree) -> np.ndarray:
        """The mixes by a tree's slots. Raises BadText if it is of another game."""
        found = np.zeros(tree.slots)
        for number, (key, actions) in enumerate(zip(tree.keys.tolist(), tree.actions, strict=True)):
            mix = self.at(key)
            if mix is None or set(mix) != set(actions):
                raise BadText(
                    f"the strategy says nothing of what player {tree.owner[number]} does who sees "
                    f"{text_of(self.game, tree.observations[number])}: solve the whole game for it"
                )
            found[tree.offset[number] : tree.offset[number + 1]] = [mix[action] for action in actions]
        return found

    # ------------------------------------------------------------ as data
    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "format": FORMAT,
            "game": identity(self.game),
            "catalog": _spec(self.game),
            "rules": rules_digest(self.game),
            "using": self.using,
            "iterations": self.iterations,
            "value": self.value,
            "exploitability": self.exploitability,
            "information_sets": [set_to_json(self.game, each) for each in self.information_sets],
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, whole or not at all."""
        write_file(path, json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def of(cls, solution: HiddenSolution | SampledSolution) -> MixedStrategy:
        """What was solved."""
        return cls(
            solution.game, NAMES[solution.using], solution.iterations, solution.value, solution.exploitability,
            solution.information_sets,
        )  # fmt: skip

    @classmethod
    def load(cls, path: str | os.PathLike[str], game: Game) -> MixedStrategy:
        """Read a strategy for `game` from a file. Raises BadText."""
        data = read_json(path, LARGEST_FILE, "a strategy")
        try:
            return cls.from_json(data, game)
        except BadText as error:
            raise BadText(f"{path}: {error}") from None

    @classmethod
    def from_json(cls, data: Any, game: Game) -> MixedStrategy:
        """What `to_json` wrote, for `game`. Raises BadText."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise BadText(f"this is no mixed strategy: an object with format {FORMAT!r} was expected")
        if data.get("game") != identity(game):
            raise BadText(f"the strategy is for {str(data.get('game'))[:SHOWN]}, not for {identity(game)}")
        if data.get("rules") != rules_digest(game):
            raise BadText(
                "the strategy was made with another version of the rules or of Plyforge: its information sets may be"
                " others. Solve the game again"
            )
        entries = data.get("information_sets")
        if not isinstance(entries, list) or not entries:
            raise BadText("information_sets must be a list of what players do")
        sets = tuple(_read_set(game, entry, f"information set {n}") for n, entry in enumerate(entries, 1))
        if len({each.key for each in sets}) < len(sets):
            raise BadText("an information set is there twice")
        iterations = data.get("iterations")
        if type(iterations) is not int or iterations < 0:
            raise BadText(f"iterations is {_shown(iterations)}; it must be a whole number")
        value, exploitability = data.get("value"), data.get("exploitability")
        if isinstance(value, list) and len(value) == game.players:
            value = tuple(_number(each, "value") for each in value)
        else:
            value = _number(value, "value")
        if exploitability is not None:
            exploitability = _number(exploitability, "exploitability")
        return cls(game, str(data.get("using"))[:SHOWN], iterations, value, exploitability, sets)


def _spec(game: Game) -> str | None:
    """How the catalog's game is named with its parameters; None for rules of somebody's own."""
    name = catalog_name(game)
    return None if name is None else f"{name}({str(game).partition('(')[2].rstrip(')')})"


def set_to_json(game: Game, each: InformationSet) -> dict[str, Any]:
    """An information set as plain JSON values."""
    texts = {action: format_action(game, each.observation, action) for action in each.policy}
    return {
        "player": each.player,
        "observation": text_of(game, each.observation),
        "key": f"{each.key:016x}",
        "mix": {texts[action]: share for action, share in each.policy.items()},
        "cost": None if each.cost is None else {texts[action]: cost for action, cost in each.cost.items()},
    }


# ------------------------------------------------------------------ locks
def read_locks(path: str | os.PathLike[str], tree: HistoryTree) -> dict[int, np.ndarray]:
    """The information sets of `tree` that a file of locks fixes, with the shares of their actions. Raises BadText."""
    data = read_json(path, LARGEST_FILE, "locks")
    try:
        return locks_of(data, tree)
    except BadText as error:
        raise BadText(f"{path}: {error}") from None


def locks_of(data: Any, tree: HistoryTree) -> dict[int, np.ndarray]:
    """The same, of what the file says."""
    entries = data.get("locks") if isinstance(data, dict) else None
    if not isinstance(entries, list) or not entries:
        raise BadText("a file of locks is an object with a list `locks`, each with a player, an observation and a mix")
    game, found = tree.game, {}
    for n, entry in enumerate(entries, 1):
        where = f"lock {n}"
        player, seen, mix = _read_mix(game, entry, where)
        numbers = [
            number
            for number, observation in enumerate(tree.observations)
            if tree.owner[number] == player and observation == seen
        ]
        if not numbers:
            raise BadText(f"{where}: player {player} never moves seeing {text_of(game, seen)}")
        for number in numbers:
            if number in found:
                raise BadText(f"{where}: what player {player} does seeing {text_of(game, seen)} is locked already")
            found[number] = np.array([mix.get(action, 0.0) for action in tree.actions[number]])
    return found


# ------------------------------------------------------------------ reading
def observation_of(game: Game, text: Any, player: int) -> Any:
    """What a player sees, as somebody typed it in. Raises BadText for what nobody can see."""
    if not isinstance(text, str):
        raise BadText(f"the observation must be text, not {_shown(text)}")
    try:
        seen = as_state(game, parse_state(game, text))
        again = game.observe(seen, player)
    except BadText:
        raise
    except Exception as error:  # anyone's rules
        raise BadText(f"{_shown(text)} can't be read as an observation: {error}") from error
    if again != seen:
        raise BadText(f"player {player} can't see {_shown(text)}: of such a state it would be {text_of(game, again)}")
    return seen


def _read_mix(game: Game, entry: Any, where: str) -> tuple[int, Any, dict[Any, float]]:
    """Player, observation and mix of an entry; actions that are not named have no share."""
    if not isinstance(entry, dict):
        raise BadText(f"{where} must be an object")
    player, mix = entry.get("player"), entry.get("mix")
    if type(player) is not int or not 0 <= player < game.players:
        raise BadText(f"{where}: player is {_shown(player)}; it must be from 0 to {game.players - 1}")
    try:
        seen = observation_of(game, entry.get("observation"), player)
        if game.terminal(seen) or game.player(seen) != player:
            raise BadText(f"player {player} does not move there")
        texts = {format_action(game, seen, action): action for action in game.actions(seen)}
    except BadText as error:
        raise BadText(f"{where}: {error}") from None
    except Exception as error:  # anyone's rules
        raise BadText(f"{where}: the rules fail there: {error}") from error
    if not isinstance(mix, dict) or not mix:
        raise BadText(f"{where}: mix must be an object with a share for each action")
    unknown = [text for text in mix if text not in texts]
    if unknown:
        raise BadText(f"{where}: {_shown(unknown[0])} can't be done there; there are {', '.join(texts)}")
    shares = {texts[text]: _number(share, f"{where}: the share of {text}") for text, share in mix.items()}
    total = math.fsum(shares.values())
    if min(shares.values()) < 0.0 or abs(total - 1.0) > SLACK:
        raise BadText(f"{where}: shares must be at least 0 and add up to 1; these add up to {total:g}")
    scale = 1.0 if abs(total - 1.0) < ROUNDING else total
    return player, seen, {action: share / scale for action, share in shares.items()}


def _read_set(game: Game, entry: Any, where: str) -> InformationSet:
    player, seen, mix = _read_mix(game, entry, where)
    texts = {format_action(game, seen, action): action for action in game.actions(seen)}
    if len(mix) != len(texts):
        raise BadText(f"{where}: the mix must name all of {', '.join(texts)}")
    cost, key = entry.get("cost"), entry.get("key")
    if cost is not None:
        if not isinstance(cost, dict) or set(cost) != set(texts):
            raise BadText(f"{where}: cost must be null, or a number for each action")
        cost = {texts[text]: _number(each, f"{where}: the cost of {text}") for text, each in cost.items()}
    try:
        number = int(str(key), 16)
    except ValueError:
        number = -1
    if not isinstance(key, str) or not 0 <= number < 1 << 64:
        raise BadText(f"{where}: key is {_shown(key)}; it must be 16 hexadecimal digits")
    return InformationSet(player, seen, mix, cost, number)


def _number(value: Any, what: str) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300:
        return float(value)
    raise BadText(f"{what} is {_shown(value)}; it must be a number")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


__all__ = ["MixedStrategy", "locks_of", "observation_of", "read_locks", "set_to_json"]
