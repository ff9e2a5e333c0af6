"""The tree that a search walked: nodes with their windows and values, cuts with their reasons, events in order.

It is made by `plyforge.search.trace.recorder`, drawn by `plyforge.draw`, and kept as JSON. All of a tree's values are
the same
player's, the one that `Result.player` names. A value is EXACT, or a bound; "exact" is always within the depth that was
searched.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from plyforge.contract import CHANCE, MAX, Game, format_state, legal_moves
from plyforge.search.core.base import Search
from plyforge.search.core.result import Result

EXACT, LOWER, UPPER = "exact", "lower", "upper"
"""What a value says: this much, at least this much, at most this much."""

UTILITY, ESTIMATE, BACKED_UP, UNVISITED, LEFT_OUT, KNOWN, AHEAD = (
    "utility",
    "estimate",
    "backed up",
    "unvisited",
    "left out",
    "known",
    "ahead",
)
"""Where a value comes from: the rules, an evaluation at the horizon, the children; nowhere (never looked at); from
children that are not in the recording, because its limit was reached; from the engine's table, or what the rules
know early; or nowhere yet, where a recording is shown at a moment before its end."""

CHOOSES_LARGEST, CHOOSES_SMALLEST, CHOOSES_OWN, AVERAGES = "largest", "smallest", "own", "average"
"""What a node does with its children's values: takes the largest, the smallest, the mover's own best, or the mean."""

LIMIT = 100_000
"""How many nodes a recording keeps, unless told otherwise."""
COUNTABLE = 1_000_000
"""Trees up to this size are counted, to say what a search without cuts would have visited."""


class InformationSet(NamedTuple):
    """What a player can't tell apart."""

    number: int
    player: int
    seen: str
    """What the player sees there, as text."""
    size: int
    """How many histories look so."""


@dataclass(eq=False)
class Node:
    """One visit of a state, or an action that was not looked at. Two visits of one state are two nodes."""

    state: Any
    """The state; None if the tree was read from a file without its game."""
    player: int | None
    """Who moves: 0 is MAX, 1 MIN, -1 CHANCE; None where the game is over."""
    game: Game | None = field(default=None, repr=False)
    """Whose state it is; None if the tree was read from a file without its game."""
    written_state: str | None = field(default=None, repr=False)
    """The state's text, once it is known; ask `state_text`."""
    parent: Node | None = field(default=None, repr=False)
    """The node above; None at the root."""
    ply: int = 0
    """How many actions led here from the root."""
    depth: int | None = None
    """How many plies were still to look; None in a search to the end of the game."""
    action: Any = None
    """What led here; None at the root."""
    action_text: str = ""
    """The same as text."""
    index: int | None = None
    """Which of the parent's actions (or outcomes) it is, from 0."""
    probability: float | None = None
    """Of that action, where the parent is a chance node or an opponent modelled by a policy."""
    chooses: str | None = None
    """What is done with the children's values: "largest", "smallest", "own" or "average"; None at a leaf."""
    modelled: bool = False
    """True if the player is not taken to choose, but to follow a policy (expectimax's opponents)."""
    windows: list[tuple[float, float]] = field(default_factory=list, repr=False)
    """(alpha, beta) at entry, then after each change; empty if the node was not visited."""
    value: Any = None
    """What it is worth: a number, a tuple of everyone's, or None if nobody looked."""
    bound: str = EXACT
    """What the value says: "exact", "lower" (at least) or "upper" (at most)."""
    source: str = UNVISITED
    """Where the value comes from: "utility", "estimate", "backed up", "left out"; or "unvisited"."""
    order: int | None = None
    """When it was visited: the root is 1. None if it was not visited, or not recorded."""
    children: list[Node] = field(default_factory=list, repr=False)
    """In the order of visits; after a cut, the actions that were not looked at come last."""
    best: Node | None = field(default=None, repr=False)
    """The child that was chosen (or that caused the cut); None if none was inside the window, or nobody chooses."""
    on_line: bool = False
    """True along the best line."""
    cut: Cut | None = field(default=None, repr=False)
    """Why the rest of the actions were not looked at; None if all were."""
    left_out: int = 0
    """With source "left out": how many nodes, this one included, were visited here and not recorded."""
    technique: str = ""
    """The engine's technique that gave the value, or for which the action was not looked at, or looked at less deep:
    "null move pruning", "late move reduction by 2 plies"."""
    information: InformationSet | None = None
    """Where parts of states are hidden: the information set of who moves; None elsewhere."""
    belief: float | None = None
    """There: how likely its player, who is in that information set, takes this history to be."""
    visits: int | None = None
    """In a tree that simulations made: how many went through here; the value is their mean."""

    @property
    def state_text(self) -> str:
        """The state as one line of text; written when it is first wanted, since some games take their time."""
        if self.written_state is None:
            self.written_state = "" if self.game is None else format_state(self.game, self.state)
        return self.written_state

    @property
    def visited(self) -> bool:
        """False for an action that was not looked at, or not yet."""
        return self.source not in (UNVISITED, AHEAD)

    @property
    def alpha(self) -> float:
        """What the maximising side was sure of when the node was entered."""
        return self.windows[0][0] if self.windows else -math.inf

    @property
    def beta(self) -> float:
        """What the minimising side was sure of when the node was entered."""
        return self.windows[0][1] if self.windows else math.inf

    @property
    def leaf(self) -> bool:
        """True if it was visited and has nothing below."""
        return self.source in (UTILITY, ESTIMATE)

    def ancestors(self) -> Iterator[Node]:
        """The nodes above this one, the nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def path(self) -> list[str]:
        """The texts of the actions that lead here from the root."""
        texts = [node.action_text for node in (self, *self.ancestors()) if node.parent is not None]
        return texts[::-1]

    def below(self) -> Iterator[Node]:
        """This node and everything below it, parents before children, left to right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


