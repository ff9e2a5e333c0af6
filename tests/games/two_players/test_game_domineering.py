"""Domineering: who wins on which board, moves against a naive walk, and the text form."""

from __future__ import annotations

import itertools
import random

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.check import check
from plyforge.games.two_players.domineering import Covered, Domineering
from plyforge.solve import backward_induction

BOARDS = [
    Domineering(3, 4),
    Domineering(4, 3, "horizontal"),
    Domineering(1, 1),
    Domineering(1, 6),
    Domineering(5, 1),
    Domineering(7, 9),
    Domineering(9, 7, "horizontal"),
    Domineering(2, 26),
]

WINNERS = {  # (rows, columns): V vertical, H horizontal, N whoever begins, P whoever does not
    (1, 1): "P",
    (2, 2): "N",
    (2, 3): "N",
    (2, 4): "H",
    (2, 5): "V",
    (3, 2): "N",
    (3, 3): "N",
    (3, 4): "H",
    (3, 5): "H",
    (4, 2): "V",
    (4, 3): "V",
    (4, 4): "N",
    (4, 5): "V",
    (5, 2): "H",
    (5, 3): "V",
    (5, 4): "H",
    (5, 5): "P",
}
LONG = {(5, 5)}
VALUES = {  # of the game that Vertical begins, and of the one that Horizontal begins
    "V": (1.0, 1.0),
    "H": (-1.0, -1.0),
    "N": (1.0, -1.0),
    "P": (-1.0, 1.0),
}


def playout(game: Domineering, seed: int) -> list[tuple[Covered, int | None]]:
    """A random game: each state with the action taken there."""
    dice, s, seen = random.Random(seed), game.start(), []
    while not game.terminal(s):
        action = dice.choice(pf.legal_moves(game, s))
        seen.append((s, action))
        s = game.result(s, action)
    return [*seen, (s, None)]


def naive_moves(game: Domineering, s: Covered) -> list[str]:
    """The dominoes that fit, as text, cell by cell from the picture."""
    free = set()
    for line in game.show(s).splitlines()[: game.rows]:
        number, *signs = line.split()
        free |= {(column, int(number)) for column, sign in enumerate(signs) if sign == "."}
    right, up = (0, 1) if s.player == pf.MAX else (1, 0)
    return [
        f"{chr(97 + column)}{row}-{chr(97 + column + right)}{row + up}"
        for column, row in sorted(free, key=lambda cell: (cell[1], cell[0]))
        if (column + right, row + up) in free
    ]


# ------------------------------------------------------------ known truths
@pytest.mark.parametrize(("rows", "columns"), sorted(WINNERS.keys() - LONG))
def test_small_boards_are_won_by_who_is_known_to_win(rows: int, columns: int) -> None:
    found = tuple(backward_induction(Domineering(rows, columns, first)).value for first in ("vertical", "horizontal"))
    assert found == VALUES[WINNERS[rows, columns]]


@pytest.mark.full
def test_whoever_begins_on_five_by_five_loses() -> None:
    found = [backward_induction(Domineering(5, 5, first)) for first in ("vertical", "horizontal")]
    assert tuple(solution.value for solution in found) == VALUES[WINNERS[5, 5]]
    assert found[0].states == found[1].states == 455_317


def test_a_quarter_turn_of_the_board_exchanges_the_players() -> None:
    for rows, columns in [(2, 3), (3, 4), (1, 5), (4, 4), (2, 6)]:
        upright = backward_induction(Domineering(rows, columns, "vertical"))
        turned = backward_induction(Domineering(columns, rows, "horizontal"))
        assert upright.value == -turned.value
        assert upright.states == turned.states


# ------------------------------------------------------------ the rules
@pytest.mark.parametrize("game", BOARDS)
def test_moves_are_those_that_a_naive_walk_finds(game: Domineering) -> None:
    for seed in range(8):
        for s, action in playout(game, seed):
            texts = [pf.format_action(game, s, cell) for cell in game.actions(s)]
            assert texts == naive_moves(game, s)
            assert len(texts) == game.count(s)
            assert game.terminal(s) == (not texts) == (action is None)


