"""Which method solves which game, and why: `pf.solve` and `plyforge solve` ask here, and so do the same.

A method is a function that solves a state, with a name for `using`, and its options as keywords. `choose` looks at the
traits of the game in this order:

    something is hidden from players               cfr_plus            an equilibrium, and what it guarantees
    a folder of its endings is given               database            nothing is solved, a position is looked up
    one player, no chance, actions have costs      distances           every state, the cheapest first
    one or two players, constant sum, no chance:
        states come back, or all are asked for     retrograde          every state, from all ends backwards
        else                                       search              the one state that is asked about
    players choose at once, or rewards             stage_equilibrium   every state, an equilibrium of each stage
    chance, or more players                        backward_induction  every state, once

Two of them find out on the way that they can't: a search that comes to no end (`TooDeep`) is followed by retrograde
analysis, and backward induction that meets a state again by value iteration, in games of at most two players and a
constant sum. Whoever names the method gets that one or an error.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from plyforge.contract import PUBLIC, Game, defines
from plyforge.contract.naming import as_state, name_of
from plyforge.errors import BadLimits, BadText, Interrupted, PlyforgeError, TooDeep, Unsuitable
from plyforge.games import load
from plyforge.search.core.requirements import ANY_GAME, ONE_PLAYER_NO_CHANCE, TWO_PLAYERS, TWO_PLAYERS_NO_CHANCE
from plyforge.search.running.control import Control
from plyforge.solve.census import STATE_LIMIT as BACKWARD_LIMIT
from plyforge.solve.endings.looked_up import LookedUp, look_up
from plyforge.solve.graph.backward_induction import InducedValues, backward_induction
from plyforge.solve.graph.distances import Distances, distances
from plyforge.solve.graph.retrograde import STATE_LIMIT, StrongSolution, strongly
from plyforge.solve.graph.retrograde_file import load_solution
from plyforge.solve.graph.stage_equilibrium import StageSolution, stage_equilibrium
from plyforge.solve.graph.value_iteration import IteratedValues, value_iteration
from plyforge.solve.hidden.advice import roots_seeing
from plyforge.solve.hidden.history_tree import HISTORY_LIMIT, HistoryTree, TooManyHistories, history_tree
from plyforge.solve.hidden.sampled import SampledSolution, sampled_equilibrium
from plyforge.solve.hidden.sampling import SAMPLERS
from plyforge.solve.hidden.solution import NAMES, WAYS, HiddenSolution, hidden_equilibrium
from plyforge.solve.hidden.strategy_file import observation_of, read_locks
from plyforge.solve.solution import Solution
from plyforge.solve.solver import CHECKPOINT, Solved, Solver
from plyforge.solve.table_file import is_there, kept_size
from plyforge.writing import require_writable

TABLE_MIB = 64.0
"""Of a search that nobody gives a size."""


class Run(NamedTuple):
    """How a method runs, whichever it is."""

    native: bool | None
    on_progress: Callable[[Any], None] | None
    control: Control | None


# ------------------------------------------------------------------ the methods, each with its options
def by_search(
    game: Game,
    state: Any,
    run: Run,
    *,
    threads: int = 1,
    table_mib: float | None = None,
    distance: bool = True,
    table: str | None = None,
    checkpoint: float = CHECKPOINT,
) -> Solved:
    """Look ahead to the ends of the game. `table` is a file, from which the same call goes on."""
    solver = Solver(
        game, table_mib=kept_size(table, game, state, table_mib, TABLE_MIB), threads=threads, native=run.native
    )
    try:
        return solver.solve(
            state,
            distance=distance,
            keep=table,
            checkpoint=checkpoint,
            on_progress=run.on_progress,
            control=run.control,
        )
    except KeyboardInterrupt:
        raise Interrupted(solver) from None


def by_retrograde(
    game: Game,
    state: Any,
    run: Run,
    *,
    endless: float | None = None,
    table: str | None = None,
    limit: int | None = STATE_LIMIT,
) -> StrongSolution:
    """Look back from all ends. `table` is a file: read if it is there, else written."""
    if table is not None and is_there(table):
        return replace(load_solution(table, game, state), kept=os.fspath(table), read=True)
    if table is not None:
        require_writable(table)
    found = strongly(
        game, state, limit, endless=endless, native=run.native, on_progress=run.on_progress, control=run.control
    )
    if table is None:
        return found
    found.save(table)
    return replace(found, kept=os.fspath(table))


def by_value_iteration(
    game: Game, state: Any, run: Run, *, tolerance: float = 1e-9, limit: int | None = STATE_LIMIT
) -> IteratedValues:
    """Bring the bounds of all states together."""
    return value_iteration(
        game, state, tolerance, limit, native=run.native, on_progress=run.on_progress, control=run.control
    )


def by_distances(game: Game, state: Any, run: Run, *, limit: int | None = STATE_LIMIT) -> Distances:
    """Settle all states, the nearest to an end first."""
    return distances(game, state, limit, native=run.native, on_progress=run.on_progress, control=run.control)


def by_backward_induction(
    game: Game, state: Any, run: Run, *, hero: int | None = None, limit: int | None = BACKWARD_LIMIT
) -> InducedValues:
    """Value every state from those that follow."""
    return backward_induction(game, state, limit, hero, run.on_progress, run.control, bool(run.native))


def by_stage_equilibrium(game: Game, state: Any, run: Run, *, limit: int | None = BACKWARD_LIMIT) -> StageSolution:
    """An equilibrium at every stage, from the last."""
    return stage_equilibrium(game, state, limit, run.on_progress, run.control, bool(run.native))


def by_database(game: Game, state: Any, run: Run, *, table: str | None = None) -> LookedUp:
    """Look the state up in the folder `table`."""
    if table is None:
        raise BadText("name the folder of the database: `table`")
    return look_up(table, game, state)


def by_regret(
    using: str,
    game: Game,
    state: Any,
    run: Run,
    *,
    limit: int | None = HISTORY_LIMIT,
    iterations: int | None = None,
    seed: int = 0,
    observation: str | None = None,
    player: int | None = None,
    lock: str | None = None,
    table: str | None = None,
) -> HiddenSolution | SampledSolution:
    """An equilibrium where something is hidden; where the tree is too large, what sampling learns without it. It begins
    where `player` (or everybody) sees `observation`; `lock` is a file with what is done in some information sets,
    `table` one from which the same call goes on."""
    if not game.hidden_information:
        raise Unsuitable(f"{using} is for games of hidden information, and players see everything in {name_of(game)}")
    roots = None
    if player is not None and observation is None:
        raise BadLimits("player is who sees the observation: give both")
    if player is not None and not 0 <= player < game.players:
        raise BadLimits(f"player is {player}; it must be from 0 to {game.players - 1}")
    if observation is not None:
        eyes = PUBLIC if player is None else player
        seen = observation_of(game, observation, eyes)
        roots = roots_seeing(history_tree(game, state, native=run.native), seen, eyes)

    def locks(tree: HistoryTree) -> Any:
        return read_locks(lock or "", tree)

    fixed = None if lock is None else locks
    try:
        return hidden_equilibrium(
            game, state, using, iterations, run.native, limit, seed, roots, fixed, table, run.on_progress
        )
    except TooManyHistories:
        if using not in SAMPLERS:
            raise
    return sampled_equilibrium(game, state, using, iterations, run.native, seed, table, run.on_progress)


@dataclass(frozen=True)
class Method:
    """A way to solve a game."""

    name: str
    """For `using`."""
    title: str
    """In words."""
    solve: Callable[..., Solution]

    @property
    def options(self) -> tuple[str, ...]:
        """What it can be told."""
        parameters = inspect.signature(self.solve).parameters.values()
        return tuple(each.name for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY)


METHODS = {
    method.name: method
    for method in (
        Method("search", Solved.method, by_search),
        Method("retrograde", StrongSolution.method, by_retrograde),
        Method("value_iteration", IteratedValues.method, by_value_iteration),
        Method("distances", Distances.method, by_distances),
        Method("backward_induction", InducedValues.method, by_backward_induction),
        Method("stage_equilibrium", StageSolution.method, by_stage_equilibrium),
        Method("database", LookedUp.method, by_database),
        *(Method(name, NAMES[name], partial(by_regret, name)) for name in WAYS),
    )
}
"""All methods, by name."""
INSTEAD: dict[str, tuple[type[PlyforgeError], str, str]] = {
    "search": (TooDeep, "retrograde", "too long for a search, or states can come back: solved backwards from its ends"),
    "backward_induction": (Unsuitable, "value_iteration", "states can come back: solved by value iteration"),
}
"""What follows when a method that was chosen finds out that it can't: upon which error, which method, and in words."""


