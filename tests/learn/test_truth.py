"""How many moves keep the value, in games that are solved. The truth: tic-tac-toe by minimax."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from plyforge.evaluate import Evaluation
from plyforge.learn import Run
from plyforge.learn.truth import choices_of, kept_by

GAME = pf.load("tic_tac_toe")


@functools.cache
def value(s: Any) -> float:
    if GAME.terminal(s):
        return float(GAME.utility(s))
    values = [value(GAME.result(s, action)) for action in GAME.actions(s)]
    return max(values) if GAME.player(s) == 0 else min(values)


class Perfect(Evaluation):
    def estimate(self, game: Any, s: Any) -> float:
        return value(s)


class Backwards(Evaluation):
    def estimate(self, game: Any, s: Any) -> float:
        return -value(s)


def test_whoever_knows_keeps_all_values_and_whoever_errs_few() -> None:
    choices = choices_of(GAME)
    assert choices is not None and len(choices) == 300
    for choice in choices:
        values = [choice.sign * value(s) for s in choice.after]
        assert choice.keeps == tuple(each == max(values) for each in values) and min(values) < max(values)
    assert kept_by(GAME, Perfect(), choices) == {"positions": 300, "share": 1.0}
    assert kept_by(GAME, Backwards(), choices)["share"] < 0.5


def test_large_games_and_dice_are_not_solved() -> None:
    assert choices_of(pf.load("connect4")) is None and choices_of(pf.load("pig")) is None


def test_a_run_tells_the_share_and_why_it_learns_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYFORGE_CONFIG_DIR", str(tmp_path))
    run = Run("tic_tac_toe", tmp_path / "t", batch=20, walks=4, nodes=20, native=False, shards=1)
    run.go_on(games=40)
    assert 0.3 < run.progress.keeps["share"] <= 1.0 and run.said["solved"] is True
    assert run.why.startswith("by td") and run.progress.best == 2  # it knows more than nothing
    again = Run("tic_tac_toe", tmp_path / "t", native=False)
    assert again.progress.keeps == run.progress.keeps and again.why == "it goes on as it began, by td"
    assert "policy:8" in Run("tic_tac_toe", tmp_path / "p", net="policy:8", batch=2, native=False).why
