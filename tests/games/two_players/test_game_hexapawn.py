"""Hexapawn: who wins on which board, moves against a naive generator, and the text form."""

from __future__ import annotations

import random

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.games.two_players.hexapawn import Hexapawn, Move, Pawns

BOARDS = [Hexapawn(3, 3), Hexapawn(4, 5), Hexapawn(1, 4), Hexapawn(9, 7), Hexapawn(7, 9), Hexapawn(3, 2)]
FIRST, SECOND = 1.0, -1.0

WINNERS = {  # (height, width): a player without a move loses
    (3, 1): FIRST,
    (3, 2): SECOND,
    (3, 3): SECOND,
    (3, 4): FIRST,
    (3, 5): FIRST,
    (4, 1): SECOND,
    (4, 2): SECOND,
    (4, 3): SECOND,
    (4, 4): FIRST,
    (4, 5): SECOND,
    (5, 1): FIRST,
    (5, 2): SECOND,
    (5, 3): FIRST,
    (5, 4): SECOND,
    (5, 5): FIRST,
}
LONG = {(4, 5), (5, 4), (5, 5)}


def playout(game: Hexapawn, seed: int) -> list[tuple[Pawns, Move | None]]:
    """A random game: each state with the action taken there."""
    dice, s, seen = random.Random(seed), game.start(), []
    while not game.terminal(s):
        action = dice.choice(pf.legal_moves(game, s))
        seen.append((s, action))
        s = game.result(s, action)
    return [*seen, (s, None)]


def naive_moves(game: Hexapawn, s: Pawns) -> set[str]:
    """The legal moves as text, square by square from the picture."""
    board = {}
    for line in game.show(s).splitlines()[:-1]:
        rank, *signs = line.split()
        for column, sign in enumerate(signs):
            board[column, int(rank)] = sign
    mine, enemy, up = ("w", "b", 1) if s.player == pf.MAX else ("b", "w", -1)
    found = set()
    for (column, rank), sign in board.items():
        if sign != mine:
            continue
        for right, wanted, mark in ((0, ".", "-"), (-1, enemy, "x"), (1, enemy, "x")):
            if board.get((column + right, rank + up)) == wanted:
                found.add(f"{chr(97 + column)}{rank}{mark}{chr(97 + column + right)}{rank + up}")
    return found


# ------------------------------------------------------------ known truths
@pytest.mark.parametrize(("height", "width"), sorted(WINNERS.keys() - LONG))
def test_small_boards_are_won_by_who_is_known_to_win(height: int, width: int) -> None:
    found = pf.search(Hexapawn(width, height), using="alpha_beta", native=False)
    assert found.value == WINNERS[height, width] and found.exact


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("height", "width"), sorted(LONG))
def test_larger_boards_are_won_by_who_is_known_to_win(height: int, width: int) -> None:
    found = pf.search(Hexapawn(width, height), using="alpha_beta", native=True)
    assert found.value == WINNERS[height, width] and found.exact


def test_on_gardners_board_no_first_move_wins() -> None:
    found = pf.search(Hexapawn(), using="minimax", native=False)
    assert [found.text(action) for action in found.best] == ["a1-a2", "b1-b2", "c1-c2"]
    assert found.value == SECOND


# ------------------------------------------------------------ the rules
@pytest.mark.parametrize("game", BOARDS)
def test_moves_are_those_that_a_naive_walk_finds(game: Hexapawn) -> None:
    for seed in range(8):
        for s, action in playout(game, seed):
            if action is not None:
                texts = [pf.format_action(game, s, move) for move in game.actions(s)]
                assert set(texts) == naive_moves(game, s)
                assert len(set(texts)) == len(texts) == game.count(s)


@pytest.mark.parametrize("game", BOARDS)
def test_a_game_ends_on_the_last_rank_or_without_a_move(game: Hexapawn) -> None:
    for seed in range(8):
        last = playout(game, seed)[-1][0]
        top, bottom = pf.format_state(game, last).split()[0].split("/")[:: game.height - 1]
        if "w" in top:
            assert game.utility(last) == 1.0
        elif "b" in bottom:
            assert game.utility(last) == -1.0
        else:
            assert not naive_moves(game, last)
            assert game.utility(last) == (-1.0 if last.player == pf.MAX else 1.0)


@pytest.mark.full
@pytest.mark.parametrize("using", ["alpha_beta", "minimax"])
def test_native_and_interpreted_searches_are_the_same(using: str) -> None:
    game = Hexapawn(4, 4)
    for depth in (5, 8):
        native = pf.search(game, using=using, depth=depth, all_best=True, native=True)
        plain = pf.search(game, using=using, depth=depth, all_best=True, native=False)
        assert native.native and not plain.native
        for field in ("value", "values", "best", "line", "nodes", "reason"):
            assert getattr(native, field) == getattr(plain, field), field


def test_a_board_of_63_squares_is_the_same_natively() -> None:
    game = Hexapawn(9, 7)
    states = [s for s, _ in playout(game, 3)]
    for state in (states[0], states[len(states) // 2], states[-3]):
        native = pf.search(game, state, depth=4, native=True)
        plain = pf.search(game, state, depth=4, native=False)
        assert (native.value, native.best, native.line, native.nodes) == (
            plain.value,
            plain.best,
            plain.line,
            plain.nodes,
        )


# ------------------------------------------------------------ text
@pytest.mark.parametrize("game", BOARDS)
def test_text_read_back_is_the_same_in_random_games(game: Hexapawn) -> None:
    for seed in range(8):
        for s, action in playout(game, seed):
            assert pf.parse_state(game, pf.format_state(game, s)) == s
            if action is not None:
                assert -1.0 < game.evaluate(s) < 1.0
                assert pf.parse_action(game, s, pf.format_action(game, s, action)) == action


def test_moves_are_written_as_in_chess() -> None:
    game = Hexapawn()
    s = pf.state_after(game, "b1-b2", "a3xb2", "a1xb2")
    assert pf.format_state(game, s) == ".bb/.w./..w b"
    assert game.show(s).splitlines() == ["3  . b b", "2  . w .", "1  . . w", "   a b c"]
    assert [pf.format_action(game, s, move) for move in pf.legal_moves(game, s)] == ["c3-c2", "c3xb2"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "then w or b to move"),
        ("bbb/.../www", "then w or b to move"),
        ("bbb/.../www x", "then w or b to move"),
        ("bbb/www w", "2 ranks"),
        ("bbb/..../www w", "rank 2 .* has 4 squares"),
        ("bbb/..q/www w", "c2 .* is 'q'"),
        ("bbb/w../www w", "begins with 3 pawns"),
        ("w../.../b.. w", "first pawn"),
        ("ww./.../b.. b", "first pawn"),
        ("w.b/.../... w", "player to move has already"),
        ("..b/.../.wb b", "player to move has already"),
    ],
)
def test_text_that_is_no_state_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(pf.BadText, match=says):
        pf.parse_state(Hexapawn(), text)


@pytest.mark.parametrize(
    ("width", "height", "says"),
    [(0, 3, "at least 1"), (3, 1, "at least 2"), (8, 8, "63 squares"), (27, 2, "26 columns")],
)
def test_boards_that_make_no_game_are_refused(width: int, height: int, says: str) -> None:
    with pytest.raises(pf.BadRules, match=says):
        pf.load(f"hexapawn(width={width}, height={height})")
