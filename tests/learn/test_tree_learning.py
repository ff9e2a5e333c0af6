"""The method `tree`: what searches say is noted truly, learned, kept and played by.

The truth that nobody here wrote: the values of tic-tac-toe, by minimax over all of its states.
"""

from __future__ import annotations

import functools
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paths
import plyforge as pf
from conftest import compiles, thinned
from plyforge.errors import BadLimits, BadText, PlyforgeError, Unsuitable
from plyforge.evaluate import Evaluation
from plyforge.evaluate.learned import learned_from
from plyforge.evaluate.networks import active_lists
from plyforge.learn import Run
from plyforge.learn.folder import BEST, STATE
from plyforge.learn.lesson_plan import checked_settings
from plyforge.learn.methods.tree_learner import Pupil, TreeLearner
from plyforge.play import parse_player
from plyforge.search import Control

GAME = pf.load("tic_tac_toe")
SMALL: dict[str, Any] = {"method": "tree", "net": "units:8", "batch": 6, "think": 20, "nodes": 20, "shards": 2,
                         "gates": False, "native": False}  # fmt: skip


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYFORGE_CONFIG_DIR", str(tmp_path / "settings"))
    monkeypatch.chdir(tmp_path)


def small(folder: Path, **more: Any) -> Run:
    return Run("tic_tac_toe", folder, **{**SMALL, **more})


def learner(native: bool, game: Any = GAME, **more: Any) -> TreeLearner:
    settings = {**checked_settings({"think": 30, **more}), "net": "units:8"}
    made = TreeLearner(game, settings, 1, native, Control())
    made.arrays["last"][:] = np.random.default_rng(1).normal(0.0, 0.3, 9)
    made.forget_network()
    return made


@functools.cache
def truth(s: Any) -> float:
    if GAME.terminal(s):
        return float(GAME.utility(s))
    values = [truth(GAME.result(s, action)) for action in GAME.actions(s)]
    return max(values) if GAME.player(s) == 0 else min(values)


def reachable() -> list[Any]:
    """All states that are not over."""
    found, left = {}, [GAME.start()]
    while left:
        s = left.pop()
        if s not in found and not GAME.terminal(s):
            found[s] = True
            left += [GAME.result(s, action) for action in GAME.actions(s)]
    return list(found)


@functools.cache
def values_by_inputs() -> dict[tuple[int, ...], float]:
    """What states are worth that are not over, by their active inputs."""
    listed = reachable()
    return {
        tuple(map(int, active)): truth(s)
        for active, s in zip(active_lists(GAME, learner(False).inputs, listed), listed, strict=True)
    }


class Perfect(Evaluation):
    """Knows."""

    def estimate(self, game: Any, s: Any) -> float:
        return truth(s)


def noted(pupil: Pupil) -> list[tuple[tuple[int, ...], float, float]]:
    """The active inputs and the range of each state."""
    found = []
    for active, sizes, ranges in pupil.noted:
        parts = np.split(active, np.cumsum(sizes)[:-1])
        found += [
            (tuple(map(int, part)), float(low), float(high)) for part, (low, high) in zip(parts, ranges, strict=True)
        ]
    return found


# ------------------------------------------------------------ what is noted
def test_with_true_estimates_every_range_holds_the_truth() -> None:
    """Roots, and bounds from inside the tree: one-sided where the search was cut off."""
    made = learner(False, outcome=0.0)
    pupil = Pupil(GAME, made.inputs, Perfect(), False)
    pupil.play(3, 12, made.settings)
    seen, exact = 0, 0
    for active, low, high in noted(pupil):
        assert low - 0.01 <= values_by_inputs()[active] <= high + 0.01
        assert low <= high
        seen, exact = seen + 1, exact + (low == high)
    assert exact > 30 and seen - exact > 10


def test_the_outcome_is_mixed_into_roots_behind_the_last_blunder_alone() -> None:
    """With estimates of 0 and searches of one ply, roots that prove nothing are worth what the game brought, or 0."""
    made = learner(False, think=1, outcome=1.0, explore=0.0, opening=0)
    pupil = Pupil(GAME, made.inputs, made.nothing(), False)
    tally = pupil.play(3, 6, made.settings)
    roots = [low for _, low, high in noted(pupil) if low == high]
    assert len(roots) >= int(tally[0]) and {-1.0, 1.0} & set(roots)
    pupil.noted.clear()
    pupil.play(3, 6, {**made.settings, "explore": 1.0})
    proven = {low for active, low, high in noted(pupil) if low == high and abs(values_by_inputs()[active]) < 0.5}
    assert proven <= {0.0}


