"""Static exchange evaluation: what a capture wins if both sides go on capturing on its square, each with its cheapest
piece first, as long as it pays.

    exchange = max(0, what stands there - the exchange that follows)

So the capture of a protected pawn by a queen loses eight pawns, and that of a queen by a pawn wins eight at least.
Rooks behind rooks and bishops behind queens join in as the pieces before them are gone; a king captures only what
nobody protects any more. Pins are not seen.

Values are in pawns: 1, 3, 3, 5 and 9 for pawn, knight, bishop, rook and queen, as in Shannon's paper (1950).
"""

from __future__ import annotations

import numpy as np

from plyforge.games.chess.attacks import attackers
from plyforge.games.chess.board import (
    CASTLING,
    EN_PASSANT,
    KIND,
    ONE,
    SQUARE,
    TARGET,
    TO_BISHOP,
    TO_KNIGHT,
    TO_QUEEN,
    TO_ROOK,
    ZERO,
)
from plyforge.kernel import inline, kernel, minus

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 1.0, 3.0, 3.0, 5.0, 9.0, 1000.0


@inline
def value_at(s, bit):
    """What the piece on a square is worth; 0 if there is none. A king is worth more than all."""
    if s.pawns & bit:
        return PAWN
    if s.knights & bit:
        return KNIGHT
    if s.straights & bit:
        return QUEEN if s.diagonals & bit else ROOK
    if s.diagonals & bit:
        return BISHOP
    return KING if s.kings & bit else 0.0


@inline
def kind_at(s, bit):
    """The kind of the piece on a square, from 0 for a pawn to 5 for a king."""
    if s.pawns & bit:
        return 0
    if s.knights & bit:
        return 1
    if s.straights & bit:
        return 4 if s.diagonals & bit else 3
    return 2 if s.diagonals & bit else 5


@inline
def promoted_value(kind):
    """What a pawn becomes; 0 if the kind of move is no promotion."""
    if kind == TO_QUEEN:
        return QUEEN
    if kind == TO_ROOK:
        return ROOK
    return KNIGHT if kind in (TO_KNIGHT, TO_BISHOP) else 0.0


@inline
def cheapest(s, pieces):
    """The set of those that are worth least among some pieces, of which there is at least one."""
    if pieces & s.pawns:
        return pieces & s.pawns
    if pieces & s.knights:
        return pieces & s.knights
    if pieces & s.diagonals & ~s.straights:
        return pieces & s.diagonals & ~s.straights
    if pieces & s.straights & ~s.diagonals:
        return pieces & s.straights & ~s.diagonals
    if pieces & s.diagonals:
        return pieces & s.diagonals
    return pieces


@kernel
def exchange(s, square, occupied, player, at_stake) -> float:
    """What `player` wins by capturing on `square`, where a piece worth `at_stake` stands; nothing if it is better
    not to."""
    all_attackers = attackers(s, square, occupied) & occupied
    own, enemy = (s.white, s.black) if player == 0 else (s.black, s.white)
    pieces = all_attackers & own
    if pieces == ZERO:
        return 0.0
    pieces = cheapest(s, pieces)
    piece = pieces & minus(ZERO, pieces)
    if piece & s.kings and all_attackers & enemy:
        return 0.0
    then = exchange(s, square, occupied ^ piece, 1 - player, value_at(s, piece))
    return max(0.0, at_stake - then)


@kernel
def exchange_value(s, action):
    """What a move wins on the square where it ends; below 0 if the piece that moved is lost there for less."""
    source, target, kind = action & SQUARE, action >> TARGET & SQUARE, action >> KIND
    if kind == CASTLING:
        return 0.0
    leave, arrive = ONE << np.uint64(source), ONE << np.uint64(target)
    won = value_at(s, arrive)
    at_stake = value_at(s, leave)
    occupied = (s.white | s.black) & ~leave
    if kind == EN_PASSANT:
        won = PAWN
        occupied ^= ONE << np.uint64((source & 56) | (target & 7))
    elif kind >= TO_KNIGHT:
        at_stake = promoted_value(kind)
        won += at_stake - PAWN
    return won - exchange(s, target, occupied | arrive, 1 - s.player, at_stake)
