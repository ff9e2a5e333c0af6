"""Backgammon: opening rolls, and how often the last checkers are borne off with one roll."""

from __future__ import annotations

OPENING_PLAYS = {
    31: 16, 42: 18, 61: 10, 53: 9, 65: 7, 54: 9, 43: 17, 64: 14,
    21: 15, 63: 14, 62: 14, 51: 8, 32: 17, 52: 8, 41: 14, 11: 42,
    22: 75, 33: 73, 44: 52, 55: 4, 66: 11,
}  # fmt: skip
"""Distinct plays of each first roll, larger die first."""

BEST_OPENINGS = {
    31: "8/5 6/5",
    42: "8/4 6/4",
    61: "13/7 8/7",
    53: "8/3 6/3",
    65: "24/13",
    54: "24/20 13/8",
    43: "13/10 13/9",
    64: "8/2 6/2",
    21: "13/11 6/5",
    63: "24/18 13/10",
    62: "24/18 13/11",
    51: "24/23 13/8",
    32: "13/11 13/10",
    52: "24/22 13/8",
    41: "24/23 13/9",
}

ONE_CHECKER = {
    "1": 36, "2": 36, "3": 36, "4": 34, "5": 31, "6": 27,
}  # fmt: skip
"""By point: the rolls of 36 that bear it off."""

TWO_CHECKERS = {
    "1-1": 36, "1-2": 36, "2-2": 26, "1-3": 34, "2-3": 25, "3-3": 17, "1-4": 29, "2-4": 23,
    "3-4": 17, "4-4": 11, "1-5": 23, "2-5": 19, "3-5": 14, "4-5": 10, "5-5": 6, "1-6": 15,
    "2-6": 13, "3-6": 10, "4-6": 8, "5-6": 6, "6-6": 4,
}  # fmt: skip

ONE_SIDED_POSITIONS = 54264
"""Of up to fifteen checkers on six points."""