@compiles
@pytest.mark.parametrize(
    "name", thinned(["tic_tac_toe", str(paths.NATURAL_GAMES / "breakthrough.py")], ["tic_tac_toe"])
)
def test_both_speeds_play_the_same_games_and_note_the_same_states(name: str) -> None:
    game = pf.load(name)
    tallies, lists = [], []
    for native in (True, False):
        made = learner(native, game)
        assert made.native == native
        made.prepare_pupil(made.pupils[0])
        tallies.append(made.pupils[0].play(5, 2, made.settings))
        lists.append(noted(made.pupils[0]))
    assert np.array_equal(*tallies) and lists[0] == lists[1] and len(lists[0]) > 20


@pytest.mark.full
def test_it_learns_what_its_searches_say(tmp_path: Path) -> None:
    """The values of all states of tic-tac-toe, much better than 0 for all, from 240 games."""
    run = small(tmp_path / "t", batch=40, net="units:32", rate=5.0)
    run.go_on(games=240)
    states = reachable()
    errors = [run.network().estimate(GAME, s) - truth(s) for s in states]
    assert np.mean(np.square(errors)) < 0.8 * np.mean(np.square([truth(s) for s in states]))


# ------------------------------------------------------------ nothing is lost
def test_a_run_that_goes_on_is_the_run_that_never_stopped(tmp_path: Path) -> None:
    whole = small(tmp_path / "whole")
    whole.go_on(games=18)
    for games in (6, 12, 18):
        parts = small(tmp_path / "parts")
        parts.go_on(games=games)
    for kept in ("arrays", "memory"):
        one, other = getattr(whole.learner, kept), getattr(parts.learner, kept)
        assert all(np.array_equal(one[name], other[name]) for name in one) and one
    again = small(tmp_path / "parts")
    assert all(np.array_equal(a, again.learner.arrays[name]) for name, a in whole.learner.arrays.items())
    assert again.progress.generation == 3


@pytest.mark.parametrize("damage", ["empty", "short", "byte", "nan", "shape", "foreign"])
def test_a_damaged_state_is_refused_in_a_sentence(tmp_path: Path, damage: str) -> None:
    small(tmp_path / "t").go_on(games=6)
    path = tmp_path / "t" / STATE
    content = path.read_bytes()
    if damage in ("nan", "shape"):
        with np.load(path) as file:
            parts = {name: file[name] for name in file.files}
        parts["first"] = parts["first"][1:] if damage == "shape" else np.full_like(parts["first"], np.nan)
        np.savez(path, **parts)
    elif damage == "foreign":
        small(tmp_path / "other", net="units:9").go_on(games=6)
        shutil.copy(tmp_path / "other" / STATE, path)
    else:
        middle = len(content) // 2
        flipped = content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1 :]
        path.write_bytes({"empty": b"", "short": content[:-40], "byte": flipped}[damage])
    with pytest.raises(BadText):
        small(tmp_path / "t")


# ------------------------------------------------------------ what is used, and what is refused
def test_a_folder_is_what_a_player_judges_by(tmp_path: Path) -> None:
    run = small(tmp_path / "t")
    run.go_on(games=6)
    run.learner.write_network(tmp_path / "t" / BEST, {"game": "tic_tac_toe"})
    player = parse_player(f"engine:network={tmp_path / 't'},depth=2", GAME, native=False)
    assert player.evaluate == learned_from(tmp_path / "t", GAME) == run.network()
    for search in ("uct:simulations=20", "alpha_beta:depth=2"):
        text = f"{search},network={tmp_path / 't'}"
        assert parse_player(text, GAME, native=False).choose(GAME, GAME.start()).action in range(9)
    with pytest.raises(BadText, match="network of 'tic_tac_toe'"):
        learned_from(tmp_path / "t", pf.load("hexapawn"))
    run.learner.write_network(tmp_path / "t" / BEST, {"game": "connect4"})
    with pytest.raises(BadText, match="learned for other rules"):
        learned_from(tmp_path / "t", pf.load("connect4"))


def test_the_gate_plays_with_it(tmp_path: Path) -> None:
    run = small(tmp_path / "t", gates=True)
    run.go_on(games=12)
    lines = run.folder.log(99)
    assert [line["gate"] in ("H0", "H1", "open") for line in lines if "gate" in line] == [True]


def test_what_it_is_not_for_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(Unsuitable, match="Use --method td"):
        Run("pig", tmp_path / "t", method="tree", native=False)
    with pytest.raises(BadLimits, match="td learns no network 'units:8'"):
        Run("tic_tac_toe", tmp_path / "t", method="td", net="units:8", native=False)
    with pytest.raises(BadLimits, match="is no network"):
        Run("tic_tac_toe", tmp_path / "t", net="units:x", native=False)
    small(tmp_path / "t").go_on(games=6)
    with pytest.raises(PlyforgeError, match="settings"):
        small(tmp_path / "t", net="units:9")
