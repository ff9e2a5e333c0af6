"""The n-th legal move, without those before it: so a random move costs a count and a walk to one piece, not a list.

The moves are numbered in the order in which `legal.py` counts them, but for the king's, which come last: where the
enemy attacks is asked only if one of those is wanted.

Invariant: over all numbers below `count_moves(s)`, `move_at(s, number)` gives each move of `Chess.actions(s)` once; a
test holds them to it.
"""

from __future__ import annotations

import numpy as np

from plyforge.contract import MAX
from plyforge.games.chess.attacks import (
    BETWEEN,
    KING_STEPS,
    KNIGHT_STEPS,
    THROUGH,
    UPWARDS,
    attacked,
    checks_and_pins,
    diagonal_attacks,
    passant_takers,
    straight_attacks,
)
from plyforge.games.chess.board import (
    ALL,
    CASTLING,
    DOUBLE_STEP,
    EN_PASSANT,
    KIND,
    LAST_RANKS,
    NOT_A,
    NOT_H,
    ONE,
    PLAIN,
    TARGET,
    TO_KNIGHT,
    ZERO,
)
from plyforge.games.chess.legal import castling_rooks, pawn_steps, sides
from plyforge.kernel import inline, kernel, lowest, minus, nth, popcount

NOT_HERE = -1
"""Said instead of a move: it is one of those that follow."""


@inline
def written(source, target, kind):
    """A move as a number; see `board.py`."""
    return source | target << TARGET | kind << KIND


@inline
def number_of(targets):
    """How many moves pawns have that arrive at these squares, one at each: a promotion counts four times."""
    return popcount(targets) + 3 * popcount(targets & LAST_RANKS)


@inline
def pawn_arrives(targets, back, double, number):
    """The move with a number among those that `number_of` counts; the pawn comes from `back` squares behind, or
    twice that where the bit of `double` is set."""
    plain = targets & ~LAST_RANKS
    before = popcount(plain)
    if number < before:
        target = nth(plain, number)
        if double >> np.uint64(target) & ONE:
            return written(target - 2 * back, target, DOUBLE_STEP)
        return written(target - back, target, PLAIN)
    target = nth(targets & LAST_RANKS, (number - before) >> 2)
    return written(target - back, target, TO_KNIGHT + (number - before & 3))


@inline
def pawn_move_at(player, pawns, enemy, occupied, saving, number):
    """The move with a number among those of some pawns; or NOT_HERE, and the number less their moves."""
    forward = 8 if player == MAX else -8
    steps = pawn_steps(player, pawns, ~occupied)
    single = pawns << UPWARDS if player == MAX else pawns >> UPWARDS
    steps &= saving
    here = number_of(steps)
    if number < here:
        return pawn_arrives(steps, forward, steps & ~single, number), 0
    number -= here
    east, west = pawns << ONE & NOT_A, pawns >> ONE & NOT_H
    if player == MAX:
        east, west = east << UPWARDS, west << UPWARDS
    else:
        east, west = east >> UPWARDS, west >> UPWARDS
    east &= enemy & saving
    here = number_of(east)
    if number < here:
        return pawn_arrives(east, forward + 1, ZERO, number), 0
    number -= here
    west &= enemy & saving
    here = number_of(west)
    if number < here:
        return pawn_arrives(west, forward - 1, ZERO, number), 0
    return NOT_HERE, number - here


@kernel
def move_at(s, number):
    """The legal move with a number from 0 to `count_moves(s)` - 1."""
    own, enemy = sides(s)
    occupied = own | enemy
    king = lowest(s.kings & own)
    checkers, pinned = checks_and_pins(s, own, enemy, king)
    if checkers & minus(checkers, ONE) == ZERO:  # two checks at once can't be blocked
        saving = BETWEEN[king, lowest(checkers)] | checkers if checkers else ALL
        goals = ~own & saving
        found, number = pawn_move_at(s.player, s.pawns & own & ~pinned, enemy, occupied, saving, number)
        if found != NOT_HERE:
            return found
        movers = s.knights & own & ~pinned
        while movers:
            square = lowest(movers)
            targets = KNIGHT_STEPS[square] & goals
            here = popcount(targets)
            if number < here:
                return written(square, nth(targets, number), PLAIN)
            number -= here
            movers &= movers - ONE
        movers = s.diagonals & own
        while movers:
            square = lowest(movers)
            line = THROUGH[king, square] if pinned >> np.uint64(square) & ONE else ALL
            targets = diagonal_attacks(square, occupied) & goals & line
            here = popcount(targets)
            if number < here:
                return written(square, nth(targets, number), PLAIN)
            number -= here
            movers &= movers - ONE
        movers = s.straights & own
        while movers:
            square = lowest(movers)
            line = THROUGH[king, square] if pinned >> np.uint64(square) & ONE else ALL
            targets = straight_attacks(square, occupied) & goals & line
            here = popcount(targets)
            if number < here:
                return written(square, nth(targets, number), PLAIN)
            number -= here
            movers &= movers - ONE
        movers = s.pawns & own & pinned
        while movers:
            square = lowest(movers)
            line = saving & THROUGH[king, square]
            found, number = pawn_move_at(s.player, ONE << np.uint64(square), enemy, occupied, line, number)
            if found != NOT_HERE:
                return found
            movers &= movers - ONE
        if s.passant:
            takers = passant_takers(s, s.passant, s.player)
            here = popcount(takers)
            if number < here:
                return written(nth(takers, number), lowest(s.passant), EN_PASSANT)
            number -= here
        if s.castling & own and checkers == ZERO:
            rooks = castling_rooks(s)
            here = popcount(rooks)
            if number < here:
                return written(king, nth(rooks, number), CASTLING)
            number -= here
    targets = KING_STEPS[king] & ~own & ~attacked(s, enemy, occupied ^ s.kings & own)
    return written(king, nth(targets, number), PLAIN)