# ------------------------------------------------------------------ choosing
class Choice(NamedTuple):
    """A method, and why it was chosen."""

    method: Method
    why: str


def choose(game: Game, strongly: bool = False, table: Any = None) -> Choice:
    """The method for a game: see the module's text. `strongly`: every state that can arise is wanted; `table`: where
    something is kept, which may be a folder of endings."""
    if game.hidden_information:
        if strongly:
            raise Unsuitable("strongly means nothing where something is hidden: nobody sees the states")
        return Choice(METHODS["cfr_plus"], "players don't see everything in it")
    if table is not None and defines(game.tablebase, "index"):
        if not Path(table).exists():
            raise BadText(
                f"there is no folder {table}: build the database first, as in `plyforge solve {name_of(game).lower()}"
                f" --pieces 4 --table {table}`"
            )
        if Path(table).is_dir():
            if strongly:
                raise BadLimits("strongly means nothing for a database of endings: all of its states are solved")
            return Choice(METHODS["database"], "its rules number its endings, and a folder of them is given")
    if strongly and not game.has_chance:
        return Choice(METHODS["retrograde"], "the values of all states are wanted, and chance does not move in it")
    if defines(game.costs, "cost") and ONE_PLAYER_NO_CHANCE.missing(game) is None:
        return Choice(METHODS["distances"], "one player looks for the cheapest path")
    if TWO_PLAYERS_NO_CHANCE.missing(game) is None:
        if game.history.repetition:
            return Choice(METHODS["retrograde"], "states can come back in it, so that a search would never end")
        return Choice(METHODS["search"], "at most two play it, for a constant sum, and chance does not move")
    missing = ANY_GAME.missing(game)
    if missing is not None:
        return Choice(METHODS["stage_equilibrium"], missing)
    return Choice(METHODS["backward_induction"], str(TWO_PLAYERS_NO_CHANCE.missing(game)))


