"""Matrix games: everybody chooses once, at the same time, and a table says who gets what.

A table is written as nested literals, in Python or in JSON. For two players, a list for each choice of the first, in it
an entry for each choice of the second:

    [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]                plain numbers: zero-sum, the first player's payoff
    [[(3, 3), (0, 4)], [(4, 0), (1, 1)]]                a number for each player
    {"payoffs": ..., "players": ["row", "column"], "actions": [["cooperate", "defect"], ["cooperate", "defect"]],
    "name": "..."}

For three players and more lists are nested as deep as there are players, and the innermost has a payoff for each. JSON
has no tuples, so there a cell is a list. Numbers may be written as fractions: "1/3".

The game has one state in which all choose at once, and one end for each combination. Text of a state: `-` before the
choice, then the choices: `rock, paper`. Equilibria, dominance and regret are in `plyforge.solve.equilibria`.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Iterator
from dataclasses import InitVar, dataclass, field
from itertools import product
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plyforge.board import Board, Place, Words
from plyforge.contract import SIMULTANEOUS, BoardView, Game, Notation, format_action, format_state
from plyforge.errors import BadRules, BadText
from plyforge.games.simultaneous.classics import CLASSICS
from plyforge.plain_text import number_in, shown
from plyforge.reading import parse_json, read_text, without_twins

DEFAULT = "rock_paper_scissors"
MAX_PLAYERS = 8
MAX_CELLS = 20_000
"""Combinations of choices."""
WIDEST_TABLE = 8
"""Of choices; larger tables are shown as text."""
MAX_PAYOFF = 1e12
"""Beyond it sums would lose what equilibria are told apart by."""
MAX_FILE_BYTES = 8 << 20
KEYS = ("payoffs", "players", "actions", "name")


class Chosen(NamedTuple):
    """What everybody has chosen."""

    choices: tuple[int, ...]
    """One number for each player; -1 before the choice."""


class MatrixNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: Matrix, s: Chosen) -> str:
        return format_action(game, game.start(), s.choices) if game.terminal(s) else "-"

    def parse_state(self, game: Matrix, text: str) -> Chosen:
        if text.strip() == "-":
            return game.start()
        for joint in product(*(range(width) for width in game.widths)):
            if format_action(game, game.start(), joint) == text.strip():
                return Chosen(joint)
        raise BadText(
            f"{shown(text)} is not a state of this game: '-' before the choice, else everybody's choice with commas"
            f" between, as in {format_action(game, game.start(), (0,) * game.players)!r}"
        )

    def format_choice(self, game: Matrix, s: Chosen, player: int, choice: int) -> str:
        return game.choice_names[player][choice]


class MatrixView(BoardView):
    """The picture to point at."""

    def board(self, game: Matrix, s: Chosen) -> Board | None:
        """The table, with a card for each choice at its side; for two players, and tables that can be seen at once."""
        if game.players != 2 or max(game.widths) > WIDEST_TABLE:
            return None
        middle = 0.8 * (game.widths[1] - 1)
        words = [Words(-1.85, -1.0, _who(game, 0), 0.25), Words(middle, -1.75, _who(game, 1), 0.25)]
        places = []
        for player in range(2):
            for choice, name in enumerate(game.choice_names[player]):
                x, y = (-1.85, choice) if player == 0 else (1.6 * choice, -1.0)
                width = 1.9 if player == 0 else 1.5
                tone = 1 if s.choices[player] == choice else 2 + player
                places.append(Place(f"{_who(game, player)}: {name}", x, y, "card", width, 0.8, tone, name))
        for i in range(game.widths[0]):
            for j in range(game.widths[1]):
                chosen = s.choices == (i, j)
                text = _cell(game, game.payoffs[i, j])
                name = f"{game.choice_names[0][i]} and {game.choice_names[1][j]}"
                places.append(Place(name, 1.6 * j, i, "square", 1.6, 1.0, 1 if chosen else 0, text))
        return Board(places, words=words)

    def choice_ways(self, game: Matrix, s: Chosen, player: int, choice: int) -> Iterator[tuple[str, ...]]:
        yield (f"{_who(game, player)}: {game.choice_names[player][choice]}",)


@dataclass(frozen=True, repr=False)
class Matrix(Game):
    """One shot, at once: `matrix(name='prisoners_dilemma')`, `matrix([[1, -1], [-1, 1]])`, `matrix(file='my.json')`."""

    view = MatrixView()

    table: InitVar[Any] = None
    """Nested literals; see the module's text."""
    name: InitVar[str] = ""
    """One of the classics: `plyforge.games.simultaneous.classics` has them."""
    file: InitVar[str] = ""
    """The path of a JSON file."""

    text: str = field(init=False)
    """The table as one line of JSON. Equal tables have equal texts."""
    title: str = field(init=False, compare=False)
    """What the game is called; empty if it has no name."""
    widths: tuple[int, ...] = field(init=False, compare=False)
    """How many choices each player has."""
    cells: Any = field(init=False, compare=False)
    """The payoffs, one cell after the other: numbers where two play for a constant sum, else tuples."""
    choice_names: tuple[tuple[str, ...], ...] = field(init=False, compare=False)
    """What the players' choices are called."""

    notation: Notation = field(init=False, compare=False)
    players: int = field(init=False, compare=False)
    utility_sum: float | None = field(init=False, compare=False)
    min_utility: float = field(init=False, compare=False)
    max_utility: float = field(init=False, compare=False)
    worth_compiling = False

    def __post_init__(self, table: Any, name: str, file: str) -> None:
        given = (table is not None) + (name != "") + (file != "")
        if given > 1:
            raise BadRules("give a table, or name=, or file=, not several of them")
        if file != "":
            table, name = _read_file(file), Path(file).stem
        elif table is None:
            name = name or DEFAULT
            table = _find_classic(name)
        for attribute, value in _build(table, name).items():
            object.__setattr__(self, attribute, value)

    @classmethod
    def of(cls, table: Any) -> Matrix:
        """The game of a table written as nested literals, or as a NumPy array."""
        if table is None:
            raise BadRules("None is not a table: write nested lists of numbers, as in [[1, -1], [-1, 1]]")
        return cls(table)

    @classmethod
    def from_json(cls, text: str) -> Matrix:
        """The game of a table written as JSON."""
        return cls.of(_parse_json(text, "the text"))

    def to_json(self) -> str:
        """The table as JSON that `from_json` reads back."""
        return self.text

    def __repr__(self) -> str:
        return f"Matrix({self.text})"

    @property
    def payoffs(self) -> np.ndarray:
        """All payoffs: `payoffs[i, j, ..., p]` is what player p gets if the choices are i, j, ..."""
        cells = np.array(self.cells, float)
        if cells.ndim == 1:
            cells = np.stack([cells, self.utility_sum - cells], axis=-1)
        return cells.reshape(*self.widths, self.players)

    # ------------------------------------------------------------ the rules
    def start(self) -> Chosen:
        return Chosen((-1,) * self.players)

    def player(self, s: Chosen) -> int:
        return SIMULTANEOUS

    def legal_actions(self, s: Chosen, player: int) -> Iterator[int]:
        for choice in range(self.widths[player]):
            yield choice

    def result(self, s: Chosen, action: tuple[int, ...]) -> Chosen:
        return Chosen(action)

    def terminal(self, s: Chosen) -> bool:
        return s.choices[0] >= 0

    def utility(self, s: Chosen) -> Any:
        cell = 0
        for player in range(self.players):
            cell = cell * self.widths[player] + s.choices[player]
        return self.cells[cell]

    # ------------------------------------------------------------ text

    def show(self, s: Chosen) -> str:
        """The table, and under it what was chosen."""
        rows = _picture(self)
        if self.terminal(s):
            rows.append(f"chosen: {format_state(self, s)}")
        return "\n".join(rows)


