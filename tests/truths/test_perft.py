"""Perft against published counts, at both speeds."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from conftest import working_threads
from known import connect4
from patience import PATIENCE
from plyforge.contract import CHANCE, MIN, Game, legal_moves, parse_state
from plyforge.errors import BadLimits, BadText
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.games.two_players.connect4 import Connect4
from plyforge.kernel import MAX_PLY
from plyforge.search import Progress
from plyforge.solve import perft

TIC_TAC_TOE = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]
CONNECT_FOUR = [1, *connect4.SEQUENCES.values()]

both_speeds = pytest.mark.parametrize("native", [False, True])


class Throw(NamedTuple):
    total: int
    player: int


@dataclass(frozen=True)
class Dice(Game):
    """A die with three faces is thrown, then MAX or MIN adds 0 or 1, in turn. At 5 or more the game is over."""

    min_utility = -9.0
    max_utility = 9.0

    def start(self) -> Throw:
        return Throw(0, CHANCE)

    def player(self, s: Throw) -> int:
        return s.player

    def chance(self, s: Throw) -> Iterator[tuple[int, float]]:
        for face in range(1, 4):
            yield face, 1.0 / 3.0

    def actions(self, s: Throw) -> Iterator[int]:
        yield 0
        yield 1

    def result(self, s: Throw, action: int) -> Throw:
        if s.player == CHANCE:
            return Throw(s.total + action, s.total % 2)
        return Throw(s.total + action, CHANCE)

    def terminal(self, s: Throw) -> bool:
        return s.total >= 5

    def utility(self, s: Throw) -> float:
        return float(s.total) if s.player == MIN else -float(s.total)


def sequences(game: Game, state, depth: int) -> int:
    """Perft as its definition says, one sequence at a time."""
    if depth == 0:
        return 1
    return sum(sequences(game, game.result(state, action), depth - 1) for action in legal_moves(game, state))


@both_speeds
def test_tic_tac_toe_has_the_known_counts_and_none_beyond_its_end(native):
    compiled = native and "NUMBA_DISABLE_JIT" not in os.environ
    for depth, count in enumerate(TIC_TAC_TOE):
        if compiled or depth <= 6:
            assert perft(TicTacToe(), depth, native=native).nodes == count
    assert perft(TicTacToe(), 9, "x........", native=native).nodes == 0
    assert sum(TIC_TAC_TOE) == 549_946


def test_connect_four_has_the_known_counts_compiled():
    deepest = 6 if "NUMBA_DISABLE_JIT" in os.environ else 8
    found = [perft(Connect4(), depth, native=True).nodes for depth in range(deepest + 1)]
    assert found == CONNECT_FOUR[: deepest + 1]


def test_connect_four_has_the_known_counts_interpreted():
    assert [perft(Connect4(), depth, native=False).nodes for depth in range(7)] == CONNECT_FOUR[:7]


def test_connect_four_agrees_with_the_published_table_as_deep_as_it_goes():
    native = "NUMBA_DISABLE_JIT" not in os.environ
    for depth, count in connect4.SEQUENCES.items():
        if native or depth <= 6:
            assert perft(Connect4(), depth, native=native).nodes == count


@both_speeds
def test_outcomes_of_chance_count_as_actions(native):
    game = Dice()
    for depth in range(7):
        assert perft(game, depth, native=native).nodes == sequences(game, game.start(), depth)
    assert perft(game, 1, native=native).nodes == 3
    assert perft(game, 2, native=native).nodes == 6


@both_speeds
def test_divide_splits_the_count_by_first_action(native):
    found = perft(Connect4(), 5, native=native, divide=True)
    assert found.nodes == CONNECT_FOUR[5]
    assert list(found.divide) == ["1", "2", "3", "4", "5", "6", "7"]
    assert set(found.divide.values()) == {2401}
    assert str(found).splitlines()[0] == "1: 2,401"
    for text, count in perft(Connect4(), 5, "44455", native=False, divide=True).divide.items():
        assert perft(Connect4(), 4, "44455" + text, native=False).nodes == count


def test_divide_by_the_outcomes_of_chance():
    assert perft(Dice(), 2, native=False, divide=True).divide == {"1": 2, "2": 2, "3": 2}


def test_counting_starts_from_any_state_or_its_text():
    game = TicTacToe()
    assert perft(game, 2, "xo.......", native=False).nodes == 7 * 6
    assert perft(game, 2, parse_state(game, "xo......."), native=False).nodes == 7 * 6


def test_a_finished_game_has_one_empty_sequence_and_no_longer_one():
    won = "xxxoo...."
    assert perft(TicTacToe(), 0, won, native=False).nodes == 1
    assert perft(TicTacToe(), 1, won, native=False).nodes == 0
    assert perft(TicTacToe(), 3, won, native=False, divide=True).divide == {}


def test_the_record_says_how_it_ran():
    found = perft(TicTacToe(), 4, native=False)
    assert not found.native
    assert found.depth == 4
    assert found.seconds > 0
    assert found.rate == pytest.approx(found.nodes / found.seconds)
    assert found.to_json()["nodes"] == 3024
    assert perft(TicTacToe(), 4, native=True).native


@pytest.mark.parametrize("depth", [-1, 10**9, MAX_PLY + 1, 2.0, "3", None, True])
def test_a_depth_out_of_range_is_refused(depth):
    with pytest.raises(BadLimits, match="depth is"):
        perft(TicTacToe(), depth)


def test_a_malformed_state_is_refused():
    with pytest.raises(BadText):
        perft(TicTacToe(), 1, "xyz")


def test_progress_is_reported_while_it_runs():
    told: list[Progress] = []
    game = Connect4()
    perft(game, 7, native=False, on_progress=told.append)
    assert told
    assert [p.nodes for p in told] == sorted(p.nodes for p in told)


@both_speeds
def test_control_c_stops_it_and_the_process_stays_usable(native):
    perft(Connect4(), 1, native=native)  # compiled before the clock starts
    before = working_threads()
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        perft(Connect4(), 25, native=native)
    assert time.perf_counter() - pressed[0] < PATIENCE
    timer.join()
    while working_threads() > before:  # the last search ends on its own, at its next node
        assert time.perf_counter() - pressed[0] < PATIENCE
        time.sleep(0.001)
    assert perft(Connect4(), 4, native=native).nodes == 2401
