"""Endings that a database knows: a search need not look further, and at the root it need not look at all.

Inside the tree a state that the database has is worth what it says, and that is proven. At the root the database names
the best actions itself: the quickest win, the longest defence. Of actions that all keep a draw it knows no better one;
there a search without it chooses, among those alone, what looks best: the opponent may err.

A database does not know for how long nothing has been captured. Where its way to the end would come to a draw of play
first (`rule_draw`), a search without it has to find another.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plyforge.contract import MAX, Game, defines, legal_moves
from plyforge.endings.files import DRAW, UNKNOWN, WIN
from plyforge.endings.probe import probe
from plyforge.errors import Unsuitable
from plyforge.kernel import inline
from plyforge.kernel.function import where
from plyforge.search.core.limits import Limits
from plyforge.search.engine.result import EngineResult
from plyforge.search.running.control import Control
from plyforge.search.running.runner import coerce
from plyforge.search.time.manager import TimeManager

if TYPE_CHECKING:
    from plyforge.search.engine.engine import Engine


@inline
def no_database(game, memory, state):
    return np.nan


@where("tablebase.index", otherwise=no_database)
def known_value(game, memory, state):
    """What the database says a state is worth to MAX; not a number where it says nothing."""
    known = probe(game, memory.database, state)
    if known == UNKNOWN:
        return np.nan
    if known == DRAW:
        return 0.5 * (game.min_utility + game.max_utility)
    return float(game.max_utility) if known == WIN else float(game.min_utility)


def check_database(search: Engine, game: Game) -> None:
    """Raise Unsuitable for a database of another game."""
    if search.database is not None and search.database.game != game:
        raise Unsuitable(f"the database in {search.database.folder} is of another game than {game!r}")


class Known(NamedTuple):
    """What the database says of an action: its value to MAX, and the plies to the end; None for a draw."""

    action: Any
    value: float
    distance: int | None


def known_at_root(search: Engine, game: Game, state: Any, manager: TimeManager, **how: Any) -> EngineResult | None:
    """The answer of the database, where it has the root and all that is asked for."""
    database = search.database
    if database is None or game.terminal(state):
        return None
    known = database.code(state)
    legal = legal_moves(game, state)
    if known == UNKNOWN or any(action not in legal for action in search.only):
        return None
    asked = [action for action in legal if not search.only or action in search.only]
    ranked = ranked_actions(search, game, state, asked)
    all_known = len(ranked) == len(asked)
    if not all_known and (search.only or search.lines > 1 or not ranked or ranked[0].value != worth(game, known)):
        return None  # some of its files are not there
    action, value, distance = ranked[0]
    limits = how.get("limits")
    if (
        limits is not None
        and limits != Limits()
        and distance is not None
        and is_drawn_first(search, game, state, action)
    ):
        return replace(search, database=None).search(game, state, **how)
    best = tuple(known.action for known in ranked if known[1:] == ranked[0][1:])
    line = (action, *rest_of_line(search, game.result(state, action), manager, how.get("control")))
    others = ranked[1 : search.lines]
    found = EngineResult(
        action=action,
        value=value,
        values=dict.fromkeys(best, value),
        best=best,
        line=line,
        nodes=1 + len(legal),
        depth=distance or 0,
        seconds=0.0,
        reason="complete",
        player=MAX,
        using=search.name,
        native=how.get("native") is not False,  # nothing was there that could not be compiled
        game=game,
        state=state,
        proven=True,
        distance=distance,
        lines=((value, line), *((known.value, (known.action,)) for known in others)),
        distances=(distance, *(known.distance for known in others)),
    )
    if distance is None and len(best) > 1 and limits is not None and limits != Limits():
        plain = replace(search, only=best, lines=1, database=None, all_best=False)
        chosen = plain.search(game, state, **how)
        found = replace(
            found.led_by((chosen.action,)),
            best=(chosen.action, *(action for action in best if action != chosen.action)),
            nodes=found.nodes + chosen.nodes,
            seconds=chosen.seconds,
            native=chosen.native,
        )
    return found if search.all_best else replace(found, best=found.best[:1])


def is_drawn_first(search: Engine, game: Game, state: Any, action: Any) -> bool:
    """True if the database's way to the end, by this action, comes to a draw of play before it. It can't where
    something irreversible has just happened: no ending is that long."""
    if not defines(game.history, "rule_draw") or game.history.reversible_plies(game, state) == 0:
        return False
    assert search.database is not None
    here = game.result(state, action)
    for following in (*search.database.line(here), None):
        if game.terminal(here):
            return False
        if game.history.rule_draw(game, here):
            return True
        here = here if following is None else game.result(here, following)
    return False


def ranked_actions(search: Engine, game: Game, state: Any, actions: list[Any]) -> list[Known]:
    """The actions, best first: the quickest win, draws, the longest defence. Without those that lead to where the
    database has nothing."""
    database = search.database
    assert database is not None
    ranked = []
    for action in actions:
        after = coerce(game.result(state, action))
        code, distance = database.code(after), database.distance(after)
        if code != UNKNOWN and (code == DRAW or distance is not None):
            ranked.append(Known(action, worth(game, code), None if distance is None else distance + 1))
    sign = 1.0 if game.player(state) == MAX else -1.0
    middle = 0.5 * (game.min_utility + game.max_utility)

    def place(known: Known) -> tuple[float, int]:
        own = sign * (known.value - middle)
        return -own, (known.distance or 0) * (1 if own > 0.0 else -1)

    return sorted(ranked, key=place)


def worth(game: Game, code: int) -> float:
    """What a code of the database is worth to MAX."""
    if code == DRAW:
        return 0.5 * (game.min_utility + game.max_utility)
    return float(game.max_utility) if code == WIN else float(game.min_utility)


def rest_of_line(search: Engine, state: Any, manager: TimeManager, control: Control | None) -> tuple[Any, ...]:
    """Best play to the end, as far as it can be followed in a small part of the time that there is: each ply asks
    for all its actions."""
    end = time.perf_counter() + manager.for_the_line() if manager.timed else math.inf
    assert search.database is not None
    return search.database.line(
        state,
        until=lambda: time.perf_counter() >= end or (control is not None and control.stopped),
    )
