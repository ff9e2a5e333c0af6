"""English draughts: move sequences by depth, positions by number of pieces, and how the smallest ones end.

The numbers of positions are OEIS A055213 (Schaeffer), those of sequences OEIS A133046.
"""

from __future__ import annotations

SEQUENCES = {
    1: 7, 2: 49, 3: 302, 4: 1469, 5: 7361, 6: 36768,
    7: 179740, 8: 845931, 9: 3963680, 10: 18391564, 11: 85242128, 12: 388623673,
    13: 1766623630, 14: 7978439499, 15: 36263167175, 16: 165629569428,
}  # fmt: skip
"""Routes to the same end are counted apart, which matters from depth 12 on."""

POSITIONS = {
    1: 120, 2: 6972, 3: 261224, 4: 7092774,
    5: 148688232, 6: 2503611964, 7: 34779531480, 8: 406309208481,
    9: 4048627642976, 10: 34778882769216, 11: 259669578902016, 12: 1695618078654976,
    13: 9726900031328256, 14: 49134911067979776, 15: 218511510918189056, 16: 852888183557922816,
    17: 2905162728973680640, 18: 8568043414939516928, 19: 21661954506100113408, 20: 46352957062510379008,
    21: 82459728874435248128, 22: 118435747136817856512, 23: 129406908049181900800, 24: 90072726844888186880,
}  # fmt: skip
"""By pieces; where one side has nothing, once, whoever moves."""

WITH_BOTH_SIDES = {
    1: 0, 2: 3488, 3: 196032, 4: 6209316,
}  # fmt: skip
"""By pieces: positions in which both sides have one."""

OUTCOMES = {1: (0, 0, 0), 2: (716, 2370, 402), 3: (100250, 8477, 87305), 4: (2574304, 1717922, 1917090)}
"""By pieces: won, drawn and lost for the mover, without a rule that draws by counting moves."""
