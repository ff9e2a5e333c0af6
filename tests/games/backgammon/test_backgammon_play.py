"""What is built on the rules of backgammon: estimates, searches, bearing off, match files, GNU Backgammon."""

from __future__ import annotations

import os
import random
import shutil

import pytest

import plyforge as pf
from conftest import compiles
from known import backgammon
from plyforge.contract import CHANCE, MAX, MIN
from plyforge.evaluate import OwnEvaluation
from plyforge.evaluate.backgammon.bear_off import BearOff
from plyforge.evaluate.backgammon.features import HITS, pips_of
from plyforge.games.backgammon import Backgammon, Position
from plyforge.games.backgammon.bear_off import home_boards, home_index, home_positions
from plyforge.games.backgammon.board import BAR, from_counts
from plyforge.games.backgammon.mat import MatGame, MatMatch, MatTurn, read_mat, write_mat
from plyforge.play import GameSession
from plyforge.play.formats.mat import mat_of, session_of
from plyforge.play.players.given import contestant
from plyforge.solve import value_iteration
from plyforge.solve.sampling.bear_off import one_sided, read_home, two_sided

GAME = Backgammon()
GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path=os.environ.get("PATH", "") + ":/usr/games")
needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon (gnubg) is not installed here")


def exchanged(s: Position) -> Position:
    """The same position with the sides exchanged."""
    return Position(s.min_low, s.min_high, s.max_low, s.max_high, s.dice, MAX + MIN - s.player)


def some_positions(seed: int, number: int) -> list[Position]:
    """From games played at random, some of them late."""
    chance, found = random.Random(seed), []
    while len(found) < number:
        s = GAME.start()
        while not GAME.terminal(s) and len(found) < number:
            if GAME.player(s) != CHANCE and chance.random() < 0.05:
                found.append(s)
            s = GAME.result(s, chance.choice(pf.legal_moves(GAME, s)))
    return found


# ------------------------------------------------------------------ estimates
def test_exchanging_the_sides_changes_the_sign_of_everything():
    for s in some_positions(1, 40):
        other = exchanged(s)
        assert GAME.encoding.features(GAME, other) == tuple(-number for number in GAME.encoding.features(GAME, s)), (
            pf.format_state(GAME, s)
        )
        assert GAME.encoding.phase(GAME, other) == GAME.encoding.phase(GAME, s)
        assert GAME.evaluate(other) == pytest.approx(-GAME.evaluate(s), abs=1e-12)


def test_features_are_what_their_names_say():
    named = dict(
        zip(
            GAME.encoding.feature_names,
            GAME.encoding.features(GAME, pf.state_after(GAME, "X31", "8/5 6/5")),
            strict=True,
        )
    )
    assert named["pips"] == pytest.approx((163 - 167) / 100)
    assert (named["point 5"], named["point 6"], named["home"], named["turn"]) == (1, 0, 1, -1)
    s = pf.state_after(GAME, "X21", "13/11 6/5")
    named = dict(zip(GAME.encoding.feature_names, GAME.encoding.features(GAME, s), strict=True))
    # O hits the blot on 5 with any 4, 3-1, 2-2 and 1-1: 15 rolls. That on 11 with 6-4, counted already, and with 5-5 if
    # nothing were in the way.
    assert named["shots"] == pytest.approx(16 / 36)
    assert (named["home blots"], named["outer blots"]) == (1, 1)


def test_shots_are_those_of_the_books():
    """Rolls of 36 that hit a single blot so far away, with nothing in the way: Magriel, "Backgammon" (1976)."""
    wanted = {1: 11, 2: 12, 3: 14, 4: 15, 5: 15, 6: 17, 7: 6, 8: 6, 9: 5, 10: 3, 11: 2, 12: 3}
    assert {distance: int(HITS[1 << distance - 1]) for distance in wanted} == wanted


