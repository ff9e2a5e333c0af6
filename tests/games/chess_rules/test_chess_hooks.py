"""What searches and referees are told about chess: draws, keys, violent moves, exchanges. python-chess, where it is
installed, must agree."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from conftest import compiles
from plyforge.contract import format_action, format_state, legal_moves, parse_action, parse_state
from plyforge.evaluate import ChessMaterial, TuringRatio
from plyforge.games.chess.board import CASTLING, EN_PASSANT, KEY_BLACK, KEY_PAWNS, KEY_WHITE, KIND, TARGET, Position
from plyforge.games.chess.fen import START
from plyforge.games.chess.legal import count_moves
from plyforge.games.chess.notation import parse_uci, uci_text
from plyforge.games.chess.rules import Chess
from plyforge.games.chess.unranking import move_at
from plyforge.kernel import kernel, new_stream
from plyforge.kernel.entry import native_function
from plyforge.search.running.runner import coerce

GAME = Chess()
FISCHER = Chess(chess960=True)
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def state(text: str) -> Position:
    return parse_state(GAME, text)


def some_positions(number: int, seed: int) -> list[Position]:
    """Positions of random games that like to capture, so that few pieces are left soon."""
    dice = random.Random(seed)
    found: list[Position] = []
    s = GAME.start()
    while len(found) < number:
        found.append(s)
        legal = legal_moves(GAME, s)
        captures = [
            action for action in legal if (s.white | s.black) >> np.uint64(action >> TARGET & 63) & np.uint64(1)
        ]
        if not legal or s.moves > 90:
            s = state(dice.choice((START, KIWIPETE)))
        else:
            s = GAME.result(s, dice.choice(captures if captures and dice.random() < 0.3 else legal))
    return found


# ------------------------------------------------------------------ python-chess as a witness
def agree_with_python_chess(number: int, seed: int) -> None:
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    dice = random.Random(seed)
    for s in some_positions(number, seed):
        board = chess.Board(format_state(GAME, s))
        legal = legal_moves(GAME, s)
        assert board.is_valid()
        assert board.fen(en_passant="legal") == format_state(GAME, s)
        assert sorted(uci_text(s, action) for action in legal) == sorted(move.uci() for move in board.legal_moves)
        assert GAME.in_check(s) == board.is_check()
        assert GAME.terminal(s) == (not any(board.legal_moves))
        assert GAME.lacks_material(s) == board.is_insufficient_material()
        assert GAME.history.rule_draw(GAME, s) == (board.is_insufficient_material() or board.is_fifty_moves())
        if GAME.terminal(s):
            assert GAME.utility(s) == (0.0 if board.is_stalemate() else -1.0 if board.turn else 1.0)
            continue
        for action in dice.sample(legal, min(3, len(legal))):
            move = chess.Move.from_uci(uci_text(s, action))
            assert format_action(GAME, s, action) == board.san(move)
            assert parse_action(GAME, s, board.san(move)) == action
            after = GAME.result(s, action)
            board.push(move)
            assert format_state(GAME, after) == board.fen(en_passant="legal")
            board.pop()
        if not board.is_check():
            noisy = sorted(uci_text(s, action) for action in GAME.heuristics.tactical_actions(GAME, s))
            wanted = [m for m in board.legal_moves if board.is_capture(m) or m.promotion == chess.QUEEN]
            assert noisy == sorted(m.uci() for m in wanted if m.promotion in (None, chess.QUEEN))
        else:
            assert list(GAME.heuristics.tactical_actions(GAME, s)) == legal


def test_python_chess_agrees():
    agree_with_python_chess(150, 11)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(4))
def test_python_chess_agrees_on_thousands_of_positions(seed: int):
    agree_with_python_chess(2500, 100 + seed)


@pytest.mark.full
def test_python_chess_agrees_about_chess960():
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    dice = random.Random(13)
    for number in range(0, 960, 12):
        board = chess.Board.from_chess960_pos(number)
        s = parse_state(FISCHER, board.fen())
        for _ in range(60):
            assert board.fen(en_passant="legal") == format_state(FISCHER, s)
            legal = legal_moves(FISCHER, s)
            texts = sorted(uci_text(s, action, chess960=True) for action in legal)
            assert texts == sorted(move.uci() for move in board.legal_moves)
            if not legal:
                break
            action = dice.choice(legal)
            board.push_uci(uci_text(s, action, chess960=True))
            s = FISCHER.result(s, action)


# ------------------------------------------------------------------ draws
@pytest.mark.parametrize(
    ("fen", "lacks"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", True),
        ("4k1n1/8/8/8/8/8/8/4K3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/4K1B1 w - - 0 1", True),
        ("4k3/8/8/8/8/8/7B/4K1B1 w - - 0 1", True),  # both on dark squares
        ("4kb2/8/8/8/8/8/8/4K1B1 w - - 0 1", True),
        ("4k1b1/8/8/8/8/8/8/4K1B1 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/3NK1N1 w - - 0 1", False),
        ("4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", False),
        ("4k3/7p/8/8/8/8/8/4K3 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", False),
    ],
)
def test_too_little_material_to_mate(fen: str, lacks: bool):
    s = state(fen)
    assert GAME.lacks_material(s) == lacks
    assert GAME.history.draw_reason(GAME, [s]) == ("insufficient material" if lacks else "")
    assert GAME.history.rule_draw(GAME, s) == lacks


def test_fifty_moves_draw_but_mate_comes_first():
    assert not GAME.history.rule_draw(GAME, state("4k3/8/8/8/8/8/8/4K2R w - - 99 80"))
    late = state("4k3/8/8/8/8/8/8/4K2R w - - 100 80")
    assert GAME.history.rule_draw(GAME, late) and GAME.history.draw_reason(GAME, [late]) == "fifty moves"
    mated = state("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80")
    assert (
        GAME.terminal(mated)
        and not GAME.history.rule_draw(GAME, mated)
        and GAME.history.draw_reason(GAME, [mated]) == ""
    )


def test_the_third_time_is_a_repetition():
    s = GAME.start()
    history = [s]
    for text in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        assert GAME.history.draw_reason(GAME, history) == ""
        s = GAME.result(s, parse_action(GAME, s, text))
        history.append(s)
    assert GAME.history.draw_reason(GAME, history) == "repetition"


def test_other_rights_are_another_position():
    s = state("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    history = [s]
    for text in ("Rg1", "Kd8", "Rh1", "Ke8") * 2:
        s = GAME.result(s, parse_action(GAME, s, text))
        history.append(s)
    assert GAME.history.draw_reason(GAME, history) == ""  # twice without the right to castle, once with it


# ------------------------------------------------------------------ keys
def test_positions_that_differ_only_in_numbers_share_a_key():
    one, other = state("4k3/8/8/8/8/8/8/4K2R w K - 3 9"), state("4k3/8/8/8/8/8/8/4K2R w K - 7 33")
    assert GAME.key(one) == GAME.key(other)


def test_positions_that_differ_have_different_keys():
    keys: dict[int, Any] = {}
    for s in some_positions(400, 17):
        for action in legal_moves(GAME, s)[::5]:
            after = GAME.result(s, action)
            assert keys.setdefault(int(GAME.key(after)), after[:10]) == after[:10]
    texts = (
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R b K - 0 1",
    )
    passant = ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1")
    assert len({int(GAME.key(state(text))) for text in texts + passant}) == 5
    assert len({int(number) for number in (0, KEY_WHITE, KEY_BLACK, KEY_PAWNS)}) == 4


# ------------------------------------------------------------------ exchanges
@pytest.mark.parametrize(
    ("fen", "move", "wins"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 1.0),  # a pawn that nobody protects
        (
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
            "d3e5",
            -2.0,
        ),  # a pawn for a knight, x-rays on both sides
        ("4k3/8/3p4/4p3/8/8/8/K3Q3 w - - 0 1", "e1e5", -8.0),
        ("4k3/8/8/3q4/4P3/8/8/K7 w - - 0 1", "e4d5", 9.0),
        ("4k3/8/2p5/3q4/4P3/8/8/K7 w - - 0 1", "e4d5", 8.0),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 1.0),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0.0),
        ("3r2k1/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8q", 13.0),
        ("3r2k1/2P1b3/8/8/8/8/8/4K3 w - - 0 1", "c7d8q", 4.0),
        ("3r2k1/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", -1.0),
        ("4k3/8/8/8/3p4/8/5N2/4K2R w K - 0 1", "f2e4", 0.0),
        ("4k3/8/8/3p4/8/8/5N2/4K2R w K - 0 1", "f2e4", -3.0),
        ("4k3/8/8/3p4/8/8/5N2/4K2R w K - 0 1", "e1g1", 0.0),
        ("4k3/4p3/3p4/8/8/8/3R4/3RK3 w - - 0 1", "d2d6", -3.0),
        ("8/8/3pk3/8/8/8/3R4/3RK3 w - - 0 1", "d2d6", 1.0),  # the king may not take back
        ("8/8/3pk3/8/8/8/3R4/4K3 w - - 0 1", "d2d6", -4.0),
    ],
)
def test_what_a_capture_wins(fen: str, move: str, wins: float):
    s = state(fen)
    assert GAME.see(s, parse_uci(GAME, s, move)) == wins


def naive_exchange(chess: Any, board: Any, move: Any) -> float:
    """By making captures on the square, the cheapest first, with moves that need not leave the king safe."""
    values = {1: 1.0, 2: 3.0, 3: 3.0, 4: 5.0, 5: 9.0, 6: 1000.0}

    def worth(piece: Any) -> float:
        return values[piece.piece_type] if piece else 0.0

    def best(board: Any, square: int) -> float:
        takers = board.attackers(board.turn, square)
        if not takers:
            return 0.0
        order = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6}
        taker = min(takers, key=lambda place: (order[board.piece_type_at(place)], place))
        if board.piece_type_at(taker) == chess.KING and board.attackers(not board.turn, square):
            return 0.0
        won = worth(board.piece_at(square))
        after = board.copy(stack=False)
        piece = after.remove_piece_at(taker)
        after.set_piece_at(square, piece)
        after.turn = not after.turn
        return max(0.0, won - best(after, square))

    won = 1.0 if board.is_en_passant(move) else worth(board.piece_at(move.to_square))
    if move.promotion:
        won += values[move.promotion] - 1.0
    after = board.copy(stack=False)
    after.push(move)
    return won - best(after, move.to_square)


def test_exchanges_agree_with_captures_that_are_made():
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    seen = 0
    for s in some_positions(120, 19):
        board = chess.Board(format_state(GAME, s))
        for action in legal_moves(GAME, s)[::4]:
            if action >> KIND != 1:
                move = chess.Move.from_uci(uci_text(s, action))
                assert GAME.see(s, action) == naive_exchange(chess, board, move), (board.fen(), move)
                seen += 1
    assert seen > 500


def test_promises_put_winning_captures_first_and_losing_ones_last():
    s = state("4k3/8/3p4/4p3/8/2b5/1P2n3/K3Q3 w - - 0 1")
    order = sorted(legal_moves(GAME, s), key=lambda action: -GAME.heuristics.ordering(GAME, s, action))
    texts = [format_action(GAME, s, action) for action in order]
    assert sorted(texts[:2]) == ["Qxe2", "bxc3"] and texts[-1] == "Qxc3"
    for s in some_positions(100, 23):
        for action in legal_moves(GAME, s):
            promise = GAME.heuristics.ordering(GAME, s, action)
            captures = (s.white | s.black) >> np.uint64(action >> TARGET & 63) & np.uint64(
                1
            ) or action >> KIND == EN_PASSANT
            assert promise >= 0.0
            if captures and action >> KIND in (0, EN_PASSANT):
                assert (promise > 2.0) == (GAME.see(s, action) >= 0.0), (format_state(GAME, s), action)


# ------------------------------------------------------------------ passing
def test_passing_changes_who_moves_and_nothing_else():
    for s in some_positions(60, 29):
        if GAME.heuristics.null_move_allowed(GAME, s):
            after = GAME.heuristics.null_move(GAME, s)
            assert after[:8] == s[:8] and after.passant == 0 and after.player == 1 - s.player
            assert parse_state(GAME, format_state(GAME, after)) == after
    assert not GAME.heuristics.null_move_allowed(GAME, state("4k3/8/8/8/4r3/8/8/4K2R w - - 0 1"))
    assert not GAME.heuristics.null_move_allowed(GAME, state("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))
    assert GAME.heuristics.null_move_allowed(GAME, state("4k3/8/8/8/8/8/4P3/4K2R w - - 0 1"))


# ------------------------------------------------------------------ moves by number, and at random
TELLING = (
    KIWIPETE,
    "1n1n4/P1P1P3/8/8/8/8/k6K/8 w - - 0 1",  # promotions by steps and by captures on both sides
    "8/8/8/8/8/k7/1p1p4/R1B3K1 b - - 0 1",
    "4k3/8/8/b7/8/8/3P4/4K3 w - - 0 1",  # a pawn that is pinned, and could capture along the line
    "4k3/8/8/8/1b6/2P5/3P4/4K3 w - - 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",  # en passant captures the pawn that gives check
    "4r1k1/8/8/8/8/5n2/8/4K2R w K - 0 1",  # two checks at once
    "8/8/8/1Ppp3r/RK3p1k/8/4P1P1/8 w - c6 0 1",
)


def numbered(s: Position) -> list[int]:
    return sorted(int(move_at(s, number)) for number in range(count_moves(s)))


@pytest.mark.parametrize("fen", TELLING)
def test_each_move_has_one_number(fen: str):
    s = state(fen)
    assert numbered(s) == sorted(GAME.actions(s))


def test_each_move_has_one_number_in_games_at_random():
    for s in some_positions(400, 41):
        assert numbered(s) == sorted(GAME.actions(s)), format_state(GAME, s)


def test_each_move_has_one_number_where_rooks_castle_from_anywhere():
    s = parse_state(FISCHER, "4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1")
    castling = [action for action in FISCHER.actions(s) if action >> KIND == CASTLING]
    assert len(castling) == 2 and numbered(s) == sorted(FISCHER.actions(s))


def test_random_moves_are_equally_likely():
    s, stream = state(KIWIPETE), new_stream(3)
    seen = dict.fromkeys(legal_moves(GAME, s), 0)
    for _ in range(4800):
        seen[int(GAME.sample(s, stream))] += 1
    assert len(seen) == 48 and min(seen.values()) > 60 and max(seen.values()) < 140


# ------------------------------------------------------------------ both speeds
@kernel
def all_answers(game, material, ratio, s):
    """A number into which everything goes that the rules and the evaluations say of a position."""
    total = float(game.count(s)) + game.evaluate(s) + 0.1 * material.estimate(game, s) + 0.01 * ratio.estimate(game, s)
    for action in game.actions(s):
        total = 0.9 * total + action + 7.0 * game.heuristics.ordering(game, s, action) + 11.0 * game.see(s, action)
        after = game.result(s, action)
        total += float(np.int64(game.key(after) & np.uint64(0xFFFF))) + 0.1 * after.quiet + after.moves
        if game.in_check(after):
            total += 3.0
        if game.terminal(after):
            total += 5.0 + game.utility(after)
    for number in range(game.count(s)):
        total = 0.9 * total + move_at(s, number)
    for action in game.heuristics.tactical_actions(game, s):
        total = 0.8 * total + action
    if game.history.rule_draw(game, s):
        total += 13.0
    if game.heuristics.null_move_allowed(game, s):
        total += game.heuristics.null_move(game, s).quiet
    return total


@compiles
@pytest.mark.full
def test_all_answers_are_the_same_at_both_speeds():
    positions = [coerce(s) for s in some_positions(60, 31)]
    witnesses = (GAME, ChessMaterial(), TuringRatio())
    function = native_function(all_answers, *witnesses, positions[0])
    for s in positions:
        assert function(*witnesses, s) == all_answers(*witnesses, s), format_state(GAME, s)
