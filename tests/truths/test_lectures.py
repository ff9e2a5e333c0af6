"""Every number of the lectures that can be tested on what stands, and the decks' own errors put right.

The decks: CSC384 (Toronto), EMI, Gummaluru, CE417 (Sharif), Amsterdam. "Line" is a line of a deck's text, "slide" a
slide. What each deck gets wrong is told to learners in docs/lectures.md, which names the tests below.

Not here, because the games and systems are not built yet: Pacman and its table (CE417 slides 51-52, 67-68), backgammon
itself (69-70), real-time A* (CSC384 lines 450-467), the
slider puzzle (Gummaluru lines 74-78), rollouts and MCTS (EMI lines 339-350), and what is told of systems: Chinook,
Deep Blue, Hydra, Logistello, MoGo, AlphaGo, TD-Gammon, GIB, Jack, Quackle. Pictures whose numbers are lost are not
made up.
"""

from __future__ import annotations

import itertools
import math
import random
import re
from fractions import Fraction
from typing import Any

import pytest

import paths
from plyforge.contract import CHANCE, MAX, MIN, Game, format_action, parse_state
from plyforge.errors import TooDeep, Unsuitable
from plyforge.games import load
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.games.trees.figures import FIGURES
from plyforge.games.trees.tree import Place, Tree
from plyforge.games.two_players.pig import Pig
from plyforge.kernel import Principal
from plyforge.search import AlphaBeta, FunctionPolicy, Result, search

DOCS = paths.DOCS


def figure(name: str) -> Tree:
    game = load(f"tree(figure={name!r})")
    assert isinstance(game, Tree)
    return game


def values(found: Result) -> list[Any]:
    return list(found.values.values())


class Visits(Principal):
    """A watcher that remembers which nodes were entered, and which were cut short."""

    def __init__(self) -> None:
        object.__setattr__(self, "entered", [])
        object.__setattr__(self, "cuts", [])

    def enter(self, memory: Any, state: Any, depth: int, alpha: float, beta: float) -> None:
        super().enter(memory, state, depth, alpha, beta)
        self.entered.append(state.node)

    def cut(self, memory: Any, depth: int, index: int, value: float, alpha: float, beta: float) -> None:
        self.cuts.append((value, alpha, beta))


# ==================================================================== CSC384
def test_csc384_minimax_strategy_payoffs() -> None:
    """Lines 235-237: U(s1) = -6 by t2, U(s2) = 3 by t4, U(s3) = -10 by t6; MAX goes to s2, U(s0) = 3."""
    game = figure("minimax_strategy")
    found = search(game, using="minimax")
    assert (found.value, found.line_text()) == (3.0, ["s2", "t4"])
    assert found.to_json()["values"] == {"s1": -6.0, "s2": 3.0, "s3": -10.0}
    for state, value, reply in (("s1", -6.0, "t2"), ("s2", 3.0, "t4"), ("s3", -10.0, "t6")):
        below = search(game, state, "minimax")
        assert (below.value, below.line_text()) == (value, [reply])


@pytest.mark.parametrize("seed", range(5))
def test_csc384_the_lost_leaves_do_not_matter(seed: int) -> None:
    """Known of them: t1, t3 >= -6, t5 >= 3, t7 >= -10."""
    stream = random.Random(seed)
    t1, t3, t5, t7 = (least + stream.randint(0, 20) for least in (-6, -6, 3, -10))
    assert search(Tree([[t1, -6, t3], [3, t5], [-10, t7]])).value == 3.0


def test_csc384_the_interface_has_six_functions() -> None:
    """Lines 192-200."""
    for name in ("start", "player", "actions", "result", "terminal", "utility"):
        with pytest.raises(NotImplementedError, match=name):
            asked = getattr(Game(), name)(*([] if name == "start" else ["p", "m"] if name == "result" else ["p"]))
            next(iter(asked))  # actions are a generator, which runs when the first one is asked for


