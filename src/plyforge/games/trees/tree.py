"""Any explicit tree as a game: the figures of the lectures, and yours.

A tree is written as nested literals, in Python or in JSON:

    [[3, 12, 8], [2, 4, 6], [14, 5, 2]]                     MAX moves at the top, then MIN, then MAX ...
    [[(1, 6, 6), (7, 1, 2)], [(6, 1, 2), (7, 2, 1)]]        with tuples of three: players 0, 1, 2, 0 ...
    {"max": {"stay": 10, "go": {"chance": [8, 24, -12], "weights": ["1/2", "1/3", "1/6"]}}}

A number is a leaf, worth that to MAX. A tuple of numbers is a leaf with a payoff for each player. A list holds the
children of an inner node, where the next player moves. A dictionary says more:

    {"max": children}    {"min": children}    {"player": 2, "children": children}    {"children": children}
    {"chance": children, "weights": [0.9, 0.1]}             without weights: all equally likely
    {"value": 3, "name": "t4"}    {"payoffs": [1, 6, 6]}    a leaf; JSON has no tuples, so there payoffs are written so

`children` is a list, or a dictionary that gives each action its name. Any node may have a "name"; an inner node may
have an "estimate", which is what a search sees that stops there (by default the middle of the bounds).

What kind of game it is follows from the tree: as many players as its tuples have numbers; without tuples two, MAX and
MIN, or one if only MAX moves. Two payoffs that always add up to the same are a constant-sum game, so that minimax takes
it.

Nodes are numbered level by level, the root is 0, so the children of a node stand side by side. Text of a state: the
node's name, or its number as in `#4`. An action is its name, or its place from 1.

Invariant: child `a` of node n is node `first[n] + a`, and a child's number is larger than its parent's.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import InitVar, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plyforge.contract import CHANCE, MAX, Game, Notation
from plyforge.errors import BadRules, BadText
from plyforge.games.trees.drafts import tables_of
from plyforge.games.trees.figures import FIGURES
from plyforge.plain_text import shown
from plyforge.reading import parse_json, read_text, without_twins

LARGEST_FILE = 8 << 20
"""Bytes of a file: forty for each of so many nodes."""
MAX_LINES = 400
"""Of a picture in text."""
DEFAULT_FIGURE = "minimax_3_2_2"


class Place(NamedTuple):
    """Where we are in the tree."""

    node: int
    """The number of the node."""


class TreeNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: Tree, s: Place) -> str:
        return game.names[s.node] or f"#{s.node}"

    def parse_state(self, game: Tree, text: str) -> Place:
        wanted = text.strip()
        if wanted and wanted in game.names:
            return Place(game.names.index(wanted))
        digits = wanted.removeprefix("#")
        if digits.isascii() and digits.isdigit() and len(digits) < 10 and int(digits) < len(game.names):
            return Place(int(digits))
        named = ", ".join(name for name in game.names[:200] if name)
        known = f"a name ({named}) or a" if named else "a"
        raise BadText(f"there is no node {shown(text)}; nodes have {known} number, #0 to #{len(game.names) - 1}")

    def format_action(self, game: Tree, s: Place, action: int) -> str:
        return game.labels[int(game.first[s.node]) + action]


@dataclass(frozen=True, repr=False)
class Tree(Game):
    """A tree given node by node: `tree([[3, 12, 8], [2, 4, 6]])`, `tree(figure='adversarial')`,
    `tree(file='my.json')`."""

    notation = TreeNotation()

    tree: InitVar[Any] = None
    """Nested literals; see the module's text."""
    figure: InitVar[str] = ""
    """The name of a figure of the lectures; `plyforge.games.trees.figures` has them."""
    file: InitVar[str] = ""
    """The path of a JSON file."""

    text: str = field(init=False)
    """The tree as one line of JSON (and of Python). Equal trees have equal texts."""
    movers: np.ndarray = field(init=False, compare=False)
    """Who moves at each node."""
    first: np.ndarray = field(init=False, compare=False)
    """The number of each node's first child."""
    counts: np.ndarray = field(init=False, compare=False)
    """How many children each node has; none at a leaf."""
    weights: np.ndarray = field(init=False, compare=False)
    """How likely each node is, where its parent is a chance node."""
    payoffs: Any = field(init=False, compare=False)
    """What each leaf is worth, and what each inner node is estimated at: numbers, or a tuple of tuples."""
    names: tuple[str, ...] = field(init=False, compare=False)
    """Of the nodes; empty where a node has none."""
    labels: tuple[str, ...] = field(init=False, compare=False)
    """The name of the action that leads to each node."""

    players: int = field(init=False, compare=False)
    utility_sum: float | None = field(init=False, compare=False)
    min_utility: float = field(init=False, compare=False)
    max_utility: float = field(init=False, compare=False)
    worth_compiling = False

    def __post_init__(self, tree: Any, figure: str, file: str) -> None:
        given = (tree is not None) + (figure != "") + (file != "")
        if given > 1:
            raise BadRules("give a tree, or figure=, or file=, not several of them")
        if file != "":
            tree = _read_file(file)
        elif tree is None:
            tree = _find_figure(figure or DEFAULT_FIGURE)
        for name, value in tables_of(tree).items():
            object.__setattr__(self, name, value)

    @property
    def has_chance(self) -> bool:
        return CHANCE in self.movers

    @classmethod
    def of(cls, tree: Any) -> Tree:
        """The game of a tree written as nested literals."""
        if tree is None:
            raise BadRules("None is not a tree: write nested lists of numbers, as in [[3, 12], [2, 4]]")
        return cls(tree)

    @classmethod
    def from_json(cls, text: str) -> Tree:
        """The game of a tree written as JSON."""
        return cls.of(_parse_json(text, "the text"))

    def to_json(self) -> str:
        """The tree as JSON that `from_json` reads back."""
        return self.text

    def __repr__(self) -> str:
        return f"Tree({self.text})"

    # ------------------------------------------------------------ the rules
    def start(self) -> Place:
        return Place(0)

    def player(self, s: Place) -> int:
        return int(self.movers[s.node])

    def actions(self, s: Place) -> Iterator[int]:
        for action in range(self.counts[s.node]):
            yield action

    def chance(self, s: Place) -> Iterator[tuple[int, float]]:
        for outcome in range(self.counts[s.node]):
            yield outcome, float(self.weights[self.first[s.node] + outcome])

    def result(self, s: Place, action: int) -> Place:
        return Place(int(self.first[s.node]) + action)

    def terminal(self, s: Place) -> bool:
        return bool(self.counts[s.node] == 0)

    def utility(self, s: Place) -> Any:
        return self.payoffs[s.node]

    def evaluate(self, s: Place) -> Any:
        """The node's own estimate."""
        return self.payoffs[s.node]

    def count(self, s: Place) -> int:
        return int(self.counts[s.node])

    # ------------------------------------------------------------ text

    def show(self, s: Place) -> str:
        """The subtree below `s`, one node a line."""
        lines: list[str] = []
        stack = [(s.node, "", "")]
        while stack and len(lines) < MAX_LINES:
            node, before, below = stack.pop()
            lines.append(before + self.describe(node))
            children = range(int(self.first[node]), int(self.first[node] + self.counts[node]))
            for child in reversed(children):
                edge = self.labels[child]
                if self.movers[node] == CHANCE:
                    edge += f" ({self.weights[child]:.4g})"
                corner, rail = ("└─ ", "   ") if child == children[-1] else ("├─ ", "│  ")
                stack.append((child, f"{below}{corner}{edge}: ", below + rail))
        if stack:
            lines.append("... the rest of the tree is not shown")
        return "\n".join(lines)

    def describe(self, node: int) -> str:
        """One node in a few words."""
        name = self.names[node]
        if self.counts[node] == 0:
            value = self.payoffs[node]
            numbers = [f"{float(v):g}" for v in (value if isinstance(value, tuple) else (value,))]
            shown = numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"
            return f"{name} = {shown}" if name else shown
        mover = int(self.movers[node])
        if mover == CHANCE:
            who = "CHANCE"
        elif self.players <= 2:
            who = "MAX" if mover == MAX else "MIN"
        else:
            who = f"player {mover}"
        return f"{who} {name or f'#{node}'}"


def _read_file(file: Any) -> Any:
    if not isinstance(file, (str, Path)):
        raise BadRules(f"file is the path of a JSON file, not {shown(file)}")
    return _parse_json(read_text(file, LARGEST_FILE, "a tree"), str(file))


def _parse_json(text: str, source: str) -> Any:
    tree = parse_json(text, source, object_pairs_hook=without_twins)
    if tree is None:
        raise BadText(f"{source} holds null, which is not a tree")
    return tree


def _find_figure(name: Any) -> Any:
    if name not in FIGURES:
        near = difflib.get_close_matches(str(name), FIGURES, n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise BadRules(f"there is no figure {shown(name)}{hint} There are {', '.join(FIGURES)}")
    return FIGURES[name].tree
