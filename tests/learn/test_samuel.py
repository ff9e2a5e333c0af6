"""The recipe of Samuel's checkers: what it fits, and what its games bring."""

from __future__ import annotations

import importlib.util
import random
from typing import Any

import numpy as np
import pytest

import paths
from plyforge.evaluate import Linear
from plyforge.search.engine.engine import Engine


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch) -> Any:
    spec = importlib.util.spec_from_file_location("learn_checkers", paths.EXAMPLES / "learn_checkers.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "DEPTH", 2)
    monkeypatch.setattr(
        module, "player", lambda evaluation: Engine(evaluation=evaluation, table_mib=1.0).start(module.GAME, False)
    )
    return module


def test_what_is_a_weighted_sum_is_found_from_zero(recipe: Any) -> None:
    dice = np.random.default_rng(1)
    truth, weights = dice.normal(0.0, 0.1, len(recipe.NAMES)), np.zeros(len(recipe.NAMES))
    lessons = [
        (features, float(features @ truth)) for features in dice.integers(-3, 4, (400, len(truth))).astype(float)
    ]
    for _ in range(20):
        weights = recipe.fitted(lessons, weights)
    assert np.allclose(weights, truth, atol=0.002)


def test_games_bring_what_searches_say_and_what_was_won(recipe: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe, "LONGEST", 40)
    nothing = Linear.of(recipe.GAME, {})
    lessons = recipe.self_play(nothing, random.Random(2))
    assert len(lessons) > 10 and all(len(features) == len(recipe.NAMES) for features, _ in lessons)
    assert {value for _, value in lessons} == {0.0}  # broken off, nothing known, nothing won
    monkeypatch.setattr(recipe, "OPENING", 0)
    monkeypatch.setattr(recipe, "EXPLORE", 0.0)
    won = recipe.self_play(recipe.MATERIAL, random.Random(2))
    assert any(value != 0.0 for _, value in won)