@dataclass(eq=False)
class Cut:
    """Why a node's remaining actions could not matter."""

    side: str
    """Which bound was met: "alpha" or "beta"."""
    limit: float
    """That bound."""
    value: float
    """The node's value so far, which is on the wrong side of it."""
    ancestor: Node | None
    """Whose choice set the bound; None if the search was started with it."""
    choice: Node | None
    """The ancestor's child that it would rather go to."""
    skipped: list[Node] = field(default_factory=list)
    """The actions that were not looked at."""
    reason: str = ""
    """All this as a sentence."""


class Event(NamedTuple):
    """One step of the search; in order, they replay it."""

    kind: str
    """"enter", "child" (one has come back), "better" (it is the best so far), "cut" (also if it was the last action,
    so that nothing is cut) or "leave"."""
    node: Node
    """Where it happens."""
    child: Node | None
    """The child concerned; None for "enter" and "leave"."""
    value: Any
    """The child's value, or the node's for "cut" and "leave"; None for "enter"."""
    alpha: float
    """The window after the step."""
    beta: float


@dataclass(frozen=True)
class Counters:
    """How much was looked at."""

    nodes: int
    """States visited, the root among them."""
    leaves: int
    """Of those, ends of the game and estimates at the horizon."""
    cuts: int
    """Nodes where at least one action was not looked at."""
    without_cuts: int | None
    """What plain minimax visits within the same depth; None if that is more than a million."""


