"""Syzygy's tables of chess endings, up to four men: what a position is worth to who moves, from 0 (lost) to 4 (won).

    tables = read_tables(folder, parts)         whole files, unpacked: a value for each number of a table
    value_of(game, tables, state)               LOST, BLESSED, DRAWN, CURSED or WON; a kernel, a million positions a
                                                second

Made for tests, as a truth that nobody here computed. Written from the format alone (R. de Man, 2013). A file of wins,
draws and losses (`.rtbw`) is, in this order:

    header      71 E8 23 5D; a byte with the number of men in its upper half, in the lower 1 if values are stored for
                both sides to move, and 2 if there are pawns
    men         once, or for each file a to d of the leading pawn: the places of digits, then the men in the order of
                digits; the lower half of a byte is for the
                stronger side to move, the upper one for the weaker
    packing     once for each of these parts and each side: how its values are packed
    index       where in the blocks every so many values begin: not needed by whoever reads them all
    lengths     how many values each block has, less 1
    blocks      the packed values, and a checksum

Values are packed by pairs: a symbol is one value, or two symbols one after the other. Symbols are written in a prefix
code in which longer codes are smaller numbers.

A position's number has a digit for each group of men. The leading group is three different men where there are as many,
otherwise the kings; with pawns, it is those of the side that has fewer. Its digit takes care of the images of the
board. Every other group is a set of equal men, numbered by the squares that the groups before it leave free.

Where a capture is best, what is stored may be any value that is no better; and the tables know nothing of en passant.
So captures are tried first.

Claim: `value_of` is the value under the rule of fifty moves, of every position without rights to castle whose tables
were read. CURSED and BLESSED are a win and a loss that this rule makes a draw.
"""

from __future__ import annotations

import struct
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plyforge.contract import MAX
from plyforge.games.chess.attacks import KING_STEPS
from plyforge.games.chess.board import EN_PASSANT, KIND, ONE, SQUARE, TARGET, ZERO
from plyforge.games.chess.tablebase import (
    BITS,
    Slice,
    code_of_material,
    is_stronger,
    men_of,
    name_of_slice,
    side_code,
    side_of_diagonal,
)
from plyforge.kernel import inline, kernel, lowest, popcount, swap_bytes
from plyforge.kernel.entry import native_function

LOST, BLESSED, DRAWN, CURSED, WON = range(5)
"""The values, to who moves."""

MAGIC = bytes.fromhex("71e8235d")
BOTH_SIDES, PAWNS = 1, 2
ONE_VALUE = 0x80
"""The flag of a part whose positions are all worth the same."""
NO_PAIR = 0xFFF
"""In place of a symbol's second half: the first is a value."""
ALIGNMENT, CHECKSUM = 64, 16
PAWN, KING, BLACK = 1, 6, 8
"""Men are 1 to 6: pawn, knight, bishop, rook, queen, king; Black's are 8 more."""
MOST_MEN = 4

# ------------------------------------------------------------ the digit of the leading group
BELOW = np.zeros(64, np.int64)
"""A number for the squares below the diagonal from a1 to h8."""
for count, square in enumerate([square for square in range(64) if square >> 3 < square & 7]):
    BELOW[square] = count

TRIANGLE_SQUARES = (1, 2, 3, 10, 11, 19, 0, 9, 18, 27)
"""Ten squares that all others are images of: six below the diagonal first, then four on it."""
TRIANGLE = np.zeros(64, np.int64)
TRIANGLE[list(TRIANGLE_SQUARES)] = range(10)
TRIPLES, PAIRS_OF_KINGS = 31332, 462


def numbered_kings() -> np.ndarray:
    """By their squares: the number of two kings that are not side by side, the first in the triangle; if it is on
    the diagonal, the second is not above it."""
    apart = [
        (first, second)
        for first in TRIANGLE_SQUARES
        for second in range(64)
        if first != second and not int(KING_STEPS[first]) >> second & 1
    ]
    both_on_diagonal = [(first, second) for first, second in apart if first % 9 == second % 9 == 0]
    others = [(first, second) for first, second in apart if first % 9 != 0 or second >> 3 < second & 7]
    numbers = np.full((64, 64), -1, np.int64)
    for number, pair in enumerate(others + both_on_diagonal):
        numbers[pair] = number
    assert numbers.max() + 1 == PAIRS_OF_KINGS
    return numbers


