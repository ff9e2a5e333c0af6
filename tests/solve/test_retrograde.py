"""Retrograde analysis: published values, every state against a naive fixpoint on random graphs with cycles, both
speeds, files."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge as pf
from conftest import compiles
from known import connect4
from plyforge.contract import MAX, MIN, Game
from plyforge.search import Control
from plyforge.solve import load_solution, strongly

SPEEDS = [False, pytest.param(True, marks=compiles)]


# ------------------------------------------------------------ truths from outside
@pytest.mark.parametrize("native", SPEEDS)
def test_tic_tac_toe_is_a_draw_and_has_5478_states_of_which_958_are_ends(native):
    solved = strongly(pf.load("tic_tac_toe"), native=native)
    assert solved.native == bool(native)
    assert solved.value == 0.0 and solved.states == 5478
    assert int((solved.distances == 0).sum()) == 958
    assert sum(solved.counts.values()) == 5478
    assert solved.distance is None and len(solved.line) == 9


def test_hexapawn_is_won_as_published():
    known = {
        (3, 1): "F", (3, 2): "S", (3, 3): "S", (3, 4): "F", (3, 5): "F",
        (4, 1): "S", (4, 2): "S", (4, 3): "S", (4, 4): "F",
    }  # fmt: skip
    for (height, width), winner in known.items():
        solved = strongly(pf.load(f"hexapawn(width={width}, height={height})"), native=False)
        assert solved.value == (1.0 if winner == "F" else -1.0), (height, width)
        assert solved.distance == len(solved.line)


@compiles
@pytest.mark.parametrize("width, height", [(4, 3), (4, 4)])
def test_small_connect_four_has_as_many_states_as_were_counted(width, height):
    solved = strongly(pf.load(f"connect4(width={width}, height={height})"), native=True)
    assert solved.states == connect4.LEGAL_POSITIONS[width, height]
    assert solved.value == connect4.WINNERS.get((width, height), 0)


@pytest.mark.full
@compiles
def test_connect_four_on_five_by_four_is_a_draw_with_3945711_states():
    solved = strongly(pf.load("connect4(width=5, height=4)"), native=True)
    assert solved.states == 3_945_711 and solved.value == 0.0


@pytest.mark.full
@compiles
def test_othello_on_four_by_four_is_won_by_the_second_player_by_eight_discs():
    solved = strongly(pf.load("othello(size=4)"), native=True)
    assert solved.value == -8.0
    assert solved.distance == len(solved.line)


@compiles
@pytest.mark.parametrize("m, n, k, value", [(4, 3, 3, 1.0)])
def test_small_boards_of_m_n_k_are_worth_what_is_known(m, n, k, value):
    assert strongly(pf.load(f"mnk({m}, {n}, {k})"), native=True).value == value


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_double_moves_and_many_utilities_give_the_known_margins(native):
    """Dots and boxes: whoever completes a box moves again."""
    for rows, columns, margin in [(2, 2, 2)] if native else [(1, 1, -1), (1, 2, 0), (1, 3, -1)]:
        game = pf.load(f"dots_and_boxes(rows={rows}, columns={columns})")
        assert strongly(game, native=native).value == margin


def test_every_state_of_small_games_has_backward_inductions_value():
    for text in ("tic_tac_toe", "nim", "kalah(houses=2, seeds=2)", "hexapawn", "domineering(rows=3, columns=3)"):
        game = pf.load(text)
        solved, induced = strongly(game, native=False), pf.solve.backward_induction(game)
        assert solved.states == induced.states
        for state, value in induced.values.items():
            assert solved.value_of(state) == value
            assert set(solved.best_of(state)) <= set(induced.best_of(state))


# ----------------------------------------------------------- random graphs with cycles, double moves and many utilities
class Place(NamedTuple):
    vertex: int


@dataclass(frozen=True)
class Graph(Game):
    """Any graph as a game: whose turn it is, where each vertex leads, what the ends are worth."""

    movers: tuple[int, ...]
    edges: tuple[tuple[int, ...], ...]
    payoff: tuple[float, ...]
    min_utility = -2.0
    max_utility = 2.0

    def start(self) -> Place:
        return Place(0)

    def player(self, s: Place) -> int:
        return self.movers[s.vertex]

    def actions(self, s: Place) -> Iterator[int]:
        for number in range(len(self.edges[s.vertex])):
            yield number

    def result(self, s: Place, action: int) -> Place:
        return Place(self.edges[s.vertex][action])

    def terminal(self, s: Place) -> bool:
        return len(self.edges[s.vertex]) == 0

    def utility(self, s: Place) -> float:
        return self.payoff[s.vertex]


@st.composite
def graphs(draw: Any) -> Graph:
    size = draw(st.integers(1, 12))
    movers = draw(st.tuples(*[st.integers(0, 1)] * size))
    edges = draw(st.tuples(*[st.lists(st.integers(0, size - 1), max_size=4).map(tuple)] * size))
    payoff = draw(st.tuples(*[st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])] * size))
    return Graph(movers, edges, payoff)


def naive(game: Graph, endless: float) -> tuple[dict[int, float], dict[int, int | None]]:
    """Values and distances by the definition: can somebody force an end worth at least this much within n plies, for
    n = 0, 1, 2 ...?"""
    size = len(game.movers)
    value = dict.fromkeys(range(size), endless)
    for goal in sorted(set(game.payoff)):
        if goal > endless:
            for v in forced(game, MAX, lambda worth, goal=goal: worth >= goal):
                value[v] = goal
    for goal in sorted(set(game.payoff), reverse=True):
        if goal < endless:
            for v in forced(game, MIN, lambda worth, goal=goal: worth <= goal):
                value[v] = goal
    distance: dict[int, int | None] = {v: 0 if not game.edges[v] else None for v in range(size)}
    for _ in range(size):
        for v in range(size):
            if game.edges[v] and value[v] != endless:
                ahead = MAX if value[v] > endless else MIN
                keeping = [distance[w] for w in game.edges[v] if value[w] == value[v]]
                known = [d for d in keeping if d is not None]
                if game.movers[v] == ahead:
                    distance[v] = 1 + min(known) if known else None
                else:
                    distance[v] = 1 + max(known) if len(known) == len(keeping) else None
    return value, distance


def forced(game: Graph, side: int, good: Any) -> set[int]:
    """Where `side` can force a good end, round after round until nothing changes."""
    won = {v for v in range(len(game.movers)) if not game.edges[v] and good(game.payoff[v])}
    while True:
        more = {
            v
            for v in range(len(game.movers))
            if game.edges[v] and (any if game.movers[v] == side else all)(w in won for w in game.edges[v])
        }
        if more <= won:
            return won
        won |= more


@settings(max_examples=300, deadline=None)
@given(graphs(), st.sampled_from([None, -2.0, -1.0, 0.0, 0.25, 2.0]))
def test_random_graphs_are_worth_what_the_definition_says_in_every_state(game, endless):
    solved = strongly(game, endless=endless, native=False)
    value, distance = naive(game, 0.0 if endless is None else endless)
    for vertex in range(len(game.movers)):
        state = Place(vertex)
        if solved.lookup.find(state) is None:
            continue
        assert solved.value_of(state) == value[vertex]
        assert solved.distance_of(state) == distance[vertex]
        for action in solved.best_of(state):
            assert solved.value_of(game.result(state, action)) == value[vertex]
        assert bool(solved.best_of(state)) != game.terminal(state)
        line = solved.line_of(state)
        if distance[vertex] is not None:
            assert len(line) == distance[vertex]


@compiles
def test_compiled_and_interpreted_give_the_same_arrays():
    for text in ("three_mens_morris", "hexapawn(width=4, height=4)"):
        slow, fast = (strongly(pf.load(text), native=native) for native in (False, True))
        assert (slow.ranks == fast.ranks).all() and (slow.distances == fast.distances).all()
        assert slow.value == fast.value and slow.line == fast.line


# ------------------------------------------------------------ what it refuses
def test_chance_is_sent_to_value_iteration():
    with pytest.raises(pf.Unsuitable, match="value_iteration"):
        strongly(pf.load("pig(goal=5)"))
    with pytest.raises(pf.Unsuitable):
        strongly(pf.load("three_nim"))


def test_nonsense_is_refused_with_a_reason():
    game = pf.load("tic_tac_toe")
    with pytest.raises(pf.BadLimits, match="more than 100"):
        strongly(game, limit=100, native=False)
    for endless in (math.inf, math.nan, "draw"):
        with pytest.raises(pf.BadLimits, match="endless"):
            strongly(game, endless=endless, native=False)  # type: ignore[arg-type]
    solved = strongly(game, "xx.oo.... ".strip(), native=False)
    with pytest.raises(pf.PlyforgeError, match="can't arise"):
        solved.value_of("x........")


def test_it_can_be_stopped_from_another_thread():
    control = Control()
    threading.Timer(0.2, control.stop).start()
    with pytest.raises(pf.PlyforgeError, match="stopped"):
        strongly(pf.load("connect4"), limit=None, native=False, control=control)


# ------------------------------------------------------------ files
def test_a_solution_read_back_is_the_one_that_was_written(tmp_path):
    game = pf.load("three_mens_morris")
    solved = strongly(game, native=False)
    path = tmp_path / "morris.solved"
    solved.save(path)
    again = load_solution(path, game)
    assert again.counts == solved.counts and again.states == solved.states
    for number, state in enumerate(solved.lookup.all()):
        if number % 7 == 0:
            assert again.value_of(state) == solved.value_of(state)
            assert again.distance_of(state) == solved.distance_of(state)
    assert again.line == solved.line and again.best == solved.best
    again.save(tmp_path / "twice.solved")
    assert (tmp_path / "twice.solved").read_bytes() == path.read_bytes()
    with pytest.raises(pf.PlyforgeError, match="can't arise"):
        again.value_of(game.start()._replace(x=511))
    json.dumps(again.to_json())


@compiles
def test_files_are_the_same_at_both_speeds_but_for_what_they_say_of_the_speed(tmp_path):
    game = pf.load("tic_tac_toe")
    for native in (False, True):
        strongly(game, native=native).save(tmp_path / str(native))
    slow, fast = (load_solution(tmp_path / str(native), game) for native in (False, True))
    assert slow.lookup.rows == fast.lookup.rows
    assert (slow.ranks == fast.ranks).all() and (slow.distances == fast.distances).all()


def test_damaged_truncated_and_foreign_files_are_refused_and_left_alone(tmp_path):
    game = pf.load("tic_tac_toe")
    path = tmp_path / "t.solved"
    strongly(game, "xx.oo....", native=False).save(path)
    good = path.read_bytes()
    for name, content in {
        "flipped": good[:100] + bytes([good[100] ^ 1]) + good[101:],
        "short": good[:-1],
        "head": good[:20],
        "long": good + b"x",
    }.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(pf.BadText, match="damaged"):
            load_solution(tmp_path / name, game, "xx.oo....")
        assert (tmp_path / name).read_bytes() == content
    (tmp_path / "other").write_bytes(b"something else entirely")
    with pytest.raises(pf.BadText, match="not a solved game"):
        load_solution(tmp_path / "other", game)
    with pytest.raises(pf.BadText, match="solved from"):
        load_solution(path, game)
    with pytest.raises(pf.BadText, match="is about"):
        load_solution(path, pf.load("hexapawn"))
    with pytest.raises(pf.BadText, match="can't be read"):
        load_solution(tmp_path / "nowhere", game)


def test_a_file_that_cannot_be_written_harms_nothing(tmp_path, monkeypatch):
    solved = strongly(pf.load("tic_tac_toe"), "xx.oo....", native=False)
    path = tmp_path / "t.solved"
    solved.save(path)
    good = path.read_bytes()
    with pytest.raises(pf.PlyforgeError, match="can't be kept"):
        solved.save(tmp_path / "no" / "folder")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(pf.PlyforgeError, match="No space left"):
        solved.save(path)
    assert path.read_bytes() == good and [p.name for p in tmp_path.iterdir()] == ["t.solved"]
