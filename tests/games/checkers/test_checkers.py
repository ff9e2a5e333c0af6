"""Checkers: published counts of sequences, moves against a naive generator, the ends of games, and what searches are
told."""

from __future__ import annotations

import os
import random
from itertools import pairwise

import pytest

import plyforge as pf
from conftest import compiles
from known import checkers
from plyforge.check import check
from plyforge.contract import MAX, MIN
from plyforge.errors import BadRules
from plyforge.evaluate.checkers import FEATURE_NAMES
from plyforge.games.checkers.board import LIFTED, Board, bit_of, squares_in
from plyforge.games.checkers.rules import Checkers
from plyforge.games.checkers.tablebase import exchanged
from plyforge.kernel import kernel
from plyforge.kernel.entry import native_function
from plyforge.solve import perft

GAME = Checkers()
INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT") == "1"
SEQUENCES = [1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564]
"""OEIS A133046: how many sequences of moves there are, by their length."""


def state(text: str) -> Board:
    return pf.parse_state(GAME, text)


def moves(text: str) -> list[str]:
    s = state(text)
    return [pf.format_action(GAME, s, action) for action in pf.legal_moves(GAME, s)]


# ------------------------------------------------------------ a naive referee: squares as rows and columns, no bits
def place(square: int) -> tuple[int, int]:
    row, column = divmod(square - 1, 4)
    return row, 2 * column + (1 if row % 2 == 0 else 0)


SQUARE = {place(square): square for square in range(1, 33)}


def naive_pieces(s: Board) -> dict[tuple[int, int], str]:
    pieces = {}
    for square in range(1, 33):
        bit = 1 << bit_of(square)
        if (s.black | s.white) & bit:
            letter = "b" if s.black & bit else "w"
            pieces[place(square)] = letter.upper() if s.kings & bit else letter
    return pieces


def naive_moves(s: Board) -> list[str]:
    """The legal moves as text, in any order, as one would explain them to a child."""
    pieces = naive_pieces(s)
    mine = "b" if s.player == MAX else "w"
    steps, captures = [], []
    for start, piece in pieces.items():
        if piece.lower() != mine:
            continue
        forward = 1 if mine == "b" else -1
        ways = [(down, side) for down in (1, -1) for side in (1, -1) if piece.isupper() or down == forward]
        others = {square: other for square, other in pieces.items() if square != start}

        def jump(here, taken, route, ways=ways, others=others):
            went_on = False
            for down, side in ways:
                over = (here[0] + down, here[1] + side)
                beyond = (here[0] + 2 * down, here[1] + 2 * side)
                enemy = others.get(over, mine).lower() != mine and over not in taken
                if enemy and beyond in SQUARE and beyond not in others:
                    went_on = True
                    jump(beyond, taken | {over}, [*route, beyond])
            if not went_on and len(route) > 1:
                captures.append("x".join(str(SQUARE[square]) for square in route))

        jump(start, frozenset(), [start])
        for down, side in ways:
            target = (start[0] + down, start[1] + side)
            if target in SQUARE and target not in pieces:
                steps.append(f"{SQUARE[start]}-{SQUARE[target]}")
    return captures or steps


