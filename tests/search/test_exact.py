"""Backward induction against known values, exact rationals, naive recursion and the searches."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from known import connect4
from plyforge.contract import CHANCE, MAX, Game, Notation, legal_moves, payoffs
from plyforge.errors import BadLimits, BadRules, BadText, PlyforgeError, Unsuitable
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.games.two_players.connect4 import Connect4
from plyforge.search import Progress, search
from plyforge.solve import backward_induction, reachable


class Heap(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class Sticks(Game):
    """Take one to three sticks; whoever takes the last one wins."""

    sticks: int = 21

    def start(self) -> Heap:
        return Heap(self.sticks, MAX)

    def player(self, s: Heap) -> int:
        return s.player

    def actions(self, s: Heap) -> Iterator[int]:
        yield from range(1, min(3, s.sticks) + 1)

    def result(self, s: Heap, number: int) -> Heap:
        return Heap(s.sticks - number, 1 - s.player)

    def terminal(self, s: Heap) -> bool:
        return s.sticks == 0

    def utility(self, s: Heap) -> float:
        return -1.0 if s.player == MAX else 1.0


@dataclass(frozen=True)
class ThreeSticks(Sticks):
    """The same with three players: whoever takes the last stick gets 1, the player before 2, the one after nothing."""

    players = 3
    utility_sum = 3.0
    min_utility = 0.0
    max_utility = 2.0

    def result(self, s: Heap, number: int) -> Heap:
        return Heap(s.sticks - number, (s.player + 1) % 3)

    def utility(self, s: Heap) -> tuple[float, ...]:
        return tuple(float((s.player - p) % 3) for p in range(3))


class Maze(NamedTuple):
    number: int
    depth: int


@dataclass(frozen=True)
class Random(Game):
    """A random game: who moves, what follows and what it is worth are drawn from the state's hash. Lines of play
    meet again."""

    seed: int = 0
    players: int = 2
    utility_sum: float | None = 0.0
    min_utility: float = -3.0
    max_utility: float = 3.0
    with_chance: bool = False
    length: int = 6

    @property
    def has_chance(self) -> bool:
        return self.with_chance

    def drawn_lot(self, s: Maze, purpose: int, below: int) -> int:
        return int(self.key(Maze(s.number * 1_000_003 + purpose, s.depth * 7919 + self.seed))) % below

    def start(self) -> Maze:
        return Maze(0, self.length)

    def player(self, s: Maze) -> int:
        if self.with_chance and self.drawn_lot(s, 1, 3) == 0:
            return CHANCE
        return self.drawn_lot(s, 2, self.players)  # often the same player twice

    def actions(self, s: Maze) -> Iterator[int]:
        yield from range(1 + self.drawn_lot(s, 3, 4))

    def chance(self, s: Maze) -> Iterator[tuple[int, float]]:
        weights = ((1.0,), (0.75, 0.25), (0.5, 0.125, 0.25, 0.125))[self.drawn_lot(s, 4, 3)]  # averages are exact
        yield from enumerate(weights)

    def result(self, s: Maze, action: int) -> Maze:
        return Maze(self.drawn_lot(Maze(s.number * 5 + action, s.depth), 5, 12), s.depth - 1)

    def terminal(self, s: Maze) -> bool:
        return s.depth == 0 or (s.depth < self.length and self.drawn_lot(s, 6, 8) == 0)

    def utility(self, s: Maze) -> Any:
        if self.players == 2 and self.utility_sum is not None:
            return float(self.drawn_lot(s, 7, 7) - 3)
        return tuple(float(self.drawn_lot(s, 8 + p, 7) - 3) for p in range(self.players))


class Bet(NamedTuple):
    points: int
    turn: int
    rolled: int


@dataclass(frozen=True)
class Thirds(Game):
    """Three rounds: MAX or MIN says which of two dice with three faces is rolled. Thirds that no float holds
    exactly."""

    min_utility = -12.0
    max_utility = 12.0

    def start(self) -> Bet:
        return Bet(0, 0, -1)

    def player(self, s: Bet) -> int:
        return CHANCE if s.rolled >= 0 else s.turn % 2

    def actions(self, s: Bet) -> Iterator[int]:
        yield 0
        yield 1

    def faces(self, s: Bet) -> tuple[int, ...]:
        return (-1, 0, 4) if s.rolled == 0 else (0, 1, 2)

    def chance(self, s: Bet) -> Iterator[tuple[int, float]]:
        for face in self.faces(s):
            yield face, 1.0 / 3.0

    def result(self, s: Bet, action: int) -> Bet:
        if s.rolled >= 0:
            return Bet(s.points + action, s.turn + 1, -1)
        return Bet(s.points, s.turn, action)

    def terminal(self, s: Bet) -> bool:
        return s.turn == 3 and s.rolled < 0

    def utility(self, s: Bet) -> float:
        return float(s.points % 5)

    def exactly(self, s: Bet) -> Fraction:
        """The value of a state, in rationals."""
        if self.terminal(s):
            return Fraction(s.points % 5)
        children = [self.exactly(self.result(s, action)) for action in legal_moves(self, s)]
        if self.player(s) == CHANCE:
            return sum(children, Fraction(0)) / 3
        return max(children) if self.player(s) == MAX else min(children)


class PacingNotation(Notation):
    def format_action(self, game, s: Heap, step: int) -> str:
        return "forth" if step > 0 else "back"


@dataclass(frozen=True)
class Pacing(Game):
    """Step forth or back between two walls, and never get anywhere unless you step off at the far end."""

    notation = PacingNotation()

    def start(self) -> Heap:
        return Heap(2, MAX)

    def player(self, s: Heap) -> int:
        return s.player

    def actions(self, s: Heap) -> Iterator[int]:
        yield -1
        yield 1

    def result(self, s: Heap, step: int) -> Heap:
        return Heap(s.sticks + step, 1 - s.player)

    def terminal(self, s: Heap) -> bool:
        return s.sticks in (0, 4)

    def utility(self, s: Heap) -> float:
        return 1.0 if s.sticks == 0 else -1.0


def naive(game: Game, state: Any) -> Any:
    """The definition, without memory: MAX's value, or max^n's tuple."""
    if game.terminal(state):
        utility = payoffs(game, game.utility(state))
        return utility[0] if game.players == 2 and game.utility_sum is not None else utility
    children = [naive(game, game.result(state, action)) for action in legal_moves(game, state)]
    player = game.player(state)
    if player == CHANCE:
        weights = [probability for _, probability in game.chance(state)]
        if isinstance(children[0], tuple):
            return tuple(sum(w * c[p] for w, c in zip(weights, children, strict=True)) for p in range(game.players))
        return sum(w * c for w, c in zip(weights, children, strict=True))
    if isinstance(children[0], tuple):
        return max(children, key=lambda child: child[player])  # the first of equals
    return max(children) if player == MAX else min(children)


def test_tic_tac_toe_is_a_draw_and_every_opening_holds_it():
    solution = backward_induction(TicTacToe())
    assert solution.value == 0.0
    assert solution.states == 5_478
    assert solution.best_of(".........") == tuple(range(9))
    assert solution.best_of("x........") == (4,)  # against the corner only the centre draws
    assert solution.best_of("....x....") == (0, 2, 6, 8)  # against the centre only corners draw
    assert solution.value_of("xo.......") == 1.0
    assert solution.best_of("xxxoo....") == ()
    assert len(solution.line) == 9


def test_sticks_are_lost_at_multiples_of_four_and_won_by_leaving_one():
    solution = backward_induction(Sticks(30))
    for heap in range(1, 28):
        if heap % 4 == 0:
            assert solution.value_of(Heap(heap, MAX)) == -1.0
            assert len(solution.best_of(Heap(heap, MAX))) == 3
        else:
            assert solution.value_of(Heap(heap, MAX)) == 1.0
            assert solution.best_of(Heap(heap, MAX)) == (heap % 4,)
        assert solution.value_of(Heap(heap, 1)) == -solution.value_of(Heap(heap, MAX))


@pytest.mark.parametrize(("width", "height"), [(3, 3), (4, 3), (5, 2)])
def test_connect_four_agrees_with_alpha_beta_on_small_boards(width, height):
    game = Connect4(width, height)
    solution = backward_induction(game)
    found = search(game, using="alpha_beta", native=False, all_best=True)
    assert solution.value == found.value
    assert solution.actions[solution.state] == found.best
    assert solution.line == found.line


@pytest.mark.full
def test_connect_four_on_four_by_four_has_the_published_value():
    solution = backward_induction(Connect4(4, 4))
    assert solution.value == connect4.WINNERS[4, 4]
    assert solution.states == connect4.LEGAL_POSITIONS[4, 4]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "kind",
    [
        {},
        {"with_chance": True},
        {"players": 3, "utility_sum": None},
        {"players": 3, "utility_sum": None, "with_chance": True},
        {"utility_sum": None},
    ],
    ids=["two players", "dice", "three players", "three players, dice", "general sum"],
)
def test_random_games_have_the_values_of_the_definition_in_every_state(seed, kind):
    game = Random(seed, **kind)
    solution = backward_induction(game)
    assert set(solution.values) == set(reachable(game))
    for state, value in solution.values.items():
        assert value == naive(game, state)
        if game.terminal(state) or game.player(state) == CHANCE:
            assert state not in solution.actions
            continue
        player = game.player(state)
        actions = legal_moves(game, state)
        children = [naive(game, game.result(state, action)) for action in actions]
        own = [c[player] if isinstance(c, tuple) else c if player == MAX else -c for c in children]
        assert solution.actions[state] == tuple(a for a, o in zip(actions, own, strict=True) if o == max(own))


@pytest.mark.parametrize("seed", range(10))
def test_random_games_agree_with_the_searches(seed):
    for kind, using in [
        ({}, "minimax"),
        ({"with_chance": True}, "expectiminimax"),
        ({"players": 3, "utility_sum": None}, "max_n"),
    ]:
        game = Random(seed, **kind)
        found = search(game, using=using, native=False)
        solution = backward_induction(game)
        assert solution.value == found.value
        assert solution.line == found.line
        if found.best:
            assert solution.actions[solution.state] == found.best


@pytest.mark.parametrize("seed", range(10))
def test_a_hero_gets_what_paranoid_search_promises(seed):
    game = Random(seed, players=3, utility_sum=None)
    hero = game.player(game.start())
    solution = backward_induction(game, hero=hero)
    assert solution.player == hero
    assert solution.value == search(game, using="paranoid", native=False).value


def test_the_second_player_as_hero_sees_the_same_game_from_the_other_side():
    as_max, as_min = backward_induction(TicTacToe()), backward_induction(TicTacToe(), hero=1)
    assert all(as_min.values[state] == -value for state, value in as_max.values.items())
    assert as_min.actions == as_max.actions


def test_dice_give_the_exact_expectation_and_rounding_breaks_no_tie():
    game = Thirds()
    solution = backward_induction(game)
    for state, value in solution.values.items():
        assert value == pytest.approx(float(game.exactly(state)), abs=1e-12)
        if state in solution.actions:
            exact = {action: game.exactly(game.result(state, action)) for action in legal_moves(game, state)}
            top = max(exact.values()) if game.player(state) == MAX else min(exact.values())
            assert set(solution.actions[state]) == {action for action, value in exact.items() if value == top}


def test_three_players_take_the_first_of_equals():
    solution = backward_induction(ThreeSticks(4))
    assert solution.player is None
    assert solution.value == naive(ThreeSticks(4), Heap(4, 0))
    assert sum(solution.value) == 3.0


def test_a_game_of_thousands_of_plies_needs_no_deep_stack():
    solution = backward_induction(Sticks(20_001))
    assert solution.value == 1.0
    assert len(solution.line) > 10_000


def test_an_endless_game_is_refused_and_the_loop_is_shown():
    with pytest.raises(
        Unsuitable, match=r"Pacing can go on for ever: from .*(forth|back) .*leads back to it"
    ) as caught:
        backward_induction(Pacing())
    assert "use a search with a depth" in str(caught.value)


def test_more_states_than_the_limit_are_refused():
    with pytest.raises(BadLimits, match="TicTacToe has more than 1,000 distinct states"):
        backward_induction(TicTacToe(), limit=1_000)


def test_a_state_that_was_not_solved_is_named():
    solution = backward_induction(TicTacToe(), "x........")
    with pytest.raises(PlyforgeError, match=r"\.x\.\.\.\.\.\.\. can't arise from x\.\.\.\.\.\.\.\."):
        solution.value_of(".x.......")
    with pytest.raises(BadText):
        solution.best_of("what?")


@pytest.mark.parametrize("hero", [-1, 2, "MAX", True, 1.0])
def test_a_hero_who_does_not_play_is_refused(hero):
    with pytest.raises(PlyforgeError, match="has players 0 to 1"):
        backward_induction(TicTacToe(), hero=hero)


def test_rules_that_fail_are_named_with_the_state():
    class Faulty(Sticks):
        def result(self, s, number):
            return Heap(1 // (s.sticks - number), 1 - s.player)

    class Infinite(Sticks):
        def utility(self, s):
            return float("inf")

    with pytest.raises(BadRules, match=r"Faulty: in \(1, 0\) the rules raised ZeroDivisionError"):
        backward_induction(Faulty(1))
    with pytest.raises(BadRules, match="not finite"):
        backward_induction(Infinite(3))


def test_a_finished_game_is_worth_its_utility():
    solution = backward_induction(TicTacToe(), "xxxoo....")
    assert (solution.value, solution.states, solution.line) == (1.0, 1, ())


def test_progress_is_reported_and_an_interrupt_passes_through(monkeypatch):
    clock = iter(range(10**6))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    told: list[Progress] = []

    def on_progress(progress: Progress) -> None:
        told.append(progress)
        if len(told) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        backward_induction(TicTacToe(), on_progress=on_progress)
    nodes = [progress.nodes for progress in told]
    assert len(nodes) == 3 and 0 < nodes[0] < nodes[1] < nodes[2] < 5478


def test_the_summary_names_value_and_size():
    assert str(backward_induction(TicTacToe())).startswith("TicTacToe: value 0, a draw, proven; best 1 2 3")
    assert "5,478 states" in str(backward_induction(TicTacToe()))
