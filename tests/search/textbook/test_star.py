"""Star1 and Star2 are expectiminimax with less work: the same values to the last bit, actions, lines and ties; and
why less than that is wrong."""

from __future__ import annotations

import math
import os
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from patience import PATIENCE
from plyforge.contract import CHANCE, MAX, MIN, Game, Heuristics
from plyforge.evaluate import OwnEvaluation, as_evaluation
from plyforge.games.trees.random_tree import RandomTree, RandomTree3
from plyforge.games.trees.tree import Tree
from plyforge.games.two_players.pig import Pig
from plyforge.kernel import Silent, new_memory
from plyforge.search import Expectiminimax, Limits
from plyforge.search.textbook.expectiminimax import expectiminimax
from plyforge.search.textbook.star1 import Star1, star1
from plyforge.search.textbook.star2 import Star2, star2
from plyforge.search.trace.recorder import record

STARS = [Star1, Star2]
KERNELS = [(star1, Star1()), (star2, Star2())]
FIELDS = ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "player", "using")
OPEN = (-math.inf, math.inf)
SEEDS = 1000 if os.environ.get("PLYFORGE_TEST_FULL") == "1" else 150

TREES = [
    RandomTree(depth=5, branching=3, dice=True, doubles=True),
    RandomTree(depth=4, branching=5, dice=True, doubles=True, largest=1),
    RandomTree(depth=6, branching=3, dice=True, largest=9),
    RandomTree(depth=3, branching=7, dice=True, largest=100),
]

PITFALL = {"max": {"stay": 3, "roll": {"chance": [{"min": [2, -10]}, {"min": [10, 12]}]}}}
"""Naive pruning rolls here: it never sees the -10."""


def naive(game: Game, state: Any, alpha: float, beta: float) -> float:
    """What looks right and is not: alpha-beta whose window passes through chance nodes as it is."""
    if game.terminal(state):
        return float(game.utility(state))
    if game.player(state) == CHANCE:
        return sum(p * naive(game, game.result(state, o), alpha, beta) for o, p in game.chance(state))
    value = -math.inf if game.player(state) == MAX else math.inf
    for action in game.actions(state):
        child = naive(game, game.result(state, action), alpha, beta)
        if game.player(state) == MAX:
            value = max(value, child)
            alpha = max(alpha, value)
        else:
            value = min(value, child)
            beta = min(beta, value)
        if alpha >= beta:
            break
    return value


def plain_value(game: Game, state: Any, depth: int, watch: Any = None) -> tuple[float, int]:
    """Expectiminimax's value, and its nodes."""
    memory = new_memory(depth, None, False)
    return expectiminimax(game, OwnEvaluation(), watch or Silent(), memory, state, depth), memory.nodes


def star_value(kernel: Any, search: Star1, game: Game, state: Any, depth: int, window=OPEN, watch: Any = None):
    """What a star kernel returns for a window, and its nodes."""
    memory = new_memory(depth, None, False)
    rest = search.window(game, state)[2:]
    value = kernel(game, OwnEvaluation(), watch or Silent(), memory, state, depth, *window, *rest)
    return value, memory.nodes


class Visits(Silent):
    """Counts how often each state is entered."""

    def __init__(self) -> None:
        self.states: Counter[Any] = Counter()

    def enter(self, memory, state, depth, alpha, beta) -> None:
        self.states[state] += 1


# ------------------------------------------------------------ why not simply alpha-beta
def test_passing_the_window_through_chance_nodes_gives_a_wrong_value_and_a_wrong_action():
    game = Tree.of(PITFALL)
    assert naive(game, game.start(), *OPEN) == 6.0  # (2 + 10) / 2: the first 2 is only a bound
    truth = pf.search(game, using="expectiminimax")
    assert (truth.value, truth.values, truth.text(truth.action)) == (3.0, {0: 3.0, 1: 0.0}, "stay")
    for search in STARS:
        found = search().search(game)
        assert (found.value, found.text(found.action)) == (3.0, "stay")


