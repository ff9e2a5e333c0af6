"""Watch the engine: the tree of its last depth, with each cut under its name.

    tree = record_engine(game, depth=4)         # the same as record(game, using="engine", depth=4)

The engine's kernels tell a watcher of every node, of every action that they search or leave out, and how each node got
its value (`steps/watch.py`). Here that is kept as a tree: table cutoffs, null move pruning, reverse futility
pruning, late move reductions, extensions, and what was pruned, each named on its node (`technique`).

Claim: the engine decides exactly what it decides unwatched; `tests/search/engine/test_record_engine.py` compares node
counts. What is shown is one run of the kernel, the last: depths before it, and runs with a window that turned out too
narrow, have filled the table by then. An action may be there twice, first asked whether it is better at all, or less
deep, then how much.
"""

from __future__ import annotations

import math
from typing import Any

from plyforge.contract import MAX, Game, defines, format_action, legal_moves
from plyforge.errors import Unsuitable
from plyforge.kernel import RUNNING
from plyforge.search.core.limits import Limits
from plyforge.search.engine.engine import Engine
from plyforge.search.engine.steps.watch import (
    CUTS,
    END,
    MULTI_CUT,
    NAMES,
    NULL_MOVE,
    PASSED,
    PLAYED,
    SEARCHED,
    SET_ASIDE,
    SINGULAR,
    STAND_PAT,
    STATIC_EVALUATION,
    Unwatched,
)
from plyforge.search.engine.thinking.deepening import Thinking
from plyforge.search.running.control import Control
from plyforge.search.running.runner import blaming_the_rules, coerce, watched
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

QUIESCENCE = -1
"""The depth with which quiescence search enters a node."""


