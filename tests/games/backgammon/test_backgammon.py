"""Backgammon: published counts of plays first, then a slow search of all orders of dice, then the rules of the book
one by one."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import plyforge as pf
from conftest import compiles
from known import backgammon
from plyforge.contract import CHANCE, MAX, MIN
from plyforge.games.backgammon import Backgammon, Position
from plyforge.games.backgammon.board import (
    BAR,
    OPENING,
    TO_ROLL,
    counts_of,
    from_counts,
    turned,
    with_one_less,
    with_one_more,
)
from plyforge.games.backgammon.plays import MOST_PLAYS, PASS
from plyforge.kernel import new_stream

GAME = Backgammon(opening_roll=False)
Counts = tuple[int, ...]


def position(mine: dict[int, int], enemy: dict[int, int], dice: int, player: int = MAX) -> Position:
    """Checkers by point, each from its owner's end: those of whoever moves, then the other side's."""
    own, other = (from_counts([side.get(p, 0) for p in range(BAR + 1)]) for side in (mine, enemy))
    return Position(*(own + other if player == MAX else other + own), dice, player)


def plays(mine: dict[int, int], enemy: dict[int, int], dice: int) -> set[str]:
    s = position(mine, enemy, dice)
    return {pf.format_action(GAME, s, action) for action in pf.legal_moves(GAME, s)}


# ------------------------------------------------------------------ truths from elsewhere
def test_the_plays_of_every_first_roll_are_as_many_as_published():
    found = {roll: GAME.count(GAME.result(GAME.start(), roll)) for roll, _ in GAME.chance(GAME.start())}
    assert found == backgammon.OPENING_PLAYS
    assert sum(found.values()) == 447


def test_there_are_202_782_ways_to_play_the_first_two_rolls():
    rolls = [roll for roll, _ in GAME.chance(GAME.start())]
    number = 0
    for roll in rolls:
        s = GAME.result(GAME.start(), roll)
        for action in GAME.actions(s):
            after = GAME.result(s, action)
            number += sum(GAME.count(GAME.result(after, reply)) for reply in rolls)
    assert number == 202_782


@compiles
@pytest.mark.full
def test_perft_counts_the_same():
    assert pf.perft(GAME, depth=2, native=True).nodes == 447
    assert pf.perft(GAME, depth=4, native=True).nodes == 202_782


def test_counting_and_drawing_need_no_list():
    chance = random.Random(6)
    for _ in range(40):
        mine, enemy = any_position(chance)
        dice = chance.choice([roll for roll, _ in GAME.chance(GAME.start())])
        s = Position(*from_counts(mine), *from_counts(enemy), dice, MAX)
        legal = pf.legal_moves(GAME, s)
        assert GAME.count(s) == len(legal)
        stream = new_stream(chance.getrandbits(40))
        assert all(GAME.sample(s, stream) in legal for _ in range(5))
        if len(legal) < 5:
            assert {GAME.sample(s, stream) for _ in range(100)} == set(legal)


def test_the_best_openings_of_the_table_are_legal():
    for roll, best in backgammon.BEST_OPENINGS.items():
        s = GAME.result(GAME.start(), roll)
        assert pf.format_action(GAME, s, pf.parse_action(GAME, s, best)) == best


# ------------------------------------------------------------------ every order of the dice, positions compared
def steps(mine: Counts, enemy: Counts, die: int) -> Iterator[tuple[Counts, Counts]]:
    """What one die can do, by the book."""
    for point in [BAR] if mine[BAR] else [p for p in range(1, BAR) if mine[p]]:
        target = point - die
        if target >= 1 and enemy[BAR - target] >= 2:
            continue
        if target < 1 and (any(mine[7:]) or (target < 0 and any(mine[point + 1 : 7]))):
            continue
        own, other = list(mine), list(enemy)
        own[point] -= 1
        if target >= 1:
            own[target] += 1
            if other[BAR - target] == 1:
                other[BAR - target] = 0
                other[BAR] += 1
        yield tuple(own), tuple(other)


def by_the_book(mine: Counts, enemy: Counts, dice: int) -> set[tuple[Counts, Counts]]:
    """Every position that a roll can lead to."""
    larger, smaller = divmod(dice, 10)
    orders = [[larger] * 4] if larger == smaller else [[larger, smaller], [smaller, larger]]
    found: list[tuple[int, int, set[tuple[Counts, Counts]]]] = []
    for order in orders:
        layer, played = {(mine, enemy)}, 0
        for die in order:
            following = {after for before in layer for after in steps(*before, die)}
            if not following:
                break
            layer, played = following, played + 1
        found.append((played, order[0], layer))
    most = max(played for played, _, _ in found)
    if most == 1:
        return max((die, layer) for played, die, layer in found if played == 1)[1]
    return set().union(*(layer for played, _, layer in found if played == most))


def any_position(chance: random.Random) -> tuple[list[int], list[int]]:
    """Checkers anywhere: scattered, crowded at home, on the bar, some borne off."""
    mine, enemy = [0] * (BAR + 1), [0] * (BAR + 1)
    far = chance.choice((6, 6, 8, 12, 25, 25))
    for _ in range(chance.choice((15, 15, chance.randint(1, 15)))):
        mine[chance.randint(1, far)] += 1
    room = [point for point in range(1, BAR) if not mine[BAR - point]] + [BAR]
    left = chance.choice((15, chance.randint(1, 15)))
    while left:
        number = min(left, chance.choice((1, 1, 2, 3)))
        enemy[chance.choice(room)] += number
        left -= number
    return mine, enemy


def both_sides(s: Position, mover: int) -> tuple[Counts, Counts]:
    x, o = tuple(counts_of(s.max_low, s.max_high)), tuple(counts_of(s.min_low, s.min_high))
    return (x, o) if mover == MAX else (o, x)


@pytest.mark.parametrize("seed", range(4))
def test_each_position_that_a_roll_can_lead_to_is_reached_by_exactly_one_play(seed):
    chance = random.Random(seed)
    for _ in range(60):
        mine, enemy = any_position(chance)
        dice = chance.choice([roll for roll, _ in GAME.chance(GAME.start())])
        player = chance.choice((MAX, MIN))
        own, other = from_counts(mine), from_counts(enemy)
        s = Position(*(own + other if player == MAX else other + own), dice, player)
        reached = [both_sides(GAME.result(s, action), player) for action in GAME.actions(s)]
        assert len(reached) == len(set(reached)) <= MOST_PLAYS, pf.format_state(GAME, s)
        assert set(reached) == by_the_book(tuple(mine), tuple(enemy), dice), pf.format_state(GAME, s)


# ------------------------------------------------------------------ the book, rule by rule
def test_both_dice_are_played_if_they_can_be():
    # 8/2 would leave no 1: 12, 6 and 1 are taken.
    assert plays({13: 1, 8: 1}, {13: 2, 19: 2, 24: 2}, 61) == {"13/7 8/7"}


def test_if_only_one_die_can_be_played_it_is_the_larger():
    assert plays({12: 1}, {24: 2}, 65) == {"12/6"}  # 1 is taken


def test_the_smaller_die_is_played_if_the_larger_can_not_be():
    assert plays({12: 1}, {19: 2, 24: 2}, 65) == {"12/7"}


def test_whoever_is_shut_out_passes():
    closed = dict.fromkeys(range(1, 7), 2)
    s = position({BAR: 1, 6: 1}, closed, 65)
    assert pf.legal_moves(GAME, s) == [PASS]
    assert pf.format_action(GAME, s, PASS) == "pass"
    assert pf.parse_action(GAME, s, "Cannot Move") == PASS
    after = GAME.result(s, PASS)
    assert (after.dice, after.player) == (TO_ROLL, MIN) and after[:4] == s[:4]


def test_checkers_come_in_before_anything_else():
    assert plays({BAR: 1, 6: 1}, {1: 2}, 31) == {"bar/21", "bar/22 6/5"}  # 24 is taken
    assert plays({BAR: 2, 6: 1}, {1: 2}, 31) == {"bar/22"}


def test_a_double_is_played_four_times():
    assert plays({24: 1}, {1: 5}, 22) == {"24/16"}
    assert plays({24: 2}, {9: 2}, 44) == {"24/20(2)"}  # 16 is taken
    assert "13/11(2) 6/4(2)" in {
        pf.format_action(GAME, s, a) for s in [pf.state_after(GAME, "22")] for a in pf.legal_moves(GAME, s)
    }


def test_bearing_off_takes_the_highest_where_the_die_is_higher():
    assert plays({6: 1, 2: 1}, {1: 5}, 65) == {"6/off 2/off", "6/1 2/off"}
    assert plays({4: 2, 3: 1}, {1: 5}, 65) == {"4/off(2)"}
    assert plays({6: 1, 3: 1}, {1: 5}, 41) == {"6/2 3/2", "6/1"}
    assert plays({7: 1, 1: 1}, {1: 5}, 61) == {"7/off"}


def test_a_hit_checker_goes_to_the_bar():
    s = position({8: 1, 6: 1}, {20: 1, 1: 2}, 31)
    after = GAME.result(s, pf.parse_action(GAME, s, "8/5* 6/5"))
    x, o = both_sides(after, MAX)
    assert x[5] == 2 and o[BAR] == 1 and o[20] == 0


def test_hitting_on_the_way_or_not_are_two_plays():
    s = position({24: 1}, {7: 1, 1: 2}, 65)
    texts = {pf.format_action(GAME, s, action) for action in pf.legal_moves(GAME, s)}
    assert texts == {"24/18*/13", "24/13"}
    for text in texts:
        assert pf.format_action(GAME, s, pf.parse_action(GAME, s, text)) == text
    assert pf.format_action(GAME, s, pf.parse_action(GAME, s, "24/18 18/13")) == "24/18*/13"


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ({1: 14}, 1.0),
        ({1: 15}, 2.0),
        ({18: 1, 1: 14}, 2.0),
        ({19: 1, 1: 14}, 3.0),
        ({BAR: 1, 1: 14}, 3.0),
        ({BAR: 1, 1: 13}, 1.0),
        ({24: 15}, 3.0),
    ],
)
def test_wins_gammons_and_backgammons(loser, points):
    won = GAME.result(s := position({1: 1}, loser, 21), pf.legal_moves(GAME, s)[0])
    assert GAME.terminal(won) and GAME.utility(won) == points and GAME.winner(won) == MAX
    lost = GAME.result(s := position({1: 1}, loser, 21, MIN), pf.legal_moves(GAME, s)[0])
    assert GAME.terminal(lost) and GAME.utility(lost) == -points and GAME.winner(lost) == MIN


def test_the_opening_roll_is_no_double_and_either_side_may_begin():
    game = Backgammon()
    s = game.start()
    outcomes = list(game.chance(s))
    assert s.dice == OPENING and len(outcomes) == 30 and sum(p for _, p in outcomes) == pytest.approx(1)
    assert all(roll % 100 // 10 > roll % 10 for roll, _ in outcomes)
    assert pf.format_state(game, pf.state_after(game, "O31")) == "4HPwATDgc/ABMA O 31"
    assert pf.format_state(game, pf.state_after(game, "X31", "8/5 6/5")) == "sGfwATDgc/ABMA O"
    assert game.player(pf.state_after(game, "X31", "8/5 6/5")) == CHANCE
    rolls = list(game.chance(pf.state_after(game, "X31", "8/5 6/5")))
    assert len(rolls) == 21 and sum(p for _, p in rolls) == pytest.approx(1)


# ------------------------------------------------------------------ the board
def test_adding_and_taking_checkers_is_counting():
    chance = random.Random(1)
    counts, low, high = [0] * (BAR + 1), 0, 0
    for _ in range(2000):
        point = chance.randint(1, BAR)
        if counts[point] < 15 and chance.random() < 0.6:
            counts[point] += 1
            low, high = with_one_more(low, high, point)
        elif counts[point]:
            counts[point] -= 1
            low, high = with_one_less(low, high, point)
        assert counts_of(low, high) == counts
        assert from_counts(counts) == (low, high)


def test_turning_the_board_twice_changes_nothing():
    for point in range(1, BAR):
        assert turned(1 << point) == 1 << BAR - point
    chance = random.Random(2)
    for _ in range(200):
        points = chance.getrandbits(26)
        assert turned(turned(points)) == points


# ------------------------------------------------------------------ text
def test_position_ids_are_gnu_backgammons():
    # As GNU Backgammon 1.07 shows them after these plays.
    assert pf.format_state(GAME, GAME.start()) == "4HPwATDgc/ABMA X"
    assert pf.format_state(GAME, pf.state_after(GAME, "31", "8/5 6/5", "42")) == "sGfwATDgc/ABMA O 42"


def test_states_and_plays_are_read_back():
    chance = random.Random(3)
    for _ in range(60):
        mine, enemy = any_position(chance)
        dice = chance.choice([roll for roll, _ in GAME.chance(GAME.start())])
        s = Position(*from_counts(mine), *from_counts(enemy), dice, MAX)
        assert pf.parse_state(GAME, pf.format_state(GAME, s)) == s
        legal = pf.legal_moves(GAME, s)
        texts = [pf.format_action(GAME, s, action) for action in legal]
        assert len(set(texts)) == len(texts), pf.format_state(GAME, s)
        for action, text in chance.sample(list(zip(legal, texts, strict=True)), min(8, len(legal))):
            assert pf.parse_action(GAME, s, text) == action, (pf.format_state(GAME, s), text)


@pytest.mark.parametrize("text", ["6/5 8/5", "8/5 6/5", " 8/5   6/5 "])
def test_the_order_of_a_play_does_not_matter(text):
    s = pf.state_after(GAME, "31")
    assert pf.format_action(GAME, s, pf.parse_action(GAME, s, text)) == "8/5 6/5"


@pytest.mark.parametrize("text", ["", "8/5", "8/5 6/5*", "8/3", "x", "8/5 6/5 24/23", "pass", "0/5", "off/3"])
def test_plays_that_are_not_legal_are_refused(text):
    with pytest.raises(pf.IllegalAction, match="legal: "):
        pf.parse_action(GAME, pf.state_after(GAME, "31"), text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4HPwATDgc/ABM",
        "4HPwATDgc/ABMA Y",
        "4HPwATDgc/ABMA X 71",
        "4HPwATDgc/ABMA opening 31",
        "////////////// X",
        "sGfwATDgc/ABMA opening",
        "AAAAAAAAAAAAAA X",
        "4HPwATDgc/ABM! X",
    ],
)
def test_text_that_is_no_position_is_refused(text):
    with pytest.raises(pf.BadText):
        pf.parse_state(GAME, text)


def test_both_sides_on_one_point_is_refused():
    s = position({6: 2}, {19: 2}, 31)
    with pytest.raises(pf.BadText, match="both sides have checkers on the 6 point"):
        pf.parse_state(GAME, pf.format_state(GAME, s))


def test_the_picture_shows_the_board():
    shown = GAME.show(pf.state_after(GAME, "31", "8/5 6/5", "42")).splitlines()
    assert shown[0] == "+13-14-15-16-17-18------19-20-21-22-23-24-+"
    assert shown[1] == "| X           O    |   | O              X |  O: 167 pips"
    assert shown[6].endswith("O to play 4-2")
    assert shown[-2].endswith("X: 163 pips")


def test_it_is_in_the_catalog():
    assert pf.load("backgammon") == Backgammon()
    assert pf.load("backgammon(opening_roll=False)") == GAME


@compiles
def test_both_speeds_list_the_same_plays():
    """On positions that games don't reach, too: `check` compares those that they do."""
    from plyforge.kernel import kernel
    from plyforge.kernel.entry import native_function

    @kernel
    def digest(game, s):
        total, number = 0, 0
        for action in game.actions(s):
            number += 1
            after = game.result(s, action)
            total = (total * 31 + action + after.max_low % 1009 + after.min_low % 1013) % 1_000_003
        return total * 10_000 + number

    chance = random.Random(4)
    function = None
    for _ in range(100):
        mine, enemy = any_position(chance)
        dice = chance.choice([roll for roll, _ in GAME.chance(GAME.start())])
        s = Position(*from_counts(mine), *from_counts(enemy), dice, chance.choice((MAX, MIN)))
        function = function or native_function(digest, GAME, s)
        assert function(GAME, s) == digest(GAME, s)


def test_plays_are_listed_without_a_generator():
    from plyforge.kernel.storage.fill import rewritten

    assert rewritten(Backgammon.actions, Backgammon) is not None
