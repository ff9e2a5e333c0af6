"""Checkers, that is English draughts: capture all, or leave the enemy without a move.

Samuel's game, whose weights a program learned in 1959, and Chinook's, which took the title from Marion Tinsley in 1994
and proved in 2007 that nobody can force a win (Schaeffer and others, "Checkers Is Solved", Science 317). Men step
forward diagonally, kings in all four directions. Whoever can capture must: a piece jumps over an enemy to the empty
square behind it, and on from there as long as it can, all in one action. A man that reaches the last rank becomes a
king, and the move ends there. Who can't move has lost.

The squares and their bits are drawn in `board.py`. An action is a number:

    bits 0-34    the pieces that leave their squares: the one that moves and all that it captures
    bits 35-40   the bit of the square where it comes to rest
    bits 41-58   a capture's jumps, two bits each, the last one lowest: 0 and 1 are 4 and 5 bits up, 2 and 3 are 4 and 5
                 bits down

Two routes are two actions even where they capture the same pieces and end on the same square (a king that goes round a
circle of men to the left or to the right): published counts of sequences (OEIS A133046) are of that kind.

Claim: no more than 9 captures in one move. The squares that a piece can land on lie two rows and two columns apart,
eight of them, with nine squares between neighbours, and each of those is jumped over once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plyforge.contract import (
    MAX,
    Game,
)
from plyforge.errors import BadRules
from plyforge.games.checkers.board import (
    BLACK_START,
    BOARD,
    BOTTOM,
    LIFTED,
    ROUTE,
    TARGET,
    TOP,
    UP,
    WHITE_START,
    Board,
    square_of,
)
from plyforge.games.checkers.heuristics import CheckersHeuristics, CheckersHistory
from plyforge.games.checkers.notation import CheckersNotation, picture
from plyforge.games.checkers.tablebase import CheckersTablebase
from plyforge.games.checkers.view import CheckersView
from plyforge.games.opinions import encoding_of
from plyforge.kernel import lowest, popcount


@dataclass(frozen=True)
class Checkers(Game):
    """English draughts: `checkers(move_limit=40)`. A game is drawn after so many moves by each side without
    progress; 0: never."""

    notation = CheckersNotation()
    view = CheckersView()

    history = CheckersHistory()
    heuristics = CheckersHeuristics()
    tablebase = CheckersTablebase()

    max_actions = 48  # twelve kings with four steps each; fewer captures than that (at most 41 routes)

    move_limit: int = 40
    """Moves by each side without a capture or a man's move, after which play ends in a draw; 0: no limit."""

    def __post_init__(self) -> None:
        if self.move_limit < 0:
            raise BadRules(f"checkers needs a move_limit of at least 0, not {self.move_limit}")

    def start(self) -> Board:
        return Board(BLACK_START, WHITE_START, 0, MAX)

    def player(self, s: Board) -> int:
        return s.player

    def sides(self, s: Board) -> tuple[int, int, int, int]:
        """The mover's pieces that may go down the page, those that may go up, the enemy's pieces, and the empty
        squares."""
        empty = BOARD & ~(s.black | s.white)
        if s.player == MAX:
            return s.black, s.black & s.kings, s.white, empty
        return s.white & s.kings, s.white, s.black, empty

    def jumpers(self, falling: int, rising: int, enemy: int, empty: int) -> int:
        """The pieces that can capture."""
        return falling & (enemy >> 4 & empty >> 8 | enemy >> 5 & empty >> 10) | rising & (
            enemy << 4 & empty << 8 | enemy << 5 & empty << 10
        )

    def actions(self, s: Board) -> Iterator[int]:
        """Captures if there are any; otherwise steps, direction after direction."""
        falling, rising, enemy, empty = self.sides(s)
        if self.jumpers(falling, rising, enemy, empty):
            for capture in self.captures(falling, rising, enemy, empty):
                yield capture
        else:
            for distance in (4, 5):
                targets = falling << distance & empty
                while targets:
                    target = lowest(targets)
                    targets &= targets - 1
                    yield 1 << target - distance | target << TARGET
            for distance in (4, 5):
                targets = rising >> distance & empty
                while targets:
                    target = lowest(targets)
                    targets &= targets - 1
                    yield 1 << target + distance | target << TARGET

    def captures(self, falling: int, rising: int, enemy: int, empty: int) -> Iterator[int]:
        """Every route of every piece that can capture, each to its end.

        Invariant: `route` holds the jumps made from `origin` to `here`, and `left` the enemies that were not jumped
        over; so the last jump can be taken back, and no other memory is needed. `landings` are the squares to jump to
        from here that were not tried yet.
        """
        jumpers = self.jumpers(falling, rising, enemy, empty)
        while jumpers:
            origin = jumpers & -jumpers
            jumpers ^= origin
            free = empty | origin
            falls, rises = falling & origin, rising & origin
            here, left, route, jumps = origin, enemy, 0, 0
            landings = self.landings(here, left, free, falls, rises)
            while landings or jumps:
                if landings:
                    landing = landings & -landings
                    if landing > here:
                        way = 0 if landing == here << 8 else 1
                        left ^= here << 4 + way
                    else:
                        way = 2 if landing == here >> 8 else 3
                        left ^= here >> 2 + way
                    here = landing
                    route = route << 2 | way
                    jumps += 1
                    landings = self.landings(here, left, free, falls, rises)
                    if landings == 0:
                        yield origin | enemy ^ left | lowest(here) << TARGET | route << ROUTE
                else:
                    tried = here
                    way = route & 3
                    distance = 4 + (way & 1)
                    over = here >> distance if way < UP else here << distance
                    here = over >> distance if way < UP else over << distance
                    left |= over
                    route >>= 2
                    jumps -= 1
                    landings = self.landings(here, left, free, falls, rises) & -(tried << 1)

    def landings(self, here: int, left: int, free: int, falls: int, rises: int) -> int:
        """Where a piece can jump to; a man has no jump left on its last rank, so a move ends where it is crowned."""
        squares = 0
        if falls:
            squares = (here << 4 & left) << 4 | (here << 5 & left) << 5
        if rises:
            squares |= (here >> 4 & left) >> 4 | (here >> 5 & left) >> 5
        return squares & free

    def result(self, s: Board, action: int) -> Board:
        lifted = action & LIFTED
        target = 1 << (action >> TARGET & 63)
        stay = ~lifted
        if s.player == MAX:
            crowned = target if (s.black & s.kings & lifted) or (target & BOTTOM) else 0
            return Board(s.black & stay | target, s.white & stay, s.kings & stay | crowned, 1)
        crowned = target if (s.white & s.kings & lifted) or (target & TOP) else 0
        return Board(s.black & stay, s.white & stay | target, s.kings & stay | crowned, 0)

    def terminal(self, s: Board) -> bool:
        falling, rising, enemy, empty = self.sides(s)
        if (falling << 4 | falling << 5 | rising >> 4 | rising >> 5) & empty:
            return False
        return self.jumpers(falling, rising, enemy, empty) == 0

    def utility(self, s: Board) -> float:
        return -1.0 if s.player == MAX else 1.0

    def count(self, s: Board) -> int:
        falling, rising, enemy, empty = self.sides(s)
        if self.jumpers(falling, rising, enemy, empty):
            number = 0
            for _ in self.captures(falling, rising, enemy, empty):
                number += 1
            return number
        return (
            popcount(falling << 4 & empty)
            + popcount(falling << 5 & empty)
            + popcount(rising >> 4 & empty)
            + popcount(rising >> 5 & empty)
        )

    # ------------------------------------------------------------ opinions: see evaluate/checkers.py
    encoding = encoding_of("checkers")

    def evaluate(self, s: Board) -> float:
        """Samuel's weighted sum of features, with the weights that come with the game."""
        estimate: float = self.encoding.estimate(self, s)
        return estimate

    # ------------------------------------------------------------ in play: what a position doesn't know

    def progress(self, before: Board, after: Board) -> bool:
        """True if a piece was captured or a man has moved: no earlier position can come again."""
        men_before, men_after = ((s.black | s.white) & ~s.kings for s in (before, after))
        pieces_before, pieces_after = (popcount(s.black | s.white) for s in (before, after))
        return men_before != men_after or pieces_before != pieces_after

    # ------------------------------------------------------------ text: see notation.py

    def show(self, s: Board) -> str:
        return picture(s)

    def squares(self, s: Board, action: int) -> list[int]:
        """The square that the piece leaves, and every square that it lands on, numbered from 1."""
        lifted, route = action & LIFTED, action >> ROUTE
        here = lowest(lifted & (s.black if s.player == MAX else s.white))
        found = [square_of(here)]
        for jump in range(popcount(lifted) - 2, -1, -1):
            way = route >> 2 * jump & 3
            distance = 2 * (4 + (way & 1))
            here += distance if way < UP else -distance
            found.append(square_of(here))
        if len(found) == 1:
            found.append(square_of(action >> TARGET & 63))
        return found
