"""Choosing: one algorithm a file, in the lecture's form, at both speeds."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Callable, Iterable
from os import PathLike
from typing import Any

# The searches, in the order in which they are shown. To import one is to register it: this is the only list.
# isort: off
from plyforge.search.textbook.minimax import Minimax as Minimax
from plyforge.search.textbook.negamax import Negamax as Negamax
from plyforge.search.textbook.alpha_beta import AlphaBeta as AlphaBeta
from plyforge.search.textbook.expectimax import Expectimax as Expectimax
from plyforge.search.textbook.expectiminimax import Expectiminimax as Expectiminimax
from plyforge.search.textbook.safe_response import SafeResponse as SafeResponse
from plyforge.search.textbook.star1 import Star1 as Star1
from plyforge.search.textbook.star2 import Star2 as Star2
from plyforge.search.textbook.max_n import MaxN as MaxN
from plyforge.search.textbook.paranoid import Paranoid as Paranoid
from plyforge.search.textbook.best_reply import BestReply as BestReply
from plyforge.search.engine.engine import Engine as Engine
from plyforge.search.chance_engine.engine import DiceEngine as DiceEngine
from plyforge.search.mcts.flat import Flat as Flat
from plyforge.search.mcts.selection.uct import Uct as Uct
from plyforge.search.mcts.selection.puct import Puct as Puct
from plyforge.search.mcts.guarded import GuardedUct as GuardedUct
from plyforge.search.simultaneous.regret_matching import RegretMatching as RegretMatching
from plyforge.search.simultaneous.decoupled_uct import DecoupledUct as DecoupledUct
from plyforge.search.hidden.is_mcts import IsMcts as IsMcts
from plyforge.search.hidden.is_mcts import MoIsMcts as MoIsMcts
from plyforge.search.hidden.pimc import Pimc as Pimc
from plyforge.search.hidden.epimc import Epimc as Epimc
from plyforge.search.hidden.oos import Oos as Oos
from plyforge.search.paths.a_star import AStar as AStar
from plyforge.search.paths.ida_star import IdaStar as IdaStar
from plyforge.search.paths.real_time_a_star import RealTimeAStar as RealTimeAStar
from plyforge.search.paths.lrta_star import LrtaStar as LrtaStar
# isort: on

from plyforge.callable_module import make_callable
from plyforge.contract import Game, parse_state
from plyforge.endings import Database
from plyforge.errors import Unsuitable
from plyforge.evaluate import Evaluation, as_evaluation, opinion
from plyforge.games import load
from plyforge.search.best import BEST, Chosen, choose
from plyforge.search.core.base import Search
from plyforge.search.core.limits import Limits
from plyforge.search.core.many import search_each
from plyforge.search.core.parameters import parameters_of
from plyforge.search.core.requirements import Needs, suitable
from plyforge.search.core.result import Result
from plyforge.search.core.windowed import Windowed
from plyforge.search.hidden import HiddenResult, HiddenSearch
from plyforge.search.mcts import MonteCarloResult
from plyforge.search.names import nearest_parameter, no_such_search
from plyforge.search.opponents.empirical import CountedPolicy
from plyforge.search.opponents.noisy import EpsilonPolicy, SoftmaxPolicy
from plyforge.search.opponents.policy import FunctionPolicy, Policy, UniformPolicy, as_policy
from plyforge.search.paths import PathResult, travel
from plyforge.search.protection.leash import back_in
from plyforge.search.registry import (
    AT_ONCE,
    HIDDEN,
    MONTE_CARLO,
    PATHS,
    SEARCHES,
    parameter_aliases,
    parameter_list,
    searches,
    takers,
)
from plyforge.search.running.control import Control
from plyforge.search.running.progress import Progress
from plyforge.search.running.speed import FellBack, hearing_of_fall_backs
from plyforge.search.simultaneous import AtOnce, MixedResult
from plyforge.search.time.clock import Clock

UNHURRIED = contextlib.nullcontext()
"""Around a search without a time."""


def make_search(
    using: str | Search | None,
    game: Game,
    *,
    evaluate: Any = None,
    policy: Any = None,
    all_best: bool = False,
    **more: Any,
) -> Search:
    """The search object for a name (None: what the textbook has for the game; "best": the strongest), with its
    parameters; `more` are fields of its class."""
    if isinstance(more.get("database"), (str, PathLike)):
        more["database"] = Database.open(more["database"], game)
    if isinstance(using, type) and issubclass(using, Search):
        using = using.name
    given = {key: value for key, value in more.items() if value is not None}
    own_name = given.pop("evaluation", None)
    evaluate = own_name if evaluate is None else evaluate
    if isinstance(using, Search):
        given |= {"evaluation": as_evaluation(evaluate)} if evaluate is not None else {}
        given |= {"policy": as_policy(policy)} if policy is not None else {}
        given |= {"all_best": True} if all_best else {}
        _check_parameters(using.name, type(using), given)
        return dataclasses.replace(using, **given)
    if using is not None and not isinstance(using, str):
        raise Unsuitable(f"using is {using!r}; it must be the name of a search, or a Search")
    name = suitable(game) if using is None else using.replace("-", "_").lower()
    every = searches()
    if name == BEST:
        return _best(game, evaluate, policy, all_best, more)
    if name not in every:
        raise Unsuitable(no_such_search(str(using), [BEST, *every]))
    cls = every[name]
    if evaluate is None and cls is Engine:  # what the game knows is more than its rules say
        evaluate = opinion(game)
    if policy is not None:
        if "policy" not in parameters_of(cls):
            raise Unsuitable(_no_policy(name))
        given["policy"] = as_policy(policy)
    if all_best and "all_best" in parameters_of(cls):
        given["all_best"] = True
    if not given:
        with contextlib.suppress(TypeError):  # an evaluation without a hash
            return _simple(name, as_evaluation(evaluate))
    _check_parameters(name, cls, given)
    return cls(evaluation=as_evaluation(evaluate), **given)


@functools.lru_cache(maxsize=64)
def _simple(name: str, evaluation: Evaluation) -> Search:
    """With nothing but an evaluation: one object for all calls."""
    return searches()[name](evaluation=evaluation)


def _check_parameters(name: str, cls: type[Search], given: dict[str, Any]) -> None:
    """Raise Unsuitable for a parameter that this search does not have, saying who has it, or what was perhaps meant."""
    known = parameters_of(cls)
    for key in given:
        if key in known:
            continue
        if takers(key):
            ours = parameter_aliases().get(key)
            hint = f"did you mean {ours}? " if ours in known else ""
            raise Unsuitable(f"{name} takes no {key}: {hint}that is for {', '.join(map(repr, takers(key)))}")
        own = [*(each for each in known if each != "evaluation"), *_EVERYBODYS]
        near = nearest_parameter(key, own)
        hint = "" if near is None else f"did you mean {near}? "
        raise Unsuitable(f"no search takes {key}: {hint}{name} takes {', '.join(own)}")


_EVERYBODYS = ("evaluate", "depth", "nodes", "seconds", "clock", "native")
"""What `search` takes for every algorithm."""


def _no_policy(name: str) -> str:
    models = ", or ".join(map(repr, takers("policy")))
    return f"{name} takes no policy: it does not model opponents. Use {models}"


def _best(game: Game, evaluate: Any, policy: Any, all_best: bool, more: dict[str, Any]) -> Search:
    """What `best` stands for, with parameters of its own."""
    if policy is not None:
        raise Unsuitable(_no_policy(BEST))
    chosen = choose(game, evaluate is not None).search
    given = {key: value for key, value in more.items() if value is not None}
    if evaluate is not None:
        given["evaluation"] = as_evaluation(evaluate)
    if all_best and "all_best" in parameters_of(type(chosen)):
        given["all_best"] = True
    for key in given:
        if key not in parameters_of(type(chosen)):
            raise Unsuitable(f"best is {chosen.name} here, which takes no {key}")
    return dataclasses.replace(chosen, **given)


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
    watch: Any = None,
    on_progress: Callable[[Progress], None] | None = None,
    control: Control | None = None,
    **parameters: Any,
) -> Result:
    """Search a game (or what `load` takes) from `state`: a state, its text, or None for the start.

    `using` names the algorithm, one of SEARCHES, MONTE_CARLO, AT_ONCE, PATHS or
    HIDDEN, or "best", the strongest for the game;
    left out, with a time (`seconds`, `clock`) it is best, else the textbook's. `depth` alone searches that deep;
    `nodes`, `seconds` and a `clock` search depth after depth until they run out; no limit searches to the end of the
    game (with simulations: 10,000 of them). `native=False` runs interpreted, `native=True` insists on compiled code.
    `all_best=True` makes searches that prune find every best action. `evaluate` is a function of a state (or an
    Evaluation) that is asked where the search stops looking: at the depth limit; in searches that sample where rollouts
    are cut off, after `rollout_depth` plies, and without one at once, in place of rollouts. uct and puct also take a
    function that gives (priors, value), and mix values with rollouts by `rollout_share`. `policy` is a function
    p(state, action) that expectimax and safe_response take opponents to follow. `watch` is a recording watcher,
    `on_progress` is told how it stands, `control` stops it from another thread.

    `parameters` are the fields of the algorithm's class, by their names:
    {parameters}
    `help(pf.search.Uct)` tells all of one search, with what each means.

    Raises Unsuitable where the search is not sound for the game or has no such parameter, BadLimits for a number out of
    range, BadText for a state that can't be read, BadRules where rules, evaluate or policy fail, TooDeep where a game
    without a limit does not end, and with `native=True` CannotCompile.
    """
    game = load(game)
    if isinstance(state, str):
        state = parse_state(game, state)
    timed = seconds is not None or clock is not None
    textbook = all_best or watch is not None or policy is not None or "risk" in parameters
    using = BEST if using is None and timed and not textbook else using
    chosen = make_search(using, game, evaluate=evaluate, policy=policy, all_best=all_best, **parameters)
    limits = Limits(depth=depth, nodes=nodes, seconds=seconds, clock=clock)
    with back_in(limits.hard_seconds) if timed else UNHURRIED:
        return chosen.search(game, state, limits, native=native, watch=watch, on_progress=on_progress, control=control)


def search_many(
    game: Game | str,
    states: Iterable[Any],
    using: str | Search | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    native: bool | None = None,
    threads: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    **more: Any,
) -> list[Result]:
    """Search each of many states (or their texts), as `search` does one; the results in their order.

    Compiled searches run on all processors, or in so many `threads`, one position each; interpreted ones in turn.
    Limits are those of each position. `on_progress(done, all)` is called as positions are finished. Ctrl-C stops all of
    them. `more` is what else `search` takes: `all_best`, `evaluate`, `table_mib`, `simulations`, `seed` ...

    Raises what `search` raises, for the first position that it is about: a note on the error says which.
    """
    game = load(game)
    chosen = make_search(BEST if using is None and seconds is not None else using, game, **more)
    limits = Limits(depth=depth, nodes=nodes, seconds=seconds)
    return search_each(chosen, game, list(states), limits, native, threads, on_progress)


__all__ = [
    "AT_ONCE",
    "BEST",
    "HIDDEN",
    "MONTE_CARLO",
    "PATHS",
    "SEARCHES",
    "AtOnce",
    "Chosen",
    "Clock",
    "Control",
    "CountedPolicy",
    "EpsilonPolicy",
    "FellBack",
    "FunctionPolicy",
    "HiddenResult",
    "HiddenSearch",
    "Limits",
    "MixedResult",
    "MonteCarloResult",
    "Needs",
    "PathResult",
    "Policy",
    "Progress",
    "Result",
    "Search",
    "SoftmaxPolicy",
    "UniformPolicy",
    "Windowed",
    "choose",
    "hearing_of_fall_backs",
    "make_search",
    "search",
    "search_many",
    "searches",
    "suitable",
    "travel",
]

search.__doc__ = (search.__doc__ or "").replace("{parameters}", parameter_list("\n    "))
make_callable(search, __name__)
