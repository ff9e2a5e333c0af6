"""Learning by temporal differences: the network's arithmetic, the gradient, two speeds, stopping and going on, and
that it learns."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import plyforge as pf
from plyforge.cli import main
from plyforge.contract import MAX, MIN, Encoding
from plyforge.errors import BadLimits, BadRules, BadText, PlyforgeError, Unsuitable
from plyforge.evaluate import Network, OwnEvaluation, Staged, learned_opinion, opinion
from plyforge.evaluate.backgammon.encoding import BAR_INPUT, CONTACT_INPUT, INPUTS, OFF_INPUT, SIDE_INPUTS
from plyforge.evaluate.layers import (
    Layers,
    expected,
    levels_of,
    new_layers,
    own_network,
    read_layers,
    steps_of,
    think,
    write_layers,
)
from plyforge.games.two_players.pig import Pig, Turn
from plyforge.kernel import new_stream
from plyforge.learn import TemporalDifferences
from plyforge.learn.lessons import learn_from_games, step_down, turned_round
from plyforge.play import parse_player

BACKGAMMON = pf.load("backgammon")


class PigInputs(Encoding):
    """What both have banked, what the turn has, as whoever is to decide sees it."""

    input_count = 4

    def inputs(self, game, s: Turn):
        mine, yours = (s.banked_by_max, s.banked_by_min) if s.player == MAX else (s.banked_by_min, s.banked_by_max)
        yield 0, mine / game.goal
        yield 1, yours / game.goal
        yield 2, s.collected / game.goal
        yield 3, 1.0 if mine + s.collected >= game.goal else 0.0

    def perspective(self, game, s: Turn) -> int:
        return s.player


class ToldPig(Pig):
    """Pig for a network."""

    encoding = PigInputs()


def some_layers(game, units: int = 5, seed: int = 3) -> Layers:
    layers = new_layers(game, units, seed)
    layers.second[:] = np.random.default_rng(seed).normal(0.0, 0.5, layers.second.shape)
    return layers


def thought(game, layers: Layers, s) -> tuple[np.ndarray, np.ndarray]:
    hidden, chances = np.zeros(layers.units), np.zeros(layers.second.shape[1])
    think(game, layers.first, layers.second, hidden, chances, s)
    return hidden, chances


def told(game, s) -> np.ndarray:
    """The inputs as a whole vector."""
    x = np.zeros(game.encoding.input_count)
    for number, value in game.encoding.inputs(game, s):
        assert x[number] == 0.0 and 0 <= number < game.encoding.input_count
        x[number] = value
    return x


# ------------------------------------------------------------------ what a network is told
def test_the_encoding_is_that_of_td_gammon():
    """At the start a side has 2 on its 24, 5 on 13, 3 on 8, 5 on 6: units 1, 1, 1 and half of what is beyond three."""
    x = told(BACKGAMMON, pf.state_after(BACKGAMMON, "X31"))
    for first in (0, SIDE_INPUTS):
        side = x[first : first + SIDE_INPUTS]
        for point, units in {
            24: (1, 1, 0, 0),
            13: (1, 1, 1, 1),
            8: (1, 1, 1, 0),
            6: (1, 1, 1, 1),
            5: (0, 0, 0, 0),
        }.items():
            assert tuple(side[4 * (point - 1) : 4 * point]) == units
        assert side[:BAR_INPUT].sum() == 2 + 4 + 3 + 4
        assert side[BAR_INPUT] == side[OFF_INPUT] == 0.0
        assert side[OFF_INPUT + 1] == 1.67
    assert x[CONTACT_INPUT] == 1.0 and len(x) == INPUTS == 199


def test_both_sides_are_told_the_same_of_mirrored_positions():
    state = pf.state_after(BACKGAMMON, "X31", "8/5 6/5", "42", "13/11 13/9")
    other = state._replace(
        max_low=state.min_low,
        max_high=state.min_high,
        min_low=state.max_low,
        min_high=state.max_high,
        player=1 - state.player,
    )
    assert (told(BACKGAMMON, state) == told(BACKGAMMON, other)).all()
    network = Network.of(some_layers(BACKGAMMON), BACKGAMMON)
    assert network.estimate(BACKGAMMON, state) == pytest.approx(-network.estimate(BACKGAMMON, other))


def test_features_are_the_inputs_where_a_game_names_no_others():
    game = pf.load("othello")
    s = game.start()
    assert list(told(game, s)) == list(game.encoding.features(game, s)) and game.encoding.perspective(game, s) == MAX
    assert game.encoding.input_count == len(game.encoding.feature_names)


# ------------------------------------------------------------------ arithmetic
def test_chances_are_what_numpy_makes_of_them():
    layers = some_layers(BACKGAMMON)
    s = pf.state_after(BACKGAMMON, "X31", "8/5 6/5")
    x = np.append(told(BACKGAMMON, s), 1.0)
    sums = x @ layers.first
    h = np.append(sums / (1 + abs(sums)), 1.0)
    right = 1 / (1 + np.exp(-(h @ layers.second)))
    _, chances = thought(BACKGAMMON, layers, s)
    assert chances == pytest.approx(right, rel=1e-12)
    mean = -3 + chances[0] + chances[1] + 2 * chances[2] + chances[3] + chances[4]
    assert expected(steps_of(BACKGAMMON), chances, -3.0) == pytest.approx(mean)
    assert s.player == MIN and Network.of(layers, BACKGAMMON).estimate(BACKGAMMON, s) == pytest.approx(-mean)


def test_chances_turned_round_are_the_other_sides():
    steps = steps_of(BACKGAMMON)
    for won in (-3, -2, -1, 1, 2, 3):
        mine = np.array([float(won >= level) for level in (-2, -1, 1, 2, 3)])
        assert expected(steps, mine, -3.0) == won
        turned_round(mine, 5)
        assert expected(steps, mine, -3.0) == -won


def test_a_step_goes_down_the_gradient_of_the_cross_entropy():
    """Every weight's step is what differences of the loss say."""
    game = ToldPig(20)
    s = Turn(7, 12, 5, MIN, False)
    layers, target, rate = some_layers(game, 3), np.array([0.3]), 1e-3

    def loss() -> float:
        (chance,) = thought(game, layers, s)[1]
        return -(target[0] * math.log(chance) + (1 - target[0]) * math.log(1 - chance))

    wanted = []
    for weights in (layers.first, layers.second):
        slopes = np.zeros_like(weights)
        for place in np.ndindex(*weights.shape):
            kept = weights[place]
            weights[place] = kept + 1e-5
            above = loss()
            weights[place] = kept - 1e-5
            slopes[place] = (above - loss()) / 2e-5
            weights[place] = kept
        wanted.append(-rate * slopes)
    before = layers.first.copy(), layers.second.copy()
    hidden, chances = thought(game, layers, s)
    step_down(game, layers.first, layers.second, hidden, chances, np.zeros(3), target, s, rate)
    for after, old, step in zip((layers.first, layers.second), before, wanted, strict=True):
        assert after - old == pytest.approx(step, rel=1e-4, abs=1e-12)


