"""Online outcome sampling: it comes close to an equilibrium, aims at what it is asked about, uses what was seen."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from paths import HIDDEN_RULES
from plyforge.contract import MAX, MIN
from plyforge.errors import BadLimits
from plyforge.games.catalog import find
from plyforge.search import Oos
from plyforge.solve.hidden import HistoryTree, Learner, history_tree

KUHN, LEDUC = pf.load("kuhn_poker"), find(str(HIDDEN_RULES / "leduc.py"))


def seen(game: Any, text: str) -> Any:
    return pf.parse_state(game, text)


def past_of(tree: HistoryTree, node: int, player: int) -> list[Any]:
    """What a player has seen on the way to a node, at every step."""
    states, node = [], int(tree.parent[node])
    while node >= 0:
        states.append(tree.game.observe(tree.state_at(node), player))
        node = int(tree.parent[node])
    return states[::-1]


@compiles
def test_its_play_of_kuhn_poker_is_close_to_an_equilibrium() -> None:
    """Kuhn 1950: nobody can gain anything against the equilibria; against this play, less than 0.02."""
    tree = history_tree(KUHN)
    learner = Learner(tree, False)
    profile = np.zeros(tree.slots)
    player = Oos(simulations=20_000, seed=3).start(KUHN, True)
    for number, actions in enumerate(tree.actions):
        past = past_of(tree, int(tree.first[number]), int(tree.owner[number]))
        found = player.think(tree.observations[number], history=past)
        profile[tree.offset[number] : tree.offset[number + 1]] = [found.policy[action] for action in actions]
    assert 0.5 * (learner.best(MAX, profile) + learner.best(MIN, profile)) < 0.02
    assert learner.worth(MAX, profile)[0] == pytest.approx(-1 / 18, abs=0.02)


@pytest.mark.parametrize(("observation", "text"), [("K ? check bet", "call"), ("? K bet", "call"), ("? J bet", "fold")])
def test_it_does_what_is_right_against_anybody(observation: str, text: str) -> None:
    found = Oos(simulations=300).search(KUHN, seen(KUHN, observation), native=False)
    assert found.text(found.action) == text and found.policy[found.action] > 0.8
    assert found.simulations == 300 and found.reason == "simulations"


def test_values_are_the_players_own_with_standard_errors() -> None:
    """MIN, with a king, has been bet against: a call wins 2 for sure, a fold loses 1."""
    found = Oos(simulations=300).search(KUHN, seen(KUHN, "? K bet"), native=False)
    assert found.player == MIN and found.values == pytest.approx({0: -1.0, 1: 2.0})
    assert found.errors == pytest.approx({0: 0.0, 1: 0.0}, abs=1e-6)
    queen = Oos(simulations=1500, seed=2).search(KUHN, seen(KUHN, "Q ? check bet"), native=False)
    assert queen.values[0] == pytest.approx(-1.0) and abs(queen.values[1]) < 2.0 and 0.0 < queen.errors[1] < 1.0


@compiles
def test_both_speeds_walk_the_same_walks() -> None:
    tree, number = deep_question()
    asked, past = tree.observations[number], past_of(tree, int(tree.first[number]), int(tree.owner[number]))
    slow, fast = (
        Oos(simulations=120, seed=5).search(LEDUC, asked, native=native, history=past) for native in (False, True)
    )
    assert fast.native and not slow.native and slow.visits == fast.visits and sum(slow.visits.values()) > 0
    for field in ("policy", "values", "errors", "nodes"):
        assert getattr(slow, field) == getattr(fast, field), field


@functools.cache
def deep_question() -> tuple[HistoryTree, int]:
    """An observation that two information sets share: these rules of Leduc poker keep no record of the bets."""
    tree = history_tree(LEDUC, native=False)
    first: dict[Any, int] = {}
    for number, observation in enumerate(tree.observations):
        key = (observation, int(tree.owner[number]))
        if key in first:
            return tree, number
        first[key] = number
    raise AssertionError("the observations are all different")


def test_it_uses_what_was_seen_where_the_observation_alone_forgets() -> None:
    tree, number = deep_question()
    owner, asked = int(tree.owner[number]), tree.observations[number]
    past = past_of(tree, int(tree.first[number]), owner)
    goals = []
    for history in (past, []):
        player = Oos(simulations=1500, seed=1).start(LEDUC, None)
        player.think(asked, history=history)
        (table,) = player.tables
        keys = {int(table.sets[int(table.memory.goal[place])].key) for place in range(int(table.memory.goals))}
        goals.append(keys)
    assert goals[0] == {int(tree.keys[number])}, "this information set, and no other that looks the same"
    assert len(goals[1]) > 1 and int(tree.keys[number]) in goals[1]


def test_walks_are_aimed_at_what_is_asked_about() -> None:
    tree, number = deep_question()
    past = past_of(tree, int(tree.first[number]), int(tree.owner[number]))
    came = {
        aim: sum(Oos(simulations=400, aim=aim).search(LEDUC, tree.observations[number], history=past).visits.values())
        for aim in (0.0, 0.9)
    }
    assert came[0.9] > 150 > 20 * came[0.0]


def test_what_was_learned_is_kept_until_it_is_forgotten() -> None:
    player = Oos(simulations=50).start(KUHN, False)
    player.think(seen(KUHN, "Q ?"))
    player.think(seen(KUHN, "Q ? check bet"))
    assert player.tables[0].memory.iterations == 100
    player.forget()
    again = player.think(seen(KUHN, "Q ?"))
    assert again.policy == Oos(simulations=50).search(KUHN, seen(KUHN, "Q ?"), native=False).policy


@compiles
def test_time_and_threads() -> None:
    tree, number = deep_question()
    asked, past = tree.observations[number], past_of(tree, int(tree.first[number]), int(tree.owner[number]))
    found = Oos().search(LEDUC, asked, pf.Limits(seconds=0.2), native=True, history=past)
    assert found.reason == "seconds" and 0.1 < found.seconds < 3.0 and found.simulations > 100
    shared = Oos(simulations=2001, threads=2).search(LEDUC, asked, native=True)
    assert 1001 <= shared.simulations <= 2001, "when the first thread has done its part, the others stop"
    small = Oos(simulations=3000).search(LEDUC, asked, pf.Limits(nodes=20), native=True)
    assert small.nodes == 20, "at the limit it goes on with the information sets it has"


def test_a_depth_and_bad_parameters_are_refused_in_words() -> None:
    with pytest.raises(BadLimits, match="plays each walk to its end, so a depth means nothing"):
        pf.search(KUHN, "K ?", "oos", depth=3, native=False)
    for bad in ({"aim": 1.0}, {"exploration": 0.0}, {"threads": 0}):
        with pytest.raises(BadLimits, match=f"{next(iter(bad))} is "):
            pf.search(KUHN, "K ?", "oos", **bad)


def test_before_any_walk_has_come_there_everything_is_as_good() -> None:
    tree, number = deep_question()
    found = Oos(simulations=1).search(LEDUC, tree.observations[number], native=False)
    assert set(found.policy.values()) == {1.0 / len(tree.actions[number])} and not found.values
