"""Matches of backgammon: the cube, Crawford's game, the score; text, files, two speeds."""

from __future__ import annotations

import random

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.check import check
from plyforge.contract import CHANCE, MAX, MIN
from plyforge.errors import BadRules, BadText, IllegalAction, Unsuitable
from plyforge.games.backgammon.board import OPENING
from plyforge.games.backgammon.mat import read_mat, write_mat
from plyforge.games.backgammon.match import AFTER, BOTH, CRAWFORD, DECIDING, NOT_YET, BackgammonMatch, Stand
from plyforge.play.formats.mat import mat_match_of, play_mat
from plyforge.play.session import GameSession

SEVEN = BackgammonMatch(7)
LAST_CHECKER = "AQAABAAAAAAAAA"  # each side has one checker on its first point


def names(game: BackgammonMatch, s: Stand) -> list[str]:
    return [pf.format_action(game, s, action) for action in pf.legal_moves(game, s)]


def one_roll_from_the_end(game: BackgammonMatch, rest: str) -> Stand:
    """X to roll, and any roll wins a single game."""
    return pf.parse_state(game, f"{LAST_CHECKER} X {rest}")


# ------------------------------------------------------------------ the cube
def test_nobody_doubles_before_the_first_roll_then_either_may():
    s = pf.state_after(SEVEN, "O31")
    assert SEVEN.player(s) == MIN and len(pf.legal_moves(SEVEN, s)) > 2
    s = pf.state_after(SEVEN, "8/5 6/5", state=s)
    assert (SEVEN.player(s), names(SEVEN, s), s.owner) == (MAX, ["roll", "double"], BOTH)


def test_a_double_that_is_taken_goes_to_whoever_took_it():
    s = pf.state_after(SEVEN, "X31", "8/5 6/5", "double")
    assert (SEVEN.player(s), names(SEVEN, s), s.cube) == (MAX, ["take", "drop"], 1)
    s = pf.state_after(SEVEN, "take", state=s)
    assert (s.cube, s.owner, SEVEN.player(s)) == (2, MAX, CHANCE)  # O doubled, and rolls
    s = pf.state_after(SEVEN, "42", "8/4 6/4", state=s)
    assert (SEVEN.player(s), names(SEVEN, s)) == (MAX, ["roll", "double"])
    s = pf.state_after(SEVEN, "roll", "21", "13/11 6/5", state=s)
    assert SEVEN.player(s) == CHANCE  # the cube is X's: O can only roll


def test_a_double_that_is_dropped_loses_what_the_cube_showed():
    s = pf.state_after(SEVEN, "X31", "8/5 6/5", "double", "drop")
    assert (s.max_score, s.min_score, s.cube, s.owner) == (0, 1, 1, BOTH) and s.board.dice == OPENING
    s = pf.state_after(SEVEN, "X31", "8/5 6/5", "double", "take", "42", "8/4 6/4", "double", "drop")
    assert (s.max_score, s.min_score) == (2, 0)


@pytest.mark.parametrize(
    ("loser", "times"),
    [("one checker off", 1), ("none off", 2), ("none off, one in the winner's home", 3)],
)
def test_points_are_those_of_the_game_times_the_cube(loser, times):
    """X bears off its last checker with the cube at 2."""
    from plyforge.games.backgammon.board import Position, from_counts

    points = {
        "one checker off": {1: 14},
        "none off": {1: 15},
        "none off, one in the winner's home": {1: 14, 24: 1},
    }[loser]
    sides = []
    for lying in ({1: 1}, points):
        counts = [0] * 26
        for point, number in lying.items():
            counts[point] = number
        sides.append(from_counts(counts))
    s = Stand(Position(*sides[0], *sides[1], 21, MAX), 2, MIN, 0, 0, 0, NOT_YET)
    (play,) = pf.legal_moves(SEVEN, s)
    after = SEVEN.result(s, play)
    assert (after.max_score, after.min_score) == (2 * times, 0)


def test_a_cube_that_would_be_of_no_use_is_not_turned():
    """At 4-0 to 7 whoever owns a cube of 4 wins the match with the game: there is nothing to double for. The other
    side still may, at 2."""
    s = pf.parse_state(SEVEN, f"{LAST_CHECKER} X cube 4 X score 4-0")
    assert SEVEN.player(s) == CHANCE and not SEVEN.may_double(s)
    assert SEVEN.may_double(pf.parse_state(SEVEN, f"{LAST_CHECKER} X cube 4 X score 2-0"))
    assert not BackgammonMatch(7, cube=False).may_double(pf.state_after(SEVEN, "X31", "8/5 6/5"))


# ------------------------------------------------------------------ the match
def test_crawfords_game_is_the_first_at_one_point_from_the_end_and_has_no_cube():
    s = one_roll_from_the_end(SEVEN, "cube 1 - score 5-6 after")
    s = pf.parse_state(SEVEN, pf.format_state(SEVEN, s))
    assert s.crawford == AFTER and SEVEN.may_double(s)
    s = one_roll_from_the_end(SEVEN, "cube 1 - score 5-3")
    after = pf.state_after(SEVEN, "21", "1/off", state=s)
    assert (after.max_score, after.min_score, after.crawford) == (6, 3, CRAWFORD)
    s = pf.state_after(SEVEN, "O31", "8/5 6/5", state=after)
    assert SEVEN.player(s) == CHANCE  # no question of doubling
    s = pf.parse_state(SEVEN, f"{LAST_CHECKER} O cube 1 - score 6-3 crawford")
    after = pf.state_after(SEVEN, "21", "1/off", state=s)
    assert (after.max_score, after.min_score, after.crawford) == (6, 4, AFTER)
    s = pf.state_after(SEVEN, "X31", "8/5 6/5", state=after)
    assert (SEVEN.player(s), names(SEVEN, s)) == (MIN, ["roll", "double"])
    plain = BackgammonMatch(7, crawford=False)
    s = pf.parse_state(plain, f"{LAST_CHECKER} X cube 1 - score 5-3")
    after = pf.state_after(plain, "21", "1/off", "X31", "8/5 6/5", state=s)
    assert after.crawford == NOT_YET and (plain.player(after), names(plain, after)) == (
        MIN,
        ["roll", "double"],
    )