def test_naive_pruning_is_wrong_on_many_random_trees_too():
    game, wrong = TREES[2], 0
    for seed in range(100):
        value, _ = plain_value(game, game.root(seed), game.depth)
        wrong += abs(naive(game, game.root(seed), *OPEN) - value) > 1e-6
    assert wrong > 5


def test_star1_leaves_out_the_second_outcome_where_the_first_is_bad_enough():
    """12 at best for the other outcome makes (-10 + 12) / 2 = 1 at most, and MAX has 3."""
    recorded = record(Tree.of(PITFALL), using=Star1())
    roll = recorded.root.children[1]
    assert recorded.result.nodes == 6 and plain_value(Tree.of(PITFALL), Tree.of(PITFALL).start(), 9)[1] == 9
    assert roll.bound == "upper" and roll.value == pytest.approx(1.0, abs=1e-4)
    assert roll.cut is not None and [child.visited for child in roll.children] == [True, False]
    # (alpha - value - rest * highest) / p = (3 - 0 - 0.5 * 12) / 0.5
    assert roll.children[0].windows[0] == pytest.approx((-6.0, math.inf), abs=1e-4)


def test_star2_leaves_out_what_a_look_at_one_reply_each_makes_superfluous():
    """MIN can have 2 after one outcome and 3 after the other: no more than 2.5, and MAX has 3."""
    game = Tree.of({"max": {"stay": 3, "roll": {"chance": [{"min": [2, 9, 9, 9]}, {"min": [3, 12, 12, 12]}]}}})
    nodes = [search().search(game).nodes for search in (Expectiminimax, Star1, Star2)]
    assert nodes == [13, 10, 7]


# ------------------------------------------------------------ the same answer
@pytest.mark.parametrize("game", TREES, ids=str)
def test_on_trees_with_dice_the_value_is_the_same_to_the_last_bit(game):
    total = [0, 0, 0]
    for seed in range(SEEDS):
        state = game.root(seed)
        for depth in (game.depth, 3) if seed % 3 == 0 else (game.depth,):
            value, nodes = plain_value(game, state, depth)
            total[0] += nodes
            for place, (kernel, search) in enumerate(KERNELS, 1):
                found, visited = star_value(kernel, search, game, state, depth)
                assert found.hex() == value.hex(), (search.name, seed, depth)
                total[place] += visited
                assert visited <= nodes or search.name == "star2"
    assert total[1] < 0.85 * total[0] and total[2] < 0.85 * total[0], total


