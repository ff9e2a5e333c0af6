"""Othello: published counts, the end-game problems of the French federation, small boards, and moves against a naive
generator."""

from __future__ import annotations

import random

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from known import othello
from plyforge.errors import BadRules, BadText, IllegalAction
from plyforge.games.othello import Board, Othello
from plyforge.games.othello.last_squares import last_squares
from plyforge.games.othello.stability import stable
from plyforge.search import search
from plyforge.solve import Solver, perft

OTHELLO, SIX, FOUR = Othello(), Othello(6), Othello(4)
BOARDS = [OTHELLO, SIX, FOUR]
PERFT = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284]
DIRECTIONS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]


def playout(game: Othello, seed: int) -> list[Board]:
    """All states of a random game."""
    dice, s = random.Random(seed), game.start()
    seen = [s]
    while not game.terminal(s):
        s = game.result(s, dice.choice(pf.legal_moves(game, s)))
        seen.append(s)
    return seen


def ending(game: Othello, seed: int, empty: int) -> Board:
    """A state of a random game with so many empty squares, or fewer if there is none."""
    return next(s for s in playout(game, seed) if squares(game, s).count("-") <= empty)


def squares(game: Othello, s: Board) -> str:
    return pf.format_state(game, s).split()[0]


def naive(game: Othello, s: Board) -> dict[str, str]:
    """Each legal action with the text of the state after it, square by square from the text of the state."""
    text, own = pf.format_state(game, s).split()
    other = "O" if own == "X" else "X"
    board = {(i % game.size, i // game.size): sign for i, sign in enumerate(text)}
    found = {}
    for (column, row), sign in board.items():
        turned = []
        for right, down in DIRECTIONS:
            run = []
            at = (column + right, row + down)
            while board.get(at) == other:
                run.append(at)
                at = (at[0] + right, at[1] + down)
            if board.get(at) == own:
                turned += run
        if sign == "-" and turned:
            after = board | dict.fromkeys([*turned, (column, row)], own)
            found[f"{'abcdefgh'[column]}{row + 1}"] = f"{''.join(after.values())} {other}"
    return found or {"pass": f"{text} {other}"}


class Tally:
    nodes = 0


# ------------------------------------------------------------------ truths from elsewhere
def test_the_first_published_counts_interpreted() -> None:
    assert [perft(OTHELLO, depth, native=False).nodes for depth in range(1, 6)] == PERFT[:5]


@compiles
def test_the_published_counts_to_depth_10() -> None:
    assert [perft(OTHELLO, depth, native=True).nodes for depth in range(1, 11)] == PERFT


@pytest.mark.full
@compiles
def test_the_published_counts_beyond() -> None:
    for depth in (11, 12):
        assert perft(OTHELLO, depth, native=True).nodes == othello.SEQUENCES[depth]


def test_on_4x4_the_second_player_wins_by_8() -> None:
    solver = Solver(FOUR, native=False)
    assert solver.solve().value == -8.0
    assert Solver(Othello(4, empties_to_winner=True), native=False).solve().value == -10.0


def problems(known: dict[str, dict[str, int]]) -> list[tuple[Board, dict[int, float]]]:
    """Positions, each with the score of every move to the mover."""
    found = []
    for board, moves in known.items():
        s = pf.parse_state(OTHELLO, board)
        found.append((s, {pf.parse_action(OTHELLO, s, text): float(score) for text, score in moves.items()}))
    return found


def check_problems(given: list[tuple[Board, dict[int, float]]], best_moves: bool) -> None:
    """Score, and every best move."""
    solver = Solver(Othello(empties_to_winner=True), native=True, table_mib=128)
    for s, scores in given:
        most = max(scores.values())
        sign = 1.0 if s.player == pf.MAX else -1.0
        if best_moves:
            solved = solver.solve(s)
            assert solved.value == sign * most
            assert set(solved.best) == {move for move, score in scores.items() if score == most}
        else:
            assert solver.value(s) == sign * most


@pytest.mark.full
@compiles
def test_problems_1_to_19_and_40_to_44() -> None:
    check_problems(problems(othello.PROBLEMS), best_moves=True)
    check_problems(problems(othello.LARGER_PROBLEMS), best_moves=True)


@pytest.mark.full
@compiles
def test_every_move_of_the_first_problems_has_its_score() -> None:
    solver = Solver(Othello(empties_to_winner=True), native=True)
    for s, scores in problems(othello.PROBLEMS)[:8]:
        sign = 1.0 if s.player == pf.MAX else -1.0
        for move, score in scores.items():
            assert solver.value(OTHELLO.result(s, move)) == sign * score


# ------------------------------------------------------------------ the rules
@pytest.mark.parametrize("game", BOARDS, ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_actions_and_results_are_those_of_a_naive_generator(game: Othello, seed: int) -> None:
    for s in playout(game, seed)[:-1]:
        wanted = naive(game, s)
        actions = pf.legal_moves(game, s)
        assert {pf.format_action(game, s, a): pf.format_state(game, game.result(s, a)) for a in actions} == wanted
        assert game.count(s) == len(wanted)


def test_a_player_without_a_move_passes_and_the_other_moves_twice() -> None:
    passes = 0
    for seed in range(40):
        for s in playout(FOUR, seed)[:-1]:
            if pf.legal_moves(FOUR, s) == [16]:
                passes += 1
                after = FOUR.result(s, 16)
                assert pf.format_action(FOUR, s, 16) == "pass" and after.player == 1 - s.player
                assert (after.mine, after.theirs) == (s.theirs, s.mine) and 16 not in pf.legal_moves(FOUR, after)
    assert passes > 5


def test_discs_are_counted_and_empty_squares_go_to_the_winner_if_so_agreed() -> None:
    wiped = "XXXXXXXXXX------"
    assert FOUR.utility(pf.parse_state(FOUR, f"{wiped} O")) == 10.0
    assert Othello(4, empties_to_winner=True).utility(pf.parse_state(FOUR, f"{wiped} O")) == 16.0
    assert Othello(4, empties_to_winner=True).utility(pf.parse_state(FOUR, "OOOOOOOOOO--XXXX X")) == -8.0
    assert Othello(4, empties_to_winner=True).utility(pf.parse_state(FOUR, "XXXXXXX--OOOOOOO X")) == 0.0


@pytest.mark.parametrize("game", BOARDS, ids=repr)
def test_images_are_the_eight_symmetries_of_a_square(game: Othello) -> None:
    s = playout(game, 5)[5]
    images = list(game.heuristics.symmetries(game, s))
    assert len({*images, s}) == 8
    for image in images:
        assert game.count(image) == game.count(s)
        assert perft(game, 3, image, native=False).nodes == perft(game, 3, s, native=False).nodes


# ------------------------------------------------------------------ what makes it quick is right
@pytest.mark.parametrize("to_winner", [False, True])
@pytest.mark.parametrize("game", BOARDS, ids=repr)
def test_the_search_of_the_last_squares_is_minimax(game: Othello, to_winner: bool) -> None:
    game = Othello(game.size, empties_to_winner=to_winner)
    for seed in range(12):
        s = ending(game, seed, empty=seed % 5 + 1)
        if not game.terminal(s):
            exact = search(game, s, "minimax", native=False).value
            sign = 1 if s.player == pf.MAX else -1
            assert sign * last_squares(game, Tally(), s.mine, s.theirs, -100, 100) == exact
            for alpha in range(int(exact) - 3, int(exact) + 3):  # fail-soft: a bound on the right side
                value = game.heuristics.solve_endgame(game, s, float(alpha), float(alpha + 1), Tally())
                assert (value > alpha) == (exact > alpha)
                assert value <= exact if value > alpha else value >= exact


@pytest.mark.parametrize("game", BOARDS, ids=repr)
def test_stable_discs_never_turn_over(game: Othello) -> None:
    found = 0
    for seed in range(15):
        for s in playout(game, seed):
            safe = {s.player: stable(game, s.mine, s.theirs), 1 - s.player: stable(game, s.theirs, s.mine)}
            dice, after = random.Random(seed), s
            found += sum(int(discs).bit_count() for discs in safe.values())
            while not game.terminal(after):
                after = game.result(after, dice.choice(pf.legal_moves(game, after)))
            for player, discs in safe.items():
                own = after.mine if after.player == player else after.theirs
                assert discs & own == discs
    assert found > 250


def test_corners_and_full_edges_are_stable() -> None:
    s = pf.parse_state(FOUR, "XXXXXOO-XO--X--- O")
    assert int(stable(FOUR, s.theirs, s.mine)) == 0b0001_0001_0001_1111
    assert int(stable(FOUR, s.mine, s.theirs)) == 0


def test_bounds_hold_near_every_window_and_some_of_them_cut() -> None:
    cuts = 0
    for seed in range(20):
        s = ending(FOUR, seed, empty=5)
        if FOUR.terminal(s):
            continue
        exact = search(FOUR, s, "minimax", native=False).value
        for alpha in range(-16, 16):
            low, high = FOUR.heuristics.bounds_near(FOUR, s, float(alpha), float(alpha + 1))
            assert low <= exact <= high
            cuts += low >= alpha + 1 or high <= alpha
    assert cuts > 20


@pytest.mark.full
@compiles
def test_the_solver_is_equal_at_both_speeds_node_for_node() -> None:
    for seed in range(3):
        s = ending(OTHELLO, seed, empty=9)
        values = {(Solver(OTHELLO, native=native).solve(s)) for native in (False, True)}
        assert len({(solved.value, solved.best, solved.nodes) for solved in values}) == 1


@compiles
@pytest.mark.full
def test_solver_and_engine_agree_with_alpha_beta_on_endings() -> None:
    for seed in range(6):
        s = ending(OTHELLO, seed, empty=8)
        exact = search(OTHELLO, s, "alpha_beta", native=True)
        assert Solver(OTHELLO, native=True).value(s) == exact.value
        found = search(OTHELLO, s, "engine", native=True, all_best=True)
        assert found.value == exact.value and found.proven


@compiles
def test_two_threads_solve_the_same() -> None:
    for seed in range(3):
        s = ending(OTHELLO, seed, empty=13)
        one, two = (Solver(OTHELLO, native=True, threads=threads).solve(s) for threads in (1, 2))
        assert (one.value, one.best) == (two.value, two.best)


# ------------------------------------------------------------------ text
@pytest.mark.parametrize("game", BOARDS, ids=repr)
def test_text_is_read_back(game: Othello) -> None:
    for s in playout(game, 1):
        again = pf.parse_state(game, pf.format_state(game, s))
        assert again == s and isinstance(again.mine, np.uint64)


def test_the_start_is_the_line_that_everybody_writes() -> None:
    assert pf.format_state(OTHELLO, OTHELLO.start()) == f"{'-' * 27}OX{'-' * 6}XO{'-' * 27} X"
    assert [pf.format_action(OTHELLO, OTHELLO.start(), a) for a in pf.legal_moves(OTHELLO, OTHELLO.start())] == [
        "d3",
        "c4",
        "f5",
        "e6",
    ]
    assert OTHELLO.show(OTHELLO.start()).splitlines()[4] == "4 . . . O X . . ."


def test_lines_of_problem_files_are_read_without_their_scores() -> None:
    text = pf.format_state(OTHELLO, OTHELLO.start())
    assert pf.parse_state(OTHELLO, f"{text.lower()};") == OTHELLO.start()
    assert pf.parse_state(OTHELLO, f"  {text.replace('-', '.')}  ") == OTHELLO.start()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "64 squares, not 0"),
        ("XO X", "64 squares, not 2"),
        ("-" * 64, "who moves"),
        ("-" * 64 + " Z", "who moves"),
        ("-" * 9 + "Q" + "-" * 54 + " X", "'Q' at b2"),
        ("é" * 64 + " X", "'É' at a1"),
    ],
)
def test_text_that_is_no_board_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadText, match=words):
        pf.parse_state(OTHELLO, text)


def test_other_sizes_and_illegal_squares_are_refused() -> None:
    with pytest.raises(BadRules, match="4, 6 and 8"):
        Othello(5)
    with pytest.raises(IllegalAction, match="legal: d3, c4, f5, e6"):
        pf.state_after(OTHELLO, "a1")