def test_csc384_a_player_may_get_several_moves_in_succession() -> None:
    """Line 198. Kalah does; so does this tree, where MAX moves twice, then MIN twice."""
    tree = {"max": [{"max": [{"min": [{"min": [4, 1]}, 2]}, 3]}, {"max": [0, 2]}]}
    for using in ("minimax", "negamax", "alpha_beta"):
        assert search(Tree(tree), using=using).value == 3.0


def test_csc384_min_gets_c_minus_u() -> None:
    """Line 182: with a constant sum C nothing changes but what MIN is said to get."""
    zero_sum = Tree([[8, 2], [5, 6]])
    sum_of_ten = Tree([[(8, 2), (2, 8)], [(5, 5), (6, 4)]])
    assert sum_of_ten.utility_sum == 10.0
    for using in ("minimax", "negamax", "alpha_beta"):
        one, other = search(zero_sum, using=using), search(sum_of_ten, using=using)
        assert (one.value, one.action, one.nodes) == (other.value, other.action, other.nodes)
    assert search(sum_of_ten, using="max_n").value == (5.0, 5.0)


def test_csc384_against_a_poor_min_max_does_better_never_worse() -> None:
    """Lines 256-258, and EMI's worst case: whatever MIN replies to MAX's minimax move."""
    for name in ("minimax_strategy", "adversarial", "minimax_2_5", "minimax_3_2_2", "worst_case", "scale"):
        game = figure(name)
        found = search(game, using="minimax")
        after = game.result(game.start(), found.action)
        replies = [game.utility(game.result(after, reply)) for reply in game.actions(after)]
        assert min(replies) == found.value


def test_csc384_minimax_looks_at_everything_in_the_best_and_the_worst_case() -> None:
    """Line 301: O(b^d), however the actions are ordered."""
    for leaves in (range(81), range(81)[::-1]):
        assert search(Tree(uniform(list(leaves), 3)), using="minimax").nodes == 1 + 3 + 9 + 27 + 81


def test_csc384_minimax_needs_a_finite_depth() -> None:
    """Line 299. Pig has none: the search says so, and takes a depth."""
    with pytest.raises(TooDeep):
        search(Pig(), native=False)
    assert search(Pig(), depth=3, native=False).reason == "depth"


def test_csc384_the_first_call_has_an_open_window() -> None:
    """Line 383: AlphaBeta(START, -infinity, +infinity)."""
    assert AlphaBeta().window(figure("scale"), Place(0)) == (-math.inf, math.inf)


def uniform(leaves: list[Any], branching: int) -> Any:
    """Leaves as nested lists, `branching` children a node."""
    while len(leaves) > 1:
        leaves = [leaves[i : i + branching] for i in range(0, len(leaves), branching)]
    return leaves[0]


def best_first(node: Any, best: bool, maximises: bool = True) -> tuple[float, Any]:
    """The value of nested lists, and the same tree with the best (or the worst) action first everywhere."""
    if not isinstance(node, list):
        return node, node
    ranked = sorted((best_first(child, best, not maximises) for child in node), key=lambda pair: pair[0])
    ordered = ranked if maximises != best else ranked[::-1]
    return (ranked[-1] if maximises else ranked[0])[0], [child for _, child in ordered]


@pytest.mark.parametrize("branching, depth", [(3, 4), (2, 6), (2, 5), (4, 3)])
def test_csc384_with_the_best_order_alpha_beta_looks_twice_as_deep(branching: int, depth: int) -> None:
    """Line 412, CE417 slide 39, Amsterdam line 230: b^(d/2). Exactly b^ceil(d/2) + b^floor(d/2) - 1 leaves."""
    shuffled = list(range(branching**depth))
    random.Random(1).shuffle(shuffled)
    tree = uniform(shuffled, branching)
    value, ordered = best_first(tree, best=True)
    watch = Visits()
    assert search(Tree(ordered), using="alpha_beta", watch=watch).value == value
    leaves = sum(Tree(ordered).terminal(Place(node)) for node in watch.entered)
    assert leaves == branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1


