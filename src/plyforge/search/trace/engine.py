"""Watch the engine: the tree of its last depth, with what the table knew.

    tree = record_engine(game, depth=4)         # the same as record(game, using="engine", depth=4)

The engine's kernel has no watcher: it is the one search where every nanosecond counts. Interpreted, it need not have
one. `observed` makes a copy of the kernel, the same code object to the byte, in whose namespace its own name stands for
an observer; so every call of the kernel by itself passes by, with its window, its depth and what it returned. What
happened in between is read off that: a value outside the window with actions left over is a cut; a value that came back
from an inner node without any call is one that the table knew, or the rules (bounds, endings).

Claim: the engine decides exactly what it decides unwatched; `tests/search/engine/test_record_engine.py` compares node
counts. What is shown is one run of the kernel, the last: depths before it, and runs with a window that turned out too
narrow, have filled the table by then. An action may be there twice, first asked whether it is better at all, then how
much.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType
from typing import Any

from plyforge.contract import MAX, Game, format_action, legal_moves
from plyforge.errors import Unsuitable
from plyforge.kernel import RUNNING, Kernel
from plyforge.search.core.control import Control
from plyforge.search.core.limits import Limits
from plyforge.search.core.runner import blaming_the_rules, coerce, watched
from plyforge.search.engine.deepening import Thinking
from plyforge.search.engine.engine import Engine
from plyforge.search.engine.principal_variation import EXCLUDED, NULL_MOVE
from plyforge.search.trace.tree import (
    BACKED_UP,
    CHOOSES_LARGEST,
    CHOOSES_SMALLEST,
    ESTIMATE,
    EXACT,
    KNOWN,
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
    show_value,
)


def observed(kernel: Kernel, before: Callable[..., None], after: Callable[[Any], None]) -> Callable[..., Any]:
    """A kernel's own code, interpreted, with every call of it reported, also those that it makes itself."""
    original: Any = kernel.function
    names = dict(original.__globals__)
    code = FunctionType(original.__code__, names, original.__name__, original.__defaults__, original.__closure__)

    def call(*args: Any) -> Any:
        before(*args)
        value = code(*args)
        after(value)
        return value

    names[original.__name__] = call
    return call


