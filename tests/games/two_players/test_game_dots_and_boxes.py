"""Dots and boxes: solved boards, boxes against a naive count, double moves, and the text form."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import MAX
from plyforge.games.two_players.dots_and_boxes import DotsAndBoxes, Drawn
from plyforge.kernel import kernel
from plyforge.kernel.entry import native_function

BOARDS = [DotsAndBoxes(2, 2), DotsAndBoxes(1, 1), DotsAndBoxes(1, 5), DotsAndBoxes(3, 2), DotsAndBoxes(5, 5)]


def playout(game: DotsAndBoxes, seed: int) -> list[tuple[Drawn, int | None]]:
    """A random game: each state with the action taken there."""
    dice, s, seen = random.Random(seed), game.start(), []
    while not game.terminal(s):
        action = dice.choice(pf.legal_moves(game, s))
        seen.append((s, action))
        s = game.result(s, action)
    return [*seen, (s, None)]


def naive_boxes(game: DotsAndBoxes, s: Drawn) -> int:
    """How many boxes are complete, counted in the lines of the text."""
    lines = pf.format_state(game, s).split()[0].split("/")
    number = 0
    for row in range(game.rows):
        for column in range(game.columns):
            above, beside, below = lines[2 * row], lines[2 * row + 1], lines[2 * row + 2]
            sides = above[column] + below[column] + beside[column : column + 2]
            number += "." not in sides
    return number


@kernel
def solve(game, best):
    """Fill in, for every set of edges, by how much the player to move wins the boxes that are left."""
    for edges in range(game.full - 1, -1, -1):
        state = Drawn(edges, 0, MAX)
        most = -100
        for edge in game.actions(state):
            after = game.result(state, edge)
            rest = best[after.edges]
            most = max(most, after.margin + (rest if after.player == MAX else -rest))
        best[edges] = most
    return best[0]


def first_minus_second(game: DotsAndBoxes, native: bool) -> int:
    best = np.zeros(game.full + 1, np.int8)
    function = native_function(solve, game, best) if native else solve
    return int(function(game, best))


# ------------------------------------------------------------ known truths
@pytest.mark.parametrize(("columns", "margin"), [(1, -1), (2, 0), (3, -1)])
def test_one_row_has_its_known_value(columns: int, margin: int) -> None:
    found = pf.search(DotsAndBoxes(1, columns), using="alpha_beta", native=False)
    assert found.value == margin and found.exact


@compiles
def test_two_by_two_is_won_by_two_boxes() -> None:
    found = pf.search(DotsAndBoxes(2, 2), using="alpha_beta", native=True)
    assert found.value == 2.0 and found.exact


@pytest.mark.parametrize(
    ("rows", "columns", "margin"), [(1, 1, -1), (1, 2, 0), (1, 3, -1), (1, 4, 0), (4, 1, 0), (2, 2, 2)]
)
def test_every_set_of_edges_solved_backwards_gives_the_known_value(rows: int, columns: int, margin: int) -> None:
    assert first_minus_second(DotsAndBoxes(rows, columns), native=False) == margin


@compiles
def test_two_by_three_solved_backwards_gives_the_known_value() -> None:
    assert first_minus_second(DotsAndBoxes(2, 3), native=True) == -2


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("rows", "columns", "margin"), [(1, 5, -1), (3, 2, -2), (2, 4, 2), (3, 3, -3)])
def test_larger_boards_solved_backwards_give_the_known_value(rows: int, columns: int, margin: int) -> None:
    assert first_minus_second(DotsAndBoxes(rows, columns), native=True) == margin


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("rows", "columns", "margin"), [(1, 4, 0), (1, 5, -1), (2, 3, -2)])
def test_alpha_beta_without_a_table_gives_the_known_value(rows: int, columns: int, margin: int) -> None:
    found = pf.search(DotsAndBoxes(rows, columns), using="alpha_beta", native=True)
    assert found.value == margin and found.exact


# ------------------------------------------------------------ the rules
@pytest.mark.parametrize("game", BOARDS)
def test_who_completes_a_box_gets_it_and_moves_again(game: DotsAndBoxes) -> None:
    for seed in range(5):
        game_so_far = playout(game, seed)
        for (s, _), (after, _) in itertools.pairwise(game_so_far):
            completed = naive_boxes(game, after) - naive_boxes(game, s)
            assert 0 <= completed <= 2
            assert (after.player == s.player) == (completed > 0)
            assert after.margin - s.margin == (completed if s.player == pf.MAX else -completed)
        assert naive_boxes(game, game_so_far[-1][0]) == game.rows * game.columns


def test_the_edge_between_two_boxes_can_complete_both() -> None:
    game = DotsAndBoxes(1, 2)
    s = pf.state_after(game, "1", "2", "3", "5", "6", "7")
    assert game.player(s) == pf.MAX
    last = pf.state_after(game, "4", state=s)
    assert game.terminal(last)
    assert (last.margin, last.player) == (2, pf.MAX)


def test_the_bounds_are_all_boxes_for_one_side() -> None:
    for game in BOARDS:
        assert (game.min_utility, game.max_utility) == (-game.rows * game.columns, game.rows * game.columns)
        for seed in range(5):
            for s, _ in playout(game, seed):
                assert game.min_utility <= game.evaluate(s) <= game.max_utility
                assert game.min_utility <= game.utility(s) <= game.max_utility


def test_the_evaluation_gives_boxes_with_three_sides_to_the_player_to_move() -> None:
    game = DotsAndBoxes(1, 2)
    s = pf.state_after(game, "1", "3", "6")
    assert (game.player(s), game.evaluate(s)) == (pf.MIN, -1.0)
    s = pf.state_after(game, "4", state=s)
    assert (game.player(s), game.evaluate(s)) == (pf.MIN, -1.0)
    s = pf.state_after(game, "2", state=s)
    assert (game.player(s), game.evaluate(s)) == (pf.MAX, -1.0)
    s = pf.state_after(game, "7", state=s)
    assert (game.player(s), game.evaluate(s)) == (pf.MIN, -2.0)


@pytest.mark.full
@pytest.mark.parametrize("using", ["alpha_beta", "minimax"])
def test_native_and_interpreted_searches_are_the_same(using: str) -> None:
    game = DotsAndBoxes(2, 2)
    middle = [s for s, _ in playout(game, 2)][5]
    for state, depth in ((game.start(), 4), (middle, None), (middle, 3)):
        native = pf.search(game, state, using=using, depth=depth, all_best=True, native=True)
        plain = pf.search(game, state, using=using, depth=depth, all_best=True, native=False)
        assert native.native and not plain.native
        for field in ("value", "values", "best", "line", "nodes", "reason"):
            assert getattr(native, field) == getattr(plain, field), field


def test_a_board_of_62_edges_is_the_same_natively() -> None:
    game = DotsAndBoxes(2, 12)
    states = [s for s, _ in playout(game, 4)]
    for state, depth in ((states[0], 2), (states[-6], None)):
        native = pf.search(game, state, depth=depth, native=True)
        plain = pf.search(game, state, depth=depth, native=False)
        assert (native.value, native.best, native.line, native.nodes) == (
            plain.value,
            plain.best,
            plain.line,
            plain.nodes,
        )


# ------------------------------------------------------------ text
@pytest.mark.parametrize("game", BOARDS)
def test_text_read_back_is_the_same_in_random_games(game: DotsAndBoxes) -> None:
    for seed in range(5):
        for s, action in playout(game, seed):
            assert pf.parse_state(game, pf.format_state(game, s)) == s
            if action is not None:
                assert pf.parse_action(game, s, pf.format_action(game, s, action)) == action
                assert game.count(s) == len(list(game.actions(s)))


def test_the_picture_shows_what_to_type() -> None:
    game = DotsAndBoxes(2, 2)
    s = pf.state_after(game, "1", "3", "4", "6")
    assert pf.format_state(game, s) == "h./vv./h./.../.. 0:1 min"
    assert game.show(s).splitlines() == [
        " +-----+  2  +",
        " | ##  |     5",
        " +-----+  7  +",
        " 8     9    10",
        " + 11  + 12  +",
        "MAX 0, MIN 1",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "as in ../.../.. 0:0 max"),
        ("../.../..", "as in ../.../.. 0:0 max"),
        ("../.../.. 0:0", "as in ../.../.. 0:0 max"),
        ("../.../.. 0-0 max", "as in ../.../.. 0:0 max"),
        ("../.. 0:0 max", "2 lines"),
        ("../../.. 0:0 max", "line 2 .* has 2 edges"),
        ("v./.../.. 0:0 max", "edge 1 .* is 'v': it must be h"),
        ("../h../.. 0:0 max", "edge 3 .* is 'h': it must be v"),
        ("../.../.. 1:0 max", "0 boxes have four sides"),
        ("h./vv./h. 0:0 max", "1 boxes have four sides"),
        ("../.../.. 0:0 min", "it is MAX's turn"),
        ("h./.../.. 0:0 max", "it is MIN's turn"),
        ("h./vv./h. 1:0 max", "it is MIN's turn"),
    ],
)
def test_text_that_is_no_state_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(pf.BadText, match=says):
        pf.parse_state(DotsAndBoxes(1, 2), text)


@pytest.mark.parametrize(
    ("rows", "columns", "says"),
    [(0, 2, "at least 1"), (2, 0, "at least 1"), (5, 6, "63 edges"), (21, 1, "63 edges")],
)
def test_boards_that_make_no_game_are_refused(rows: int, columns: int, says: str) -> None:
    with pytest.raises(pf.BadRules, match=says):
        pf.load(f"dots_and_boxes(rows={rows}, columns={columns})")
