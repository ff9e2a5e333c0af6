"""Games whose trees are too large: what sampling learns without one, kept, read again and played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import plyforge as pf
from plyforge.cli import plyforge_command
from plyforge.play import GameSession
from plyforge.play.players.mixed_strategy_player import MixedStrategyPlayer
from plyforge.solve.hidden import SampledSolution, TooManyHistories, hidden_equilibrium, sampled_equilibrium
from plyforge.solve.hidden.strategy_file import MixedStrategy


def test_without_a_tree_the_same_is_learned(tmp_path: Path) -> None:
    """With a limit that Kuhn poker exceeds: the averages are those that the solver with a tree has, to the bit."""
    found = pf.solve("kuhn_poker", using="external", iterations=300, seed=4, limit=20, native=False)
    assert isinstance(found, SampledSolution) and found.exploitability is None and not found.exact
    with_tree = hidden_equilibrium("kuhn_poker", using="external", iterations=300, seed=4, native=False)
    mixes = {each.key: each.policy for each in with_tree.information_sets}
    assert found.met == 12 and {each.key: each.policy for each in found.information_sets} == mixes
    assert found.value == pytest.approx(with_tree.value, abs=4 * found.played.errors[0])
    assert found.played.errors[0] > 0.0 and sum(found.values) == pytest.approx(0.0)
    assert ("exploitability", "not known") in found.details() and found.to_json()["exploitability"] is None
    file = str(tmp_path / "kuhn.regrets")
    for iterations in (100, 300):
        parted = sampled_equilibrium("kuhn_poker", None, "external", iterations, False, 4, file)
    assert parted.values == found.values and parted.iterations == 300


def test_other_algorithms_say_that_the_tree_is_too_large() -> None:
    with pytest.raises(TooManyHistories, match="Sampling needs none"):
        pf.solve("kuhn_poker", using="cfr", limit=20, native=False)
    with pytest.raises(pf.Unsuitable, match="does not sample"):
        sampled_equilibrium("kuhn_poker", using="cfr")


def test_what_was_learned_of_a_large_game_is_kept_and_played(tmp_path: Path) -> None:
    """Phantom tic-tac-toe has ten billion histories."""
    file = tmp_path / "phantom.json"
    found = sampled_equilibrium("phantom_tic_tac_toe", None, "outcome", 30, False)
    MixedStrategy.of(found).save(file)
    game = found.game
    kept = MixedStrategy.load(file, game)
    assert kept.exploitability is None and kept.information_sets == found.information_sets
    player, session = MixedStrategyPlayer(kept, seed=1), GameSession(game, seed=1)
    while not session.over:
        mover = session.player
        assert mover is not None
        seen, before = session.observation(mover), session.observations(mover)
        session.play(player.choose(game, seen, history=before).action)
    run = CliRunner()
    words = ["advise", "phantom_tic_tac_toe", "--strategy", str(file), "--observation", "????????? x x"]
    (advice,) = json.loads(run.invoke(plyforge_command, [*words, "--json", "--interpreted"]).stdout)["advice"]
    assert sum(advice["mix"].values()) == pytest.approx(1.0) and advice["values"] is None
    shown = run.invoke(plyforge_command, ["strategy", str(file), "--observation", "????????? x x"]).output
    assert "exploitability not known" in shown


def test_a_strategy_of_three_players_is_read_back(tmp_path: Path) -> None:
    solved = hidden_equilibrium("kuhn_poker(players=3)", using="cfr", iterations=5, native=False)
    file = tmp_path / "three.json"
    MixedStrategy.of(solved).save(file)
    assert MixedStrategy.load(file, solved.game).value == solved.values
    assert ", " in CliRunner().invoke(plyforge_command, ["strategy", str(file)]).output
