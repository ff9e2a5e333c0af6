"""Hex: which first moves win, connections against a naive walk, the swap rule, and the text form."""

from __future__ import annotations

import random

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.check import check
from plyforge.games.two_players.hex import Hex, Stones
from plyforge.solve import backward_induction

BOARDS = [Hex(1), Hex(2), Hex(3, swap=True), Hex(4), Hex(5, swap=True), Hex(7), Hex(7, swap=True)]
WINNING = {  # the first moves that win, as a picture
    1: "W",
    2: ".W/W.",
    3: "..W/WWW/W..",
}


def playout(game: Hex, seed: int) -> list[tuple[Stones, int | None]]:
    """A random game: each state with the action taken there."""
    dice, s, seen = random.Random(seed), game.start(), []
    while not game.terminal(s):
        action = dice.choice(pf.legal_moves(game, s))
        if game.may_swap(s) and dice.random() < 0.5:
            action = game.cells
        seen.append((s, action))
        s = game.result(s, action)
    return [*seen, (s, None)]


def naive_connection(game: Hex, stones: int, vertical: bool) -> bool:
    """Walk from cell to touching cell, from the top (or the left) on."""
    own = {divmod(cell, game.size) for cell in range(game.cells) if stones >> cell & 1}
    waiting = [cell for cell in own if cell[0 if vertical else 1] == 0]
    seen = set(waiting)
    while waiting:
        row, column = waiting.pop()
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
            near = (row + down, column + right)
            if near in own and near not in seen:
                seen.add(near)
                waiting.append(near)
    return any(cell[0 if vertical else 1] == game.size - 1 for cell in seen)


# ------------------------------------------------------------ known truths
@pytest.mark.parametrize("size", sorted(WINNING))
def test_the_first_moves_that_win_are_the_known_ones(size: int) -> None:
    game = Hex(size)
    solution = backward_induction(game)
    best = solution.best_of(game.start())
    picture = "".join("W" if cell in best else "." for cell in range(game.cells))
    assert solution.value == 1.0
    assert picture == WINNING[size].replace("/", "")


def test_with_the_swap_rule_the_second_player_wins() -> None:
    assert backward_induction(Hex(1, swap=True)).value == 1.0  # the first stone ends the game
    for size in (2, 3):
        game = Hex(size, swap=True)
        solution = backward_induction(game)
        assert solution.value == -1.0
        for cell in game.actions(game.start()):
            replies = solution.best_of(game.result(game.start(), cell))
            assert (game.cells in replies) == (WINNING[size].replace("/", "")[cell] == "W")


@compiles
@pytest.mark.full
def test_alpha_beta_finds_the_first_player_winning_on_four_by_four() -> None:
    found = pf.search(Hex(4), using="alpha_beta", native=True)
    assert found.value == 1.0 and found.exact


# ------------------------------------------------------------ the rules
@pytest.mark.parametrize("game", BOARDS)
def test_connections_are_those_that_a_naive_walk_finds(game: Hex) -> None:
    dice = random.Random(5)
    for share in (0.4, 0.5, 0.6, 0.8):
        for _ in range(60):
            red = sum((dice.random() < share) << cell for cell in range(game.cells))
            blue = game.full ^ red
            s = Stones(red, blue, pf.MAX)
            assert game.red_wins(s) == naive_connection(game, red, True)
            assert game.blue_wins(s) == naive_connection(game, blue, False)
            assert game.red_wins(s) != game.blue_wins(s)  # a full board connects exactly one pair of sides


@pytest.mark.parametrize("game", BOARDS)
def test_a_game_ends_with_the_first_connection(game: Hex) -> None:
    for seed in range(8):
        *before, (last, _) = playout(game, seed)
        for s, _ in before:
            assert not naive_connection(game, s.red, True) and not naive_connection(game, s.blue, False)
            assert game.count(s) == len(list(game.actions(s)))
        assert game.utility(last) == (1.0 if naive_connection(game, last.red, True) else -1.0)


@pytest.mark.parametrize("game", BOARDS)
def test_stones_needed_are_none_exactly_where_sides_are_connected(game: Hex) -> None:
    for seed in range(6):
        for s, action in playout(game, seed):
            red = game.needed(s.red, s.blue, game.top, game.bottom)
            blue = game.needed(s.blue, s.red, game.left, game.right)
            assert (red == 0) == game.red_wins(s) and (blue == 0) == game.blue_wins(s)
            assert -1.0 < game.evaluate(s) < 1.0
            if action is not None:
                assert red <= game.cells - 1 or game.cells == 1
                placed = game.result(s, next(iter(game.actions(s))))
                if s.player == pf.MAX:
                    after = game.needed(placed.red, placed.blue, game.top, game.bottom)
                    assert red - 1 <= after <= red


