"""Endings that a database knows: a search need not look further, and at the root it need not look at all.

Inside the tree a state that the database has is worth what it says, and that is proven. At the root the database names the best actions itself: the
quickest win, the longest defence. Of actions that all keep a draw it knows no better one; there a search without it chooses, among those alone, what looks best: the opponent may err.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from plyforge.endings.files import DRAW, UNKNOWN, WIN
from plyforge.endings.probe import probe
from plyforge.errors import Unsuitable
from plyforge.game import MAX, Game
from plyforge.kernel import inline
from plyforge.kernel.function import where
from plyforge.search.engine_result import EngineResult
from plyforge.search.limits import Limits

if TYPE_CHECKING:
    from plyforge.search.engine import Engine


@inline
def no_database(game, memory, state):
    return np.nan


@where("has_index", otherwise=no_database)
def known_value(game, memory, state):
    """What the database says a state is worth to MAX; not a number where it says nothing."""
    known = probe(game, memory.database, state)
    if known == UNKNOWN:
        return np.nan
    if known == DRAW:
        return 0.5 * (game.lowest + game.highest)
    return float(game.highest) if known == WIN else float(game.lowest)


def check_database(search: Engine, game: Game) -> None:
    """Raise Unsuitable for a database of another game."""
    if search.database is not None and search.database.game != game:
        raise Unsuitable(f"the database in {search.database.folder} is of another game than {game!r}")


def known_at_root(search: Engine, game: Game, state: Any, **how: Any) -> EngineResult | None:
    """The answer of the database, where it has the root and nothing was asked that it can't tell."""
    database = search.database
    if database is None or search.only or search.lines > 1 or game.terminal(state):
        return None
    known = database.code(state)
    if known == UNKNOWN:
        return None
    best = database.best(state)
    distance = database.distance(state)
    if not best or (known != DRAW and distance is None):
        return None  # some of its files are not there
    value = {DRAW: 0.5 * (game.lowest + game.highest), WIN: float(game.highest)}.get(
        known, float(game.lowest)
    )
    nodes = 1 + len(game.legal(state))
    found = EngineResult(
        action=best[0],
        value=value,
        values=dict.fromkeys(best, value),
        best=best,
        line=database.line(state) or best[:1],
        nodes=nodes,
        depth=distance or 0,
        seconds=0.0,
        reason="complete",
        player=MAX,
        using=search.name,
        native=False,
        game=game,
        state=state,
        proven=True,
        distance=distance,
    )
    limits = how.get("limits")
    if known == DRAW and len(best) > 1 and limits is not None and limits != Limits():
        chosen = replace(search, only=best, database=None, all_best=False).search(game, state, **how)
        order = (chosen.action, *(action for action in best if action != chosen.action))
        found = replace(
            found,
            action=chosen.action,
            best=order,
            line=(chosen.action,),
            nodes=nodes + chosen.nodes,
            seconds=chosen.seconds,
            native=chosen.native,
        )
    return found if search.all_best else replace(found, best=found.best[:1])