@pytest.mark.parametrize("game", TREES[:3], ids=str)
def test_with_any_window_a_value_is_exact_inside_and_a_true_bound_outside(game):
    """The windows touch the value, by one bit too: there is no room for a rounding."""
    cuts = 0
    for seed in range(SEEDS // 3):
        state = game.root(seed)
        value, nodes = plain_value(game, state, game.depth)
        down, up = math.nextafter(value, -math.inf), math.nextafter(value, math.inf)
        for alpha, beta in [
            (down, value),
            (value, up),
            (down, up),
            (value - 1.0, value - 0.4),
            (value + 0.3, value + 0.5),
            (value - 0.25, math.inf),
            (-math.inf, value + 0.25),
        ]:
            for kernel, search in KERNELS:
                found, visited = star_value(kernel, search, game, state, game.depth, (alpha, beta))
                if alpha < found < beta:
                    assert found == value
                elif found <= alpha:
                    assert value <= found
                else:
                    assert found >= beta and value >= found
                cuts += visited < nodes
    assert cuts > 3 * (SEEDS // 3)


def test_star1_visits_a_part_of_what_expectiminimax_visits_and_nothing_twice():
    for game in TREES[:3]:
        for seed in range(30):
            plain, star, probing = Visits(), Visits(), Visits()
            state = game.root(seed)
            plain_value(game, state, game.depth, plain)
            star_value(star1, Star1(), game, state, game.depth, watch=star)
            star_value(star2, Star2(), game, state, game.depth, watch=probing)
            assert set(plain.states.values()) == {1}
            assert star.states <= plain.states
            assert probing.states.keys() <= plain.states.keys()
            assert max(probing.states.values()) <= 2, "once for a probe, once for its own sake"


@pytest.mark.parametrize("search", STARS)
def test_actions_lines_values_and_ties_are_expectiminimaxs(search):
    ties = 0
    for game in TREES[:2]:
        for seed in range(60):
            state, depth = game.root(seed), None if seed % 2 else 3
            plain = Expectiminimax().search(game, state, Limits(depth=depth), native=False)
            first = search().search(game, state, Limits(depth=depth), native=False)
            every = search(all_best=True).search(game, state, Limits(depth=depth), native=False)
            for found in (first, every):
                assert (found.value, found.action, found.line) == (plain.value, plain.action, plain.line)
                assert all(plain.values[action] == value for action, value in found.values.items())
            assert every.best == plain.best and first.best == plain.best[:1]
            ties += len(plain.best) > 1
    assert ties > 10


def unruly_tree(chances: random.Random, depth: int) -> Any:
    """Uneven probabilities, leaves that no binary fraction hits, the same player twice, dice after dice."""
    if depth == 0 or chances.random() < 0.1:
        return chances.randint(-30, 30) / 10
    children = [unruly_tree(chances, depth - 1) for _ in range(chances.randint(1, 4))]
    kind = chances.choice(["max", "min", "chance"])
    if kind != "chance":
        return {kind: children}
    weights = [chances.choice([1.0, 7.0, 1e-6, chances.random() + 1e-3]) for _ in children]
    return {"chance": children, "weights": [weight / sum(weights) for weight in weights]}


def test_uneven_probabilities_and_dice_after_dice_change_nothing():
    chances = random.Random(1983)
    seen = Counter()
    for _ in range(SEEDS):
        game = Tree.of({"max": [unruly_tree(chances, 5), unruly_tree(chances, 4), unruly_tree(chances, 5)]})
        value, nodes = plain_value(game, game.start(), 9)
        for kernel, search in KERNELS:
            found, visited = star_value(kernel, search, game, game.start(), 9)
            assert found.hex() == value.hex(), game
            seen[search.name] += visited
        seen["plain"] += nodes
    assert seen["star1"] < 0.8 * seen["plain"] and seen["star2"] < 0.8 * seen["plain"], seen


def test_ties_between_averages_that_round_differently_are_those_of_expectiminimax():
    """A tenth thrice, and three tenths at once: equal on paper, not in binary. Whatever expectiminimax says holds."""
    thirds = {"chance": [0.1, 0.2, 0.3], "weights": [0.2, 0.3, 0.5]}
    turned = {"chance": [0.3, 0.2, 0.1], "weights": [0.5, 0.3, 0.2]}
    game = Tree.of({"max": [thirds, turned, 0.23, thirds, {"min": [turned, 1.0]}]})
    plain = pf.search(game, using="expectiminimax")
    for search in STARS:
        found = search(all_best=True).search(game)
        assert (found.value, found.best) == (plain.value, plain.best)


def test_a_chance_node_at_the_root_is_averaged_and_nothing_is_chosen():
    game = Tree.of({"chance": [{"max": [1, 2]}, {"min": [3, -1]}], "weights": [0.25, 0.75]})
    for search in STARS:
        found = search(all_best=True).search(game)
        assert (found.value, found.action, found.best, found.nodes) == (-0.25, None, (), 7)


def test_without_dice_both_are_alpha_beta_node_for_node():
    game = pf.load("tic_tac_toe")
    wanted = pf.search(game, "x...o....", using="alpha_beta", native=False, all_best=True)
    for search in STARS:
        found = search(all_best=True).search(game, pf.parse_state(game, "x...o...."), native=False)
        assert (found.value, found.best, found.nodes) == (wanted.value, wanted.best, wanted.nodes)


class HoldFirstHeuristics(Heuristics):
    def ordering(self, game, s, action):
        return 2.0 if action == 1 else 1.0


@dataclass(frozen=True)
class HoldFirst(Pig):
    """Pig whose rules recommend to hold."""

    heuristics = HoldFirstHeuristics()


def test_a_probe_takes_the_most_promising_action():
    game = HoldFirst(goal=30)
    state = pf.parse_state(game, "12 15 6 max")
    probed = Visits()
    value, _ = star_value(star2, Star2(), game, state, 5, watch=probed)
    assert value == plain_value(Pig(goal=30), state, 5)[0]
    assert probed.states != star2_visits(Pig(goal=30), state)


def star2_visits(game: Game, state: Any) -> Counter[Any]:
    visits = Visits()
    star_value(star2, Star2(), game, state, 5, watch=visits)
    return visits.states


# ------------------------------------------------------------ pig, at both speeds
POSITIONS = ["0 0 0 max", "9 12 4 max", "14 3 5 min", "17 16 0 max rolling", "15 18 3 max", "18 18 2 min"]


@pytest.mark.parametrize("search", STARS)
def test_pig_at_both_speeds_is_expectiminimax_node_for_node_alike(search):
    game = pf.load("pig(goal=20)")
    plain_nodes = star_nodes = 0
    for text in POSITIONS:
        state = pf.parse_state(game, text)
        for depth in (4, 5, 6, 8) if text == POSITIONS[1] else (4, 6):
            plain = Expectiminimax().search(game, state, Limits(depth=depth), native=False)
            slow = search(all_best=True).search(game, state, Limits(depth=depth), native=False)
            fast = search(all_best=True).search(game, state, Limits(depth=depth), native=True)
            assert [getattr(slow, f) for f in FIELDS] == [getattr(fast, f) for f in FIELDS]
            assert (fast.value, fast.action, fast.best, fast.line) == (
                plain.value,
                plain.action,
                plain.best,
                plain.line,
            )
            once = search().search(game, state, Limits(depth=depth), native=True)
            assert once.nodes <= plain.nodes
            plain_nodes, star_nodes = plain_nodes + plain.nodes, star_nodes + once.nodes
    assert star_nodes < 0.8 * plain_nodes


@pytest.mark.full
@compiles
@pytest.mark.parametrize("search", STARS)
def test_random_trees_at_both_speeds_agree_to_the_node_and_thousands_with_expectiminimax(search):
    game = TREES[0]
    for seed in range(3000):
        state = game.root(seed)
        fast = search(all_best=True).search(game, state, native=True)
        plain = Expectiminimax().search(game, state, native=True)
        assert (fast.value, fast.best, fast.line) == (plain.value, plain.best, plain.line)
        if seed % 50 == 0:
            slow = search(all_best=True).search(game, state, native=False)
            assert fast.native and not slow.native
            assert [getattr(slow, f) for f in FIELDS] == [getattr(fast, f) for f in FIELDS]


def many_outcomes() -> list[Tree]:
    """More outcomes than a buffer holds, with a sure thing in between, and before, and after."""
    outcomes = [{"min": [i % 7, (i * i) % 11, 3]} for i in range(600)]
    one, other = {"chance": outcomes}, {"chance": outcomes[::-1]}
    return [Tree.of({"max": order}) for order in ([one, 1.4, other], [1.4, one, other], [3.5, one, other])]


def test_more_outcomes_than_can_be_probed_are_no_trouble():
    """Probes are kept in a buffer of 512; the rest of the outcomes is Star1's."""
    for game in many_outcomes():
        value, nodes = plain_value(game, game.start(), 9)
        found, visited = star_value(star2, Star2(), game, game.start(), 9)
        assert found == value and visited <= nodes + 2 * 512


@pytest.mark.full
@compiles
def test_more_outcomes_than_can_be_probed_are_no_trouble_compiled():
    for game in many_outcomes():
        slow, fast = (Star2(all_best=True).search(game, native=native) for native in (False, True))
        assert [getattr(slow, f) for f in FIELDS] == [getattr(fast, f) for f in FIELDS]


# ------------------------------------------------------------ limits and refusals
@pytest.mark.parametrize("search", STARS)
def test_deepening_stops_at_the_node_limit_with_the_answer_of_a_finished_depth(search):
    game = pf.load("pig(goal=20)")
    state = pf.parse_state(game, "9 12 4 max")
    for nodes in (1, 40, 2500):
        found = search().search(game, state, Limits(nodes=nodes), native=False)
        assert (found.nodes, found.reason) == (nodes, "nodes")
        if found.depth:
            plain = Expectiminimax().search(game, state, Limits(depth=found.depth), native=False)
            assert (found.value, found.action) == (plain.value, plain.action)
    assert found.depth >= 5


@pytest.mark.parametrize("search", STARS)
def test_the_clock_ends_a_search(search):
    found = search().search(pf.load("pig(goal=20)"), None, Limits(seconds=0.2), native=False)
    assert found.reason == "seconds" and found.seconds < PATIENCE and found.depth >= 1


def outside(s: Any) -> float:
    return 1.5 if s.collected > 5 else 0.0


@pytest.mark.parametrize("search", STARS)
def test_an_estimate_outside_the_bounds_is_refused_not_believed(search):
    game = pf.load("pig(goal=20)")
    refused = search(evaluation=as_evaluation(outside))
    with pytest.raises(pf.BadRules, match=r"outside the game's bounds.*expectiminimax"):
        refused.search(game, None, Limits(depth=6), native=False)
    if search is Star1:
        with pytest.raises(pf.BadRules, match=r"outside the game's bounds.*expectiminimax"):
            refused.search(game, None, Limits(depth=6), native=True)


@dataclass(frozen=True)
class Flawed(Pig):
    """Pig with a defect."""

    face: float = 1 / 6
    best: float = 1.0

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        return self.best

    def chance(self, s):
        yield 1, self.face
        yield 2, 1.0 - self.face


@pytest.mark.parametrize("search", STARS)
def test_bounds_and_probabilities_that_mean_nothing_are_refused(search):
    with pytest.raises(pf.Unsuitable, match=r"inf.*expectiminimax"):
        search().search(Flawed(best=math.inf), None, Limits(depth=4), native=False)
    with pytest.raises(pf.BadRules, match="not above 0"):
        search().search(Flawed(face=0.0), None, Limits(depth=4), native=False)
    with pytest.raises(pf.Unsuitable, match="3 players"):
        search().search(RandomTree3(dice=True))


def test_a_value_at_the_bound_but_for_a_rounding_is_no_offence():
    """Tenths sum to 0.9999999999999999, sevenths of 3 to more than 3; the bounds are the leaves."""
    for n, leaf in ((10, 1.0), (7, 3.0), (49, 3.0), (6, -1.0)):
        node: Any = leaf
        for _ in range(2):
            node = {"chance": [node] * n}
        game = Tree.of({"max": [{"min": [node, leaf]}, node, {"min": [leaf, node]}]})
        plain = pf.search(game, using="expectiminimax")
        for search in STARS:
            found = search(all_best=True).search(game)
            assert (found.value.hex(), found.best) == (plain.value.hex(), plain.best)


def test_max_and_min_are_the_movers_that_probes_speak_of():
    """A roll after which MAX moves once and MIN once: one probe bounds from below, the other from above."""
    for sure in (-3, -1, 0, 1, 2, 3, 5):
        mixed = {"chance": [{"max": [4, 6]}, {"min": [-2, -6]}, {"max": [{"max": [1, 0]}, -4]}, 2]}
        for top in ("max", "min"):
            game = Tree.of({top: [sure, mixed]})
            assert game.player(game.start()) == (MAX if top == "max" else MIN)
            value, _ = plain_value(game, game.start(), 9)
            for kernel, search in KERNELS:
                assert star_value(kernel, search, game, game.start(), 9)[0] == value