class _Run:
    """One run of the kernel, as it tells of itself."""

    def __init__(self, game: Game, limit: int) -> None:
        self.game, self.limit = game, limit
        self.root: Node | None = None
        self.open: list[Node | None] = []
        """The nodes that are being searched; None where they are no longer kept."""
        self.told: tuple[int, int, int] = (PLAYED, -1, 0)
        """What leads to the node that is entered next: how, by which listed action, by how many plies deeper."""
        self.listed: dict[int, list[Any]] = {}
        """By node, its actions as the kernel lists them."""
        self.events: list[Event] = []
        self.nodes = self.leaves = self.cuts = 0
        self.finished = False
        """True once it has come back, and not because a limit or somebody stopped it."""

    # ------------------------------------------------------------ what the kernel tells
    def enter(self, memory: Any, state: Any, depth: int, ply: int, alpha: float, beta: float) -> None:
        self.nodes += 1
        above = self.open[-1] if self.open else None
        if self.open and (above is None or self.nodes > self.limit):
            if above is not None:
                above.left_out += 1
            self.open.append(None)
            return
        game = self.game
        player = None if game.terminal(state) else int(game.player(state))
        node = Node(state, player, game, parent=above, ply=ply, depth=max(depth, 0), windows=[(alpha, beta)])
        node.order = self.nodes
        if player is not None:
            node.chooses = CHOOSES_LARGEST if player == MAX else CHOOSES_SMALLEST
            self.listed[id(node)] = self.actions_of(memory, state, depth, ply)
        if above is None:
            self.root = node
        else:
            self.name(above, node)
        self.open.append(node)
        self.events.append(Event("enter", node, None, None, alpha, beta))

    def actions_of(self, memory: Any, state: Any, depth: int, ply: int) -> list[Any]:
        """A node's actions, as the kernel lists them."""
        hints = self.game.heuristics
        if depth == QUIESCENCE:
            return list(hints.tactical_actions(self.game, state))
        if ply > 0 and defines(hints, "sufficient_actions"):
            return list(hints.sufficient_actions(self.game, state))
        return list(legal_moves(self.game, state))

    def name(self, above: Node, node: Node) -> None:
        """Which action it was that led here, and how."""
        how, index, change = self.told
        if how == PASSED:
            node.action_text = "pass"
            node.technique = f"null move by {-change} {'ply' if change == -1 else 'plies'} less"
            return
        action = self.listed[id(above)][index]
        text = format_action(self.game, above.state, action)
        if how == SINGULAR:  # the same state once more, to see what the others are worth
            node.action_text = f"without {text}"
            node.technique = "singular extension?"
            return
        self.lead(above, node, action, text)
        plies = "ply" if abs(change) == 1 else "plies"
        if change:
            node.technique = (
                f"late move reduction by {-change} {plies}" if change < 0 else f"extension by {change} {plies}"
            )

    def lead(self, above: Node, node: Node, action: Any, text: str) -> None:
        legal = list(legal_moves(self.game, above.state))
        node.index = legal.index(action) if action in legal else None
        node.action, node.action_text = action, text

    def action(self, ply: int, event: int, index: int, change: int) -> None:
        if event in (PLAYED, PASSED, SINGULAR):
            self.told = event, index, change
            return
        node = self.open[-1]
        if node is None or event == SET_ASIDE:
            return
        action = self.listed[id(node)][index]
        after = coerce(self.game.result(node.state, action))
        pruned = self.skipped(node, action, after)
        pruned.technique = NAMES[event]
        node.children.append(pruned)

    def leave(self, ply: int, event: int, value: float) -> None:
        node = self.open.pop()
        if node is None:
            return
        alpha, beta = node.windows[0]
        node.value = float(value)
        node.bound = UPPER if value <= alpha else LOWER if value >= beta else EXACT
        searched = any(child.order is not None for child in node.children)
        if event == END:
            node.source, node.bound = UTILITY, EXACT
        elif node.left_out and not searched:
            node.source = LEFT_OUT
        elif event == STATIC_EVALUATION:
            node.source, node.bound = ESTIMATE, EXACT
        elif event in (SEARCHED, NULL_MOVE, MULTI_CUT) and searched:
            node.source = BACKED_UP
        elif event in (SEARCHED, STAND_PAT):
            node.source = ESTIMATE
            event = STAND_PAT
        else:
            node.source = KNOWN
        self.name_value(node, event)
        self.leaves += not searched
        self.events.append(Event("leave", node, None, node.value, *node.windows[-1]))
        self.listed.pop(id(node), None)
        if node.parent is not None:
            self.back(node.parent, node)

    # ------------------------------------------------------------ what that means
    def name_value(self, node: Node, event: int) -> None:
        """The technique to which a node owes its value."""
        if event in (END, STATIC_EVALUATION, SEARCHED):
            return
        node.technique = f"{node.technique}; {NAMES[event]}" if node.technique else NAMES[event]
        if event in CUTS:
            self.cuts += 1
        if event not in (NULL_MOVE, MULTI_CUT):
            return
        side, limit = self.side(node)
        what = "even if the mover passes" if event == NULL_MOVE else "the other actions are good enough, too"
        worth = "at most" if side == "alpha" else "at least"
        node.cut = Cut(side, limit, node.value, None, None)
        node.cut.reason = f"{NAMES[event]}: {what}, this node is worth {worth} {show_value(node.value)} to MAX"
        self.events.append(Event("cut", node, node.children[-1], node.value, *node.windows[-1]))
        node.cut.skipped = self.rest(node)

    def side(self, node: Node) -> tuple[str, float]:
        """Which side of the window a cut of this node leaves by, and where that is."""
        alpha, beta = node.windows[-1]
        return ("beta", beta) if node.chooses == CHOOSES_LARGEST else ("alpha", alpha)

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
            if "reduction" in child.technique:  # it is searched once more, in full
                return
            above.best = child
            self.cut(above, child)
        elif (child.value > alpha if largest else child.value < beta) and not (scout and alpha < child.value < beta):
            if "reduction" in child.technique:
                return
            above.best = child
            window = (child.value, beta) if largest else (alpha, child.value)
            above.windows.append(window)
            self.events.append(Event("better", above, child, child.value, *window))

    def cut(self, node: Node, child: Node) -> None:
        """The rest of a node's actions is not looked at, if there is a rest."""
        side, limit = self.side(node)
        cut = Cut(side, limit, child.value, None, None)
        cut.skipped = self.rest(node)
        if cut.skipped:
            node.cut = cut
            self.cuts += 1
            worth = "at most" if side == "alpha" else "at least"
            cut.reason = (
                f"this node is worth {worth} {show_value(child.value)} to MAX, and it was only asked whether it is "
                f"{'more' if side == 'alpha' else 'less'} than {show_value(limit)} ({side})"
            )
        self.events.append(Event("cut", node, child, child.value, *node.windows[-1]))

    def rest(self, node: Node) -> list[Node]:
        """The actions of a node that nothing was told of."""
        seen = {below.index for below in node.children}
        legal = enumerate(legal_moves(self.game, node.state))
        left = [action for index, action in legal if index not in seen]
        return [self.skipped(node, action, coerce(self.game.result(node.state, action))) for action in left]

    def skipped(self, node: Node, action: Any, after: Any) -> Node:
        """An action that was not looked at."""
        player = None if self.game.terminal(after) else int(self.game.player(after))
        made = Node(after, player, self.game, parent=node, ply=node.ply + 1)
        self.lead(node, made, action, format_action(self.game, node.state, action))
        return made


class EngineRecorder(Unwatched):
    """Watches the engine's kernels, interpreted, and keeps their last two runs."""

    game: Game
    limit: int
    runs: list[_Run]

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __init__(self, game: Game, limit: int) -> None:
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "limit", limit)
        object.__setattr__(self, "runs", [])

    def enter(self, memory: Any, state: Any, depth: int, ply: int, alpha: float, beta: float) -> None:
        if ply == 0:
            self.runs.append(_Run(self.game, self.limit))
            del self.runs[:-2]  # the last may be cut off by a limit; the one before is whole
        self.runs[-1].enter(memory, state, depth, ply, alpha, beta)

    def action(self, memory: Any, ply: int, event: int, index: int, change: int) -> None:
        self.runs[-1].action(ply, event, index, change)

    def leave(self, memory: Any, ply: int, event: int, value: float) -> None:
        run = self.runs[-1]
        run.leave(ply, event, value)
        if not run.open:
            run.finished = memory.stop == RUNNING


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
    most = LIMIT * 1000 if limit is None else limit
    recorder = EngineRecorder(game, most)
    thinking = Thinking(engine, game, state, False, None, control, watch=recorder)
    found = watched(lambda: thinking.deepen(Limits(depth=depth, nodes=nodes)))
    whole = [run for run in recorder.runs if run.finished]
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