def test_an_empty_row_of_five_needs_five_stones() -> None:
    game = Hex(5)
    assert game.needed(0, 0, game.top, game.bottom) == 5
    assert game.needed(game.top, 0, game.left, game.right) == 0
    wall = game.left << 2  # a whole column of red stones: nothing gets from left to right
    assert game.needed(0, wall, game.left, game.right) == game.cells


def test_a_swap_takes_the_stone_over_to_its_mirror_image() -> None:
    game = Hex(3, swap=True)
    s = pf.state_after(game, "a2")
    assert pf.format_action(game, s, pf.legal_moves(game, s)[-1]) == "swap"
    swapped = pf.state_after(game, "swap", state=s)
    assert pf.format_state(game, swapped) == ".b./.../... r"
    assert len(pf.legal_moves(game, swapped)) == 8 and "swap" not in [
        pf.format_action(game, swapped, a) for a in pf.legal_moves(game, swapped)
    ]
    plain = Hex(3)
    assert len(pf.legal_moves(plain, pf.state_after(plain, "a2"))) == 8


def test_a_swap_is_as_good_as_having_moved_first() -> None:
    """After a swap Blue stands as Red stood: the value of the position is the mirrored one."""
    game, plain = Hex(3, swap=True), Hex(3)
    solution, without = backward_induction(game), backward_induction(plain)
    for cell in plain.actions(plain.start()):
        swapped = game.result(game.result(game.start(), cell), game.cells)
        assert solution.value_of(swapped) == -without.value_of(plain.result(plain.start(), cell))


def test_the_laws_of_games_hold() -> None:
    for game in (Hex(2), Hex(2, swap=True)):
        report = check(game, native=False)
        assert not report.violations and report.complete, str(report)


@pytest.mark.full
@compiles
def test_native_and_interpreted_searches_are_the_same() -> None:
    game = Hex(7, swap=True)
    states = [s for s, _ in playout(game, 3)]
    for state in (states[0], states[1], states[len(states) // 2], states[-3]):
        for depth in (1, 2):
            native = pf.search(game, state, using="alpha_beta", depth=depth, native=True)
            plain = pf.search(game, state, using="alpha_beta", depth=depth, native=False)
            assert native.native and not plain.native
            for field in ("value", "values", "best", "line", "nodes", "reason"):
                assert getattr(native, field) == getattr(plain, field), field


# ------------------------------------------------------------ text
@pytest.mark.parametrize("game", BOARDS)
def test_text_read_back_is_the_same_in_random_games(game: Hex) -> None:
    for seed in range(5):
        for s, action in playout(game, seed):
            assert pf.parse_state(game, pf.format_state(game, s)) == s
            if action is not None:
                assert pf.parse_action(game, s, pf.format_action(game, s, action)) == action


def test_a1_is_the_upper_left_corner() -> None:
    game = Hex(3)
    s = pf.state_after(game, "c1", "a1", "b2")
    assert pf.format_state(game, s) == "b.r/.r./... b"
    assert game.show(s).splitlines() == ["1  b . r", " 2  . r .", "  3  . . .", "      a b c"]
    assert game.utility(pf.state_after(game, "a2", "a3", state=s)) == 1.0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "then r or b to move"),
        (".../.../...", "then r or b to move"),
        (".../.../... x", "then r or b to move"),
        (".../... r", "2 rows"),
        (".../..../... r", "row 2 .* has 4 cells"),
        (".../..z/... r", "c2 .* is 'z'"),
        (".../.../... b", "Red begins"),
        (".../.r./... r", "Red begins"),
        (".../.b./... r", "Red begins"),
        ("rb./rb./r.b r", "after the game was won"),
    ],
)
def test_text_that_is_no_state_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(pf.BadText, match=says):
        pf.parse_state(Hex(3), text)


def test_a_connection_is_allowed_only_if_one_stone_made_it() -> None:
    assert Hex(3).utility(pf.parse_state(Hex(3), "bbb/.../rrr r")) == -1.0
    with pytest.raises(pf.BadText, match="won before"):
        pf.parse_state(Hex(4), "rrbb/rrbb/rrbb/rr.b b")


def test_after_a_swap_blue_may_be_a_stone_ahead() -> None:
    swapped = Hex(3, swap=True)
    assert pf.parse_state(swapped, ".b./.../... r") == Stones(0, 2, pf.MAX)
    assert pf.parse_state(swapped, ".b./.r./... b") == Stones(16, 2, pf.MIN)
    assert pf.parse_state(Hex(3), ".b./.r./... r") == Stones(16, 2, pf.MAX)


@pytest.mark.parametrize("size", [0, -1, 8])
def test_boards_that_make_no_game_are_refused(size: int) -> None:
    with pytest.raises(pf.BadRules, match="size 1 to 7"):
        Hex(size)