def test_csc384_at_max_nodes_the_best_order_has_the_highest_value_first() -> None:
    """Line 404 says "best move for MIN" at MAX nodes; its own bracket, "child yielding highest value", is right."""
    shuffled = list(range(81))
    random.Random(2).shuffle(shuffled)
    tree = uniform(shuffled, 3)
    highest_first = search(Tree(best_first(tree, best=True)[1]), using="alpha_beta").nodes
    as_it_comes = search(Tree(tree), using="alpha_beta").nodes
    lowest_first = search(Tree(best_first(tree, best=False)[1]), using="alpha_beta").nodes
    assert highest_first < as_it_comes < lowest_first


ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
"""CSC384 lines 120-126: rows and columns rock, paper, scissors; what the row player wins."""


def test_csc384_rock_paper_scissors_is_zero_sum_and_worth_nothing_when_mixed_evenly() -> None:
    for row, column in itertools.product(range(3), repeat=2):
        assert ROCK_PAPER_SCISSORS[row][column] == -ROCK_PAPER_SCISSORS[column][row]
    third = Fraction(1, 3)
    assert all(sum(third * payoff for payoff in row) == 0 for row in ROCK_PAPER_SCISSORS)
    assert all(sum(third * payoff for payoff in column) == 0 for column in zip(*ROCK_PAPER_SCISSORS, strict=True))


def test_csc384_simultaneous_moves_break_perfect_information() -> None:
    """Line 82. Taken in turn, rock-paper-scissors is a game of perfect information, and whoever moves second wins."""
    assert search(Tree(ROCK_PAPER_SCISSORS)).value == -1.0
    seen_by_columns = [list(column) for column in zip(*ROCK_PAPER_SCISSORS, strict=True)]
    assert search(Tree({"min": seen_by_columns})).value == 1.0


SENTENCES = {
    ("coop", "coop"): (1, 1),
    ("coop", "def"): (4, 0),
    ("def", "coop"): (0, 4),
    ("def", "def"): (3, 3),
}
PRISONERS = {moves: (4 - years[0], 4 - years[1]) for moves, years in SENTENCES.items()}


def test_csc384_prisoners_dilemma() -> None:
    """Lines 130-145: payoff = 4 - sentence; not zero-sum; defecting is the only equilibrium."""
    assert PRISONERS == {
        ("coop", "coop"): (3, 3),
        ("coop", "def"): (0, 4),
        ("def", "coop"): (4, 0),
        ("def", "def"): (1, 1),
    }
    assert len({sum(payoffs) for payoffs in PRISONERS.values()}) > 1
    stable = [
        (row, column)
        for row, column in PRISONERS
        if PRISONERS[row, column][0] == max(PRISONERS[other, column][0] for other in ("coop", "def"))
        and PRISONERS[row, column][1] == max(PRISONERS[row, other][1] for other in ("coop", "def"))
    ]
    assert stable == [("def", "def")]


def test_csc384_prisoners_dilemma_as_a_tree_of_tuples() -> None:
    """Taken in turn the outcome is the same, and no search for constant sums accepts it."""
    rows = {row: {"children": {col: PRISONERS[row, col] for col in ("coop", "def")}} for row in ("coop", "def")}
    game = Tree({"children": rows})
    found = search(game, using="max_n")
    assert (found.value, found.line_text()) == ((1.0, 1.0), ["def", "def"])
    with pytest.raises(Unsuitable):
        search(game, using="minimax")


def test_csc384_tic_tac_toe_heuristic_counts_open_lines() -> None:
    """Line 438: lines open for A minus lines open for B. A mark in the centre leaves O 4 of 8 lines, one in a corner
    5."""
    game = TicTacToe()
    for text, difference in (
        (".........", 0),
        ("....x....", 8 - 4),
        ("x........", 8 - 5),
        (".x.......", 8 - 6),
        ("x...o....", 4 - 5),
    ):
        s = parse_state(game, text)
        assert game.open_lines(s.o) - game.open_lines(s.x) == difference
        assert game.evaluate(s) * 9 == pytest.approx(difference)


