"""What chess is judged by: features, their weighted sum, material and Turing's ratio."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyforge.contract import legal_moves, parse_state
from plyforge.errors import BadText
from plyforge.evaluate import ChessMaterial, Linear, TuringRatio
from plyforge.evaluate.chess.features import NAMES, features_of
from plyforge.evaluate.chess.squares import read_squares, write_squares
from plyforge.evaluate.weighted import WEIGHTS, read_weights, weighted_sum
from plyforge.games.chess.board import Position
from plyforge.games.chess.rules import Chess
from plyforge.kernel import swap_bytes

GAME = Chess()


def features(fen: str) -> dict[str, float]:
    return dict(zip(NAMES, GAME.encoding.features(GAME, parse_state(GAME, fen)), strict=True))


def positions(number: int, seed: int) -> list[Position]:
    dice = random.Random(seed)
    found: list[Position] = []
    s = GAME.start()
    while len(found) < number:
        found.append(s)
        legal = legal_moves(GAME, s)
        s = GAME.result(s, dice.choice(legal)) if legal and s.moves < 80 else GAME.start()
    return found


def exchanged(s: Position) -> Position:
    """The same position with the colours exchanged."""
    white, black, *pieces = (swap_bytes(bits) for bits in s[:9])
    return Position(black, white, *pieces, 1 - s.player, s.quiet, s.moves)


def test_there_is_a_number_for_each_name_and_all_are_zero_at_the_start():
    assert len(set(NAMES)) == len(NAMES)
    assert {
        name: value for name, value in zip(NAMES, GAME.encoding.features(GAME, GAME.start()), strict=True) if value
    } == {"move": 1.0}


def test_exchanging_the_colours_turns_every_sign():
    for s in positions(120, 1):
        turned = exchanged(s)
        assert GAME.encoding.features(GAME, turned) == tuple(-value for value in GAME.encoding.features(GAME, s))
        assert GAME.encoding.phase(GAME, turned) == GAME.encoding.phase(GAME, s)
        assert GAME.evaluate(turned) == pytest.approx(-GAME.evaluate(s))
        for evaluation in (ChessMaterial(), TuringRatio()):
            assert evaluation.estimate(GAME, turned) == pytest.approx(-evaluation.estimate(GAME, s))


def test_estimates_stay_inside_the_bounds():
    many_queens = parse_state(GAME, "QQQQ3k/QQQQQ3/8/8/8/8/8/K7 b - - 0 1")
    for s in [*positions(100, 2), many_queens, exchanged(many_queens)]:
        for estimate in (
            GAME.evaluate(s),
            ChessMaterial().estimate(GAME, s),
            TuringRatio().estimate(GAME, s),
        ):
            assert -1.0 < estimate < 1.0
    assert GAME.evaluate(many_queens) > 0.5


@pytest.mark.parametrize(
    ("fen", "wanted"),
    [
        (
            "4k3/8/8/8/3P4/8/8/4K3 w - - 0 1",
            {
                "pawns": 1,
                "passed": 1,
                "passed advance": 4,
                "passed free": 4,
                "isolated": 1,
            },
        ),
        ("4k3/8/8/8/3P4/3P4/8/4K3 w - - 0 1", {"pawns": 2, "doubled": 1, "passed": 1, "isolated": 2}),
        (
            "4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1",
            {"connected": 2, "isolated": 0, "passed": 2, "passed protected": 0},
        ),
        ("4k3/8/8/3P4/4P3/8/8/4K3 w - - 0 1", {"connected": 1, "passed protected": 1}),
        ("4k3/3p4/8/8/4P3/8/8/4K3 w - - 0 1", {"passed": 0, "passed advance": 0}),
        ("4k3/8/4n3/4P3/8/8/8/4K3 w - - 0 1", {"passed": 1, "passed blocked": 3, "passed free": 0}),
        ("4k3/8/8/4P3/8/8/8/4KR2 w - - 0 1", {"rook behind": 0}),
        ("4k3/8/8/5P2/8/8/8/4KR2 w - - 0 1", {"rook behind": 1}),
        ("4k3/8/8/5P2/5n2/8/8/4KR2 w - - 0 1", {"rook behind": 0}),
        ("4k3/8/1p6/8/PP6/8/8/4K3 w - - 0 1", {"backward": 0}),
        ("4k3/8/8/1p6/8/P7/1P6/4K3 w - - 0 1", {"backward": 0}),
        ("4k3/8/8/2p5/P7/1P6/8/4K3 w - - 0 1", {"backward": 1, "connected": 1}),
        ("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", {"knights": 1, "knight mobility": 8, "cramped": 0}),
        ("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", {"bishops": 1, "bishop mobility": 7}),
        ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", {"cramped": 2}),
        ("4k3/8/8/8/8/2P5/3P4/B3K3 w - - 0 1", {"bad bishop": 2, "cramped": 3}),
        ("4k3/8/8/8/8/3P4/2P5/B3K3 w - - 0 1", {"bad bishop": 0}),
        ("4k3/8/8/8/8/8/8/BB2K3 w - - 0 1", {"bishops": 2, "bishop pair": 1}),
        ("4k3/p7/8/8/8/8/8/RR2K3 w - - 0 1", {"rooks": 2, "open files": 1, "half-open files": 1}),
        ("4k3/1R6/8/8/8/8/8/4K3 w - - 0 1", {"seventh rank": 1}),
        ("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", {"king shelter": 6, "king files": -3}),
        ("4k3/8/8/8/6p1/7p/8/6K1 w - - 0 1", {"king storm": 3}),
        ("4k3/8/8/2p5/8/8/8/6K1 w - - 0 1", {"king storm": 0}),
        ("4k3/8/8/8/8/5PP1/8/6K1 w - - 0 1", {"king shelter": 2, "king files": -2}),
        ("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1", {"pawn threats": 1}),
        ("4k3/8/5r2/3N4/8/8/8/4K3 w - - 0 1", {"minor threats": 1}),
        ("4k3/8/8/3N4/4P3/8/8/4K3 w - - 0 1", {"outposts": 1}),
        ("4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1", {"outposts": 0}),
        ("6k1/8/8/6N1/8/8/8/4K1R1 w - - 0 1", {"king attack": 0}),
        ("6k1/8/8/6N1/8/8/8/Q3K3 w - - 0 1", {"king attack": 14}),
        ("6k1/8/8/8/8/8/8/R3K3 w - - 0 1", {"king ring": 0, "king checks": 1}),  # on a8
        ("6k1/r7/8/8/8/8/8/R3K3 w - - 0 1", {"king checks": -2}),  # Black's on e7 and a1
        ("6k1/8/8/8/8/8/8/4KR2 w - - 0 1", {"king ring": 2, "king checks": 1}),  # on g1; f8 is protected
        ("3qk3/8/8/8/8/8/8/3RK3 w - - 0 1", {"rook threats": 1, "hanging": 0}),
        ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", {"hanging": 1}),
        ("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", {"hanging": 0}),
        ("6k1/8/8/8/8/8/8/4K3 b - - 0 1", {"move": -1}),
    ],
)
def test_features_by_hand(fen: str, wanted: dict[str, float]):
    found = features(fen)
    assert {name: found[name] for name in wanted} == wanted


def test_mobility_agrees_with_counting_square_by_square():
    for s in positions(60, 3):
        found = dict(zip(NAMES, GAME.encoding.features(GAME, s), strict=True))
        wanted = dict.fromkeys(("rook mobility", "bishop mobility"), 0)
        board = {q: letter for q in range(64) if (letter := _letter(s, q))}
        for square, letter in board.items():
            sign = 1 if letter.isupper() else -1
            for kind, ways in (
                ("Rr", ((0, 1), (1, 0), (0, -1), (-1, 0))),
                ("Bb", ((1, 1), (1, -1), (-1, 1), (-1, -1))),
            ):
                if letter in kind:
                    name = "rook mobility" if kind == "Rr" else "bishop mobility"
                    wanted[name] += sign * _free_squares(board, square, ways)
        assert {name: found[name] for name in wanted} == wanted


def _letter(s: Position, square: int) -> str:
    from plyforge.games.chess.fen import piece_letter

    return piece_letter(s, square)


def _free_squares(board: dict[int, str], square: int, ways) -> int:
    white = board[square].isupper()
    number = 0
    for right, up in ways:
        file, rank = (square & 7) + right, (square >> 3) + up
        while 0 <= file < 8 and 0 <= rank < 8:
            there = board.get(8 * rank + file, "")
            own = bool(there) and there.isupper() == white
            pawn, ahead = ("p", rank + 1) if white else ("P", rank - 1)
            guarded = any(
                0 <= file + side < 8 and 0 <= ahead < 8 and board.get(8 * ahead + file + side) == pawn
                for side in (1, -1)
            )
            number += not own and not guarded
            if there:
                break
            file, rank = file + right, rank + up
    return number


def test_every_feature_has_a_weight():
    rows = read_weights(WEIGHTS / "chess.json", GAME)
    assert rows.shape == (2, len(NAMES))
    assert (abs(rows).max(axis=0) > 0.0).all()
    assert 0.005 < rows[0, 0] < 0.015  # a pawn is about a hundredth
    assert Linear.read(WEIGHTS / "chess.json", GAME).estimate(GAME, GAME.start()) == GAME.evaluate(GAME.start())


def test_the_stage_goes_from_all_pieces_to_none():
    assert GAME.encoding.phase(GAME, GAME.start()) == 0.0
    assert GAME.encoding.phase(GAME, parse_state(GAME, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1")) == 1.0
    assert GAME.encoding.phase(
        GAME, parse_state(GAME, "4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK2R w - - 0 1")
    ) == pytest.approx(0.75)


def test_material_and_the_ratio():
    rook_up = parse_state(GAME, "r3k3/8/8/8/8/8/8/R3K2R w - - 0 1")
    assert ChessMaterial().estimate(GAME, rook_up) == pytest.approx(0.05)
    assert TuringRatio().estimate(GAME, rook_up) == pytest.approx(0.99 / 3)
    more = parse_state(GAME, "r3k3/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w - - 0 1")
    assert ChessMaterial().estimate(GAME, more) == pytest.approx(0.05)
    assert 0.0 < TuringRatio().estimate(GAME, more) < TuringRatio().estimate(GAME, rook_up)
    bare = parse_state(GAME, "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert TuringRatio().estimate(GAME, bare) == 0.0


def test_squares_are_read_for_both_sides(tmp_path):
    table = np.zeros((2, 6, 64))
    table[0, 1, 8 * 2 + 2] = table[0, 1, 8 * 2 + 5] = 0.004  # a knight on c3 or f3, early
    table[1, 0, 8 * 6 + 1] = table[1, 0, 8 * 6 + 6] = 0.01  # a pawn on b7 or g7, late
    write_squares(tmp_path / "squares.json", table, "a test")
    assert (read_squares(tmp_path / "squares.json") == table).all()
    place = NAMES.index("squares")
    knights = parse_state(GAME, "rnbqkb1r/pppppppp/5n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R b KQkq - 3 2")
    assert features_of(knights, table)[place] == pytest.approx(2 * 0.004 - 0.004)
    pawn = parse_state(GAME, "4k3/1P6/8/8/8/8/6p1/4K3 w - - 0 1")
    assert features_of(pawn, table)[place] == 0.0
    assert features_of(parse_state(GAME, "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1"), table)[place] == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"game": "go"}', "no piece-square tables"),
        ('{"game": "chess", "early": {"pawn": [1]}}', "8 rows"),
        ('{"game": "chess", "early": 3}', "8 rows"),
    ],
)
def test_files_that_are_no_tables(tmp_path, text, words):
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(BadText, match=words):
        read_squares(tmp_path / "bad.json")
    with pytest.raises(BadText, match="can't be read"):
        read_squares(tmp_path / "none.json")


def test_the_tables_know_what_everybody_knows():
    early, late = read_squares()
    knight, pawn, king = early[1].reshape(8, 8), late[0].reshape(8, 8), early[5].reshape(8, 8)
    assert knight[3, 3] > knight[0, 0] and knight[2, 2] > knight[2, 0]
    assert pawn[6].mean() > pawn[2].mean()
    assert king[0, 1] > king[3, 3]
    assert (early[:, ::1].reshape(6, 8, 8) == early.reshape(6, 8, 8)[:, :, ::-1]).all()


@pytest.mark.parametrize(
    ("fen", "part"),
    [
        ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", 0.2),
        ("4k3/8/8/8/8/8/8/R3K2n w - - 0 1", 0.2),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 1.0),
        ("4k3/8/8/8/8/8/P7/N3K3 w - - 0 1", 1.0),
        ("4kb2/8/8/8/8/8/P7/2B1K3 w - - 0 1", 1.0),  # both on dark squares
        ("2b1k3/8/8/8/8/8/P7/2B1K3 w - - 0 1", 0.6),
        ("2b1k3/8/8/8/8/8/P7/2B1K2N w - - 0 1", 1.0),
    ],
)
def test_what_is_left_of_an_advantage_that_can_hardly_be_won(fen, part):
    s = parse_state(GAME, fen)
    plain = weighted_sum(GAME, GAME.encoding.weights, s)
    assert plain > 0.0
    assert GAME.evaluate(s) == pytest.approx(part * plain)
    assert GAME.evaluate(exchanged(s)) == pytest.approx(-part * plain)
