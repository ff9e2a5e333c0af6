"""Tuning: the method on a noisy quadratic whose maximum is known, and games that go on from a record."""

from __future__ import annotations

import contextlib
import json
import math
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from plyforge.cli import plyforge_command
from plyforge.errors import BadLimits, BadText, PlyforgeError
from plyforge.play import parse_player
from plyforge.play.contests.tune import Iteration, Spsa, Tuned, Tuning
from plyforge.play.match.rating import expected

BEST = {"one": 3.0, "two": 70.0, "three": 0.25}
TUNED = [Tuned("one", 9.0, 0.0, 10.0), Tuned("two", 10.0, 0.0, 100.0, whole=True), Tuned("three", 0.9, 0.0, 1.0)]


def strength(values: Mapping[str, float]) -> float:
    """In Elo: a parabola, 300 below its top at a distance of a range."""
    return -sum(300.0 * ((values[each.name] - BEST[each.name]) / (each.high - each.low)) ** 2 for each in TUNED)


def tuned(iterations: int, seed: int) -> dict[str, float]:
    """What simulated pairs of games, with all their luck, lead to."""
    spsa, luck = Spsa(TUNED, iterations, seed), random.Random(seed)
    for number in range(1, iterations + 1):
        plus, minus = spsa.sides(number)
        share = expected(strength(plus) - strength(minus))
        points = sum(luck.random() < share for _ in range(2)) - 1.0
        spsa.take(Iteration(number, spsa.flips(number), points))
    return spsa.values


def test_on_a_noisy_quadratic_it_converges() -> None:
    start = strength({each.name: each.start for each in TUNED})
    found = [strength(tuned(3000, seed)) for seed in range(3)]
    assert start < -300 and sum(found) / 3 > -15, found
    short = [strength(tuned(60, seed)) for seed in range(6)]
    assert sum(short) / 6 < sum(found) / 3, "more iterations come closer"


def test_without_noise_it_reaches_the_maximum() -> None:
    spsa = Spsa(TUNED, 2000, 1)
    for number in range(1, 2001):
        plus, minus = spsa.sides(number)
        points = math.tanh((strength(plus) - strength(minus)) / 50)
        spsa.take(Iteration(number, spsa.flips(number), points))
    for each in TUNED:
        assert spsa.values[each.name] == pytest.approx(BEST[each.name], abs=0.03 * (each.high - each.low))


def test_steps_shrink_as_spall_says() -> None:
    spsa = Spsa(TUNED[:1], 1000)
    spsa.places = [0.5]
    sizes = [abs(plus["one"] - minus["one"]) / 20 for plus, minus in (spsa.sides(k) for k in (1, 10, 1000))]
    assert sizes[0] / sizes[1] == pytest.approx(10**0.101, rel=1e-3)
    assert sizes[2] == pytest.approx(0.1, rel=1e-3), "at the end a step is a tenth of the range"


SETTINGS: dict[str, Any] = {"iterations": 6, "native": False, "opening_plies": 1, "seed": 2}


def test_games_tune_a_search_and_go_on_where_they_were(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(state: Any) -> None:
        if state.done == 3:
            raise Enough

    record, player = tmp_path / "t.jsonl", "uct:simulations=15,seed=1"
    whole = Tuning("tic_tac_toe", player, ["exploration=0.1..4"], **SETTINGS).run()
    with pytest.raises(Enough):
        Tuning("tic_tac_toe", player, ["exploration=0.1..4"], record=record, **SETTINGS).run(stop)
    assert record.read_text().count("\n") == 4
    played: list[int] = []
    tuning = Tuning("tic_tac_toe", player, ["exploration=0.1..4"], record=record, **SETTINGS)
    measure = tuning._by_games(contextlib.ExitStack())
    tuning._measure = lambda number, *sides: played.append(number) or measure(number, *sides)  # type: ignore[func-returns-value]
    assert tuning.run() == whole and played == [4, 5, 6]
    assert Tuning("tic_tac_toe", player, ["exploration=0.1..4"], workers=2, **SETTINGS).run() == whole
    assert parse_player(whole.player, "tic_tac_toe").options["exploration"] == whole.values["exploration"]  # type: ignore[union-attr]
    with pytest.raises(PlyforgeError, match="not the record of this"):
        Tuning("tic_tac_toe", player, ["exploration=0.1..3"], record=record, **SETTINGS).run()


def test_the_command_line_ends_with_a_player(tmp_path: Path) -> None:
    words = ["tune", "tic_tac_toe", "--player", "uct:simulations=10,seed=1", "--parameters", "exploration"]
    words += ["--iterations", "2", "--interpreted", "--opening-plies", "1"]
    run = CliRunner().invoke(plyforge_command, [*words, "--json"])
    assert run.exit_code == 0, run.output
    said = json.loads(run.stdout)
    assert said["finished"] and said["player"].startswith("uct:simulations=10,seed=1,exploration=")
    assert said["player"] in CliRunner().invoke(plyforge_command, words).stdout.replace("\n", "")


@pytest.mark.parametrize(
    "player, parameters, error, words",
    [
        ("uct:simulations=10", ["speed"], BadText, "no number 'speed' to tune; it has"),
        ("uct:simulations=10", ["exploration=a..b"], BadText, "not understood"),
        ("uct:simulations=10", ["exploration=3..4"], BadLimits, "has to lie within 3..4"),
        ("uct:simulations=10", ["exploration", "exploration"], BadText, "named twice"),
        ("uct:simulations=10", [], BadLimits, "nothing to tune"),
        ("uct:seconds=1", ["exploration"], BadText, "a limit that is not time"),
        ("random", ["exploration"], BadText, "has no parameters"),
    ],
)
def test_what_can_not_be_tuned_is_refused(player: str, parameters: list[str], error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        Tuning("tic_tac_toe", player, parameters, **SETTINGS)