def test_csc384_a_chess_tree_of_depth_ten() -> None:
    """Line 428 prints 2,700,000,000,000,000 nodes for b = 35: 35^10, cut to two figures."""
    assert 35**10 == 2_758_547_353_515_625
    assert 35**10 // 10**14 * 10**14 == 2_700_000_000_000_000


def test_csc384_deep_blues_branching_factor_is_the_square_root() -> None:
    """Line 413: 35 becomes about 6, as b^(d/2) says."""
    assert round(math.sqrt(35)) == 6


# ==================================================================== EMI
def test_emi_a_chess_tree_with_b_36_and_d_40() -> None:
    """Lines 76-80: 36^40 is big."""
    assert f"{36**40:.1e}" == "1.8e+62"


def test_the_decks_disagree_on_chess() -> None:
    """CSC384: 10^40 nodes. EMI: 36^40, or b = 35, m = 100. CE417: b = 35, m > 50. Amsterdam: b = 35, m = 100."""
    sizes = {"CSC384": 10**40, "EMI": 36**40, "EMI and Amsterdam": 35**100, "CE417, at least": 35**50}
    assert {deck: len(str(size)) - 1 for deck, size in sizes.items()} == {
        "CSC384": 40,
        "EMI": 62,
        "EMI and Amsterdam": 154,
        "CE417, at least": 77,
    }


def test_emi_a_win_a_loss_and_a_draw_are_1_minus_1_and_0() -> None:
    """Line 150."""
    game = TicTacToe()
    for text, utility in (("xxxoo....", 1.0), ("ooox.xx..", -1.0), ("xoxxoooxx", 0.0)):
        assert game.utility(parse_state(game, text)) == utility


def test_emi_more_is_pruned_when_good_moves_come_first() -> None:
    """Line 245."""
    assert search(Tree([[8, 2], [5, 6]]), using="alpha_beta").nodes == 7
    assert search(Tree([[5, 6], [2, 8]]), using="alpha_beta").nodes == 6


# ==================================================================== Gummaluru
def test_gummaluru_negmax_is_minmax() -> None:
    """Lines 108-118: seen from the last actor or from player 1, the same game."""
    for name in FIGURES:
        game = figure(name)
        if game.players == 2 and not game.has_chance:
            one, other = search(game, using="minimax"), search(game, using="negamax")
            assert (one.value, one.values, one.line, one.nodes) == (
                other.value,
                other.values,
                other.line,
                other.nodes,
            )


def test_gummaluru_with_an_estimate_of_the_opponent_one_can_do_better() -> None:
    """Lines 224-229: minimax maximises the minimum; expectimax uses what is known of p(.|s)."""
    game = figure("worst_case")
    rational = search(game, using="expectimax", policy=lambda s, a: 1.0 if a == 0 else 0.0)
    careless = search(game, using="expectimax", policy=lambda s, a: 0.5)
    assert (rational.value, rational.action) == (10.0, 0) == (search(game, using="minimax").value, 0)
    assert (careless.value, careless.action) == (54.5, 1)


def test_gummaluru_the_policy_is_asked_where_the_action_is_taken() -> None:
    """Line 94 writes p(a'|s); an opponent acts in s' = S(s, a), and that is where its policy is asked."""
    asked = []

    def probability(s: Place, action: int) -> float:
        asked.append((s.node, action))
        return 0.5

    game = figure("worst_case")
    search(game, using="expectimax", policy=FunctionPolicy(probability), native=False)
    assert asked == [(1, 0), (1, 1), (2, 0), (2, 1)]
    assert {game.player(Place(node)) for node, _ in asked} == {MIN}


def gummaluru_alpha_beta(node: Any, player: int, alpha: float, beta: float, corrected: bool) -> float:
    """The deck's procedure, lines 194-221, as printed or with line 214 corrected."""
    if not isinstance(node, list):
        return node
    for child in node:
        value = gummaluru_alpha_beta(child, 1 - player, alpha, beta, corrected)
        if player == MAX:
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        else:
            beta = min(beta if corrected else alpha, value)
            if alpha > beta:
                break
    return alpha if player == MAX else beta


