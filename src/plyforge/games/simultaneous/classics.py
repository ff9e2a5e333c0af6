"""Payoff tables that every textbook has, by name: what `matrix(name='chicken')` plays.

A table of plain numbers is zero-sum: they are the first player's. Elsewhere each cell has a number for each player. The
prisoner's dilemma has the payoffs of the lectures, four minus the sentence.
"""

from __future__ import annotations

from typing import Any

ROCK_PAPER_SCISSORS = ["rock", "paper", "scissors"]

CLASSICS: dict[str, dict[str, Any]] = {
    "rock_paper_scissors": {
        "actions": [ROCK_PAPER_SCISSORS, ROCK_PAPER_SCISSORS],
        "payoffs": [[0, -1, 1], [1, 0, -1], [-1, 1, 0]],
    },
    "rock_paper_scissors_lizard_spock": {
        "actions": [[*ROCK_PAPER_SCISSORS, "lizard", "spock"]] * 2,
        "payoffs": [
            [0, -1, 1, 1, -1],
            [1, 0, -1, -1, 1],
            [-1, 1, 0, 1, -1],
            [-1, 1, -1, 0, 1],
            [1, -1, 1, -1, 0],
        ],
    },
    "matching_pennies": {
        "players": ["even", "odd"],
        "actions": [["heads", "tails"], ["heads", "tails"]],
        "payoffs": [[1, -1], [-1, 1]],
    },
    "morra": {  # show one or two fingers and guess the other's: who alone is right wins the sum
        "actions": [["1 guess 1", "1 guess 2", "2 guess 1", "2 guess 2"]] * 2,
        "payoffs": [[0, 2, -3, 0], [-2, 0, 0, 3], [3, 0, 0, -4], [0, -3, 4, 0]],
    },
    "prisoners_dilemma": {
        "actions": [["cooperate", "defect"], ["cooperate", "defect"]],
        "payoffs": [[[3, 3], [0, 4]], [[4, 0], [1, 1]]],
    },
    "battle_of_the_sexes": {
        "players": ["she", "he"],
        "actions": [["opera", "football"], ["opera", "football"]],
        "payoffs": [[[2, 1], [0, 0]], [[0, 0], [1, 2]]],
    },
    "chicken": {
        "actions": [["swerve", "straight"], ["swerve", "straight"]],
        "payoffs": [[[0, 0], [-1, 1]], [[1, -1], [-10, -10]]],
    },
    "stag_hunt": {
        "actions": [["stag", "hare"], ["stag", "hare"]],
        "payoffs": [[[4, 4], [0, 3]], [[3, 0], [3, 3]]],
    },
    "coordination": {
        "actions": [["left", "right"], ["left", "right"]],
        "payoffs": [[[1, 1], [0, 0]], [[0, 0], [1, 1]]],
    },
    "odd_one_out": {  # three players: who differs from the other two gets one from each
        "players": ["first", "second", "third"],
        "actions": [["heads", "tails"]] * 3,
        "payoffs": [
            [[[0, 0, 0], [-1, -1, 2]], [[-1, 2, -1], [2, -1, -1]]],
            [[[2, -1, -1], [-1, 2, -1]], [[-1, -1, 2], [0, 0, 0]]],
        ],
    },
}
"""The tables, each as `matrix` reads it."""
