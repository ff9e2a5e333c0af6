"""Thousands of random trees: all searches agree with each other, with exact arithmetic, and at both speeds."""

from __future__ import annotations

import math
import os
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge.contract import (
    CHANCE,
    MAX,
    Game,
    format_action,
    format_state,
    legal_moves,
    parse_action,
    parse_state,
)
from plyforge.errors import BadRules, BadText
from plyforge.games import load
from plyforge.games.trees.random_tree import Node, RandomTree, RandomTree3
from plyforge.kernel import new_memory
from plyforge.search import (
    AlphaBeta,
    Expectiminimax,
    MaxN,
    Minimax,
    Negamax,
    Paranoid,
    Result,
    Search,
    search,
)

SAME = ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "player")

DOUBLES = RandomTree(depth=5, branching=3, doubles=True, largest=2)
DICE = RandomTree(depth=5, branching=3, doubles=True, dice=True)
THREE = RandomTree3(depth=5, branching=3, doubles=True)
THREE_WITH_DICE = RandomTree3(depth=4, branching=3, doubles=True, dice=True)


def fields(found: Result) -> list[Any]:
    return [getattr(found, name) for name in SAME]


# -------------------------------------------------------------------- what the searches should find, by brute force
def exact_value(game: RandomTree, s: Node) -> Fraction:
    """Expectiminimax in rational numbers, straight from its definition."""
    if game.terminal(s):
        return Fraction(game.utility(s))
    values = [exact_value(game, game.result(s, action)) for action in game.actions(s)]
    if game.player(s) == CHANCE:
        weights = [game.weight(s, action) for action in game.actions(s)]
        return sum((w * v for w, v in zip(weights, values, strict=True)), Fraction(0)) / sum(weights)
    return max(values) if game.player(s) == MAX else min(values)


def exact_tuple(game: RandomTree, s: Node) -> tuple[Fraction, ...]:
    """Max^n in rational numbers: the first child that is best for whoever moves."""
    if game.terminal(s):
        return tuple(map(Fraction, game.utility(s)))
    values = [exact_tuple(game, game.result(s, action)) for action in game.actions(s)]
    player = game.player(s)
    if player != CHANCE:
        return max(values, key=lambda value: value[player])
    weights = [game.weight(s, action) for action in game.actions(s)]
    return tuple(
        sum((w * v[i] for w, v in zip(weights, values, strict=True)), Fraction(0)) / sum(weights)
        for i in range(game.players)
    )


def least_payoff(game: RandomTree, s: Node, hero: int) -> float:
    """What the hero can be sure of, by trying everything."""
    if game.terminal(s):
        return float(game.utility(s)[hero])
    values = [least_payoff(game, game.result(s, action), hero) for action in game.actions(s)]
    return max(values) if game.player(s) == hero else min(values)


def size(game: Game, s: Any) -> int:
    """How many nodes a tree has."""
    return 1 + sum(size(game, game.result(s, action)) for action in legal_moves(game, s))


# -------------------------------------------------------------------- the kernels agree, on thousands of trees
COMPILES = os.environ.get("NUMBA_DISABLE_JIT") != "1"
MEMORY = {native: new_memory(None, None, native and COMPILES) for native in (False, True)}


def run(using: Search, game: RandomTree, s: Node, native: bool) -> tuple[Any, ...]:
    """The kernel itself, without the thread and the clock around it: value, line, values of the actions, nodes."""
    memory = MEMORY[native]
    memory.nodes = memory.stop = 0
    function = using.kernel.native if native else using.kernel.function
    value = function(game, using.evaluation, using.watcher, memory, s, int(memory.depth), *using.window(game, s))
    numbers = [float(number) for number in memory.values[: game.count(s) * using.width(game)]]
    line = [int(index) for index in memory.line[0, : memory.length[0]]]
    return using.read_value(game, s, value), line, using.read_values(game, s, numbers), int(memory.nodes)


def test_minimax_negamax_and_alpha_beta_agree_on_thousands_of_trees_where_a_player_may_move_twice() -> None:
    double_moves = 0
    for seed in range(3000):
        s = DOUBLES.root(seed)
        plain, negated, pruned = (run(using, DOUBLES, s, True) for using in (Minimax(), Negamax(), AlphaBeta()))
        assert negated == plain, seed
        assert pruned[:2] == plain[:2], seed
        assert all(known in (None, value) for known, value in zip(pruned[2], plain[2], strict=True)), seed
        assert pruned[3] <= plain[3] == (size(DOUBLES, s) if seed < 300 else plain[3])
        double_moves += any(
            not DOUBLES.terminal(child) and DOUBLES.player(child) == DOUBLES.player(s)
            for child in (DOUBLES.result(s, action) for action in DOUBLES.actions(s))
        )
        if seed < 1000:
            interpreted = [run(using, DOUBLES, s, False) for using in (Minimax(), Negamax(), AlphaBeta())]
            assert interpreted == [plain, negated, pruned], seed
        if seed < 300:
            assert plain[0] == exact_value(DOUBLES, s), seed
    assert double_moves > 1000  # otherwise the test says nothing about them