@pytest.mark.parametrize("name", ["minimax_2_5", "minimax_3_2_2", "worst_case", "depth_limit", "scale", "alpha_beta"])
def test_gummaluru_beta_is_the_least_of_beta_and_not_of_alpha(name: str) -> None:
    """Line 214 prints beta <- min{alpha, ...}: MAX then believes that it gets nothing at all."""
    tree = FIGURES[name].tree
    assert gummaluru_alpha_beta(tree, MAX, -math.inf, math.inf, corrected=False) == -math.inf
    right = gummaluru_alpha_beta(tree, MAX, -math.inf, math.inf, corrected=True)
    assert right == search(figure(name), using="alpha_beta").value == search(figure(name), using="minimax").value


def test_a_tie_with_the_bound_is_enough_to_cut() -> None:
    """Gummaluru line 217 and Amsterdam line 250 cut on > only, line 205 of the former on >=. Equal is enough."""
    tree = [[3, 5], [3, 9]]
    watch = Visits()
    assert search(Tree(tree), using="alpha_beta", watch=watch).value == 3.0
    assert watch.cuts == [(3.0, 3.0, math.inf)]
    assert watch.entered == [0, 1, 3, 4, 2, 5]  # the 9 is not looked at


# ==================================================================== CE417
def test_ce417_single_agent_tree() -> None:
    """Slides 9-10: the value of a state is the best that can be reached."""
    game = figure("single_agent")
    assert game.players == 1
    assert search(game).value == 8.0
    assert values(search(game, using="minimax")) == [8.0, 2.0, 6.0, 6.0]


def test_ce417_adversarial_tree() -> None:
    """Slides 12-13: -8 and -10 below the root, -8 at it."""
    found = search(figure("adversarial"), using="minimax")
    assert (found.value, values(found)) == (-8.0, [-8.0, -10.0])
    shown = {-20, -8, -18, -5, -10, 4, 8}
    assert {leaf for pair in FIGURES["adversarial"].tree for leaf in pair} < shown


@pytest.mark.parametrize(
    "name, below, value",
    [
        ("minimax_2_5", [2.0, 5.0], 5.0),
        ("minimax_3_2_2", [3.0, 2.0, 2.0], 3.0),
        ("worst_case", [10.0, 9.0], 10.0),
        ("depth_limit", [-2.0, 4.0], 4.0),
    ],
)
def test_ce417_minimax_values(name: str, below: list[float], value: float) -> None:
    """Slides 17, 18, 20 and 42."""
    for using in ("minimax", "negamax"):
        found = search(figure(name), using=using)
        assert (values(found), found.value) == (below, value)
    assert search(figure(name), using="alpha_beta").value == value


def test_ce417_depth_limit_backs_up_estimates_like_utilities() -> None:
    """Slide 42: where the search stops, an evaluation replaces the utility."""
    unknown = [-1000, 1000]
    deeper = Tree([[[-1, -1], [-2, -2]], [[4, 4], [9, 9]]])
    hidden = Tree([[unknown, unknown], [unknown, unknown]])
    estimates = {3: -1.0, 4: -2.0, 5: 4.0, 6: 9.0}
    found = search(hidden, using="minimax", depth=2, evaluate=lambda s: estimates[s.node], native=False)
    assert (found.value, values(found), found.reason) == (4.0, [-2.0, 4.0], "depth")
    assert search(deeper, using="minimax").value == 4.0


def test_ce417_alpha_beta_cuts() -> None:
    """Slide 34: 3 is at hand; a MAX node worth at least 5 and a MIN node worth at most 2 are not looked at further."""
    watch = Visits()
    found = search(figure("alpha_beta"), using="alpha_beta", watch=watch)
    assert found.value == 3.0
    assert watch.cuts == [(5.0, -math.inf, 3.0), (2.0, 3.0, math.inf)]
    looked_at = [
        figure("alpha_beta").describe(node) for node in watch.entered if figure("alpha_beta").counts[node] == 0
    ]
    assert looked_at == ["1", "3", "5", "2"]


