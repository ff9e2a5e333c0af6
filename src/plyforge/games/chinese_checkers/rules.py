"""Chinese checkers: bring all your pieces across the star before anybody else does.

Neither Chinese nor checkers: Stern-Halma, from Germany, 1892. Two, three, four or six players begin with a point of the
star full of pieces, and race to the point opposite. A piece steps to an empty neighbouring hole, or jumps in a straight
line over a neighbouring piece, anybody's, to the empty hole behind it, and on from there as often as it likes. Nothing
is captured. One action is one piece from where it stands to where it ends: two ways of jumping to the same hole are the
same action. A piece may stand in the hexagon, in the point it began in and in the point it goes to, never in another
player's.

**Who has won.** A player whose target is full and holds at least one of its own pieces. That is the usual rule against
staying at home to block: whoever leaves
pieces in the enemy's target only helps to fill it. Only one player can come to have won by one action, for an action
fills a hole of one point.

**When it ends.** The winner gets 1, everybody else 0. After `move_limit` moves of each player nobody has won, and
everybody gets an equal share. With a limit
of 0 there is none, play can go round in circles, and the state doesn't count moves: so the game is a graph of
positions, to be solved as one. Who can't move at all, passes.

An action is a number, 128 times the hole that a piece leaves plus the hole that it goes to (the holes are numbered in
`board.py`); 0 is a pass.

Claim: a piece can only jump to holes whose three coordinates differ from its own by even numbers, at most 36 on the
ordinary board, and step to six. So no state has more actions than pieces times that.

Known: Sturtevant solved boards for two of up to 6 by 6 holes with six pieces each, and the player who begins wins all
of them ("On strongly solving Chinese checkers", 2019); his board of 3 by 3 is the star of size 1, that of 5 by 5 the
star of size 2. For three on the star of size 1, no player can force a win, and any two can keep the third from winning
(Liou, "Solving three-player Chinese checkers").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plyforge.contract import Game, HistoryRules
from plyforge.errors import BadRules
from plyforge.games.chinese_checkers.board import (
    LARGEST,
    NOWHERE,
    NUMBERS,
    OUTER,
    Board,
    board_of,
    hexagon_holes,
    point_holes,
)
from plyforge.games.chinese_checkers.heuristics import ENDLESS, LIMITED, ChineseCheckersHeuristics
from plyforge.games.chinese_checkers.notation import LARGEST_PLY, ChineseCheckersNotation, picture
from plyforge.games.chinese_checkers.position import PASS, Star
from plyforge.games.chinese_checkers.view import ChineseCheckersView
from plyforge.games.opinions import encoding_of
from plyforge.games.several_players.seats import first_of
from plyforge.kernel import lowest, popcount

SEATS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
"""The points that the players begin in, by how many there are."""
NAMES = ("Red", "Orange", "Yellow", "Green", "Blue", "Violet")
NOBODY = -1
STEPS = 6
"""So many neighbours a hole has at most."""
LANDINGS = (0, 3, 12, 19, 36)
"""So many holes a piece can jump to at most, by the size of the star: those whose coordinates differ from its own by
even numbers."""


@dataclass(frozen=True)
class ChineseCheckers(Game):
    """A race across a star of 13, 37, 73 or 121 holes: `chinese_checkers(players=3, size=2, move_limit=100)`."""

    view = ChineseCheckersView()

    heuristics = ChineseCheckersHeuristics()

    players: int = 3
    """Two, three, four or six."""
    size: int = 2
    """The side of a point: 1 (one piece each), 2 (three), 3 (six) or 4 (ten, the ordinary board)."""
    move_limit: int = 100
    """Moves of each player after which nobody has won; 0: no limit."""

    utility_sum = 1.0
    min_utility = 0.0
    max_utility = 1.0

    def __post_init__(self) -> None:
        if self.players not in SEATS:
            raise BadRules(f"chinese_checkers is for 2, 3, 4 or 6 players, not {self.players}")
        if not 1 <= self.size <= LARGEST:
            raise BadRules(f"chinese_checkers has stars of size 1 to {LARGEST}, not {self.size}")
        if not 0 <= self.move_limit <= LARGEST_PLY // self.players:
            raise BadRules(
                f"chinese_checkers needs a move_limit from 0 to {LARGEST_PLY // self.players}, not {self.move_limit}"
            )

    # ------------------------------------------------------------ what the star is
    @property
    def notation(self) -> ChineseCheckersNotation:  # type: ignore[override]
        return ChineseCheckersNotation(tuple(NAMES[point] for point in SEATS[self.players]))

    @property
    def history(self) -> HistoryRules:  # type: ignore[override]
        return ENDLESS if self.move_limit == 0 else LIMITED

    @property
    def pieces(self) -> int:
        """How many each player has; as many as a point has holes."""
        return point_holes(self.size)

    @cached_property
    def star(self) -> Board:
        """The holes, and what lies beside what."""
        return board_of(self.size)

    @cached_property
    def next(self) -> np.ndarray:
        """The neighbour of a hole in a direction, or NOWHERE."""
        return self.star.next

    @cached_property
    def homes(self) -> np.ndarray:
        """For each player the holes of the point that it begins in."""
        return np.array([self.point(point) for point in SEATS[self.players]], np.int64)

    @cached_property
    def targets(self) -> np.ndarray:
        """For each player the holes of the point that it goes to."""
        return np.array([self.point((point + 3) % 6) for point in SEATS[self.players]], np.int64)

    @cached_property
    def distances(self) -> np.ndarray:
        """For each player, how far each hole is from the tip of its target."""
        return np.array([self.star.distance[(point + 3) % 6] for point in SEATS[self.players]], np.int64)

    @cached_property
    def hexagon(self) -> int:
        return (1 << hexagon_holes(self.size)) - 1

    @cached_property
    def nearest(self) -> int:
        """What the distances of a player's pieces add up to when all are in the target."""
        return sum(row * (row + 1) for row in range(self.size))

    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return self.pieces * (STEPS + LANDINGS[self.size])

    def point(self, number: int) -> int:
        """The holes of a point, as a set."""
        return ((1 << self.pieces) - 1) << number * self.pieces

    # ------------------------------------------------------------ the six functions
    def start(self) -> Star:
        return Star((0,) * self.players, tuple(int(home) for home in self.homes), 0, 0)

    def player(self, s: Star) -> int:
        return s.player

    def actions(self, s: Star) -> Iterator[int]:
        """Piece after piece, those in the hexagon first; for each the holes it can go to, in the order of their
        numbers."""
        inner, outer = self.taken(s)
        stuck = True
        for part in range(2):
            pieces = s.inner[0] if part == 0 else s.outer[0]
            while pieces:
                hole = lowest(pieces) + part * OUTER
                pieces &= pieces - 1
                near, far = self.reach(hole, s.player, inner, outer)
                if near | far:
                    stuck = False
                while near:
                    yield hole * NUMBERS + lowest(near)
                    near &= near - 1
                while far:
                    yield hole * NUMBERS + OUTER + lowest(far)
                    far &= far - 1
        if stuck:
            yield PASS

    def result(self, s: Star, action: int) -> Star:
        inner, outer = s.inner[0], s.outer[0]
        if action != PASS:
            for hole in (action // NUMBERS, action % NUMBERS):
                if hole < OUTER:
                    inner ^= 1 << hole
                else:
                    outer ^= 1 << hole - OUTER
        ply = s.ply + 1 if self.move_limit > 0 else 0
        following = s.player + 1 if s.player + 1 < self.players else 0
        return Star((*s.inner[1:], inner), (*s.outer[1:], outer), following, ply)

    def terminal(self, s: Star) -> bool:
        return self.out_of_moves(s) or self.who_won(s) != NOBODY

    def utility(self, s: Star) -> Any:
        who = self.who_won(s)
        return first_of(
            self,
            (
                self.share(who, 0),
                self.share(who, 1),
                self.share(who, 2),
                self.share(who, 3),
                self.share(who, 4),
                self.share(who, 5),
            ),
        )

    # ------------------------------------------------------------ parts of those
    def taken(self, s: Star) -> tuple[int, int]:
        """All holes with a piece in them."""
        inner, outer = 0, 0
        for index in range(self.players):
            inner |= s.inner[index]
            outer |= s.outer[index]
        return inner, outer

    def reach(self, origin: int, player: int, inner: int, outer: int) -> tuple[int, int]:
        """The holes that a player's piece at `origin` can go to, with these holes taken: by a step, or by jump after
        jump.

        While it jumps, the hole that it left is empty.
        """
        if origin < OUTER:
            inner ^= 1 << origin
        else:
            outer ^= 1 << origin - OUTER
        empty_inner = self.hexagon & ~inner
        empty_outer = (self.homes[player] | self.targets[player]) & ~outer
        near, far = 0, 0
        for direction in range(STEPS):
            hole = self.next[origin, direction]
            if hole == NOWHERE:
                continue
            if hole < OUTER:
                near |= empty_inner & 1 << hole
            else:
                far |= empty_outer & 1 << hole - OUTER
        # what is left of the empty holes has not been jumped to; `ahead` are those to jump on from
        ahead_inner, ahead_outer, hole = 0, 0, origin
        while hole != NOWHERE:
            for direction in range(STEPS):
                over = self.next[hole, direction]
                if over == NOWHERE:
                    continue
                landing = self.next[over, direction]
                if landing == NOWHERE or not (inner >> over & 1 if over < OUTER else outer >> over - OUTER & 1):
                    continue
                if landing < OUTER:
                    found = empty_inner & 1 << landing
                    empty_inner ^= found
                    ahead_inner |= found
                    near |= found
                else:
                    found = empty_outer & 1 << landing - OUTER
                    empty_outer ^= found
                    ahead_outer |= found
                    far |= found
            if ahead_inner:
                hole = lowest(ahead_inner)
                ahead_inner &= ahead_inner - 1
            elif ahead_outer:
                hole = OUTER + lowest(ahead_outer)
                ahead_outer &= ahead_outer - 1
            else:
                hole = NOWHERE
        if origin < OUTER:
            return near & ~(1 << origin), far
        return near, far & ~(1 << origin - OUTER)

    def out_of_moves(self, s: Star) -> bool:
        return self.move_limit > 0 and s.ply >= self.move_limit * self.players

    def who_won(self, s: Star) -> int:
        """The player whose target is full and holds a piece of its own; NOBODY if there is none."""
        _, outer = self.taken(s)
        who = s.player
        for index in range(self.players):
            target = self.targets[who]
            if outer & target == target and s.outer[index] & target:
                return who
            who = who + 1 if who + 1 < self.players else 0
        return NOBODY

    def winner(self, s: Star) -> int | None:
        who = self.who_won(s)
        return None if who == NOBODY else who

    def share(self, who: int, player: int) -> float:
        """What a player gets if `who` has won."""
        if who == NOBODY:
            return 1.0 / self.players
        return 1.0 if who == player else 0.0

    # ------------------------------------------------------------ what it may add

    def turned(self, words: tuple[int, ...]) -> tuple[int, ...]:
        """The first player's word at the end."""
        return (*words[1:], words[0])

    def count(self, s: Star) -> int:
        inner, outer = self.taken(s)
        number = 0
        for part in range(2):
            pieces = s.inner[0] if part == 0 else s.outer[0]
            while pieces:
                near, far = self.reach(lowest(pieces) + part * OUTER, s.player, inner, outer)
                number += popcount(near) + popcount(far)
                pieces &= pieces - 1
        return max(number, 1)

    # ------------------------------------------------------------ opinions: see evaluate/chinese_checkers.py
    encoding = encoding_of("chinese_checkers")

    def evaluate(self, s: Star) -> Any:
        """A share of the win for each, in proportion to its chances; they add up to 1."""
        return self.encoding.estimate(self, s)

    # ------------------------------------------------------------ text: see notation.py

    def show(self, s: Star) -> str:
        return picture(self, s)
