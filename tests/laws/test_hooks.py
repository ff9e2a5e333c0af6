"""What rules may add for speed changes how long a search takes, and never what it proves."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from plyforge import MAX
from plyforge.check import check
from plyforge.contract import Heuristics, defines
from plyforge.games.trees.random_tree import CHILD, Node, RandomTree
from plyforge.games.two_players.connect4 import Connect4, GradedHeuristics
from plyforge.games.two_players.domineering import Domineering
from plyforge.games.two_players.hex import Hex
from plyforge.games.two_players.mnk import Mnk, MnkHeuristics
from plyforge.kernel import mix
from plyforge.search.core.limits import Limits
from plyforge.search.engine.engine import Engine
from plyforge.solve.solver import Solver

SYMMETRIC = [
    (Connect4, {"width": 4, "height": 3, "connect": 3, "graded": True}),
    (Mnk, {"columns": 3, "rows": 3, "connect": 3}),
    (Mnk, {"columns": 4, "rows": 3, "connect": 3}),
    (Hex, {"size": 3}),
    (Hex, {"size": 3, "swap": True}),
    (Domineering, {"rows": 4, "columns": 4}),
    (Domineering, {"rows": 3, "columns": 4, "first": "horizontal"}),
]


def named(kind: tuple[type[pf.Game], dict[str, Any]]) -> str:
    return f"{kind[0].__name__}{tuple(kind[1].values())}"


def without(cls: type[pf.Game], *hooks: str) -> type[pf.Game]:
    """The same rules, with some hooks of their heuristics left out."""

    @property
    def heuristics(self: Any) -> Heuristics:
        own = type(super(made, self).heuristics)
        return type(f"Plain{own.__name__}", (own,), {hook: vars(Heuristics)[hook] for hook in hooks})()

    made = type(f"Plain{cls.__name__}", (cls,), {"heuristics": heuristics})
    return made


def engine(game: pf.Game, state: Any = None, depth: int | None = None, native: bool = False, **parameters: Any):
    return Engine(**parameters).search(game, state, Limits(depth=depth), native=native)


def some_states(game: pf.Game, number: int, seed: int = 1) -> list[Any]:
    """Live states from random games, each once."""
    chooser = random.Random(seed)
    found: dict[Any, None] = {}
    for _ in range(20 * number):
        state = game.start()
        while not game.terminal(state) and len(found) < number:
            if chooser.random() < 0.25:
                found[state] = None
            state = game.result(state, chooser.choice(pf.legal_moves(game, state)))
    return list(found)


def true_values(game: pf.Game) -> Any:
    """Plain minimax over a dictionary: nothing but the six functions."""
    known: dict[Any, float] = {}

    def of(state: Any) -> float:
        if state not in known:
            if game.terminal(state):
                known[state] = float(game.utility(state))
            else:
                values = [of(game.result(state, action)) for action in game.actions(state)]
                known[state] = max(values) if game.player(state) == MAX else min(values)
        return known[state]

    return of


# ------------------------------------------------------------ symmetries
@pytest.mark.parametrize("kind", SYMMETRIC, ids=named)
def test_with_symmetries_values_are_minimaxs(kind):
    cls, fields = kind
    game = cls(**fields)
    assert defines(game.heuristics, "symmetries")
    of = true_values(game)
    solver = Solver(game, native=False, table_mib=1)
    states = [state for state in some_states(game, 20) if len(pf.legal_moves(game, state)) <= 7]
    for state in [*states[:8], *([] if cls is Mnk else [game.start()])]:
        assert solver.value(state) == of(state)
        found = engine(game, state, table_mib=1.0)
        assert (found.value, found.exact) == (of(state), True)


@pytest.mark.parametrize("kind", SYMMETRIC, ids=named)
def test_images_have_the_same_value_and_each_other(kind):
    cls, fields = kind
    game = cls(**fields)
    of = true_values(game)
    for state in some_states(game, 25):
        images = set(game.heuristics.symmetries(game, state)) | {state}
        assert len({of(image) for image in images}) == 1
        assert all(set(game.heuristics.symmetries(game, image)) | {image} == images for image in images)
        assert len({game.evaluate(image) for image in images}) == 1


def test_a_square_board_has_eight_images_and_another_board_four():
    chooser = random.Random(3)
    for fields, wanted in (((4, 4, 3), 8), ((5, 4, 3), 4), ((3, 5, 3), 4)):
        game = Mnk(*fields)
        most = 0
        for _ in range(20):
            state = game.start()
            for _ in range(4):
                state = game.result(state, chooser.choice(pf.legal_moves(game, state)))
            images = {state, *game.heuristics.symmetries(game, state)}
            most = max(most, len(images))
            rows = {tuple(pf.format_state(game, image).split("/")) for image in images}
            mirrored = {tuple(row[::-1] for row in board) for board in rows}
            upside_down = {board[::-1] for board in rows}
            assert rows == mirrored == upside_down
            if wanted == 8:
                assert rows == {tuple("".join(column) for column in zip(*board, strict=True)) for board in rows}
        assert most == wanted


FEWER = [
    (Mnk, {"columns": 3, "rows": 3, "connect": 3}, None, 0.6),
    (Mnk, {"columns": 4, "rows": 4, "connect": 4}, 5, 0.6),
    (Hex, {"size": 3}, None, 0.8),
    (Domineering, {"rows": 4, "columns": 4}, None, 0.8),
]


@pytest.mark.parametrize(("cls", "fields", "depth", "share"), FEWER, ids=lambda x: getattr(x, "__name__", None))
def test_with_symmetries_the_engine_visits_fewer_nodes(cls, fields, depth, share):
    with_images = engine(cls(**fields), depth=depth)
    plain = engine(without(cls, "symmetries")(**fields), depth=depth)
    assert with_images.value == plain.value
    assert with_images.nodes < share * plain.nodes, (with_images.nodes, plain.nodes)


@pytest.mark.full
def test_with_symmetries_the_solver_visits_fewer_nodes():
    with_images, plain = (
        Solver(cls(width=4, height=4, graded=True), native=False, table_mib=1)
        for cls in (Connect4, without(Connect4, "symmetries"))
    )
    assert with_images.value() == plain.value() == 0.0
    assert with_images.nodes < 0.8 * plain.nodes, (with_images.nodes, plain.nodes)


# ------------------------------------------------------------ looking less deep
class HastyHeuristics(Heuristics):
    selective = True

    def null_move(self, game, s: Node) -> Node:
        return Node(mix(s.hash, CHILD + 999), s.depth)


@dataclass(frozen=True)
class Hasty(RandomTree):
    """Random trees that let a search look less deep. Passing leads anywhere: no promise holds, and no proof may rest
    on it."""

    heuristics = HastyHeuristics()

    depth: int = 7
    branching: int = 6
    doubles: bool = True


@dataclass(frozen=True)
class Deep(Hasty):
    """The same with one action in most nodes, which costs no depth."""

    depth: int = 12
    branching: int = 2


@pytest.mark.parametrize("game", [Hasty(), Deep()], ids=lambda game: type(game).__name__)
def test_what_a_selective_search_calls_exact_is_true(game):
    of = true_values(game)
    exact = differs = 0
    for seed in range(12):
        state = game.root(seed)
        for depth in (3, 5, 8):
            found = engine(game, state, depth, table_mib=1.0)
            full = engine(game, state, depth, table_mib=1.0, selective=False)
            differs += found.nodes != full.nodes
            if found.exact:
                exact += 1
                assert found.value == of(state), (seed, depth)
            assert not full.exact or full.value == of(state)
            for action, value in found.values.items():
                assert value == of(game.result(state, action)), (seed, depth, action)
    assert exact > 12 and differs > 6, (exact, differs)


class HastyMnkHeuristics(MnkHeuristics):
    selective = True


@dataclass(frozen=True)
class HastyMnk(Mnk):
    """Any m,n,k game, looked at selectively."""

    heuristics = HastyMnkHeuristics()


def test_proofs_of_a_selective_search_with_passes_are_true():
    game = HastyMnk(4, 3, 3)
    of = true_values(game)
    states = [state for state in some_states(game, 40, seed=4) if len(pf.legal_moves(game, state)) <= 8]
    exact = 0
    for state in states:
        for depth in (4, 6):
            found = engine(game, state, depth, table_mib=1.0)
            if found.exact:
                exact += 1
                assert found.value == of(state)
    assert exact >= len(states) // 2


@compiles
@pytest.mark.full
def test_images_passes_and_reductions_visit_the_same_nodes_compiled():
    game = HastyMnk(4, 4, 4)
    assert (
        defines(game.heuristics, "symmetries") and defines(game.heuristics, "null_move") and game.heuristics.selective
    )
    for text in ("..../..../..../....", "..../.x../..../....", "...o/.x../..../...."):
        root = pf.parse_state(game, text)
        slow, fast = (engine(game, root, 5, native, table_mib=1.0) for native in (False, True))
        assert (slow.value, slow.line, slow.nodes) == (fast.value, fast.line, fast.nodes)


def test_a_selective_search_that_is_as_deep_as_the_game_finds_a_proof():
    game = HastyMnk(4, 3, 3)
    of = true_values(game)
    states = [state for state in some_states(game, 40, seed=6) if len(pf.legal_moves(game, state)) <= 7]
    for state in states:
        found = engine(game, state, table_mib=1.0)
        assert (found.value, found.exact) == (of(state), True)


def test_selective_false_gives_minimaxs_value_at_every_depth():
    game = Hasty()
    for seed in range(15):
        state = game.root(seed)
        for depth in range(1, 6):
            wanted = pf.search(game, state, "minimax", depth=depth, native=False)
            found = engine(game, state, depth, selective=False)
            if found.depth == depth:
                assert found.value == wanted.value


def test_passing_is_never_better_than_the_best_mark():
    for fields in ((3, 3, 3), (4, 2, 2), (3, 3, 2)):
        game = Mnk(*fields)
        of = true_values(game)
        for state in some_states(game, 100, seed=9):
            after = game.heuristics.null_move(game, state)
            assert (after.x, after.o, after.player) == (state.x, state.o, 1 - state.player)
            sign = 1 if state.player == MAX else -1
            assert sign * of(after) <= sign * of(state)


# ------------------------------------------------------------ how long, how many
@pytest.mark.parametrize(
    "text",
    ["mnk(4, 3, 3)", "hex(3)", "hex(3, swap=True)", "domineering(4, 3)", "connect4(4, 4)"],
)
def test_no_state_has_more_actions_or_more_plies_left_than_the_rules_say(text):
    game = pf.load(text)
    chooser = random.Random(2)
    for _ in range(60):
        state, played = game.start(), [game.start()]
        while not game.terminal(state):
            assert len(pf.legal_moves(game, state)) <= game.max_actions < pf.Game.max_actions
            state = game.result(state, chooser.choice(pf.legal_moves(game, state)))
            played.append(state)
        for plies, earlier in enumerate(reversed(played[:-1]), 1):
            assert game.heuristics.plies_left(game, earlier) >= plies


# ------------------------------------------------------------ what the rules know
def test_what_the_rules_know_makes_the_distance_unknown_and_nothing_else():
    graded = Connect4(width=4, height=4, graded=True)
    plain = without(Connect4, "bounds", "sufficient_actions")(width=4, height=4, graded=True)
    for state in [state for state in some_states(graded, 60) if state.ply >= 9]:
        quick, slow = engine(graded, state, all_best=True), engine(plain, state, all_best=True)
        assert quick.exact and slow.exact
        assert (quick.value, quick.best) == (slow.value, slow.best)
        assert quick.distance is None and slow.distance is not None


def test_with_candidates_alone_the_distance_is_unknown_too():
    class SlowHeuristics(MnkHeuristics):
        def sufficient_actions(self, game, s: Any) -> Any:
            yield from game.actions(s)

    @dataclass(frozen=True)
    class Slow(Mnk):
        """Recommends everything; searches can't know that."""

        heuristics = SlowHeuristics()

    state = pf.parse_state(Slow(3, 3, 3), "x.x/oo./...")
    assert engine(Mnk(3, 3, 3), state).distance == 1
    found = engine(Slow(3, 3, 3), state)
    assert found.exact and found.distance is None
    solved = Solver(Slow(3, 3, 3), native=False, table_mib=1).solve(state)
    assert solved.value == 1.0 and solved.distance is None


def test_a_wrong_hook_deep_in_the_game_is_found_by_playing_it_out():
    class OverlookedHeuristics(GradedHeuristics):
        def sufficient_actions(self, game, s: Any) -> Any:
            legal = list(game.actions(s))
            yield from legal if s.ply < 30 else legal[:1]

    @dataclass(frozen=True)
    class Overlooked(Connect4):
        """Forgets to stop a threat, late in the game only."""

        heuristics = OverlookedHeuristics()

        graded: bool = True

    report = check(Overlooked(), native=False)
    assert [violation.law for violation in report.violations] == ["a best action is among the sufficient ones"]
    game, state = Overlooked(), Overlooked().start()
    for action in report.violations[0].actions:
        state = game.result(state, action)
    assert state.ply >= 30
