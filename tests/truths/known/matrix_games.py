"""Matrix games of two players and sum zero: the table of payoffs to the first, the value, and his best mix."""

from __future__ import annotations

ZERO_SUM = {
    "rock-paper-scissors": (
        [[0, -1, 1], [1, 0, -1], [-1, 1, 0]],
        "0",
        ["1/3", "1/3", "1/3"],
    ),
    "matching pennies": (
        [[1, -1], [-1, 1]],
        "0",
        ["1/2", "1/2"],
    ),
    "rps-lizard-spock": (
        [[0, -1, 1, 1, -1], [1, 0, -1, -1, 1], [-1, 1, 0, 1, -1], [-1, 1, -1, 0, 1], [1, -1, 1, -1, 0]],
        "0",
        ["1/5", "1/5", "1/5", "1/5", "1/5"],
    ),
    "2x2": (
        [[3, -1], [-2, 1]],
        "1/7",
        ["3/7", "4/7"],
    ),
    "rps rock pays 2": (
        [[0, -1, 2], [1, 0, -1], [-2, 1, 0]],
        "0",
        ["1/4", "1/2", "1/4"],
    ),
    "asymmetric pure (OpenSpiel lp_solver_test)": (
        [[2, 1, 5], [-3, -4, -2]],
        "1",
        ["1", "0"],
    ),
}

MORRA = ("0", ["0", "4/7", "3/7", "0"])
"""Two-finger Morra, (show, guess) = (1, 1), (1, 2), (2, 1), (2, 2): the value, and one of the best mixes."""
