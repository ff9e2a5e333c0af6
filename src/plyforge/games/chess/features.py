"""What an evaluation of chess adds up: named features, each as White's number minus Black's.

    pawns, knights, bishops, rooks, queens     how many
    bishop pair                                two bishops or more
    pawn advance                               ranks that the pawns have come, all together
    pawn centre                                pawns on d4, e4, d5, e5, twice; beside those on ranks 4 and 5 of c and f, once
    knight centre, bishop centre, queen centre, king centre     0 on the edge to 3 in the middle, all together
    king wing                                  0 on the files d and e, 1 on c and f, 2 beyond
    king shelter                               pawns before the king on its file and those beside it: 2 if next to it, 1 if one rank on
    king files                                 files beside and of the king without a pawn of its own
    king attack                                pieces that attack squares around the enemy's king, if there are two or more: their number times their force
    knight, bishop, rook, queen mobility       squares where they can go that no enemy pawn attacks
    open files, half-open files                rooks on files without pawns, or without own pawns
    seventh rank                               rooks there
    outposts                                   knights that a pawn protects where no enemy pawn will ever attack them
    doubled, isolated, backward, connected     pawns of that kind
    passed, passed advance, passed protected, passed blocked    pawns that no enemy pawn can stop; squares of how far they have come; with a pawn that protects them; with an enemy before them
    passed race                                how much nearer to them the own king is than the other, times how far they have come
    pawn threats, minor threats                enemy pieces that a pawn attacks; rooks and queens that a knight or bishop attacks
    move                                       whose turn it is, as 1 or -1

Piece-square tables are not kept as tables: centre, advance and wing are the few shapes that they have, and their weights differ at the beginning and at the end of the game.

Invariant: exchanging the colours turns every sign. Each side is counted by the same code, on a board that is turned upside down for Black.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.game import MAX
from plyforge.games.chess.attacks import KING_STEPS, KNIGHT_STEPS, UPWARDS, diagonal_attacks, straight_attacks
from plyforge.games.chess.board import NOT_A, NOT_H, ONE, ZERO
from plyforge.kernel import inline, kernel, lowest, popcount, swap_bytes

NAMES = (
    "pawns",
    "knights",
    "bishops",
    "rooks",
    "queens",
    "bishop pair",
    "pawn advance",
    "pawn centre",
    "knight centre",
    "bishop centre",
    "queen centre",
    "king centre",
    "king wing",
    "king shelter",
    "king files",
    "king attack",
    "knight mobility",
    "bishop mobility",
    "rook mobility",
    "queen mobility",
    "open files",
    "half-open files",
    "seventh rank",
    "outposts",
    "doubled",
    "isolated",
    "backward",
    "connected",
    "passed",
    "passed advance",
    "passed protected",
    "passed blocked",
    "passed race",
    "pawn threats",
    "minor threats",
    "move",
)
FULL_ARMY = 24
"""Knights and bishops count 1, rooks 2, queens 4: so much at the start."""
FORCES = (2, 2, 3, 5)
"""What a knight, bishop, rook and queen count in an attack on a king."""


def _squares(wanted: Callable[[int, int], Any]) -> np.uint64:
    return np.uint64(sum(1 << square for square in range(64) if wanted(square & 7, square >> 3)))


INNER = _squares(lambda file, rank: 1 <= file <= 6 and 1 <= rank <= 6)
NEAR_MIDDLE = _squares(lambda file, rank: 2 <= file <= 5 and 2 <= rank <= 5)
MIDDLE = _squares(lambda file, rank: 3 <= file <= 4 and 3 <= rank <= 4)
BROAD_MIDDLE = _squares(lambda file, rank: 2 <= file <= 5 and 3 <= rank <= 4)
RANKS_OF_ONE = _squares(lambda file, rank: rank - 1 & 1)
RANKS_OF_TWO = _squares(lambda file, rank: rank - 1 & 2)
RANKS_OF_FOUR = _squares(lambda file, rank: rank - 1 & 4)
SEVENTH = _squares(lambda file, rank: rank == 6)
OUTPOSTS = _squares(lambda file, rank: 3 <= rank <= 5)


@inline
def centre(pieces):
    """0 on the edge, 1, 2, 3 in the middle, for all pieces together."""
    return popcount(pieces & INNER) + popcount(pieces & NEAR_MIDDLE) + popcount(pieces & MIDDLE)


@inline
def upwards(squares):
    """The squares and all above them on their files."""
    squares |= squares << UPWARDS
    squares |= squares << np.uint64(16)
    return squares | squares << np.uint64(32)


@inline
def downwards(squares):
    """The squares and all below them on their files."""
    squares |= squares >> UPWARDS
    squares |= squares >> np.uint64(16)
    return squares | squares >> np.uint64(32)


@inline
def beside(squares):
    """The squares to the left and right."""
    return squares << ONE & NOT_A | squares >> ONE & NOT_H


@inline
def distance(one, other):
    """How many steps a king needs."""
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


@kernel
def counts_of(own, enemy, pawns, knights, diagonals, straights, kings):
    """One side's numbers, all but the last feature, as seen by the side whose pawns move up. All 64-bit sets."""
    occupied = own | enemy
    mine, theirs = pawns & own, pawns & enemy
    my_attacks, their_attacks = beside(mine) << UPWARDS, beside(theirs) >> UPWARDS
    king, their_king = lowest(kings & own), lowest(kings & enemy)
    my_files, their_files = upwards(downwards(mine)), upwards(downwards(theirs))

    # Pieces: where they can go, and who attacks the squares around the enemy's king.
    zone = KING_STEPS[their_king] | kings & enemy
    free = ~(own | their_attacks)
    attacking, force = 0, 0
    minor_attacks = ZERO
    knight_mobility, bishop_mobility, rook_mobility, queen_mobility = 0, 0, 0, 0
    pieces = knights & own
    while pieces:
        reached = KNIGHT_STEPS[lowest(pieces)]
        knight_mobility += popcount(reached & free)
        minor_attacks |= reached
        if reached & zone:
            attacking += 1
            force += FORCES[0]
        pieces &= pieces - ONE
    pieces = diagonals & ~straights & own
    while pieces:
        reached = diagonal_attacks(lowest(pieces), occupied)
        bishop_mobility += popcount(reached & free)
        minor_attacks |= reached
        if reached & zone:
            attacking += 1
            force += FORCES[1]
        pieces &= pieces - ONE
    pieces = straights & own
    while pieces:
        square = lowest(pieces)
        reached = straight_attacks(square, occupied)
        if diagonals >> np.uint64(square) & ONE:
            reached |= diagonal_attacks(square, occupied)
            queen_mobility += popcount(reached & free)
            if reached & zone:
                attacking += 1
                force += FORCES[3]
        else:
            rook_mobility += popcount(reached & free)
            if reached & zone:
                attacking += 1
                force += FORCES[2]
        pieces &= pieces - ONE
    king_attack = attacking * force if attacking > 1 else 0

    # The king.
    home = kings & own
    file = king & 7
    front = (home | beside(home)) << UPWARDS
    shelter = 2 * popcount(mine & front) + popcount(mine & front << UPWARDS)
    bare_files = popcount((home | beside(home)) & ~my_files)
    wing = 0 if 3 <= file <= 4 else 1 if 2 <= file <= 5 else 2

    # Pawns.
    doubled = popcount(mine & downwards(mine) >> UPWARDS)
    with_neighbours = mine & beside(my_files)
    isolated = popcount(mine & ~with_neighbours)
    backward = popcount(with_neighbours << UPWARDS & their_attacks & ~upwards(my_attacks))
    connected = popcount(mine & (my_attacks | beside(mine)))
    advance = (
        popcount(mine & RANKS_OF_ONE) + 2 * popcount(mine & RANKS_OF_TWO) + 4 * popcount(mine & RANKS_OF_FOUR)
    )
    passed = mine & ~(downwards(theirs | beside(theirs)) >> UPWARDS)
    passed &= ~(downwards(mine) >> UPWARDS)  # only the first of doubled pawns
    passed_advance, passed_blocked, passed_race = 0, 0, 0
    pieces = passed
    while pieces:
        square = lowest(pieces)
        steps = (square >> 3) - 1
        passed_advance += steps * steps
        passed_race += steps * (distance(their_king, square + 8) - distance(king, square + 8))
        if enemy >> np.uint64(square + 8) & ONE:
            passed_blocked += steps
        pieces &= pieces - ONE

    rooks, queens = straights & ~diagonals & own, straights & diagonals & own
    bishops = diagonals & ~straights & own
    pair = 1 if popcount(bishops) > 1 else 0
    pieces_and_places = (
        popcount(mine),
        popcount(knights & own),
        popcount(bishops),
        popcount(rooks),
        popcount(queens),
        pair,
        advance,
        popcount(mine & BROAD_MIDDLE) + popcount(mine & MIDDLE),
        centre(knights & own),
        centre(bishops),
        centre(queens),
        centre(home),
        wing,
        shelter,
        bare_files,
        king_attack,
    )
    activity = (
        knight_mobility,
        bishop_mobility,
        rook_mobility,
        queen_mobility,
        popcount(rooks & ~(my_files | their_files)),
        popcount(rooks & their_files & ~my_files),
        popcount(rooks & SEVENTH),
        popcount(knights & own & OUTPOSTS & my_attacks & ~downwards(their_attacks)),
        doubled,
        isolated,
        backward,
        connected,
        popcount(passed),
        passed_advance,
        popcount(passed & my_attacks),
        passed_blocked,
        passed_race,
        popcount(my_attacks & enemy & ~pawns),
        popcount(minor_attacks & enemy & straights),
    )
    return pieces_and_places + activity  # one tuple of so many would not compile


