"""The figures of the lectures, each one literal that `plyforge.games.trees.tree` makes a game of.

Numbers are the decks' own. Some pictures lost their leaves on the way to us: where a number had to be filled in, the
remark says which, and why the figure's point does not depend on it. What a figure is worth is not written here: it is
for a search to find, and the tests hold the searches to what the decks print.

The decks: CSC384 (University of Toronto), CE417 (Sharif University of Technology; its slides follow CS188, Berkeley).
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Figure(NamedTuple):
    """A tree from a lecture."""

    deck: str
    """Whose lecture."""
    place: str
    """The slide, or the line of the deck's text."""
    shows: str
    """What it is there to show."""
    tree: Any
    """Nested literals; see `plyforge.games.trees.tree`."""
    remark: str = ""
    """What is lost, filled in or derived."""


FIGURES: dict[str, Figure] = {
    "minimax_strategy": Figure(
        "CSC384",
        "Minimax Strategy - Intuitions, lines 235-237",
        "MAX goes to s2: MIN answers each move with the leaf that is worst for MAX",
        {
            "name": "s0",
            "max": {
                "s1": {
                    "name": "s1",
                    "min": {
                        "t1": {"name": "t1", "value": -5},
                        "t2": {"name": "t2", "value": -6},
                        "t3": {"name": "t3", "value": -5},
                    },
                },
                "s2": {"name": "s2", "min": {"t4": {"name": "t4", "value": 3}, "t5": {"name": "t5", "value": 4}}},
                "s3": {"name": "s3", "min": {"t6": {"name": "t6", "value": -10}, "t7": {"name": "t7", "value": -9}}},
            },
        },
        "t2, t4 and t6 are printed. The others are lost; all that is known is t1, t3 >= -6, t5 >= 3 and t7 >= -10, "
        "and each is filled in one above that bound, so that MIN has the one best reply that is printed",
    ),
    "single_agent": Figure(
        "CE417",
        "slides 9-10",
        "one player: the value of a state is the best that can be reached from it",
        {"max": [8, {"max": [2, 0]}, {"max": [2, 6]}, {"max": [4, 6]}]},
        "the 0 beside the first 2 is lost in the deck's text; any number up to 8 gives the same root",
    ),
    "adversarial": Figure(
        "CE417",
        "slides 12-13",
        "two players: values under the opponent's control are minima",
        [[-8, -5], [-10, 8]],
        "slide 12 shows eight leaves (-20, -8, -18, -5, -10, 4, -20, 8), slide 13 the four that count",
    ),
    "minimax_2_5": Figure("CE417", "slide 17", "minimax values 2 and 5 below the root", [[8, 2], [5, 6]]),
    "minimax_3_2_2": Figure(
        "CE417",
        "slide 18",
        "minimax values 3, 2 and 2 below the root",
        [[3, 12, 8], [2, 4, 6], [14, 5, 2]],
        "the minima are printed, the leaves are lost: these are the ones of the same figure in the book that the deck"
        " follows (Russell and Norvig, Artificial Intelligence, third edition, chapter 5)",
    ),
    "worst_case": Figure(
        "CE417",
        "slides 20 and 54",
        "minimax is optimal against a perfect opponent; against a random one the other move is better",
        [[10, 10], [9, 100]],
    ),
    "average_case": Figure(
        "CE417",
        "slides 54 and 55",
        "the same leaves where chance moves instead of an opponent",
        {"max": [{"chance": [10, 10]}, {"chance": [9, 100]}]},
        "no weights are printed: uniform",
    ),
    "alpha_beta": Figure(
        "CE417",
        "slide 34",
        "a cut below MIN (at least 5, where 3 is at hand) and one below MAX (at most 2, where 3 is)",
        [[[1, 3], [5, 0]], [2, 0]],
        "printed are 1, 5, <=2, 3, >=5, 2, 3; this is the arrangement in which each occurs once. Both leaves 0 are"
        " lost: they are what alpha-beta cuts, so they can be anything",
    ),
    "depth_limit": Figure(
        "CE417", "slide 42", "estimates at the depth limit, backed up like utilities", [[-1, -2], [4, 9]]
    ),
    "expectimax_uniform": Figure(
        "CE417",
        "slide 55",
        "expectimax for one player",
        {"max": [{"chance": [10, 4]}, {"chance": [5, 7]}]},
        "no weights are printed: uniform",
    ),
    "airport": Figure(
        "CE417",
        "slides 57-58",
        "an expectation: how many minutes to the airport",
        {"chance": {"none": 20, "light": 30, "heavy": 60}, "weights": [0.25, 0.5, 0.25]},
    ),
    "expected_value": Figure(
        "CE417",
        "slide 62",
        "one chance node with unequal weights",
        {"chance": [8, 24, -12], "weights": ["1/2", "1/3", "1/6"]},
    ),
    "expectimax": Figure(
        "CE417",
        "slide 63",
        "expectimax with three chance nodes",
        {"max": [{"chance": [3, 12, 9]}, {"chance": [2, 4, 6]}, {"chance": [15, 6, 0]}]},
        "the 0 is lost in the deck; it and the arrangement are those of the CS188 slide that this one copies",
    ),
    "depth_limited_expectimax": Figure(
        "CE417",
        "slide 65",
        "an estimate stands for a value that would take a lot of work to compute",
        {"max": [{"estimate": 400, "chance": [492]}, {"estimate": 300, "chance": [362]}]},
        "only 492, 362, 400 and 300 survived; that the first pair is what the second estimates is our reading",
    ),
    "stochastic": Figure(
        "CE417",
        "slide 71",
        "chance nodes average by probability",
        {"max": [{"chance": [2, 3], "weights": [0.9, 0.1]}, {"chance": [1, 4], "weights": [0.9, 0.1]}]},
        "the weights are derived: with .9 and .1 the averages are the printed 2.1 and 1.3",
    ),
    "scale": Figure(
        "CE417",
        "slide 73",
        "what utilities to use: minimax needs only their order, expectimax their size",
        [[0, 40], [20, 30]],
    ),
    "scale_squared": Figure("CE417", "slide 73", "the same, every utility squared", [[0, 1600], [400, 900]]),
    "three_players": Figure(
        "CE417",
        "slide 78",
        "utility tuples: each player maximises its own component",
        [[[(1, 6, 6), (7, 1, 2)], [(6, 1, 2), (7, 2, 1)]], [[(5, 1, 7), (1, 5, 2)], [(7, 7, 1), (5, 2, 5)]]],
        "who moves is not printed: players 0, 1, 2 from the top",
    ),
}
