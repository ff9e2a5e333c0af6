"""What a selective search learns by: singular actions, risks, move_classes, structures. It changes where a search
looks, never what it proves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import Heuristics
from plyforge.games.trees.random_tree import CHILD, Node, RandomTree
from plyforge.kernel import mix
from plyforge.search.core.limits import Limits
from plyforge.search.engine.engine import Engine
from plyforge.search.engine.memory import new_engine_memory
from plyforge.search.engine.steps.correction_history import MAX_CORRECTION, corrected, learn
from plyforge.search.engine.steps.move_ordering import (
    CONTINUATION_LIMIT,
    continuation_score,
    update_continuation_history,
)
from plyforge.search.engine.steps.watch import SINGULAR, Unwatched
from plyforge.search.engine.thinking.deepening import Thinking
from plyforge.search.engine.transposition_table import Table
from plyforge.search.running.runner import watched
from plyforge.search.trace.engine import record_engine

CHESS = pf.load("chess")


class BoldHeuristics(Heuristics):
    selective = True
    margin_unit = 0.5

    def null_move(self, game, s: Node) -> Node:
        return Node(mix(s.hash, CHILD + 999), s.depth)

    def move_class(self, game, s: Node, action: int) -> int:
        return 7 * action + s.depth

    def see_loss(self, game, s: Node, action: int) -> float:
        return 0.25 * game.draw(s, 6, 8)

    def pawn_key(self, game, s: Node) -> Any:
        return mix(0, game.draw(s, 7, 5))


@dataclass(frozen=True)
class Bold(RandomTree):
    """Random trees with all that a selective search asks for. None of it means anything, so no proof may rest on it."""

    heuristics = BoldHeuristics()

    depth: int = 11
    branching: int = 3
    doubles: bool = True


def true_value(game: RandomTree, state: Node) -> float:
    if game.terminal(state):
        return game.utility(state)
    choose = max if game.player(state) == pf.MAX else min
    return choose(true_value(game, game.result(state, action)) for action in pf.legal_moves(game, state))


def searched(game: pf.Game, state: Any, depth: int, native: bool = False, **parameters: Any):
    return Engine(table_mib=1.0, **parameters).search(game, state, Limits(depth=depth), native=native)


class Alone(Unwatched):
    """Keeps the windows with which nodes were searched without an action."""

    windows: list[tuple[float, float]]

    def __init__(self) -> None:
        object.__setattr__(self, "windows", [])
        object.__setattr__(self, "comes", [False])

    def action(self, memory, ply, event, index, change) -> None:
        self.comes[0] = event == SINGULAR

    def enter(self, memory, state, depth, ply, alpha, beta) -> None:
        if self.comes[0]:
            self.windows.append((alpha, beta))
        self.comes[0] = False


def singular_windows(game: pf.Game, state: Any, depth: int) -> list[tuple[float, float]]:
    """The windows of all searches of a node without one of its actions."""
    watch = Alone()
    thinking = Thinking(Engine(table_mib=1.0), game, state, False, watch=watch)
    watched(lambda: thinking.deepen(Limits(depth=depth)))
    return watch.windows


def test_what_is_called_exact_is_true_whatever_the_hooks_say() -> None:
    game = Bold()
    exact = alone = 0
    for seed in range(12):
        state = game.root(seed)
        found = searched(game, state, 9)
        alone += bool(singular_windows(game, state, 9))
        if found.exact:
            exact += 1
            assert found.value == true_value(game, state), seed
        for action, value in found.values.items():
            assert value == true_value(game, game.result(state, action)), (seed, action)
    assert exact > 2 and alone > 2, (exact, alone)


def test_a_node_is_searched_without_an_action_only_with_a_window_that_has_no_inside() -> None:
    windows = singular_windows(Bold(), Bold().root(3), 9)
    assert windows
    assert all(math.nextafter(alpha, math.inf) == beta for alpha, beta in windows)


@pytest.mark.full
@compiles
def test_both_speeds_visit_the_same_nodes() -> None:
    game = Bold()
    for seed in range(3):
        slow, fast = (searched(game, game.root(seed), 9, native) for native in (False, True))
        assert (slow.value, slow.line, slow.nodes) == (fast.value, fast.line, fast.nodes), seed


@compiles
def test_chess_visits_the_same_nodes_at_both_speeds_where_depth_is_enough_for_everything() -> None:
    """A pawn ending: few actions, so that the interpreted search gets deep enough for singular extensions."""
    state = pf.parse_state(CHESS, "8/5k2/3p4/3P4/4K3/8/8/8 w - - 0 1")
    slow, fast = (searched(CHESS, state, 8, native) for native in (False, True))
    assert (slow.value, slow.line, slow.nodes) == (fast.value, fast.line, fast.nodes)


def test_the_recorded_tree_names_what_was_searched_without() -> None:
    game = Bold()
    tree = record_engine(game, game.root(3), depth=9, engine=Engine(table_mib=1.0))
    texts = [node.action_text for node in tree.root.below() if node.action_text]
    assert any(text.startswith("without ") for text in texts)
    for node in tree.root.below():
        if (node.action_text or "").startswith("without "):
            assert node.parent is not None and node.ply == node.parent.ply and node.state == node.parent.state


# ------------------------------------------------------------ corrections
def test_estimates_are_put_right_by_what_was_found_with_the_same_structure_and_mover() -> None:
    memory = new_engine_memory(False)
    memory.selective = 1
    state = CHESS.start()
    same = pf.state_after(CHESS, "Nf3", "Nf6")  # other pieces, the same pawns, White to move
    other = pf.state_after(CHESS, "e4", "e5")
    black = pf.state_after(CHESS, "Nf3")
    before = corrected(CHESS, memory, state, 0.002)
    assert before == 0.002
    for _ in range(40):
        learn(CHESS, memory, state, 8, corrected(CHESS, memory, state, 0.002), 0.006)
    after = corrected(CHESS, memory, same, 0.002)
    assert 0.004 < after <= 0.006
    assert corrected(CHESS, memory, other, 0.002) == 0.002
    assert corrected(CHESS, memory, black, 0.002) == 0.002


def test_corrections_are_bounded_and_leave_ends_alone() -> None:
    memory = new_engine_memory(False)
    memory.selective = 1
    state = CHESS.start()
    for _ in range(2000):
        learn(CHESS, memory, state, 16, 0.0, 0.9)
    right = corrected(CHESS, memory, state, 0.0)
    assert right == pytest.approx(MAX_CORRECTION * CHESS.heuristics.margin_unit, rel=1e-6)
    assert corrected(CHESS, memory, state, 0.998) <= 0.999
    assert corrected(CHESS, memory, state, 1.0) == 1.0
    memory.selective = 0
    assert corrected(CHESS, memory, state, 0.0) == 0.0


# ------------------------------------------------------------ what follows well on what
def test_what_answered_well_is_known_again_after_the_same_kind_only() -> None:
    memory = new_engine_memory(False)
    memory.move_classes[4], memory.move_classes[3] = 10, 20
    for _ in range(30):
        update_continuation_history(memory, 4, 99, 0.1)
        update_continuation_history(memory, 4, 98, -0.1)
    assert continuation_score(memory, 4, 99) > 0.0 > continuation_score(memory, 4, 98)
    assert continuation_score(memory, 4, 97) == 0.0
    memory.move_classes[4] = 11  # another answer is asked for; the mover's own last action is the same
    half = continuation_score(memory, 4, 99)
    memory.move_classes[3] = 21
    assert half > 0.0 and continuation_score(memory, 4, 99) == 0.0
    assert np.abs(memory.counter_move_history).max() <= CONTINUATION_LIMIT


# ------------------------------------------------------------ from move to move
@compiles
def test_what_was_learned_stays_with_the_table_where_depth_is_no_promise() -> None:
    table = Table(1.0)
    engine = Engine()
    state = CHESS.start()
    engine.start(CHESS, True, table=table).think(state, Limits(nodes=3000))
    (memory,) = table.memories
    assert np.any(memory.history != 0.0)
    engine.start(CHESS, True, table=table).think(pf.state_after(CHESS, "e4", "e5"), Limits(nodes=3000))
    assert table.memories[0] is memory
    table.clear()
    assert table.memories == []


def test_elsewhere_searches_begins_with_nothing() -> None:
    game, table = pf.load("tic_tac_toe"), Table(1.0)
    state = pf.parse_state(game, "x...o....")
    found = [
        Engine().start(game, False, table=table).think(state, Limits(depth=5)).nodes
        for _ in range(3)
        if table.clear() is None
    ]
    assert len(set(found)) == 1


def test_a_search_that_is_cut_off_plays_its_best_line_however_many_it_looks_for() -> None:
    """The next depth begins with the best action of the one before, not with that of its last line: it may be all
    there is time for."""
    queen = pf.parse_state(CHESS, "4k3/8/8/3q4/4P3/8/PPP5/4K3 w - - 0 1")  # exd5 wins it
    wanted = pf.parse_action(CHESS, queen, "exd5")
    for nodes in range(150, 1500, 270):
        search = Engine(lines=4, table_mib=1.0)
        found = search.search(CHESS, queen, Limits(nodes=nodes), native=False)
        assert found.action == wanted, nodes
        assert found.lines[0][1][0] == wanted and len({line[0] for _, line in found.lines}) == len(found.lines)


def test_where_all_is_lost_each_line_is_told_once_and_the_longest_first() -> None:
    state = pf.parse_state(CHESS, "7k/8/5K2/8/8/8/8/R7 b - - 0 1")
    found = Engine(lines=3, table_mib=4.0).search(CHESS, state, Limits(depth=8), native=False)
    assert found.proven and found.value == 1.0
    first = [line[0] for _, line in found.lines]
    assert found.action == first[0] == found.line[0] and len(set(first)) == len(first)
    assert found.distances[0] == found.distance == max(found.distances)
