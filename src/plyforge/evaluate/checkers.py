"""What a player of checkers looks at, in numbers: Samuel's features.

"Some Studies in Machine Learning Using the Game of Checkers" (IBM Journal, 1959): a position's worth is a weighted sum
of features, and the weights are learned. These are of Samuel's kind, chosen so that a few operations on sets of squares
give each. All but the last two are a side's own, counted for Black and, on the turned board, for White.

Claim: exchanging the colours (and turning the board) changes the sign of every feature, and nothing else.
"""

from __future__ import annotations

from typing import Any

from plyforge.contract import MAX
from plyforge.evaluate.weighted import WeightedEncoding
from plyforge.games.checkers.board import BOARD, BOTTOM, MOST_PIECES, TOP, bit_of, squares_between, turned
from plyforge.kernel import inline, kernel, popcount


def _set(*squares: int) -> int:
    return sum(1 << bit_of(square) for square in squares)


FEATURE_NAMES = (
    "men",
    "kings",
    "back_rank",
    "bridge",
    "centre",
    "edge",
    "advancement",
    "mobility",
    "trapped_kings",
    "runaways",
    "dog_hole",
    "the_move",
    "turn",
)
"""What the numbers are of, each Black's minus White's:

men             men
kings           kings
back_rank       men still on their first rank: they keep enemies from being crowned
bridge          two men there with one square between, which guard the whole rank
centre          pieces on the eight squares in the middle
edge            pieces on the left and right edges, where nothing can capture them
advancement     ranks that men have moved up
mobility        steps that could be taken
trapped_kings   kings that can't step
runaways        men with no enemy before them, who will be crowned
dog_hole        a man in the enemy's double corner, blocked by the enemy behind it: it never gets out
the_move        1 if, with as many pieces on both sides, Black will have the last word when they meet; -1 if White will
turn            1 if Black moves, -1 if White does
"""

CENTRE = _set(10, 11, 14, 15, 18, 19, 22, 23)
EDGE = _set(4, 5, 12, 13, 20, 21, 28, 29)
BRIDGE = _set(1, 3)
DOG_HOLE, BEHIND_IT = _set(28), _set(32)
RANKS_OF_ONE = squares_between(5, 8) | squares_between(13, 16) | squares_between(21, 24) | BOTTOM
RANKS_OF_TWO = squares_between(9, 16) | squares_between(25, 32)
RANKS_OF_FOUR = squares_between(17, 32)
"""A man's rank is the sum of 1, 2 and 4 for those of these that it is in."""
BLACK_SYSTEM = BOARD & ~RANKS_OF_ONE
"""Black's first rank and every second from there: who has "the move" is told by the number of pieces on these."""


@kernel
def counts_of(mine, theirs, kings):
    """The features of one side, whose men go down the page."""
    men, my_kings = mine & ~kings, mine & kings
    empty = BOARD & ~(mine | theirs)
    below = empty >> 4, empty >> 5
    above = empty << 4, empty << 5
    steps = popcount(mine & below[0]) + popcount(mine & below[1]) + popcount(my_kings & above[0])
    steps += popcount(my_kings & above[1])
    trapped = my_kings & ~(below[0] | below[1] | above[0] | above[1])
    seen = theirs  # the squares that have an enemy somewhere below them
    for _ in range(7):
        seen |= (seen >> 4 | seen >> 5) & BOARD
    advancement = popcount(men & RANKS_OF_ONE) + 2 * popcount(men & RANKS_OF_TWO) + 4 * popcount(men & RANKS_OF_FOUR)
    bridge = 1 if men & BRIDGE == BRIDGE else 0
    dog_hole = 1 if men & DOG_HOLE and theirs & BEHIND_IT else 0
    return (
        popcount(men),
        popcount(my_kings),
        popcount(men & TOP),
        bridge,
        popcount(mine & CENTRE),
        popcount(mine & EDGE),
        advancement,
        steps,
        popcount(trapped),
        popcount(men & ~seen),
        dog_hole,
    )


@inline
def features_of(black, white, kings, black_moves):
    """All features, in the order of their names."""
    ours = counts_of(black, white, kings)
    theirs = counts_of(turned(white), turned(black), turned(kings))
    on_system = popcount((black | white) & BLACK_SYSTEM)
    the_move = 0.0
    if popcount(black) == popcount(white):
        the_move = 1.0 if (on_system & 1 == 1) == black_moves else -1.0
    return (
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
        the_move,
        1.0 if black_moves else -1.0,
    )


class CheckersEncoding(WeightedEncoding):
    """What a weighted sum may judge a position by, from Black's side."""

    name = "checkers"
    feature_names = FEATURE_NAMES

    def features(self, game: Any, s: Any) -> tuple[float, ...]:
        found: tuple[float, ...] = features_of(s.black, s.white, s.kings, s.player == MAX)
        return found

    def phase(self, game: Any, s: Any) -> float:
        """How many of the pieces are gone."""
        return 1.0 - popcount(s.black | s.white) / (2.0 * MOST_PIECES)


ENCODING = CheckersEncoding()
