"""The m,n,k game: tic-tac-toe's numbers, solved boards, lines against a naive search for them, and the text form."""

from __future__ import annotations

import functools
import random

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.games.two_players.mnk import Marks, Mnk

TIC_TAC_TOE = Mnk(3, 3, 3)
BOARDS = [
    TIC_TAC_TOE,
    Mnk(4, 3, 3),
    Mnk(3, 4, 3),
    Mnk(5, 5, 4),
    Mnk(9, 7, 5),
    Mnk(26, 2, 4),
    Mnk(1, 12, 2),
    Mnk(2, 2, 1),
]


def playout(game: Mnk, seed: int) -> list[tuple[Marks, int | None]]:
    """A random game: each state with the action taken there."""
    dice, s, seen = random.Random(seed), game.start(), []
    while not game.terminal(s):
        action = dice.choice(pf.legal_moves(game, s))
        seen.append((s, action))
        s = game.result(s, action)
    return [*seen, (s, None)]


def naive_lines(game: Mnk) -> list[frozenset[int]]:
    """Every line as a set of cells, by walking from each cell in each direction."""
    found = []
    for column in range(game.columns):
        for row in range(game.rows):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + right * i, row + up * i) for i in range(game.connect)]
                if all(0 <= c < game.columns and 0 <= r < game.rows for c, r in line):
                    found.append(frozenset(r * game.columns + c for c, r in line))
    return found


# ------------------------------------------------------------ known truths
@compiles
def test_minimax_visits_549946_nodes_of_tic_tac_toe_and_finds_a_draw() -> None:
    found = pf.search(TIC_TAC_TOE, using="minimax", native=True)
    assert (found.nodes, found.value) == (549_946, 0.0)
    assert len(found.best) == 9


def test_tic_tac_toe_has_255168_games_549946_nodes_and_5478_states() -> None:
    @functools.cache
    def tree(s: Marks) -> tuple[int, int, int, int]:
        """How many games from here X wins, O wins, nobody wins; and how many nodes their tree has."""
        if TIC_TAC_TOE.terminal(s):
            won = TIC_TAC_TOE.utility(s)
            return int(won > 0), int(won < 0), int(won == 0), 1
        below = [tree(TIC_TAC_TOE.result(s, cell)) for cell in TIC_TAC_TOE.actions(s)]
        x, o, draws, nodes = (sum(column) for column in zip(*below, strict=True))
        return x, o, draws, nodes + 1

    assert tree(TIC_TAC_TOE.start()) == (131_184, 77_904, 46_080, 549_946)
    assert tree.cache_info().currsize == 5_478


@pytest.mark.parametrize(("columns", "rows", "connect", "value"), [(3, 3, 3, 0.0), (3, 4, 3, 1.0), (4, 3, 3, 1.0)])
def test_small_boards_have_their_known_values(columns: int, rows: int, connect: int, value: float) -> None:
    found = pf.search(Mnk(columns, rows, connect), using="alpha_beta", native=False)
    assert found.value == value and found.exact


@compiles
def test_four_by_four_three_in_a_row_is_won_by_the_first_player() -> None:
    found = pf.search(Mnk(4, 4, 3), using="alpha_beta", native=True)
    assert found.value == 1.0 and found.exact


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("columns", "rows", "connect", "value"), [(3, 5, 4, 0.0), (5, 3, 4, 0.0), (4, 4, 4, 0.0)])
def test_half_a_billion_nodes_prove_four_in_a_row_a_draw(columns: int, rows: int, connect: int, value: float) -> None:
    found = pf.search(Mnk(columns, rows, connect), using="alpha_beta", native=True)
    assert found.value == value and found.exact


# ------------------------------------------------------------ the rules
def test_three_in_a_row_is_the_game_of_tic_tac_toe_turned_upside_down() -> None:
    other = TicTacToe()
    for seed in range(20):
        for s, _ in playout(TIC_TAC_TOE, seed):
            same = pf.parse_state(other, pf.format_state(TIC_TAC_TOE, s))
            assert other.terminal(same) == TIC_TAC_TOE.terminal(s)
            assert other.player(same) == TIC_TAC_TOE.player(s)
            assert other.evaluate(same) == TIC_TAC_TOE.evaluate(s)
            if other.terminal(same):
                assert other.utility(same) == TIC_TAC_TOE.utility(s)


