"""Real-time search, as CSC384 describes it (lines 450-467): think for a while, take one step, think again from there.

No agent can wait until A* is done with a large problem. So run A* until you are forced to move or out of memory, take
the first step of the path with the least f, and restart there. What was found behind that step is still true, and is
kept (`keep`): the plan moves with its owner, the rest of it is forgotten.

    travel(game, nodes=500)          # from the start to the end, 500 nodes a move

Claim: each move costs at most the budget, whatever the size of the problem. The way need not be a best one, and nothing
promises that it ever ends: with a small budget and a heuristic that misleads, the agent can walk to and fro, as an
agent does that replans and forgets. `lrta_star` is the cure: it learns.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from plyforge.contract import Game, parse_state
from plyforge.errors import BadLimits
from plyforge.games import load
from plyforge.search.core.limits import Limits
from plyforge.search.core.parameters import parameter
from plyforge.search.core.searcher import Asked, Searcher
from plyforge.search.paths.a_star import AStar
from plyforge.search.paths.open_list import Plan
from plyforge.search.paths.result import PathResult
from plyforge.search.running.control import Control
from plyforge.search.running.runner import watched

BUDGET = 10_000
"""Nodes a move, where nobody says otherwise."""
MOST_MOVES = 10_000
"""After so many moves a trip is given up."""


@dataclass(frozen=True)
class RealTimeAStar(AStar):
    """One step at a time: A* within a budget, and what is still useful of it for the next step."""

    name: ClassVar[str] = "real_time_a_star"
    title: ClassVar[str] = "Real-time A*"
    aliases: ClassVar[tuple[str, ...]] = ("rta*", "rtastar")

    keep: bool = parameter(True, title="Keep what is still useful", help="False: begin each move with nothing.")

    def start(self, game: Game, native: bool | None = None, *, lasting: bool = True) -> Planner:
        return Planner(self, game, native, lasting)


class Planner(Searcher):
    """A plan that moves with its owner."""

    search: RealTimeAStar

    def __init__(self, search: RealTimeAStar, game: Game, native: bool | None = None, lasting: bool = True) -> None:
        super().__init__(search, game, native, lasting)
        self.plan: Plan | None = None

    def answer(self, asked: Asked) -> PathResult:
        """The next step."""
        search, limits = self.search, asked.limits
        search.cannot_be_watched(asked.watch)
        root = search.root(self.game, asked.state, limits)
        nodes = BUDGET if limits.depth is None and not limits.deepening else limits.nodes  # MAX_PLY: as far as it goes
        plan, self.plan = self.plan, None  # whatever is raised, half a plan is not kept
        if plan is None:
            plan = search.plan(self.game, root, self.native)
        elif not (root == plan.state and search.keep):
            if not (search.keep and plan.move(root, asked.control)):
                plan.begin(root)
        found = search.go_on(plan, asked, nodes)
        if found.native or not asked.stopped:  # else it may have been stopped before it was compiled
            self.plan = plan
        return found

    def forget(self) -> None:
        self.plan = None


@dataclass(frozen=True)
class Trip:
    """What an agent did that moved in real time."""

    actions: tuple[Any, ...]
    """What it did, one after the other."""
    state: Any
    """Where it is now."""
    cost: float
    """What the actions cost."""
    ended: bool
    """True if it came to an end."""
    nodes: tuple[int, ...]
    """How many states it looked at before each move."""
    seconds: float
    """Wall-clock time, compiling not counted."""
    game: Game = field(repr=False, compare=False)
    native: bool = False

    @property
    def value(self) -> float:
        """The utility of the end less what it cost to get there."""
        utility = float(self.game.utility(self.state)) if self.ended else float(self.game.min_utility)
        return utility - self.cost


def travel(
    game: Game | str,
    state: Any = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    search: RealTimeAStar | None = None,
    most_moves: int = MOST_MOVES,
    native: bool | None = None,
    on_move: Callable[[Any, Any], None] | None = None,
    control: Control | None = None,
) -> Trip:
    """Go from `state` to an end with a budget of `nodes` or `seconds` for each move, at most `most_moves` moves.

    `on_move` is told each action and the state after it, in the thread that searches; `control` stops the trip.
    """
    if not isinstance(most_moves, int) or most_moves < 1:
        raise BadLimits(f"most_moves is {most_moves!r}; it must be a whole number of at least 1")
    search = search or RealTimeAStar()
    game = load(game)
    if isinstance(state, str):
        state = parse_state(game, state)
    limits = Limits(nodes=nodes, seconds=seconds)
    here = search.root(game, state, limits)
    planner = search.start(game, native)
    planner.plan = search.plan(game, here, native)
    planner.plan.prepare(control)
    return watched(lambda: _travel(game, here, planner, limits, most_moves, on_move, control))


def _travel(
    game: Game,
    here: Any,
    planner: Planner,
    limits: Limits,
    most_moves: int,
    on_move: Callable[[Any, Any], None] | None,
    control: Control | None,
) -> Trip:
    is_native = planner.plan is not None and bool(planner.plan.is_native)
    actions: list[Any] = []
    looked: list[int] = []
    spent = 0.0
    began = time.perf_counter()
    while not game.terminal(here) and len(actions) < most_moves:
        found = planner.think(here, limits, control=control)
        if found.reason == "stopped":
            break
        spent += float(game.costs.cost(game, here, found.action))
        here = game.result(here, found.action)
        actions.append(found.action)
        looked.append(found.nodes)
        if on_move is not None:
            on_move(found.action, here)
    seconds = time.perf_counter() - began
    ended = bool(game.terminal(here))
    return Trip(tuple(actions), here, spent, ended, tuple(looked), seconds, game, is_native)
