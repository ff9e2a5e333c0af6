"""The size of games, against published counts and against walking the whole tree."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from known import connect4
from plyforge.contract import CHANCE, MAX, Game, legal_moves, parse_state
from plyforge.errors import BadLimits, BadRules, Unsuitable
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.games.two_players.connect4 import Connect4
from plyforge.search import Progress, search
from plyforge.solve import census, perft, reachable


class Race(NamedTuple):
    total: int
    player: int


@dataclass(frozen=True)
class Coins(Game):
    """Whoever moves adds 1, moving again, or leaves it to a coin (2 or 3). Over at `goal`: the same total comes at
    many plies."""

    goal: int = 9

    def start(self) -> Race:
        return Race(0, MAX)

    def player(self, s: Race) -> int:
        return CHANCE if s.player >= 2 else s.player

    def actions(self, s: Race) -> Iterator[int]:
        yield 0
        yield 1

    def chance(self, s: Race) -> Iterator[tuple[int, float]]:
        yield 2, 0.5
        yield 3, 0.5

    def result(self, s: Race, action: int) -> Race:
        if s.player >= 2:
            return Race(s.total + action, 3 - s.player)
        return Race(s.total + 1, s.player) if action == 1 else Race(s.total, s.player + 2)

    def terminal(self, s: Race) -> bool:
        return s.total >= self.goal

    def utility(self, s: Race) -> float:
        return 1.0 if s.player % 2 == MAX else -1.0


@dataclass(frozen=True)
class ThreeTakers(Game):
    """Three players take one or two sticks in turn; whoever takes the last one wins."""

    players = 3
    utility_sum = 1.0
    min_utility = 0.0
    sticks: int = 5

    def start(self) -> Race:
        return Race(self.sticks, 0)

    def player(self, s: Race) -> int:
        return s.player

    def actions(self, s: Race) -> Iterator[int]:
        yield from range(1, min(2, s.total) + 1)

    def result(self, s: Race, number: int) -> Race:
        return Race(s.total - number, (s.player + 1) % 3)

    def terminal(self, s: Race) -> bool:
        return s.total == 0

    def utility(self, s: Race) -> tuple[float, float, float]:
        last = (s.player + 2) % 3
        return (1.0 * (last == 0), 1.0 * (last == 1), 1.0 * (last == 2))


@dataclass(frozen=True)
class Ring(Game):
    """Walk around a ring of `size` places, either way; the game ends nowhere but at its last place."""

    size: int = 4

    def start(self) -> Race:
        return Race(0, MAX)

    def player(self, s: Race) -> int:
        return s.player

    def actions(self, s: Race) -> Iterator[int]:
        yield 1
        yield -1

    def result(self, s: Race, step: int) -> Race:
        return Race((s.total + step) % self.size, 1 - s.player)

    def terminal(self, s: Race) -> bool:
        return s.total == self.size - 1

    def utility(self, s: Race) -> float:
        return 1.0


def walk(game: Game) -> tuple[int, Counter[Any], list[int], set[Any]]:
    """Nodes, games by utility, lengths of games and states, by walking the whole tree."""
    nodes, outcomes, lengths, states = 0, Counter(), [], set()
    waiting = [(game.start(), 0)]
    while waiting:
        state, ply = waiting.pop()
        nodes += 1
        states.add(state)
        if game.terminal(state):
            outcomes[game.utility(state)] += 1
            lengths.append(ply)
        waiting += [(game.result(state, action), ply + 1) for action in legal_moves(game, state)]
    return nodes, outcomes, lengths, states


def test_tic_tac_toe_has_the_known_size():
    found = census(TicTacToe())
    assert found.nodes == 549_946
    assert found.games == 255_168
    assert found.outcomes == {1.0: 131_184, -1.0: 77_904, 0.0: 46_080}
    assert list(found.outcomes) == [1.0, 0.0, -1.0]
    assert (found.states, found.terminal_states) == (5_478, 958)
    assert (found.shortest, found.longest) == (5, 9)
    assert found.branching == pytest.approx(549_945 / (549_946 - 255_168))


def test_the_tree_is_what_perft_and_minimax_count():
    game = Connect4(3, 3, 3)
    found = census(game)
    by_depth = [perft(game, depth, native=False).nodes for depth in range(11)]
    assert found.nodes == sum(by_depth)
    assert found.nodes == search(game, using="minimax", native=False).nodes
    assert [depth for depth, count in enumerate(by_depth) if count][-1] == found.longest


@pytest.mark.parametrize("game", [Coins(), Coins(goal=4), ThreeTakers(), ThreeTakers(9), Connect4(3, 2, 2)], ids=repr)
def test_counting_without_walking_equals_walking(game):
    nodes, outcomes, lengths, states = walk(game)
    found = census(game)
    assert found.nodes == nodes
    assert found.outcomes == outcomes
    assert (found.shortest, found.longest) == (min(lengths), max(lengths))
    assert found.states == len(states)
    assert found.terminal_states == sum(map(game.terminal, states))
    assert found.moves == sum(len(legal_moves(game, state)) for state in states)
    assert found.branching == pytest.approx((nodes - 1) / (nodes - len(lengths)))


@pytest.mark.parametrize(
    ("width", "height", "positions"), [(1, 1, 2), (4, 1, 35), (3, 3, 869), (5, 2, 4_688), (4, 3, 12_031)]
)
def test_connect_four_on_small_boards_has_the_published_number_of_positions(width, height, positions):
    assert census(Connect4(width, height)).states == positions


@pytest.mark.full
def test_connect_four_agrees_with_the_whole_published_table_up_to_a_quarter_of_a_million():
    small = {board: positions for board, positions in connect4.LEGAL_POSITIONS.items() if positions <= 250_000}
    assert small[4, 4] == 161_029
    for (width, height), positions in small.items():
        assert census(Connect4(width, height)).states == positions


def test_reachable_gives_each_state_once_breadth_first():
    plies = [state.ply for state in reachable(Connect4(4, 3))]
    assert plies == sorted(plies)
    states = list(reachable(TicTacToe()))
    assert len(states) == len(set(states)) == 5_478
    assert states[0] == TicTacToe().start()


def test_connect_four_has_the_published_number_of_positions_at_each_ply():
    counts: Counter[int] = Counter()
    for state in reachable(Connect4()):
        if state.ply > 6:
            break
        counts[state.ply] += 1
    assert [counts[ply] for ply in range(7)] == [1, 7, 49, 238, 1120, 4263, 16422]


def test_reachable_can_be_told_which_actions_to_follow():
    left_most = list(reachable(Connect4(3, 3), follow=lambda s: list(Connect4(3, 3).actions(s))[:1]))
    assert len(left_most) == 10


def test_both_start_from_any_state_or_its_text():
    assert census(TicTacToe(), "xo.......").longest == 7
    assert census(TicTacToe(), "xxxoo....").to_json() | {"seconds": 0} == {
        "states": 1,
        "terminal_states": 1,
        "moves": 0,
        "nodes": 1,
        "games": 1,
        "outcomes": [{"utility": 1.0, "games": 1}],
        "shortest": 0,
        "longest": 0,
        "branching": 0.0,
        "seconds": 0,
    }
    assert len(list(reachable(TicTacToe(), "xxooox..."))) == 1 + 3 + 6 + 2
    assert next(reachable(TicTacToe(), "xo.......")) == parse_state(TicTacToe(), "xo.......")


def test_a_tree_that_no_computer_could_walk_is_counted_exactly():
    # One or two sticks at a time: as many games as the Fibonacci number of the heap.
    before, fibonacci = 1, 1
    for _ in range(999):
        before, fibonacci = fibonacci, before + fibonacci
    found = census(ThreeTakers(1000))
    assert found.games == fibonacci
    assert (found.shortest, found.longest) == (500, 1000)


def test_more_states_than_the_limit_are_refused_with_advice():
    with pytest.raises(BadLimits, match=r"more than 100 distinct states.*larger limit"):
        census(TicTacToe(), limit=100)
    with pytest.raises(BadLimits, match="more than 100 distinct states"):
        list(reachable(TicTacToe(), limit=100))
    assert census(TicTacToe(), limit=5_478).states == 5_478
    with pytest.raises(BadLimits):
        census(TicTacToe(), limit=5_477)
    assert census(TicTacToe(), limit=None).states == 5_478


@pytest.mark.parametrize("limit", [0, -5, 1.5, "many", True])
def test_a_limit_that_is_no_number_of_states_is_refused(limit):
    with pytest.raises(BadLimits, match="limit is"):
        census(TicTacToe(), limit=limit)


def test_an_endless_game_has_states_but_no_census():
    assert len(list(reachable(Ring(4)))) == 4
    with pytest.raises(Unsuitable, match=r"Ring can go on for ever: from \(1, 1\), 1 -1 leads back") as caught:
        census(Ring(4))
    assert "depth" in str(caught.value)


def test_states_that_cannot_be_hashed_are_named_as_the_problem():
    class Lists(Ring):
        def start(self):
            return [0, 0]

    with pytest.raises(BadRules, match="Lists: distinct states"):
        census(Lists())


def test_a_state_without_actions_that_is_not_terminal_is_named():
    class Stuck(Ring):
        def actions(self, s):
            return iter(())

    with pytest.raises(BadRules, match=r"\(0, 0\) is not terminal, and has no actions"):
        census(Stuck())


def test_progress_is_reported(monkeypatch):
    clock = iter(range(10**6))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    told: list[Progress] = []
    census(TicTacToe(), on_progress=told.append)
    assert [p.nodes for p in told] == [512 * n for n in range(1, 11)]


def test_the_summary_reads_as_a_sentence():
    assert str(census(TicTacToe())).startswith("5,478 distinct states (958 terminal); tree of 549,946 nodes")
    assert "end with (0, 0, 1)" in str(census(ThreeTakers()))