KINGS = numbered_kings()

FLANK = np.zeros(64, np.int64)
"""Of some pawns the one with the smallest leads: near the edge of the board, then near White's first rank."""
TWIST = np.zeros(64, np.int64)
"""The squares of pawns by the same order, but backwards, and left and right told apart."""
for square in range(8, 56):
    to_edge, rank = min(square & 7, 7 - (square & 7)), square >> 3
    FLANK[square] = 6 * to_edge + rank - 1
    TWIST[square] = 47 - 12 * to_edge - 2 * (rank - 1) - (square & 4 != 0)

LEADING_PAWNS = np.zeros((3, 64), np.int64)
"""By their number and the square of the first: where the numbers of leading pawns begin, within one file."""
LEADING_SIZES = np.zeros((3, 4), np.int64)
for count in (1, 2):
    for file in range(4):
        for rank in range(1, 7):
            LEADING_PAWNS[count, file + 8 * rank] = LEADING_SIZES[count, file]
            LEADING_SIZES[count, file] += comb(int(TWIST[file + 8 * rank]), count - 1)


# ------------------------------------------------------------ reading a file
class Tables(NamedTuple):
    """The tables of some endings. A part of one is for a side to move and, with pawns, a file of the leading one."""

    first: np.ndarray
    """By the code of a slice: its first part, -1 if it is not here."""
    men: np.ndarray
    """By part, as the next three: the men in the order of digits."""
    groups: np.ndarray
    """How many men the group has that begins with a man; 0 if none does."""
    weights: np.ndarray
    """What the digit of that group is multiplied with."""
    begins: np.ndarray
    """Where the values of a part begin among all."""
    values: np.ndarray
    """All values, part after part."""
    squares: np.ndarray
    """For a lookup to write into: the squares of the men, in the order of digits."""


class Part(NamedTuple):
    """A part of a table as the head of its file describes it."""

    men: list[int]
    groups: list[int]
    weights: list[int]
    size: int
    """How many values it has."""


class Packing(NamedTuple):
    """How the values of a part are packed."""

    only: int
    """The value of all positions, -1 if they differ."""
    block_bytes: int = 0
    index_size: int = 0
    lengths_size: int = 0
    blocks: int = 0
    shortest: int = 0
    """The bits of the shortest codes."""
    firsts: tuple[int, ...] = ()
    """The first symbol with a code of so many bits, from the shortest on."""
    pairs: tuple[tuple[int, int], ...] = ()
    """What each symbol stands for."""


def read_tables(folder: Path, parts: list[Slice]) -> Tables:
    """The tables of these endings. Raises ValueError for a file that is something else."""
    first = np.full(1 << 2 * BITS, -1, np.int64)
    described: list[Part] = []
    values: list[np.ndarray] = []
    for part in parts:
        first[code_of_material(part)] = len(described)
        pieces, unpacked = read_table(folder / f"{table_name(part)}.rtbw", part)
        described += pieces
        values += unpacked

    def column(rows: list[list[int]]) -> np.ndarray:
        return np.array([row + [0] * (MOST_MEN - len(row)) for row in rows])

    return Tables(
        first=first,
        men=column([piece.men for piece in described]),
        groups=column([piece.groups for piece in described]),
        weights=column([piece.weights for piece in described]),
        begins=np.cumsum([0, *(len(piece) for piece in values[:-1])]),
        values=np.concatenate(values),
        squares=np.zeros(MOST_MEN, np.int64),
    )


def table_name(part: Slice) -> str:
    """`KQPvKR`, as files and statistics call an ending."""
    return name_of_slice(part).upper().replace("-", "v")


