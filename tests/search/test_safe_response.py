"""Safe exploitation: the guarantee is measured over all opponents, exactly, and so is what the risk buys."""

from __future__ import annotations

import inspect
import itertools
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import CHANCE, MAX, Game, payoffs
from plyforge.errors import BadLimits, Unsuitable
from plyforge.games.trees.random_tree import RandomTree
from plyforge.games.trees.tree import Tree
from plyforge.play import SafePlayer, parse_player
from plyforge.search import EpsilonPolicy, FunctionPolicy, SafeResponse, UniformPolicy, search
from plyforge.solve.census import Tally
from plyforge.solve.exploit import exploit
from plyforge.solve.graph.state_graph import state_graph

SAME = ("action", "value", "values", "best", "line", "nodes", "reason", "player")
GAMES = [
    RandomTree(depth=5, branching=3, largest=9, doubles=True),
    RandomTree(depth=5, branching=3, largest=9, dice=True),
]


def sure_of(game: Game, s: Any, hero: int) -> float:
    """Minimax by definition, for the hero."""
    if game.terminal(s):
        return payoffs(game, game.utility(s))[hero]
    if game.player(s) == CHANCE:
        return sum(p * sure_of(game, game.result(s, outcome), hero) for outcome, p in game.chance(s))
    values = [sure_of(game, game.result(s, action), hero) for action in pf.legal_moves(game, s)]
    return max(values) if game.player(s) == hero else min(values)


def worst(game: Game, s: Any, hero: int, player: SafePlayer, past: list[Any]) -> float:
    """What a player gets against the opponent, of all there are, who hurts it most."""
    if game.terminal(s):
        return payoffs(game, game.utility(s))[hero]
    here = [*past, s]
    if game.player(s) == CHANCE:
        return sum(p * worst(game, game.result(s, outcome), hero, player, here) for outcome, p in game.chance(s))
    if game.player(s) == hero:
        action = player.choose(game, s, history=past).action
        return worst(game, game.result(s, action), hero, player, here)
    return min(worst(game, game.result(s, action), hero, player, here) for action in pf.legal_moves(game, s))


def test_the_deck_s_tree_a_risk_of_one_buys_forty_four() -> None:
    """10 10 | 9 100 (CE417, slides 20 and 54): sure of 10 on the left; on the right 9 at worst, 54.5 on average."""
    game = Tree(figure="worst_case")
    careful, bold = exploit(game, UniformPolicy(), [0, 1])
    assert (careful.guaranteed, careful.expected) == (10.0, 10.0)
    assert (bold.guaranteed, bold.expected, bold.gain) == (9.0, 54.5, 44.5)
    assert search(game, using="safe_response", risk=0.5).value == 10.0
    found = search(game, using="safe_response", risk=1)
    assert (found.value, found.values) == (54.5, {0: 10.0, 1: 54.5})
    assert search(game, using="safe_response", risk=0).values == {0: 10.0}  # the right is too risky


@pytest.mark.parametrize("game", GAMES, ids=["doubles", "dice"])
def test_over_all_opponents_a_player_never_gets_less_than_the_value_less_the_risk(game: RandomTree) -> None:
    tight = 0
    for seed in range(12):
        s = game.root(seed)
        for risk in (0.0, 2.0, 6.0):
            for gifts in (False, True):
                player = SafePlayer(SafeResponse(risk=risk, gifts=gifts), native=False)
                least = worst(game, s, MAX, player, [])
                assert least >= sure_of(game, s, MAX) - risk - 1e-9, (seed, risk, gifts)
                tight += least < sure_of(game, s, MAX) - 1e-9
    assert tight > 0  # some of it was really staked