def test_the_target_is_the_lambda_return():
    """A game of two actions after the first: with trace 1 every state moves towards the result, with 0 towards the
    next estimate."""
    game = ToldPig(2)  # one roll of 2 to 6 wins at once, a 1 hands the turn on
    for trace in (0.0, 1.0):
        layers, tally = some_layers(game, 2), np.zeros(2)
        arrays = [np.zeros(2), np.zeros(2), np.zeros(1), np.zeros(1)]
        before = layers.first.copy()
        learn_from_games(
            game,
            layers.first,
            layers.second,
            steps_of(game),
            *arrays,
            tally,
            new_stream(4),
            3,
            trace,
            0.05,
            0.0,
            False,
        )
        assert tally[0] >= 3 and (layers.first != before).any() and np.isfinite(layers.first).all()


# ------------------------------------------------------------------ two speeds
def test_learning_is_the_same_at_both_speeds(tmp_path):
    """To the last bit: the games, the weights, the errors."""
    lessons = {}
    for native in (False, True):
        learner = TemporalDifferences(
            ToldPig(15), tmp_path / f"{native}.npz", games=40, units=4, batch=20, native=native, explore=0.1
        )
        lessons[native] = []
        learner.run(lambda lesson, native=native: lessons[native].append((lesson.games, lesson.states, lesson.error)))
    assert lessons[False] == lessons[True] and len(lessons[True]) == 2
    slow, fast = (read_layers(tmp_path / f"{native}.npz", ToldPig(15)) for native in (False, True))
    assert (slow.first == fast.first).all() and (slow.second == fast.second).all()
    assert slow.about == fast.about


