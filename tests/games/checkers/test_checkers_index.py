"""The numbers of checkers' endings: all positions once, none twice, and moves lead into slices that come earlier."""

from __future__ import annotations

import os
import random
from itertools import combinations

import pytest

from known import checkers
from plyforge.contract import MAX, MIN, legal_moves
from plyforge.games.checkers import Checkers
from plyforge.games.checkers.board import Board, bit_of, squares_in, turned
from plyforge.games.checkers.tablebase import NO_SLICE, Slice
from plyforge.kernel import kernel
from plyforge.kernel.entry import native_function

GAME = Checkers()
INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT") == "1"


def placings(kinds: str, taken: frozenset[int] = frozenset()):
    """Every way to put pieces on the board: `b` and `w` are men, `B` and `W` kings. Written as the rules say it, no
    bits."""
    if not kinds:
        yield {}
        return
    kind, number = kinds[0], kinds.count(kinds[0])
    squares = range(1, 29) if kind == "b" else range(5, 33) if kind == "w" else range(1, 33)
    for chosen in combinations([square for square in squares if square not in taken], number):
        for others in placings(kinds[number:], taken | set(chosen)):
            yield dict.fromkeys(chosen, kind) | others


def board(pieces: dict[int, str], player: int = MAX) -> Board:
    def bits(kinds: str) -> int:
        return sum(1 << bit_of(square) for square, kind in pieces.items() if kind in kinds)

    return Board(bits("bB"), bits("wW"), bits("BW"), player)


def sides(kind: Slice) -> set[str]:
    """The pieces of a slice for `placings`: with the stronger side Black, and White."""
    men, kings, other_men, other_kings = kind
    return {
        "b" * men + "B" * kings + "w" * other_men + "W" * other_kings,
        "b" * other_men + "B" * other_kings + "w" * men + "W" * kings,
    }


@kernel
def wrong_round_trips(game, code, size, first, step):
    """How many numbers do not come back."""
    wrong = 0
    for number in range(first, size, step):
        state = game.tablebase.state_at(game, code, number)
        if (
            game.tablebase.index(game, state) != number
            or game.tablebase.slice_of(game, state) != code
            or game.player(state) != 0
        ):
            wrong += 1
    return wrong


@pytest.mark.parametrize(
    "kind", GAME.tablebase.slices(GAME, 2), ids=lambda kind: GAME.tablebase.format_slice(GAME, kind)
)
def test_every_position_of_two_pieces_has_a_number_of_its_own(kind):
    code = GAME.tablebase.slice_code(GAME, kind)
    states = [board(pieces) for kinds in sides(kind) for pieces in placings(kinds)]
    assert all(GAME.tablebase.slice_of(GAME, state) == code for state in states)
    assert sorted(GAME.tablebase.index(GAME, state) for state in states) == list(
        range(GAME.tablebase.slice_size(GAME, kind))
    )
    assert {
        GAME.tablebase.state_at(GAME, code, number) for number in range(GAME.tablebase.slice_size(GAME, kind))
    } == set(states)


@pytest.mark.parametrize("name", ["mm-m", "mm-k", "kk-k"])
def test_every_position_of_some_larger_slices_has_a_number_of_its_own(name):
    kind = next(kind for kind in GAME.tablebase.slices(GAME, 3) if GAME.tablebase.format_slice(GAME, kind) == name)
    numbers = [GAME.tablebase.index(GAME, board(pieces)) for kinds in sides(kind) for pieces in placings(kinds)]
    assert sorted(numbers) == list(range(GAME.tablebase.slice_size(GAME, kind)))


def test_the_sizes_add_up_to_the_known_numbers_of_positions():
    for pieces, positions in checkers.WITH_BOTH_SIDES.items():
        assert (
            sum(
                GAME.tablebase.slice_size(GAME, kind)
                for kind in GAME.tablebase.slices(GAME, pieces)
                if sum(kind) == pieces
            )
            == positions
        )
    # the other column also has the positions in which one side has nothing, each once, whoever moves
    for pieces, positions in checkers.POSITIONS.items():
        if pieces <= 7:
            one_sided = [Slice(men, pieces - men, 0, 0) for men in range(pieces + 1)]
            both = sum(
                GAME.tablebase.slice_size(GAME, kind)
                for kind in GAME.tablebase.slices(GAME, pieces)
                if sum(kind) == pieces
            )
            assert both + sum(GAME.tablebase.slice_size(GAME, kind) for kind in one_sided) == positions


def test_all_numbers_of_up_to_four_pieces_come_back_compiled():
    function = native_function(wrong_round_trips, GAME, 0, 0, 0, 1)
    step = 997 if INTERPRETED else 1
    for kind in GAME.tablebase.slices(GAME, 4):
        assert (
            function(GAME, GAME.tablebase.slice_code(GAME, kind), GAME.tablebase.slice_size(GAME, kind), 0, step) == 0
        )


