"""Stable discs: those that can never turn over again, whatever happens.

A disc is safe along a line if the line is full, or if it ends there, or if the neighbour on one side is a stable disc
of the same colour. A disc that is safe along all four lines is stable. So corners are, then what rests on them. This
finds some of the stable discs, and never one that is not.

What it is good for: whoever owns s stable discs ends with at least s, which bounds the value.
"""

from __future__ import annotations

from typing import Any

from plyforge.kernel import inline, kernel


@inline
def full_lines(discs: Any, edge: Any, step: Any) -> Any:
    """The squares on lines without a gap. `edge`: where lines of this direction end."""
    up = discs
    down = discs
    for _ in range(7):  # a gap spreads along its line, in both directions
        up &= discs & (up >> step | edge)
        down &= discs & (down << step | edge)
    return up & down


@kernel
def stable(game: Any, mine: Any, theirs: Any) -> Any:
    """Discs of `mine` that are stable."""
    both = mine | theirs
    sides, ends = game.outer_columns, game.outer_rows
    rim = sides | ends
    step, row = game.step, game.row_step
    across = full_lines(both, sides, step) | sides
    along = full_lines(both, ends, row) | ends
    falling = full_lines(both, rim, row + step) | rim
    rising = full_lines(both, rim, row - step) | rim
    found = mine & across & along & falling & rising
    more = found
    while more:
        safe = (
            (across | found << step | found >> step)
            & (along | found << row | found >> row)
            & (falling | found << (row + step) | found >> (row + step))
            & (rising | found << (row - step) | found >> (row - step))
        )
        more = mine & safe & ~found
        found |= more
    return found
