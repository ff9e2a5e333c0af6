"""Chess: published counts of sequences, legal moves against a slow and simple referee, and the rules one by one."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from known import chess as known
from plyforge.contract import MAX, MIN
from plyforge.games.chess.board import CASTLING, EN_PASSANT, KIND, Position, square_name, square_number, squares_in
from plyforge.games.chess.fen import piece_letter
from plyforge.games.chess.rules import Chess
from plyforge.solve import perft

GAME = Chess()
FISCHER = Chess(chess960=True)
INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT") == "1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def state(text: str) -> Position:
    return pf.parse_state(GAME, text)


def moves(s: Position) -> list[str]:
    """The legal moves as their squares."""
    return [squares(action) for action in pf.legal_moves(GAME, s)]


def squares(action: int) -> str:
    promoted = "nbrq"[(action >> KIND) - 4] if action >> KIND >= 4 else ""
    return square_name(action & 63) + square_name(action >> 6 & 63) + promoted


# ------------------------------------------------------------------ published counts
def suite(data: Path) -> list[tuple[str, dict[int, int]]]:
    """The positions of perftsuite.epd, each with its counts by depth."""
    found = []
    for line in (data / "chess" / "perftsuite.epd").read_text().splitlines():
        fen, *counts = line.split(";")
        found.append((fen, {int(count.split()[0][1:]): int(count.split()[1]) for count in counts}))
    assert len(found) == 126
    return found


KNOWN = [
    (fen, depth, leaves)
    for table in (known.FROM_THE_START, known.POSITIONS, known.CHESS960)
    for fen, counts in table.items()
    for depth, leaves in counts.items()
]


def position(fen: str) -> Position:
    """Chess960 is a matter of text: the rules are the same, so that one compiled game serves both."""
    return GAME.start() if fen == "startpos" else pf.parse_state(FISCHER, fen)


def count(fen: str, depth: int, native: bool = True) -> int:
    return perft(GAME, depth, position(fen), native=native).nodes


def affordable(leaves: int) -> bool:
    return leaves <= (2_000 if INTERPRETED else 1_000_000_000)


def check_suite(positions: list[tuple[str, dict[int, int]]]) -> None:
    for fen, counts in positions:
        for depth in (1, 2, 3, 4):
            if affordable(counts[depth]):
                assert count(fen, depth) == counts[depth], (fen, depth)


def test_a_suite_has_the_published_counts_at_depth_four():
    check_suite(list(known.SUITE.items()))


@pytest.mark.full
def test_the_whole_suite_has_the_published_counts_at_depth_four(data: Path):
    check_suite(suite(data))


def test_the_first_counts_of_a_suite_interpreted():
    for fen, counts in known.SUITE.items():
        depth = 2 if counts[2] < 300 else 1
        assert count(fen, depth, native=False) == counts[depth], fen


@compiles
@pytest.mark.full
@pytest.mark.parametrize("depth", [5, 6])
def test_the_suite_has_the_published_counts_at_greater_depths(data: Path, depth: int):
    for fen, counts in suite(data):
        assert count(fen, depth) == counts[depth], (fen, depth)


def test_tricky_positions_have_the_published_counts():
    for fen, counts in known.TRICKY.items():
        for depth, leaves in counts.items():
            if affordable(leaves):
                assert count(fen, depth) == leaves, (fen, depth)


def test_facts_about_chess_and_chess960():
    assert len(KNOWN) == 29
    for fen, depth, leaves in KNOWN:
        if leaves <= (2_000 if INTERPRETED else 40_000_000):
            assert count(fen, depth) == leaves, (fen, depth)


@compiles
@pytest.mark.full
def test_facts_about_chess_and_chess960_as_deep_as_they_go():
    for fen, depth, leaves in KNOWN:
        if leaves > 40_000_000:
            assert count(fen, depth) == leaves, (fen, depth)


# ---------------------------------------------------- a slow referee: letters on squares, no bits, every move tried out
WAYS = {
    "n": [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
    "b": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
    "r": [(1, 0), (-1, 0), (0, 1), (0, -1)],
}
WAYS["q"] = WAYS["k"] = WAYS["b"] + WAYS["r"]


def letters(s: Position) -> dict[tuple[int, int], str]:
    return {(q % 8, q // 8): piece_letter(s, q) for q in range(64) if piece_letter(s, q)}


def is_white(letter: str) -> bool:
    return letter.isupper()


def reach(board: dict[tuple[int, int], str], place: tuple[int, int], attacks_only: bool):
    """Where the piece on a place can go, whatever happens to its king; a pawn only captures, if attacks are asked
    for."""
    letter = board[place]
    if letter.lower() == "p":
        up = 1 if is_white(letter) else -1
        for side in (1, -1):
            target = (place[0] + side, place[1] + up)
            if attacks_only or (target in board and is_white(board[target]) != is_white(letter)):
                yield target
        steps = 2 if place[1] == (1 if up == 1 else 6) else 1
        for step in range(1, steps + 1):
            if attacks_only or (place[0], place[1] + up * step) in board:
                break
            yield (place[0], place[1] + up * step)
        return
    for right, up in WAYS[letter.lower()]:
        target = place
        while True:
            target = (target[0] + right, target[1] + up)
            if not (0 <= target[0] < 8 and 0 <= target[1] < 8):
                break
            if target not in board or is_white(board[target]) != is_white(letter):
                yield target
            if target in board or letter.lower() in "nk":
                break


def in_danger(board: dict[tuple[int, int], str], place: tuple[int, int], by_white: bool) -> bool:
    return any(is_white(letter) == by_white and place in reach(board, other, True) for other, letter in board.items())


def naive_moves(s: Position) -> set[str]:
    board = letters(s)
    white = s.player == MAX
    king = next(place for place, letter in board.items() if letter == ("K" if white else "k"))
    found = set()
    for place, letter in board.items():
        if is_white(letter) != white:
            continue
        targets = {target for target in reach(board, place, False) if 0 <= target[0] < 8}
        passing = set()
        if letter.lower() == "p" and s.passant:
            behind = squares_in(s.passant)[0]
            if (behind % 8, behind // 8) in reach(board, place, True):
                passing = {(behind % 8, behind // 8)}
        for target in targets | passing:
            after = dict(board)
            after[target] = after.pop(place)
            if target in passing:
                del after[target[0], place[1]]
            if not in_danger(after, target if place == king else king, not white):
                text = square_name(place[0] + 8 * place[1]) + square_name(target[0] + 8 * target[1])
                promotes = letter.lower() == "p" and target[1] in (0, 7)
                found |= {text + promoted for promoted in "nbrq"} if promotes else {text}
    for rook in squares_in(s.castling):
        if (rook < 8) == white and not in_danger(board, king, not white):
            short = rook % 8 > king[0]
            goal, rook_goal = ((6, king[1]), (5, king[1])) if short else ((2, king[1]), (3, king[1]))
            others = {place: letter for place, letter in board.items() if place not in (king, (rook % 8, king[1]))}
            files = [king[0], goal[0], rook % 8, rook_goal[0]]
            king_way = [(file, king[1]) for file in range(min(king[0], goal[0]), max(king[0], goal[0]) + 1)]
            rook_way = [(file, king[1]) for file in range(min(files[2:]), max(files[2:]) + 1)]
            free = not any(place in others for place in king_way + rook_way)
            after = others | {goal: "K" if white else "k", rook_goal: "R" if white else "r"}
            through = others | {(rook % 8, king[1]): "R" if white else "r"}
            safe = not any(in_danger(through, place, not white) for place in king_way)
            if free and safe and not in_danger(after, goal, not white):
                found.add(square_name(king[0] + 8 * king[1]) + square_name(rook))
    return found


def random_game(game: Chess, dice: random.Random, start: Position, plies: int):
    s = start
    for _ in range(plies):
        yield s
        legal = pf.legal_moves(game, s)
        if not legal:
            return
        s = game.result(s, dice.choice(legal))


def test_moves_and_counts_agree_with_a_slow_referee():
    dice = random.Random(5)
    starts = [
        GAME.start(),
        state(KIWIPETE),
        pf.parse_state(FISCHER, "nrbkqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRBN w KQkq - 0 1"),
    ]
    seen = 0
    for start in starts:
        for _ in range(2):
            for s in random_game(GAME, dice, start, 60):
                if dice.random() < 0.4:
                    legal = pf.legal_moves(GAME, s)
                    assert sorted(moves(s)) == sorted(naive_moves(s)), pf.format_state(FISCHER, s)
                    assert GAME.count(s) == len(legal) == len(set(legal))
                    assert GAME.terminal(s) == (not legal)
                    seen += 1
    assert seen > 100


def test_results_put_pieces_where_they_belong():
    """The result of every move, rebuilt from its letters."""
    dice = random.Random(6)
    for s in random_game(GAME, dice, state(KIWIPETE), 60):
        for action in pf.legal_moves(GAME, s):
            board = letters(s)
            here, there = action & 63, action >> 6 & 63
            letter = board.pop((here % 8, here // 8))
            if action >> KIND == CASTLING:
                rook = board.pop((there % 8, there // 8))
                board[6 if there > here else 2, here // 8] = letter
                board[5 if there > here else 3, here // 8] = rook
            else:
                if action >> KIND == EN_PASSANT:
                    del board[there % 8, here // 8]
                if action >> KIND >= 4:
                    promoted = "nbrq"[(action >> KIND) - 4]
                    letter = promoted.upper() if s.player == MAX else promoted
                board[there % 8, there // 8] = letter
            after = GAME.result(s, action)
            assert letters(after) == board
            assert after.white & after.black == 0
            assert after.player == 1 - s.player
            assert after.moves == s.moves + s.player
            progress = len(board) < len(letters(s)) or letters(s)[here % 8, here // 8].lower() == "p"
            assert after.quiet == (0 if progress else s.quiet + 1)
            assert after == state(pf.format_state(GAME, after))  # castling rights and en passant included


# ------------------------------------------------------------------ rules, one by one
def test_mate_is_lost_and_stalemate_is_drawn():
    mated = pf.parse_state(GAME, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    assert GAME.terminal(mated) and GAME.utility(mated) == -1.0
    black_mated = state("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    assert GAME.terminal(black_mated) and GAME.utility(black_mated) == 1.0
    stale = state("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert GAME.terminal(stale) and GAME.utility(stale) == 0.0


def test_the_king_does_not_castle_out_of_through_or_into_check():
    rooks = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    assert {"e1a1", "e1h1"} <= set(moves(state(rooks)))
    through = "4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1"
    assert "e1h1" not in moves(state(through)) and "e1a1" in moves(state(through))
    out_of = "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1"
    assert not {"e1a1", "e1h1"} & set(moves(state(out_of)))
    rook_only = "4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1"  # b1 is attacked, which the king does not pass
    assert "e1a1" in moves(state(rook_only))


def test_castling_rights_go_with_the_king_with_the_rook_and_with_its_capture():
    s = state("r3k2r/8/8/8/8/8/6B1/R3K2R w KQkq - 0 1")
    after_king = GAME.result(s, square_number("e1") | square_number("e2") << 6)
    assert squares_in(after_king.castling) == [56, 63]
    after_rook = GAME.result(s, square_number("h1") | square_number("h5") << 6)
    assert squares_in(after_rook.castling) == [0, 56, 63]
    captured = GAME.result(s, square_number("g2") | square_number("a8") << 6)
    assert squares_in(captured.castling) == [0, 7, 63]


def test_en_passant_is_remembered_only_where_it_is_legal():
    s = state("4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1")
    double = square_number("e2") | square_number("e4") << 6 | 3 << KIND
    after = GAME.result(s, double)
    assert squares_in(after.passant) == [square_number("e3")]
    assert "f4e3" in moves(after)
    nobody_near = state("4k3/8/8/8/7p/8/4P3/4K3 w - - 0 1")
    assert GAME.result(nobody_near, double).passant == 0
    pinned = state("8/8/8/8/k4p1R/8/4P3/4K3 w - - 0 1")  # both pawns would leave the rank
    assert GAME.result(pinned, double).passant == 0


def test_no_position_has_more_than_218_moves_and_one_has_as_many():
    petrovic = state("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert GAME.count(petrovic) == len(moves(petrovic)) == GAME.max_actions == 218


def test_white_is_max():
    assert GAME.player(GAME.start()) == MAX
    assert GAME.player(GAME.result(GAME.start(), pf.legal_moves(GAME, GAME.start())[0])) == MIN


def test_it_is_in_the_catalog():
    assert pf.load("chess") == GAME
    assert pf.load("chess(chess960=True)") == FISCHER


def test_fields_keep_their_types():
    for s in random_game(GAME, random.Random(7), GAME.start(), 40):
        assert [type(field) for field in s] == [np.uint64] * 9 + [int] * 3
