"""Record a search: the tree that an algorithm really walked, with its windows, its cuts, and why it cut.

    tree = record(game, using="alpha_beta", depth=3)
    tree.root.children[0].value, tree.line, tree.counters

`Recorder` is a watcher (see `plyforge.kernel.watch`): it notes every enter, child, better, cut and leave of *the*
kernel, run interpreted, and does what the ordinary watcher does besides, so the search returns the same `Result`.
Afterwards the trace is read into a tree of `Node`s, and into a list of `Event`s that can be stepped through.

Claim: nothing here searches. Each number in the tree was passed to the watcher by the kernel; only its point of view is
changed, so that all of a tree's values are the same player's, the one that `Result.player` names (negamax's
own numbers belong to whoever moved last).

A value is EXACT, or a bound. A bound's direction is worked out from the children: the largest of some lower bounds is a
lower bound, and so on; with a node's every action looked at, alpha-beta's value may be exact although it is outside
the window. "Exact" is always within the depth that was searched.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from plyforge.contract import CHANCE, MAX, Game, format_action, legal_moves, parse_state
from plyforge.errors import PlyforgeError
from plyforge.games import load
from plyforge.kernel import RUNNING, Principal, PrincipalTuple
from plyforge.search.core.base import Search
from plyforge.search.core.result import Result
from plyforge.search.core.windowed import Windowed
from plyforge.search.textbook.best_reply import BestReply, Reply
from plyforge.search.textbook.expectimax import Expectimax, hero_at
from plyforge.search.textbook.negamax import Negamax
from plyforge.search.trace.tree import (
    AVERAGES,
    BACKED_UP,
    CHOOSES_LARGEST,
    CHOOSES_OWN,
    CHOOSES_SMALLEST,
    ESTIMATE,
    EXACT,
    LEFT_OUT,
    LIMIT,
    LOWER,
    UPPER,
    UTILITY,
    Counters,
    Cut,
    Event,
    Node,
    RecordedTree,
    mark_line,
    player_name,
    show_value,
)


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

    `limit` bounds the memory: after so many nodes only the root's own children are still recorded, the search goes on,
    and the tree says how many nodes were left out, and where. `search` is the search object, needed only to know the
    policy that expectimax takes the opponents to follow; `record` passes it. When a search deepens (depth 1, 2, 3 ...),
    the last finished depth is kept.
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
        trace.cuts += index + 1 < self._choices(trace.path[0][0], trace.path[-1][0])
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

    def _choices(self, root: Any, state: Any) -> int:
        """How many children a node has, if nothing is cut."""
        hero = hero_at(self.game, root)
        if isinstance(self.search, BestReply) and self.game.player(state) != hero:
            return sum(1 for _ in self.search.replies(self.game, state, hero))
        return len(legal_moves(self.game, state))

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
    game: Game | str,
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

    Left to itself it uses alpha-beta, or what suits the game where alpha-beta does not. Of the engine the last run is
    kept, see `record_engine`.
    """
    from plyforge.search import Engine, make_search, search
    from plyforge.search.trace.engine import record_engine

    game = load(game)
    chosen = make_search(using, game, evaluate=evaluate, policy=policy, all_best=all_best)
    if isinstance(chosen, Engine):
        start = parse_state(game, state) if isinstance(state, str) else state
        return record_engine(game, start, chosen, depth, limit=limit, **parameters)
    recorder = Recorder(game, search=chosen, limit=limit)
    found = search(game, state, chosen, depth=depth, watch=recorder, **parameters)
    return recorder.tree(found)


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
    replies: list[Reply] | None = None
    """Where the actions are replies of any opponent's (best_reply): where each is taken, and where it leads."""
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
        mark_line(tree)
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
                # below a chance node the window is what its average leaves room for: no one ancestor's choice
                above.alpha_choice if above is not None and above.node.chooses != AVERAGES else None,
                above.beta_choice if above is not None and above.node.chooses != AVERAGES else None,
            )
        )
        self._note("enter", None, None)

    def _child(self, index: int, value: Any, skipped: int) -> None:
        frame = self.frames[-1]
        action, probability = self._options(frame)[index]
        child = frame.arriving
        if child is None:
            child = self._node(self._after(frame, index, action), frame)
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
        if node.chooses != AVERAGES:
            node.best = child
        if node.chooses == CHOOSES_LARGEST or (node.chooses == AVERAGES and value >= beta):
            side, limit, choice = "beta", beta, frame.beta_choice
        else:
            side, limit, choice = "alpha", alpha, frame.alpha_choice
        cut = Cut(side, limit, value, choice.parent if choice is not None else None, choice)
        for number, (action, probability) in enumerate(self._options(frame)):
            if number not in frame.latest:
                skipped = self._node(self._after(frame, number, action), frame)
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
        child.action_text = self._text(frame, index, action)
        frame.node.children.append(child)

    def _after(self, frame: _Frame, index: int, action: Any) -> Any:
        if frame.replies is not None:
            return frame.replies[index].after
        return self.game.result(frame.node.state, action)

    def _text(self, frame: _Frame, index: int, action: Any) -> str:
        """An action; a reply out of turn with the name of the player whose it is."""
        if frame.replies is None:
            return format_action(self.game, frame.node.state, action)
        where = frame.replies[index].state
        text = format_action(self.game, where, action)
        player = int(self.game.player(where))
        return text if player == frame.node.player else f"{player_name(player, self.game.players)}:{text}"

    def _options(self, frame: _Frame) -> list[tuple[Any, float | None]]:
        if frame.options is None:
            state, player = frame.node.state, frame.node.player
            if player == CHANCE:
                frame.options = list(self.game.chance(state))
            elif frame.node.modelled and isinstance(self.search, Expectimax) and self.knows_policy:
                frame.options = list(self.search.policy.replies(self.game, state))
            elif isinstance(self.search, BestReply) and player != self.hero:
                frame.replies = list(self.search.replies(self.game, state, self.hero))
                frame.options = [(reply.action, None) for reply in frame.replies]
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
            return float((self.game.utility_sum or 0.0) - value)
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


def _reason(tree: RecordedTree, node: Node, cut: Cut) -> str:
    """Which bound, which ancestor, and why nothing below could matter."""
    owner = tree.name_of(tree.result.player)
    worth = "at most" if cut.side == "alpha" else "at least"
    here = f"this node is worth {worth} {show_value(cut.value)} to {owner}"
    if cut.ancestor is None or cut.choice is None:
        if any(above.chooses == AVERAGES for above in node.ancestors()):
            return (
                f"{here}, and with that the average at the chance node above is outside its window, "
                f"whatever is left ({cut.side} = {show_value(cut.limit)} here)"
            )
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
