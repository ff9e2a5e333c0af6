"""Which name was meant: searches and their parameters under the names that other books and programs give them.

Nothing is taken for another thing silently: whoever writes "mcts" is told of "uct", and chooses.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

ELSEWHERE = {
    "ab": "alpha_beta",
    "alphabetapruning": "alpha_beta",
    "failhard": "alpha_beta",
    "failsoft": "alpha_beta",
    "adversarial": "minimax",
    "minmax": "minimax",
    "nega": "negamax",
    "negascout": "engine",
    "pvs": "engine",
    "principalvariation": "engine",
    "principalvariationsearch": "engine",
    "scout": "engine",
    "mtdf": "engine",
    "ids": "engine",
    "iterativedeepening": "engine",
    "stockfish": "engine",
    "mcts": "uct",
    "montecarlo": "uct",
    "montecarlotreesearch": "uct",
    "ucb": "uct",
    "ucb1": "uct",
    "rave": "uct",
    "amaf": "uct",
    "flatmontecarlo": "flat",
    "puremontecarlo": "flat",
    "rollouts": "flat",
    "alphazero": "puct",
    "azmcts": "puct",
    "starminimax": "star1",
    "ballard": "star1",
    "expectminimax": "expectiminimax",
    "maxmax": "max_n",
    "brs": "best_reply",
    "a*": "a_star",
    "astar": "a_star",
    "dijkstra": "a_star",
    "ida*": "ida_star",
    "rta*": "real_time_a_star",
    "rtastar": "real_time_a_star",
    "lrta*": "lrta_star",
    "duct": "decoupled_uct",
    "cfr": "regret_matching",
    "nash": "regret_matching",
}
"""What searches are called elsewhere, in small letters and nothing between them; ours that comes nearest."""

PARAMETERS = {
    "evaluation": "evaluate",
    "heuristic": "evaluate",
    "eval": "evaluate",
    "maxdepth": "depth",
    "plies": "depth",
    "time": "seconds",
    "timelimit": "seconds",
    "movetime": "seconds",
    "iterations": "simulations",
    "playouts": "simulations",
    "visits": "simulations",
    "c": "exploration",
    "cpuct": "exploration",
    "ucbc": "exploration",
    "randomseed": "seed",
    "hash": "table_mib",
    "multipv": "lines",
    "searchmoves": "only",
    "compiled": "native",
    "playoutdepth": "rollout_depth",
    "lambda": "rollout_share",
    "mix": "rollout_share",
}
"""The same for parameters."""


def nearest(name: str, known: Iterable[str], elsewhere: dict[str, str] = ELSEWHERE) -> str | None:
    """The one of `known` that is probably meant by `name`; None if nothing comes near."""
    known = list(known)
    plain = _plain(name)
    for each in known:
        if _plain(each) == plain:
            return each
    if elsewhere.get(plain) in known:
        return elsewhere[plain]
    near = difflib.get_close_matches(plain, [_plain(each) for each in known], n=1, cutoff=0.7)
    return next((each for each in known if near and _plain(each) == near[0]), None)


def no_such_search(name: str, known: Iterable[str]) -> str:
    """What to say to whoever names a search that there is not."""
    known = list(known)
    near = nearest(name, known)
    hint = "there" if near is None else f"did you mean {near!r}? There"
    return f"there is no search called {name!r}; {hint} are {', '.join(known)}"


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter not in " _-^.()")
