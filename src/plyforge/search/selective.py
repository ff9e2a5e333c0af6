"""Looking less deep where it does not matter: null move, reductions, extensions. Only in games that say they allow it (`selective`).

- Null move: if the mover, allowed to pass, still stands above beta after a shallower search, an action will do so all the more. Only where
  the rules have `passed(s)`, which says that passing is never better than the best action; never twice in a row.
- Reductions: actions that the ordering puts late are looked at one ply less deep; one that then turns out better is looked at in full.
- Extensions: where there is one action only, it costs no depth.

Invariant: none of this can prove anything false. A value that comes of a shallower search is an estimate like others, a cut by null move is
never a proof, and what rests on the ends of the game alone stays true however deep it was looked for.
"""

from __future__ import annotations

from plyforge.kernel import inline
from plyforge.kernel.function import where

NULL_DEPTH, NULL_REDUCTION = 3, 2
"""A pass is tried with at least so many plies left, and looked at so many plies less deep than an action."""
LATE_DEPTH, LATE_PLACE = 3, 4
"""Actions from this place on are late, with at least so many plies left."""


@inline
def no_pass(game, state):
    return state


@where("has_pass", otherwise=no_pass)
def after_pass(game, state):
    """The state after a pass; not asked in games without one."""
    return game.passed(state)


@inline
def in_full(game, depth, place, number, deepest):
    return 0


@where("selective", otherwise=in_full)
def depth_change(game, depth, place, number, deepest):
    """By how much an action is looked at deeper (+1) or less deep (-1) than the others; `deepest` bounds extensions."""
    if number == 1:
        return 1 if deepest else 0
    if depth >= LATE_DEPTH and place >= LATE_PLACE:
        return -1
    return 0
