"""Solving by search gives minimax's values and all of its best actions, at both speeds, with one thread or two, and
df-pn agrees."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plyforge as pf
from conftest import compiles
from patience import PATIENCE
from plyforge.contract import Heuristics
from plyforge.errors import BadLimits, BadRules, TooDeep, Unsuitable
from plyforge.games.trees.random_tree import RandomTree
from plyforge.games.two_players.domineering import Domineering
from plyforge.games.two_players.hex import Hex
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress
from plyforge.solve import Interrupted, Solver, prove
from plyforge.solve.table_file import describe_table

DOUBLES = RandomTree(depth=6, branching=3, doubles=True)
"""The one game that is compiled here: thousands of its trees are searched by the same code."""
TURNS = RandomTree(depth=6, branching=3, largest=1)

SMALL = [
    "nim(heaps=(1, 2, 3))",
    "nim(heaps=(2, 2, 3), misere=True)",
    "hexapawn",
    "hexapawn(width=2, height=5)",
    "hexapawn(width=4, height=3)",
    "connect4(width=4, height=3, connect=3)",
    "connect4(width=4, height=3, connect=3, graded=True)",
    "mnk(columns=4, rows=2, connect=3)",
    "kalah(houses=2, seeds=2)",
    "kalah(houses=2, seeds=3)",
    "kalah(houses=3, seeds=1)",
    "dots_and_boxes(rows=1, columns=1)",
    "dots_and_boxes(rows=1, columns=2)",
    "tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])",
]
SMALL_GAMES = [*map(pf.load, SMALL), Hex(2), Domineering(3, 3), Domineering(2, 4, "horizontal")]


def shortest(game: Any, state: Any, known: dict[Any, tuple[float, int]]) -> tuple[float, int]:
    """The value, and the plies if who wins all hurries and who loses all delays; straight from the definition."""
    if state not in known:
        if game.terminal(state):
            known[state] = float(game.utility(state)), 0
        else:
            sign = 1 if game.player(state) == pf.MAX else -1
            found = [shortest(game, game.result(state, action), known) for action in game.actions(state)]
            value = sign * max(sign * value for value, _ in found)
            plies = [plies for worth, plies in found if worth == value]
            won = value == (game.max_utility if sign == 1 else game.min_utility)
            known[state] = value, 1 + (min(plies) if won else max(plies))
    return known[state]


# ------------------------------------------------------------ the values are minimax's
@compiles
def test_on_thousands_of_trees_with_double_moves_value_and_best_actions_are_minimaxs() -> None:
    solver = Solver(DOUBLES, native=True, table_mib=1)
    trees = [DOUBLES.root(seed) for seed in range(2000 if os.environ.get("PLYFORGE_TEST_FULL") == "1" else 400)]
    values = solver.values(trees)
    assert len(set(values)) == 7  # all payoffs there are
    for tree, value in zip(trees, values, strict=True):
        wanted = pf.search(DOUBLES, tree, "minimax", native=True)
        found = solver.solve(tree, distance=False)
        assert (found.value, found.best) == (wanted.value, wanted.best), tree
        assert value == wanted.value
        assert found.native


@pytest.mark.parametrize("game", [DOUBLES, TURNS], ids=["doubles", "turns"])
def test_interpreted_value_and_best_actions_are_minimaxs(game: RandomTree) -> None:
    solver = Solver(game, native=False, table_mib=1)
    for seed in range(25):
        wanted = pf.search(game, game.root(seed), "minimax", native=False)
        found = solver.solve(game.root(seed), distance=False)
        assert (found.value, found.best) == (wanted.value, wanted.best), seed


@compiles
def test_interpreted_and_compiled_are_the_same_node_for_node() -> None:
    solvers = [Solver(DOUBLES, native=native, table_mib=1) for native in (True, False)]
    for seed in range(20):
        native, interpreted = (solver.solve(DOUBLES.root(seed)) for solver in solvers)
        assert (native.value, native.best, native.distance, native.nodes) == (
            interpreted.value,
            interpreted.best,
            interpreted.distance,
            interpreted.nodes,
        ), seed


@compiles
@pytest.mark.full
@pytest.mark.parametrize(
    "spec", ["hexapawn", "connect4(width=4, height=3, connect=3, graded=True)", "kalah(houses=3, seeds=1)"]
)
def test_games_are_the_same_node_for_node_at_both_speeds(spec: str) -> None:
    native, interpreted = (Solver(pf.load(spec), native=native, table_mib=1).solve() for native in (True, False))
    assert (native.value, native.best, native.distance, native.nodes) == (
        interpreted.value,
        interpreted.best,
        interpreted.distance,
        interpreted.nodes,
    )


@compiles
def test_two_threads_find_the_same_values_and_best_actions() -> None:
    one, two = (Solver(DOUBLES, native=True, table_mib=1, threads=threads) for threads in (1, 2))
    for seed in range(150):
        alone, together = (solver.solve(DOUBLES.root(seed), distance=False) for solver in (one, two))
        assert (alone.value, alone.best) == (together.value, together.best), seed


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", SMALL_GAMES, ids=str)
def test_small_games_are_solved_as_by_minimax_and_df_pn_agrees(game: Any, threads: int) -> None:
    wanted = pf.solve.backward_induction(game)
    found = Solver(game, native=False, table_mib=1, threads=threads).solve(distance=False)
    assert found.value == wanted.value
    assert set(found.best) == set(wanted.best_of(game.start()))
    if threads == 1:
        assert prove(game, at_least=found.value, table_mib=1, native=False).proven is True
        more = math.nextafter(found.value, math.inf)
        assert prove(game, at_least=more, table_mib=1, native=False).proven is False


@pytest.mark.parametrize(
    "spec",
    [
        "nim(heaps=(2, 3, 2))",
        "nim(heaps=(1, 2, 3))",
        "hexapawn",
        "hexapawn(width=4, height=3)",
        "connect4(width=4, height=3, connect=3)",
        "hex(size=2)",
    ],
)
def test_the_distance_is_that_of_a_winner_who_hurries_and_a_loser_who_delays(spec: str) -> None:
    game = pf.load(spec)
    found = Solver(game, native=False, table_mib=1).solve()
    assert (found.value, found.distance) == shortest(game, game.start(), {})


def test_a_draw_has_no_distance_and_nobody_has_to_count() -> None:
    game = pf.load("connect4(width=4, height=2, connect=3)")
    assert Solver(game, native=False, table_mib=1).solve().distance is None
    won = Solver(pf.load("nim(heaps=(2, 3, 2))"), native=False).solve(distance=False)
    assert abs(won.value) == 1.0 and won.distance is None


def test_one_solver_solves_many_states_and_forgets_when_told() -> None:
    solver = Solver(DOUBLES, native=False, table_mib=1)
    trees = [DOUBLES.root(seed) for seed in range(10)]
    values = solver.values(trees)
    before = solver.nodes
    assert solver.values(trees, fresh=True) == values
    first = solver.nodes - before
    solver.clear()
    assert solver.values(trees, fresh=True) == values
    assert solver.nodes - before == 2 * first  # each time as if it were the first


def test_a_finished_game_has_its_value_and_nothing_to_do() -> None:
    found = Solver(pf.load("tic_tac_toe"), native=False).solve("xxxoo....")
    assert (found.value, found.best, found.distance) == (1.0, (), 0)
    json.dumps(found.to_json())


def test_a_result_is_plain_json_and_one_line_of_text() -> None:
    found = Solver(pf.load("hexapawn"), native=False).solve()
    assert json.loads(json.dumps(found.to_json()))["best"] == ["a1-a2", "b1-b2", "c1-c2"]
    assert str(found).startswith("Hexapawn: value -1, MIN wins in 6 plies, proven; best a1-a2 b1-b2 c1-c2; ")


# ------------------------------------------------------------ stopping and going on
def test_it_stops_when_told_says_what_is_proven_and_can_be_used_again(tmp_path: Path) -> None:
    game = pf.load("connect4(graded=True)")
    solver, control = Solver(game, native=False, table_mib=1), Control()
    began = time.perf_counter()
    with pytest.raises(Interrupted):
        solver.solve(
            keep=tmp_path / "c4.table",
            control=control,
            on_progress=lambda progress: control.stop() if progress.seconds > 0.5 else None,
        )
    assert time.perf_counter() - began < PATIENCE
    standing = solver.standing
    assert game.min_utility <= standing.low < standing.high <= game.max_utility
    assert standing.nodes == solver.nodes > 0 and standing.seconds > 0.5
    assert describe_table(tmp_path / "c4.table", game, game.start()).standing == standing
    assert solver.value("2252576253462244111563365343671351441") == 1.0  # -1 to O, who moves


def test_a_solver_goes_on_from_a_table_that_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyforge.search.time.watch.REPORT_EVERY", 0.0)  # else a quick machine ends between two reports
    game, path = pf.load("tic_tac_toe"), tmp_path / "c3.table"
    plain = Solver(game, native=False, table_mib=1).solve()
    reports: list[Progress] = []
    control = Control()

    def stop_half_way(progress: Progress) -> None:
        reports.append(progress)
        if progress.nodes > plain.nodes // 2:
            control.stop()

    with pytest.raises(Interrupted):
        Solver(game, native=False, table_mib=1).solve(
            keep=path, checkpoint=0.1, on_progress=stop_half_way, control=control
        )
    assert all(0 <= report.table_used <= 1 for report in reports)  # type: ignore[operator]
    kept = describe_table(path, game, game.start()).standing
    assert kept.nodes > plain.nodes // 2
    solver = Solver(game, native=False)
    found = solver.solve(keep=path)
    assert (found.value, found.best) == (plain.value, plain.best)
    assert found.nodes < 0.7 * plain.nodes
    assert solver.standing.nodes == kept.nodes + found.nodes and solver.standing.proven
    assert solver.table.mebibytes == 1  # the file's
    assert Solver(game, native=False).solve(keep=path).nodes < 0.1 * plain.nodes


# ------------------------------------------------------------ what it refuses
def test_it_refuses_what_it_cannot_soundly_do() -> None:
    for spec in ("pig", "three_nim"):
        with pytest.raises(Unsuitable, match="solving by search is not sound"):
            Solver(pf.load(spec))
    game = pf.load("hexapawn")
    for parameters in ({"threads": 0}, {"threads": 1.5}, {"table_mib": 0}, {"table_mib": -1}):
        with pytest.raises(BadLimits):
            Solver(game, native=False, **parameters)  # type: ignore[arg-type]
    with pytest.raises(BadLimits, match="checkpoint is 0"):
        Solver(game, native=False).solve(checkpoint=0)


class Place(NamedTuple):
    at: int
    player: int


class Walk(pf.Game):
    """Step on by one or two; who reaches `goal` wins."""

    goal = 6

    def start(self) -> Place:
        return Place(0, 0)

    def player(self, s: Place) -> int:
        return s.player

    def actions(self, s: Place) -> Iterator[int]:
        yield from (1, 2)

    def result(self, s: Place, step: int) -> Place:
        return Place(s.at + step, 1 - s.player)

    def terminal(self, s: Place) -> bool:
        return s.at >= self.goal

    def utility(self, s: Place) -> float:
        return 1.0 if s.player == 1 else -1.0


class TooShortHeuristics(Heuristics):
    def plies_left(self, game, s: Place) -> int:
        return 2


class TooShort(Walk):
    heuristics = TooShortHeuristics()


class TooMuch(Walk):
    def utility(self, s: Place) -> float:
        return 5.0 * super().utility(s)


class Endless(Walk):
    def result(self, s: Place, step: int) -> Place:
        return Place((s.at + step) % 3, 1 - s.player)


def test_a_length_that_the_rules_understate_is_found() -> None:
    assert Solver(Walk(), native=False).value() == pf.solve.backward_induction(Walk()).value
    with pytest.raises(BadRules, match="plies_left"):
        Solver(TooShort(), native=False).value()


def test_utilities_outside_of_their_bounds_are_found() -> None:
    with pytest.raises(BadRules, match="outside of its bounds"):
        Solver(TooMuch(), native=False).value()


def test_a_game_without_an_end_is_refused() -> None:
    with pytest.raises(TooDeep, match="very long, or endless"):
        Solver(Endless(), native=False).value()
