"""The repeated prisoner's dilemma: backward induction leaves no cooperation, strategies do; scores follow by
arithmetic."""

from __future__ import annotations

import pytest

import plyforge as pf
from plyforge.games.simultaneous.repeated_prisoners_dilemma import COOPERATE, DEFECT, RepeatedPrisonersDilemma
from plyforge.kernel import new_stream
from plyforge.play.contests.dilemma import STRATEGIES, meet, tournament
from plyforge.solve import stage_equilibrium


@pytest.mark.parametrize("rounds", [1, 2, 10])
def test_with_a_last_round_everybody_defects_in_every_round(rounds: int) -> None:
    """The textbook's theorem: one stage has one equilibrium, so the repeated game has one that is perfect."""
    game = RepeatedPrisonersDilemma(rounds)
    solved = stage_equilibrium(game)
    assert solved.value == (rounds, rounds)
    assert all(profile == ((0.0, 1.0), (0.0, 1.0)) for profile in solved.mixes.values())


def test_text_is_read_back_and_nonsense_refused() -> None:
    game = RepeatedPrisonersDilemma(10)
    for text in ("10 --", "9 CD", "0 DD"):
        assert pf.format_state(game, pf.parse_state(game, text)) == text
    for text in ("", "10 CC", "9 --", "11 CC", "5 CX", "x CC"):
        with pytest.raises(pf.BadText):
            pf.parse_state(game, text)
    with pytest.raises(pf.BadRules):
        RepeatedPrisonersDilemma(0)


def points(one: str, other: str, rounds: int) -> tuple[float, float]:
    return meet(STRATEGIES[one], STRATEGIES[other], rounds, new_stream(1)).points


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("tit_for_tat", "tit_for_tat", (30, 30)),
        ("tit_for_tat", "always_defect", (9, 13)),  # deceived once
        ("always_cooperate", "always_defect", (0, 40)),
        ("grim", "always_defect", (9, 13)),
        ("tit_for_two_tats", "always_defect", (8, 16)),  # deceived twice
        ("pavlov", "always_defect", (5, 25)),  # cooperates every other round
        ("tit_for_tat", "suspicious_tit_for_tat", (20, 20)),  # for ever out of step: 0, 4, 0, 4 ...
        ("alternate", "always_cooperate", (35, 15)),
    ],
)
def test_ten_rounds_by_arithmetic(one: str, other: str, wanted: tuple[float, float]) -> None:
    assert points(one, other, 10) == wanted


def test_pavlov_and_a_suspicious_tit_for_tat_round_by_round() -> None:
    c, d = COOPERATE, DEFECT
    met = meet(STRATEGIES["pavlov"], STRATEGIES["suspicious_tit_for_tat"], 6, new_stream(1))
    assert met.choices == ((c, d), (d, c), (d, d), (c, d), (d, c), (d, d))


def test_a_tournament_counts_everybody_once_and_defecting_does_not_pay() -> None:
    played = tournament(["tit_for_tat", "always_defect", "always_cooperate"], rounds=100, repeats=2)
    assert played.scores["tit_for_tat"] == pytest.approx((3 + 3 + 0.99) / 3)
    assert played.scores["always_defect"] == pytest.approx((1.03 + 1 + 4) / 3)
    assert played.scores["always_cooperate"] == pytest.approx((3 + 3 + 0) / 3)
    assert played.names == ("tit_for_tat", "always_defect", "always_cooperate")
    assert set(played.errors.values()) == {0.0} and played.cooperation["always_defect"] == 0.0


def test_who_else_plays_does_not_change_a_meeting() -> None:
    few = tournament(["random", "joss"], rounds=20, repeats=2)
    many = tournament(["joss", "grim", "random"], rounds=20, repeats=2)
    assert {few.table["random", "joss"]} == {many.table["random", "joss"]}
    assert few == tournament(["random", "joss"], rounds=20, repeats=2)
    assert few.table != tournament(["random", "joss"], rounds=20, repeats=2, seed=2).table


def test_with_trembling_hands_forgiving_beats_grim() -> None:
    played = tournament(["generous_tit_for_tat", "tit_for_tat", "grim"], rounds=200, repeats=10, noise=0.05)
    assert played.table["generous_tit_for_tat", "generous_tit_for_tat"] > played.table["grim", "grim"] + 0.5
    assert all(error > 0.0 for error in played.errors.values())


@pytest.mark.parametrize(
    "arguments",
    [{"rounds": 0}, {"repeats": 0}, {"noise": 0.9}, {"names": ["tit_for_tatt"]}, {"names": ["grim", "grim"]}],
)
def test_what_makes_no_tournament_is_refused(arguments) -> None:
    with pytest.raises(pf.PlyforgeError):
        tournament(**arguments)
