"""Disc patterns of Othello: the sum against a naive reading of the board's text, its symmetries, both speeds, and
files that are no tables."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paths
import plyforge as pf
from conftest import compiles
from known.othello import PROBLEMS
from plyforge.errors import BadText
from plyforge.evaluate import Linear
from plyforge.evaluate.othello.patterns import (
    ENTRIES,
    PATTERNS,
    STAGES,
    STEPS,
    folded,
    folded_entries,
    pattern_sum,
    quarter_turn,
    read_tables,
    write_tables,
)
from plyforge.evaluate.weighted import WEIGHTS
from plyforge.games.othello import Board, Othello
from plyforge.kernel import kernel
from plyforge.kernel.entry import coerce, native_function

OTHELLO = Othello()
NEEDS_A_MIRROR = 2
"""The corner of 2 x 5 is the one pattern that is not its own mirror image."""


def states(seed: int = 1, number: int = 25) -> list[Board]:
    dice, found = random.Random(seed), []
    while len(found) < number:
        s = OTHELLO.start()
        for _ in range(dice.randrange(58)):
            if not OTHELLO.terminal(s):
                s = OTHELLO.result(s, dice.choice(pf.legal_moves(OTHELLO, s)))
        if not OTHELLO.terminal(s):
            found.append(s)
    return found


def eight_images(s: Board) -> list[str]:
    """The board as text of `1` (the mover's), `2` and `0`, in all its images."""
    own = "XO"[s.player]
    text = ["0" if sign == "-" else "1" if sign == own else "2" for sign in pf.format_state(OTHELLO, s).split()[0]]
    rows = [text[start : start + 8] for start in range(0, 64, 8)]
    found = []
    for _ in range(4):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
        found += ["".join(map("".join, rows)), "".join("".join(row[::-1]) for row in rows)]
    return found


def naive_sum(tables: np.ndarray, s: Board) -> float:
    """Every pattern on all eight images; a pattern that is its own mirror image is then counted twice."""
    discs = sum(sign != "0" for sign in eight_images(s)[0])
    along = min(max((discs - 12) / 52, 0.0), 1.0) * (STAGES - 1)
    total = 0.0
    for stage in range(STAGES):
        share = max(0.0, 1.0 - abs(along - stage))
        first = 0
        for number, squares in enumerate(PATTERNS):
            times = 1.0 if number == NEEDS_A_MIRROR else 0.5
            for image in eight_images(s):
                content = int("".join(image[square] for square in reversed(squares)), 3)
                total += share * times * int(tables[stage, first + content])
            first += 3 ** len(squares)
    return total / STEPS


def random_tables(seed: int = 1) -> np.ndarray:
    numbers = np.random.default_rng(seed).integers(-128, 128, (STAGES, folded_entries()))
    return numbers.astype(np.int8)[:, folded()]


def exchanged(s: Board) -> Board:
    return pf.parse_state(OTHELLO, pf.format_state(OTHELLO, s).translate(str.maketrans("XO", "OX")))


def disc_patterns(s: Board) -> float:
    return dict(zip(OTHELLO.encoding.feature_names, OTHELLO.encoding.features(OTHELLO, s), strict=True))[
        "disc patterns"
    ]


# ------------------------------------------------------------------ the sum
def test_a_quarter_turn_is_one() -> None:
    a1, b1, h1, h8 = (np.uint64(1 << square) for square in (0, 1, 7, 63))
    a8 = np.uint64(1 << 56)
    assert [quarter_turn(corner) for corner in (a1, h1, h8, a8)] == [h1, h8, a8, a1]
    assert quarter_turn(b1) == np.uint64(1 << 15)  # h2
    for s in states(number=5):
        turned = s.mine
        for _ in range(4):
            turned = quarter_turn(turned)
        assert turned == s.mine


def test_the_sum_is_that_of_a_naive_reading() -> None:
    tables = random_tables()
    for s in [OTHELLO.start(), *states()]:
        assert pattern_sum(tables, s.mine, s.theirs) == pytest.approx(naive_sum(tables, s))


def test_one_edge_known_by_hand() -> None:
    tables = np.zeros((STAGES, ENTRIES), np.int8)
    content = 1 + 2 * 3 + 1 * 3**8  # a1 is the mover's, b1 the opponent's, b2 the mover's
    mirrored = 3**7 + 2 * 3**6 + 1 * 3**9  # the same on h1, g1 and g2
    tables[:, [content, mirrored]] = 16
    s = pf.parse_state(OTHELLO, "XO------" + "-X------" + "-" * 48 + " X")
    assert pattern_sum(tables, s.mine, s.theirs) == 16 / STEPS  # once: the left edge has a1, and a2 empty
    tables[0] = 0
    assert pattern_sum(tables, s.mine, s.theirs) == 0.0  # three discs: the first stage alone


def test_between_two_stages_the_sum_is_in_proportion() -> None:
    tables = np.repeat(np.array([[8], [16], [32], [64]], np.int8), ENTRIES, axis=1)
    readings = 4 * (len(PATTERNS) + 1)
    for discs, step in ((4, 8), (12, 8), (25, 14), (38, 24), (64, 64)):
        mine = np.uint64((1 << discs) - 1)
        assert pattern_sum(tables, mine, np.uint64(0)) == pytest.approx(readings * step / STEPS)


def test_all_eight_images_are_worth_the_same_and_exchanged_colours_the_opposite() -> None:
    seen = set()
    for s in states(seed=2):
        value = OTHELLO.evaluate(s)
        seen.add(disc_patterns(s))
        for image in range(7):
            turned = Board(OTHELLO.image(image, s.mine), OTHELLO.image(image, s.theirs), s.player)
            assert OTHELLO.evaluate(turned) == value and disc_patterns(turned) == disc_patterns(s)
        assert OTHELLO.evaluate(exchanged(s)) == -value
    assert len(seen) > 20


@kernel
def learned(game, s):
    return game.encoding.features(game, s), game.evaluate(s)


@compiles
def test_features_and_estimates_are_equal_at_both_speeds_bit_for_bit() -> None:
    native = native_function(learned, OTHELLO, coerce(OTHELLO.start()))
    for s in states(seed=3):
        features, estimate = native(OTHELLO, coerce(s))
        assert (tuple(features), estimate) == (OTHELLO.encoding.features(OTHELLO, s), OTHELLO.evaluate(s))


def test_small_boards_have_no_patterns() -> None:
    for size in (4, 6):
        game = Othello(size)
        s = pf.state_after(game, pf.format_action(game, game.start(), pf.legal_moves(game, game.start())[0]))
        assert game.encoding.features(game, s)[-1] == 0.0 and game.encoding.feature_names[-1] == "disc patterns"
        judged = Linear.read(WEIGHTS / "othello_small.json", game)
        assert game.evaluate(s) == judged.estimate(game, s) != 0.0


# ------------------------------------------------------------------ what was learned
def test_estimates_are_inside_the_bounds_and_know_corners() -> None:
    for s in states(seed=4, number=40):
        assert -64 < OTHELLO.evaluate(s) < 64
    board = "-" * 18 + "XXO---" + "--XOXO--" + "--XOOX--" + "--OXXO--" + "-" * 16
    without = pf.parse_state(OTHELLO, f"{board} X")
    for corner in (0, 7, 56, 63):
        for sign in "XO":
            text = board[:corner] + sign + board[corner + 1 :]
            gained = OTHELLO.evaluate(pf.parse_state(OTHELLO, f"{text} X")) - OTHELLO.evaluate(without)
            assert gained > 3 if sign == "X" else gained < -3


def test_problems_of_the_french_federation_are_judged_better_than_by_hand() -> None:
    by_hand = Linear.read(WEIGHTS / "othello_small.json", OTHELLO)
    errors: dict[str, list[float]] = {"learned": [], "by hand": []}
    for board, moves in PROBLEMS.items():
        s = pf.parse_state(OTHELLO, board)
        for text, score in moves.items():
            after = OTHELLO.result(s, pf.parse_action(OTHELLO, s, text))
            value = score * (1 if s.player == pf.MAX else -1)
            errors["learned"].append(abs(OTHELLO.evaluate(after) - value))
            errors["by hand"].append(abs(by_hand.estimate(OTHELLO, after) - value))
    assert len(errors["learned"]) > 100
    assert np.mean(errors["learned"]) < 0.7 * np.mean(errors["by hand"])


# ------------------------------------------------------------------ files
def test_tables_are_written_and_read_back(tmp_path: Path) -> None:
    tables = random_tables(2)
    write_tables(tmp_path / "mine.npz", tables)
    assert np.array_equal(read_tables(tmp_path / "mine.npz"), tables)


def test_files_that_are_no_tables_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "tables.npz"
    with pytest.raises(BadText, match=r"tables\.npz can't be read"):
        read_tables(file)
    write_tables(file, random_tables())
    whole = file.read_bytes()
    for wrong in (b"", b"nonsense", whole[:1000], whole[: len(whole) // 2]):
        file.write_bytes(wrong)
        with pytest.raises(BadText, match="not a file of pattern tables, or is damaged"):
            read_tables(file)
    for place in (200, len(whole) // 2):  # a byte that changed on the disk
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with pytest.raises(BadText, match="damaged"):
            read_tables(file)
    with file.open("wb") as plain:
        np.save(plain, np.zeros(3))
    with pytest.raises(BadText, match="not a file of pattern tables"):
        read_tables(file)
    np.savez_compressed(file, others=np.zeros(3))
    with pytest.raises(BadText, match="not a file of pattern tables"):
        read_tables(file)
    np.savez_compressed(file, tables=np.zeros((STAGES, 5), np.int8))
    with pytest.raises(BadText, match="belong to other patterns"):
        read_tables(file)
    np.savez_compressed(file, tables=np.zeros((STAGES, folded_entries())))
    with pytest.raises(BadText, match="tables of float64"):
        read_tables(file)
    np.savez_compressed(file, tables=np.array([object()]))
    with pytest.raises(BadText, match="not a file of pattern tables"):
        read_tables(file)  # a pickle, which is never loaded


@pytest.mark.full
@compiles
def test_the_example_learns_something_and_the_same_from_the_same_seed(tmp_path: Path) -> None:
    program = paths.EXAMPLES / "learn_othello.py"
    for name, threads in (("once", "1"), ("again", "2")):
        how = ["--games", "300", "--rounds", "2", "--threads", threads, "--out", str(tmp_path / name)]
        subprocess.run([sys.executable, str(program), *how], check=True, capture_output=True)
    for file in ("othello.json", "othello_patterns.npz"):
        assert (tmp_path / "once" / file).read_bytes() == (tmp_path / "again" / file).read_bytes()
    tables: Any = read_tables(tmp_path / "once" / "othello_patterns.npz")
    corner = tables[
        :, 3**10 : 3**10 + 3**9
    ]  # the 3 x 3 squares of a corner, which itself is the first digit of the place
    assert corner[:, 1::3].sum() > 0 > corner[:, 2::3].sum()  # the mover has the corner; the other one has
