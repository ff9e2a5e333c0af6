"""The recipe of AlphaGo's four parts: each can be switched off, and plays."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import plyforge as pf
from paths import EXAMPLES
from plyforge.learn import Run
from plyforge.learn.gate import Side, match
from plyforge.search.mcts import Puct


def test_each_part_can_be_switched_off(tmp_path: Path) -> None:
    """Without the policy all moves of the start are looked at alike; everybody ends their games."""
    spec = importlib.util.spec_from_file_location("learn_go", EXAMPLES / "learn_go.py")
    assert spec is not None and spec.loader is not None
    recipe: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recipe)
    small: dict[str, Any] = {"net": "conv:2x4", "batch": 2, "think": 12, "shards": 1, "gates": False, "native": False}
    run = Run("tic_tac_toe", tmp_path / "t", **small)
    run.go_on(games=6)
    network = run.network()
    sides = recipe.parts(run.game, network, 12)
    assert len(sides) == 5 and not sides["policy"].search.knows_priors
    assert sides["policy"].search.evaluation.estimate(run.game, pf.state_after(run.game, "5")) == network.estimate(
        run.game, pf.state_after(run.game, "5")
    )
    whole = Side(Puct(evaluation=network, simulations=12), 12)
    for other in sides.values():
        scores, _ = match(run.game, whole, other, seed=1, pairs=1, test=None, native=False)
        assert len(scores) == 1 and all(point in (0.0, 0.5, 1.0) for point in scores[0])
