"""The engine watched: it does what it does unwatched, node for node, and what is shown of it is true."""

from __future__ import annotations

import pytest

import plyforge as pf
from plyforge.errors import Unsuitable
from plyforge.games.trees.random_tree import RandomTree
from plyforge.search.engine.engine import Engine
from plyforge.search.trace.engine import record_engine
from plyforge.search.trace.recorder import record


@pytest.mark.parametrize(
    ("name", "depth"),
    [("tic_tac_toe", 4), ("connect4(width=5, height=4)", 5), ("hexapawn", 3), ("kalah", 3), ("chess", 1)],
)
def test_watching_changes_nothing(name, depth):
    game = pf.load(name)
    tree = record(game, using="engine", depth=depth)
    found = pf.search(game, using="engine", depth=depth, native=False)
    assert (tree.result.value, tree.result.line, tree.result.nodes) == (found.value, found.line, found.nodes)
    assert tree.counted.nodes == sum(node.order is not None for node in tree.nodes()) <= found.nodes


def test_values_are_the_bounds_they_claim_to_be():
    for seed in range(8):
        game = RandomTree(depth=5, seed=seed)
        tree = record(game, using="engine", depth=5)
        plain = pf.search(game, using="minimax", depth=5, native=False)
        assert tree.result.value == plain.value
        for node in tree.nodes():
            if not node.visited or node.depth is None:
                continue
            true_value = pf.search(game, node.state, using="minimax", depth=node.depth, native=False).value
            if node.bound == "exact":
                assert node.value == true_value
            elif node.bound == "lower":
                assert true_value >= node.value
            else:
                assert true_value <= node.value


def test_a_search_that_is_cut_short_shows_the_last_whole_run():
    tree = record_engine(pf.load("connect4(width=5, height=4)"), nodes=700)
    assert tree.result.reason == "nodes"
    assert tree.root.depth == tree.result.depth > 1
    assert tree.root.value == tree.result.value
    assert all(node.value is not None for node in tree.nodes() if node.visited)


def test_a_limit_keeps_part_of_it_and_threads_are_refused():
    game = pf.load("connect4(width=5, height=4)")
    tree = record_engine(game, depth=6, limit=50)
    assert tree.left_out > 0 and sum(node.order is not None for node in tree.nodes()) <= 50
    with pytest.raises(Unsuitable, match="threads"):
        record_engine(game, engine=Engine(threads=2), depth=2)


def test_each_technique_of_selective_search_stands_under_its_name_in_the_tree():
    """A small ending in which all of them happen within four plies."""
    game = pf.load("chess")
    tree = record_engine(game, pf.parse_state(game, "4k3/8/3pp3/8/1n6/8/PPP5/4K3 w - - 0 1"), depth=4)
    named = {part for node in tree.nodes() if node.technique for part in node.technique.split("; ")}
    assert {
        "late move reduction by 1 ply", "late move pruning", "futility pruning", "SEE pruning",
        "reverse futility pruning", "null move by 1 ply less", "null move pruning", "transposition table", "stand pat",
    } <= named  # fmt: skip
    assert "1 plies" not in " ".join(named)
    for node in tree.nodes():
        for child in node.children:
            technique = child.technique or ""
            if technique.startswith("late move reduction by"):
                less = int(technique.split()[4])
                assert child.depth == node.depth - 1 - less and child.order is not None
            if technique in ("late move pruning", "futility pruning", "SEE pruning"):
                assert child.order is None and child.value is None  # nobody has looked at it
                assert not game.in_check(child.state)  # an action that gives check is never left out
