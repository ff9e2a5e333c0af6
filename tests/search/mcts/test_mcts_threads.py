"""Several threads in one Monte Carlo tree: proofs stay right, nothing is lost or made twice, and limits are kept
with the other core busy."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from patience import best_of
from plyforge.contract import payoffs
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.games.trees.random_tree import RandomTree, RandomTree3
from plyforge.games.two_players.nim import Nim
from plyforge.kernel import kernel
from plyforge.kernel.storage.atomics import atomic_add, atomic_load, atomic_store, atomic_swap
from plyforge.kernel.storage.block import address_of, block_reader, new_block
from plyforge.search.core.limits import Limits
from plyforge.search.mcts import Flat, Puct, Tree, Uct
from plyforge.search.mcts.simulate import rate
from plyforge.search.mcts.tree.arena import ROOT, UNEXPANDED, is_proven
from plyforge.search.mcts.tree.parallel import Alone, Shared
from plyforge.search.running.control import Control
from plyforge.search.time.clock import Clock

SPEEDS = [False, pytest.param(True, marks=compiles)]


@pytest.fixture
def other_core_busy() -> Iterator[None]:
    """A process that does nothing but compute."""
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    yield
    busy.kill()
    busy.wait()


# ---------------------------------------------------------------- the primitives
PAIR = np.dtype([("number", "i8"), ("share", "f4"), ("count", "i4"), ("small", "u2"), ("other", "u2"), ("last", "i4")])
read_pairs = block_reader(PAIR)
add_number = atomic_add(PAIR, "number")
add_count = atomic_add(PAIR, "count")
swap_pair = atomic_swap(PAIR, "share", "count")
store_small = atomic_store(PAIR, "small")
load_small = atomic_load(PAIR, "small")


@kernel
def try_all(rows):
    first = add_number(rows, 1, 5)
    second = add_count(rows, 1, -3)
    third = swap_pair(rows, 1, (0.0, -3), (0.25, 8))
    fourth = swap_pair(rows, 1, (0.25, 7), (0.5, 9))
    store_small(rows, 1, 65_535)
    return first, second, third, fourth, load_small(rows, 1), rows[1].number, rows[1].share, rows[1].count


@kernel
def try_all_natively(address):
    return try_all(read_pairs(address, 2))


@kernel
def count_up(address, times):
    rows = read_pairs(address, 1)
    for _ in range(times):
        add_number(rows, 0, 1)
        while True:
            share, count = rows[0].share, rows[0].count
            if swap_pair(rows, 0, (share, count), (1.0 - share, count + 1)):
                break


EXPECTED = (0, 0, True, False, 65_535, 5, 0.25, 8)


def test_primitives_do_the_same_interpreted():
    rows = [SimpleNamespace(number=0, share=0.0, count=0, small=0) for _ in range(2)]
    assert try_all(rows) == EXPECTED


@compiles
def test_primitives_do_the_same_compiled():
    block = new_block(read_pairs, 2)
    assert try_all_natively.native(address_of(block)) == EXPECTED
    assert block[0].number == 0 and block[0].count == 0  # the neighbour is untouched


@compiles
def test_no_addition_and_no_swap_is_lost_between_threads():
    block = new_block(read_pairs, 1)
    count_up.native(address_of(block), 0)
    threads = [threading.Thread(target=count_up.native, args=(address_of(block), 400_000)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert block[0].number == block[0].count == 1_200_000
    assert block[0].share == 0.0  # turned over an even number of times


def test_fields_that_are_not_one_place_are_refused():
    from plyforge.kernel.storage.atomics import _extent

    assert _extent(PAIR, ("share", "count")) == (8, 64)
    for names in (("number", "share"), ("count", "small"), ("share", "small")):
        with pytest.raises(ValueError, match="beside each other"):
            _extent(PAIR, names)


# ---------------------------------------------------------------- a tree that is whole
def check_whole(tree: Tree, found) -> int:
    """Every node is reached once, nothing else was made, no child has more visits than its parent. How many are
    proven."""
    blocks, game = tree.blocks, tree.game
    reached, proven, todo = 0, 0, [(ROOT, tree.state)]
    seen = set()
    truth: dict = {}

    def exact(state):
        if state not in truth:
            truth[state] = payoffs(game, pf.search(game, state, using="max_n", native=False).value)
        return truth[state]

    while todo:
        index, state = todo.pop()
        assert index not in seen
        seen.add(index)
        reached += 1
        node = blocks.node(index)
        if node.visits > 0 and is_proven(node):
            proven += 1
            if len(truth) < 300 or state in truth:
                value = exact(state)
                assert node.value == pytest.approx(value[node.owner], abs=1e-9), pf.format_state(game, state)
        options = blocks.children(index)
        if options:
            assert sum(option.visits for option in options.values()) <= node.visits
            for action, child in zip(pf.legal_moves(game, state), options, strict=True):
                option = options[child]
                if option.mover == UNEXPANDED:
                    assert option.visits == option.children == 0
                    reached += 1
                else:
                    todo.append((child, game.result(state, action)))
    assert reached == found.nodes
    return proven


@pytest.mark.parametrize("native", SPEEDS)
@pytest.mark.parametrize("seed", range(3))
def test_the_tree_is_whole_and_its_proofs_are_right(native, seed):
    game = TicTacToe()
    tree = Uct(simulations=3000, threads=3, seed=seed).start(game, native=native)
    found = tree.think(pf.parse_state(game, "x...o...."))
    assert found.simulations == sum(found.visits.values()) == 3000 or found.exact
    assert check_whole(tree, found) > 20


@compiles
def test_the_draw_of_tic_tac_toe_is_proven_by_two_threads():
    for seed in range(4):
        found = Uct(simulations=200_000, threads=2, seed=seed).search(TicTacToe(), native=True)
        assert found.exact and found.value == 0.0 and found.reason == "complete"
        assert len(found.best) == 9
        assert sum(found.visits.values()) == found.simulations


@pytest.mark.parametrize(
    ("moves", "simulations", "native"),
    [
        ("12341234", 4000, False),
        pytest.param("1234", 400_000, True, marks=[compiles, pytest.mark.full]),
        pytest.param("", 500_000, True, marks=[compiles, pytest.mark.full]),  # too few for a proof
    ],
)
def test_connect_four_on_four_by_four_is_proven_by_two_threads(moves, simulations, native):
    game = pf.load("connect4(width=4, height=4)")
    state = pf.state_after(game, *moves)
    truth = pf.search(game, state, using="alpha_beta", all_best=True, native=native)
    for seed in range(2):
        found = Uct(simulations=simulations, threads=2, seed=seed).search(game, state, native=native)
        assert found.action in truth.best
        assert found.exact or not moves
        assert not found.exact or found.value == truth.value
        for action in found.proven:
            after = pf.search(game, game.result(state, action), using="alpha_beta", native=native)
            assert found.values[action] == after.value


@pytest.mark.parametrize(
    ("spec", "simulations"), [("nim(heaps=(2, 3))", 600), ("hexapawn", 600), ("nim(heaps=(1, 2, 3))", 2500)]
)
@pytest.mark.parametrize("search", [Uct, Puct])
def test_small_games_are_proven_by_interpreted_threads_too(search, spec, simulations):
    game = pf.load(spec)
    truth = pf.search(game, using="alpha_beta", all_best=True, native=False)
    found = search(simulations=simulations, threads=2).search(game, native=False)
    assert found.exact and found.value == truth.value and found.action in truth.best


@pytest.mark.parametrize(
    "native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])], ids=["interpreted", "compiled"]
)
@pytest.mark.parametrize(
    "game",
    [RandomTree(depth=4, doubles=True, dice=True), RandomTree3(depth=3, doubles=True, dice=True)],
    ids=["dice", "three"],
)
def test_proofs_with_dice_and_three_players_are_exact(game, native):
    proven = 0
    for seed in range(8):
        state = game.root(seed)
        truth = pf.search(game, state, using="max_n", native=False)
        found = Uct(simulations=2000, threads=3, seed=seed).search(game, state, native=native)
        if found.exact:
            proven += 1
            assert payoffs(game, found.value) == pytest.approx(truth.value, abs=1e-9)
        for action in found.proven:
            assert payoffs(game, found.values[action]) == pytest.approx(truth.values[action], abs=1e-9)
    assert proven >= 6


@compiles
def test_many_short_searches_never_lose_a_simulation_or_a_proof():
    game, truth = TicTacToe(), {}
    texts = ["xx.oo....", "x.x.oo.x.", "xo.xo....", "x...o...x", "xoxo.....", "........."]
    states = [pf.parse_state(game, text) for text in texts]
    for state in states:
        truth[state] = pf.search(game, state, using="minimax", native=False)
    for seed in range(150):
        state = states[seed % len(states)]
        simulations = 1 + seed * 13
        found = Uct(simulations=simulations, threads=2 + seed % 3, seed=seed).search(game, state, native=True)
        assert sum(found.visits.values()) == found.simulations <= simulations
        assert found.simulations == simulations or found.exact
        for action in found.proven:
            assert found.values[action] == truth[state].values[action]
        if found.exact:
            assert found.value == truth[state].value and found.action in truth[state].best


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_flat_shares_rollouts_out_evenly(native):
    game = TicTacToe()
    found = Flat(simulations=2000, threads=3).search(game, native=native)
    assert found.simulations == sum(found.visits.values()) == 2000
    assert max(found.visits.values()) - min(found.visits.values()) <= 1


def test_a_leaf_where_another_thread_is_counts_as_lost_also_with_all_moves_as_first():
    tree = Uct(simulations=300, rave=50.0, threads=2).start(pf.load("connect4"), native=False)
    tree.think()
    memory, nodes, hints = tree.new_memory(Limits()), tree.blocks.nodes, tree.blocks.actions
    unvisited = [child for child in range(1, tree.used) if nodes[child].visits == 0 and hints[child].visits > 0]
    assert len(unvisited) > 10

    def value(sharing, child):
        return rate(sharing, tree.selection, memory, nodes, child, np.inf, 0.0)

    for child in unvisited:
        assert value(Shared(), child) == value(Alone(), child) == hints[child].value
        nodes[child].mover = 0
        assert value(Shared(), child) == -np.inf
        assert value(Alone(), child) == hints[child].value  # alone nobody else can be there


@compiles
def test_values_are_as_good_as_those_of_one_thread():
    # Averages may leave out an outcome where two threads meet; it must not be seen beside their errors.
    game, one_ply = TicTacToe(), Limits(depth=1)
    alone = Uct(simulations=400_000, solve=False, seed=5).search(game, None, one_ply, native=True)
    several = Uct(simulations=400_000, solve=False, seed=6, threads=4).search(game, None, one_ply, native=True)
    for action in alone.values:
        error = (alone.errors[action] ** 2 + several.errors[action] ** 2) ** 0.5
        assert abs(alone.values[action] - several.values[action]) < 5 * error


# ---------------------------------------------------------------- limits
@pytest.mark.parametrize("native", SPEEDS)
def test_nodes_and_memory_are_kept(native):
    game = TicTacToe()
    found = Uct(threads=3).search(game, limits=Limits(nodes=500), native=native)
    assert found.nodes <= 500 and found.reason == "nodes" and found.action is not None
    tree = Uct(simulations=1500, threads=3, memory_mib=1, solve=False).start(game, native=native)
    if not native:
        tree.action_bytes = 1 << 13  # so that little fits
        found = tree.think()
        assert found.nodes <= (1 << 20) // tree.bytes_per_node < 140
        assert found.simulations == sum(found.visits.values()) == 1500 and found.reason == "simulations"


def test_a_node_takes_more_memory_for_its_proof():
    assert Uct(simulations=5, threads=2).search(pf.load("connect4"), native=False).node_bytes == 56
    assert Uct(simulations=5, threads=2).search(pf.load("three_nim"), native=False).node_bytes == 120


@compiles
@pytest.mark.parametrize("limits", [Limits(seconds=0.15), Limits(clock=Clock(5.0))], ids=["seconds", "clock"])
def test_time_is_kept_with_the_other_core_busy(other_core_busy, limits):
    search, game = Uct(threads=2, solve=False), TicTacToe()
    search.search(game, limits=Limits(nodes=50), native=True)  # compile
    wanted = limits.soft_seconds

    def attempt() -> float:
        began = time.perf_counter()
        found = search.search(game, limits=limits, native=True)
        assert found.reason == "seconds" and sum(found.visits.values()) == found.simulations > 100
        return time.perf_counter() - began - wanted

    assert -0.02 < best_of(attempt, 0.02) <= 0.02


@compiles
def test_a_control_stops_all_threads_at_once_with_the_other_core_busy(other_core_busy):
    search, game = Uct(threads=2, solve=False), TicTacToe()
    search.search(game, limits=Limits(nodes=50), native=True)  # compile

    def attempt() -> float:
        control, told = Control(), []

        def stop() -> None:
            told.append(time.perf_counter())
            control.stop()

        threading.Timer(0.1, stop).start()
        found = search.search(game, limits=Limits(seconds=20), native=True, control=control)
        assert found.reason == "stopped" and sum(found.visits.values()) == found.simulations > 100
        return time.perf_counter() - told[0]

    assert best_of(attempt, 0.05) <= 0.05


@pytest.mark.parametrize("threads", [0, -1, 1.5, 100_000])
def test_a_number_of_threads_that_makes_no_sense_is_refused(threads):
    with pytest.raises(pf.BadLimits, match="threads"):
        Uct(threads=threads).search(TicTacToe(), native=False)


# ---------------------------------------------------------------- rules that fail
@dataclass(frozen=True)
class Failing(TicTacToe):
    """Raises an exception after so many cells."""

    def result(self, s, cell):
        if (s.x | s.o).bit_count() == 5:
            raise ZeroDivisionError("five cells")
        return TicTacToe.result(self, s, cell)


@dataclass(frozen=True)
class Stuck(TicTacToe):
    """Nobody can move when two cells are taken."""

    def sample(self, s, stream):
        return 0 if not (s.x | s.o) & 1 else 1

    def actions(self, s):
        for cell in range(2):
            if not (s.x | s.o) >> cell & 1:
                yield cell


@pytest.mark.parametrize(
    ("game", "rollout_depth", "words"), [(Failing(), None, "five cells"), (Stuck(), 1, "has no actions")]
)
def test_rules_that_fail_in_any_thread_end_the_search(game, rollout_depth, words):
    for seed in range(3):
        tree = Uct(simulations=300, threads=3, seed=seed, rollout_depth=rollout_depth).start(game, native=False)
        with pytest.raises(pf.BadRules, match=words):
            tree.think()
        assert tree.blocks is None  # nobody goes on with half a tree


# ---------------------------------------------------------------- a tree kept between moves
@pytest.mark.parametrize("native", SPEEDS)
def test_a_shared_tree_is_kept_between_moves(native):
    game = TicTacToe()
    tree = Uct(simulations=1500, threads=2, solve=False).start(game, native=native)
    first = tree.think()
    state = game.result(game.result(game.start(), first.action), first.line[1])
    known = int(tree.blocks.node(tree.find(state)).visits)
    second = tree.think(state)
    assert second.simulations == 1500
    # All but the visits before the node had children: one, or as many as there are threads.
    assert known - 2 + 1500 <= sum(second.visits.values()) <= known + 1500
    check_whole(tree, second)


def test_a_proof_is_kept_with_its_part_of_the_tree():
    game = Nim((1, 2, 3))
    tree = Uct(simulations=4000, threads=2).start(game, native=False)
    first = tree.think()
    assert first.exact
    state = game.result(game.start(), first.action)
    known = tree.blocks.node(tree.find(state)).value
    tree.move_to(state)
    tree.state = state
    assert tree.blocks.node(ROOT).value == known
    assert tree.think(state).value == first.value


def test_threads_can_be_asked_for_by_the_name_of_the_search():
    found = pf.search("tic_tac_toe", using="uct", simulations=300, threads=2, native=False)
    assert found.simulations == sum(found.visits.values()) == 300 and found.node_bytes == 56