# -------------------------------------------------------------------- from literals to a game
def _build(table: Any, name: str) -> dict[str, Any]:
    """The fields of the game of a table. Raises BadRules."""
    given = table if isinstance(table, dict) else {"payoffs": table}
    for key in given:
        if key not in KEYS:
            near = difflib.get_close_matches(str(key), KEYS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(KEYS)}"
            raise BadRules(f"a table has no {shown(key)}: {hint}")
    if "payoffs" not in given:
        raise BadRules("a table needs 'payoffs': nested lists of numbers, as in [[1, -1], [-1, 1]]")
    raw = given["payoffs"].tolist() if isinstance(given["payoffs"], np.ndarray) else given["payoffs"]
    shape = _shape(raw)
    zero_sum = len(shape) == 2
    players = 2 if zero_sum else len(shape) - 1
    if len(shape) < 2:
        raise BadRules(
            "the payoffs are a single list: write a list for each choice of the first player, as in [[1, -1], [-1, 1]]"
        )
    if players > MAX_PLAYERS:
        raise BadRules(f"the payoffs are nested for {players} players; there can be at most {MAX_PLAYERS}")
    if not zero_sum and shape[-1] != players:
        raise BadRules(
            f"lists are nested {len(shape)} deep, so each cell should have a payoff for each of {players} players; "
            f"the first has {shape[-1]}"
        )
    widths = shape[:players]
    if math.prod(widths) > MAX_CELLS:
        raise BadRules(f"the table has {math.prod(widths):,} cells; there can be at most {MAX_CELLS:,}")
    numbers: list[float] = []
    _flatten(raw, shape, "payoffs", numbers)
    cells: Any = np.array(numbers)
    total: float | None = 0.0
    if not zero_sum:
        rows = cells.reshape(-1, players)
        sums = [math.fsum(row) for row in rows]
        total = sums[0] if len(set(sums)) == 1 else None
        cells = tuple(tuple(float(part) for part in row) for row in rows)
        if players == 2 and total is not None:
            cells = rows[:, 0].copy()
    everyone = np.array(numbers) if not zero_sum else np.concatenate([numbers, [-part for part in numbers]])
    labels = _names(given.get("actions"), widths)
    title = _title(given.get("name"), name)
    who = _player_names(given.get("players"), players)
    text = {"payoffs": raw, "players": list(who), "actions": [list(row) for row in labels]}
    return {
        "text": json.dumps(text, default=str),
        "title": title,
        "widths": widths,
        "cells": cells,
        "choice_names": labels,
        "players": players,
        "notation": MatrixNotation(who),
        "utility_sum": total,
        "min_utility": float(everyone.min()),
        "max_utility": float(everyone.max()),
    }


