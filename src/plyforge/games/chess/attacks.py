"""Which squares pieces attack.

Kings, knights and pawns by tables. A bishop, rook or queen reaches along each line as far as the first piece:
subtracting twice its own bit from the pieces of a line clears the nearest one above it and sets everything between, so
that the bits which have changed are the squares that it attacks. The same with the bytes in the opposite order gives
the other half of the line ("hyperbola quintessence"). Along a rank, where that would need all 64 bits reversed, a table
of 512 rows does it.

All squares that one side attacks are found by flooding: every sliding piece at once moves on, one, two and four
squares, over empty squares ("Kogge-Stone").

Invariant: all functions take and give sets of bits as `uint64`; a square is a plain number from 0 to 63.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from plyforge.contract import MAX
from plyforge.games.chess.board import NOT_A, NOT_H, ONE, ZERO
from plyforge.kernel import inline, kernel, lowest, minus, swap_bytes

ROOK_WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))
BISHOP_WAYS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KNIGHT_WAYS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))


# ------------------------------------------------------------------ tables, made once when the module is imported
def _reached(square: int, ways: tuple[tuple[int, int], ...], steps: int, occupied: int = 0) -> int:
    """The squares that a piece reaches that makes up to so many steps in each of its ways, not beyond a piece."""
    found = 0
    for right, up in ways:
        file, rank = square % 8 + right, square // 8 + up
        for _ in range(steps):
            if not (0 <= file < 8 and 0 <= rank < 8):
                break
            bit = 1 << file + 8 * rank
            found |= bit
            if occupied & bit:
                break
            file, rank = file + right, rank + up
    return found


def _table(entry: Callable[[int], int]) -> np.ndarray:
    return np.array([entry(square) for square in range(64)], np.uint64)


KNIGHT_STEPS = _table(lambda square: _reached(square, KNIGHT_WAYS, 1))
KING_STEPS = _table(lambda square: _reached(square, ROOK_WAYS + BISHOP_WAYS, 1))
PAWN_TAKES = np.array([[_reached(square, ((1, up), (-1, up)), 1) for square in range(64)] for up in (1, -1)], np.uint64)
"""By player and square: where a pawn captures."""
ALONG_FILE = _table(lambda square: _reached(square, ((0, 1), (0, -1)), 7))
ALONG_RISE = _table(lambda square: _reached(square, ((1, 1), (-1, -1)), 7))
ALONG_FALL = _table(lambda square: _reached(square, ((1, -1), (-1, 1)), 7))
STRAIGHT_RAYS = _table(lambda square: _reached(square, ROOK_WAYS, 7))
DIAGONAL_RAYS = _table(lambda square: _reached(square, BISHOP_WAYS, 7))
ALONG_RANK = np.array(
    [[_reached(file, ((1, 0), (-1, 0)), 7, inner << 1) for inner in range(64)] for file in range(8)],
    np.uint64,
)
"""By file, and by which of the six inner squares of the rank are occupied: what is attacked on the first rank."""


def _lines() -> tuple[np.ndarray, np.ndarray]:
    between, through = np.zeros((64, 64), np.uint64), np.zeros((64, 64), np.uint64)
    for square in range(64):
        for right, up in ROOK_WAYS + BISHOP_WAYS:
            both = _reached(square, ((right, up), (-right, -up)), 7) | 1 << square
            passed = 0
            file, rank = square % 8 + right, square // 8 + up
            while 0 <= file < 8 and 0 <= rank < 8:
                other = file + 8 * rank
                between[square, other], through[square, other] = passed, both
                passed |= 1 << other
                file, rank = file + right, rank + up
    return between, through


BETWEEN, THROUGH = _lines()
"""By two squares: those strictly between them, and all of the line through both; none if they are not on one line."""


# ------------------------------------------------------------------ one piece
@inline
def along(occupied, line, square):
    """What is attacked from a square on a file or diagonal, of which `line` are the other squares."""
    pieces = occupied & line
    upwards = minus(pieces, ONE << np.uint64(square) << ONE)
    downwards = swap_bytes(minus(swap_bytes(pieces), ONE << np.uint64(square ^ 56) << ONE))
    return (upwards ^ downwards) & line


@inline
def diagonal_attacks(square, occupied):
    """What a bishop attacks."""
    return along(occupied, ALONG_RISE[square], square) | along(occupied, ALONG_FALL[square], square)


@inline
def straight_attacks(square, occupied):
    """What a rook attacks."""
    rank = np.uint64(square & 56)
    inner = np.int64(occupied >> (rank + ONE) & np.uint64(63))
    return along(occupied, ALONG_FILE[square], square) | ALONG_RANK[square & 7, inner] << rank


@inline
def attackers(s, square, occupied):
    """The pieces of both sides that attack a square, with sliding ones stopped by `occupied` only. Kings count."""
    return (
        PAWN_TAKES[1, square] & s.pawns & s.white
        | PAWN_TAKES[0, square] & s.pawns & s.black
        | KNIGHT_STEPS[square] & s.knights
        | KING_STEPS[square] & s.kings
        | diagonal_attacks(square, occupied) & s.diagonals
        | straight_attacks(square, occupied) & s.straights
    )


# ------------------------------------------------------------------ all pieces of a side
@inline
def flood_up(pieces, free, one):
    """Move on over free squares towards higher bits, `one` at a time, and one step beyond."""
    two = one + one
    pieces |= free & pieces << one
    free &= free << one
    pieces |= free & pieces << two
    free &= free << two
    pieces |= free & pieces << (two + two)
    return pieces << one


@inline
def flood_down(pieces, free, one):
    """The same towards lower bits."""
    two = one + one
    pieces |= free & pieces >> one
    free &= free >> one
    pieces |= free & pieces >> two
    free &= free >> two
    pieces |= free & pieces >> (two + two)
    return pieces >> one


SIDEWAYS, RISE, UPWARDS, FALL = np.uint64(1), np.uint64(9), np.uint64(8), np.uint64(7)


@inline
def slid(diagonals, straights, empty):
    """All squares that some bishops and queens, rooks and queens attack together."""
    not_a, not_h = empty & NOT_A, empty & NOT_H
    eastwards = (
        flood_up(straights, not_a, SIDEWAYS) | flood_up(diagonals, not_a, RISE) | flood_down(diagonals, not_a, FALL)
    )
    westwards = (
        flood_down(straights, not_h, SIDEWAYS) | flood_down(diagonals, not_h, RISE) | flood_up(diagonals, not_h, FALL)
    )
    return (
        eastwards & NOT_A
        | westwards & NOT_H
        | flood_up(straights, empty, UPWARDS)
        | flood_down(straights, empty, UPWARDS)
    )


@inline
def jumped(knights):
    """All squares that some knights attack together."""
    one_east, one_west = knights << ONE & NOT_A, knights >> ONE & NOT_H
    two_east, two_west = one_east << ONE & NOT_A, one_west >> ONE & NOT_H
    near, far = one_east | one_west, two_east | two_west
    return near << np.uint64(16) | near >> np.uint64(16) | far << np.uint64(8) | far >> np.uint64(8)


@inline
def taken_by_pawns(pawns, player):
    """All squares that some pawns of a player attack together."""
    east, west = pawns << ONE & NOT_A, pawns >> ONE & NOT_H
    if player == MAX:
        return (east | west) << UPWARDS
    return (east | west) >> UPWARDS


@inline
def attacked(s, enemy, occupied):
    """All squares that `enemy`, who does not move, attacks: where a king may not go. Take the king out of
    `occupied`: it can't hide behind itself."""
    found = taken_by_pawns(s.pawns & enemy, 1 - s.player) | jumped(s.knights & enemy)
    found |= slid(s.diagonals & enemy, s.straights & enemy, ~occupied)
    return found | KING_STEPS[lowest(s.kings & enemy)]


