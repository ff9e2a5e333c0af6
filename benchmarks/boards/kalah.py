"""Kalah with six houses of four seeds, twice: with rows of pits in a tuple, as people write it, and line for line
with a byte for each pit in two words."""

from __future__ import annotations

from typing import NamedTuple

import plyforge as pf

HOUSES, SEEDS = 6, 4
STORE = HOUSES


class Board(NamedTuple):
    rows: tuple[tuple[int, ...], ...]  # of MAX and of MIN: the houses, in the order in which they sow, then the store
    player: int


class Natural(pf.Game):
    """Sow the seeds of a house; the last one in the own store moves again, in an empty own house it captures what
    lies opposite."""

    min_utility, max_utility = -2.0 * HOUSES * SEEDS, 2.0 * HOUSES * SEEDS

    def start(self):
        return Board(((SEEDS,) * HOUSES + (0,),) * 2, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for column in range(HOUSES):
            if s.rows[s.player][column] > 0:
                yield s.player, column

    def result(self, s, action):
        row, column = action
        pits = [list(each) for each in s.rows]
        seeds = pits[row][column]
        pits[row][column] = 0
        while seeds > 0:
            column += 1
            if column > STORE or (column == STORE and row != s.player):
                row, column = 1 - row, 0
            pits[row][column] += 1
            seeds -= 1
        again = column == STORE
        if not again and row == s.player and pits[row][column] == 1:
            opposite = HOUSES - 1 - column
            if pits[1 - row][opposite] > 0:
                pits[row][STORE] += 1 + pits[1 - row][opposite]
                pits[row][column] = 0
                pits[1 - row][opposite] = 0
        if sum(pits[0][:HOUSES]) == 0 or sum(pits[1][:HOUSES]) == 0:
            for side in range(2):
                for house in range(HOUSES):
                    pits[side][STORE] += pits[side][house]
                    pits[side][house] = 0
        return Board(tuple(tuple(each) for each in pits), s.player if again else 1 - s.player)

    def terminal(self, s):
        return sum(s.rows[0][:HOUSES]) == 0 and sum(s.rows[1][:HOUSES]) == 0

    def utility(self, s):
        return float(s.rows[0][STORE] - s.rows[1][STORE])

    def evaluate(self, s):
        return float(s.rows[0][STORE] - s.rows[1][STORE])


HOUSE_BITS = (1 << 8 * HOUSES) - 1


class Words(NamedTuple):
    south: int
    north: int
    player: int


class Packed(pf.Game):
    """The same, a byte for each pit; an action is the number of a house."""

    machine_words = True
    min_utility, max_utility = -2.0 * HOUSES * SEEDS, 2.0 * HOUSES * SEEDS

    def start(self):
        side = 0
        for house in range(HOUSES):
            side += SEEDS << 8 * house
        return Words(side, side, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        side = s.south if s.player == pf.MAX else s.north
        for house in range(HOUSES):
            if side >> 8 * house & 255 > 0:
                yield house

    def result(self, s, pit):
        mine, theirs = (s.south, s.north) if s.player == pf.MAX else (s.north, s.south)
        seeds = mine >> 8 * pit & 255
        mine -= seeds << 8 * pit
        own = True
        while seeds > 0:
            pit += 1
            if pit > STORE or (pit == STORE and not own):
                own, pit = not own, 0
            if own:
                mine += 1 << 8 * pit
            else:
                theirs += 1 << 8 * pit
            seeds -= 1
        again = pit == STORE
        if not again and own and mine >> 8 * pit & 255 == 1:
            opposite = HOUSES - 1 - pit
            caught = theirs >> 8 * opposite & 255
            if caught > 0:
                mine += 1 + caught << 8 * STORE
                mine -= 1 << 8 * pit
                theirs -= caught << 8 * opposite
        if mine & HOUSE_BITS == 0 or theirs & HOUSE_BITS == 0:
            for house in range(HOUSES):
                mine += (mine >> 8 * house & 255) << 8 * STORE
                theirs += (theirs >> 8 * house & 255) << 8 * STORE
            mine &= ~HOUSE_BITS
            theirs &= ~HOUSE_BITS
        south, north = (mine, theirs) if s.player == pf.MAX else (theirs, mine)
        return Words(south, north, s.player if again else 1 - s.player)

    def terminal(self, s):
        return s.south & HOUSE_BITS == 0 and s.north & HOUSE_BITS == 0

    def utility(self, s):
        return float((s.south >> 8 * STORE) - (s.north >> 8 * STORE))

    def evaluate(self, s):
        return float((s.south >> 8 * STORE) - (s.north >> 8 * STORE))


class Checked(Packed):
    """The packed one, compiled with the checks that rules get which do not say that they mean machine words."""

    machine_words = False