def _shape(raw: Any) -> tuple[int, ...]:
    """How deep the lists are nested and how long they are, as their first items say."""
    shape = []
    while isinstance(raw, (list, tuple)):
        if not raw:
            raise BadRules("the payoffs have an empty list: every player needs at least one choice")
        shape.append(len(raw))
        raw = raw[0]
        if len(shape) > MAX_PLAYERS + 1:
            break
    return tuple(shape)


def _flatten(raw: Any, shape: tuple[int, ...], where: str, numbers: list[float]) -> None:
    """All numbers in order; every list as long as the first one of its level."""
    if not shape:
        numbers.append(_number(raw, where))
        return
    if not isinstance(raw, (list, tuple)):
        raise BadRules(f"{where} is {shown(raw)}, where a list of {shape[0]} was expected, as in the first one")
    if len(raw) != shape[0]:
        raise BadRules(
            f"{where} has {len(raw)} entries, but the first list of its kind has {shape[0]}: rows must be of one length"
        )
    for index, item in enumerate(raw):
        _flatten(item, shape[1:], f"{where}[{index}]", numbers)


def _number(raw: Any, where: str) -> float:
    number: Any = raw
    if isinstance(raw, str):
        try:
            number = number_in(raw)
        except (ValueError, ZeroDivisionError):
            raise BadRules(f"{where} is {shown(raw)}, not a number: write 2, 0.5 or '1/3'") from None
    if isinstance(number, bool) or not isinstance(number, Real):
        raise BadRules(f"{where} is {shown(raw)}, not a number")
    try:
        value = float(number)
    except OverflowError:
        value = math.inf
    if not abs(value) <= MAX_PAYOFF:
        raise BadRules(f"{where} is {shown(raw)}; payoffs must be numbers from {-MAX_PAYOFF:g} to {MAX_PAYOFF:g}")
    return value