@pytest.mark.full
def test_a_search_by_a_network_is_the_same_at_both_speeds():
    network = Network.of(some_layers(BACKGAMMON, 8), BACKGAMMON)
    slow, fast = (
        pf.search(BACKGAMMON, "4HPwATDgc/ABMA X 31", "star2", depth=1, evaluate=network, native=native)
        for native in (False, True)
    )
    assert (slow.value, slow.action, slow.nodes) == (fast.value, fast.action, fast.nodes)


# ------------------------------------------------------------------ stopping and going on
def test_stopped_and_gone_on_is_as_if_never_stopped(tmp_path):
    settings = {"units": 3, "batch": 10, "native": False, "seed": 5}
    whole = TemporalDifferences(ToldPig(10), tmp_path / "whole.npz", games=40, **settings)
    whole.run()

    def stop(lesson):
        if lesson.games == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        TemporalDifferences(ToldPig(10), tmp_path / "part.npz", games=40, **settings).run(stop)
    again = TemporalDifferences(ToldPig(10), tmp_path / "part.npz", games=40, **settings)
    assert again.games == 20
    again.run()
    assert (again.layers.first == whole.layers.first).all() and (again.layers.second == whole.layers.second).all()
    assert again.layers.about == whole.layers.about and again.games == 40
    with pytest.raises(PlyforgeError, match="a network of another run"):
        TemporalDifferences(ToldPig(10), tmp_path / "part.npz", games=40, **settings | {"seed": 6})
    further = TemporalDifferences(
        ToldPig(10), tmp_path / "further.npz", start=tmp_path / "whole.npz", games=10, native=False, trace=0.3
    )
    assert further.games == 0 and (further.layers.first == whole.layers.first).all()
    further.run()
    assert further.layers.about["learned"]["start"] == whole.layers.about


def test_what_is_no_network_is_refused(tmp_path):
    file = tmp_path / "network.npz"
    layers = some_layers(BACKGAMMON)
    write_layers(file, layers)
    back = read_layers(file, BACKGAMMON)
    assert (back.first == layers.first.astype(np.float32)).all() and back.about == {"game": "backgammon"}
    with pytest.raises(BadText, match="a network of 'backgammon', not of 'othello'"):
        read_layers(file, pf.load("othello"))
    write_layers(file, Layers(layers.first[:-1], layers.second, layers.about))
    with pytest.raises(BadText, match=r"layers of \(199, 5\)"):
        read_layers(file, BACKGAMMON)
    layers.first[3, 2] = np.nan
    write_layers(file, layers)
    with pytest.raises(BadText, match="not numbers"):
        read_layers(file, BACKGAMMON)
    for content in (b"", b"PK\x03\x04 cut short", json.dumps({"game": "backgammon"}).encode()):
        file.write_bytes(content)
        with pytest.raises(BadText, match="not a file of a network, or is damaged"):
            read_layers(file, BACKGAMMON)
    with pytest.raises(BadText, match="can't be read"):
        read_layers(tmp_path / "nowhere.npz", BACKGAMMON)


def test_what_makes_no_sense_is_refused(tmp_path):
    file = tmp_path / "network.npz"
    for settings, error, words in (
        ({"games": 0}, BadLimits, "at least 1"),
        ({"trace": 1.5}, BadLimits, "from 0 to 1"),
        ({"rate": 0.1, "last_rate": 0.2}, BadLimits, "not grow"),
        ({"units": 0}, BadRules, "1 to 1024"),
    ):
        with pytest.raises(error, match=words):
            TemporalDifferences("backgammon", file, **settings)
    with pytest.raises(Unsuitable, match="tells a network nothing"):
        TemporalDifferences("pig", file)
    with pytest.raises(Unsuitable, match="two sides"):
        TemporalDifferences("three_nim", file)
    uneven = ToldPig(10)
    levels = type("UnevenInputs", (PigInputs,), {"outcome_levels": (-1.0, 0.5, 1.0)})()
    object.__setattr__(uneven, "encoding", levels)
    with pytest.raises(BadRules, match="what one side has must be left"):
        levels_of(uneven)
    with pytest.raises(Unsuitable, match="no network comes with othello"):
        Network.own(pf.load("othello"))