@dataclass(eq=False)
class RecordedTree:
    """A recorded search."""

    root: Node
    result: Result
    """What the search answered."""
    players: int = 2
    """How many players the game has."""
    windowed: bool = False
    """True if the search narrows a window: otherwise alpha and beta say nothing."""
    events: list[Event] = field(default_factory=list, repr=False)
    """Every step of the search on the recorded nodes."""
    left_out: int = 0
    """How many nodes were visited but not recorded, because of the recorder's limit."""
    hero: int | None = None
    """In a solution tree, the player whose value is proven; otherwise None."""
    game: Game | None = field(default=None, repr=False)
    """None if the tree was read from a file without its game."""
    search: Search | None = field(default=None, repr=False)
    """The search, as far as the recorder knows it."""
    counted: Counters | None = field(default=None, repr=False)
    """The counters, where they are known already; ask `counters`."""

    @property
    def line(self) -> tuple[Any, ...]:
        """The best line, as actions."""
        return self.result.line

    @property
    def value(self) -> Any:
        """What the root is worth."""
        return self.root.value

    def nodes(self) -> Iterator[Node]:
        """Every node, also those not looked at, parents before children, left to right."""
        return self.root.below()

    def take_apart(self) -> None:
        """Undo all links between nodes, of a tree that nobody needs any more: they lead round in circles, which
        Python frees only when it next looks for some."""
        for node in list(self.nodes()):
            node.parent = node.best = node.cut = None
            node.children = []

    def visits(self) -> list[Node]:
        """The recorded nodes in the order in which they were visited."""
        found = [node for node in self.nodes() if node.order is not None]
        return sorted(found, key=lambda node: node.order or 0)

    @cached_property
    def counters(self) -> Counters:
        """How much was looked at, and how much there would have been without cuts."""
        known = self.counted
        if known is None:
            inside = [node for node in self.nodes() if node.visited]
            known = Counters(
                nodes=len(inside),
                leaves=sum(node.leaf for node in inside),
                cuts=sum(node.cut is not None for node in inside),
                without_cuts=None,
            )
        if known.without_cuts is None and self.hero is None:
            if known.cuts == 0:
                known = replace(known, without_cuts=known.nodes)
            elif self.game is not None:
                depth = self.root.depth
                known = replace(known, without_cuts=count_nodes(self.game, self.root.state, depth, COUNTABLE))
        return known

    def name_of(self, player: int | None) -> str:
        """A player's name in pictures and sentences."""
        return player_name(player, self.players)

    def text(self) -> str:
        """What was done and found, in one line."""
        found, root = self.result, self.root
        if self.hero is not None:
            word = "at most" if root.chooses == CHOOSES_SMALLEST else "at least"
            return f"solution tree: {self.name_of(self.hero)} makes sure of {word} {show_value(root.value)}"
        counters = self.counters
        parts = [found.using.replace("_", "-") or "search"]
        if root.depth is not None:
            parts.append(f"depth {root.depth}")
        whose = "" if found.player in (None, MAX) else f" to {self.name_of(found.player)}"
        parts.append(f"value {show_value(root.value)}{whose}")
        if found.action is not None:
            parts.append(f"best {found.text(found.action)}")
        nodes = _plural(counters.nodes, "node")
        if counters.cuts and counters.without_cuts is not None:
            nodes += f" ({counters.without_cuts:,} without cuts)"
        parts.append(nodes)
        if counters.cuts:
            parts.append(_plural(counters.cuts, "cut"))
        return ", ".join(parts)


def mark_line(tree: RecordedTree) -> None:
    """Mark the nodes of the best line."""
    node = tree.root
    node.on_line = True
    for action in tree.result.line:
        following = [child for child in node.children if child.visited and child.action == action]
        if not following:
            return
        node = following[-1]
        node.on_line = True


def player_name(player: int | None, players: int) -> str:
    """MAX and MIN; with another number of players P1, P2 ... in the order of the tuple."""
    if player is None:
        return "nobody"
    if player == CHANCE:
        return "chance"
    if players <= 2:
        return "MAX" if player == MAX else "MIN"
    return f"P{player + 1}"


def show_value(value: Any) -> str:
    """A value for reading: whole numbers in full, others to three decimals, tuples in parentheses."""
    if isinstance(value, tuple):
        return "(" + ", ".join(show_value(part) for part in value) + ")"
    if value is None:
        return "?"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if math.isnan(value):
        return "nan"
    if value == int(value) and abs(value) < 1e12:
        return str(int(value))
    if 0.001 <= abs(value) < 1e6:
        rounded = f"{value:.3f}".rstrip("0").rstrip(".")
        return rounded if "." in rounded else f"{value:.10g}"  # 0.9999 is not 1
    return f"{value:.6g}"


def count_nodes(game: Game, state: Any, depth: int | None, at_most: int) -> int | None:
    """How many nodes a search without cuts visits, within `depth` plies; None if more than `at_most`.

    Level by level; a state that is reached in several ways is looked at once and counted as often.
    """
    number, ply = 1, 0
    level = [(state, 1)]
    while level and ply != depth and number <= at_most:
        ply += 1
        below: dict[Any, int] = {}
        unhashable: list[tuple[Any, int]] = []
        for state, ways in level:
            if game.terminal(state):
                continue
            legal = legal_moves(game, state)
            number += ways * len(legal)
            if number > at_most:
                return None
            if ply == depth:
                continue
            for action in legal:
                following = game.result(state, action)
                try:
                    below[following] = below.get(following, 0) + ways
                except TypeError:
                    unhashable.append((following, ways))
        level = [*below.items(), *unhashable]
    return number


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