@pytest.mark.parametrize("first, second", [(-100, 100), (100, -100), (5, 2)])
def test_ce417_what_alpha_beta_cuts_can_be_anything(first: int, second: int) -> None:
    tree = [[[1, 3], [5, first]], [2, second]]
    for using in ("minimax", "alpha_beta"):
        assert search(Tree(tree), using=using).value == 3.0


def test_ce417_time_limit() -> None:
    """Slide 40: 100 s at 10^4 nodes/s are 10^6 nodes; 35^m = 10^6 gives m = 4; alpha-beta reaches about 8."""
    nodes = 100 * 10**4
    assert nodes == 10**6
    assert round(math.log(nodes, 35)) == 4
    assert round(2 * math.log(nodes, 35)) == 8


def test_ce417_worst_case_and_average_case() -> None:
    """Slides 20, 54 and 55: 10 on the left for minimax; on average 10 against 54.5, so right."""
    worst = search(figure("worst_case"), using="minimax")
    average = search(figure("average_case"))
    assert (worst.value, worst.action) == (10.0, 0)
    assert (average.value, average.action, values(average)) == (54.5, 1, [10.0, 54.5])
    assert search(figure("worst_case"), using="expectimax").value == 54.5


def test_ce417_expectimax_for_one_player() -> None:
    """Slide 55: 10 4 | 5 7 gives 7 and 6."""
    found = search(figure("expectimax_uniform"))
    assert (found.value, values(found)) == (7.0, [7.0, 6.0])


def test_ce417_probabilities_are_positive_and_sum_to_one() -> None:
    """Slide 57."""
    game = figure("airport")
    weights = dict(game.chance(game.start()))
    assert list(weights.values()) == [0.25, 0.5, 0.25]
    assert sum(weights.values()) == 1.0
    assert format_action(game, game.start(), 2) == "heavy"


@pytest.mark.parametrize("light", [0.1, 0.2, 0.3])
def test_ce417_evidence_changes_probabilities(light: float) -> None:
    """Slide 57: at 8 am P(heavy) = 0.60. However the other 0.40 is split, the way takes at least 44 minutes."""
    at_8_am = Tree({"chance": [20, 30, 60], "weights": [0.4 - light, light, 0.6]})
    assert search(at_8_am).value > 0.4 * 20 + 0.6 * 60 > search(figure("airport")).value


def test_ce417_the_way_to_the_airport_takes_35_minutes() -> None:
    """Slide 58."""
    found = search(figure("airport"), using="expectimax")
    assert (found.value, found.action) == (35.0, None)  # nobody chooses


def test_ce417_one_chance_node() -> None:
    """Slide 62: (1/2) 8 + (1/3) 24 + (1/6) (-12) = 10."""
    assert search(figure("expected_value")).value == pytest.approx(10.0, abs=1e-12)
    assert Fraction(8, 2) + Fraction(24, 3) + Fraction(-12, 6) == 10


def test_ce417_expectimax_example() -> None:
    """Slide 63, with the leaf that CS188's original has: 8, 4 and 7, so 8."""
    found = search(figure("expectimax"))
    assert values(found) == pytest.approx([8.0, 4.0, 7.0])
    assert found.value == pytest.approx(8.0)
    printed = [12, 9, 6, 3, 2, 15, 4, 6]
    leaves = [leaf for node in FIGURES["expectimax"].tree["max"] for leaf in node["chance"]]
    assert sorted(leaves) == sorted([*printed, 0])


def test_ce417_expectimax_can_not_be_pruned_without_bounds() -> None:
    """Slide 64 asks: after 3, 12, 9 (so 8) and a first 2, may the rest be cut? What follows still decides."""
    for rest, action in (((2, 2), 0), ((15, 15), 1)):
        game = Tree({"max": [{"chance": [3, 12, 9]}, {"chance": [2, *rest]}]})
        found = search(game)
        assert (found.action, found.nodes) == (action, 9)
    with pytest.raises(Unsuitable, match="chance"):
        search(game, using="alpha_beta")


