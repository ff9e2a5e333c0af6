"""Record a search: the tree that an algorithm really walked, with its windows, its cuts, and why it cut.

    tree = record(game, using="alpha_beta", depth=3)
    tree.root.children[0].value, tree.line, tree.counters

`Recorder` is a watcher (see `plyforge.kernel.watch`): it notes every enter, child, better, cut and leave of *the* kernel,
run interpreted, and does what the ordinary watcher does besides, so the search returns the same `Result`. Afterwards the
trace is read into a tree of `Node`s, and into a list of `Event`s that can be stepped through.

Claim: nothing here searches. Each number in the tree was passed to the watcher by the kernel; only its point of view is
changed, so that all of a tree's values are the same player's, the one that `Result.player` names (negamax's
own numbers belong to whoever moved last).

A value is EXACT, or a bound. A bound's direction is worked out from the children: the largest of some lower bounds is a
lower bound, and so on; with a node's every action looked at, alpha-beta's value may be exact although it is outside
the window. "Exact" is always within the depth that was searched.

`solution_tree` is what alpha-beta is said not to give: the part of the tree that proves the value. For the hero, whoever
moves at the root, one action in each of the hero's states and every reply in all others. The actions that a cut left out
are of two kinds. At a hero's node they are further ways to do well, and one is enough. At an opponent's node they are
further ways to hurt the hero, but then the value is a bound from the hero's wrong side, and such a node is
never chosen by the hero. So the proof is always inside the recorded tree; what the recorder's limit left out is searched again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

from plyforge.errors import PlyforgeError, Unsuitable
from plyforge.game import CHANCE, MAX, Game
from plyforge.kernel import RUNNING, Principal, PrincipalTuple
from plyforge.search.alpha_beta import AlphaBeta
from plyforge.search.base import Search
from plyforge.search.expectimax import Expectimax, hero_at
from plyforge.search.minimax import Minimax
from plyforge.search.negamax import Negamax
from plyforge.search.paranoid import Paranoid
from plyforge.search.result import Result
from plyforge.search.windowed import Windowed

EXACT, LOWER, UPPER = "exact", "lower", "upper"
"""What a value says: this much, at least this much, at most this much."""

UTILITY, ESTIMATE, BACKED_UP, UNVISITED, LEFT_OUT = (
    "utility",
    "estimate",
    "backed up",
    "unvisited",
    "left out",
)
"""Where a value comes from: the rules, an evaluation at the horizon, the children; nowhere (never looked at); or from
children that are not in the recording, because its limit was reached."""

CHOOSES_LARGEST, CHOOSES_SMALLEST, CHOOSES_OWN, AVERAGES = "largest", "smallest", "own", "average"
"""What a node does with its children's values: takes the largest, the smallest, the mover's own best, or the mean."""

LIMIT = 100_000
"""How many nodes a recording keeps, unless told otherwise."""
COUNTABLE = 1_000_000
"""Trees up to this size are counted, to say what a search without cuts would have visited."""


# -------------------------------------------------------------------------------------------------- the tree
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

    @property
    def state_text(self) -> str:
        """The state as one line of text; written when it is first wanted, since some games take their time."""
        if self.written_state is None:
            self.written_state = "" if self.game is None else self.game.format_state(self.state)
        return self.written_state

    @property
    def visited(self) -> bool:
        """False for an action that was not looked at."""
        return self.source != UNVISITED

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

    def path(self) -> list[str]:
        """The texts of the actions that lead here from the root."""
        texts: list[str] = []
        node: Node | None = self
        while node is not None and node.parent is not None:
            texts.append(node.action_text)
            node = node.parent
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
    """ "enter", "child" (one has come back), "better" (it is the best so far), "cut" or "leave"."""
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
            legal = game.legal(state)
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


# -------------------------------------------------------------------------------------------------- the watcher
@dataclass(eq=False)
class _Trace:
    """What one call of the kernel told, in its own numbers."""

    memory: Any
    steps: list[tuple[Any, ...]] = field(default_factory=list)
    nodes: int = 0
    leaves: int = 0
    cuts: int = 0
    kept: int = 0
    path: list[list[Any]] = field(default_factory=list)
    """For each open node its state and how many of its children have come back."""
    skipping: int = 0
    """How many of the open nodes are not recorded."""
    skipped: int = 0
    """How many nodes were passed over since the last recorded one."""


class Recorder(PrincipalTuple):
    """Watches a search and keeps its tree: `found = pf.search(game, ..., watch=recorder)`, then `recorder.tree(found)`.

    `limit` bounds the memory: after so many nodes only the root's own children are still recorded, the search goes on, and
    the tree says how many nodes were left out, and where. `search` is the search object, needed only to know
    the policy that expectimax takes the opponents to follow; `record` passes it.
    When a search deepens (depth 1, 2, 3 ...), the last finished depth is kept.
    """

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __init__(self, game: Game, search: Search | None = None, limit: int | None = LIMIT) -> None:
        self.game = game
        self.search = search
        self.limit = math.inf if limit is None else limit
        self._current: _Trace | None = None
        self._finished: list[_Trace] = []

    # ------------------------------------------------------------ the protocol of watchers
    def enter(self, memory: Any, state: Any, depth: int, alpha: float, beta: float) -> None:
        super().enter(memory, state, depth, alpha, beta)
        if self._current is None or self._current.memory is not memory:
            self._current = _Trace(memory)
        trace = self._current
        trace.nodes += 1
        trace.path.append([state, 0])
        if trace.skipping or (trace.kept >= self.limit and len(trace.path) > 2):
            trace.skipping += 1
            trace.skipped += 1
            return
        trace.kept += 1
        trace.steps.append(("enter", state, depth, alpha, beta))

    def child(self, memory: Any, depth: int, index: int, value: Any) -> None:
        if isinstance(value, tuple):
            PrincipalTuple.child(self, memory, depth, index, value)
        else:
            Principal.child(self, memory, depth, index, value)
        trace = self._current
        assert trace is not None
        trace.path[-1][1] += 1
        if not trace.skipping:
            trace.steps.append(("child", index, value, trace.skipped))
            trace.skipped = 0

    def better(self, memory: Any, depth: int, index: int) -> None:
        super().better(memory, depth, index)
        trace = self._current
        assert trace is not None
        if not trace.skipping:
            trace.steps.append(("better", index))

    def cut(self, memory: Any, depth: int, index: int, value: float, alpha: float, beta: float) -> None:
        super().cut(memory, depth, index, value, alpha, beta)
        trace = self._current
        assert trace is not None
        trace.cuts += index + 1 < self.game.count(trace.path[-1][0])
        if not trace.skipping:
            trace.steps.append(("cut", index, value, alpha, beta))

    def leave(self, memory: Any, depth: int, value: Any) -> None:
        super().leave(memory, depth, value)
        trace = self._current
        assert trace is not None
        _, children = trace.path.pop()
        trace.leaves += children == 0
        if trace.skipping:
            trace.skipping -= 1
        else:
            trace.steps.append(("leave", value))
        if not trace.path:
            # The clock may still declare this one unfinished, so the one before is kept as well.
            self._finished = [*self._finished[-1:], trace]
            self._current = None

    # ------------------------------------------------------------ what was recorded
    def tree(self, result: Result) -> RecordedTree:
        """The tree of the search that gave `result`."""
        finished = [trace for trace in self._finished if trace.memory.stop == RUNNING]
        if not finished:
            raise PlyforgeError(
                "nothing was recorded: pass the recorder to a search first, pf.search(..., watch=recorder)"
            )
        return _Reader(self.game, self.search, finished[-1], result).read()


def record(
    game: Game,
    state: Any = None,
    using: str | Search | None = None,
    depth: int | None = None,
    *,
    limit: int | None = LIMIT,
    evaluate: Any = None,
    policy: Any = None,
    all_best: bool = False,
    **parameters: Any,
) -> RecordedTree:
    """Search as `pf.search` does, with the same parameters, and keep the tree (at most `limit` nodes of it).

    Left to itself it uses alpha-beta, or what suits the game where alpha-beta does not.
    """
    from plyforge.search import make_search, search

    chosen = make_search(using, game, evaluate=evaluate, policy=policy, all_best=all_best)
    recorder = Recorder(game, search=chosen, limit=limit)
    found = search(game, state, chosen, depth=depth, watch=recorder, **parameters)
    return recorder.tree(found)


# -------------------------------------------------------------------------------------------------- from trace to tree
@dataclass(eq=False)
class _Frame:
    """An open node while the trace is read."""

    node: Node
    alpha: float
    beta: float
    alpha_choice: Node | None
    """The child (of this node or of one above) whose value alpha is; its parent set the bound."""
    beta_choice: Node | None
    options: list[tuple[Any, float | None]] | None = None
    """All actions with their probabilities, once they are needed."""
    latest: dict[int, Node] = field(default_factory=dict)
    """By index, the last child that came back."""
    arriving: Node | None = None
    """The child that has been left and not yet counted."""


class _Reader:
    """Reads a trace into a tree; see the module's text for what it claims."""

    def __init__(self, game: Game, search: Search | None, trace: _Trace, result: Result) -> None:
        from plyforge.search import SEARCHES

        self.game, self.trace, self.result = game, trace, result
        self.knows_policy = search is not None
        if search is None and result.using in SEARCHES:
            search = SEARCHES[result.using]()
        self.search = search
        self.root_state = trace.steps[0][1]
        self.hero = hero_at(game, self.root_state)
        if isinstance(search, Expectimax):
            self.hero = search.window(game, self.root_state)[-1]
        self.unlimited = bool(trace.memory.unlimited)
        self.frames: list[_Frame] = []
        self.events: list[Event] = []
        self.entered = 0
        if search is None:
            self.windowed = any(step[0] == "cut" for step in trace.steps)
        else:
            self.windowed = isinstance(search, Windowed)

    def read(self) -> RecordedTree:
        root: Node | None = None
        for kind, *rest in self.trace.steps:
            left = getattr(self, "_" + kind)(*rest)
            if kind == "leave" and not self.frames:
                root = left
        assert root is not None
        tree = RecordedTree(
            root=root,
            result=self.result,
            players=self.game.players,
            windowed=self.windowed,
            events=self.events,
            left_out=self.trace.nodes - self.trace.kept,
            game=self.game,
            search=self.search,
            counted=Counters(self.trace.nodes, self.trace.leaves, self.trace.cuts, None),
        )
        _mark_line(tree)
        for node in tree.nodes():
            if node.cut is not None:
                node.cut.reason = _reason(tree, node, node.cut)
        return tree

    # ------------------------------------------------------------ one method a step
    def _enter(self, state: Any, depth: int, alpha: float, beta: float) -> None:
        above = self.frames[-1] if self.frames else None
        node = self._node(state, above)
        node.depth = None if self.unlimited else depth
        node.windows = [(alpha, beta)]
        node.source = UTILITY if node.player is None else ESTIMATE if depth == 0 else BACKED_UP
        self.entered += 1
        node.order = self.entered
        self.frames.append(
            _Frame(
                node,
                alpha,
                beta,
                above.alpha_choice if above is not None else None,
                above.beta_choice if above is not None else None,
            )
        )
        self._note("enter", None, None)

    def _child(self, index: int, value: Any, skipped: int) -> None:
        frame = self.frames[-1]
        action, probability = self._options(frame)[index]
        child = frame.arriving
        if child is None:
            child = self._node(self.game.result(frame.node.state, action), frame)
            child.source, child.left_out = LEFT_OUT, skipped
            child.depth = None if frame.node.depth is None else frame.node.depth - 1
            child.value = self._shown(value, frame)
            child.bound = _bound_by_window(child.value, frame.alpha, frame.beta)
        frame.arriving = None
        self._attach(frame, child, index, action, probability)
        frame.latest[index] = child
        self._note("child", child, child.value)

    def _better(self, index: int) -> None:
        frame = self.frames[-1]
        child = frame.latest[index]
        frame.node.best = child
        if self.windowed:
            if frame.node.chooses == CHOOSES_LARGEST:
                frame.alpha, frame.alpha_choice = child.value, child
            else:
                frame.beta, frame.beta_choice = child.value, child
            frame.node.windows.append((frame.alpha, frame.beta))
        self._note("better", child, child.value)

    def _cut(self, index: int, value: float, alpha: float, beta: float) -> None:
        frame = self.frames[-1]
        node, child = frame.node, frame.latest[index]
        node.best = child
        if node.chooses == CHOOSES_LARGEST:
            side, limit, choice = "beta", beta, frame.beta_choice
        else:
            side, limit, choice = "alpha", alpha, frame.alpha_choice
        cut = Cut(side, limit, value, choice.parent if choice is not None else None, choice)
        for number, (action, probability) in enumerate(self._options(frame)):
            if number not in frame.latest:
                skipped = self._node(self.game.result(node.state, action), frame)
                skipped.depth = None if node.depth is None else node.depth - 1
                self._attach(frame, skipped, number, action, probability)
                cut.skipped.append(skipped)
        if cut.skipped:
            node.cut = cut
        self._note("cut", child, value)

    def _leave(self, value: Any) -> Node:
        frame = self.frames[-1]
        node = frame.node
        above = self.frames[-2] if len(self.frames) > 1 else None
        node.value = self._shown(value, above if above is not None else frame)
        if frame.latest:
            node.bound = _bound_by_children(node, frame) or _bound_by_window(node.value, *node.windows[0])
        self._note("leave", None, node.value)
        self.frames.pop()
        if above is not None:
            above.arriving = node
        return node

    # ------------------------------------------------------------ parts of those
    def _note(self, kind: str, child: Node | None, value: Any) -> None:
        frame = self.frames[-1]
        self.events.append(Event(kind, frame.node, child, value, frame.alpha, frame.beta))

    def _node(self, state: Any, above: _Frame | None) -> Node:
        game = self.game
        player = None if game.terminal(state) else int(game.player(state))
        node = Node(state, player, game)
        if above is not None:
            node.parent, node.ply = above.node, above.node.ply + 1
        node.chooses, node.modelled = self._what_it_does(player)
        return node

    def _attach(self, frame: _Frame, child: Node, index: int, action: Any, probability: float | None) -> None:
        child.index, child.action, child.probability = index, action, probability
        child.action_text = self.game.format_action(frame.node.state, action)
        frame.node.children.append(child)

    def _options(self, frame: _Frame) -> list[tuple[Any, float | None]]:
        if frame.options is None:
            state, player = frame.node.state, frame.node.player
            if player == CHANCE:
                frame.options = list(self.game.chance(state))
            elif frame.node.modelled and isinstance(self.search, Expectimax) and self.knows_policy:
                frame.options = list(self.search.policy.replies(self.game, state))
            else:
                frame.options = [(action, None) for action in self.game.actions(state)]
        return frame.options

    def _what_it_does(self, player: int | None) -> tuple[str | None, bool]:
        """How a node with this player makes its value, as seen in the values that are shown."""
        if player is None:
            return None, False
        if player == CHANCE:
            return AVERAGES, False
        if self.result.player is None:
            return CHOOSES_OWN, False
        if isinstance(self.search, Expectimax) and player != self.hero:
            return AVERAGES, True
        return CHOOSES_LARGEST if player == self.result.player else CHOOSES_SMALLEST, False

    def _shown(self, value: Any, frame: _Frame) -> Any:
        """The kernel's number, as it came back to `frame`'s node, turned into the value of the tree's player."""
        if isinstance(value, tuple):
            return tuple(float(part) for part in value)
        if isinstance(self.search, Negamax):
            if frame.node.player in (None, MAX):
                return float(value)
            return float((self.game.total or 0.0) - value)
        if self.search is None:
            return float(value)
        return float(self.search.read_value(self.game, self.root_state, value))


