"""Numbers for endings of chess: every position with up to four men has one.

A slice is all positions with the same material on the two sides, whoever of them moves. A position is numbered with
White to move; where Black is, the colours are exchanged and the board is turned upside down. So a slice has two halves,
the stronger side to move and then the weaker one, unless both have the same: then one half is enough. A move never
leaves a slice, but by a capture (fewer men) or a promotion (fewer pawns).

Boards that are mirror images have one number. With pawns White's king is brought to the files a to d; without them also
to the ranks 1 to 4 and below the diagonal from a1 to h8, which leaves ten squares; if it stands on the diagonal,
Black's king is brought below it; if both do, the image comes first whose sets of squares are smaller numbers.

    number = White's king's place, then Black's king's square, then the squares of White's queens, rooks, bishops,
    knights and pawns, and of Black's,
             as digits: 64 squares each, 48 for a pawn; of two equal men the one on the lower square comes first

Where both sides have one pawn, positions in which one was just moved two steps and can be taken in passing follow at
the end.

Claim: `index_of` and `position_at` are inverse to each other on positions that are legal and the first of their images.
Not all numbers have such a position: `position_at` then gives one without kings. Rights to castle have no number.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from plyforge.contract import MAX, TablebaseIndex
from plyforge.games.chess.attacks import KING_STEPS, attackers, passant_takers
from plyforge.games.chess.board import ONE, ZERO, Position
from plyforge.kernel import inline, kernel, lowest, popcount, swap_bytes

if TYPE_CHECKING:
    from plyforge.games.chess.rules import Chess

MEN = 4
"""Positions with more men, kings included, have no number."""
NO_SLICE = -1
LETTERS = "qrbnp"
KINDS = len(LETTERS)
PAWN = KINDS - 1
BITS = 2 * KINDS
"""Of the code of one side's material: two for each kind of men."""
SIDE = (1 << BITS) - 1
PAWNS_ONLY = 1 << BITS | 1
"""The code of a pawn against a pawn: the only one here where a pawn can be taken in passing."""
PLACES, PAWN_PLACES = 64, 48
KING_PLACES, KING_PLACES_WITH_PAWNS = 10, 32
PASSANT_SIZE = 16 * KING_PLACES_WITH_PAWNS * 64
RANK_5, RANK_6 = 32, 40
"""The first square of the rank where White's pawn takes in passing, and of the rank it goes to."""

TRIANGLE = np.full(64, -1, np.int64)
"""The place of White's king without pawns, by its square."""
TRIANGLE_SQUARES = np.array([file + 8 * rank for file in range(4) for rank in range(file + 1)])
TRIANGLE[TRIANGLE_SQUARES] = np.arange(KING_PLACES)

FILES_BY_ONE = np.uint64(0x5555_5555_5555_5555)
FILES_BY_TWO = np.uint64(0x3333_3333_3333_3333)
FILES_BY_FOUR = np.uint64(0x0F0F_0F0F_0F0F_0F0F)
DIAGONAL_BY_FOUR = np.uint64(0x0F0F_0F0F_0000_0000)
DIAGONAL_BY_TWO = np.uint64(0x3333_0000_3333_0000)
DIAGONAL_BY_ONE = np.uint64(0x5500_5500_5500_5500)
SEVEN, FOURTEEN, TWENTY_EIGHT = np.uint64(7), np.uint64(14), np.uint64(28)
TWO, FOUR = np.uint64(2), np.uint64(4)


class Slice(NamedTuple):
    """The men of two sides beside their kings, the stronger one first: more men, or as many with greater ones among
    them."""

    queens: int
    rooks: int
    bishops: int
    knights: int
    pawns: int
    weaker_queens: int
    weaker_rooks: int
    weaker_bishops: int
    weaker_knights: int
    weaker_pawns: int


# ------------------------------------------------------------ slices
def code_of_material(men: tuple[int, ...]) -> int:
    """A number for the material of one side and of the other: two bits for each kind."""
    code = 0
    for number in men:
        code = code << 2 | number
    return code