@inline
def checks_and_pins(s, own, enemy, king):
    """The enemy's pieces that give check to the king on a square, and all pieces that alone stand between it and a
    sliding enemy."""
    occupied = own | enemy
    checkers = (PAWN_TAKES[s.player, king] & s.pawns | KNIGHT_STEPS[king] & s.knights) & enemy
    pinned = ZERO
    snipers = (DIAGONAL_RAYS[king] & s.diagonals | STRAIGHT_RAYS[king] & s.straights) & enemy
    while snipers:
        sniper = lowest(snipers)
        blockers = BETWEEN[king, sniper] & occupied
        if blockers == ZERO:
            checkers |= ONE << np.uint64(sniper)
        elif blockers & (blockers - ONE) == ZERO:
            pinned |= blockers
        snipers &= snipers - ONE
    return checkers, pinned


@kernel
def passant_takers(s, passant, player):
    """The pawns of `player` that may capture en passant on that square: those after whose capture no enemy attacks
    the king."""
    own, enemy = (s.white, s.black) if player == MAX else (s.black, s.white)
    victim = passant >> UPWARDS if player == MAX else passant << UPWARDS
    king = lowest(s.kings & own)
    takers = PAWN_TAKES[1 - player, lowest(passant)] & s.pawns & own
    found = ZERO
    while takers:
        taker = takers & minus(ZERO, takers)
        takers ^= taker
        occupied = (s.white | s.black) ^ taker ^ victim | passant
        if attackers(s, king, occupied) & enemy & ~victim == ZERO:
            found |= taker
    return found
