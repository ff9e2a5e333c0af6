"""What an evaluation of Othello adds up: named features, each as X's number minus O's.

    mobility            squares where one can play
    potential mobility  empty squares beside the opponent's discs, where one might play later
    corners             they never turn over
    x squares           beside an empty corner on the diagonal: they give it away
    c squares           beside an empty corner on the edge
    stability           discs that can never turn over again
    edges               discs on the edge between the corners
    discs               all discs: few are better for most of the game
    parity              who will have the last move if nobody passes, as 1 or -1
    move                whose turn it is, as 1 or -1
    disc patterns       what tables say that were learned from games, in discs; see `patterns.py`

Rosenbloom, "A world-championship-level Othello program" (1982), has most of them; Buro fitted such weights to thousands
of games (1995).
"""

from __future__ import annotations

from typing import Any

from plyforge.contract import MAX
from plyforge.evaluate.othello.patterns import disc_patterns
from plyforge.games.othello.lines import can_play
from plyforge.games.othello.stability import stable
from plyforge.kernel import inline, kernel, popcount

NAMES = (
    "mobility",
    "potential mobility",
    "corners",
    "x squares",
    "c squares",
    "stability",
    "edges",
    "discs",
    "parity",
    "move",
    "disc patterns",
)


@inline
def around(game: Any, discs: Any) -> Any:
    """The squares beside a set of discs."""
    left = (discs & ~game.left_column) >> game.step
    right = (discs & ~game.right_column) << game.step
    rows = discs | left | right
    return (rows | rows << game.row_step | rows >> game.row_step) & game.full


@inline
def beside(game: Any, corners: Any) -> Any:
    """The squares next to some corners along the edges."""
    return around(game, corners) & (game.outer_columns | game.outer_rows) & ~game.corners


@kernel
def counted(game: Any, mine: Any, theirs: Any, player: Any) -> Any:
    """The features in the order of NAMES, except the last."""
    black, white = (mine, theirs) if player == MAX else (theirs, mine)
    empty = game.full & ~(mine | theirs)
    open_corners = game.corners & empty
    diagonal = around(game, open_corners) & ~game.outer_columns & ~game.outer_rows
    straight = beside(game, open_corners)
    edge = (game.outer_columns | game.outer_rows) & ~game.corners
    turn = 1.0 if player == MAX else -1.0
    last = turn if popcount(empty) & 1 else -turn
    return (
        float(popcount(can_play(game, black, white)) - popcount(can_play(game, white, black))),
        float(popcount(around(game, white) & empty) - popcount(around(game, black) & empty)),
        float(popcount(black & game.corners) - popcount(white & game.corners)),
        float(popcount(black & diagonal) - popcount(white & diagonal)),
        float(popcount(black & straight) - popcount(white & straight)),
        float(popcount(stable(game, black, white)) - popcount(stable(game, white, black))),
        float(popcount(black & edge) - popcount(white & edge)),
        float(popcount(black) - popcount(white)),
        last,
        turn,
    )


@kernel
def features(game: Any, mine: Any, theirs: Any, player: Any) -> Any:
    """The features in the order of NAMES."""
    learned = disc_patterns(game, mine, theirs)
    learned = learned if player == MAX else -learned
    return (*counted(game, mine, theirs, player), learned)