def test_expectiminimax_equals_exact_rationals() -> None:
    for seed in range(1000):
        s = DICE.root(seed)
        fast = run(Expectiminimax(), DICE, s, True)
        assert fast[0] == pytest.approx(float(exact_value(DICE, s)), abs=1e-12), seed
        if seed < 300:
            assert fast == run(Expectiminimax(), DICE, s, False), seed
            assert fast[3] == size(DICE, s), seed


def test_max_n_equals_brute_force() -> None:
    for seed in range(1000):
        s = THREE.root(seed)
        fast = run(MaxN(), THREE, s, True)
        reached = [exact_tuple(THREE, THREE.result(s, action)) for action in THREE.actions(s)]
        assert fast[2] == reached, seed
        assert fast[0] == max(reached, key=lambda value: value[THREE.player(s)]), seed
        if seed < 300:
            assert fast == run(MaxN(), THREE, s, False), seed
            assert fast[3] == size(THREE, s), seed


def test_max_n_with_dice_equals_exact_rationals() -> None:
    for seed in range(200):
        s = THREE_WITH_DICE.root(seed)
        value = run(MaxN(), THREE_WITH_DICE, s, False)[0]
        # A tie in rationals may be broken by rounding, and then matters to the others: compare the mover's own.
        mover = THREE_WITH_DICE.player(s)
        assert math.isclose(value[mover], exact_tuple(THREE_WITH_DICE, s)[mover], abs_tol=1e-12), seed


def test_paranoid_equals_brute_force() -> None:
    for seed in range(1000):
        s = THREE.root(seed)
        hero = THREE.player(s)
        value, line, values, nodes = run(Paranoid(), THREE, s, True)
        sure = [least_payoff(THREE, THREE.result(s, action), hero) for action in THREE.actions(s)]
        assert value == max(sure), seed
        assert line[0] == sure.index(value), seed
        assert all(known in (None, exact) for known, exact in zip(values, sure, strict=True)), seed
        if seed < 300:
            assert (value, line, values, nodes) == run(Paranoid(), THREE, s, False), seed


# -------------------------------------------------------------------- the searches agree, as they are called
def assert_searches_agree(game: RandomTree, s: Node, depth: int | None, native: bool) -> list[list[Any]]:
    plain = search(game, s, "minimax", depth=depth, native=native)
    negated = search(game, s, "negamax", depth=depth, native=native)
    pruned = search(game, s, "alpha_beta", depth=depth, native=native)
    tied = search(game, s, "alpha_beta", depth=depth, native=native, all_best=True)
    assert fields(negated) == fields(plain)
    for found in (pruned, tied):
        assert (found.value, found.action, found.line) == (plain.value, plain.action, plain.line)
        assert found.values.items() <= plain.values.items()
    assert tied.best == plain.best
    assert pruned.nodes <= plain.nodes
    return [fields(plain), fields(negated), fields(pruned), fields(tied)]


@settings(max_examples=200, deadline=None)
@given(
    seed=st.integers(0, 2**64 - 1),
    depth=st.integers(1, 5),
    branching=st.integers(1, 4),
    doubles=st.booleans(),
    largest=st.integers(0, 5),
    limit=st.none() | st.integers(1, 6),
)
def test_minimax_negamax_and_alpha_beta_agree(
    seed: int, depth: int, branching: int, doubles: bool, largest: int, limit: int | None
) -> None:
    game = RandomTree(depth, branching, seed, doubles, largest=largest)
    assert_searches_agree(game, game.start(), limit, native=False)
    if limit is None or limit >= depth:
        assert search(game, using="minimax", native=False).value == exact_value(game, game.start())


def test_every_best_action_is_found_at_both_speeds() -> None:
    ties = 0
    for seed in range(150):
        s = DOUBLES.root(seed)
        limit = None if seed % 4 else 3
        fast = assert_searches_agree(DOUBLES, s, limit, native=True)
        assert assert_searches_agree(DOUBLES, s, limit, native=False) == fast
        ties += len(fast[0][SAME.index("best")]) > 1
    assert ties > 15  # otherwise the test says nothing about ties