@pytest.mark.parametrize("game", BOARDS)
def test_a_move_covers_its_two_cells_and_the_player_without_a_move_loses(game: Domineering) -> None:
    for seed in range(8):
        game_played = playout(game, seed)
        for (s, action), (after, _) in itertools.pairwise(game_played):
            assert action is not None
            names = set(pf.format_action(game, s, action).split("-"))
            changed = {game._name(cell) for cell in range(game.size) if (s.cells ^ after.cells) >> cell & 1}
            assert changed == names and after.cells & s.cells == s.cells
            assert after.player == 1 - s.player
        last = game_played[-1][0]
        assert game.utility(last) == (-1.0 if last.player == pf.MAX else 1.0)


def test_the_laws_of_games_hold() -> None:
    for game in (Domineering(3, 3), Domineering(2, 4, "horizontal")):
        report = check(game, native=False)
        assert not report.violations and report.complete, str(report)


@pytest.mark.full
@compiles
def test_native_and_interpreted_searches_are_the_same() -> None:
    game = Domineering(9, 7, "horizontal")
    states = [s for s, _ in playout(game, 3)]
    for state in (states[0], states[len(states) // 2], states[-3]):
        for depth in (1, 3):
            native = pf.search(game, state, using="alpha_beta", depth=depth, native=True)
            plain = pf.search(game, state, using="alpha_beta", depth=depth, native=False)
            assert native.native and not plain.native
            for field in ("value", "values", "best", "line", "nodes", "reason"):
                assert getattr(native, field) == getattr(plain, field), field


@compiles
def test_alpha_beta_agrees_with_backward_induction() -> None:
    game = Domineering(4, 4)
    found = pf.search(game, using="alpha_beta", all_best=True, native=True)
    solution = backward_induction(game)
    assert found.exact and found.value == solution.value == 1.0
    assert set(found.best) == set(solution.best_of(game.start()))


# ------------------------------------------------------------ text
@pytest.mark.parametrize("game", BOARDS)
def test_text_read_back_is_the_same_in_random_games(game: Domineering) -> None:
    for seed in range(5):
        for s, action in playout(game, seed):
            assert pf.parse_state(game, pf.format_state(game, s)) == s
            assert -1.0 < game.evaluate(s) < 1.0
            if action is not None:
                assert pf.parse_action(game, s, pf.format_action(game, s, action)) == action


def test_a1_is_the_lower_left_corner() -> None:
    game = Domineering(3, 4)
    s = pf.state_after(game, "d1-d2", "a3-b3", "a1-a2")
    assert pf.format_state(game, s) == "##../#..#/#..# h"
    assert game.show(s).splitlines() == [
        "3  # # . .",
        "2  # . . #",
        "1  # . . #",
        "   a b c d",
        "Horizontal moves",
    ]
    assert [pf.format_action(game, s, cell) for cell in pf.legal_moves(game, s)] == [
        "b1-c1",
        "b2-c2",
        "c3-d3",
    ]
    assert game.evaluate(game.start()) == (8 - 9) / 12


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "then v or h to move"),
        ("..../..../....", "then v or h to move"),
        ("..../..../.... x", "then v or h to move"),
        ("..../.... v", "2 rows"),
        ("..../...../.... v", "row 2 .* has 5 cells"),
        ("..../..z./.... v", "c2 .* is 'z'"),
        ("..../..../#... h", "as many dark as light"),
        ("..../..../#.#. h", "as many dark as light"),
        ("..../..../##.. v", "the other's turn"),
        ("..../..../.... h", "vertical begins"),
    ],
)
def test_text_that_is_no_state_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(pf.BadText, match=says):
        pf.parse_state(Domineering(3, 4), text)


@pytest.mark.parametrize(
    ("rows", "columns", "first", "says"),
    [
        (0, 3, "vertical", "at least 1"),
        (3, 0, "vertical", "at least 1"),
        (8, 8, "vertical", "63 cells"),
        (1, 27, "vertical", "26 columns"),
        (3, 3, "max", "'vertical' or 'horizontal'"),
    ],
)
def test_boards_that_make_no_game_are_refused(rows: int, columns: int, first: str, says: str) -> None:
    with pytest.raises(pf.BadRules, match=says):
        Domineering(rows, columns, first)