def test_ce417_depth_limited_expectimax() -> None:
    """Slide 65: estimates 400 and 300 for 492 and 362; the order is right, so is the choice."""
    game = figure("depth_limited_expectimax")
    shallow, full = search(game, depth=1), search(game)
    assert (values(shallow), values(full)) == ([400.0, 300.0], [492.0, 362.0])
    assert shallow.action == full.action == 0


def test_ce417_chance_nodes_average_by_probability() -> None:
    """Slide 71: 2.1 and 1.3."""
    found = search(figure("stochastic"))
    assert values(found) == pytest.approx([2.1, 1.3])
    assert found.action == 0


def test_ce417_minimax_is_insensitive_to_monotonic_transformations_and_expectimax_is_not() -> None:
    """Slide 73: squared, minimax stays right; the averages 20 < 25 become 800 > 650."""
    plain, squared = figure("scale"), figure("scale_squared")
    assert [[leaf**2 for leaf in pair] for pair in FIGURES["scale"].tree] == FIGURES["scale_squared"].tree
    assert search(plain, using="minimax").action == search(squared, using="minimax").action == 1
    before, after = search(plain, using="expectimax"), search(squared, using="expectimax")
    assert (values(before), before.action) == ([20.0, 25.0], 1)
    assert (values(after), after.action) == ([800.0, 650.0], 0)


def test_ce417_positive_linear_transformations_change_nothing() -> None:
    """Slide 74: that is why an evaluation must be one of the expected utility."""
    tree = FIGURES["scale"].tree
    for factor, shift in ((2, 0), (0.5, -7), (10, 100)):
        scaled = Tree([[factor * leaf + shift for leaf in pair] for pair in tree])
        assert search(scaled, using="expectimax").action == search(Tree(tree), using="expectimax").action


def test_ce417_multi_agent_utilities() -> None:
    """Slide 78: players 1, 2, 3 from the top end at (5, 2, 5)."""
    found = search(figure("three_players"), using="max_n")
    assert found.value == (5.0, 2.0, 5.0)
    assert values(found) == [(1.0, 6.0, 6.0), (5.0, 2.0, 5.0)]


def test_ce417_backgammon_arithmetic() -> None:
    """Slides 75-76: 21 rolls, about 20 moves; three plies about 10^8; "1.2 x 10^9" is 1.48 x 10^9."""
    rolls = {tuple(sorted(roll)) for roll in itertools.product(range(1, 7), repeat=2)}
    assert len(rolls) == 21
    assert (len(rolls) * 20) ** 3 == 420**3 == 74_088_000
    assert round(math.log10(420**3)) == 8
    exact = 20 * (21 * 20) ** 3
    assert exact == 1_481_760_000
    assert f"{exact:.2e}" == "1.48e+09" != "1.20e+09"


def test_ce417_formulas_are_printed_one_letter_too_far() -> None:
    """Slides 18, 23 and 37: NJOJNBY is MINIMAX; the outline's beta-gamma pruning is alpha-beta."""
    assert "".join(chr(ord(letter) - 1) for letter in "NJOJNBY") == "MINIMAX"
    assert "".join(chr(ord(letter) - 1) for letter in "\N{GREEK SMALL LETTER BETA}\N{GREEK SMALL LETTER GAMMA}") == (
        "\N{GREEK SMALL LETTER ALPHA}\N{GREEK SMALL LETTER BETA}"
    )


# ==================================================================== Amsterdam, and the programs in the decks
def df_minimax(game: Tree, s: Place, as_printed: bool) -> tuple[Any, Any]:
    """CSC384 lines 280-294. As printed, it returns (move, value) and unpacks (value, move)."""
    best_move = None
    if game.terminal(s):
        return best_move, game.utility(s)
    value = -math.inf if game.player(s) == MAX else math.inf
    for move in game.actions(s):
        returned = df_minimax(game, game.result(s, move), as_printed)
        next_value = returned[0] if as_printed else returned[1]
        if game.player(s) == MAX and value < next_value:
            value, best_move = next_value, move
        if game.player(s) == MIN and value > next_value:
            value, best_move = next_value, move
    return best_move, value


