"""What an evaluation of chess adds up: named features, each as White's number minus Black's.

    pawns, knights, bishops, rooks, queens     how many
    bishop pair                                two bishops or more
    squares                                    what the pieces are worth where they stand: piece-square tables by stage
                                               of the game, see squares.py
    king shelter                               pawns before the king on its file and those beside it: 2 if next to it, 1
                                               if one rank on
    king storm                                 enemy pawns before the king on those files: the more the nearer
    king files                                 files beside and of the king without a pawn of its own
    king attack                                pieces that attack squares around the enemy's king, if there are two or
                                               more: their number times their force
    king ring                                  squares around the enemy's king that are attacked, and that no pawn
                                               protects
    king checks                                squares from which a piece could give check and not be captured
    knight, bishop, rook, queen mobility       squares where they can go that no enemy pawn attacks
    cramped                                    by how many squares knights, bishops and rooks fall short of four
    open files, half-open files                rooks on files without pawns, or without own pawns
    seventh rank                               rooks there
    outposts                                   knights and bishops that a pawn protects where no enemy pawn will ever
                                               attack them
    bad bishop                                 own pawns on squares of a bishop's colour
    doubled, isolated, backward, connected     pawns of that kind
    passed, passed advance, passed protected, passed blocked    pawns that no enemy pawn can stop; squares of how far
                                                                they have come; with a pawn that protects them; with an
                                                                enemy before them
    passed race                                how much nearer to them the own king is than the other, times how far
                                               they have come
    passed free                                how far those have come that have nothing before them
    rook behind                                rooks behind own passed pawns
    pawn threats, minor threats, rook threats  enemy pieces that a pawn attacks; rooks and queens that a knight or
                                               bishop attacks; queens that a rook attacks
    hanging                                    enemy pieces that are attacked and not protected
    move                                       whose turn it is, as 1 or -1

Invariant: exchanging the colours turns every sign. Each side is counted by the same code, on a board that is turned
upside down for Black.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.contract import MAX
from plyforge.games.chess.attacks import KING_STEPS, KNIGHT_STEPS, UPWARDS, diagonal_attacks, straight_attacks
from plyforge.games.chess.board import DARK, NOT_A, NOT_H, ONE, ZERO
from plyforge.kernel import inline, kernel, lowest, popcount, swap_bytes

NAMES = (
    "pawns",
    "knights",
    "bishops",
    "rooks",
    "queens",
    "bishop pair",
    "squares",
    "king shelter",
    "king storm",
    "king files",
    "king attack",
    "knight mobility",
    "bishop mobility",
    "rook mobility",
    "queen mobility",
    "cramped",
    "open files",
    "half-open files",
    "seventh rank",
    "outposts",
    "bad bishop",
    "doubled",
    "isolated",
    "backward",
    "connected",
    "passed",
    "passed advance",
    "passed protected",
    "passed blocked",
    "passed race",
    "passed free",
    "rook behind",
    "pawn threats",
    "minor threats",
    "rook threats",
    "king ring",
    "king checks",
    "hanging",
    "move",
)
FULL_ARMY = 24
"""Knights and bishops count 1, rooks 2, queens 4: so much at the start."""
FORCES = (2, 2, 3, 5)
"""What a knight, bishop, rook and queen count in an attack on a king."""


def _squares(wanted: Callable[[int, int], Any]) -> np.uint64:
    return np.uint64(sum(1 << square for square in range(64) if wanted(square & 7, square >> 3)))


SEVENTH = _squares(lambda file, rank: rank == 6)
OUTPOSTS = _squares(lambda file, rank: 3 <= rank <= 5)
ENOUGH_ROOM = 4
"""Pieces with fewer squares to go to are cramped."""


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


@inline
def forwards(squares):
    """All squares before some, on their files."""
    return upwards(squares) << UPWARDS


@inline
def of_knights(pieces, free, zone, table, early, late):
    """What knights attack, where they can go, how many attack the zone with which force, how cramped they are; and
    what they are worth where they stand, added to what there was."""
    attacks, mobility, attacking, force, cramped = ZERO, 0, 0, 0, 0
    while pieces:
        square = lowest(pieces)
        early += table[0, 1, square]
        late += table[1, 1, square]
        reached = KNIGHT_STEPS[square]
        room = popcount(reached & free)
        mobility += room
        cramped += max(0, ENOUGH_ROOM - room)
        attacks |= reached
        if reached & zone:
            attacking += 1
            force += FORCES[0]
        pieces &= pieces - ONE
    return attacks, mobility, attacking, force, cramped, early, late


@inline
def of_bishops(pieces, occupied, free, zone, table, attacking, force, cramped, early, late):
    """The same of bishops."""
    attacks, mobility = ZERO, 0
    while pieces:
        square = lowest(pieces)
        early += table[0, 2, square]
        late += table[1, 2, square]
        reached = diagonal_attacks(square, occupied)
        room = popcount(reached & free)
        mobility += room
        cramped += max(0, ENOUGH_ROOM - room)
        attacks |= reached
        if reached & zone:
            attacking += 1
            force += FORCES[1]
        pieces &= pieces - ONE
    return attacks, mobility, attacking, force, cramped, early, late


@inline
def of_straights(pieces, diagonals, occupied, free, zone, table, attacking, force, cramped, early, late):
    """The same of rooks and queens, in the order of their squares; queens are never cramped."""
    rook_attacks, queen_attacks, rook_mobility, queen_mobility = ZERO, ZERO, 0, 0
    while pieces:
        square = lowest(pieces)
        reached = straight_attacks(square, occupied)
        if diagonals >> np.uint64(square) & ONE:
            early += table[0, 4, square]
            late += table[1, 4, square]
            reached |= diagonal_attacks(square, occupied)
            queen_mobility += popcount(reached & free)
            queen_attacks |= reached
            if reached & zone:
                attacking += 1
                force += FORCES[3]
        else:
            early += table[0, 3, square]
            late += table[1, 3, square]
            room = popcount(reached & free)
            rook_mobility += room
            cramped += max(0, ENOUGH_ROOM - room)
            rook_attacks |= reached
            if reached & zone:
                attacking += 1
                force += FORCES[2]
        pieces &= pieces - ONE
    return rook_attacks, queen_attacks, rook_mobility, queen_mobility, attacking, force, cramped, early, late


@inline
def of_king(home, mine, theirs, my_files):
    """A king's shelter, the storm against it, and files beside it without pawns of its own."""
    near_files = home | beside(home)
    front = near_files << UPWARDS
    shelter = 2 * popcount(mine & front) + popcount(mine & front << UPWARDS)
    storm = 3 * popcount(theirs & front) + 2 * popcount(theirs & front << UPWARDS)
    storm += popcount(theirs & front << np.uint64(16))
    return shelter, storm, popcount(near_files & ~my_files)


