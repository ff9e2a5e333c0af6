"""How soon does it end? Where searches are selective, the first proof of a win need not be the shortest, and that of a loss names a defence that need not be the longest.

Here everything is looked at, one ply deeper each time, with one question: is the game decided within so many plies? The window has no inside, right at the value that is
proven; nothing beyond the depth is followed, and the table is one of its own, since what a selective search has left in the other one holds for its depths alone.

    the mover wins:    the first depth that proves it has the shortest win
    the mover loses:   as long as some action escapes within the depth, that one holds out longer

Claim: with `found` it never says less than was known; if a limit comes first, what was known is kept, or a part of the way there.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from plyforge.game import MAX
from plyforge.search.engine_result import EngineResult

if TYPE_CHECKING:
    from plyforge.search.deepening import Thinking

TABLE_MIB = 4.0
LEAST_NODES = 50_000
"""At most as much again is spent on it as on the proof, and at least so many nodes are."""


def nearest_end(found: EngineResult, thinking: Thinking, wins: bool, plies: int) -> EngineResult:
    """`found`, or the same with an end within `plies` that is nearer, or with a defence that is longer. `thinking` looks at everything, and knows its limits."""
    game, state = thinking.game, thinking.state
    maximising = game.player(state) == MAX
    value = float(game.highest if wins == maximising else game.lowest)
    window = (
        (math.nextafter(value, -math.inf), value)
        if wins == maximising
        else (value, math.nextafter(value, math.inf))
    )
    allowed = thinking.allowed_actions()
    escape = found.line
    for depth in range(1, plies + 1):
        seen = thinking.run(depth, allowed, *window)
        if seen is None:
            break
        now = thinking.read(seen)
        line = thinking.actions_of(now.line)
        if seen == value and now.proven:
            line = line if wins else escape
            ends = found.ends_in | {line[0]: depth}
            found = replace(found, value=value, proven=True, reason="complete", ends_in=ends)
            return found.led_by(line, depth)
        if not wins and line:
            escape = line
    return found if wins or escape[:1] == found.line[:1] else found.led_by(escape[:1])
