"""Rollouts with errors: means that are known, luck that cancels, the same games at both speeds."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import plyforge as pf
from conftest import compiles
from plyforge.cli import plyforge_command
from plyforge.contract import MAX
from plyforge.games.backgammon import Backgammon, Position
from plyforge.games.backgammon.board import BAR, from_counts
from plyforge.games.two_players.pig import HOLD, ROLL, Pig
from plyforge.solve import rollouts


def home(*points: int) -> tuple[int, int]:
    counts = [0] * (BAR + 1)
    for point in points:
        counts[point] += 1
    low, high = from_counts(counts)
    return low, high


def test_a_race_of_one_roll_has_the_value_that_everybody_knows():
    """X bears off from the six point with 27 rolls of 36, else O wins at once."""
    s = Position(*home(6), *home(1), 0, MAX)
    found = rollouts(Backgammon(), s, games=360, native=False)
    assert found.action is None
    assert found.value == pytest.approx(2 * 27 / 36 - 1, abs=0.02)  # first rolls come as often as they should
    assert 0 < found.error < 0.06


def test_subtracting_luck_makes_the_error_smaller_and_leaves_the_mean():
    game, state = Pig(goal=20), "9 12 4 max"
    with_luck = rollouts(game, state, games=400, native=False)
    without = rollouts(game, state, games=400, adjust=True, native=False)
    for one, other in zip(with_luck.entries, without.entries, strict=True):
        assert one.action == other.action
        assert abs(one.value - other.value) < 3 * one.error
        assert other.error < 0.8 * one.error
        assert other.unadjusted.tolist() == one.values.tolist()  # the same games


def test_the_best_comes_first_and_differences_have_errors():
    found = rollouts(Pig(goal=20), "15 15 6 max", games=50, native=False)
    assert (found.action, found.value, found.error) == (HOLD, 1.0, 0.0)
    worse, error = found.difference(1)
    assert worse > 0 and error > 0
    for_min = rollouts(Pig(goal=20), "15 15 6 min", games=50, native=False)
    assert (for_min.action, for_min.value) == (HOLD, -1.0) and for_min.difference(1)[0] > 0


def test_games_end_where_play_is_drawn():
    """A queen ahead, but the fifty moves are over after the next one."""
    game = pf.load("chess")
    state = pf.parse_state(game, "7k/8/8/8/3K4/8/8/Q7 w - - 99 120")
    found = rollouts(game, state, games=2, actions=["Kd5", "Qb1"], native=False)
    assert [entry.value for entry in found.entries] == [0.0, 0.0]
    # the enemy could capture, but play is over
    state = pf.parse_state(game, "7k/8/8/8/3K4/8/8/Q6r w - - 99 120")
    found = rollouts(game, state, games=2, actions=["Kd5"], native=False)
    assert list(found.entries[0].values) == [0.0, 0.0]


def test_plies_end_a_rollout_with_an_estimate():
    game = Pig(goal=100)
    found = rollouts(game, "40 40 10 max", games=20, plies=1, native=False)
    held = next(entry for entry in found.entries if entry.action == HOLD)
    assert -1 < held.value < 1
    assert found.plies == 1


def test_actions_can_be_chosen_by_text_and_by_number():
    game = Pig(goal=30)
    assert [e.action for e in rollouts(game, "9 9 5 max", games=5, actions=["roll"], native=False).entries] == [ROLL]
    assert len(rollouts(game, "9 9 5 max", games=5, actions=1, native=False).entries) == 1


@compiles
def test_both_speeds_play_the_same_games():
    game = Pig(goal=30)
    slow = rollouts(game, "9 12 4 min", games=40, adjust=True, native=False)
    fast = rollouts(game, "9 12 4 min", games=40, adjust=True, native=True)
    assert fast.native and not slow.native
    for one, other in zip(slow.entries, fast.entries, strict=True):
        assert one.action == other.action
        assert one.values.tolist() == other.values.tolist()
        assert one.unadjusted.tolist() == other.unadjusted.tolist()


@compiles
@pytest.mark.full
def test_both_speeds_play_the_same_games_of_backgammon():
    slow = rollouts(Backgammon(), "4HPwATDgc/ABMA X 31", games=2, actions=2, native=False)
    fast = rollouts(Backgammon(), "4HPwATDgc/ABMA X 31", games=2, actions=2, native=True)
    assert [e.values.tolist() for e in slow.entries] == [e.values.tolist() for e in fast.entries]


@pytest.mark.parametrize("wrong", [{"games": 1}, {"games": 0}, {"plies": 0}, {"actions": 0}, {"actions": []}])
def test_limits_that_make_no_sense_are_refused(wrong):
    with pytest.raises(pf.BadLimits):
        rollouts(Pig(), "9 9 5 max", native=False, **{"games": 10, **wrong})


def test_a_finished_game_and_games_of_three_are_refused():
    with pytest.raises(pf.PlyforgeError, match="over"):
        rollouts(Pig(goal=20), "20 3 0 min", games=5, native=False)
    with pytest.raises(pf.Unsuitable):
        rollouts(pf.load("three_nim"), games=5, native=False)


def test_the_verb_tells_values_with_errors():
    arguments = ["rollout", "pig(goal=20)", "--state", "15 15 6 max", "--games", "20", "--interpreted"]
    shown = CliRunner().invoke(plyforge_command, arguments)
    assert shown.exit_code == 0, shown.output
    assert "hold  +1.0000 +- 0.0000" in shown.output and "worse by" in shown.output
    told = json.loads(CliRunner().invoke(plyforge_command, [*arguments, "--json"]).stdout)
    assert told["entries"][0]["action"] == "hold" and told["entries"][1]["worse_by"] > 0
