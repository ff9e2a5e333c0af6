"""To a proof without deepening: the same answer as depth by depth, at both speeds, and only where nothing else is
asked for."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import MAX, Game, Heuristics
from plyforge.games.two_players.connect4 import Connect4
from plyforge.search import Control, Engine, Limits
from plyforge.search.engine import proof
from plyforge.search.engine.transposition_table import Table
from plyforge.search.running import runner as run

FIELDS = ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "distance", "ends_in")


def told(found: Any) -> tuple[Any, ...]:
    return tuple(getattr(found, name) for name in FIELDS)


def late(game: Game, least: int, number: int, seed: int = 1) -> list[Any]:
    """Random states of that many plies and more, in which the game goes on."""
    chooser, found = random.Random(seed), []
    while len(found) < number:
        state, plies = game.start(), 0
        while not game.terminal(state) and plies < least + len(found) % 8:
            state, plies = game.result(state, chooser.choice(pf.legal_moves(game, state))), plies + 1
        if not game.terminal(state):
            found.append(state)
    return found


def deepened(game: Game, state: Any, native: bool) -> Any:
    """What the engine finds depth by depth: somebody holds a handle on it."""
    return pf.search(game, state, using="engine", native=native, control=Control())


class Heap(NamedTuple):
    sticks: int
    player: int
    ply: int


class SticksHeuristics(Heuristics):
    def plies_left(self, game, s):
        return s.sticks

    def by_distance(self, game):
        return None if game.graded else twin(game)


@dataclass(frozen=True)
class Sticks(Game):
    """Take one to three sticks; whoever takes the last one wins, by distance the more the sooner."""

    heuristics = SticksHeuristics()

    sticks: int = 11
    graded: bool = False

    @property
    def max_utility(self):
        return self.sticks + 1.0 if self.graded else 1.0

    @property
    def min_utility(self):
        return -self.max_utility

    def start(self):
        return Heap(self.sticks, MAX, 0)

    def player(self, s):
        return s.player

    def actions(self, s):
        for n in range(1, min(3, s.sticks) + 1):
            yield n

    def result(self, s, n):
        return Heap(s.sticks - n, 1 - s.player, s.ply + 1)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        worth = self.sticks + 1.0 - s.ply if self.graded else 1.0
        return -worth if s.player == MAX else worth


@functools.cache
def twin(game: Sticks) -> Sticks:
    return replace(game, graded=True)


def same_answer(game: Game, state: Any, native: bool) -> None:
    found, slow = pf.search(game, state, using="engine", native=native), deepened(game, state, native)
    assert (found.value, found.distance, found.depth) == (slow.value, slow.distance, slow.depth)
    assert found.exact and found.reason == "complete" and found.best == (found.action,)
    assert len(found.line) == found.distance
    end = state
    for action in found.line:
        assert action in pf.legal_moves(game, end)
        end = game.result(end, action)
    assert game.terminal(end)
    assert game.utility(end) == found.value
    assert found.values.items() >= {found.action: found.value}.items()
    assert found.ends_in == {found.action: found.distance}


@pytest.mark.parametrize("game", [Connect4(5, 4), Connect4(4, 4, 3), Sticks()], ids=repr)
def test_value_and_distance_are_those_of_deepening(game: Game) -> None:
    plies = 11 if isinstance(game, Connect4) and game.connect == 4 else 1
    for state in late(game, plies, 16):
        same_answer(game, state, False)


@compiles
def test_value_and_distance_are_those_of_deepening_compiled() -> None:
    game = pf.load("connect4")
    for state in late(game, 27, 8):
        same_answer(game, state, True)


@compiles
def test_both_speeds_find_the_same_node_for_node() -> None:
    game = pf.load("connect4")
    for state in late(game, 31, 10):
        both = [told(pf.search(game, state, using="engine", native=native)) for native in (True, False)]
        assert both[0] == both[1]


@compiles
def test_nothing_is_left_for_the_next_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    game, engine = pf.load("connect4"), Engine()
    states = late(game, 24, 20)
    first = [told(engine.search(game, state)) for state in states]
    assert [told(engine.search(game, state)) for state in reversed(states)] == first[::-1]
    monkeypatch.setattr(proof, "FEW_NODES", 0)  # then it begins again, in a thread
    assert [told(engine.search(game, state)) for state in states] == first


@compiles
def test_a_short_proof_starts_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    game = pf.load("connect4")
    state = late(game, 34, 1)[0]
    pf.search(game, state, using="engine")
    monkeypatch.setattr(run, "start_with_deep_stack", lambda work: pytest.fail("a thread"))
    assert pf.search(game, state, using="engine").exact


def test_whatever_else_is_asked_for_is_searched_depth_by_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyforge.search.engine.engine.proof", lambda *args: pytest.fail("proven"))
    game = Sticks(5)
    engine = Engine()
    for how in (
        {"all_best": True},
        {"lines": 2},
        {"only": (1,)},
        {"seed": 1},
        {"depth": 9},
        {"nodes": 1000},
        {"on_progress": lambda progress: None},
    ):
        assert pf.search(game, using="engine", native=False, **how).exact
    assert engine.start(game, False, table=Table(1)).think(limits=Limits()).exact
    monkeypatch.undo()
    over = Heap(0, MAX, 5)  # nothing to prove
    assert pf.search(game, over, using="engine", native=False).value == -1.0


def test_another_game_by_distance_is_found_out() -> None:
    class TurnedHeuristics(SticksHeuristics):
        def by_distance(self, game):
            return Misere(game.sticks, True)

    class Turned(Sticks):
        heuristics = TurnedHeuristics()

    class Misere(Sticks):
        def utility(self, s):
            return -super().utility(s)

    class ShortHeuristics(SticksHeuristics):
        def by_distance(self, game):
            return Hasty(game.sticks, True)

    class Short(Sticks):
        heuristics = ShortHeuristics()

    class HastyHeuristics(SticksHeuristics):
        def plies_left(self, game, s):
            return 2

    class Hasty(Sticks):
        heuristics = HastyHeuristics()

    with pytest.raises(pf.BadRules, match="by_distance"):
        pf.search(Short(6), using="engine", native=False)
    assert pf.check(Turned(6), native=False).violations[0].law == "by_distance is the same game"


def test_rules_that_inherit_from_others_do_not_inherit_their_twin() -> None:
    class Misere(Connect4):
        def utility(self, s):
            return -super().utility(s)

    game = Misere(4, 4, 3)
    state = pf.state_after(game, "1", "1", "2", "2", "4", "4")
    assert game.heuristics.by_distance(game) is None
    found, slow = (pf.search(game, state, using=using, native=False) for using in ("engine", "alpha_beta"))
    assert found.value == slow.value


def test_games_with_it_keep_its_law() -> None:
    for game in (Sticks(), Connect4(4, 4)):
        report = pf.check(game, states=400, native=False)
        assert report.ok, str(report)
        assert report.laws["by_distance is the same game"] > 20