def _bound_by_window(value: Any, alpha: float, beta: float) -> str:
    """Alpha-beta's promise about a value that came back from this window."""
    if isinstance(value, tuple):
        return EXACT
    return UPPER if value <= alpha else LOWER if value >= beta else EXACT


def _bound_by_children(node: Node, frame: _Frame) -> str | None:
    """What the children's values prove about the node's; None if this does not say."""
    children = list(frame.latest.values())
    complete = len(children) == len(frame.options or ())
    if all(child.bound == EXACT for child in children) and complete:
        return EXACT
    if node.chooses == CHOOSES_LARGEST:
        at_least = any(child.bound != UPPER and child.value == node.value for child in children)
        at_most = complete and all(child.bound != LOWER for child in children)
    elif node.chooses == CHOOSES_SMALLEST:
        at_least = complete and all(child.bound != UPPER for child in children)
        at_most = any(child.bound != LOWER and child.value == node.value for child in children)
    else:
        return None
    if at_least and at_most:
        return EXACT
    return LOWER if at_least else UPPER if at_most else None


def _mark_line(tree: RecordedTree) -> None:
    node = tree.root
    node.on_line = True
    for action in tree.result.line:
        following = [child for child in node.children if child.visited and child.action == action]
        if not following:
            return
        node = following[-1]
        node.on_line = True


