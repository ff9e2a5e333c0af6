"""What a network sees of a backgammon position: the encoding of TD-Gammon, and three numbers more.

For each side, from the side of whoever is to roll first, and each point of the board as that side counts them:

    unit 0   1 if there is a checker
    unit 1   1 if there are two: the point is made
    unit 2   1 if there are three: one to spare
    unit 3   half of what is beyond three

then half the checkers on the bar, the part of all that is borne off, and the pips to go in hundreds. The last input is
1 while the sides can still meet.

Tesauro, "Temporal difference learning and TD-Gammon" (1995): 198 inputs, two of them for whose turn it is, which is not
needed where the mover comes first. `Backgammon.inputs` lists those that are not 0.
"""

from __future__ import annotations

from plyforge.games.backgammon.board import POINTS

UNITS = 4
"""Inputs of a point and a side."""
BAR_INPUT, OFF_INPUT, PIPS_INPUT = (UNITS * POINTS + extra for extra in range(3))
SIDE_INPUTS = UNITS * POINTS + 3
CONTACT_INPUT = 2 * SIDE_INPUTS
INPUTS = CONTACT_INPUT + 1