def test_the_match_ends_with_the_points():
    s = one_roll_from_the_end(SEVEN, "cube 4 O score 3-5")
    after = pf.state_after(SEVEN, "21", "1/off", state=s)
    assert SEVEN.terminal(after) and (SEVEN.utility(after), SEVEN.winner(after)) == (1.0, MAX)
    assert pf.parse_state(SEVEN, pf.format_state(SEVEN, after)) == after


def test_a_whole_match_by_chance_is_lawful_and_read_back():
    game = BackgammonMatch(5)
    stream = random.Random(4)
    session = GameSession(game, seed=3)
    doubled = 0
    while not session.over:
        s = session.state
        assert pf.parse_state(game, pf.format_state(game, s)) == s
        if game.player(s) == CHANCE:
            session.draw()
        else:
            action = stream.choice(pf.legal_moves(game, s))
            doubled += s.cube_phase == DECIDING and action == 1
            session.play(action)
    assert max(session.state.max_score, session.state.min_score) == 5 and doubled
    # as a file, and back
    written = write_mat(mat_match_of(session, ("Anna", "Bert")))
    again = read_mat(written)
    assert again.length == 5 and write_mat(again) == written
    assert sum("Doubles" in line for line in written.splitlines()) == doubled
    assert play_mat(again).state == session.state


def test_the_estimate_is_janowskis_at_even_games_and_grows_with_the_game():
    """At 4 away, 2 away (3-5 to 7) the one ahead has 0.5 + 0.85 * 2 / 10 = 0.67."""
    assert SEVEN.match_chance(5, 3) == pytest.approx(0.67) and SEVEN.match_chance(3, 5) == pytest.approx(0.33)
    assert SEVEN.match_chance(7, 6) == 1.0 and SEVEN.match_chance(0, 0) == 0.5
    even = pf.state_after(SEVEN, "X31")
    assert abs(SEVEN.evaluate(even._replace(cube=1))) < 0.2
    good = pf.parse_state(SEVEN, f"{LAST_CHECKER} X cube 1 - score 0-0")
    bad = pf.parse_state(SEVEN, f"{LAST_CHECKER} O cube 1 - score 0-0")
    assert SEVEN.evaluate(good) > 0 > SEVEN.evaluate(bad)
    assert SEVEN.evaluate(good._replace(cube=4)) > SEVEN.evaluate(good)


def test_a_search_doubles_what_is_sure_and_drops_what_is_lost():
    """Any roll wins: double, and the other side drops: 1 point either way, and it is all the same; at a cube that
    wins the match it must be dropped."""
    s = one_roll_from_the_end(SEVEN, "cube 1 - score 0-0 offered")
    found = pf.search(SEVEN, s, "expectiminimax", depth=3, native=False)
    assert found.text(found.action) == "drop"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4HPwATDgc/ABMA X", "is not a state of a match"),
        ("4HPwATDgc/ABMA X cube 3 X score 0-0", "the cube shows 3"),
        ("4HPwATDgc/ABMA X cube 1 X score 0-0", "in the middle exactly while"),
        ("4HPwATDgc/ABMA X cube 2 - score 0-0", "in the middle exactly while"),
        ("4HPwATDgc/ABMA X cube 1 - score 8-0", "the score is 8-0"),
        ("4HPwATDgc/ABMA X cube 1 - score 7-0", "the match is over"),
        ("4HPwATDgc/ABMA X cube 1 - score 6-0", "Crawford's game is this one"),
        ("4HPwATDgc/ABMA X cube 1 - score 5-0 crawford", "first at one point"),
        ("4HPwATDgc/ABMA X cube 1 - score 5-0 after", "still to come"),
        ("4HPwATDgc/ABMA X cube 2 O score 6-0 crawford", "nobody may have doubled"),
        ("4HPwATDgc/ABMA X 31 cube 1 - score 0-0 decide", "nobody may double here"),
        ("4HPwATDgc/ABMA X cube 2 O score 0-0 offered", "nobody may double here"),
    ],
)
def test_text_that_is_no_state_is_refused(text, words):
    with pytest.raises(BadText, match=words):
        pf.parse_state(SEVEN, text)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(BadRules, match="1 to 99 points"):
        BackgammonMatch(0)
    with pytest.raises(BadText, match="write roll or double"):
        pf.parse_action(SEVEN, pf.state_after(SEVEN, "X31", "8/5 6/5"), "take")
    with pytest.raises(Unsuitable, match="games for money"):
        play_mat(read_mat(" 0 point match\n\n Game 1\n A : 0        B : 0\n  1) 31: 8/5 6/5\n"))
    with pytest.raises((IllegalAction, BadText)):
        pf.state_after(SEVEN, "X31", "8/5 6/5", "drop")


def test_the_checker_finds_nothing():
    report = check(BackgammonMatch(3), states=80, native=False)
    assert report.ok, report


@compiles
@pytest.mark.full
def test_both_speeds_agree():
    game = BackgammonMatch(3)
    s = pf.state_after(game, "X31", "8/5 6/5", "double")
    slow, fast = (pf.search(game, s, "expectiminimax", depth=2, native=native) for native in (False, True))
    assert (slow.value, slow.values, slow.nodes, slow.line) == (
        fast.value,
        fast.values,
        fast.nodes,
        fast.line,
    )