def _reason(tree: RecordedTree, node: Node, cut: Cut) -> str:
    """Which bound, which ancestor, and why nothing below could matter."""
    owner = tree.name_of(tree.result.player)
    worth = "at most" if cut.side == "alpha" else "at least"
    here = f"this node is worth {worth} {show_value(cut.value)} to {owner}"
    if cut.ancestor is None or cut.choice is None:
        return f"the search was started with {cut.side} = {show_value(cut.limit)}, and {here}"
    chooser = tree.name_of(cut.ancestor.player)
    where = "at the root"
    if cut.ancestor.parent is not None:
        where = f"after {' '.join(cut.ancestor.path())} (node {cut.ancestor.order})"
    ending = "gains nothing by coming here" if cut.value == cut.limit else "will not come here"
    return (
        f"{chooser} already has {show_value(cut.limit)} by playing {cut.choice.action_text} {where}; "
        f"{here}, so {chooser} {ending}"
    )


# -------------------------------------------------------------------------------------------------- the proof
def solution_tree(recorded: RecordedTree) -> RecordedTree:
    """The part of a recorded tree that proves its value for the hero, whoever moves at the root.

    At the hero's nodes one action, at all others every reply (at chance nodes every outcome). Each value is what the
    plan makes sure of from there, worked out from the leaves alone. Where the search stopped at a depth, the estimates
    at the horizon are taken as they are; against a modelled opponent, the policy is.
    """
    root = recorded.root
    if isinstance(root.value, tuple):
        raise Unsuitable(
            "max_n's value rests on what everybody else prefers, so no plan of one player proves it. "
            "Record 'paranoid', whose value one player can make sure of"
        )
    hero = MAX if root.player in (None, CHANCE) else root.player
    wants = root.chooses if root.player == hero else CHOOSES_LARGEST
    builder = _Proof(recorded, hero, wants or CHOOSES_LARGEST)
    return builder.tree()


