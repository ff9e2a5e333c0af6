"""Choosing: one algorithm a file, in the lecture's form, at both speeds."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from os import PathLike
from typing import Any

from plyforge.callable_module import make_callable
from plyforge.endings import Database
from plyforge.errors import Unsuitable
from plyforge.evaluate import as_evaluation, opinion
from plyforge.game import Game
from plyforge.games import load
from plyforge.search.alpha_beta import AlphaBeta
from plyforge.search.at_once import AtOnce, DecoupledUct, MixedResult, RegretMatching
from plyforge.search.base import Search
from plyforge.search.best import BEST, Chosen, choose
from plyforge.search.best_reply import BestReply
from plyforge.search.clock import Clock
from plyforge.search.control import Control
from plyforge.search.counted import CountedPolicy
from plyforge.search.dice_engine import DiceEngine
from plyforge.search.engine import Engine
from plyforge.search.expectimax import Expectimax
from plyforge.search.expectiminimax import Expectiminimax
from plyforge.search.imperfect import EpsilonPolicy, SoftmaxPolicy
from plyforge.search.limits import Limits
from plyforge.search.max_n import MaxN
from plyforge.search.mcts import Flat, GuardedUct, MonteCarloResult, Puct, Uct
from plyforge.search.minimax import Minimax
from plyforge.search.needs import Needs, suitable
from plyforge.search.negamax import Negamax
from plyforge.search.paranoid import Paranoid
from plyforge.search.policy import FunctionPolicy, Policy, UniformPolicy, as_policy
from plyforge.search.result import Result
from plyforge.search.run import FellBack, Progress, hearing_of_fall_backs
from plyforge.search.safe_response import SafeResponse
from plyforge.search.single import AStar, IdaStar, LrtaStar, PathResult, RealTimeAStar, travel
from plyforge.search.star1 import Star1
from plyforge.search.star2 import Star2
from plyforge.search.windowed import Windowed

SEARCHES: dict[str, type[Search]] = {
    search.name: search
    for search in (
        Minimax,
        Negamax,
        AlphaBeta,
        Expectimax,
        SafeResponse,
        Expectiminimax,
        Star1,
        Star2,
        MaxN,
        Paranoid,
        BestReply,
        Engine,
        DiceEngine,
    )
}


MONTE_CARLO: dict[str, type[Search]] = {search.name: search for search in (Flat, Uct, Puct, GuardedUct)}
"""Searches that sample: their answers are estimates with standard errors, unless proven."""

AT_ONCE: dict[str, type[Search]] = {search.name: search for search in (RegretMatching, DecoupledUct)}
"""Searches that sample games in which players choose at the same time: their answers are mixes."""


PATHS: dict[str, type[Search]] = {search.name: search for search in (AStar, IdaStar, RealTimeAStar, LrtaStar)}
"""Searches for one player: the path whose end is worth most, less what it costs."""


def make_search(
    using: str | Search | None,
    game: Game,
    *,
    evaluate: Any = None,
    policy: Any = None,
    all_best: bool = False,
    **more: Any,
) -> Search:
    """The search object for a name (None: what the textbook has for the game; "best": the strongest), with its parameters; `more` are those of the search."""
    if isinstance(more.get("database"), (str, PathLike)):
        more["database"] = Database.open(more["database"], game)
    if isinstance(using, type) and issubclass(using, Search):
        using = using.name
    if isinstance(using, Search):
        given: dict[str, Any] = {
            "evaluation": evaluate and as_evaluation(evaluate),
            "policy": policy and as_policy(policy),
        }
        given |= {"all_best": all_best or None} | more
        return _with(using, {key: value for key, value in given.items() if value is not None})
    if using is not None and not isinstance(using, str):
        raise Unsuitable(f"using is {using!r}; it must be the name of a search, or a Search")
    name = suitable(game) if using is None else using.replace("-", "_").lower()
    every = SEARCHES | MONTE_CARLO | AT_ONCE | PATHS
    if name == BEST:
        return _best(game, evaluate, policy, all_best, more)
    if name not in every:
        raise Unsuitable(f"there is no search called {using!r}; there are {', '.join([BEST, *every])}")
    cls = every[name]
    if evaluate is None and cls is Engine:  # what the game knows is more than its rules say
        evaluate = opinion(game)
    parameters: dict[str, Any] = {"evaluation": as_evaluation(evaluate)}
    if policy is not None:
        if cls not in (Expectimax, SafeResponse):
            raise Unsuitable(
                f"{name} takes no policy: it does not model opponents. Use 'expectimax', or 'safe_response'"
            )
        parameters["policy"] = as_policy(policy)
    if all_best and issubclass(cls, (Windowed, Engine, DiceEngine)):
        parameters["all_best"] = True
    extras = {key: value for key, value in more.items() if value is not None}
    known = {field.name for field in dataclasses.fields(cls)}
    for key in extras:
        if key not in known:
            takers = [
                each.name
                for each in every.values()
                if key in {field.name for field in dataclasses.fields(each)}
            ]
            raise Unsuitable(f"{name} takes no {key}: that is for {', '.join(map(repr, takers))}")
    return cls(**parameters, **extras)


def _best(game: Game, evaluate: Any, policy: Any, all_best: bool, more: dict[str, Any]) -> Search:
    """What `best` stands for, with parameters of its own."""
    if policy is not None:
        raise Unsuitable(
            "best takes no policy: it does not model opponents. Use 'expectimax', or 'safe_response'"
        )
    chosen = choose(game, evaluate is not None).search
    given = {key: value for key, value in more.items() if value is not None}
    if evaluate is not None:
        given["evaluation"] = as_evaluation(evaluate)
    if all_best and isinstance(chosen, (Engine, DiceEngine)):
        given["all_best"] = True
    known = {field.name for field in dataclasses.fields(chosen)}
    for key in given:
        if key not in known:
            raise Unsuitable(f"best is {chosen.name} here, which takes no {key}")
    return dataclasses.replace(chosen, **given)


def _with(search: Search, parameters: dict[str, Any]) -> Search:
    known = {field.name for field in dataclasses.fields(search)}
    for key in parameters:
        if key not in known:
            raise Unsuitable(f"{search.name} takes no {key}")
    return dataclasses.replace(search, **parameters)


def search(
    game: Game | str,
    state: Any = None,
    using: str | Search | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    clock: Clock | None = None,
    native: bool | None = None,
    all_best: bool = False,
    evaluate: Any = None,
    policy: Any = None,
    risk: float | None = None,
    table_mib: float | None = None,
    threads: int | None = None,
    lines: int | None = None,
    only: tuple[Any, ...] | None = None,
    database: Any = None,
    simulations: int | None = None,
    seed: int | None = None,
    watch: Any = None,
    on_progress: Callable[[Progress], None] | None = None,
    control: Control | None = None,
) -> Result:
    """Search a game (or what `load` takes) from `state`: a state, its text, or None for the start.

    `using` names the algorithm; left out, with a time (`seconds`, `clock`) it is "best", the strongest for the game, else the textbook's. `depth` alone searches that deep;
    `nodes`, `seconds` and a `clock` search depth after depth until they run out; no limit searches to the end of the game.
    `native=False` runs interpreted, `native=True` insists on compiled code. `all_best=True` makes searches that
    prune find every best action. `evaluate` is a function of a state used at the depth limit, `policy` a
    function p(state, action) that expectimax and safe_response take opponents to follow, `risk` what safe_response may stake, `watch` a recording watcher, `control` a handle that stops the search from another thread. For the engine:
    `table_mib` is the size of its table, `threads` how many search together, `lines` how many of the best lines to find (flat, uct and puct tell them, too), `only` the root actions to search,
    `database` a database of endings, or the folder that it is in.
    For flat, uct and puct, and for the searches of games in which players choose at once: how many `simulations` to make, and the `seed` of their random play.
    For one player there are path searches, `PATHS`: they go by the game's `cost` and `to_go`, and `depth` is not for them.

    Raises Unsuitable where the search is not sound for the game, BadLimits for a limit out of range, BadText for a state that can't be read, TooDeep where a
    game without a limit does not end, and with `native=True` CannotCompile.
    """
    game = load(game)
    if isinstance(state, str):
        state = game.parse_state(state)
    timed = seconds is not None or clock is not None
    textbook = all_best or watch is not None or policy is not None or risk is not None
    chosen = make_search(
        BEST if using is None and timed and not textbook else using,
        game,
        evaluate=evaluate,
        policy=policy,
        all_best=all_best,
        risk=risk,
        table_mib=table_mib,
        threads=threads,
        lines=lines,
        only=only,
        database=database,
        simulations=simulations,
        seed=seed,
    )
    limits = Limits(depth=depth, nodes=nodes, seconds=seconds, clock=clock)
    return chosen.search(
        game, state, limits, native=native, watch=watch, on_progress=on_progress, control=control
    )


__all__ = [
    "AT_ONCE",
    "BEST",
    "MONTE_CARLO",
    "PATHS",
    "SEARCHES",
    "AStar",
    "AlphaBeta",
    "AtOnce",
    "BestReply",
    "Chosen",
    "Clock",
    "Control",
    "CountedPolicy",
    "DecoupledUct",
    "DiceEngine",
    "Engine",
    "EpsilonPolicy",
    "Expectimax",
    "Expectiminimax",
    "FellBack",
    "Flat",
    "FunctionPolicy",
    "GuardedUct",
    "IdaStar",
    "Limits",
    "LrtaStar",
    "MaxN",
    "Minimax",
    "MixedResult",
    "MonteCarloResult",
    "Needs",
    "Negamax",
    "Paranoid",
    "PathResult",
    "Policy",
    "Progress",
    "Puct",
    "RealTimeAStar",
    "RegretMatching",
    "Result",
    "SafeResponse",
    "Search",
    "SoftmaxPolicy",
    "Star1",
    "Star2",
    "Uct",
    "UniformPolicy",
    "Windowed",
    "choose",
    "hearing_of_fall_backs",
    "make_search",
    "search",
    "suitable",
    "travel",
]

make_callable(search, __name__)