def test_searches_for_three_and_with_dice_are_the_same_at_both_speeds() -> None:
    for game, using in ((DICE, "expectiminimax"), (THREE, "max_n"), (THREE, "paranoid")):
        for seed in range(40):
            limit = None if seed % 2 else 3
            slow, fast = (
                search(game, game.root(seed), using, depth=limit, native=native, all_best=True)
                for native in (False, True)
            )
            assert fields(slow) == fields(fast), (using, seed)


def test_paranoid_finds_every_best_action() -> None:
    for seed in range(100):
        s = THREE.root(seed)
        hero = THREE.player(s)
        sure = {action: least_payoff(THREE, THREE.result(s, action), hero) for action in THREE.actions(s)}
        found = search(THREE, s, "paranoid", native=False, all_best=True)
        assert found.player == hero
        assert list(found.best) == [action for action in sure if sure[action] == max(sure.values())]


def test_max_n_with_two_players_is_minimax() -> None:
    for seed in range(100):
        s = DOUBLES.root(seed)
        plain = search(DOUBLES, s, "minimax", native=False)
        tuples = search(DOUBLES, s, "max_n", native=False)
        assert tuples.value == (plain.value, -plain.value)
        assert (tuples.action, tuples.best, tuples.line, tuples.nodes) == (
            plain.action,
            plain.best,
            plain.line,
            plain.nodes,
        )


def test_expectiminimax_without_dice_is_minimax() -> None:
    for seed in range(100):
        s = DOUBLES.root(seed)
        assert fields(search(DOUBLES, s, "expectiminimax", native=False)) == fields(
            search(DOUBLES, s, "minimax", native=False)
        )


# -------------------------------------------------------------------- the trees themselves
def nodes_below(game: RandomTree, s: Node) -> list[Node]:
    found = [s]
    for node in found:
        found.extend(game.result(node, action) for action in legal_moves(game, node))
    return found


@pytest.mark.parametrize("game", [DOUBLES, DICE, THREE, THREE_WITH_DICE, RandomTree(depth=4, branching=5)])
def test_trees_keep_their_promises(game: RandomTree) -> None:
    sizes, movers, twice = set(), set(), 0
    for seed in range(30):
        for s in nodes_below(game, game.root(seed)):
            assert 0 <= s.depth <= game.depth
            if game.terminal(s):
                utility = game.utility(s)
                for number in utility if isinstance(utility, tuple) else (utility,):
                    assert game.min_utility <= number <= game.max_utility
                    assert number == int(number)
                continue
            mover = game.player(s)
            movers.add(mover)
            legal = legal_moves(game, s)
            assert legal == list(range(len(legal)))
            assert len(legal) == game.count(s) <= game.branching
            sizes.add(len(legal))
            if mover == CHANCE:
                assert s.depth < game.depth
                assert math.fsum(p for _, p in game.chance(s)) == pytest.approx(1.0, abs=1e-12)
            children = [game.result(s, action) for action in legal]
            twice += any(not game.terminal(child) and game.player(child) == mover for child in children)
    assert sizes == set(range(1, game.branching + 1))
    assert movers == set(range(game.players)) | ({CHANCE} if game.dice else set())
    assert bool(twice) == game.doubles
    assert game.has_chance == game.dice


def test_a_seed_gives_the_same_tree_for_ever() -> None:
    """The draws are part of what other tests and measurements rest on."""
    assert [size(DOUBLES, DOUBLES.root(seed)) for seed in range(8)] == [2, 32, 47, 16, 22, 72, 2, 5]
    assert load("random_tree(seed=5)").start() == RandomTree().root(5) != RandomTree().root(6)


def test_text_is_read_back() -> None:
    for game in (DICE, THREE):
        for s in nodes_below(game, game.root(11)):
            again = parse_state(game, format_state(game, s))
            assert again == s
            assert isinstance(again.hash, type(s.hash))
            for action in legal_moves(game, s):
                assert parse_action(game, s, format_action(game, s, action)) == action
            assert format_state(game, s) in game.show(s)


@pytest.mark.parametrize(
    "text", ["", "5", "0123456789abcdef", "0123456789abcdef/6", "0123456789abcdeg/2", "01/2", "-1/2"]
)
def test_text_that_is_no_node_is_refused(text: str) -> None:
    with pytest.raises(BadText):
        parse_state(DOUBLES, text)


@pytest.mark.parametrize("wrong", [{"depth": -1}, {"depth": 1000}, {"branching": 0}, {"largest": -1}])
def test_parameters_out_of_range_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(BadRules, match="random_tree"):
        RandomTree(**wrong)  # type: ignore[arg-type]
