"""The sequential test: fishtest's published figures, the closed form that it comes from, and its errors."""

from __future__ import annotations

import bisect
import itertools
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from plyforge.cli import plyforge_command
from plyforge.errors import BadLimits, BadText
from plyforge.play import Match, Sprt
from plyforge.play.match.rating import expected
from plyforge.play.match.sprt import SCORES, log_likelihood_ratio

# Pairs by score, bounds in Elo, and the LLR that fishtest printed at the end of the test, from pull requests of
# Stockfish: numbers 3098, 3209, 2950, 2971, 3331, 2493.
FISHTEST = [
    ((491, 7345, 29693, 7670, 465), -0.25, 1.25, 2.96),
    ((53, 2220, 21459, 2445, 47), 0.25, 1.25, 2.97),
    ((253, 4282, 17604, 4431, 286), -0.25, 1.25, 2.94),
    ((58, 3302, 33130, 3518, 84), 0.25, 1.25, 2.97),
    ((133, 1751, 5094, 1849, 165), -0.5, 1.5, 2.94),
    ((149, 4748, 32785, 5063, 159), 0.25, 1.75, 2.95),
    ((17, 253, 1042, 337, 39), -0.5, 1.5, 2.96),
    ((11, 407, 3238, 513, 11), 0.25, 1.75, 2.93),
    ((115, 2196, 11328, 2317, 136), -0.25, 1.25, 2.94),
    ((424, 2948, 5832, 3045, 460), -1.0, 3.0, 2.94),
]


@pytest.mark.parametrize("counts, elo0, elo1, llr", FISHTEST)
def test_what_fishtest_printed(counts: tuple[int, ...], elo0: float, elo1: float, llr: float) -> None:
    assert Sprt(elo0, elo1).llr(counts) == pytest.approx(llr, abs=0.0051)


@pytest.mark.parametrize("counts, elo0, elo1, llr", FISHTEST)
def test_its_limit_for_close_hypotheses(counts: tuple[int, ...], elo0: float, elo1: float, llr: float) -> None:
    number = sum(counts)
    mean = sum(count * score for count, score in zip(counts, SCORES, strict=True)) / number
    variance = sum(count * (score - mean) ** 2 for count, score in zip(counts, SCORES, strict=True)) / number
    s0, s1 = expected(elo0), expected(elo1)
    closed = number * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(elo0, elo1).llr(counts) == pytest.approx(closed, rel=0.01)


def test_two_scores_have_one_answer() -> None:
    """With wins and losses alone the probabilities are fixed by the expected score."""
    wins, losses, s0, s1 = 30, 20, 0.5, 0.6
    closed = wins * math.log(s1 / s0) + losses * math.log((1 - s1) / (1 - s0))
    assert log_likelihood_ratio((losses, 0, 0, 0, wins), s0, s1) == pytest.approx(closed, abs=1e-3)


def test_bounds_are_wald_s() -> None:
    assert Sprt().bounds == pytest.approx((-2.944, 2.944), abs=5e-4)
    low, high = Sprt(alpha=0.01, beta=0.2).bounds
    assert (math.exp(low), math.exp(high)) == pytest.approx((0.2 / 0.99, 0.8 / 0.01))


def accepted(test: Sprt, shares: tuple[float, ...], runs: int, seed: int) -> int:
    """In how many simulated matches H1 is accepted."""
    luck, upto, found = random.Random(seed), list(itertools.accumulate(shares)), 0
    for _ in range(runs):
        pairs = (bisect.bisect(upto, luck.random()) / 2 for _ in range(100_000))
        verdict = test.after(min(2.0, points) for points in pairs)
        assert verdict.accepted is not None
        found += verdict.accepted == "H1"
    return found


EVEN = (0.08, 0.24, 0.36, 0.24, 0.08)
"""Of pairs between players of the same strength."""


@pytest.mark.parametrize("runs, elo1", [(150, 60.0), pytest.param(2000, 30.0, marks=pytest.mark.full)])
def test_equal_players_are_rarely_told_apart(runs: int, elo1: float) -> None:
    bound = 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert accepted(Sprt(0.0, elo1), EVEN, runs, 1) / runs <= bound


def test_who_is_as_strong_as_said_is_nearly_always_found() -> None:
    tilt = expected(60.0) - 0.5  # shifts the mean of EVEN to that of 60 Elo
    shares = tuple(share * (1 + tilt * (score - 0.5) / 0.07) for share, score in zip(EVEN, SCORES, strict=True))
    assert sum(s * a for s, a in zip(shares, SCORES, strict=True)) == pytest.approx(expected(60.0), abs=1e-3)
    assert accepted(Sprt(0.0, 60.0), shares, 100, 2) >= 88


# ------------------------------------------------------------------ in a match
def test_a_match_stops_by_itself_and_goes_on_as_decided(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"games": 200, "opening_plies": 0, "native": False, "sprt": Sprt(0, 200)}
    one = Match("tic_tac_toe", "alpha_beta:depth=9", "random", workers=1, record=tmp_path / "a", **settings)
    one.run()
    verdict = one.verdict
    assert verdict is not None and verdict.accepted == "H1" and sum(verdict.counts) < 100
    two = Match("tic_tac_toe", "alpha_beta:depth=9", "random", workers=2, record=tmp_path / "b", **settings)
    two.run()
    assert two.verdict == verdict, "whoever finishes first"
    lines = (tmp_path / "a").read_text()
    again = Match("tic_tac_toe", "alpha_beta:depth=9", "random", record=tmp_path / "a", **settings)
    again.run()
    assert again.verdict == verdict and (tmp_path / "a").read_text() == lines, "nothing more is played"


def test_the_command_line_says_it_in_words_and_as_json(tmp_path: Path) -> None:
    words = ["match", "tic_tac_toe", "alpha_beta:depth=9", "random", "--sprt", "elo0=0,elo1=200", "--interpreted"]
    words += ["--opening-plies", "0", "--workers", "1", "--record", str(tmp_path / "m.jsonl")]
    run = CliRunner().invoke(plyforge_command, [*words, "--json"])
    said = json.loads(run.stdout)["sprt"]
    assert said["accepted"] == "H1" and said["llr"] > said["high"] > 2.94
    assert "H1 accepted" in CliRunner().invoke(plyforge_command, words).stdout


@pytest.mark.parametrize(
    "text, error",
    [
        ("elo0=5", None),
        ("elo0=10,elo1=5", BadLimits),
        ("elo0=a", BadText),
        ("elo2=3", BadText),
        ("elo0=0,elo0=1", BadText),
        ("alpha=0.7", BadLimits),
        ("elo1=nan", BadLimits),
        ("", BadText),
    ],
)
def test_a_test_that_is_none_is_refused(text: str, error: Any) -> None:
    if error is None:
        assert Sprt.parse(text) == Sprt(5.0, 10.0)
    else:
        with pytest.raises(error):
            Sprt.parse(text)
