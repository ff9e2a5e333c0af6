"""What a player of backgammon looks at, in numbers.

The pips to go, the points that are made, primes, anchors, blots and the shots at them, men on the bar and off the
board: the words of Magriel's "Backgammon" (1976). Berliner's BKG, which beat a world champion in 1979, added up such
numbers; Tesauro's Pubeval (1993) showed how far a plain sum goes.

All but the last are a side's own, counted for X and, from the other end, for O. Two sets of weights belong to them: one
while the sides can still meet (contact), one when they have passed each other (race).

Claim: exchanging the sides changes the sign of every feature, and nothing else.
"""

from __future__ import annotations

import math

import numpy as np

from plyforge.games.backgammon.board import (
    BAR,
    CHECKERS,
    COLUMNS,
    DIGIT,
    HOME,
    ON_BAR,
    ON_BOARD,
    blots_of,
    checkers_in,
    made_by,
    occupied_by,
    turned,
)
from plyforge.kernel import highest, inline, kernel, popcount

FEATURE_NAMES = (
    "pips",
    "race",
    "off",
    "home",
    "bar",
    "bar closed",
    "shut out",
    "point 1",
    "point 2",
    "point 3",
    "point 4",
    "point 5",
    "point 6",
    "point 7",
    "point 8",
    "outer points",
    "midpoint",
    "far points",
    "point 18",
    "anchor 20",
    "anchor 21",
    "anchor 22",
    "deep anchor",
    "home blots",
    "outer blots",
    "far blots",
    "back blots",
    "shots",
    "shots closed",
    "prime 4",
    "prime 5",
    "prime 6",
    "trapped",
    "back men",
    "stacked",
    "buried",
    "gaps",
    "gammon",
    "no anchor",
    "attack",
    "loose home",
    "turn",
)
"""What the numbers are of, each X's minus O's:

pips          what all checkers have still to go, in hundreds; 25 for one on the bar
race          by how much of the spread of the dice a side is ahead in pips, the next roll counted; from -1 to 1, and
              steep in the middle
off           checkers borne off
home          checkers at home
bar           checkers on the bar
bar closed    with a checker on the bar: how many points of the enemy's home are closed
shut out      1 with a checker on the bar and all six closed
point 1-8     1 if the point is made
outer points  points 9 to 12 made
midpoint      13 made
far points    14 to 17 made
point 18      the enemy's bar point
anchor 20-22  points made in the enemy's home: 20 is the golden one
deep anchor   23 and 24
home blots    single checkers at home, where they cost little when hit but give the enemy a way out
outer blots   on 7 to 12
far blots     on 13 to 18
back blots    on 19 to 24
shots         if the enemy is to roll: of 36 rolls, the part that hits a blot, points in the way not looked at
shots closed  that, times the points of the enemy's home that are closed
prime 4, 5, 6 1 if so many points in a row are made, from 2 to 12
trapped       enemy checkers behind a row of four or more
back men      checkers in the enemy's home
stacked       points with four checkers or more
buried        checkers on points 1 and 2
gaps          points of the home that are empty while checkers are outside or above
gammon        with nobody off: the pips to the first checker off, less a quarter of what the enemy has to go, if more;
              in tens
no anchor     with checkers in the enemy's home or on the bar and no point made there: how many points of that home are
              closed
attack        enemy blots in the home, times the points of it that are closed
loose home    blots at home while an enemy is on the bar or in that home
turn          1 if the side is to roll or to play
"""

OUTER, FAR, BACK = (sum(1 << p for p in points) for points in (range(7, 13), range(13, 19), range(19, 25)))
OUTER_POINTS, FAR_POINTS = sum(1 << p for p in range(9, 13)), sum(1 << p for p in range(14, 18))
DEEP = 1 << 23 | 1 << 24
BURIED = 1 << 1 | 1 << 2
PRIME_FROM = sum(1 << p for p in range(2, 13))
HOME_DIGITS = HOME | HOME << DIGIT
"""The home in both digits of a number."""
REACH = 12
"""Shots from farther away are not counted."""
DICE_SPREAD = 4.3 * 4.3 / 8.2
"""The variance of a roll in pips by its mean: 8.17 pips a roll, 4.3 of spread."""
ON_ROLL = 4.0
"""Half a roll: what it is worth to throw next, in pips."""


def _hits(distances: int) -> int:
    """Of 36 rolls, how many bring a checker to a blot at one of these distances, a bit each, if nothing is in the
    way."""
    number = 0
    for one in range(1, 7):
        for other in range(1, 7):
            reached = (one, 2 * one, 3 * one, 4 * one) if one == other else (one, other, one + other)
            number += any(d <= REACH and distances >> d & 1 for d in reached)
    return number


HITS = np.array([_hits(distances << 1) for distances in range(1 << REACH)], np.int8)
"""By the distances from 1 to 12 at which there is a blot."""


_PIP_DIGITS = tuple(sum(1 << p for p in range(BAR + 1) if p >> digit & 1) for digit in range(5))
_PIPS_1, _PIPS_2, _PIPS_4, _PIPS_8, _PIPS_16 = _PIP_DIGITS


@inline
def pips_of(low, high):
    """What a side has still to go: the points of all its checkers, added up digit by digit."""
    return (
        checkers_in(low, high, _PIPS_1)
        + 2 * checkers_in(low, high, _PIPS_2)
        + 4 * checkers_in(low, high, _PIPS_4)
        + 8 * checkers_in(low, high, _PIPS_8)
        + 16 * checkers_in(low, high, _PIPS_16)
    )


@inline
def in_contact(s):
    """True while checkers of the two sides have still to pass each other."""
    x, o = occupied_by(s.max_low, s.max_high), occupied_by(s.min_low, s.min_high)
    return x != 0 and o != 0 and highest(x) + highest(o) > BAR