@pytest.mark.parametrize("name", ["minimax_strategy", "minimax_2_5", "minimax_3_2_2", "depth_limit"])
def test_csc384_the_program_unpacks_what_it_returns_in_the_wrong_order(name: str) -> None:
    """The same in lines 359-377 and 490-505. We name the two: `found.action`, `found.value`."""
    game = figure(name)
    with pytest.raises(TypeError, match="NoneType"):
        df_minimax(game, game.start(), as_printed=True)
    found = search(game, using="minimax")
    assert (found.action, found.value) == df_minimax(game, game.start(), as_printed=False)


def test_csc384_whose_turn_it_is_is_asked_of_the_position() -> None:
    """CSC384 lines 490-505 compare `player == MAX`; the function itself is never MAX, so nobody would choose."""
    game = figure("expectimax")
    assert game.player != MAX
    assert game.player(game.start()) == MAX
    assert game.player(Place(1)) == CHANCE
    assert search(Tree({"min": [5, 2, 8]})).value == 2.0


def test_amsterdam_alpha_is_3_after_the_first_move() -> None:
    """Line 198: MAX is sure of 3, so a MIN node that comes to 2 is cut."""
    watch = Visits()
    found = search(figure("minimax_3_2_2"), using="alpha_beta", watch=watch)
    assert found.value == 3.0
    assert watch.cuts[0] == (2.0, 3.0, math.inf)


def restarting_alpha_beta(game: Tree) -> tuple[float, int]:
    """Amsterdam lines 293-297: every root move is searched with (-inf, inf). Its value and its nodes."""
    below = [search(game, game.result(game.start(), action), "alpha_beta") for action in game.actions(game.start())]
    return max(found.value for found in below), 1 + sum(found.nodes for found in below)


@pytest.mark.parametrize("name", ["minimax_3_2_2", "worst_case", "alpha_beta", "adversarial"])
def test_amsterdam_the_root_prunes_too(name: str) -> None:
    """Line 295 restarts at every root move and forgets what the others were worth. We carry alpha along."""
    game = figure(name)
    value, nodes = restarting_alpha_beta(game)
    found = search(game, using="alpha_beta")
    assert found.value == value
    assert found.nodes < nodes


def test_amsterdam_a_lambda_no_longer_unpacks_its_argument() -> None:
    """Lines 133 and 295 are Python 2."""
    with pytest.raises(SyntaxError):
        compile("lambda ((a, s)): min_value(s)", "deck", "eval")


def test_amsterdam_alpha_beta_takes_a_maximal_depth() -> None:
    """Lines 308-317: the assignment adds MaxDepth, and a routine that compares the two searches."""
    tree = uniform(list(range(64)), 2)
    counted = {
        (using, depth): search(Tree(tree), using=using, depth=depth).nodes
        for using in ("minimax", "alpha_beta")
        for depth in (2, 4, 6)
    }
    assert [counted["minimax", depth] for depth in (2, 4, 6)] == [7, 31, 127]
    assert all(counted["alpha_beta", depth] < counted["minimax", depth] for depth in (2, 4, 6))


# ==================================================================== the page for learners
def test_the_page_about_the_lectures_names_tests_and_figures_that_exist() -> None:
    page = (DOCS / "lectures.md").read_text(encoding="utf-8")
    mentioned = set(re.findall(r"`(test_\w+)`", page))
    files = paths.TESTS.rglob("test_*.py")
    there = {
        name
        for file in files
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert mentioned
    assert mentioned <= there, mentioned - there
    missing = [name for name in FIGURES if f"`{name}`" not in page]
    assert not missing
    named = set(re.findall(r"`((?:src|docs)/[\w./]+)`", page))
    assert named
    assert all((DOCS.parent / path).exists() for path in named), [p for p in named if not (DOCS.parent / p).exists()]
