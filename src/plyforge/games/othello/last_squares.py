"""The end of the game, when a few squares are empty: alpha-beta with nothing around it.

Most states that a solver of endings visits have a handful of empty squares. There a table, a list of actions and an
ordering by mobility cost more than they save; what helps is **parity**: play where an odd number of squares is empty,
and the opponent will run out of moves there first.

Values here are the mover's, as in negamax: a side changes exactly where the mover does. `tally.nodes` counts the
states.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.games.othello.lines import ONE, ZERO, can_play, turned
from plyforge.kernel import inline, kernel, lowest, popcount

NOTHING = -1000
"""Less than any value."""


@inline
def final(game: Any, mine: Any, theirs: Any) -> Any:
    """The value where nobody can move."""
    own, others = popcount(mine), popcount(theirs)
    if game.empties_to_winner:
        if own > others:
            own = game.squares - others
        elif own < others:
            others = game.squares - own
    return own - others


@kernel
def last_one(game: Any, tally: Any, mine: Any, theirs: Any, square: Any) -> Any:
    """The value with one empty square."""
    tally.nodes += 1
    discs = turned(game, mine, theirs, square)
    if discs:
        return popcount(mine) + popcount(discs) + popcount(discs) + 1 - popcount(theirs)
    discs = turned(game, theirs, mine, square)
    if discs:
        return popcount(mine) - popcount(discs) - popcount(discs) - 1 - popcount(theirs)
    return final(game, mine, theirs)


@kernel
def last_two(game: Any, tally: Any, mine: Any, theirs: Any, first: Any, second: Any, alpha: Any, beta: Any) -> Any:
    """The value with two empty squares."""
    tally.nodes += 1
    best = NOTHING
    if game.neighbours[first] & theirs:
        discs = turned(game, mine, theirs, first)
        if discs:
            best = -last_one(game, tally, theirs ^ discs, mine | discs | ONE << np.uint64(first), second)
            if best >= beta:
                return best
    if game.neighbours[second] & theirs:
        discs = turned(game, mine, theirs, second)
        if discs:
            value = -last_one(game, tally, theirs ^ discs, mine | discs | ONE << np.uint64(second), first)
            best = max(best, value)
    if best != NOTHING:
        return best
    if game.neighbours[first] & mine:  # the mover has to pass
        discs = turned(game, theirs, mine, first)
        if discs:
            best = last_one(game, tally, mine ^ discs, theirs | discs | ONE << np.uint64(first), second)
            if best <= alpha:
                return best
    if game.neighbours[second] & mine:
        discs = turned(game, theirs, mine, second)
        if discs:
            value = last_one(game, tally, mine ^ discs, theirs | discs | ONE << np.uint64(second), first)
            best = value if best == NOTHING else min(best, value)
    if best != NOTHING:
        return best
    return final(game, mine, theirs)


@inline
def odd_regions(game: Any, empty: Any) -> Any:
    """The quarters of the board in which an odd number of squares is empty."""
    odd = ZERO
    for quarter in range(4):
        region = game.quarters[quarter]
        if popcount(empty & region) & 1:
            odd |= region
    return odd


@kernel
def last_squares(game: Any, tally: Any, mine: Any, theirs: Any, alpha: Any, beta: Any) -> Any:
    """The value to the mover, any number of squares being empty: exact between alpha and beta, else a bound."""
    empty = game.full & ~(mine | theirs)
    number = popcount(empty)
    if number == 2:
        first = lowest(empty)
        return last_two(game, tally, mine, theirs, first, lowest(empty & (empty - ONE)), alpha, beta)
    if number == 1:
        return last_one(game, tally, mine, theirs, lowest(empty))
    tally.nodes += 1
    best = NOTHING
    odd = odd_regions(game, empty)
    for group in range(2):
        squares = empty & odd if group == 0 else empty & ~odd
        while squares:
            square = lowest(squares)
            squares &= squares - ONE
            if game.neighbours[square] & theirs:
                discs = turned(game, mine, theirs, square)
                if discs:
                    own = mine | discs | ONE << np.uint64(square)
                    value = -last_squares(game, tally, theirs ^ discs, own, -beta, -max(alpha, best))
                    if value > best:
                        best = value
                        if best >= beta:
                            return best
    if best != NOTHING:
        return best
    if can_play(game, theirs, mine) == ZERO:
        return final(game, mine, theirs)
    return -last_squares(game, tally, theirs, mine, -beta, -alpha)
