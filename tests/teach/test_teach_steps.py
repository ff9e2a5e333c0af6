"""A recorded search step by step: the same values as the search, sentences that are true, a line of pseudocode for
each event."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge as pf
from plyforge.errors import BadLimits, BadText, Unsuitable
from plyforge.games.trees.figures import FIGURES
from plyforge.games.trees.random_tree import RandomTree, RandomTree3
from plyforge.games.trees.tree import Tree
from plyforge.search.trace.mcts import grow
from plyforge.search.trace.recorder import record
from plyforge.search.trace.tree import show_value
from plyforge.teach.comparison import compare, measure_tree, reference_search
from plyforge.teach.growing import Growing
from plyforge.teach.moment import at_step
from plyforge.teach.pseudocode import ALGORITHMS
from plyforge.teach.reordered import reordered
from plyforge.teach.steps import AHEAD, CUT, DONE, OPEN, Steps
from plyforge.teach.trees import edited, read_tree, regular_tree, tree_from_text
from plyforge.teach.unseen import add_unseen

TREES = st.recursive(
    st.integers(-9, 9), lambda children: st.lists(children, min_size=1, max_size=3), max_leaves=12
).filter(lambda tree: isinstance(tree, list))


@settings(max_examples=60, deadline=None)
@given(TREES, st.sampled_from(["minimax", "alpha_beta", "negamax"]))
def test_the_last_step_is_what_the_search_found(tree, using):
    game = Tree.of(tree)
    steps = Steps(record(game, using=using))
    found = pf.search(game, using="minimax")
    assert steps.moment(len(steps), steps.tree.root).value == found.value
    assert steps.moment(len(steps), steps.tree.root).status == DONE
    for node in steps.tree.nodes():
        moment = steps.moment(len(steps), node)
        assert moment.status == (DONE if node.visited else CUT)
        assert moment.value == node.value


@settings(max_examples=40, deadline=None)
@given(TREES)
def test_values_so_far_approach_the_value_from_one_side(tree):
    steps = Steps(record(Tree.of(tree), using="alpha_beta"))
    before: dict[int, float] = {}
    for number in range(1, len(steps) + 1):
        event = steps.event(number)
        moment = steps.moment(number, event.node)
        assert moment.status == (DONE if event.kind == "leave" else OPEN)
        if moment.value is None:
            continue
        old = before.get(id(event.node), moment.value)
        if event.node.chooses == "largest":
            assert moment.value >= old
        elif event.node.chooses == "smallest":
            assert moment.value <= old
        before[id(event.node)] = moment.value


@settings(max_examples=60, deadline=None)
@given(TREES)
def test_every_cut_is_true(tree):
    """The sentence names a bound, who has it, and what the node is worth: all three hold in the tree without cuts."""
    game = Tree.of(tree)
    recorded = record(game, using="alpha_beta")
    steps = Steps(recorded)
    whole = {pf.format_state(game, node.state): node.value for node in record(game, using="minimax").nodes()}
    for number in steps.cuts:
        node = steps.event(number).node
        cut, true_value = node.cut, whole[node.state_text]
        assert true_value >= cut.value if cut.side == "beta" else true_value <= cut.value
        assert cut.value >= cut.limit if cut.side == "beta" else cut.value <= cut.limit
        assert cut.choice in cut.ancestor.children and cut.choice.value == cut.limit
        sentence = steps.sentence(number)
        assert show_value(cut.limit) in sentence and show_value(cut.value) in sentence
        assert all(child.action_text in sentence for child in cut.skipped[:8])
        assert ("equality" in sentence) == (cut.value == cut.limit)
        for child in cut.skipped:
            assert steps.moment(number - 1, child).status == AHEAD
            assert steps.moment(number, child).status == CUT


@pytest.mark.parametrize(
    ("using", "game"),
    [
        ("minimax", RandomTree(depth=4, seed=2)),
        ("negamax", RandomTree(depth=4, seed=2)),
        ("alpha_beta", RandomTree(depth=5, seed=3)),
        ("expectimax", RandomTree(depth=4, seed=3, dice=True)),
        ("expectiminimax", RandomTree(depth=4, seed=3, dice=True)),
        ("star1", RandomTree(depth=4, seed=3, dice=True)),
        ("star2", RandomTree(depth=4, seed=3, dice=True)),
        ("max_n", RandomTree3(depth=3, seed=3)),
        ("paranoid", RandomTree3(depth=3, seed=3)),
        ("engine", RandomTree(depth=4, seed=3)),
    ],
)
def test_every_event_lights_a_line_and_has_a_sentence(using, game):
    steps = Steps(record(game, using=using, depth=4))
    assert len(steps) > 10 and steps.code is ALGORITHMS[using]
    for number in range(1, len(steps) + 1):
        event = steps.event(number)
        known_at_once = event.kind == "leave" and event.node.source == "known"
        assert len(steps.lit(number)) == 1 or known_at_once, (event.kind, event.node.source, steps.lit(number))
        assert steps.sentence(number).endswith(".")


def test_counts_end_where_the_search_ends():
    steps = Steps(record(Tree.of(regular_tree(4, 3, 1)), using="alpha_beta"))
    counters = steps.tree.counters
    assert steps.counts(len(steps)) == (counters.nodes, counters.leaves, counters.cuts)
    assert steps.counts(0) == (0, 0, 0)
    assert steps.next_cut(0) == steps.cuts[0] and steps.next_cut(len(steps)) is None


def test_the_textbook_figure_in_words():
    steps = Steps(record(Tree(figure="minimax_3_2_2"), using="alpha_beta"))
    assert [steps.sentence(number) for number in (0, 1, 6, 15)] == [
        "Alpha-beta is about to begin.",
        "Look at the root: MAX is to move, with alpha -∞ and beta ∞.",
        "Move 1 is the best for MIN so far: beta falls to 3.",
        "Move 1 is the best for MAX so far: alpha rises to 3.",
    ]
    assert steps.cuts == [20]
    assert (
        steps.sentence(20)
        == "Cut: moves 2, 3 not looked at. MAX already has 3 by playing 1 at the root; this node is worth at most 2 to"
        " MAX, so MAX will not come here."
    )
    path = steps.path(20)
    assert [(moment.alpha, moment.beta) for _, moment in path] == [(3, math.inf), (3, math.inf)]


@settings(max_examples=30, deadline=None)
@given(TREES, st.data())
def test_a_moment_is_a_tree_that_can_be_drawn(tree, data):
    steps = Steps(record(Tree.of(tree), using="alpha_beta"))
    number = data.draw(st.integers(0, len(steps)))
    moment = at_step(steps, number)
    drawn = [node for node in moment.nodes() if node.visited]
    assert len(drawn) == steps.counts(number)[0]
    for format in ("svg", "txt", "dot", "tex", "json"):
        assert pf.draw(moment, format=format)


# -------------------------------------------------------------------- orders and the bound
@pytest.mark.parametrize(("depth", "branching"), [(2, 3), (3, 2), (3, 4), (4, 3), (5, 2), (6, 2)])
def test_best_first_needs_exactly_the_least_leaves(depth, branching):
    """Knuth and Moore: b^ceil(d/2) + b^floor(d/2) - 1 leaves, if the best action always comes first."""
    game = Tree.of(regular_tree(depth, branching, seed=5))
    leaves = {}
    for order in ("given", "best", "worst", "shuffled"):
        arranged = reordered(game, order, using="alpha_beta", seed=3)
        tree = record(arranged, using="alpha_beta")
        leaves[order] = compare(tree).leaves
        assert tree.result.value == pf.search(game, using="minimax").value
    least = branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1
    assert leaves["best"] == least == measure_tree(game, game.start(), None, 10**6).least_leaves
    assert all(least <= number <= branching**depth for number in leaves.values())
    assert leaves["worst"] >= leaves["best"]


def test_orders_of_a_game_with_a_depth_limit_keep_the_value():
    game = pf.load("tic_tac_toe")
    state = pf.parse_state(game, "xo.xo....")
    plain = pf.search(game, state, using="alpha_beta", depth=3, native=False)
    for order in ("best", "worst", "shuffled"):
        arranged = reordered(game, order, state, "alpha_beta", 3, seed=1)
        found = record(arranged, arranged.standing(state), using="alpha_beta", depth=3)
        assert found.result.value == plain.value
        assert pf.format_state(game, found.root.state.state) == "xo.xo...."
    with pytest.raises(BadLimits, match="order"):
        reordered(game, "random")
    with pytest.raises(Unsuitable, match="too many"):
        reordered(game, "best", depth=None)


def test_measure_counts_what_minimax_visits():
    for seed in range(5):
        game = RandomTree(depth=5, seed=seed)
        counters = record(game, using="minimax").counters
        size = measure_tree(game, game.start(), None, 10**6)
        assert (size.nodes, size.leaves) == (counters.nodes, counters.leaves)
    assert measure_tree(game, game.start(), None, 3) is None
    assert reference_search(pf.load("pig")) == "expectiminimax"
    assert reference_search(RandomTree3()) == "max_n"


# -------------------------------------------------------------------- growing
def test_growing_ends_where_uct_ends():
    game = pf.load("tic_tac_toe")
    state = pf.parse_state(game, "x...o....")
    steps = Growing(grow(game, state, simulations=60, seed=4))
    found = pf.search(game, state, using="uct", simulations=60, seed=4, native=False)
    root = steps.tree.root
    known = {child.action: steps.known(len(steps), child) for child in root.children}
    assert {action: learned.visits for action, learned in known.items() if learned} == found.visits
    assert {action: learned.value for action, learned in known.items() if learned} == found.values
    assert all(steps.lit(number) for number in range(1, len(steps) + 1))
    assert steps.known(0, root) is None and steps.known(1, root).visits == 1
    visits = [steps.known(number, root).visits for number in range(1, len(steps) + 1)]
    assert visits == list(range(1, len(steps) + 1))
    for number in (0, 1, 7, len(steps)):
        moment = at_step(steps, number)
        assert sum(node.visited for node in moment.nodes()) == sum(
            steps.known(number, node) is not None for node in steps.tree.nodes()
        )
        assert pf.draw(moment, format="svg")


@pytest.mark.parametrize("name", ["three_nim", "pig"])
def test_growing_with_tuples_and_dice(name):
    game = pf.load(name)
    grown = grow(game, simulations=30, seed=2)
    found = pf.search(game, using="uct", simulations=30, seed=2, native=False)
    assert grown.result.visits == found.visits and grown.result.value == found.value
    assert len(grown.simulations) == grown.root.visits
    for simulation in grown.simulations:
        assert simulation.path[0] is grown.root
        assert all(child.parent is parent for parent, child in zip(simulation.path, simulation.path[1:], strict=False))


# -------------------------------------------------------------------- trees of one's own
def test_trees_are_read_and_changed():
    assert read_tree("[[3, 12], [2, 4]]") == [[3, 12], [2, 4]]
    assert tree_from_text("[[(1, 6, 6), (7, 1, 2)]]").players == 3
    assert edited("[[3, 12], [2, 4]]", [0], "kind", "chance") == '[{"chance": [3, 12]}, [2, 4]]'
    assert edited("[[3, 12], [2, 4]]", [0, 1], "add", "5") == "[[3, [12, 5]], [2, 4]]"
    assert edited("[[3, 12], [2, 4]]", [1], "add") == "[[3, 12], [2, 4, 0]]"
    assert edited("[[3, 12], [2, 4]]", [0, 1], "remove") == "[[3], [2, 4]]"
    assert edited("[[3, 12], [2, 4]]", [1, 0], "value", "-2.5") == "[[3, 12], [-2.5, 4]]"
    for bad in ("", "[[3", "__import__('os')", "[1, x]"):
        with pytest.raises(BadText):
            read_tree(bad)
    for path, change, value in (([5], "add", None), ([], "remove", None), ([0], "value", "3"), ([0], "kind", "me")):
        with pytest.raises(BadLimits):
            edited("[[3, 12], [2, 4]]", path, change, value)


def test_regular_trees_follow_from_their_seed():
    assert regular_tree(3, 2, 7) == regular_tree(3, 2, 7) != regular_tree(3, 2, 8)
    size = measure_tree(Tree.of(regular_tree(4, 3, 1)), Tree.of(regular_tree(4, 3, 1)).start(), None, 10**6)
    assert (size.leaves, size.regular) == (81, True)
    for shape in ("expectimax", "expectiminimax", "three_players"):
        assert Tree.of(regular_tree(3, 3, 2, shape))
    assert len(set(Tree.of(regular_tree(6, 3, 1)).names)) == 1 + 364  # every inner node has a name of its own
    with pytest.raises(BadLimits, match="leaves"):
        regular_tree(14, 12)


def test_what_a_cut_hides_can_be_shown():
    for name in FIGURES:
        game = Tree(figure=name)
        tree = record(game)
        add_unseen(tree, 1000)
        whole = record(game, using=reference_search(game))
        assert {node.state for node in tree.nodes()} == {node.state for node in whole.nodes()}


def test_a_simulation_that_ends_in_a_draw_of_play_is_not_called_a_playout():
    """A rook, but with the next move fifty are over."""
    game = pf.load("chess")
    steps = Growing(grow(game, pf.parse_state(game, "7k/8/4K3/8/8/8/8/6R1 w - - 99 120"), simulations=3))
    assert "Play is drawn there" in steps.sentence(3) and "at random" not in steps.sentence(3)
    lit = [steps.code.lines[number] for number in steps.lit(3)]
    assert lit and not any({"playout", "prove"} & set(line.labels) for line in lit)


def test_growing_takes_names_and_texts():
    game = pf.load("tic_tac_toe")
    state = pf.parse_state(game, "x...o....")
    plain = grow(game, state, simulations=20)
    named = grow("tic_tac_toe", "x...o....", "uct", simulations=20)
    assert named.root.state == plain.root.state == state
    assert named.result.values == plain.result.values
    assert grow(game, search="puct", simulations=5).result.using == "puct"
    with pytest.raises(pf.Unsuitable, match="grows no tree"):
        grow(game, search="flat")
