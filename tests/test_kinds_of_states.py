"""States of every kind that compiles, at both speeds: the same from Python to compiled code and back, the same key, and equal where Python says equal."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.kernel import hash_state, kernel
from plyforge.kernel.entry import coerce, native_function

FOLDER = Path(__file__).resolve().parent / "rules_corpus"
NAMES = [
    "none_field",
    "none_cells",
    "none_pair",
    "letters",
    "nested_tuples",
    "text_search",
    "growing_tuple",
    "growing_pairs",
    "frozen_dataclass",
    "dataclass_board",
]
pytestmark = [compiles, pytest.mark.parametrize("name", NAMES)]


@kernel
def key_of(game, state):
    return hash_state(state)


@kernel
def same(game, state):
    return state


@kernel
def after(game, state, number):
    for action in game.actions(state):
        if number == 0:
            return game.result(state, action)
        number -= 1
    return state


@kernel
def equal(game, one, other):
    return one == other


def played(name: str, games: int = 8) -> tuple[pf.Game, list[tuple[Any, Any]]]:
    """States of random games, each with the action that was played there; None at the end."""
    game = pf.load(f"{FOLDER / name}.py")
    found: list[tuple[Any, Any]] = []
    for seed in range(games):
        draw, s = random.Random(seed), coerce(game.start())
        while not game.terminal(s):
            action = draw.choice(game.legal(s))
            found.append((s, action))
            s = coerce(game.result(s, action))
        found.append((s, None))
    return game, found


def shown(state: Any) -> str:
    """Everything that Python sees of it: True is not 1 here."""
    return f"{type(state).__name__} {state!r}"


def test_states_come_back_as_they_were(name: str) -> None:
    game, states = played(name)
    native = native_function(same, game, states[0][0])
    for s, _ in states:
        assert shown(native(game, s)) == shown(s)


def test_states_have_one_key(name: str) -> None:
    game, states = played(name)
    native = native_function(key_of, game, states[0][0])
    for s, _ in states:
        assert int(native(game, s)) % 2**64 == int(hash_state(s)), s


def test_results_are_the_same(name: str) -> None:
    game, states = played(name)
    native = native_function(after, game, states[0][0], 0)
    for s, action in states:
        if action is not None:
            number = list(game.actions(s)).index(action)
            assert shown(coerce(native(game, s, number))) == shown(coerce(game.result(s, action)))


def test_equal_states_are_equal(name: str) -> None:
    game, states = played(name, 3)
    native = native_function(equal, game, states[0][0], states[0][0])
    for one, _ in states:
        for other, _ in states:
            assert bool(native(game, one, other)) == (one == other)