class _Run:
    """One run of the kernel, as it passes by."""

    def __init__(self, game: Game, limit: int) -> None:
        self.game, self.limit = game, limit
        self.root: Node | None = None
        self.open: list[Node | None] = []
        """The nodes that are being searched; None where they are no longer kept."""
        self.events: list[Event] = []
        self.nodes = self.leaves = self.cuts = 0
        self.finished = False
        """True once it has come back, and not because a limit or somebody stopped it."""

    def before(self, state: Any, depth: int, alpha: float, beta: float, mode: int) -> None:
        self.nodes += 1
        above = self.open[-1] if self.open else None
        if self.open and (above is None or self.nodes > self.limit):
            if above is not None:
                above.left_out += 1
            self.open.append(None)
            return
        game = self.game
        player = None if game.terminal(state) else int(game.player(state))
        node = Node(state, player, game, parent=above, depth=max(depth, 0), windows=[(alpha, beta)])
        node.order = self.nodes
        if player is not None:
            node.chooses = CHOOSES_LARGEST if player == MAX else CHOOSES_SMALLEST
        if above is None:
            self.root = node
        else:
            node.ply = above.ply + 1
            if mode >= EXCLUDED:
                node.ply = above.ply  # the same state once more, to see what the others are worth
                left = legal_moves(game, state)[mode // EXCLUDED - 1]
                node.action_text = f"without {format_action(game, state, left)}"
            else:
                self.name(above, node, passed=bool(mode & NULL_MOVE) and not _is_legal(game, above.state, state))
        self.open.append(node)
        self.events.append(Event("enter", node, None, None, alpha, beta))

    def name(self, above: Node, node: Node, passed: bool) -> None:
        """Which action it was that led here."""
        if passed:
            node.action_text = "pass"
            return
        for index, action in enumerate(legal_moves(self.game, above.state)):
            if coerce(self.game.result(above.state, action)) == node.state:
                node.index, node.action = index, action
                node.action_text = format_action(self.game, above.state, action)
                return

    def after(self, value: float) -> None:
        node = self.open.pop()
        if node is None:
            return
        alpha, beta = node.windows[0]
        node.value = float(value)
        node.bound = UPPER if value <= alpha else LOWER if value >= beta else EXACT
        if node.player is None:
            node.source, node.bound = UTILITY, EXACT
        elif node.children:
            node.source = BACKED_UP
        elif node.left_out:
            node.source = LEFT_OUT
        elif node.depth == 0:
            node.source, node.bound = ESTIMATE, EXACT
        else:
            node.source = KNOWN
        self.leaves += not node.children
        window = node.windows[-1]
        self.events.append(Event("leave", node, None, node.value, *window))
        if node.parent is not None:
            self.back(node.parent, node)

    def back(self, above: Node, child: Node) -> None:
        """A child has come back to the node above."""
        above.children.append(child)
        alpha, beta = above.windows[-1]
        self.events.append(Event("child", above, child, child.value, alpha, beta))
        if child.index is None:
            return
        largest = above.chooses == CHOOSES_LARGEST
        scout = child.windows[0][1] <= math.nextafter(child.windows[0][0], math.inf)
        if child.value >= beta if largest else child.value <= alpha:
            above.best = child
            self.cut(above, child)
        elif (child.value > alpha if largest else child.value < beta) and not (scout and alpha < child.value < beta):
            above.best = child
            window = (child.value, beta) if largest else (alpha, child.value)
            above.windows.append(window)
            self.events.append(Event("better", above, child, child.value, *window))

    def cut(self, node: Node, child: Node) -> None:
        """The rest of a node's actions is not looked at, if there is a rest."""
        alpha, beta = node.windows[-1]
        side, limit = ("beta", beta) if node.chooses == CHOOSES_LARGEST else ("alpha", alpha)
        seen = {below.index for below in node.children}
        cut = Cut(side, limit, child.value, None, None)
        for index, action in enumerate(legal_moves(self.game, node.state)):
            if index not in seen:
                after = coerce(self.game.result(node.state, action))
                player = None if self.game.terminal(after) else int(self.game.player(after))
                skipped = Node(after, player, self.game, parent=node, ply=node.ply + 1)
                skipped.index, skipped.action = index, action
                skipped.action_text = format_action(self.game, node.state, action)
                cut.skipped.append(skipped)
        if cut.skipped:
            node.cut = cut
            self.cuts += 1
            worth = "at most" if side == "alpha" else "at least"
            cut.reason = (
                f"this node is worth {worth} {show_value(child.value)} to MAX, and it was only asked whether it is "
                f"{'more' if side == 'alpha' else 'less'} than {show_value(limit)} ({side})"
            )
        self.events.append(Event("cut", node, child, child.value, alpha, beta))


def _is_legal(game: Game, state: Any, after: Any) -> bool:
    return any(coerce(game.result(state, action)) == after for action in legal_moves(game, state))


def record_engine(
    game: Game,
    state: Any = None,
    engine: Engine | None = None,
    depth: int | None = None,
    *,
    nodes: int | None = None,
    limit: int | None = LIMIT,
    control: Control | None = None,
) -> RecordedTree:
    """Search with the engine, interpreted and with one thread, and keep the tree of its last run (at most `limit`
    nodes of it)."""
    engine = engine or Engine()
    if engine.threads > 1:
        raise Unsuitable("several threads make no one tree: watch the engine with threads=1")
    engine.needs.check(game, engine.name)
    with blaming_the_rules():
        state = coerce(game.start() if state is None else state)
    runs: list[_Run] = []
    most = LIMIT * 1000 if limit is None else limit

    def before(game: Game, evaluation: Any, memory: Any, state: Any, depth: int, ply: int, *window: Any) -> None:
        if ply == 0:
            runs.append(_Run(game, most))
            del runs[:-2]  # the last may be cut off by a limit; the one before is whole
        runs[-1].before(state, depth, *window)

    def after(value: float) -> None:
        run = runs[-1]
        run.after(value)
        if not run.open:
            run.finished = thinking.memory.stop == RUNNING

    thinking = Thinking(engine, game, state, False, None, control, observed=True)
    thinking.function = observed(engine.kernel, before, after)
    found = watched(lambda: thinking.deepen(Limits(depth=depth, nodes=nodes)))
    whole = [run for run in runs if run.finished]
    if not whole:
        raise Unsuitable(
            "the engine has finished no search here: the game is over, its value is known, or it was stopped"
        )
    run = whole[-1]
    assert run.root is not None
    for node in run.root.below():
        if node.cut is not None:
            node.children += node.cut.skipped
    tree = RecordedTree(
        root=run.root,
        result=found,
        windowed=True,
        events=run.events,
        left_out=max(0, run.nodes - most),
        game=game,
        search=engine,
        counted=Counters(run.nodes, run.leaves, run.cuts, None),
    )
    mark_line(tree)
    return tree