@kernel
def counts_for(low, high, enemy_low, enemy_high, pips, enemy_pips, to_roll):
    """A side's own features, in the order of their names: all but race and turn."""
    occupied, made, blots = occupied_by(low, high), made_by(low, high), blots_of(low, high)
    enemy_occupied, enemy_made = occupied_by(enemy_low, enemy_high), made_by(enemy_low, enemy_high)
    closed = popcount(enemy_made & HOME)
    bar = checkers_in(low, high, ON_BAR)
    waiting = min(1, bar)
    off = CHECKERS - checkers_in(low, high, COLUMNS)

    # Shots: how far enemy checkers are behind each blot, as the enemy counts.
    distances, targets = 0, 0
    if not to_roll:
        targets = turned(blots)
    while targets:
        distances |= enemy_occupied >> highest(targets)
        targets ^= 1 << highest(targets)
    shots = HITS[distances >> 1 & (1 << REACH) - 1] / 36.0

    primed = made & PRIME_FROM
    four = primed & primed >> 1 & primed >> 2 & primed >> 3
    five = four & primed >> 4
    trapped = 0
    if four:
        behind = (1 << highest(four)) - 1  # points below the row, as we count: where enemies come from
        trapped = checkers_in(enemy_low, enemy_high, turned(behind & ON_BOARD) | ON_BAR)

    home = checkers_in(low, high, HOME)
    top = highest(occupied & HOME) if occupied & HOME and off + home == CHECKERS else 6
    gaps = popcount(HOME & ~occupied & (2 << top) - 1)
    back = checkers_in(low, high, BACK)
    no_anchor = closed if back + bar > 0 and made & BACK == 0 else 0
    own_closed = popcount(made & HOME)
    attack = own_closed * popcount(blots_of(enemy_low, enemy_high) & BACK)
    loose = popcount(blots & HOME) if enemy_occupied & (BACK | ON_BAR) else 0
    gammon = 0.0
    if off == 0:
        outside_pips = pips - pips_of(low & HOME_DIGITS, high & HOME_DIGITS) - 6 * (CHECKERS - home)
        gammon = max(0.0, outside_pips + 6 - 0.25 * enemy_pips) / 10.0
    return (
        pips / 100.0,
        off,
        home,
        bar,
        closed * waiting,
        waiting * (closed // 6),
        made >> 1 & 1,
        made >> 2 & 1,
        made >> 3 & 1,
        made >> 4 & 1,
        made >> 5 & 1,
        made >> 6 & 1,
        made >> 7 & 1,
        made >> 8 & 1,
        popcount(made & OUTER_POINTS),
        made >> 13 & 1,
        popcount(made & FAR_POINTS),
        made >> 18 & 1,
        made >> 20 & 1,
        made >> 21 & 1,
        made >> 22 & 1,
        popcount(made & DEEP),
        popcount(blots & HOME),
        popcount(blots & OUTER),
        popcount(blots & FAR),
        popcount(blots & BACK),
        shots,
        shots * closed,
        min(1, popcount(four)),
        min(1, popcount(five)),
        min(1, popcount(five & primed >> 5)),
        trapped,
        back,
        popcount((high | high >> DIGIT) & ON_BOARD),
        checkers_in(low, high, BURIED),
        gaps,
        gammon,
        no_anchor,
        attack,
        loose,
    )


@inline
def lead(pips, enemy_pips, on_roll):
    """How safe a lead in the race is: from -1 to 1."""
    ahead = enemy_pips - pips + on_roll * ON_ROLL
    spread = math.sqrt(DICE_SPREAD * (pips + enemy_pips) + 8.0)
    steps = ahead / spread
    return steps / math.sqrt(1.0 + steps * steps)


@kernel
def features_of(s, x_moves):
    """All features, in the order of their names."""
    pips, enemy_pips = pips_of(s.max_low, s.max_high), pips_of(s.min_low, s.min_high)
    x = counts_for(s.max_low, s.max_high, s.min_low, s.min_high, pips, enemy_pips, x_moves)
    o = counts_for(s.min_low, s.min_high, s.max_low, s.max_high, enemy_pips, pips, not x_moves)
    turn = 1.0 if x_moves else -1.0
    return (
        float(x[0] - o[0]),
        lead(pips, enemy_pips, turn),
        float(x[1] - o[1]),
        float(x[2] - o[2]),
        float(x[3] - o[3]),
        float(x[4] - o[4]),
        float(x[5] - o[5]),
        float(x[6] - o[6]),
        float(x[7] - o[7]),
        float(x[8] - o[8]),
        float(x[9] - o[9]),
        float(x[10] - o[10]),
        float(x[11] - o[11]),
        float(x[12] - o[12]),
        float(x[13] - o[13]),
        float(x[14] - o[14]),
        float(x[15] - o[15]),
        float(x[16] - o[16]),
        float(x[17] - o[17]),
        float(x[18] - o[18]),
        float(x[19] - o[19]),
        float(x[20] - o[20]),
        float(x[21] - o[21]),
        float(x[22] - o[22]),
        float(x[23] - o[23]),
        float(x[24] - o[24]),
        float(x[25] - o[25]),
        float(x[26] - o[26]),
        float(x[27] - o[27]),
        float(x[28] - o[28]),
        float(x[29] - o[29]),
        float(x[30] - o[30]),
        float(x[31] - o[31]),
        float(x[32] - o[32]),
        float(x[33] - o[33]),
        float(x[34] - o[34]),
        float(x[35] - o[35]),
        float(x[36] - o[36]),
        float(x[37] - o[37]),
        float(x[38] - o[38]),
        float(x[39] - o[39]),
        turn,
    )
