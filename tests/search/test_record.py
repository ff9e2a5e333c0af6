"""A recorded search is the search: same answer, and every number, bound, cut and reason in the tree is true."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge as pf
from plyforge.contract import CHANCE, MAX, MIN, Game, Notation
from plyforge.search.trace.recorder import Recorder, record
from plyforge.search.trace.solution_tree import solution_tree
from plyforge.search.trace.tree import EXACT, LOWER, UPPER, count_nodes


class Choice(NamedTuple):
    """A node of an explicit tree; a leaf is whatever is not a Choice."""

    player: int
    children: tuple
    weights: tuple = ()


class ExplicitNotation(Notation):
    def format_action(self, game, s, action):
        return "abcdefgh"[len(s)] + str(action + 1)


@dataclass(frozen=True)
class Explicit(Game):
    """A tree written down; a state is the path that leads to it."""

    notation = ExplicitNotation()

    tree: Any = 0.0
    players: int = 2
    utility_sum: float | None = 0.0
    min_utility: float = -1000.0
    max_utility: float = 1000.0
    worth_compiling: bool = False

    @property
    def has_chance(self) -> bool:
        return any(isinstance(node, Choice) and node.player == CHANCE for node in everything(self.tree))

    def at(self, s):
        node = self.tree
        for index in s:
            node = node.children[index]
        return node

    def start(self):
        return ()

    def player(self, s):
        return self.at(s).player

    def actions(self, s):
        yield from range(len(self.at(s).children))

    def chance(self, s) -> Iterator[tuple[int, float]]:
        yield from enumerate(self.at(s).weights)

    def result(self, s, action):
        return (*s, action)

    def terminal(self, s):
        return not isinstance(self.at(s), Choice)

    def utility(self, s):
        return self.at(s)

    def evaluate(self, s):
        return float(sum(s) - 2)


def everything(tree: Any) -> Iterator[Any]:
    yield tree
    if isinstance(tree, Choice):
        for child in tree.children:
            yield from everything(child)


def alternating(tree: Any, *turns: int) -> Any:
    """Nested lists as an explicit tree in which the players take these turns."""
    turns = turns or (MAX, MIN)
    if not isinstance(tree, list):
        return tree
    return Choice(turns[0], tuple(alternating(child, *turns[1:], turns[0]) for child in tree))


def true_value(game: Explicit, s: Any, hero: int = MAX) -> float:
    """What plain minimax, written once more, says."""
    if game.terminal(s):
        return float(game.utility(s))
    values = [true_value(game, game.result(s, action), hero) for action in game.actions(s)]
    return max(values) if game.player(s) == hero else min(values)


def leaf_values(tree: Any) -> list[float]:
    return [node.value for node in tree.visits() if node.leaf]


random_cases = settings(max_examples=80, deadline=None)

TEXTBOOK = Explicit(alternating([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))

leaves = st.integers(-5, 5).map(float)
trees = st.recursive(
    leaves,
    lambda below: st.builds(Choice, st.sampled_from([MAX, MIN]), st.lists(below, min_size=1, max_size=4).map(tuple)),
    max_leaves=30,
).filter(lambda tree: isinstance(tree, Choice))
chance_trees = st.recursive(
    leaves,
    lambda below: st.one_of(
        st.builds(Choice, st.sampled_from([MAX, MIN]), st.lists(below, min_size=1, max_size=3).map(tuple)),
        st.tuples(below, below).map(lambda pair: Choice(CHANCE, pair, (0.25, 0.75))),
    ),
    max_leaves=16,
).filter(lambda tree: isinstance(tree, Choice))


# ------------------------------------------------------------ truths from the books
def test_the_textbook_tree_is_searched_as_in_the_textbook():
    tree = record(TEXTBOOK, using="alpha_beta")
    assert tree.root.value == tree.result.value == 3
    assert leaf_values(tree) == [3, 12, 8, 2, 14, 5, 2]
    skipped = [node for node in tree.nodes() if not node.visited]
    assert [TEXTBOOK.utility(node.state) for node in skipped] == [4, 6]
    assert [node.action_text for node in skipped] == ["b2", "b3"]
    assert (tree.counters.nodes, tree.counters.leaves, tree.counters.cuts) == (11, 7, 1)
    assert tree.counters.without_cuts == 13


def test_the_textbook_windows_and_bounds():
    first, second, third = record(TEXTBOOK, using="alpha_beta").root.children
    assert (first.value, first.bound) == (3, EXACT)
    assert (second.value, second.bound) == (2, UPPER)
    assert (third.value, third.bound) == (2, EXACT)  # all three replies were looked at
    inf = math.inf
    assert first.windows == [(-inf, inf), (-inf, 3)]
    assert second.windows == [(3, inf)]
    assert third.windows == [(3, inf), (3, 14), (3, 5)]
    assert (third.alpha, third.beta) == (3, inf)


def test_the_reason_of_a_cut_names_the_bound_and_the_ancestor():
    tree = record(TEXTBOOK, using="alpha_beta")
    cut = tree.root.children[1].cut
    assert cut.ancestor is tree.root
    assert cut.choice is tree.root.children[0]
    assert (cut.side, cut.limit, cut.value) == ("alpha", 3, 2)
    assert (
        cut.reason
        == "MAX already has 3 by playing a1 at the root; this node is worth at most 2 to MAX, so MAX will not come here"
    )


def test_lecture_slide_17():
    tree = record(Explicit(alternating([[8, 2], [5, 6]])), using="minimax")
    assert leaf_values(tree) == [8, 2, 5, 6]
    assert [child.value for child in tree.root.children] == [2, 5]
    assert tree.root.value == 5


def test_lecture_slide_34_has_a_cut_of_each_kind():
    # Of the slide only "1 5 <=2 3 >=5 2 3" survives. This tree is a reconstruction that shows those values;
    # its shape, the second 2, and the leaves 9, 7 and 8, which are cut, are ours.
    tree = record(Explicit(alternating([[[2, 3], [5, 9]], [[1, 2], [7, 8]]])), using="alpha_beta")
    left, right = tree.root.children
    assert (left.value, left.bound) == (3, EXACT)
    assert (right.value, right.bound) == (2, UPPER)
    five = left.children[1]
    assert (five.value, five.bound) == (5, LOWER)
    assert five.cut.ancestor is left
    assert (
        five.cut.reason
        == "MIN already has 3 by playing b1 after a1 (node 2); this node is worth at least 5 to MAX, so MIN will not"
        " come here"
    )
    assert [node.action_text for node in five.cut.skipped] == ["c2"]


def test_a_deep_cut_is_blamed_on_the_ancestor_that_set_the_bound():
    tree = record(Explicit(alternating([5, [[[4, 9], 0], 7]])), using="alpha_beta")
    deep = tree.root.children[1].children[0].children[0]
    assert deep.player == MIN
    assert deep.cut.ancestor is tree.root  # not the MAX node right above it
    assert "by playing a1 at the root" in deep.cut.reason


def test_equal_values_cut_because_nothing_is_gained():
    tree = record(Explicit(alternating([[3, 4], [3, 9]])), using="alpha_beta")
    assert tree.root.children[1].cut.reason.endswith("so MAX gains nothing by coming here")


def test_lecture_slide_62_with_probabilities():
    coin = Choice(CHANCE, (8.0, 24.0, -12.0), (1 / 2, 1 / 3, 1 / 6))
    tree = record(Explicit(Choice(MAX, (coin, 0.0))), using="expectiminimax")
    node = tree.root.children[0]
    assert node.player == CHANCE
    assert node.value == pytest.approx(10)
    assert [child.probability for child in node.children] == [1 / 2, 1 / 3, 1 / 6]
    assert tree.root.children[1].probability is None


def test_lecture_slide_78_with_tuples():
    a, b = [(1, 6, 6), (7, 1, 2)], [(6, 1, 2), (7, 2, 1)]
    c, d = [(5, 1, 7), (1, 5, 2)], [(7, 7, 1), (5, 2, 5)]
    game = Explicit(alternating([[a, b], [c, d]], 0, 1, 2), players=3, utility_sum=None)
    tree = record(game, using="max_n")
    assert tree.root.value == tree.result.value == (5, 2, 5)
    assert [child.value for child in tree.root.children] == [(1, 6, 6), (5, 2, 5)]
    assert [node.value for node in tree.nodes() if node.on_line] == [(5, 2, 5)] * 4
    with pytest.raises(pf.Unsuitable, match="paranoid"):
        solution_tree(tree)


def test_tic_tac_toe_has_549946_nodes_without_cuts():
    game = pf.load("tic_tac_toe")
    assert count_nodes(game, game.start(), None, 1_000_000) == 549_946
    assert count_nodes(game, game.start(), 3, 1_000_000) == 1 + 9 + 72 + 504
    assert count_nodes(game, game.start(), None, 100_000) is None


# ------------------------------------------------------------ the recorder changes nothing
def same_answer(game: Game, using: Any, **limits: Any) -> None:
    plain = pf.search(game, using=using, native=False, **limits)
    recorder = Recorder(game)
    watched = pf.search(game, using=using, watch=recorder, **limits)
    for name in ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "player"):
        assert getattr(plain, name) == getattr(watched, name), name
    tree = recorder.tree(watched)
    assert tree.root.value == plain.value
    assert tree.counters.nodes == plain.nodes == sum(node.visited for node in tree.nodes())
    line = [node for node in tree.nodes() if node.on_line]
    assert tuple(node.action for node in line[1:]) == plain.line == tree.line


@random_cases
@given(trees, st.sampled_from(["minimax", "negamax", "alpha_beta", "expectimax", "max_n", "paranoid"]))
def test_the_answer_is_that_of_the_plain_search(tree, using):
    same_answer(Explicit(tree), using)


@random_cases
@given(chance_trees, st.sampled_from(["expectiminimax", "expectimax", "max_n"]), st.integers(1, 4))
def test_the_answer_is_that_of_the_plain_search_with_chance_and_a_horizon(tree, using, depth):
    same_answer(Explicit(tree), using, depth=depth)


@random_cases
@given(trees, st.integers(1, 60))
def test_of_a_deepening_search_the_last_finished_depth_is_recorded(tree, nodes):
    game = Explicit(tree)
    recorder = Recorder(game)
    found = pf.search(game, using="alpha_beta", nodes=nodes, watch=recorder)
    recorded = recorder.tree(found)
    assert recorded.root.value == found.value
    assert recorded.root.depth == found.depth


def test_all_best_asks_more_than_is_recorded():
    game = Explicit(alternating([[3, 4], [3, 9]]))
    tree = record(game, using="alpha_beta", all_best=True)
    assert tree.result.best == (0, 1)
    assert tree.counters.nodes == record(game, using="alpha_beta").result.nodes


# ------------------------------------------------------------ everything in the tree is true
@random_cases
@given(trees)
def test_bounds_are_true(tree):
    game = Explicit(tree)
    for node in record(game, using="alpha_beta").nodes():
        if node.visited:
            truth = true_value(game, node.state)
            assert {EXACT: truth == node.value, LOWER: truth >= node.value, UPPER: truth <= node.value}[node.bound]


@random_cases
@given(trees)
def test_cuts_are_justified(tree):
    game = Explicit(tree)
    recorded = record(game, using="alpha_beta")
    for node in recorded.nodes():
        legal = list(game.actions(node.state)) if node.children else []
        assert [child.index for child in node.children] == legal
        assert [child for child in node.children if not child.visited] == (node.cut.skipped if node.cut else [])
        if node.cut is None:
            continue
        cut = node.cut
        above, ancestors = node.parent, []
        while above is not None:
            ancestors.append(above)
            above = above.parent
        assert cut.ancestor in ancestors
        assert cut.ancestor.player != node.player
        assert cut.choice.parent is cut.ancestor
        assert cut.choice.value == cut.limit
        assert cut.choice.order < node.order
        if node.player == MAX:
            assert cut.side == "beta" and cut.value >= cut.limit
        else:
            assert cut.side == "alpha" and cut.value <= cut.limit


@random_cases
@given(trees, st.sampled_from([0.0, 1.0]))
def test_negamax_shows_the_values_of_minimax(tree, total):
    game = Explicit(tree, utility_sum=total)
    theirs = list(record(game, using="negamax").nodes())
    ours = list(record(game, using="minimax").nodes())
    assert [node.value for node in theirs] == [node.value for node in ours]
    assert [node.best and node.best.index for node in theirs] == [node.best and node.best.index for node in ours]


@random_cases
@given(trees)
def test_the_events_replay_the_search(tree):
    recorded = record(Explicit(tree), using="alpha_beta")
    path, order, windows, values = [], [], {}, {}
    for event in recorded.events:
        if event.kind == "enter":
            assert event.node.parent is (path[-1] if path else None)
            path.append(event.node)
            order.append(event.node)
            windows[id(event.node)] = [(event.alpha, event.beta)]
        else:
            assert event.node is path[-1]
        if event.kind == "child":
            assert event.value == event.child.value == values[id(event.child)]
        if event.kind == "better":
            windows[id(event.node)].append((event.alpha, event.beta))
        if event.kind == "leave":
            values[id(path.pop())] = event.value
    assert path == []
    assert [node.order for node in order] == list(range(1, len(order) + 1))
    for node in order:
        assert values[id(node)] == node.value
        assert windows[id(node)] == node.windows


def test_a_policy_gives_the_probabilities_of_an_opponents_replies():
    def likes_the_last(state, action):
        return 0.8 if action == 2 else 0.1

    tree = record(TEXTBOOK, using="expectimax", policy=likes_the_last)
    first = tree.root.children[0]
    assert first.modelled
    assert [child.probability for child in first.children] == [0.1, 0.1, 0.8]
    assert first.value == pytest.approx(0.1 * 3 + 0.1 * 12 + 0.8 * 8)
    recorder = Recorder(TEXTBOOK)
    found = pf.search(TEXTBOOK, using="expectimax", policy=likes_the_last, watch=recorder)
    assert recorder.tree(found).root.children[0].children[0].probability is None  # it was not told


def test_values_of_a_modelled_game_are_maxs_also_when_min_begins():
    game = Explicit(alternating([[3, 12], [2, 4]], MIN, MAX))
    tree = record(game, using="expectimax")
    assert [child.value for child in tree.root.children] == [7.5, 3]
    assert tree.root.value == tree.result.value == 3


def test_a_horizon_gives_estimates_and_the_depth_left():
    tree = record(pf.load("tic_tac_toe"), using="alpha_beta", depth=2)
    assert tree.root.depth == 2
    estimates = [node for node in tree.nodes() if node.source == "estimate"]
    assert estimates and all(node.depth == 0 and node.ply == 2 for node in estimates)
    assert record(TEXTBOOK).root.depth is None  # to the end of the game


# ------------------------------------------------------------ memory
@random_cases
@given(trees, st.integers(0, 12))
def test_beyond_the_limit_the_search_goes_on(tree, limit):
    game = Explicit(tree)
    whole, part = record(game, using="alpha_beta"), record(game, using="alpha_beta", limit=limit)
    assert part.result.value == whole.result.value
    assert part.result.line == whole.result.line
    assert part.counters == whole.counters
    kept = sum(node.order is not None for node in part.nodes())
    assert kept + part.left_out == part.result.nodes
    assert part.left_out == sum(node.left_out for node in part.nodes())
    assert kept <= max(limit, 1) + len(part.root.children)
    assert len(part.root.children) == len(whole.root.children)  # the root's own are always there
    assert [child.value for child in part.root.children] == [child.value for child in whole.root.children]


def test_a_recorder_that_saw_nothing_says_so():
    found = pf.search(TEXTBOOK, native=False)
    with pytest.raises(pf.PlyforgeError, match="watch=recorder"):
        Recorder(TEXTBOOK).tree(found)


# ------------------------------------------------------------ the proof
def proven(game: Game, node: Any, s: Any, hero: int, largest: bool, depth: int | None = None) -> float:
    """What a solution tree makes sure of, worked out from the rules alone; fails if it is no proof."""
    if game.terminal(s):
        assert node.children == []
        utility = game.utility(s)
        return float(utility[hero] if isinstance(utility, tuple) else utility)
    if depth == 0:
        assert node.children == []
        return float(game.evaluate(s))
    legal = pf.legal_moves(game, s)
    taken = [child.action for child in node.children]
    values = [
        proven(game, child, game.result(s, child.action), hero, largest, None if depth is None else depth - 1)
        for child in node.children
    ]
    if game.player(s) == hero:
        assert len(taken) == 1 and taken[0] in legal
        return values[0]
    assert taken == legal
    if game.player(s) == CHANCE:
        return sum(p * value for (_, p), value in zip(game.chance(s), values, strict=True))
    return min(values) if largest else max(values)


@random_cases
@given(trees, st.sampled_from(["alpha_beta", "minimax", "negamax"]), st.sampled_from([None, 0, 3, 8]))
def test_a_solution_tree_proves_the_value(tree, using, limit):
    game = Explicit(tree)
    solution = solution_tree(record(game, using=using, limit=limit))
    hero = game.player(())
    assert solution.hero == hero
    value = proven(game, solution.root, (), hero, largest=hero == MAX)
    assert value == solution.root.value == true_value(game, ())
    assert all(node.visited for node in solution.nodes())


@random_cases
@given(trees, st.integers(1, 4), st.sampled_from([None, 4]))
def test_a_solution_tree_proves_the_value_within_a_depth(tree, depth, limit):
    game = Explicit(tree)
    recorded = record(game, using="alpha_beta", depth=depth, limit=limit)
    hero = game.player(())
    value = proven(game, solution_tree(recorded).root, (), hero, hero == MAX, depth)
    assert value == recorded.result.value


@random_cases
@given(chance_trees, st.sampled_from([None, 4]))
def test_a_solution_tree_with_chance_proves_the_expectation(tree, limit):
    game = Explicit(tree)
    recorded = record(game, using="expectiminimax", limit=limit)
    hero = MIN if game.player(()) == MIN else MAX
    solution = solution_tree(recorded)
    assert proven(game, solution.root, (), hero, hero == MAX) == pytest.approx(recorded.result.value)
    assert solution.root.value == pytest.approx(recorded.result.value)


@random_cases
@given(trees, st.sampled_from([None, 4]))
def test_a_solution_tree_against_a_policy_keeps_every_reply(tree, limit):
    game = Explicit(tree)
    recorded = record(game, using="expectimax", limit=limit)
    solution = solution_tree(recorded)
    assert solution.root.value == pytest.approx(recorded.result.value)
    hero = game.player(())
    for node in solution.nodes():
        if node.children and node.player != hero:
            assert [child.action for child in node.children] == pf.legal_moves(game, node.state)
            assert sum(child.probability for child in node.children) == pytest.approx(1)


payoffs = st.tuples(*[st.integers(0, 9)] * 3)
three_player_trees = st.recursive(
    payoffs,
    lambda below: st.builds(Choice, st.sampled_from([0, 1, 2]), st.lists(below, min_size=1, max_size=3).map(tuple)),
    max_leaves=20,
).filter(lambda tree: isinstance(tree, Choice))


@random_cases
@given(three_player_trees, st.sampled_from([None, 4]))
def test_a_solution_tree_proves_what_one_player_makes_sure_of_against_all_others(tree, limit):
    game = Explicit(tree, players=3, utility_sum=None)
    recorded = record(game, using="paranoid", limit=limit)
    solution = solution_tree(recorded)
    hero = game.player(())
    assert proven(game, solution.root, (), hero, largest=True) == recorded.result.value == solution.root.value


def test_the_textbook_solution_tree_is_the_first_action_and_its_three_replies():
    solution = solution_tree(record(TEXTBOOK, using="alpha_beta"))
    assert [node.path() for node in solution.nodes()] == [[], ["a1"], ["a1", "b1"], ["a1", "b2"], ["a1", "b3"]]
    assert [node.value for node in solution.nodes()] == [3, 3, 3, 12, 8]


@pytest.mark.parametrize("limit", [100_000, 200])
def test_tic_tac_toe_after_a_corner_is_proven_a_draw_for_the_second_player(limit):
    game = pf.load("tic_tac_toe")
    recorded = record(game, "x...o....", using="alpha_beta", limit=limit)
    assert recorded.result.value == 0
    solution = solution_tree(recorded)
    assert proven(game, solution.root, solution.root.state, MAX, largest=True) == 0
    assert solution.counters.nodes < recorded.counters.nodes / 3


def test_the_plan_of_a_game_with_double_moves_is_a_proof():
    game = pf.load("kalah(houses=2, seeds=2)")
    recorded = record(game, using="alpha_beta")
    solution = solution_tree(recorded)
    assert proven(game, solution.root, solution.root.state, MAX, largest=True) == recorded.result.value
