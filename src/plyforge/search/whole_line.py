"""The line of a proof, to the end of the game.

A search stops following a line where its table knows the rest, so the line of a proven win may end before the win is on the board. Here it is gone on with: from its last state
a search that need not look further than the proof does, over the same table, finds how it goes on, again and again.

Claim: what is added was searched, and proves at each step what was proven before. If a limit comes first, the line is as long as it got.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from plyforge.game import Game
from plyforge.kernel import MAX_PLY
from plyforge.search.control import Control
from plyforge.search.engine_result import EngineResult
from plyforge.search.limits import Limits
from plyforge.search.result import Result
from plyforge.search.table import Table
from plyforge.search.table_search import TableSearch

QUICK, TABLE_MIB = 50_000, 4.0
"""Where searches are selective, this many nodes are first spent on looking at everything: then the line is the shortest win, and the longest defence."""
LEEWAY = 6
"""Plies that a search from inside the line may need more than the proof takes, or than the search that found it needed: what the table had forgotten is found in another way."""


def whole_line(
    search: TableSearch,
    found: EngineResult,
    *,
    seconds: float,
    table: Table | None = None,
    history: Sequence[Any] = (),
    control: Control | None = None,
) -> tuple[Any, ...]:
    """The line of `found`, where the end of the game is proven, as far as it can be followed in `seconds`; else its line as it is."""
    line: tuple[Any, ...] = found.line
    game: Game | None = found.game
    if game is None or not found.proven or found.distance is None or len(line) >= found.distance:
        return line
    end = time.perf_counter() + seconds
    plain = replace(search, lines=1, only=(), all_best=False)  # type: ignore[call-arg]
    past, state, left = list(history), found.state, found.distance
    if step_by_step(plain, game):
        line = line[:1]  # the rest need not be the longest defence
    for action in line:
        past.append(state)
        state, left = game.result(state, action), left - 1
    while not game.terminal(state) and not (control is not None and control.stopped):
        more = None
        deepest = min(MAX_PLY, max(left, (found.depth or 0) - len(line)) + LEEWAY)
        for depth in (min(left, deepest), deepest):
            time_left = end - time.perf_counter()
            if depth < 1 or time_left <= 0:
                continue
            more = None
            if step_by_step(plain, game) and depth == left:  # looking at everything, if that is quick
                full = replace(plain, selective=False, table_mib=TABLE_MIB)  # type: ignore[call-arg]
                limits = Limits(depth=depth, nodes=QUICK, seconds=time_left)
                more = full.search(game, state, limits, native=found.native, history=past, control=control)
            if more is None or not goes_on(more, found):
                limits = Limits(depth=depth, seconds=max(1e-6, end - time.perf_counter()))
                more = plain.search(
                    game, state, limits, native=found.native, table=table, history=past, control=control
                )
            if goes_on(more, found):
                break
            more = None
        if not isinstance(more, EngineResult) or len(line) > found.distance + LEEWAY:
            break
        steps = more.line[:1] if step_by_step(plain, game) else more.line
        left = more.ends_in.get(steps[0], left if more.distance is None else more.distance)
        for action in steps:
            past.append(state)
            state, left = game.result(state, action), left - 1
        line += steps
    return line


def goes_on(more: Result, found: EngineResult) -> bool:
    """True if it proves what was proven before."""
    return isinstance(more, EngineResult) and more.proven and more.value == found.value and bool(more.line)


def step_by_step(search: TableSearch, game: Game) -> bool:
    """True if lines have to be followed action by action: where depth is no promise, only the first action of a proven line is the best or holds out longest."""
    return bool(getattr(search, "selective", False)) and game.selective


__all__ = ["whole_line"]
