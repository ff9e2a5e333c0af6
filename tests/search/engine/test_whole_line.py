"""Lines of proofs, to the end of the game."""

from __future__ import annotations

from dataclasses import replace

import pytest

import plyforge as pf
from plyforge.errors import WrongMoment
from plyforge.kernel import MAX_PLY
from plyforge.play.engine import Engine
from plyforge.search.core.limits import Limits
from plyforge.search.engine.complete_line import whole_line
from plyforge.search.engine.engine import Engine as EngineSearch
from plyforge.search.engine.transposition_table import Table
from plyforge.search.running.control import Control


def won(*moves: str):
    """A proven win of tic-tac-toe, with its search and table."""
    search, table = EngineSearch(), Table(1)
    game = pf.load("tic_tac_toe")
    found = search.start(game, False, table=table).think(pf.state_after(game, *moves))
    assert found.proven and abs(found.value) == 1.0 and found.distance is not None
    return search, table, found


@pytest.mark.parametrize("moves", [("1", "2"), ("5", "2"), ("1", "2", "4")])
def test_a_line_that_was_cut_short_is_followed_to_the_win_that_was_proven(moves):
    search, table, found = won(*moves)
    for length in range(len(found.line) + 1):
        line = whole_line(search, replace(found, line=found.line[:length]), seconds=20.0, table=table)
        assert line[:length] == found.line[:length]
        state = found.state
        for action in line:
            assert action in pf.legal_moves(found.game, state)
            state = found.game.result(state, action)
        assert found.game.terminal(state) and found.game.utility(state) == found.value
        assert len(line) <= found.distance + 6


def test_without_a_proof_or_without_time_the_line_stays_as_it_is():
    search, table, found = won("1", "2")
    short = replace(found, line=found.line[:1])
    assert whole_line(search, replace(short, proven=False), seconds=20.0, table=table) == short.line
    assert whole_line(search, replace(short, distance=None), seconds=20.0, table=table) == short.line
    assert whole_line(search, short, seconds=0.0, table=table) == short.line
    control = Control()
    control.stop()
    assert whole_line(search, short, seconds=20.0, table=table, control=control) == short.line


def test_the_engine_object_follows_its_last_result():
    engine = Engine("tic_tac_toe", "engine", native=False)
    with pytest.raises(WrongMoment):
        engine.whole_line(1.0)
    engine.start(pf.state_after(engine.game, "1", "2"))
    found = engine.wait()
    assert len(engine.whole_line(20.0)) >= len(found.line)
    engine = Engine("tic_tac_toe", "alpha_beta", native=False)
    engine.start(depth=2)
    found = engine.wait()
    assert engine.whole_line(1.0) == found.line


def test_a_proof_that_took_all_depths_there_are_is_followed_no_deeper() -> None:
    """In an ending with few actions a search may get to its recursion bound before it proves a mate."""
    chess = pf.load("chess")
    state = pf.parse_state(chess, "7k/8/4K3/8/8/8/8/6Q1 w - - 0 1")
    search = EngineSearch(table_mib=1.0)
    found = search.search(chess, state, Limits(depth=5), native=False)
    assert found.exact and found.distance is not None and found.distance >= 3
    # the table has forgotten it, and a ply less was said than it takes: only the second, deeper look finds it
    line = whole_line(search, replace(found, depth=MAX_PLY, line=(), distance=2), seconds=20.0)
    for action in line:
        state = chess.result(state, action)
    assert chess.terminal(state) and chess.in_check(state)


def test_a_line_as_long_as_was_said_that_does_not_end_the_game_is_not_whole() -> None:
    chess = pf.load("chess")
    state = pf.parse_state(chess, "7k/8/4K3/8/8/8/8/6Q1 w - - 0 1")
    search, table = EngineSearch(table_mib=1.0), Table(1)
    found = search.start(chess, False, table=table).think(state, Limits(depth=5))
    assert found.distance is not None and found.distance <= 5
    astray, at = [], state
    for text in ("Qg2", "Kh7", "Qg1", "Kh8", "Qg2"):
        astray.append(pf.parse_action(chess, at, text))
        at = chess.result(at, astray[-1])
    line = whole_line(search, replace(found, line=tuple(astray)), seconds=20.0, table=table)
    for action in line:
        state = chess.result(state, action)
    assert chess.terminal(state) and chess.in_check(state)
