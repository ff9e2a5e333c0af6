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
from plyforge.search.control import Control
from plyforge.search.engine_result import EngineResult
from plyforge.search.limits import Limits
from plyforge.search.table import Table
from plyforge.search.table_search import TableSearch

LEEWAY = 6
"""Plies that a search from inside the line may need more: what the table had forgotten is found in another way."""


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
    past, state = list(history), found.state
    for action in line:
        past.append(state)
        state = game.result(state, action)
    while not game.terminal(state) and not (control is not None and control.stopped):
        left = found.distance - len(line)
        more = None
        for depth in (left, left + LEEWAY):
            time_left = end - time.perf_counter()
            if depth < 1 or time_left <= 0:
                continue
            limits = Limits(depth=depth, seconds=time_left)
            more = plain.search(
                game, state, limits, native=found.native, table=table, history=past, control=control
            )
            if isinstance(more, EngineResult) and more.proven and more.value == found.value and more.line:
                break
            more = None
        if more is None or len(line) > found.distance + LEEWAY:
            break
        for action in more.line:
            past.append(state)
            state = game.result(state, action)
        line += more.line
    return line


__all__ = ["whole_line"]