def read_table(path: Path, part: Slice) -> tuple[list[Part], list[np.ndarray]]:
    """The parts of a file, side after side, and the values of each."""
    content = path.read_bytes()
    pawns = part.pawns + part.weaker_pawns > 0
    sides = 1 if part[: len(part) // 2] == part[len(part) // 2 :] else 2
    number = sum(part) + 2
    if content[:5] != MAGIC + bytes([number << 4 | (PAWNS if pawns else 0) | (BOTH_SIDES if sides == 2 else 0)]):
        raise ValueError(f"{path} is not the table of wins, draws and losses of {table_name(part)}")

    at, parts = 5, []
    places = 2 if part.pawns and part.weaker_pawns else 1
    for file in range(4 if pawns else 1):
        for side in range(sides):
            numbers = [byte >> 4 * side & 15 for byte in content[at : at + places + number]]
            parts.append(describe(numbers[:places], numbers[places:], file))
        at += places + number
    at += at % 2
    packings = []
    for piece in parts:
        packing, at = read_packing(content, at, piece.size)
        packings.append(packing)

    at += sum(packing.index_size for packing in packings)
    lengths = []
    for packing in packings:
        lengths.append(np.frombuffer(content, "<u2", packing.blocks, at).astype(np.int64) + 1)
        at += packing.lengths_size
    values = []
    for piece, packing, block_lengths in zip(parts, packings, lengths, strict=True):
        at += -at % ALIGNMENT
        end = at + packing.blocks * packing.block_bytes
        values.append(unpacked(packing, block_lengths, content[at:end], piece.size))
        at = end
    if at + -at % ALIGNMENT + CHECKSUM != len(content):
        raise ValueError(f"{path} has {len(content)} bytes, and its head accounts for {at}")
    # In the file the sides alternate; here all parts of a side are together, so that a file's number can be added.
    order = [side + sides * file for side in range(sides) for file in range(len(parts) // sides)]
    return [parts[number] for number in order], [values[number] for number in order]


def describe(places: list[int], men: list[int], file: int) -> Part:
    """A part with these men in the order of digits; the leading group's digit, and that of the other side's pawns,
    at these places."""
    together = {man: men.count(man) for man in men}
    if men[0] & 7 == PAWN:
        leading, size = together[men[0]], int(LEADING_SIZES[together[men[0]], file])
    elif sum(times == 1 for times in together.values()) >= 3:
        leading, size = 3, TRIPLES
    else:
        leading, size = 2, PAIRS_OF_KINGS
    groups, sizes = [0] * len(men), [0] * len(men)
    groups[0], sizes[0] = leading, size
    begin = leading
    while begin < len(men):
        groups[begin] = together[men[begin]]
        free = 48 if men[begin] & 7 == PAWN else 64
        sizes[begin] = comb(free - begin, groups[begin])
        begin += groups[begin]

    others = [begin for begin, length in enumerate(groups) if begin > 0 and length > 0]
    placed = {places[0]: 0}
    if len(places) == 2:
        placed[places[1]] = others.pop(0)
    weights, weight = [0] * len(men), 1
    for place in range(len(placed) + len(others)):
        begin = placed[place] if place in placed else others.pop(0)
        weights[begin] = weight
        weight *= sizes[begin]
    return Part(men, groups, weights, weight)


def read_packing(content: bytes, at: int, size: int) -> tuple[Packing, int]:
    """How the values of a part of this size are packed, and where the next description begins."""
    flags, second = content[at : at + 2]
    if flags & ONE_VALUE:
        return Packing(only=second), at + 2
    span, unused, blocks, longest, shortest = struct.unpack_from("<BBIBB", content, at + 2)
    lengths = longest - shortest + 1
    *firsts, symbols = struct.unpack_from(f"<{lengths + 1}H", content, at + 10)
    at += 12 + 2 * lengths
    pairs = []
    for number in range(symbols):
        low, middle, high = content[at + 3 * number : at + 3 * number + 3]
        pairs.append((low | (middle & 15) << 8, middle >> 4 | high << 4))
    packing = Packing(
        only=-1,
        block_bytes=1 << second,
        index_size=6 * -(-size >> span),
        lengths_size=2 * (blocks + unused),
        blocks=blocks,
        shortest=shortest,
        firsts=tuple(firsts),
        pairs=tuple(pairs),
    )
    return packing, at + 3 * symbols + symbols % 2


def unpacked(packing: Packing, lengths: np.ndarray, blocks: bytes, size: int) -> np.ndarray:
    """The values of a part."""
    if packing.only >= 0:
        return np.full(size, packing.only, np.uint8)
    if int(lengths.sum()) != size:
        raise ValueError(f"the blocks have {lengths.sum()} values, not {size}")
    known: dict[int, bytes] = {}

    def expansion(symbol: int) -> bytes:
        if symbol not in known:
            left, right = packing.pairs[symbol]
            known[symbol] = bytes([left]) if right == NO_PAIR else expansion(left) + expansion(right)
        return known[symbol]

    expansions = [expansion(symbol) for symbol in range(len(packing.pairs))]
    # Of the codes with so many bits the smallest: those that are smaller go on. The longest begin with 0.
    smallest = [0]
    for shorter, longer in reversed(list(zip(packing.firsts, packing.firsts[1:], strict=False))):
        smallest.append((smallest[-1] + shorter - longer) // 2)
    values = np.zeros(size, np.uint8)
    arguments = (
        np.frombuffer(blocks, np.uint8).copy(),
        packing.block_bytes,
        lengths,
        packing.shortest,
        np.array(smallest[::-1]),
        np.array(packing.firsts),
        np.frombuffer(b"".join(expansions), np.uint8).copy(),
        np.cumsum([0, *map(len, expansions)]),
        values,
    )
    native_function(unpack, *arguments)(*arguments)
    return values


@kernel
def unpack(blocks, block_bytes, lengths, shortest, smallest, firsts, expansions, starts, values):
    """Write the values of all blocks: bit after bit to a symbol, and what the symbol stands for."""
    written = 0
    for block in range(len(lengths)):
        end = written + lengths[block]
        bit = 8 * block * block_bytes
        while written < end:
            code, bits = 0, 0
            while bits < shortest or code < smallest[bits - shortest]:
                code = code << 1 | int(blocks[bit >> 3]) >> (7 - (bit & 7)) & 1
                bit += 1
                bits += 1
            symbol = firsts[bits - shortest] + code - smallest[bits - shortest]
            for at in range(starts[symbol], starts[symbol + 1]):
                if written < end:
                    values[written] = expansions[at]
                    written += 1


# ------------------------------------------------------------ a position's number
@inline
def men_on(s, man, turned):
    """The squares of a kind of men; turned: of the other colour, on a board upside down."""
    side = s.white if (man < BLACK) != turned else s.black
    kind = man & 7
    found = (s.kings if kind == KING else men_of(s, KING - 1 - kind)) & side
    return swap_bytes(found) if turned else found


@inline
def number_of_three(first, second, third):
    """The digit of three different men, the first in the triangle, the first that is off the diagonal below it."""
    later = 1 if second > first else 0
    latest = (1 if third > first else 0) + (1 if third > second else 0)
    if side_of_diagonal(first) != 0:
        return (TRIANGLE[first] * 63 + second - later) * 62 + third - latest
    number = 6 * 63 * 62
    if side_of_diagonal(second) != 0:
        return number + ((first >> 3) * 28 + BELOW[second]) * 62 + third - latest
    number += 4 * 28 * 62
    if side_of_diagonal(third) != 0:
        return number + ((first >> 3) * 7 + (second >> 3) - later) * 28 + BELOW[third]
    number += 4 * 7 * 28
    return number + ((first >> 3) * 7 + (second >> 3) - later) * 6 + (third >> 3) - latest


@inline
def bring_to_first_image(squares, number, decisive, pawns):
    """Mirror the board such that the first man is on the files a to d; without pawns in the triangle, and the first
    decisive man off the diagonal below it."""
    flip = (7 if squares[0] & 4 else 0) ^ (56 if not pawns and squares[0] & 32 else 0)
    for at in range(number):
        squares[at] ^= flip
    if pawns:
        return
    side = 0
    for at in range(decisive):
        if side == 0:
            side = side_of_diagonal(squares[at])
    if side > 0:
        for at in range(number):
            squares[at] = squares[at] >> 3 | (squares[at] & 7) << 3


@inline
def number_of_equal(squares, begin, length, lowest_square):
    """The digit of one or two equal men among the squares that those before `begin` leave free."""
    if length == 2 and squares[begin] > squares[begin + 1]:
        squares[begin], squares[begin + 1] = squares[begin + 1], squares[begin]
    digit = 0
    for at in range(length):
        place = squares[begin + at] - lowest_square
        for before in range(begin):
            if squares[before] < squares[begin + at]:
                place -= 1
        digit += place if at == 0 else place * (place - 1) // 2
    return digit


@kernel
def place_of(tables, s):
    """Where the value of a position is among all; -1 if its table is not here."""
    men, ours, theirs = popcount(s.white | s.black), side_code(s, s.white), side_code(s, s.black)
    white_first = is_stronger(popcount(s.white), ours, popcount(s.black), theirs)
    part = tables.first[ours << BITS | theirs if white_first else theirs << BITS | ours]
    if part < 0:
        return -1
    # The stronger side is White in a table; where both are equal, White moves.
    turned = not white_first or (ours == theirs and s.player != MAX)
    pawns = s.pawns != ZERO
    if (s.player == MAX) == turned:
        part += 4 if pawns else 1
    squares = tables.squares
    if pawns:
        leading = men_on(s, tables.men[part, 0], turned)
        lead = lowest(leading)
        other = lowest(leading & leading - ONE) if popcount(leading) > 1 else lead
        if FLANK[other] < FLANK[lead]:
            lead, other = other, lead
        part += min(lead & 7, 7 - (lead & 7))
    for at in range(men):
        man = tables.men[part, at]
        found = men_on(s, man, turned)
        squares[at] = lowest(found)
        if at > 0 and tables.men[part, at - 1] == man:
            squares[at] = lowest(found & found - ONE)
    if pawns:
        squares[0] = lead
        if other != lead:
            squares[1] = other

    begin = tables.groups[part, 0]
    bring_to_first_image(squares, men, begin, pawns)
    if pawns:
        digit = LEADING_PAWNS[begin, squares[0]] + (TWIST[squares[1]] if begin == 2 else 0)
    elif begin == 3:
        digit = number_of_three(squares[0], squares[1], squares[2])
    else:
        digit = KINGS[squares[0], squares[1]]
    number = tables.begins[part] + digit * tables.weights[part, 0]
    while begin < men:
        length = tables.groups[part, begin]
        lowest_square = 8 if tables.men[part, begin] & 7 == PAWN else 0
        number += number_of_equal(squares, begin, length, lowest_square) * tables.weights[part, begin]
        begin += length
    return number


# ------------------------------------------------------------ its value
@kernel
def value_of(game, tables, s):
    """What a position is worth to who moves; negative if a table is not here."""
    if popcount(s.white | s.black) == 2:
        return DRAWN
    enemy = s.black if s.player == MAX else s.white
    best, known_moves = LOST, 0
    for action in game.actions(s):
        in_passing = action >> KIND == EN_PASSANT
        if not in_passing:
            known_moves += 1
        if in_passing or enemy >> np.uint64(action >> TARGET & SQUARE) & ONE != ZERO:
            after = value_of(game, tables, game.result(s, action))
            if after < 0:
                return -1
            best = max(best, WON - after)
    if s.passant != ZERO and known_moves == 0:  # to the table this is mate or stalemate
        return best
    place = place_of(tables, s)
    return max(best, int(tables.values[place])) if place >= 0 else -1