@inline
def of_pawns(pawns, my_files, my_attacks, their_attacks, table, early, late):
    """Doubled, isolated, backward and connected pawns; and what pawns are worth where they stand."""
    pieces = pawns
    while pieces:
        square = lowest(pieces)
        early += table[0, 0, square]
        late += table[1, 0, square]
        pieces &= pieces - ONE
    doubled = popcount(pawns & downwards(pawns) >> UPWARDS)
    with_neighbours = pawns & beside(my_files)
    isolated = popcount(pawns & ~with_neighbours)
    backward = popcount(with_neighbours << UPWARDS & their_attacks & ~upwards(my_attacks))
    connected = popcount(pawns & (my_attacks | beside(pawns)))
    return doubled, isolated, backward, connected, early, late


@inline
def of_passed(pieces, enemy, occupied, king, their_king, rooks, rook_attacks):
    """How far passed pawns have come; how far those that are blocked, and those that are free; the kings' race; rooks
    behind them."""
    advance, blocked, race, free, rooks_behind = 0, 0, 0, 0, 0
    while pieces:
        square = lowest(pieces)
        bit = ONE << np.uint64(square)
        steps = (square >> 3) - 1
        advance += steps * steps
        race += steps * (distance(their_king, square + 8) - distance(king, square + 8))
        if enemy >> np.uint64(square + 8) & ONE:
            blocked += steps
        if forwards(bit) & occupied == ZERO:
            free += steps * steps
        if rook_attacks & bit and downwards(bit) & rooks:
            rooks_behind += 1
        pieces &= pieces - ONE
    return advance, blocked, race, free, rooks_behind


