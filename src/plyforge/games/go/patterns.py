"""Shapes of three by three points in whose middle it is often good to play: what MoGo's playouts look for around the
last move.

Each shape is three rows. The middle is the empty point to play at; `X` and `O` are stones of different players, `.` is
an empty point, `?` anything, `x` anything but an X, `o` anything but an O, `#` beyond the edge. A shape holds in all
eight mirrored and turned forms and with the colours exchanged, so it doesn't say who is to move; those of FOR_MOVER
hold only if X moves.

Gelly, Wang, Munos and Teytaud, "Modification of UCT with patterns in Monte-Carlo Go", INRIA report 6062 (2006), section
3.2.
"""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np

SHAPES = {
    "hane that encloses": "XOX/.../???",
    "hane that does not cut": "XO./.../?.?",
    "hane that bends": "XO?/X../x.?",
    "shoulder hit": ".O./X../...",
    "cut that nothing protects": "XO?/O.o/?o?",
    "cut at a peep": "XO?/O.X/???",
    "pushing between": "?X?/O.O/ooo",
    "cut of a knight's move": "OX?/o.O/???",
    "chase along the edge": "X.?/O.?/###",
    "block a cut at the edge": "OX?/X.O/###",
    "block a link at the edge": "?X?/x.O/###",
    "cut at the edge": "?OX/X.O/###",
}
FOR_MOVER = {
    "thin hane": "XOO/.../?.?",
    "descent to the edge": "?XO/x.x/###",
}

EMPTY, BLACK, WHITE, EDGE = 0, 1, 2, 3
"""What can be at a point; two bits."""
MEANINGS = {
    ".": (EMPTY,),
    "X": (BLACK,),
    "O": (WHITE,),
    "?": (EMPTY, BLACK, WHITE, EDGE),
    "x": (EMPTY, WHITE, EDGE),
    "o": (EMPTY, BLACK, EDGE),
    "#": (EDGE,),
}
EXCHANGED = {EMPTY: EMPTY, BLACK: WHITE, WHITE: BLACK, EDGE: EDGE}
RING = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
"""The neighbours by row and column, from the lowest two bits of a code to the highest."""


def forms(shape: str) -> set[tuple[str, ...]]:
    """The shape's signs in the order of RING, mirrored and turned in all ways."""
    rows = shape.split("/")
    found = set()
    for flipped in (rows, rows[::-1]):
        turned = flipped
        for _ in range(4):
            turned = ["".join(column) for column in zip(*turned[::-1], strict=True)]
            found.add(tuple(turned[1 + row][1 + column] for row, column in RING))
    return found


def codes(shape: str, exchanged: bool) -> set[int]:
    """All surroundings that match the shape: two bits for each neighbour."""
    found = set()
    for form in forms(shape):
        for ring in itertools.product(*(MEANINGS[sign] for sign in form)):
            found.add(sum((EXCHANGED[at] if exchanged else at) << 2 * number for number, at in enumerate(ring)))
    return found


EYE, TOUCHED, OPEN = 4, 16, 64
"""Bits of the table: BLACK and WHITE, who may like the point; times EYE, whose eye it is; times TOUCHED, who has
stones beside it, but at most one neighbour is empty; OPEN: a neighbour is empty."""


@cache
def pattern_table() -> np.ndarray:
    """For each code, what it says about the point in the middle."""
    table = np.zeros(1 << 16, np.uint8)
    for shape in SHAPES.values():
        for exchanged in (False, True):
            table[list(codes(shape, exchanged))] |= BLACK | WHITE
    for shape in FOR_MOVER.values():
        table[list(codes(shape, False))] |= BLACK
        table[list(codes(shape, True))] |= WHITE
    code = np.arange(1 << 16)
    at = np.stack([code >> 2 * number & 3 for number in range(len(RING))])
    beside, corners = at[[1, 3, 4, 6]], at[[0, 2, 5, 7]]
    empty = (beside == EMPTY).sum(axis=0)
    table[empty > 0] |= OPEN
    for colour in (BLACK, WHITE):
        own = (beside == colour).sum(axis=0)
        closed = ((beside == colour) | (beside == EDGE)).all(axis=0)
        # Two corners of the opponent's cut an eye in two; at the edge, one.
        cuts = (corners == EXCHANGED[colour]).sum(axis=0) + (corners == EDGE).any(axis=0)
        table[closed & (cuts < 2)] |= colour * EYE
        table[(own > 0) & (empty < 2)] |= colour * TOUCHED
    return table