def test_late_states_are_left_to_the_games_own_evaluation(tmp_path):
    """Nothing is learned from races; whoever reads the file gets both evaluations."""
    file = tmp_path / "network.npz"
    counts = {}
    for until_late in (False, True):
        file.unlink(missing_ok=True)
        learner = TemporalDifferences(
            "backgammon", file, games=2, units=2, batch=2, native=False, until_late=until_late
        )
        learner.run(lambda lesson, which=until_late: counts.update({which: lesson.states}))
    assert 0 < counts[True] != counts[False]
    both = learned_opinion(file, BACKGAMMON)
    assert isinstance(both, Staged) and both.late == OwnEvaluation()
    race, fight = pf.parse_state(BACKGAMMON, "AQAABAAAAAAAAA X"), pf.state_after(BACKGAMMON, "X31", "8/5 6/5")
    assert both.estimate(BACKGAMMON, race) == BACKGAMMON.evaluate(race)
    assert both.estimate(BACKGAMMON, fight) == both.early.estimate(BACKGAMMON, fight)


# ------------------------------------------------------------------ that it learns
def test_what_is_learned_comes_near_the_exact_values_of_pig(tmp_path):
    """Value iteration knows them; before learning the network takes every state for even."""
    game = ToldPig(15)
    exact = pf.solve.value_iteration(game, native=False)
    states = [s for s in exact.values if not game.terminal(s) and s.collected < 10 and not s.rolling]

    def off(layers: Layers) -> float:
        network = Network.of(layers, game)
        return sum(abs(network.estimate(game, s) - exact.value_of(s)) for s in states) / len(states)

    learner = TemporalDifferences(game, tmp_path / "pig.npz", games=4000, units=8, seed=2)
    before = off(learner.layers)
    learner.run()
    assert off(learner.layers) < 0.4 * before


def test_a_player_takes_a_network_by_name(tmp_path):
    file = tmp_path / "network.npz"
    write_layers(file, some_layers(BACKGAMMON))
    player = parse_player(f"star2:depth=1,network={file}", BACKGAMMON)
    assert isinstance(player.evaluate, Network) and player.description == f"star2:depth=1,network={file}"
    with pytest.raises(BadText, match="can't be read"):
        parse_player("star2:depth=1,network=/no/such/file.npz", BACKGAMMON)
    with pytest.raises(PlyforgeError):
        parse_player("random:network=own", BACKGAMMON)


def test_the_command_learns_goes_on_and_says_so(tmp_path, capsys, monkeypatch):
    def run(*words: str, code: int = 0) -> dict:
        with pytest.raises(SystemExit) as ended:
            main(["learn", *words, "--json"])
        assert ended.value.code == code
        return json.loads(capsys.readouterr().out)

    file = str(tmp_path / "network.npz")
    monkeypatch.setattr("plyforge.learn.temporal_differences.BATCH", 2)
    words = ("connect4(width=4, height=4)", "-o", file, "--units", "2", "--interpreted")
    said = run(*words, "--games", "2")
    assert (said["games"], said["units"], said["interrupted"], said["judged"]) == (2, 2, False, None)
    said = run(*words, "--games", "4", "--judge", "2")
    assert said["games"] == 4 and -1 <= said["judged"]["mean"] <= 1


@pytest.mark.skipif(not own_network(BACKGAMMON).is_file(), reason="no network comes with backgammon")
def test_the_network_that_comes_with_backgammon_knows_the_opening():
    """31 is played 8/5 6/5 and 61 13/7 8/7 by everybody, and the network's chances are in order."""
    network = opinion(BACKGAMMON)
    assert isinstance(network, Staged) and isinstance(network.early, Network)
    for state, play in (("4HPwATDgc/ABMA X 31", "8/5 6/5"), ("4HPwATDgc/ABMA X 61", "13/7 8/7")):
        found = pf.search(BACKGAMMON, state, "star2", depth=1, evaluate=network, native=True)
        assert found.text(found.action) == play
    layers = read_layers(own_network(BACKGAMMON), BACKGAMMON)
    chances = thought(BACKGAMMON, layers, pf.state_after(BACKGAMMON, "X31", "8/5 6/5"))[1]
    assert list(chances) == sorted(chances, reverse=True) and 0.4 < chances[2] < 0.5