@kernel
def counts_of(own, enemy, pawns, knights, diagonals, straights, kings, table):
    """One side's numbers, as seen by the side whose pawns move up, and the squares that its pieces attack, by kind.
    All 64-bit sets."""
    occupied = own | enemy
    mine, theirs = pawns & own, pawns & enemy
    my_attacks, their_attacks = beside(mine) << UPWARDS, beside(theirs) >> UPWARDS
    king, their_king = lowest(kings & own), lowest(kings & enemy)
    my_files, their_files = upwards(downwards(mine)), upwards(downwards(theirs))
    early, late = table[0, 5, king], table[1, 5, king]

    # Pieces: where they can go, and who attacks the squares around the enemy's king.
    zone = KING_STEPS[their_king] | kings & enemy
    free = ~(own | their_attacks)
    knight_attacks, knight_mobility, attacking, force, cramped, early, late = of_knights(
        knights & own, free, zone, table, early, late
    )
    bishop_attacks, bishop_mobility, attacking, force, cramped, early, late = of_bishops(
        diagonals & ~straights & own, occupied, free, zone, table, attacking, force, cramped, early, late
    )
    rook_attacks, queen_attacks, rook_mobility, queen_mobility, attacking, force, cramped, early, late = of_straights(
        straights & own, diagonals, occupied, free, zone, table, attacking, force, cramped, early, late
    )
    king_attack = attacking * force if attacking > 1 else 0
    shelter, storm, bare_files = of_king(kings & own, mine, theirs, my_files)

    # Pawns.
    doubled, isolated, backward, connected, early, late = of_pawns(
        mine, my_files, my_attacks, their_attacks, table, early, late
    )
    rooks, queens = straights & ~diagonals & own, straights & diagonals & own
    bishops = diagonals & ~straights & own
    passed = mine & ~(downwards(theirs | beside(theirs)) >> UPWARDS)
    passed &= ~(downwards(mine) >> UPWARDS)  # only the first of doubled pawns
    passed_advance, passed_blocked, passed_race, passed_free, rooks_behind = of_passed(
        passed, enemy, occupied, king, their_king, rooks, rook_attacks
    )

    pair = 1 if popcount(bishops) > 1 else 0
    dark, light = popcount(mine & DARK), popcount(mine & ~DARK)
    bad_bishop = popcount(bishops & DARK) * dark + popcount(bishops & ~DARK) * light
    minor_attacks = knight_attacks | bishop_attacks
    pieces_and_places = (
        popcount(mine),
        popcount(knights & own),
        popcount(bishops),
        popcount(rooks),
        popcount(queens),
        pair,
        shelter,
        storm,
        bare_files,
        king_attack,
        knight_mobility,
        bishop_mobility,
        rook_mobility,
        queen_mobility,
        cramped,
        popcount(rooks & ~(my_files | their_files)),
        popcount(rooks & their_files & ~my_files),
    )
    activity = (
        popcount(rooks & SEVENTH),
        popcount((knights & own | bishops) & OUTPOSTS & my_attacks & ~downwards(their_attacks)),
        bad_bishop,
        doubled,
        isolated,
        backward,
        connected,
        popcount(passed),
        passed_advance,
        popcount(passed & my_attacks),
        passed_blocked,
        passed_race,
        passed_free,
        rooks_behind,
        popcount(my_attacks & enemy & ~pawns),
        popcount(minor_attacks & enemy & straights),
        popcount(rook_attacks & enemy & straights & diagonals),
    )
    numbers = pieces_and_places + activity  # one tuple of so many would not compile
    attacks = (my_attacks, knight_attacks, bishop_attacks, rook_attacks, queen_attacks, KING_STEPS[king])
    return numbers, attacks, early, late