@pytest.mark.parametrize("game", GAMES, ids=["doubles", "dice"])
def test_the_search_the_table_and_the_player_tell_the_same(game: RandomTree) -> None:
    policy = FunctionPolicy(lambda s, a: 1.0 / game.count(s))
    for seed in range(20, 26):
        s = game.root(seed)
        hero = MAX if game.terminal(s) or game.player(s) == CHANCE else game.player(s)
        before = None
        for risk in (0.0, 1.0, 3.0, 18.0):
            row = exploit(game, policy, [risk], state=s, hero=hero)[0]
            assert row.value == pytest.approx(sure_of(game, s, hero))
            assert row.guaranteed >= row.value - risk - 1e-9
            assert before is None or row.expected >= before - 1e-9
            before = row.expected
            if hero == MAX:
                found = search(game, s, using=SafeResponse(policy=policy, risk=risk), native=False)
                assert found.value == pytest.approx(row.expected), (seed, risk)
                player = SafePlayer(SafeResponse(policy=policy, risk=risk), native=False)
                assert worst(game, s, MAX, player, []) == pytest.approx(row.guaranteed)
        best = search(game, s, using="expectimax", policy=policy, native=False)
        expected = best.value if hero == MAX else game.utility_sum - best.value
        assert before == pytest.approx(expected)  # with all at stake it is the best response


def test_without_gifts_less_is_staked() -> None:
    game = RandomTree(depth=6, branching=3, largest=9)
    with_gifts = [exploit(game, UniformPolicy(), [0], state=game.root(seed))[0].expected for seed in range(30)]
    without = [
        exploit(game, UniformPolicy(), [0], state=game.root(seed), gifts=False)[0].expected for seed in range(30)
    ]
    assert all(a >= b - 1e-9 for a, b in zip(with_gifts, without, strict=True)) and sum(with_gifts) > sum(without) + 1


def test_in_tic_tac_toe_perfect_play_can_wait_for_mistakes() -> None:
    """Nothing has to be risked for the whole best response to a random opponent: half a ply of luck is enough."""
    game = pf.load("tic_tac_toe")
    rows = exploit(game, UniformPolicy(), [0, 2], state="x...o....")
    assert rows[0].guaranteed == rows[0].value == 0.0 and rows[0].expected == rows[1].expected > 0.9


@compiles
@pytest.mark.full
def test_interpreted_and_compiled_agree() -> None:
    game = RandomTree(depth=5, branching=3, largest=9, dice=True)
    for risk in (0.0, 2.0):
        for seed in (3, 4):
            slow, fast = (
                search(game, game.root(seed), using=SafeResponse(risk=risk), native=native) for native in (False, True)
            )
            assert [getattr(slow, name) for name in SAME] == [getattr(fast, name) for name in SAME]


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(BadLimits, match="risk"):
        SafeResponse(risk=-1.0)
    with pytest.raises(BadLimits, match="risk"):
        exploit(Tree(figure="worst_case"), UniformPolicy(), [float("nan")])
    with pytest.raises(Unsuitable, match="3 players"):
        search("three_nim", using="safe_response")
    with pytest.raises(BadLimits, match="depth"):
        parse_player("safe_response:depth=0", pf.load("tic_tac_toe"))


def test_a_safe_player_by_its_description() -> None:
    game = pf.load("tic_tac_toe")
    player = parse_player("safe_response:risk=1,against=epsilon:0.1+depth=1", game, native=False)
    assert isinstance(player, SafePlayer) and player.description.startswith("safe_response:risk=1")
    assert player.search.policy == EpsilonPolicy(epsilon=0.1, depth=1) and player.depth is None
    s = pf.parse_state(game, "xoxxo....")
    assert player.choose(game, s).action == pf.parse_action(game, s, "8")


def test_progress_is_told_while_states_are_valued_and_while_plans_are_weighed(monkeypatch: Any) -> None:
    class Clock:
        """Every look at it is a second later."""

        now = 0.0

        def perf_counter(self) -> float:
            self.now += 1.0
            return self.now

    for function in (Tally.__init__, inspect.unwrap(state_graph)):
        monkeypatch.setitem(function.__globals__, "time", Clock())
    told: list[Any] = []
    exploit(pf.load("tic_tac_toe"), UniformPolicy(), [0.0], on_progress=told.append)
    nodes = [progress.nodes for progress in told]
    begins = [number for number, (one, other) in enumerate(itertools.pairwise(nodes)) if other < one]
    assert len(begins) == 1 and 0 < nodes[begins[0]] <= 5478, nodes
