"""The line of a proof, to the end of the game.

A search stops following a line where its table knows the rest, so the line of a proven win may end before the win is on
the board. Here it is gone on with: from its last state a search that need not look further than the proof does, over
the same table, finds how it goes on, again and again.

Claim: what is added was searched, and proves at each step what was proven before. If a limit comes first, the line is
as long as it got.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from plyforge.contract import Game
from plyforge.kernel import MAX_PLY
from plyforge.search.core.limits import Limits
from plyforge.search.engine.result import EngineResult
from plyforge.search.engine.transposition_table import Table
from plyforge.search.running.control import Control

if TYPE_CHECKING:
    from plyforge.search.engine.table_search import TableSearch

QUICK, PATIENT, TABLE_MIB = 50_000, 2_000_000, 4.0
"""Where searches are selective, this many nodes are first spent on looking at everything: then the line is the
shortest win, and the longest defence. So many more, twice at most, where the table has forgotten the way that was as
short as what was proven."""
LEEWAY = 6
"""Plies that a search from inside the line may need more than the proof takes, or than the search that found it
needed: what the table had forgotten is found in another way."""


def whole_line(
    search: TableSearch,
    found: EngineResult,
    *,
    seconds: float,
    table: Table | None = None,
    history: Sequence[Any] = (),
    control: Control | None = None,
) -> tuple[Any, ...]:
    """The line of `found`, where the end of the game is proven, as far as it can be followed in `seconds`; else its
    line as it is."""
    line: tuple[Any, ...] = found.line
    game: Game | None = found.game
    if game is None or not found.proven or found.distance is None or is_whole(game, found):
        return line
    plain = replace(search, lines=1, only=(), all_best=False)  # type: ignore[call-arg]
    follower = Follower(plain, game, found, table, control, time.perf_counter() + seconds)
    past, state, left = list(history), found.state, found.distance
    if follower.step_by_step:
        line = line[:1]  # the rest need not be the longest defence
    for action in line:
        past.append(state)
        state, left = game.result(state, action), left - 1
    while not game.terminal(state) and len(line) <= found.distance + LEEWAY:
        more = follower.goes_on(state, past, left, len(line))
        if more is None:
            break
        steps = more.line[:1] if follower.step_by_step else more.line
        left = end_of(more, left)
        for action in steps:
            past.append(state)
            state, left = game.result(state, action), left - 1
        line += steps
    return line


@dataclass(frozen=True)
class Follower:
    """Looks for the next step of a line, in one way after the other."""

    search: TableSearch
    game: Game
    found: EngineResult
    table: Table | None
    control: Control | None
    end: float

    @property
    def step_by_step(self) -> bool:
        """True if the line has to be followed action by action: where depth is no promise, only the first action of
        a proven line is the best or holds out longest."""
        return bool(getattr(self.search, "selective", False)) and self.game.heuristics.selective

    def goes_on(self, state: Any, past: list[Any], left: int, gone: int) -> EngineResult | None:
        """A search that proves from here what was proven before, and as soon as that said if there is one; None if
        there is none."""
        longer: EngineResult | None = None
        for more in self.ways(state, past, left, gone):
            if not (more.proven and more.value == self.found.value and more.line):
                continue
            if not self.step_by_step or end_of(more, left) <= left:
                return more
            if longer is None or end_of(more, left) < end_of(longer, left):
                longer = more
        return longer

    def ways(self, state: Any, past: list[Any], left: int, gone: int) -> Iterator[EngineResult]:
        """What searches of more and more find, while there is time."""
        deepest = min(MAX_PLY, max(left, (self.found.depth or 0) - gone) + LEEWAY)
        within = min(left, deepest)
        looks = [Look(within), Look(deepest)]
        if self.step_by_step:
            looks = [Look(within, QUICK), *looks, Look(deepest, PATIENT, selective=True), Look(within, PATIENT)]
        for look in looks:
            time_left = self.end - time.perf_counter()
            if look.depth < 1 or time_left <= 0 or (self.control is not None and self.control.stopped):
                continue
            search, table = self.search, self.table
            if look.nodes is not None:  # anew: what the table knows may be a longer way
                search, table = replace(search, selective=look.selective, table_mib=TABLE_MIB), None  # type: ignore[call-arg]
            limits = Limits(depth=look.depth, nodes=look.nodes, seconds=time_left)
            searcher = search.start(self.game, self.found.native, lasting=False, table=table)
            more = searcher.think(state, limits, history=past, control=self.control)
            if isinstance(more, EngineResult):
                yield more


class Look(NamedTuple):
    """How far a search looks; over a table of its own for so many nodes, then at everything if not `selective`."""

    depth: int
    nodes: int | None = None
    selective: bool = False


def end_of(more: EngineResult, left: int) -> int:
    """After how many plies the game ends if the line's first action is taken; what was known before if the search
    does not say."""
    return more.ends_in.get(more.line[0], left if more.distance is None else more.distance)


def is_whole(game: Game, found: EngineResult) -> bool:
    """True if the line ends the game, no later than was said."""
    state = found.state
    for action in found.line:
        state = game.result(state, action)
    return game.terminal(state) and len(found.line) <= (found.distance or 0)


__all__ = ["whole_line"]