def solve(
    game: Game | str,
    state: Any = None,
    using: str | None = None,
    *,
    strongly: bool = False,
    native: bool | None = None,
    on_progress: Callable[[Any], None] | None = None,
    control: Control | None = None,
    **options: Any,
) -> Solution:
    """Solve the game from `state`: a state, its text, or None for the start. By the method `using`, or by the one that
    suits the game, as `plyforge solve` does.

        pf.solve("hexapawn").value                                # -1.0: the second player wins
        pf.solve("three_mens_morris", strongly=True)              # every state that can arise
        pf.solve("kuhn_poker", using="lp")                        # an equilibrium, by linear programming
        pf.solve("connect4", threads=2, table="c4.table")         # kept in a file, and goes on from there

    `options` are those of the method: `pf.solve.METHODS[using].options` names them. `native=False` runs interpreted,
    `native=True` insists on compiled code where the method has any. Ctrl-C raises `Interrupted`, with what there is in
    its `found`; `control` stops it from another thread, with an error.
    """
    game = load(game)
    method, why = choose(game, strongly, options.get("table")) if using is None else _named(using, strongly)
    for option in options:
        if option not in method.options:
            raise BadLimits(_no_option(game, method, why, option))
    run = Run(native, on_progress, control)
    root = as_state(game, state)
    chosen = using is None and not options.get("table")
    error, instead, _ = INSTEAD.get(method.name, (Interrupted, "", ""))
    try:
        return method.solve(game, root, run, **options)
    except error:
        if not chosen or not instead or TWO_PLAYERS.missing(game) is not None:
            raise
    other = METHODS[instead]
    return other.solve(game, root, run, **{name: options[name] for name in options if name in other.options})


def _named(using: str, strongly: bool) -> Choice:
    name = using.replace("-", "_").lower() if isinstance(using, str) else using
    if name not in METHODS:
        raise Unsuitable(f"there is no method {using!r} to solve a game; there are {', '.join(METHODS)}")
    if strongly:
        raise BadLimits(f"strongly asks for a method that values all states, and {using!r} names one: give one of both")
    return Choice(METHODS[name], "it was asked for")


def _no_option(game: Game, method: Method, why: str, option: str) -> str:
    knows = ", ".join(method.options) or "none"
    others = [each.title for each in METHODS.values() if option in each.options]
    most = others if len(others) <= 4 else [*others[:3], f"{len(others) - 3} other methods"]
    whose = f"an option of {', '.join(most)}" if others else "no option of any method"
    return f"{option} is {whose}; {name_of(game)} is solved by {method.title} ({why}), whose options are: {knows}"
