"""Score and Elo with their intervals: against published figures, and against brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest

from plyforge.play.match.rating import elo, estimate, expected, student


@pytest.mark.parametrize(
    ("score", "difference"), [(0.5, 0.0), (0.75, 190.8), (0.64, 100.0), (0.76, 200.2), (10 / 11, 400.0)]
)
def test_elo_is_what_the_tables_say(score, difference):
    assert elo(score) == pytest.approx(difference, abs=0.06)
    assert elo(1 - score) == pytest.approx(-difference, abs=0.06)
    assert expected(difference) == pytest.approx(score, abs=2e-4)


def test_certain_scores_have_no_finite_elo():
    assert elo(1.0) == math.inf and elo(0.0) == -math.inf


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (10, 2.228), (30, 2.042), (60, 2.000), (120, 1.980)],
)  # fmt: skip
def test_students_t_is_what_the_tables_say(degrees, quantile):
    assert student(degrees) == pytest.approx(quantile, abs=6e-4)
    assert student(10**6) == pytest.approx(1.96, abs=5e-3)


def test_without_games_there_is_no_estimate():
    assert estimate([]) is None and estimate([[], []]) is None


def test_of_whole_pairs_the_interval_is_that_of_the_mean_of_pair_scores():
    rng = np.random.default_rng(1)
    pairs = rng.choice([0.0, 0.5, 1.0], size=(40, 2))
    found = estimate(pairs.tolist())
    assert found is not None
    means = pairs.mean(axis=1)
    error = means.std(ddof=1) / math.sqrt(40)
    assert found.score == pytest.approx(means.mean())
    assert found.high - found.score == pytest.approx(2.0227 * error, rel=1e-3)  # t with 39 degrees of freedom
    assert found.score - found.low == pytest.approx(2.0227 * error, rel=1e-3)


def test_all_won_is_no_proof_of_certainty():
    """With a pair lost with probability 1 - p, k pairs are all won with probability p^k: the bound is where that is
    2.5 %."""
    for pairs in (1, 5, 50):
        found = estimate([[1.0, 1.0]] * pairs)
        assert found is not None
        assert (found.score, found.high) == (1.0, 1.0)
        assert found.low**pairs == pytest.approx(0.025)
        assert found.elo_text() == f"more than {elo(found.low):+.0f}"
        lost = estimate([[0.0, 0.0]] * pairs)
        assert lost is not None and lost.high == pytest.approx(1 - found.low)
        assert lost.elo_text() == f"less than {-elo(found.low):+.0f}"
        assert lost.to_json()["elo"] is None and found.to_json()["elo_high"] is None


def test_pairs_that_split_say_nothing_about_strength_but_much_about_colour():
    """If the first player always wins, 100 games are 50 pairs of 1 : 1, far more certain than 100 games with 50 wins
    by luck."""
    found = estimate([[1.0, 0.0]] * 50)
    assert found is not None and found.score == 0.5
    assert 0.46 < found.low < 0.5 < found.high < 0.54
    luck = estimate([[1.0, 1.0], [0.0, 0.0]] * 25)  # openings decide: 50 independent results, not 100
    assert luck is not None and luck.score == 0.5
    assert luck.high - luck.low == pytest.approx(2 * 2.0096 * math.sqrt(0.25 / 49), rel=1e-3)


def simulate(rng, pairs: int, win: float, draw: float, colour: float, opening: float) -> list[list[float]]:
    """Pairs of games; `colour` and `opening` move the chance to win, for the first player and for one seat of the
    opening."""
    games = np.zeros((pairs, 2))
    bias = rng.choice([-opening, opening], size=pairs)
    for seat, sign in ((0, 1.0), (1, -1.0)):
        chance = np.clip(win + sign * (colour + bias), 0.0, 1.0 - draw)
        number = rng.random(pairs)
        games[:, seat] = np.where(number < chance, 1.0, np.where(number < chance + draw, 0.5, 0.0))
    return games.tolist()


@pytest.mark.parametrize("pairs", [10, 50])
@pytest.mark.parametrize(
    ("win", "draw", "colour", "opening"),
    [
        (0.5, 0.0, 0.0, 0.0),  # a fair coin
        (0.3, 0.4, 0.0, 0.0),  # many draws
        (0.6, 0.1, 0.25, 0.0),  # the first player has the advantage
        (0.5, 0.0, 0.0, 0.45),  # the opening decides
        (0.85, 0.1, 0.0, 0.0),  # nearly always won
        (0.97, 0.0, 0.0, 0.0),
    ],
)
def test_the_interval_holds_the_true_score_in_about_95_of_100_matches(pairs, win, draw, colour, opening):
    rng = np.random.default_rng(7)
    truth = np.mean(simulate(rng, 400_000, win, draw, colour, opening))
    tries = 1500
    found = [estimate(simulate(rng, pairs, win, draw, colour, opening)) for _ in range(tries)]
    held = sum(one is not None and one.low <= truth <= one.high for one in found) / tries
    assert held >= 0.935, "too narrow"
    if 0.25 < truth < 0.75 and pairs == 50:
        assert held <= 0.975, "wider than it says"


def test_a_game_whose_partner_does_not_count_is_counted_alone():
    whole = estimate([[1.0, 0.5], [0.0, 1.0], [1.0, 1.0]])
    part = estimate([[1.0, 0.5], [0.0, 1.0], [1.0]])
    assert whole is not None and part is not None
    assert (whole.games, part.games) == (6, 5)
    assert part.score == pytest.approx(3.5 / 5)
    assert part.low < part.score < part.high