def naive_result(s: Board, text: str) -> dict[tuple[int, int], str]:
    pieces = naive_pieces(s)
    route = [place(int(number)) for number in text.replace("x", "-").split("-")]
    piece = pieces.pop(route[0])
    if "x" in text:
        for here, beyond in pairwise(route):
            del pieces[(here[0] + beyond[0]) // 2, (here[1] + beyond[1]) // 2]
    if route[-1][0] == (7 if piece == "b" else 0):
        piece = piece.upper()
    pieces[route[-1]] = piece
    return pieces


def random_board(dice: random.Random) -> Board:
    """Any position that the rules allow: few pieces or many, men and kings."""
    squares = dice.sample(range(1, 33), dice.randrange(2, 25))
    sides = [0, 0]
    kings = 0
    royal = dice.random()
    for number, square in enumerate(squares):
        side = number % 2
        sides[side] |= 1 << bit_of(square)
        if dice.random() < royal or square in ((29, 30, 31, 32), (1, 2, 3, 4))[side]:
            kings |= 1 << bit_of(square)
    return Board(*sides, kings, dice.randrange(2))


def test_moves_and_results_agree_with_a_naive_referee():
    dice = random.Random(2)
    for _ in range(2000):
        s = random_board(dice)
        legal = pf.legal_moves(GAME, s)
        texts = [pf.format_action(GAME, s, action) for action in legal]
        assert sorted(texts) == sorted(naive_moves(s))
        assert GAME.count(s) == len(legal) <= GAME.max_actions
        assert GAME.terminal(s) == (not legal)
        for action, text in zip(legal, texts, strict=True):
            after = GAME.result(s, action)
            assert naive_pieces(after) == naive_result(s, text)
            assert after.player == 1 - s.player
            assert pf.parse_action(GAME, s, text) == action


def test_random_games_agree_with_a_naive_referee():
    dice = random.Random(3)
    for _ in range(10):
        s = GAME.start()
        for _ in range(150):
            if GAME.terminal(s):
                break
            action = dice.choice(pf.legal_moves(GAME, s))
            text = pf.format_action(GAME, s, action)
            assert sorted(pf.format_action(GAME, s, other) for other in pf.legal_moves(GAME, s)) == sorted(
                naive_moves(s)
            )
            assert naive_pieces(GAME.result(s, action)) == naive_result(s, text)
            s = GAME.result(s, action)


# ------------------------------------------------------------------ published counts
def test_the_known_counts_of_sequences_interpreted():
    assert [perft(GAME, depth, native=False).nodes for depth in range(7)] == SEQUENCES[:7]


def test_the_known_counts_of_sequences_compiled():
    deepest = 6 if INTERPRETED else 10
    assert [perft(GAME, depth, native=True).nodes for depth in range(deepest + 1)] == SEQUENCES[: deepest + 1]


@compiles
@pytest.mark.full
def test_the_published_counts_as_deep_as_a_minute_goes():
    for depth in range(1, 14):  # from 12 on, routes to the same end are counted apart
        assert perft(GAME, depth, native=True).nodes == checkers.SEQUENCES[depth]


# ------------------------------------------------------------------ rules, one by one
def test_captures_are_forced():
    assert moves("B:W15,32:B11,1") == ["11x18"]
    assert "11-16" in moves("B:W14,32:B11,1")


def test_a_capture_goes_on_as_long_as_it_can():
    assert moves("B:W6,14,22,23:B1") == ["1x10x17x26"]
    assert sorted(moves("B:W6,14,15,22,32:B1")) == ["1x10x17x26", "1x10x19"]


def test_a_man_that_is_crowned_stops_there():
    s = state("B:W26,27,19:B22")
    assert [pf.format_action(GAME, s, action) for action in pf.legal_moves(GAME, s)] == [
        "22x31"
    ]  # a king would go on over 27
    after = GAME.result(s, pf.legal_moves(GAME, s)[0])
    assert squares_in(after.kings) == [31]
    assert squares_in(after.white) == [19, 27]
    assert moves("B:W26,27,19:BK22") == ["22x31x24x15"]


def test_men_do_not_capture_backwards_and_kings_do():
    assert moves("B:W14,32:B18") == ["18-22", "18-23"]
    assert moves("B:W14,32:BK18") == ["18x9"]


def test_a_piece_is_captured_only_if_the_square_behind_it_is_empty():
    assert moves("W:WK13:B9,6") == ["13-17"]
    assert moves("W:WK13:B9,7") == ["13x6"]


def test_a_king_may_go_around_both_ways_and_end_where_it_began():
    """Two actions with one result: published counts keep them apart."""
    s = state("W:WK22:B17,18,9,10")
    texts = [pf.format_action(GAME, s, action) for action in pf.legal_moves(GAME, s)]
    assert sorted(texts) == ["22x13x6x15x22", "22x15x6x13x22"]
    one, other = (GAME.result(s, action) for action in pf.legal_moves(GAME, s))
    assert one == other
    assert squares_in(one.white & one.kings) == [22]
    assert one.black == 0
    assert GAME.terminal(one)
    assert GAME.utility(one) == -1.0


def test_whoever_cannot_move_has_lost():
    blocked = state("W:W12:B8,3")
    assert GAME.terminal(blocked)
    assert GAME.utility(blocked) == 1.0
    assert not GAME.terminal(state("B:W12:B8,3"))
    assert GAME.terminal(state("W:W:B8"))
    assert GAME.terminal(state("B:WK1:B"))
    assert GAME.utility(state("B:WK1:B")) == -1.0


@pytest.mark.parametrize("square", [1, 2, 9, 10, 18, 25])
def test_long_captures_agree_with_a_naive_referee(square):
    """Nine men, each with empty squares around it; from the corner, a king takes all of them."""
    text = f"W:WK{square}:B6,7,8,14,15,16,22,23,24"
    assert sorted(moves(text)) == sorted(naive_moves(state(text)))
    assert max(move.count("x") for move in moves(text)) == {1: 9, 25: 9, 10: 8, 18: 8}.get(square, 7)
    s = state(text)
    assert all(
        pf.parse_action(GAME, s, pf.format_action(GAME, s, action)) == action for action in pf.legal_moves(GAME, s)
    )


def test_no_position_has_more_actions_than_the_rules_say():
    kings = "B:WK31:BK5,K6,K7,K8,K13,K14,K15,K16,K21,K22,K23,K24"
    assert len(moves(kings)) == 42 <= GAME.max_actions


# ------------------------------------------------------------------ draws, in play
def test_the_same_position_for_the_third_time_is_a_draw():
    s = state("B:WK32:BK1")
    history = [s]
    for text in ["1-5", "32-28", "5-1", "28-32"] * 2:
        assert GAME.history.draw_reason(GAME, history) == ""
        s = pf.state_after(GAME, text, state=s)
        history.append(s)
    assert GAME.history.draw_reason(GAME, history) == "repetition"
    assert GAME.history.draw_reason(GAME, history[:-1]) == ""
    assert GAME.history.draw_reason(GAME, history[4:]) == ""


def test_the_mover_counts_for_repetition():
    s = state("B:WK32:BK1")
    other = Board(s.black, s.white, s.kings, MIN)
    assert GAME.history.draw_reason(GAME, [s, other, s, other]) == ""
    assert GAME.history.draw_reason(GAME, [s, other, s, other, s]) == "repetition"


def quiet_walk(game: Checkers, plies: int) -> list[Board]:
    """Kings that wander, out of each other's way; no position comes twice."""
    dice = random.Random(1)
    history = [state("B:WK32,K31,K30:BK1,K2,K3")]
    seen = set(history)
    while len(history) <= plies:
        after = [game.result(history[-1], action) for action in pf.legal_moves(game, history[-1])]
        fresh = [s for s in after if s not in seen and not list(game.heuristics.tactical_actions(game, s))]
        history.append(dice.choice(fresh))
        seen.add(history[-1])
    return history


def test_forty_moves_of_each_side_without_progress_are_a_draw():
    history = quiet_walk(GAME, 90)
    reasons = [GAME.history.draw_reason(GAME, history[: ply + 1]) for ply in range(len(history))]
    assert reasons == [""] * 80 + ["move limit"] * 11
    short = Checkers(move_limit=5)
    fifth = [short.history.draw_reason(short, history[: ply + 1]) for ply in range(11)]
    assert fifth == [""] * 10 + ["move limit"]
    endless = Checkers(move_limit=0)
    assert "move limit" not in {endless.history.draw_reason(endless, history[: ply + 1]) for ply in range(91)}


def test_captures_and_moves_of_men_are_progress():
    short = Checkers(move_limit=1)
    s = state("B:W30,K32:BK1")
    quiet = [s, pf.state_after(GAME, "1-5", state=s), pf.state_after(GAME, "1-5", "32-28", state=s)]
    assert short.history.draw_reason(short, quiet) == "move limit"
    man = [s, pf.state_after(GAME, "1-5", state=s), pf.state_after(GAME, "1-5", "30-26", state=s)]
    assert short.history.draw_reason(short, man) == ""
    capture = state("B:WK6,K32:BK1")
    taken = [capture, pf.state_after(GAME, "1x10", state=capture), pf.state_after(GAME, "1x10", "32-28", state=capture)]
    assert short.history.draw_reason(short, taken) == ""
    assert GAME.history.draw_reason(GAME, [s]) == ""


def test_a_move_limit_below_zero_is_refused():
    with pytest.raises(BadRules, match="move_limit"):
        Checkers(move_limit=-1)
    assert pf.load("checkers(move_limit=0)") == Checkers(0)


# ------------------------------------------------------------------ what searches are told
@kernel
def opinions(game, s):
    """All that compiled code may ask about a state: features, estimate, and the actions with their promise."""
    total = 0.0
    captures = 0
    for action in game.actions(s):
        total += game.heuristics.ordering(game, s, action) * float(action % 1009)
    for action in game.heuristics.tactical_actions(game, s):
        captures += action % 1009
    return game.encoding.features(game, s), game.evaluate(s), total, captures


def test_opinions_are_the_same_compiled_and_interpreted():
    function = native_function(opinions, GAME, GAME.start())
    dice = random.Random(5)
    for _ in range(300):
        s = random_board(dice)
        assert function(GAME, s) == opinions.function(GAME, s)


def test_opinions_change_their_sign_when_the_colours_are_exchanged():
    dice = random.Random(6)
    for _ in range(300):
        s = random_board(dice)
        image = Board(*exchanged(s.black, s.white, s.kings), 1 - s.player)
        assert GAME.encoding.features(GAME, image) == tuple(-value for value in GAME.encoding.features(GAME, s))
        assert GAME.evaluate(image) == -GAME.evaluate(s)
        ours = sorted(GAME.heuristics.ordering(GAME, s, action) for action in pf.legal_moves(GAME, s))
        assert ours == sorted(GAME.heuristics.ordering(GAME, image, action) for action in pf.legal_moves(GAME, image))


def test_features_count_what_their_names_say():
    def of(text: str) -> dict[str, float]:
        return {
            name: value
            for name, value in zip(FEATURE_NAMES, GAME.encoding.features(GAME, state(text)), strict=True)
            if value
        }

    start = GAME.encoding.features(GAME, GAME.start())
    assert start[:-2] == (0.0,) * (len(FEATURE_NAMES) - 2)
    assert dict(zip(FEATURE_NAMES, start, strict=True))["the_move"] == -1.0  # White has the move at the start
    assert of("B:WK32:B1,3") == {"men": 2, "kings": -1, "back_rank": 2, "bridge": 1, "mobility": 4 - 2, "turn": 1}
    assert of("W:W32:B28")["dog_hole"] == 1
    assert of("W:WK1:B5,6")["trapped_kings"] == -1
    assert of("B:W21,22:B14,20")["runaways"] == 1
    assert "runaways" not in of("B:W25:B14")
    assert of("B:WK5:BK14")["centre"] == 1
    assert of("B:WK5:BK14")["edge"] == -1
    assert of("B:W20:B22")["advancement"] == 5 - 3


def test_estimates_grow_with_material_and_stay_inside_the_bounds():
    few, more, king = (GAME.evaluate(state(text)) for text in ("B:WK32:B1", "B:WK32:B1,2", "B:WK32:B1,K2"))
    assert few < more < king
    assert 0.5 < GAME.evaluate(state("W:W32:BK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12")) < 1.0


def test_captures_of_more_and_crownings_are_looked_at_first():
    s = state("B:W6,14,15,22,32:B1")
    promise = {
        pf.format_action(GAME, s, action): GAME.heuristics.ordering(GAME, s, action)
        for action in pf.legal_moves(GAME, s)
    }
    assert promise["1x10x17x26"] > promise["1x10x19"]
    s = state("B:W5:B26,6,K14")
    promise = {
        pf.format_action(GAME, s, action): GAME.heuristics.ordering(GAME, s, action)
        for action in pf.legal_moves(GAME, s)
    }
    assert promise["26-30"] == promise["26-31"] > max(promise["6-10"], promise["14-18"])


def test_noisy_actions_are_all_captures_or_none():
    dice = random.Random(7)
    for _ in range(300):
        s = random_board(dice)
        captures = [action for action in pf.legal_moves(GAME, s) if (action & LIFTED).bit_count() > 1]
        assert list(GAME.heuristics.tactical_actions(GAME, s)) == captures


def test_the_rules_keep_the_laws():
    report = check(GAME, states=300, native=False)
    assert report.ok, str(report)


def test_a_search_takes_what_gives_more():
    found = pf.search(GAME, "B:W6,14,15,22,32:B1", depth=3, using="alpha_beta", native=False)
    assert found.text(found.action) == "1x10x17x26"


@pytest.mark.full
@compiles
def test_a_first_search_compiled_and_interpreted_visits_the_same_nodes():
    slow = pf.search(GAME, depth=4, using="alpha_beta", native=False)
    fast = pf.search(GAME, depth=4, using="alpha_beta", native=True)
    assert (slow.value, slow.action, slow.nodes) == (fast.value, fast.action, fast.nodes)