@inline
def danger(occupied, own, pawns, king, ours, theirs):
    """How much one side threatens, by what it attacks and what the other side does: around the king, by checks, and
    of pieces that nothing protects."""
    ring = KING_STEPS[king]
    all_ours = ours[0] | ours[1] | ours[2] | ours[3] | ours[4] | ours[5]
    all_theirs = theirs[0] | theirs[1] | theirs[2] | theirs[3] | theirs[4] | theirs[5]
    weak = popcount(ring & all_ours & ~theirs[0])
    straight, diagonal = straight_attacks(king, occupied), diagonal_attacks(king, occupied)
    safe = ~own & ~all_theirs
    checks = popcount(KNIGHT_STEPS[king] & ours[1] & safe) + popcount(diagonal & ours[2] & safe)
    checks += popcount(straight & ours[3] & safe) + popcount((straight | diagonal) & ours[4] & safe)
    hanging = popcount((occupied ^ own) & ~pawns & all_ours & ~all_theirs)
    return weak, checks, hanging


@inline
def turned(attacks):
    """Sets of squares, upside down."""
    return (
        swap_bytes(attacks[0]),
        swap_bytes(attacks[1]),
        swap_bytes(attacks[2]),
        swap_bytes(attacks[3]),
        swap_bytes(attacks[4]),
        swap_bytes(attacks[5]),
    )


@inline
def features_of(s, table):
    """All features, in the order of NAMES. `table`: what each piece is worth on each square, early and late."""
    ours, our_attacks, our_early, our_late = counts_of(
        s.white, s.black, s.pawns, s.knights, s.diagonals, s.straights, s.kings, table
    )
    theirs, their_attacks, their_early, their_late = counts_of(
        swap_bytes(s.black),
        swap_bytes(s.white),
        swap_bytes(s.pawns),
        swap_bytes(s.knights),
        swap_bytes(s.diagonals),
        swap_bytes(s.straights),
        swap_bytes(s.kings),
        table,
    )
    their_attacks = turned(their_attacks)
    occupied = s.white | s.black
    our_ring, our_checks, our_catch = danger(
        occupied, s.white, s.pawns, lowest(s.kings & s.black), our_attacks, their_attacks
    )
    their_ring, their_checks, their_catch = danger(
        occupied, s.black, s.pawns, lowest(s.kings & s.white), their_attacks, our_attacks
    )
    phase = phase_of(s)
    early, late = our_early - their_early, our_late - their_late
    turn = 1.0 if s.player == MAX else -1.0
    first = (
        float(ours[0] - theirs[0]),
        float(ours[1] - theirs[1]),
        float(ours[2] - theirs[2]),
        float(ours[3] - theirs[3]),
        float(ours[4] - theirs[4]),
        float(ours[5] - theirs[5]),
        early + phase * (late - early),
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
        float(our_ring - their_ring),
        float(our_checks - their_checks),
        float(our_catch - their_catch),
        turn,
    )
    return first + second


@inline
def phase_of(s):
    """0 with all pieces on the board, 1 with none but pawns and kings."""
    bishops_and_queens, rooks_and_queens = popcount(s.diagonals), popcount(s.straights)
    queens = popcount(s.diagonals & s.straights)
    army = popcount(s.knights) + bishops_and_queens + 2 * rooks_and_queens + queens
    return max(0.0, 1.0 - army / FULL_ARMY)


@inline
def force_of(s, side):
    """A side's pieces without pawns, as knights and bishops count 3."""
    queens = s.diagonals & s.straights & side
    return (
        3 * popcount((s.knights | s.diagonals & ~queens) & side)
        + 5 * popcount(s.straights & ~queens & side)
        + 9 * popcount(queens)
    )


@inline
def winnable(s, estimate):
    """Which part of an advantage is left for want of what wins: no pawn and less than a rook ahead, or bishops of
    opposite colours and nothing else."""
    side, other = (s.white, s.black) if estimate > 0.0 else (s.black, s.white)
    if s.pawns & side == ZERO and force_of(s, side) < force_of(s, other) + 5:
        return 0.2
    pieces = s.white | s.black
    if pieces & ~(s.pawns | s.kings) == s.diagonals & ~s.straights and popcount(s.diagonals) == 2:
        if popcount(s.diagonals & DARK) == 1 and s.diagonals & side and s.diagonals & other:
            return 0.6
    return 1.0