@pytest.mark.parametrize("game", BOARDS)
def test_lines_are_those_that_a_naive_walk_finds(game: Mnk) -> None:
    lines = naive_lines(game)
    distinct = set(lines)
    if game.connect > 1:
        assert game.lines == len(lines) == len(distinct)
    dice = random.Random(7)
    for share in (0.3, 0.5, 0.8):
        for _ in range(40):
            cells = {cell for cell in range(game.cells) if dice.random() < share}
            marks = sum(1 << cell for cell in cells)
            assert game.has_line(marks) == any(line <= cells for line in lines)
            assert game.open_lines(marks) == sum(not line & cells for line in lines)


@pytest.mark.full
@pytest.mark.parametrize("using", ["alpha_beta", "minimax"])
def test_native_and_interpreted_searches_are_the_same(using: str) -> None:
    game = Mnk(4, 3, 3)
    for depth in (1, 4):
        native = pf.search(game, using=using, depth=depth, all_best=True, native=True)
        plain = pf.search(game, using=using, depth=depth, all_best=True, native=False)
        assert native.native and not plain.native
        for field in ("value", "values", "best", "line", "nodes", "reason"):
            assert getattr(native, field) == getattr(plain, field), field


def test_a_board_of_63_cells_is_the_same_natively() -> None:
    game = Mnk(9, 7, 5)
    late = [s for s, _ in playout(game, 1)][-6]
    for state in (game.start(), late):
        native = pf.search(game, state, depth=2, native=True)
        plain = pf.search(game, state, depth=2, native=False)
        assert (native.value, native.best, native.line, native.nodes) == (
            plain.value,
            plain.best,
            plain.line,
            plain.nodes,
        )


# ------------------------------------------------------------ text
@pytest.mark.parametrize("game", BOARDS)
def test_text_read_back_is_the_same_in_random_games(game: Mnk) -> None:
    for seed in range(5):
        for s, action in playout(game, seed):
            assert pf.parse_state(game, pf.format_state(game, s)) == s
            assert -1.0 < game.evaluate(s) < 1.0
            if action is not None:
                assert pf.parse_action(game, s, pf.format_action(game, s, action)) == action
                assert game.count(s) == len(list(game.actions(s)))


def test_a1_is_the_lower_left_corner() -> None:
    game = Mnk(4, 3, 3)
    s = pf.state_after(game, "a1", "d3", "b1", "c2")
    assert pf.format_state(game, s) == "...o/..o./xx.."
    assert game.show(s).splitlines() == ["3  . . . O", "2  . . O .", "1  X X . .", "   a b c d"]
    assert game.utility(pf.state_after(game, "c1", state=s)) == 1.0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "1 rows"),
        (".../...", "2 rows"),
        (".........", "1 rows"),
        (".../..../...", "row 2 .* has 4 cells"),
        ("..z/.../...", "c3 .* is 'z'"),
        ("x../x../...", "X begins"),
        ("o../.../...", "X begins"),
        ("xxx/ooo/...", "after the game was won"),
        ("xxx/oo./o..", "after the game was won"),
        ("xx./ooo/x.x", "after the game was won"),
    ],
)
def test_text_that_is_no_state_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(pf.BadText, match=says):
        pf.parse_state(TIC_TAC_TOE, text)


def test_two_lines_are_allowed_only_if_one_mark_completed_both() -> None:
    game = Mnk(5, 5, 3)
    assert game.utility(pf.parse_state(game, "xxx../x..../x..oo/oo.../.....")) == 1.0
    with pytest.raises(pf.BadText, match="no cell in common"):
        pf.parse_state(game, "xxx../...../..o.o/oo.o./xxx..")


@pytest.mark.parametrize(
    ("columns", "rows", "connect", "says"),
    [
        (0, 3, 3, "at least 1"),
        (3, 3, 0, "at least 1"),
        (8, 8, 5, "63 cells"),
        (27, 1, 3, "26 columns"),
        (3, 4, 5, "nobody can get 5"),
    ],
)
def test_boards_that_make_no_game_are_refused(columns: int, rows: int, connect: int, says: str) -> None:
    with pytest.raises(pf.BadRules, match=says):
        pf.load(f"mnk(columns={columns}, rows={rows}, connect={connect})")
