"""Time as GTP counts it: worked examples of each way to give time."""

from __future__ import annotations

import math

import pytest

from plyforge.play.protocols.gtp.clock import TimeLeft, TimeSettings


def after(settings, *moves):
    """How a clock stands after moves of so many seconds: what is left, and stones or periods."""
    left = TimeLeft.at_start(settings)
    for seconds in moves:
        left = left.spend(seconds)
    return left.left, left.stones


def test_absolute_time_runs_out():
    settings = TimeSettings.gtp(60, 0, 0)
    assert after(settings, 20, 30) == (10, 0)
    assert after(settings, 70) == (-10, 0)
    assert TimeLeft(settings, -10).clock().hard_seconds < 0.001


def test_canadian_periods_follow_each_other():
    settings = TimeSettings.gtp(10, 30, 3)
    assert after(settings, 4) == (6, 0)
    assert after(settings, 4, 8) == (28, 2), "two seconds of the period are gone, and one stone is played"
    assert after(settings, 4, 8, 10) == (18, 1)
    assert after(settings, 4, 8, 10, 5) == (30, 3), "a new period"
    assert after(TimeSettings.gtp(0, 30, 3)) == (30, 3), "without main time overtime begins at once"


def test_a_byoyomi_period_is_lost_only_by_a_move_longer_than_it():
    settings = TimeSettings.named(["byoyomi", "10", "5", "3"])
    assert after(settings, 4) == (6, 0)
    assert after(settings, 12) == (5, 3), "two seconds into the first period, which comes back whole"
    assert after(settings, 12, 4.9) == (5, 3)
    assert after(settings, 12, 6) == (5, 2)
    assert after(settings, 17) == (5, 2)
    assert after(settings, 12, 600) == (5, 1), "the last one stays: who has lost is for others to say"


def test_fischer_adds_after_each_move_up_to_its_limit():
    assert after(TimeSettings.named(["fischer", "60", "5"]), 10, 10) == (50, 0)
    assert after(TimeSettings.named(["fischer-capped", "60", "10", "60", "12"]), 3) == (60, 0)
    assert after(TimeSettings.named(["fischer-capped", "60", "10", "-1", "12"]), 3) == (67, 0)
    capped = TimeLeft.at_start(TimeSettings.named(["fischer-capped", "600", "100", "-1", "12"]))
    assert capped.clock().hard_seconds <= 12


@pytest.mark.parametrize(
    ("main", "period", "stones", "kind"),
    [
        (60, 0, 0, "absolute"),
        (60, 10, 0, "none"),
        (0, 0, 0, "none"),
        (60, 10, 5, "canadian"),
        (0, 10, 1, "canadian"),
    ],
)
def test_the_three_numbers_mean_what_the_standard_says(main, period, stones, kind):
    assert TimeSettings.gtp(main, period, stones).kind == kind


def test_what_time_left_says_goes_before_what_was_counted():
    left = TimeLeft.at_start(TimeSettings.gtp(60, 10, 5)).spend(50).told(33, 0)
    assert (left.left, left.stones) == (33, 0)
    left = left.told(8, 4)
    assert left.clock().moves_to_go == 4 and left.clock().remaining <= 8
    byoyomi = TimeLeft.at_start(TimeSettings.named(["byoyomi", "20", "5", "3"])).told(10, 7)
    assert (byoyomi.left, byoyomi.stones) == (5, 3), "neither more time nor more periods than there are"


def test_small_main_time_is_no_reason_to_hurry_where_overtime_follows():
    for words in ("byoyomi 1 10 3", "canadian 1 10 1"):
        clock = TimeLeft.at_start(TimeSettings.named(words.split())).clock()
        assert 9 < clock.soft_seconds < 10
    clock = TimeLeft.at_start(TimeSettings.named(["canadian", "600", "10", "5"])).clock()
    assert clock.moves_to_go is None and clock.soft_seconds > 10, "and large main time is not lost in overtime's pace"


@pytest.mark.parametrize(
    "words",
    [
        "",
        "absolute",
        "absolute x",
        "byoyomi 1 2",
        "byoyomi 1 2 2.5",
        "fischer -1 2",
        "absolute nan",
        "absolute inf",
    ],
)
def test_what_makes_no_sense_is_refused(words):
    with pytest.raises((ValueError, IndexError)):
        TimeSettings.named(words.split())


def test_no_clock_allows_more_than_there_is():
    for words in ("absolute 60", "canadian 20 10 3", "byoyomi 20 7 7", "fischer 60 5"):
        settings = TimeSettings.named(words.split())
        for left in (-5, 0, 0.01, 1, 20, 100):
            for stones in (0, 1, 3):
                stand = TimeLeft.at_start(settings).told(left, stones)
                clock = stand.clock()
                most = max(stand.left, 0.001) + (settings.period if settings.kind != "fischer" else 0)
                if stones and settings.kind in ("canadian", "byoyomi"):
                    most = max(stand.left, 0.001)
                assert 0 < clock.hard_seconds <= most and math.isfinite(clock.hard_seconds)


def test_a_clock_that_is_told_of_without_settings_is_kept_all_the_same():
    unlimited = TimeLeft.at_start(TimeSettings())
    assert unlimited.clock() is None
    assert unlimited.told(1.0, 0).clock().hard_seconds < 1.0
    assert unlimited.told(10.0, 5).clock().moves_to_go == 5
    assert unlimited.told(0.0, 0).clock() is None, "no clock runs"


def test_in_the_middle_of_a_move_only_time_has_gone():
    left = TimeLeft.at_start(TimeSettings.named(["byoyomi", "0", "10", "3"]))
    assert (left.thinking(4).left, left.thinking(4).stones) == (6, 3)
    assert left.thinking(4).spend(3) == left.spend(7)


def test_a_limit_for_each_move_keeps_something_back_for_the_way():
    capped = TimeLeft.at_start(TimeSettings.named(["fischer-capped", "600", "1", "-1", "30"]))
    assert 29 < capped.clock().hard_seconds <= 29.8