def test_a_race_is_another_stage():
    contact, race = pf.parse_state(GAME, "4HPwATDgc/ABMA X"), None
    assert GAME.encoding.phase(GAME, contact) == 0.0
    home = from_counts([0, 5, 5, 5] + [0] * (BAR - 3))
    race = Position(*home, *home, 0, MAX)
    assert GAME.encoding.phase(GAME, race) == 1.0
    assert pips_of(*home) == 30


def test_more_checkers_off_and_fewer_pips_look_better():
    ahead = Position(*from_counts([0, 2] + [0] * 24), *from_counts([0] * 6 + [15] + [0] * 19), 0, MAX)
    assert GAME.evaluate(ahead) > 0.9
    assert GAME.evaluate(exchanged(ahead)) < -0.9


# ------------------------------------------------------------------ searches
@compiles
def test_star2_is_expectiminimax_to_the_last_bit():
    """One, two and three plies, on positions with contact, on the bar, and bearing off; a double among them."""
    for number, s in enumerate(some_positions(2, 5)):
        for depth in (1, 2, 3):
            if depth == 3 and GAME.count(s) > 60:
                continue
            plain = pf.search(GAME, s, "expectiminimax", depth=depth, native=True)
            pruned = pf.search(GAME, s, "star2", depth=depth, native=True)
            assert pruned.value == plain.value, (number, depth, pf.format_state(GAME, s))
            assert pruned.action in plain.best
            if depth == 1:
                slow = pf.search(GAME, s, "expectiminimax", depth=depth, native=False)
                assert (slow.value, slow.values, slow.nodes) == (plain.value, plain.values, plain.nodes)


@compiles
@pytest.mark.full
def test_the_dice_engine_is_expectiminimax_to_the_last_bit():
    for s in some_positions(3, 6):
        if GAME.count(s) < 60:
            plain = pf.search(GAME, s, "expectiminimax", depth=3, native=True)
            found = pf.search(GAME, s, "dice_engine", depth=3, native=True)
            assert found.value == plain.value and found.action in plain.best


@compiles
@pytest.mark.full
def test_monte_carlo_takes_the_last_checkers_off():
    home = from_counts([0, 2] + [0] * 24)
    s = Position(*home, *home, 21, MAX)
    found = pf.search(GAME, s, "uct", simulations=500, native=True)
    assert pf.format_action(GAME, s, found.action) == "1/off(2)"


# ------------------------------------------------------------------ bearing off
def test_homes_are_numbered_without_gaps():
    assert home_positions(15) == 54_264
    low, high, pips = home_boards(5)
    assert [home_index(int(a), int(b)) for a, b in zip(low, high, strict=True)] == list(range(462))
    assert [pips_of(int(a), int(b)) for a, b in zip(low, high, strict=True)] == list(pips)


@pytest.fixture(scope="module")
def few():
    return one_sided(3, native=False)


def test_one_roll_bears_off_as_often_as_the_tables_say(few):
    for home, rolls in {**backgammon.ONE_CHECKER, **backgammon.TWO_CHECKERS}.items():
        assert 36 * few.distribution(home)[1] == pytest.approx(rolls), home
    assert home_positions(15) == backgammon.ONE_SIDED_POSITIONS


def test_distributions_are_distributions(few):
    assert few.chances.sum(axis=1) == pytest.approx(1.0)
    assert few.chances @ range(few.chances.shape[1]) == pytest.approx(few.mean)
    assert few.rolls("1") == 1.0 and few.rolls("6") == pytest.approx(1 + 9 / 36)


def test_the_two_sided_database_is_what_value_iteration_finds():
    both = two_sided(2, native=False)
    for mine, theirs in (("6-5", "4"), ("6", "6-3"), ("5-2", "3-3")):
        s = Position(*_home(mine), *_home(theirs), 0, MAX)
        solved = value_iteration(GAME, s, native=False)
        assert solved.exact
        assert 2 * both.win_chance(mine, theirs) - 1 == pytest.approx(solved.value, abs=1e-9)


