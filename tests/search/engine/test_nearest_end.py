"""Proofs of a selective search: the end that is told is the nearest, every line that is asked for is gone on with, and
the best one comes first.

The distances are Stockfish's, of searches to the end.
"""

from __future__ import annotations

import itertools

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.search import Control, Engine, Limits
from plyforge.search.engine.engine import EngineResult

CHESS = pf.load("chess")


def found(fen: str, limits: Limits, **options) -> EngineResult:
    return Engine(table_mib=8, **options).search(CHESS, pf.parse_state(CHESS, fen), limits, native=True)


@compiles
@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        (
            "7q/8/6K1/8/8/3k4/1B3r2/r7 w - - 0 1",
            6,
        ),  # the first proof says eight, and moves into a mate in two
        ("4k3/nb4pP/1p1B3p/r3Pp2/2p1p2P/1PP1P1Q1/1b3KN1/6R1 w - - 1 42", 3),
        ("2b1r3/1p2n1p1/rP1p4/7p/1b1kP3/PR6/2KN1P1P/1R2N3 w - - 1 41", 5),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
    ],
)
def test_the_end_that_is_told_is_the_nearest(fen, plies):
    answer = found(fen, Limits(nodes=400_000))
    assert answer.exact and answer.distance == plies
    assert answer.ends_in[answer.action] == plies


@compiles
@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        ("2b1r3/1p2n1p1/rP1p4/7p/1b1kP3/PR6/2KN1P1P/1R2N3 w - - 1 41", 5),
        ("4k3/nb4pP/1p1B3p/r3Pp2/2p1p2P/1PP1P1Q1/1b3KN1/6R1 w - - 1 42", 3),
    ],
)
def test_a_win_within_so_many_plies_is_found_if_there_is_one(fen, plies):
    answer = found(fen, Limits(depth=plies + 1), within=plies)
    assert answer.exact and answer.distance == plies
    shorter = found(fen, Limits(depth=plies - 1), within=plies - 2)
    assert not shorter.exact and shorter.reason == "depth"


@compiles
@pytest.mark.parametrize("lines", [1, 3])
@pytest.mark.parametrize(
    "fen",
    [
        "7q/8/6K1/8/8/3k4/1B3r2/r7 w - - 0 1",
        "4k3/nb4pP/1p1B3p/r3Pp2/2p1p2P/1PP1P1Q1/1b3KN1/6R1 w - - 1 42",
        "2b1r3/1p2n1p1/rP1p4/7p/1b1kP3/PR6/2KN1P1P/1R2N3 w - - 1 41",
        "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1",
        "k7/8/1K6/8/8/8/8/7R b - - 0 1",
    ],
)
def test_the_line_of_a_proven_end_leads_there(fen, lines):
    answer = found(fen, Limits(nodes=400_000), lines=lines)
    assert answer.exact and answer.lines[0][1] == answer.line and len(answer.line) == answer.distance
    state = answer.state
    for action in answer.line:
        assert not CHESS.terminal(state) and action in pf.legal_moves(CHESS, state)
        state = CHESS.result(state, action)
    assert CHESS.terminal(state) and CHESS.utility(state) == answer.value


@compiles
def test_the_line_costs_no_more_than_is_allowed():
    fen = "2b1r3/1p2n1p1/rP1p4/7p/1b1kP3/PR6/2KN1P1P/1R2N3 w - - 1 41"
    whole = found(fen, Limits(nodes=400_000))
    for nodes in (whole.nodes - 1, whole.nodes):
        answer = found(fen, Limits(nodes=nodes))
        assert answer.exact and answer.nodes <= nodes
        assert (len(answer.line) == answer.distance) == (nodes == whole.nodes)


@compiles
def test_a_search_that_is_stopped_keeps_what_it_knows():
    control = Control()
    control.stop()
    state = pf.parse_state(CHESS, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    answer = Engine(table_mib=8).search(CHESS, state, Limits(depth=3), native=True, control=control)
    assert answer.reason == "stopped" and answer.action in pf.legal_moves(CHESS, state)


SCHOLARS_MATE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"


@compiles
def test_further_lines_are_gone_on_with_after_a_proof():
    answer = found(SCHOLARS_MATE, Limits(nodes=60_000), lines=3)
    assert answer.exact and answer.distance == 1 and answer.depth >= 4
    assert pf.format_action(CHESS, pf.parse_state(CHESS, SCHOLARS_MATE), answer.action) == "Qxf7#"
    assert len(answer.lines) == 3 and answer.distances == (1, None, None)
    assert len({line[0] for _, line in answer.lines}) == 3
    assert all(len(line) > 1 for _, line in answer.lines[1:]), "not those of the first depth"


@compiles
@pytest.mark.parametrize("limits", [Limits(depth=4), Limits(nodes=7_000), Limits(nodes=23_456)], ids=str)
@pytest.mark.parametrize(
    "fen", ["3q4/8/8/8/8/5k2/2K5/8 b - - 90 60", SCHOLARS_MATE, pf.format_state(CHESS, CHESS.start())]
)
def test_the_best_line_comes_first(fen, limits):
    answer = found(fen, limits, lines=5)
    sign = 1 if CHESS.player(pf.parse_state(CHESS, fen)) == pf.MAX else -1
    own = [sign * value for value, _ in answer.lines]
    assert own == sorted(own, reverse=True) and answer.value == answer.lines[0][0]
    assert answer.line == answer.lines[0][1] and answer.action == answer.line[0]


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=compiles)])
def test_where_depth_is_a_promise_too(native):
    game = pf.load("tic_tac_toe")
    state = pf.parse_state(game, "xo..x....")  # O has to block, and loses all the same
    alone = Engine().search(game, state, Limits(depth=9), native=native)
    several = Engine(lines=7).search(game, state, Limits(depth=9), native=native)
    assert several.exact and (several.value, several.distance) == (alone.value, alone.distance)
    values = pf.search(game, state, "minimax", native=False).values
    for (value, line), distance in zip(several.lines, several.distances, strict=True):
        assert distance is not None and value == values[line[0]]
    assert sorted(line[0] for _, line in several.lines) == sorted(pf.legal_moves(game, state))


@compiles
def test_the_end_of_the_game_is_claimed_with_its_distance():
    """A pass once claimed it, and proofs that were longer than the depth were forgotten."""
    answer = found("8/8/8/3k4/8/8/1Q6/K7 w - - 0 1", Limits(nodes=3_000_000))
    assert answer.value == CHESS.max_utility
    assert answer.exact and answer.distance is not None and answer.distance >= 15


@compiles
def test_without_time_for_anything_the_most_promising_action_is_taken():
    state = pf.parse_state(CHESS, "k7/8/8/3q4/4P3/8/8/K7 w - - 0 1")
    answer = Engine(table_mib=8).search(CHESS, state, Limits(nodes=1), native=True)
    assert pf.format_action(CHESS, state, answer.action) == "exd5"


@compiles
def test_nodes_are_counted_and_kept_within_their_limit():
    for nodes, fen in itertools.product((100, 5_000, 60_000), ("7q/8/6K1/8/8/3k4/1B3r2/r7 w - - 0 1", SCHOLARS_MATE)):
        assert found(fen, Limits(nodes=nodes)).nodes <= nodes
