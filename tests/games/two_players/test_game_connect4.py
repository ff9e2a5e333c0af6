"""Connect Four against published counts and values."""

from __future__ import annotations

import random

import pytest

import plyforge as pf
from known import connect4
from plyforge.solve import census, perft

GAME = pf.load("connect4")
PERFT = [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]


@pytest.mark.parametrize("depth", range(1, 9))
def test_perft_is_as_published(depth):
    assert perft(GAME, depth).nodes == PERFT[depth - 1]


@pytest.mark.parametrize("depth", range(1, 5))
def test_perft_is_the_same_interpreted(depth):
    assert perft(GAME, depth, native=False).nodes == PERFT[depth - 1]


COUNTED = [(w, h, count) for (w, h), count in connect4.LEGAL_POSITIONS.items() if count <= 20_000]


@pytest.mark.parametrize(
    ("width", "height"),
    [(4, 4), pytest.param(5, 4, marks=pytest.mark.full), pytest.param(4, 5, marks=pytest.mark.full)],
)
def test_small_boards_have_their_known_values(width, height):
    found = pf.search(pf.load(f"connect4(width={width}, height={height})"), using="alpha_beta")
    assert found.exact
    assert found.value == connect4.WINNERS[width, height]


@pytest.mark.parametrize(("width", "height", "count"), COUNTED)
def test_small_boards_have_the_known_number_of_positions(width, height, count):
    assert census(pf.load(f"connect4(width={width}, height={height})")).states == count


def test_positions_of_the_published_test_sets_are_read():
    for moves in [*connect4.LATE, *connect4.MIDDLE, *connect4.EARLY]:
        state = pf.parse_state(GAME, moves)
        assert state.ply == len(moves)
        assert not GAME.terminal(state)
        assert pf.parse_state(GAME, pf.format_state(GAME, state)) == state


def test_positions_near_the_end_have_the_published_winner():
    for moves, score in connect4.LATE.items():
        state = pf.parse_state(GAME, moves)
        to_move = 1.0 if state.ply % 2 == 0 else -1.0
        found = pf.search(GAME, state, "alpha_beta")
        assert found.exact
        assert found.value * to_move == (score > 0) - (score < 0)


def test_lines_are_seen_in_all_four_directions_and_not_around_the_edge():
    for moves, winner in (("1212121", 1.0), ("1122334", 1.0), ("71212121", -1.0), ("71122334", -1.0)):
        state = pf.parse_state(GAME, moves)
        assert GAME.terminal(state) and GAME.utility(state) == winner
    upright, flat, rising, falling = (0, 1, 2, 3), (2, 9, 16, 23), (0, 8, 16, 24), (3, 9, 15, 21)
    for squares in (upright, flat, rising, falling):
        assert GAME.connected(sum(1 << square for square in squares))
        assert not GAME.connected(sum(1 << square for square in squares[:3]))
    for squares in ((4, 5, 7, 8), (3, 4, 5, 7), (28, 35, 42, 0)):  # up one column and on in the next
        assert not GAME.connected(sum(1 << square for square in squares))


def test_random_games_read_back_as_the_same_states():
    chooser = random.Random(4)
    for _ in range(60):
        state = GAME.start()
        while not GAME.terminal(state):
            state = GAME.result(state, chooser.choice(pf.legal_moves(GAME, state)))
            assert pf.parse_state(GAME, pf.format_state(GAME, state)) == state
            assert GAME.count(state) == len(list(GAME.actions(state)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("8", "from 1 to 7"),
        ("0", "from 1 to 7"),
        ("4x", "move 2"),
        ("1111111", "full"),
        ("12121212", "after the end"),
    ],
)
def test_bad_text_is_refused_in_words(text, words):
    with pytest.raises(pf.BadText, match=words):
        pf.parse_state(GAME, text)


@pytest.mark.parametrize(
    "spec", ["connect4(width=0)", "connect4(height=0)", "connect4(width=8, height=8)", "connect4(connect=1)"]
)
def test_impossible_boards_are_refused(spec):
    with pytest.raises(pf.BadRules):
        pf.load(spec)


def test_the_board_is_shown_as_people_see_it():
    assert GAME.show(pf.parse_state(GAME, "4453")).splitlines()[-2:] == [". . O X X . .", "1 2 3 4 5 6 7"]