def _names(given: Any, widths: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
    """The names of everybody's choices; without any, numbers from 1."""
    if given is None:
        return tuple(tuple(str(number + 1) for number in range(width)) for width in widths)
    if not isinstance(given, (list, tuple)) or len(given) != len(widths):
        raise BadRules(f"'actions' must be a list of names for each of the {len(widths)} players")
    found = []
    for player, (names, width) in enumerate(zip(given, widths, strict=True)):
        if not isinstance(names, (list, tuple)) or len(names) != width:
            raise BadRules(
                f"player {player} has {width} choices in the payoffs, so actions[{player}] must name {width}"
            )
        for name in names:
            if not isinstance(name, str) or not name.strip() or "," in name or "\n" in name:
                raise BadRules(f"actions[{player}] has the name {shown(name)}: a name is a short text without commas")
        if len({name.lower() for name in names}) != width:
            raise BadRules(f"actions[{player}] has a name twice: {', '.join(names)}")
        found.append(tuple(name.strip() for name in names))
    return tuple(found)


def _player_names(given: Any, players: int) -> tuple[str, ...]:
    if given is None or given == []:
        return ()
    if not isinstance(given, (list, tuple)) or len(given) != players:
        raise BadRules(f"'players' must be a list of {players} names: that is how deep the payoffs are nested")
    for name in given:
        if not isinstance(name, str) or not name.strip() or "\n" in name:
            raise BadRules(f"a player is called {shown(name)}: a name is a short text")
    return tuple(name.strip() for name in given)


def _title(given: Any, name: str) -> str:
    if given is None:
        return name
    if not isinstance(given, str) or "\n" in given:
        raise BadRules(f"the table's name is {shown(given)}: a name is a short text")
    return given.strip()


def _find_classic(name: str) -> Any:
    wanted = name.strip().lower().replace("-", "_").replace(" ", "_").replace("'", "")
    if wanted in CLASSICS:
        return CLASSICS[wanted]
    near = difflib.get_close_matches(wanted, CLASSICS, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}? " if near else ""
    raise BadRules(f"there is no matrix game called {shown(name)}: {hint}there are {', '.join(CLASSICS)}")


def _read_file(file: str) -> Any:
    return _parse_json(read_text(file, MAX_FILE_BYTES, "a payoff table"), file)


def _parse_json(text: str, source: str) -> Any:
    def no_number(word: str) -> float:
        raise BadText(f"{source} has {word} among its numbers: payoffs must be finite")

    table = parse_json(text, source, parse_constant=no_number, object_pairs_hook=without_twins)
    if not isinstance(table, (list, dict)):
        raise BadText(f"{source} is {text.strip()[:40]!r}: a payoff table is a list of lists, or has 'payoffs'")
    return table


# -------------------------------------------------------------------- pictures
def _picture(game: Matrix) -> list[str]:
    """Tables of two dimensions, one for each combination of what players beyond the second choose."""
    rows: list[str] = []
    if game.players == 2:
        return _grid(game, ())
    for rest in product(*(range(width) for width in game.widths[2:])):
        named = [f"{_who(game, 2 + at)} {game.choice_names[2 + at][choice]}" for at, choice in enumerate(rest)]
        rows += [f"if {', '.join(named)}:", *_grid(game, rest), ""]
    return rows[:-1]


def _who(game: Matrix, player: int) -> str:
    return game.notation.player_names[player] if game.notation.player_names else f"player {player}"


def _grid(game: Matrix, rest: tuple[int, ...]) -> list[str]:
    payoffs = game.payoffs
    across = game.choice_names[1]
    body = []
    for i, name in enumerate(game.choice_names[0]):
        cells = [payoffs[(i, j, *rest)] for j in range(len(across))]
        body.append([name, *(_cell(game, cell) for cell in cells)])
    grid = [["", *across], *body]
    widths = [max(len(row[column]) for row in grid) for column in range(len(grid[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in grid
    ]


def _cell(game: Matrix, cell: np.ndarray) -> str:
    return (
        f"{cell[0]:g}" if game.players == 2 and game.utility_sum is not None else " ".join(f"{part:g}" for part in cell)
    )
