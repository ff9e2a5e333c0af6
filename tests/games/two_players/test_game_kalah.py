"""Kalah: the solved small boards pin down the rules; a second sower, written with lists, checks the bytes."""

from __future__ import annotations

import random

import pytest

from known.small_games import KALAH
from plyforge.contract import (
    MAX,
    MIN,
    format_action,
    format_state,
    legal_moves,
    parse_action,
    parse_state,
    state_after,
)
from plyforge.errors import BadRules, BadText, IllegalAction
from plyforge.games import load
from plyforge.games.two_players.kalah import Kalah, Sides
from plyforge.search import search

SAME = ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "player")


def sow(game: Kalah, mine: list[int], theirs: list[int], house: int) -> bool:
    """One move on two lists of houses and store, seed by seed. True if the same player moves again."""
    seeds, mine[house] = mine[house], 0
    place = house
    while seeds:
        place = (place + 1) % (2 * game.houses + 1)
        if place <= game.houses:
            mine[place] += 1
        else:
            theirs[place - game.houses - 1] += 1
        seeds -= 1
    if place < game.houses and mine[place] == 1 and theirs[game.houses - 1 - place]:
        mine[game.houses] += 1 + theirs[game.houses - 1 - place]
        mine[place] = theirs[game.houses - 1 - place] = 0
    return place == game.houses


def random_play(game: Kalah, seed: int) -> list[Sides]:
    stream = random.Random(seed)
    states = [game.start()]
    while not game.terminal(states[-1]):
        states.append(game.result(states[-1], stream.choice(list(game.actions(states[-1])))))
    return states


def test_the_margins_of_all_solved_small_boards() -> None:
    for (houses, seeds), margin in KALAH.items():
        if (houses, seeds) == (4, 2):  # 364,536 nodes: below
            continue
        assert search(Kalah(houses, seeds), native=False).value == margin, (houses, seeds)


def test_the_largest_solved_board_natively() -> None:
    found = search(Kalah(4, 2), native=True)
    assert found.value == KALAH[4, 2] == 6
    assert found.exact


@pytest.mark.parametrize("houses, seeds", [(6, 4), (1, 6), (3, 9), (6, 21), (2, 60)])
def test_bytes_are_sown_like_a_list_of_pits(houses: int, seeds: int) -> None:
    """Also around the board more than once, and with pits near the limit of a byte."""
    game = Kalah(houses, seeds)
    for seed in range(20):
        stream = random.Random(seed)
        s = game.start()
        sides = [[seeds] * houses + [0], [seeds] * houses + [0]]
        mover = MAX
        while not game.terminal(s):
            assert game.player(s) == mover
            assert list(game.actions(s)) == [house for house in range(houses) if sides[mover][house]]
            house = stream.choice(list(game.actions(s)))
            again = sow(game, sides[mover], sides[1 - mover], house)
            s = game.result(s, house)
            mover = mover if again else 1 - mover
            if not any(sides[0][:-1]) or not any(sides[1][:-1]):
                sides = [[0] * houses + [sum(side)] for side in sides]
            assert [game.pits(s.south), game.pits(s.north)] == sides
        assert legal_moves(game, s) == list(game.actions(s)) == []
        assert game.utility(s) == sides[0][-1] - sides[1][-1]


def test_the_last_seed_in_the_own_store_moves_again() -> None:
    game = Kalah()
    s = state_after(game, "3")
    assert format_state(game, s) == "4,4,0,5,5,5:1/4,4,4,4,4,4:0 max"
    assert game.player(state_after(game, "2", state=s)) == MIN


def test_a_capture_takes_the_last_seed_and_those_opposite() -> None:
    game = Kalah(3, 2)
    s = parse_state(game, "2,0,0:1/1,4,0:4 max")
    # the second seed lands in the empty third house, opposite MIN's first
    assert format_state(game, game.result(s, 0)) == "0,1,0:3/0,4,0:4 min"


def test_nothing_opposite_nothing_captured() -> None:
    game = Kalah(3, 2)
    s = parse_state(game, "1,0,2:1/4,0,0:4 max")
    assert format_state(game, game.result(s, 0)) == "0,1,2:1/4,0,0:4 min"


def test_the_opponents_store_is_skipped() -> None:
    game = Kalah(2, 3)
    s = parse_state(game, "0,6:1/0,2:3 max")
    after = game.result(s, 1)
    # store, MIN's two houses, MAX's two houses, store again
    assert format_state(game, after) == "1,1:3/1,3:3 max"


def test_what_is_left_goes_to_the_side_that_it_lies_on() -> None:
    game = Kalah(3, 1)
    s = parse_state(game, "0,0,1:1/1,1,0:2 max")
    end = game.result(s, 2)
    assert format_state(game, end) == "0,0,0:2/0,0,0:4 max"
    assert game.terminal(end)
    assert game.utility(end) == -2


@pytest.mark.full
def test_native_is_interpreted() -> None:
    game = Kalah()
    for state in (None, "0,1,5,5,5,0:1/5,0,5,5,5,5:6 min"):
        slow = search(game, state, "alpha_beta", depth=5, native=False, all_best=True)
        fast = search(game, state, "alpha_beta", depth=5, native=True, all_best=True)
        assert [getattr(slow, name) for name in SAME] == [getattr(fast, name) for name in SAME]


def test_text_is_read_back() -> None:
    for game in (Kalah(), Kalah(1, 1), Kalah(3, 12)):
        for s in random_play(game, 7):
            assert parse_state(game, format_state(game, s)) == s
            for action in legal_moves(game, s):
                assert parse_action(game, s, format_action(game, s, action)) == action


def test_the_picture_has_every_pit() -> None:
    game = Kalah(3, 2)
    assert game.show(state_after(game, "2")) == "\n".join(
        (
            "      3  2  1",
            "MIN   2  2  2",
            "   0           1",
            "      2  0  3 MAX <",
            "      1  2  3",
        )
    )


@pytest.mark.parametrize("houses, seeds", [(0, 4), (7, 1), (6, 0), (6, 22), (1, 128), (-1, -1)])
def test_boards_that_do_not_fit_are_refused(houses: int, seeds: int) -> None:
    with pytest.raises(BadRules, match="kalah"):
        Kalah(houses, seeds)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "start",
        "4,4,4,4,4,4:0/4,4,4,4,4,4:0",
        "4,4,4,4,4,4:0/4,4,4,4,4,4:0 third",
        "4,4,4,4,4:4/4,4,4,4,4,4:0 max",
        "4,4,4,4,,4:4/4,4,4,4,4,4:0 max",
        "4,4,4,4,4,4:1/4,4,4,4,4,4:0 max",
        "4,4,4,4,4,-4:8/4,4,4,4,4,4:0 max",
        "0,0,0,0,0,0:24/4,4,4,4,4,4:0 max",
    ],
)
def test_text_that_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(BadText):
        parse_state(Kalah(), text)


def test_an_empty_house_is_not_an_action() -> None:
    game = Kalah()
    with pytest.raises(IllegalAction, match="legal: 1, 2, 4, 5, 6"):
        state_after(game, "3", "3")


def test_it_is_in_the_catalog() -> None:
    assert load("kalah(houses=3, seeds=2)") == Kalah(3, 2)
    assert (load("kalah").min_utility, load("kalah").max_utility) == (-48.0, 48.0)
