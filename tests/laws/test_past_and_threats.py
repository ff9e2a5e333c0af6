"""What rules of play and threats do to the engine: draws by state, superko, ends without actions, selectivity that
keeps proofs."""

from __future__ import annotations

import pytest

import plyforge as pf
from conftest import compiles
from known.chess import MATES as KNOWN_MATES
from plyforge.contract import Heuristics
from plyforge.games.two_players.nim import Nim
from plyforge.search.core.limits import Limits
from plyforge.search.engine.complete_line import whole_line
from plyforge.search.engine.engine import Engine

CHESS = pf.load("chess")


def engine(fen: str, **limits):
    return Engine(table_mib=8.0).search(CHESS, pf.parse_state(CHESS, fen), Limits(**limits), native=False)


# ------------------------------------------------------------ draws that a state tells
def test_too_little_material_is_a_draw_and_no_proof() -> None:
    found = engine("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", depth=2)
    assert found.value == 0.0 and not found.exact


def test_the_hundredth_quiet_move_is_a_draw_however_far_ahead_one_is() -> None:
    ahead = engine("7k/8/8/8/8/8/8/KQ6 w - - 0 80", depth=1)
    assert ahead.value > 0.05
    assert engine("7k/8/8/8/8/8/8/KQ6 w - - 99 80", depth=1).value == 0.0


def test_mate_on_the_hundredth_quiet_move_is_mate() -> None:
    found = engine("7k/8/5K2/8/8/8/8/6Q1 w - - 99 80", depth=2)
    assert found.value == 1.0 and found.exact and found.distance == 1


def test_coming_back_is_a_draw_to_who_is_lost() -> None:
    """White is a rook down and checks for ever."""
    perpetual = "6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1"
    found = engine(perpetual, depth=6)
    assert found.value == 0.0 and not found.exact


# ------------------------------------------------------------ superko
@pytest.mark.parametrize(("size", "score"), [(2, 1.0), pytest.param(3, 9.0, marks=pytest.mark.full)])
def test_small_go_boards_are_worth_what_is_known_under_superko(size: int, score: float) -> None:
    found = pf.search(f"go(size={size}, komi=0, margin=True)", using="engine", depth=30, native=False)
    assert found.value == score and found.exact


# ------------------------------------------------------------ ends without actions
class StuckNimHeuristics(Heuristics):
    ends_when_stuck = True


class StuckNim(Nim):
    """Nim, where having no stick to take is the end, and says so."""

    heuristics = StuckNimHeuristics()


@pytest.mark.parametrize("heaps", [(3, 4, 5), (1, 2, 3), (2, 2)])
def test_where_having_no_action_is_the_end_nothing_changes_but_the_asking(heaps) -> None:
    plain = pf.search(Nim(heaps), using="engine", depth=30, native=False)
    stuck = pf.search(StuckNim(heaps), using="engine", depth=30, native=False)
    assert (plain.value, plain.exact, plain.distance, plain.nodes) == (
        stuck.value,
        stuck.exact,
        stuck.distance,
        stuck.nodes,
    )


# ------------------------------------------------------------ selectivity
MATES = [
    ("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", "Qxh7+", 3),
    ("7k/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8#", 1),
]


@pytest.mark.parametrize(("fen", "move", "plies"), MATES)
def test_a_selective_search_proves_mates(fen: str, move: str, plies: int) -> None:
    position = pf.parse_state(CHESS, fen)
    found = engine(fen, depth=4)
    assert pf.format_action(CHESS, position, found.action) == move
    assert found.exact and found.value == 1.0 and found.distance == plies


@compiles
@pytest.mark.full
def test_no_mate_is_claimed_that_is_none() -> None:
    claimed = 0
    thinker = Engine(table_mib=16.0)
    for fen, moves in KNOWN_MATES.items():
        position = pf.parse_state(CHESS, fen + " 0 1" if len(fen.split()) == 4 else fen)
        found = thinker.search(CHESS, position, Limits(nodes=100_000), native=True)
        if found.exact and found.value != 0.0:
            claimed += 1
            mover_wins = (found.value > 0) == (CHESS.player(position) == pf.MAX)
            assert mover_wins == (moves > 0), fen
            plies = 2 * moves - 1 if moves > 0 else -2 * moves
            assert found.distance >= plies, fen
    assert claimed > len(KNOWN_MATES) // 10


FORGOTTEN = [
    "3rr3/pp1qpRk1/7p/8/2pPQ1P1/2P4P/PP6/4R1K1 b - - 0 1",  # a line longer than the mate, which ended in the middle
    "8/8/K7/8/1p6/1p5B/1B5p/7k b - - 0 1",  # the table remembered a longer way only, which came back to where it was
    "8/8/K7/8/1p6/1p6/1B5p/5B1k w - - 0 1",
]


@compiles
@pytest.mark.full
@pytest.mark.parametrize("fen", FORGOTTEN)
def test_the_line_of_a_mate_is_as_long_as_was_said_also_where_the_table_forgot_it(fen: str) -> None:
    state = pf.parse_state(CHESS, fen)
    thinker = Engine(table_mib=64.0)
    table = thinker.new_table()
    found = thinker.start(CHESS, True, table=table).think(state, Limits(nodes=100_000))
    assert found.proven and found.distance is not None
    line = whole_line(thinker, found, seconds=60.0, table=table)
    for action in line:
        state = CHESS.result(state, action)
    assert CHESS.terminal(state) and CHESS.in_check(state) and len(line) <= found.distance