@inline
def features_of(s):
    """All features, in the order of NAMES."""
    ours = counts_of(s.white, s.black, s.pawns, s.knights, s.diagonals, s.straights, s.kings)
    theirs = counts_of(
        swap_bytes(s.black),
        swap_bytes(s.white),
        swap_bytes(s.pawns),
        swap_bytes(s.knights),
        swap_bytes(s.diagonals),
        swap_bytes(s.straights),
        swap_bytes(s.kings),
    )
    turn = 1.0 if s.player == MAX else -1.0
    first = (
        float(ours[0] - theirs[0]),
        float(ours[1] - theirs[1]),
        float(ours[2] - theirs[2]),
        float(ours[3] - theirs[3]),
        float(ours[4] - theirs[4]),
        float(ours[5] - theirs[5]),
        float(ours[6] - theirs[6]),
        float(ours[7] - theirs[7]),
        float(ours[8] - theirs[8]),
        float(ours[9] - theirs[9]),
        float(ours[10] - theirs[10]),
        float(ours[11] - theirs[11]),
        float(ours[12] - theirs[12]),
        float(ours[13] - theirs[13]),
        float(ours[14] - theirs[14]),
        float(ours[15] - theirs[15]),
        float(ours[16] - theirs[16]),
        float(ours[17] - theirs[17]),
    )
    second = (
        float(ours[18] - theirs[18]),
        float(ours[19] - theirs[19]),
        float(ours[20] - theirs[20]),
        float(ours[21] - theirs[21]),
        float(ours[22] - theirs[22]),
        float(ours[23] - theirs[23]),
        float(ours[24] - theirs[24]),
        float(ours[25] - theirs[25]),
        float(ours[26] - theirs[26]),
        float(ours[27] - theirs[27]),
        float(ours[28] - theirs[28]),
        float(ours[29] - theirs[29]),
        float(ours[30] - theirs[30]),
        float(ours[31] - theirs[31]),
        float(ours[32] - theirs[32]),
        float(ours[33] - theirs[33]),
        float(ours[34] - theirs[34]),
        turn,
    )
    return first + second


@inline
def stage_of(s):
    """0 with all pieces on the board, 1 with none but pawns and kings."""
    bishops_and_queens, rooks_and_queens = popcount(s.diagonals), popcount(s.straights)
    queens = popcount(s.diagonals & s.straights)
    army = popcount(s.knights) + bishops_and_queens + 2 * rooks_and_queens + queens
    return max(0.0, 1.0 - army / FULL_ARMY)