def test_numbers_of_up_to_eight_pieces_come_back_compiled():
    function = native_function(wrong_round_trips, GAME, 0, 0, 0, 1)
    for kind in GAME.tablebase.slices(GAME, 8):
        size = GAME.tablebase.slice_size(GAME, kind)
        assert function(GAME, GAME.tablebase.slice_code(GAME, kind), size, size - 1, 1) == 0
        assert (
            function(
                GAME,
                GAME.tablebase.slice_code(GAME, kind),
                size,
                size % 11,
                size // (20 if INTERPRETED else 1000) + 1,
            )
            == 0
        )


def test_numbers_come_back_interpreted_and_mean_the_same_position():
    dice = random.Random(4)
    for kind in GAME.tablebase.slices(GAME, 8):
        code, size = GAME.tablebase.slice_code(GAME, kind), GAME.tablebase.slice_size(GAME, kind)
        for number in (0, size - 1, dice.randrange(size), dice.randrange(size)):
            state = GAME.tablebase.state_at(GAME, code, number)
            assert GAME.tablebase.index(GAME, state) == number
            assert GAME.tablebase.slice_of(GAME, state) == code
            assert GAME.tablebase.index_valid(GAME, state)
            assert state.black & state.white == 0
            assert not any(square > 28 for square in squares_in(state.black & ~state.kings))
            assert not any(square < 5 for square in squares_in(state.white & ~state.kings))
            material = (
                (state.black & ~state.kings).bit_count(),
                (state.black & state.kings).bit_count(),
                (state.white & ~state.kings).bit_count(),
                (state.white & state.kings).bit_count(),
            )
            assert tuple(kind) in (material, material[2:] + material[:2])


def test_actions_lead_into_the_same_slice_or_an_earlier_one():
    kinds = GAME.tablebase.slices(GAME, 5)
    place = {GAME.tablebase.slice_code(GAME, kind): position for position, kind in enumerate(kinds)}
    assert len(place) == len(kinds)
    dice = random.Random(5)
    for position, kind in enumerate(kinds):
        code, size = GAME.tablebase.slice_code(GAME, kind), GAME.tablebase.slice_size(GAME, kind)
        for number in [dice.randrange(size) for _ in range(30)]:
            state = GAME.tablebase.state_at(GAME, code, number)
            for action in legal_moves(GAME, state):
                after = GAME.result(state, action)
                image, exchanged = GAME.tablebase.canonical(GAME, after)
                assert exchanged and image.player == MAX
                there = GAME.tablebase.slice_of(GAME, image)
                if there == NO_SLICE:
                    assert GAME.terminal(after) and after.white == 0
                else:
                    assert place[there] <= position
                    assert GAME.tablebase.state_at(GAME, there, GAME.tablebase.index(GAME, image)) == image


def test_exchanging_the_colours_keeps_the_game():
    dice = random.Random(6)
    for kind in GAME.tablebase.slices(GAME, 6):
        size = GAME.tablebase.slice_size(GAME, kind)
        state = GAME.tablebase.state_at(GAME, GAME.tablebase.slice_code(GAME, kind), dice.randrange(size))
        white_to_move = Board(state.black, state.white, state.kings, MIN)
        image, exchanged = GAME.tablebase.canonical(GAME, white_to_move)
        assert exchanged
        assert GAME.count(image) == GAME.count(white_to_move)
        assert GAME.terminal(image) == GAME.terminal(white_to_move)
        turned_back = Board(turned(image.white), turned(image.black), turned(image.kings), MIN)
        assert turned_back == white_to_move
        followers = {GAME.result(white_to_move, action)[:3] for action in legal_moves(GAME, white_to_move)}
        images = [GAME.result(image, action) for action in legal_moves(GAME, image)]
        assert {(turned(s.white), turned(s.black), turned(s.kings)) for s in images} == followers


def test_turning_the_board_takes_every_square_to_the_one_opposite():
    for square in range(1, 33):
        assert squares_in(turned(1 << bit_of(square))) == [33 - square]


@pytest.mark.parametrize("kinds", ["b", "W", "B" * 5 + "W" * 4, "b" * 12 + "w" * 12])
def test_a_position_of_too_many_pieces_or_of_one_side_is_in_no_slice(kinds):
    pieces = next(iter(placings(kinds)))
    assert GAME.tablebase.slice_of(GAME, board(pieces)) == NO_SLICE


def test_slices_have_short_names_that_differ():
    names = [GAME.tablebase.format_slice(GAME, kind) for kind in GAME.tablebase.slices(GAME, 8)]
    assert len(set(names)) == len(names)
    assert names[:3] == ["k-k", "k-m", "m-m"]
    assert "kkm-km" in names
