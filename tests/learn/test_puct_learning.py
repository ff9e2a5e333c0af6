"""The method `puct`: what its searches say is noted truly, learned, and the same run when it goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from plyforge.errors import Unsuitable
from plyforge.evaluate.networks.policy_mlp import action_code
from plyforge.learn import Run
from plyforge.learn.methods.puct_learner import PuctLearner, improved_policy
from plyforge.play import parse_player

GAME = pf.load("tic_tac_toe")
SMALL: dict[str, Any] = {"net": "policy:8", "batch": 3, "think": 24, "nodes": 20, "shards": 2, "gates": False,
                         "native": False}  # fmt: skip


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYFORGE_CONFIG_DIR", str(tmp_path / "settings"))
    monkeypatch.chdir(tmp_path)


def small(folder: Path, **more: Any) -> Run:
    return Run("tic_tac_toe", folder, **{**SMALL, **more})


def test_what_is_noted_are_probabilities_of_legal_actions(tmp_path: Path) -> None:
    learner: Any = small(tmp_path / "t", shards=1).learner
    legal = {int(action_code(action)) for action in range(9)}
    for teaching in (True, False):
        pupil = learner.pupils[0]
        pupil.teaching = teaching
        learner.prepare_pupil(pupil)
        tally = learner.play(pupil, 3, 8)
        assert int(tally[0]) == len(pupil.noted) > 20
        sure = [note for note in pupil.noted if note[2]]
        assert 0 < len(sure) < 0.6 * len(pupil.noted)
        for active, value, codes, wanted in pupil.noted:
            assert set(codes) <= legal and len(codes) == len(wanted) and -1.0 <= value <= 1.0 and len(active)
            assert not wanted or sum(wanted) == pytest.approx(1.0)


def test_a_win_at_once_is_wanted_alone_and_is_worth_1(tmp_path: Path) -> None:
    """X on 0 and 1, to move: 2 wins."""
    learner: Any = small(tmp_path / "t", shards=1).learner
    s = pf.state_after(GAME, "1", "4", "2", "5")
    found = learner.pupils[0]._search(200, 1).start(GAME, False).think(s)
    _, value, codes, wanted = learner.pupils[0]._note(s, found, True, {})
    assert value == 1.0 and wanted[codes.index(int(action_code(2)))] == 1.0


def test_the_first_generations_are_uct_s(tmp_path: Path) -> None:
    run = small(tmp_path / "t")
    names = []
    learner: Any = run.learner
    for _ in range(3):
        run.go_on(games=run.progress.games + 3)
        names.append(learner.pupils[0]._search(8, 1).name)
    assert names == ["uct", "uct", "puct"] and isinstance(learner, PuctLearner)


def test_it_learns_from_its_games(tmp_path: Path) -> None:
    run = small(tmp_path / "t", batch=60, shards=1, net="policy:16")
    run.go_on(games=60)
    losses = [line["loss"] for line in run.folder.log(9)]
    learner: Any = run.learner
    again = learner.train(learner.pupils, 2, 5)
    assert again < losses[0] and isinstance(learner.arrays["policy"], np.ndarray) and learner.arrays["policy"].any()


def test_a_run_that_goes_on_is_the_run_that_never_stopped(tmp_path: Path) -> None:
    whole = small(tmp_path / "whole")
    whole.go_on(games=12)
    for games in (3, 9, 12):
        parts = small(tmp_path / "parts")
        parts.go_on(games=games)
    for kept in ("arrays", "memory"):
        one, other = getattr(whole.learner, kept), getattr(parts.learner, kept)
        assert all(np.array_equal(one[name], other[name]) for name in one) and one


def test_it_plays_from_its_folder_and_is_refused_with_dice(tmp_path: Path) -> None:
    run = small(tmp_path / "t", gates=True)
    run.go_on(games=6)
    assert [line["gate"] in ("H0", "H1", "open") for line in run.folder.log(9) if "gate" in line] == [True]
    run.learner.write_network(tmp_path / "t" / "best.npz", {"game": "tic_tac_toe"})
    player = parse_player(f"puct:network={tmp_path / 't'},simulations=30", GAME, native=False)
    assert player.choose(GAME, GAME.start()).action in range(9) and player.evaluate == run.network()
    with pytest.raises(Unsuitable, match="Use --method td"):
        Run("pig", tmp_path / "p", method="puct", native=False)


def test_completed_values_lift_what_is_worth_more_than_its_prior() -> None:
    """Of equal priors the better value is wanted more, the surer the more visits; without values priors stay."""
    few, many = [improved_policy([0.5, 0.5], [0.2, -0.2], {0: n, 1: 1})[0] for n in (1, 200)]
    assert 0.95 < few < many < 1.0
    assert improved_policy([0.7, 0.3], [0.1, 0.1], {0: 5, 1: 5}) == pytest.approx([0.7, 0.3])
    assert improved_policy([0.01, 0.99], [1.0, -1.0], {0: 20, 1: 20})[0] > 0.5


def test_a_policy_may_be_wanted_as_values_say(tmp_path: Path) -> None:
    learner: Any = small(tmp_path / "t", shards=1, completed=1.0).learner
    pupil, s = learner.pupils[0], pf.state_after(GAME, "5", "1", "9")
    learner.forget_network()
    found = pupil._search(40, 1).start(GAME, False).think(s)
    legal = list(pf.legal_moves(GAME, s))
    _, _, codes, wanted = pupil._note(s, found, True, dict.fromkeys(legal, 1.0 / len(legal)))
    best = max(found.values, key=lambda action: -found.values[action])
    assert wanted[codes.index(int(action_code(best)))] == max(wanted) and sum(wanted) == pytest.approx(1.0)