class _Proof:
    """Copies the part of a tree that a proof needs, searching again where the recording has a hole."""

    def __init__(self, recorded: RecordedTree, hero: int, wants: str) -> None:
        self.recorded, self.hero = recorded, hero
        self.largest = wants == CHOOSES_LARGEST

    def tree(self) -> RecordedTree:
        root = self.copy(self.recorded.root, None)
        todo = [(root, self.recorded.root)]
        finished: list[Node] = []
        while todo:
            made, node = todo.pop()
            finished.append(made)
            needed = self.needed(node)
            if needed is None:
                node = self.searched(node)
                made.source, made.player, made.left_out = node.source, node.player, 0
                made.chooses, made.modelled = node.chooses, node.modelled
                made.value, made.bound = node.value, node.bound
                needed = self.needed(node)
                assert needed is not None, "a search with an open window proves its value"
            for child in needed:
                copied = self.copy(child, made)
                made.children.append(copied)
                todo.append((copied, child))
        for node in reversed(finished):
            self.back_up(node)
        tree = replace(
            self.recorded, root=root, windowed=False, events=[], left_out=0, hero=self.hero, counted=None
        )
        _mark_line(tree)
        return tree

    def needed(self, node: Node) -> list[Node] | None:
        """The children that the proof needs; None if the recording does not hold them."""
        if node.leaf:
            return []
        if node.source != BACKED_UP:
            return None
        if node.player != self.hero:
            return node.children if node.children and all(child.visited for child in node.children) else None
        good = [child for child in node.children if child.visited and self.proven(child)]
        if not good:
            return None
        best = max(good, key=lambda child: child.value if self.largest else -child.value)
        return [node.best if node.best in good and node.best.value == best.value else best]

    def proven(self, node: Node) -> bool:
        """True if the hero is sure of the node's value."""
        return node.bound in (EXACT, LOWER if self.largest else UPPER)

    def searched(self, node: Node) -> Node:
        """The same node with all that a proof needs below it."""
        recorded = self.recorded
        if recorded.game is None or recorded.search is None:
            raise PlyforgeError(
                "the recording lacks a part of the proof, and without the game it can't be searched. "
                "Record with a higher limit, or give load_json the game"
            )
        search = _same_view(recorded.search, recorded.root.state)
        return record(recorded.game, node.state, search, node.depth, limit=None).root

    def copy(self, node: Node, parent: Node | None) -> Node:
        return replace(
            node,
            parent=parent,
            ply=0 if parent is None else parent.ply + 1,
            windows=[],
            order=None,
            children=[],
            best=None,
            on_line=False,
            cut=None,
        )

    def back_up(self, node: Node) -> None:
        """The value from the children's, by the plan."""
        if not node.children:
            return
        values = [child.value for child in node.children]
        exact = node.value if node.bound == EXACT else None
        if node.player == self.hero:
            node.best = node.children[0]
            node.value = values[0]
        elif node.chooses == AVERAGES:
            node.value = 0.0
            for child in node.children:
                # A modelled opponent's policy is unknown where the recorder was not told the search.
                if child.probability is None:
                    raise Unsuitable(
                        "the opponent's policy was not recorded: use record(...), or Recorder(game, search=...)"
                    )
                node.value += child.probability * child.value
        else:
            node.value = min(values) if self.largest else max(values)
        node.bound = EXACT if node.value == exact else LOWER if self.largest else UPPER


def _same_view(search: Search, root: Any) -> Search:
    """A search of a later state whose values mean what they meant in a search from `root`."""
    if isinstance(search, (Minimax, Negamax, AlphaBeta)):
        return AlphaBeta(evaluation=search.evaluation)
    if not isinstance(search, (Expectimax, Paranoid)):
        return search
    original: Search = search
    kind: Callable[..., Any] = type(search)

    class SameHero(kind):  # type: ignore[misc, valid-type]
        """The hero stays whoever moved at the original root."""

        def window(self, game: Game, state: Any) -> tuple[Any, ...]:
            return original.window(game, root)

        def whose(self, game: Game, state: Any) -> int | None:
            return original.whose(game, root)

        def read_value(self, game: Game, state: Any, value: Any) -> Any:
            return original.read_value(game, root, value)

        def maximises(self, game: Game, state: Any) -> bool:
            return bool(game.player(state) == hero_at(game, root))

    parameters = {each.name: getattr(search, each.name) for each in fields(search) if each.name != "all_best"}
    made: Search = SameHero(**parameters)
    return made