def test_playing_for_speed_is_nearly_best(few):
    both = two_sided(2, native=False)
    for mine in ("6-6", "5-3", "4", "2-1"):
        for theirs in ("6-6", "3-2", "1"):
            assert both.win_chance(mine, theirs) == pytest.approx(few.win_chance(mine, theirs), abs=0.01)


def at_home(mine: str, theirs: str, player: int = MAX) -> Position:
    """Both sides at home, all other checkers off; `player` has the first, and is to roll."""
    sides = [from_counts(read_home(home)) for home in (mine, theirs)]
    if player == MIN:
        sides.reverse()
    return Position(*sides[0], *sides[1], 0, player)


def test_the_end_of_a_race_is_looked_up(few):
    """Exactly what the databases say, whoever rolls; anything else is for the other evaluation."""
    two = two_sided(2, native=False)
    found = BearOff.of(few.chances, two.wins, OwnEvaluation())
    for mine, theirs, table in (
        ("6-6", "6-5", two),
        ("1", "1-1", two),
        ("6-6-6", "5-4-1", few),
        ("6", "6-5-4", few),
    ):
        wanted = 2 * table.win_chance(mine, theirs) - 1
        assert found.estimate(GAME, at_home(mine, theirs)) == pytest.approx(wanted, abs=1e-4)
        assert found.estimate(GAME, at_home(mine, theirs, MIN)) == pytest.approx(-wanted, abs=1e-4)
    for s in (GAME.start(), pf.state_after(GAME, "X31", "8/5 6/5"), at_home("6", "6-5")._replace(dice=21)):
        assert found.estimate(GAME, s) == GAME.evaluate(s)


@compiles
def test_a_search_with_the_databases_is_the_same_at_both_speeds(few):
    found = BearOff.of(few.chances, two_sided(1, native=False).wins, OwnEvaluation())
    s = at_home("6-5-1", "4-4")._replace(dice=31)
    slow, fast = (
        pf.search(GAME, s, "expectiminimax", depth=1, evaluate=found, native=native) for native in (False, True)
    )
    assert (slow.value, slow.values, slow.action, slow.nodes) == (
        fast.value,
        fast.values,
        fast.action,
        fast.nodes,
    )
    assert slow.values[slow.action] == max(slow.values.values())


def test_a_player_may_be_told_to_look_it_up():
    with pytest.raises(pf.PlyforgeError, match="for backgammon alone"):
        contestant("star2:depth=1,bear_off=yes", pf.load("pig"))


@compiles
@pytest.mark.full
def test_the_whole_one_sided_database():
    found, again = one_sided(), one_sided(4, native=False)
    assert found.positions == 54_264
    assert found.mean[: again.positions].tolist() == again.mean.tolist()
    assert found.chances.sum(axis=1) == pytest.approx(1.0)
    # All on the ace point: two a roll, four with a double. Eight rolls unless doubles come: 1 - (5/6)^7 of seven or
    # less.
    assert found.distribution({1: 15})[8] == pytest.approx((5 / 6) ** 7, abs=1e-12)


@pytest.mark.parametrize("home", ["7", "6-x", "", "6-6-6-6"])
def test_homes_that_are_none_are_refused(few, home):
    with pytest.raises(pf.BadText):
        few.rolls(home)


def _home(text: str) -> tuple[int, int]:
    counts = [0] * (BAR + 1)
    for word in text.split("-"):
        counts[int(word)] += 1
    low, high = from_counts(counts)
    return low, high


# ------------------------------------------------------------------ match files
SHORT = """\
; [Event "A short one"]

 3 point match

 Game 1
 Anna : 0                        Bert : 0
  1) 31: 8/5 6/5                 66: 24/18 24/18 13/7 13/7
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Anna : 1                        Bert : 0
  1)                             42: 8/4 6/4
  2) 13: 24/23 13/10              Doubles => 2
  3)  Takes                      65: 24/18 18/13
"""


