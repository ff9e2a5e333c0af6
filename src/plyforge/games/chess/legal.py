"""Legal moves without naming one: where pawns step, with which rooks the mover may castle, and how many moves there
are.

Counting takes all pawns at once, and all squares of a piece at once: the last ply of a perft is a few additions.

Invariant: `count_moves(s)` is the number of actions that `Chess.actions(s)` gives; a test holds them to it.
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
from plyforge.games.chess.board import ALL, LAST_RANKS, NOT_A, NOT_H, ONE, RANK_3, RANK_6, ZERO, Position
from plyforge.kernel import inline, kernel, lowest, minus, popcount


@inline
def sides(s):
    """The mover's pieces, and the enemy's."""
    return (s.white, s.black) if s.player == MAX else (s.black, s.white)


@inline
def castled(s, king, rook):
    """The position after castling with the rook on that square."""
    own, enemy = sides(s)
    leave, arrive = ONE << np.uint64(king), ONE << np.uint64(rook)
    king_goal = ONE << np.uint64(king & 56 | (6 if rook > king else 2))
    rook_goal = ONE << np.uint64(king & 56 | (5 if rook > king else 3))
    own = own & ~(leave | arrive) | king_goal | rook_goal
    return Position(
        own if s.player == MAX else enemy,
        enemy if s.player == MAX else own,
        s.pawns,
        s.knights,
        s.diagonals,
        s.straights & ~arrive | rook_goal,
        s.kings & ~leave | king_goal,
        s.castling & enemy,
        ZERO,
        1 - s.player,
        s.quiet + 1,
        s.moves + s.player,
    )


@inline
def pawn_steps(player, pawns, empty):
    """Where some pawns of a player step to, one square or two."""
    if player == MAX:
        once = pawns << UPWARDS & empty
        return once | (once & RANK_3) << UPWARDS & empty
    once = pawns >> UPWARDS & empty
    return once | (once & RANK_6) >> UPWARDS & empty


@kernel
def castling_rooks(s):
    """The rooks with which the mover, who is not in check, may castle now."""
    own, enemy = sides(s)
    king = lowest(s.kings & own)
    rooks = s.castling & own
    found = ZERO
    while rooks:
        rook = lowest(rooks)
        bit = ONE << np.uint64(rook)
        rooks ^= bit
        king_goal = king & 56 | (6 if rook > king else 2)
        rook_goal = king & 56 | (5 if rook > king else 3)
        others = (own | enemy) & ~(bit | ONE << np.uint64(king))
        king_way = BETWEEN[king, king_goal] | ONE << np.uint64(king_goal)
        rook_way = BETWEEN[rook, rook_goal] | ONE << np.uint64(rook_goal)
        if (king_way | rook_way) & others == ZERO:
            danger = attacked(s, enemy, others | bit)
            # In Chess960 the rook itself may have kept an enemy on the first rank from the king's goal.
            after = others | ONE << np.uint64(rook_goal)
            exposed = straight_attacks(king_goal, after) & s.straights & enemy
            if (king_way & danger | exposed) == ZERO:
                found |= bit
    return found


@inline
def count_pawns(player, pawns, enemy, occupied, saving):
    """How many moves some pawns have, all of which may go to the same squares: a promotion counts four times."""
    steps = pawn_steps(player, pawns, ~occupied) & saving
    east, west = pawns << ONE & NOT_A, pawns >> ONE & NOT_H
    if player == MAX:
        east, west = east << UPWARDS, west << UPWARDS
    else:
        east, west = east >> UPWARDS, west >> UPWARDS
    east &= enemy & saving
    west &= enemy & saving
    number = popcount(steps) + popcount(east) + popcount(west)
    if (steps | east | west) & LAST_RANKS:
        number += 3 * (popcount(steps & LAST_RANKS) + popcount(east & LAST_RANKS) + popcount(west & LAST_RANKS))
    return number


@kernel
def count_moves(s):
    """How many legal moves there are."""
    own, enemy = sides(s)
    occupied = own | enemy
    king = lowest(s.kings & own)
    checkers, pinned = checks_and_pins(s, own, enemy, king)

    number = 0
    targets = KING_STEPS[king] & ~own
    if targets:
        number += popcount(targets & ~attacked(s, enemy, occupied ^ s.kings & own))
    if checkers & minus(checkers, ONE) == ZERO:
        saving = BETWEEN[king, lowest(checkers)] | checkers if checkers else ALL
        goals = ~own & saving
        number += count_pawns(s.player, s.pawns & own & ~pinned, enemy, occupied, saving)
        movers = s.knights & own & ~pinned
        while movers:
            number += popcount(KNIGHT_STEPS[lowest(movers)] & goals)
            movers &= movers - ONE
        movers = s.diagonals & own
        while movers:
            square = lowest(movers)
            line = THROUGH[king, square] if pinned >> np.uint64(square) & ONE else ALL
            number += popcount(diagonal_attacks(square, occupied) & goals & line)
            movers &= movers - ONE
        movers = s.straights & own
        while movers:
            square = lowest(movers)
            line = THROUGH[king, square] if pinned >> np.uint64(square) & ONE else ALL
            number += popcount(straight_attacks(square, occupied) & goals & line)
            movers &= movers - ONE
        movers = s.pawns & own & pinned
        while movers:
            square = lowest(movers)
            line = THROUGH[king, square]
            number += count_pawns(s.player, ONE << np.uint64(square), enemy, occupied, saving & line)
            movers &= movers - ONE
        if s.passant:
            number += popcount(passant_takers(s, s.passant, s.player))
        if s.castling & own and checkers == ZERO:
            number += popcount(castling_rooks(s))
    return number