def slices_up_to(men: int) -> list[Slice]:
    """The slices with up to so many men, kings included, such that a move leads only into the same slice or an earlier
    one.

    Fewer men come first, then fewer pawns.
    """
    found = []
    for others in range(min(men, MEN) - 1):
        for weaker in range(others // 2 + 1):
            for strong in combinations_with_replacement(range(KINDS), others - weaker):
                for weak in combinations_with_replacement(range(KINDS), weaker):
                    ours, theirs = (tuple(side.count(kind) for kind in range(KINDS)) for side in (strong, weak))
                    if len(strong) > len(weak) or code_of_material(ours) >= code_of_material(theirs):
                        found.append(Slice(*ours, *theirs))
    return sorted(found, key=lambda part: (sum(part), part.pawns + part.weaker_pawns, part))


def name_of_slice(part: Slice) -> str:
    """`kqp-kr` for king, queen and pawn against king and rook."""
    sides = (
        "k" + "".join(letter * n for letter, n in zip(LETTERS, men, strict=True))
        for men in (part[:KINDS], part[KINDS:])
    )
    return "-".join(sides)


@inline
def men_of(s, kind):
    """The men of one kind, of both sides."""
    if kind == 0:
        return s.diagonals & s.straights
    if kind == 1:
        return s.straights & ~s.diagonals
    if kind == 2:
        return s.diagonals & ~s.straights
    if kind == 3:
        return s.knights
    return s.pawns


@inline
def number_of(code, kind):
    """How many men of a kind a side's code of material has."""
    return code >> 2 * (PAWN - kind) & 3


@inline
def side_code(s, side):
    """The code of the material of one side."""
    code = 0
    for kind in range(KINDS):
        code = code << 2 | popcount(men_of(s, kind) & side)
    return code


@inline
def is_stronger(men, code, other_men, other_code):
    """True if the first side is the stronger one, or both have the same."""
    return men > other_men or (men == other_men and code >= other_code)


@kernel
def slice_code_of(s):
    """The code of the slice that a position is in, NO_SLICE if it has too many men, or rights to castle."""
    men, other_men = popcount(s.white), popcount(s.black)
    if men + other_men > MEN or s.castling != ZERO:
        return NO_SLICE
    ours, theirs = side_code(s, s.white), side_code(s, s.black)
    return ours << BITS | theirs if is_stronger(men, ours, other_men, theirs) else theirs << BITS | ours


@kernel
def half_size(code):
    """How many numbers a half of a slice has."""
    pawns = number_of(code >> BITS, PAWN) + number_of(code & SIDE, PAWN)
    size = (KING_PLACES if pawns == 0 else KING_PLACES_WITH_PAWNS) * 64
    for kind in range(KINDS):
        for _ in range(number_of(code >> BITS, kind) + number_of(code & SIDE, kind)):
            size *= PAWN_PLACES if kind == PAWN else PLACES
    return size


def size_of(part: Slice) -> int:
    """How many numbers a slice has."""
    code = code_of_material(part)
    size = int(half_size(code)) * (1 if code >> BITS == code & SIDE else 2)
    return size + PASSANT_SIZE if code == PAWNS_ONLY else size


# ------------------------------------------------------------ images
@inline
def swap_files(bits):
    """The board with its files in the opposite order."""
    bits = bits >> ONE & FILES_BY_ONE | (bits & FILES_BY_ONE) << ONE
    bits = bits >> TWO & FILES_BY_TWO | (bits & FILES_BY_TWO) << TWO
    return bits >> FOUR & FILES_BY_FOUR | (bits & FILES_BY_FOUR) << FOUR


@inline
def swap_across(bits):
    """The board with files and ranks exchanged: mirrored at the diagonal from a1 to h8."""
    moved = DIAGONAL_BY_FOUR & (bits ^ bits << TWENTY_EIGHT)
    bits ^= moved ^ moved >> TWENTY_EIGHT
    moved = DIAGONAL_BY_TWO & (bits ^ bits << FOURTEEN)
    bits ^= moved ^ moved >> FOURTEEN
    moved = DIAGONAL_BY_ONE & (bits ^ bits << SEVEN)
    return bits ^ moved ^ moved >> SEVEN


@kernel
def exchanged(s):
    """Black's place taken by White: colours exchanged, the board upside down, White to move."""
    return Position(
        swap_bytes(s.black),
        swap_bytes(s.white),
        swap_bytes(s.pawns),
        swap_bytes(s.knights),
        swap_bytes(s.diagonals),
        swap_bytes(s.straights),
        swap_bytes(s.kings),
        ZERO,
        swap_bytes(s.passant),
        MAX,
        0,
        1,
    )


@kernel
def image(s, upside_down, left_right, across):
    """The position on a board that is turned, mirrored, or mirrored at the diagonal, in this order."""
    white, black, pawns, knights = s.white, s.black, s.pawns, s.knights
    diagonals, straights, kings, passant = s.diagonals, s.straights, s.kings, s.passant
    if upside_down:
        white, black, knights = swap_bytes(white), swap_bytes(black), swap_bytes(knights)
        diagonals, straights, kings = swap_bytes(diagonals), swap_bytes(straights), swap_bytes(kings)
    if left_right:
        white, black, pawns, knights = (swap_files(white), swap_files(black), swap_files(pawns), swap_files(knights))
        diagonals, straights, kings = swap_files(diagonals), swap_files(straights), swap_files(kings)
        passant = swap_files(passant)
    if across:
        white, black, knights = swap_across(white), swap_across(black), swap_across(knights)
        diagonals, straights, kings = swap_across(diagonals), swap_across(straights), swap_across(kings)
    return Position(white, black, pawns, knights, diagonals, straights, kings, ZERO, passant, MAX, 0, 1)


@inline
def side_of_diagonal(square):
    """Positive above the diagonal from a1 to h8, negative below it."""
    return (square >> 3) - (square & 7)


@inline
def comes_later(s, t):
    """True if `t` comes before `s`, an image of it."""
    if s.white != t.white:
        return t.white < s.white
    if s.black != t.black:
        return t.black < s.black
    if s.diagonals != t.diagonals:
        return t.diagonals < s.diagonals
    if s.straights != t.straights:
        return t.straights < s.straights
    return t.knights < s.knights


@kernel
def first_image(s):
    """The image of a position, White to move, that has a number."""
    king = lowest(s.kings & s.white)
    pawnless = s.pawns == ZERO
    s = image(s, pawnless and king >= 32, king & 4 != 0, False)
    if pawnless:
        side = side_of_diagonal(lowest(s.kings & s.white))
        if side == 0:
            side = side_of_diagonal(lowest(s.kings & s.black))
        if side > 0:
            return image(s, False, False, True)
        if side == 0:
            other = image(s, False, False, True)
            if comes_later(s, other):
                return other
    return s


# ------------------------------------------------------------ numbers
@kernel
def index_of(s):
    """The number of a position in its slice: White to move, the first of its images."""
    ours, theirs = side_code(s, s.white), side_code(s, s.black)
    strong = is_stronger(popcount(s.white), ours, popcount(s.black), theirs)
    code = ours << BITS | theirs if strong else theirs << BITS | ours
    king, other_king = lowest(s.kings & s.white), lowest(s.kings & s.black)
    if s.passant != ZERO:
        file = lowest(s.passant) & 7
        taker = lowest(s.pawns & s.white) & 7
        way = 2 * file + (1 if taker > file else 0)
        return half_size(code) + (way * KING_PLACES_WITH_PAWNS + (king >> 3) * 4 + (king & 7)) * 64 + other_king
    number = TRIANGLE[king] if s.pawns == ZERO else (king >> 3) * 4 + (king & 7)
    number = number * 64 + other_king
    for side in (s.white, s.black):
        for kind in range(KINDS):
            men = men_of(s, kind) & side
            while men != ZERO:
                square = lowest(men)
                men &= men - ONE
                number = number * PAWN_PLACES + square - 8 if kind == PAWN else number * PLACES + square
    return number if strong else number + half_size(code)


@kernel
def no_position():
    """What a number without a position gives."""
    return Position(ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, MAX, 0, 1)


@kernel
def position_at(code, number):
    """The position with this number in the slice that a code stands for; one without kings where there is none."""
    half = half_size(code)
    ours, theirs = code >> BITS, code & SIDE
    if code == PAWNS_ONLY and number >= half:
        return passant_at(number - half)
    if number >= half:
        number -= half
        ours, theirs = theirs, ours
    white, black, pawns, knights, diagonals, straights = ZERO, ZERO, ZERO, ZERO, ZERO, ZERO
    for side in range(2):
        for later in range(KINDS):
            kind = PAWN - later
            above = 64
            for _ in range(number_of(theirs if side == 0 else ours, kind)):
                if kind == PAWN:
                    square = number % PAWN_PLACES + 8
                    number //= PAWN_PLACES
                else:
                    square = number % PLACES
                    number //= PLACES
                bit = ONE << np.uint64(square)
                if (white | black) & bit != ZERO or square >= above:
                    return no_position()
                above = square
                if side == 0:
                    black |= bit
                else:
                    white |= bit
                if kind == PAWN:
                    pawns |= bit
                elif kind == 3:
                    knights |= bit
                if kind == 0 or kind == 2:
                    diagonals |= bit
                if kind <= 1:
                    straights |= bit
    other_king = number % 64
    number //= 64
    king = TRIANGLE_SQUARES[number] if pawns == ZERO else (number >> 2) * 8 + (number & 3)
    king_bit, other_bit = ONE << np.uint64(king), ONE << np.uint64(other_king)
    if king_bit == other_bit or (white | black) & (king_bit | other_bit) != ZERO:
        return no_position()
    s = Position(
        white | king_bit,
        black | other_bit,
        pawns,
        knights,
        diagonals,
        straights,
        king_bit | other_bit,
        ZERO,
        ZERO,
        MAX,
        0,
        1,
    )
    if not is_lawful(s, king, other_king):
        return no_position()
    if pawns == ZERO and side_of_diagonal(king) == 0:
        if side_of_diagonal(other_king) > 0:
            return no_position()
        if side_of_diagonal(other_king) == 0 and comes_later(s, image(s, False, False, True)):
            return no_position()
    return s


@inline
def is_lawful(s, king, other_king):
    """True if the side that doesn't move is not in check."""
    if KING_STEPS[king] & (ONE << np.uint64(other_king)) != ZERO:
        return False
    return attackers(s, other_king, s.white | s.black) & s.white == ZERO


@kernel
def passant_at(number):
    """The position of a pawn against a pawn that can be taken in passing, with this number among those."""
    other_king = number % 64
    number //= 64
    place = number % KING_PLACES_WITH_PAWNS
    king = (place >> 2) * 8 + (place & 3)
    way = number // KING_PLACES_WITH_PAWNS
    file = way >> 1
    taker = file + 1 if way & 1 else file - 1
    if taker < 0 or taker > 7:
        return no_position()
    pawn, other = ONE << np.uint64(RANK_5 + taker), ONE << np.uint64(RANK_5 + file)
    passed_over = ONE << np.uint64(RANK_6 + file)
    began = ONE << np.uint64(RANK_6 + 8 + file)
    king_bit, other_bit = ONE << np.uint64(king), ONE << np.uint64(other_king)
    if king_bit == other_bit or (king_bit | other_bit) & (pawn | other | passed_over | began) != ZERO:
        return no_position()
    s = Position(
        king_bit | pawn, other_bit | other, pawn | other, ZERO, ZERO, ZERO, king_bit | other_bit, ZERO, ZERO, MAX, 0, 1
    )
    if not is_lawful(s, king, other_king) or passant_takers(s, passed_over, MAX) == ZERO:
        return no_position()
    return Position(s.white, s.black, s.pawns, ZERO, ZERO, ZERO, s.kings, ZERO, passed_over, MAX, 0, 1)


class ChessTablebase(TablebaseIndex):
    """Endings by number."""

    def slices(self, game: Chess, pieces: int) -> list[Slice]:
        """The materials of up to `pieces` men, kings included."""
        return slices_up_to(pieces)

    def slice_size(self, game: Chess, kind: Slice) -> int:
        return size_of(kind)

    def slice_code(self, game: Chess, kind: Slice) -> int:
        return code_of_material(kind)

    def format_slice(self, game: Chess, kind: Slice) -> str:
        """The men of the stronger side, then those of the other, as in `kqp-kr`."""
        return name_of_slice(kind)

    def canonical(self, game: Chess, s: Position) -> tuple[Position, bool]:
        """White moves, on the first of the mirrored and turned boards."""
        if slice_code_of(s) < 0:
            return s, False
        if s.player == MAX:
            return first_image(s), False
        return first_image(exchanged(s)), True

    def slice_of(self, game: Chess, s: Position) -> int:
        code: int = slice_code_of(s)
        return code

    def index(self, game: Chess, s: Position) -> int:
        number: int = index_of(s)
        return number

    def state_at(self, game: Chess, code: int, index: int) -> Position:
        found: Position = position_at(code, index)
        return found

    def index_valid(self, game: Chess, s: Position) -> bool:
        return s.kings != ZERO