def played(seed: int) -> GameSession:
    """A whole game between players who move at random."""
    session = GameSession(GAME, seed=seed)
    chance = random.Random(seed)
    while not session.over:
        if session.player == CHANCE:
            session.draw()
        else:
            session.play(chance.choice(session.legal))
    return session


def test_a_match_file_is_read():
    match = read_mat(SHORT)
    first, second = match.games
    assert match.length == 3 and first.names == ("Anna", "Bert")
    assert (first.winner, first.points, first.cube) == (MAX, 1, 1)
    assert (second.winner, second.score, second.cube) == (None, (1, 0), 2)
    assert second.turns[0] == MatTurn(MIN, 42, second.turns[0].action)
    assert pf.format_state(GAME, second.states()[1]).endswith("X 31")


def test_what_is_written_is_read_back():
    match = read_mat(SHORT)
    assert read_mat(write_mat(match)) == match
    games = tuple(mat_of(played(seed), ("Left", "Right")) for seed in range(2))
    assert all(game.winner is not None and game.points > 0 for game in games)
    whole = MatMatch(0, games)
    assert read_mat(write_mat(whole)) == whole


def test_a_game_of_a_file_is_a_session_and_back():
    session = played(3)
    game = mat_of(session)
    again = session_of(game)
    assert again.states == session.states
    assert session_of(read_mat(SHORT).games[0]).outcome.winners == (MAX,)  # who dropped a double has resigned
    session.undo()
    session.agree()
    with pytest.raises(pf.Unsuitable, match="no draws"):
        mat_of(session)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (SHORT.replace("8/5 6/5", "8/5 6/4"), "line 7: .*not a legal play"),
        (SHORT.replace("66: 24", "6: 24"), "line 7: .*neither a roll"),
        (
            SHORT.replace("Doubles => 2                Drops", "Doubles => 4                Drops"),
            "doubled to 2",
        ),
        (SHORT.replace(" Drops", "").replace("Wins", " Wins"), "not answered"),
        (SHORT.replace("Drops\n      Wins 1 point", "Takes\n      Wins 5 points"), "line 9: .*nobody wins 5"),
        (SHORT.replace("      Wins 1 point", " " * 33 + "Wins 1 point"), "whoever doubled has won"),
        (SHORT.replace("31: 8/5 6/5", "33: 8/5 8/5 6/3 6/3"), "never a double"),
        (SHORT.replace(" Anna : 0                        Bert : 0\n", ""), "names and scores"),
        ("nothing", "line 1: "),
        ("", "no game"),
    ],
)
def test_what_is_wrong_in_a_match_file_is_said_with_its_line(wrong, said):
    with pytest.raises(pf.BadText, match=said):
        read_mat(wrong)


def test_names_that_can_not_be_read_back_are_not_written():
    with pytest.raises(pf.BadText, match="can't be written"):
        write_mat(MatMatch(1, (MatGame(("a : b", "c")),)))


# ------------------------------------------------------------------ GNU Backgammon
def test_it_is_refused_for_other_games_and_options():
    with pytest.raises(pf.Unsuitable, match="plays backgammon"):
        contestant("gnubg:gnubg", pf.load("pig"))
    with pytest.raises(pf.BadText):
        contestant(f"gnubg:{shutil.which('true')};plies=9", GAME)


@needs_gnubg
def test_gnu_backgammon_knows_the_best_openings_and_only_legal_plays():
    from plyforge.play.protocols.gnubg import GnubgProgram

    program = GnubgProgram(str(GNUBG), plies=0)
    try:
        for roll, best in (("X31", "8/5 6/5"), ("X42", "8/4 6/4"), ("O61", "13/7 8/7")):
            s = pf.state_after(GAME, roll)
            assert pf.format_action(GAME, s, program.choose(GAME, s)) == best
        for s in some_positions(5, 12):
            assert program.choose(GAME, s) in pf.legal_moves(GAME, s)
    finally:
        program.close()
