"""Monte Carlo searches come to the truth: best choices on solved games, values within their standard errors on random
trees.

How many simulations a choice takes is stated with each case, and tried with several seeds. All random numbers follow
from seeds, so no test passes on one day and fails on another.

How far a value may be off. Flat Monte Carlo's errors are those of plain averages, and their z-scores (difference by
error) those of a normal distribution: above 2 in one of twenty, above 4.5 in one of 150,000. So 4.5 bounds all of the
few hundred that are looked at here, and at most one in eight may be above 2. A tree's errors also have to cover that
exploring drags means away from the best line, by an estimate from the same tree that is itself uncertain; hence a
little more room: 5, and three in twenty above 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

import plyforge as pf
from conftest import compiles
from known import connect4
from paths import DATA
from plyforge.contract import CHANCE, MAX, payoffs
from plyforge.games.trees.random_tree import RandomTree, RandomTree3
from plyforge.search.mcts import Flat, Puct, Uct

TREES = [Uct, Puct]
SEEDS = (1, pytest.param(2, marks=pytest.mark.full))


# ---------------------------------------------------------------- first choices on solved games
STATED = [
    ("nim(heaps=(2, 3))", [], 300),
    ("nim(heaps=(1, 2, 3))", [], 1200),  # lost: any action is best
    ("nim(heaps=(1, 3, 3))", [], 1500),
    ("nim(heaps=(3, 4), misere=True)", [], 1500),
    ("hexapawn", [], 200),
    ("tic_tac_toe", ["1"], 2500),  # only the centre holds the draw
    ("tic_tac_toe", ["2"], 2500),
    ("tic_tac_toe", ["5"], 2500),  # only the corners do
    ("tic_tac_toe", ["1", "2"], 1500),  # four of seven win
    ("tic_tac_toe", ["1", "5", "9"], 800),  # only the edges hold
    ("kalah(houses=2, seeds=2)", [], 1000),
    ("dots_and_boxes(rows=1, columns=2)", [], 6000),
    ("connect4(width=4, height=4)", list("12341234"), 1000),
]
"""Where UCT and PUCT start, and the simulations in which they find a best action."""


@pytest.mark.parametrize("search", TREES)
@pytest.mark.parametrize(("spec", "moves", "simulations"), STATED)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_choice_on_a_solved_game_is_a_best_action(search, spec, moves, simulations, seed):
    game = pf.load(spec)
    state = pf.state_after(game, *moves)
    truth = pf.search(game, state, using="alpha_beta", all_best=True, native=False)
    found = search(simulations=simulations, seed=seed).search(game, state, native=False)
    assert found.action in truth.best
    if found.exact:
        assert found.value == truth.value


def connect4_positions(fewest: int, most: int) -> list[tuple[str, int]]:
    """Positions with so many stones, and who wins: 1 whoever moves, -1 the other."""
    path = DATA / "connect4" / "Test_L3_R1"
    rows = (line.split() for line in path.read_text().splitlines()) if path.is_file() else connect4.LATE.items()
    return [(moves, (int(score) > 0) - (int(score) < 0)) for moves, score in rows if fewest <= len(moves) <= most]


def check_connect4(moves: str, sign: int, simulations: int, native: bool) -> bool:
    """The choice keeps the known value. True if the search has proven that."""
    game = pf.load("connect4")
    state = pf.state_after(game, *moves)
    known = float(sign if game.player(state) == MAX else -sign)
    found = Uct(simulations=simulations).search(game, state, native=native)
    after = game.result(state, found.action)
    assert pf.search(game, after, using="alpha_beta", native=native).value == known, moves
    if found.exact:
        assert found.value == known
    return found.exact


def test_connect_four_endings_are_played_as_the_published_scores_say():
    positions = connect4_positions(35, 40)[:25]
    assert {sign for _, sign in positions} == {-1, 0, 1}
    proven = sum(check_connect4(moves, sign, 600, native=False) for moves, sign in positions)
    assert proven >= 24


@compiles
@pytest.mark.full
def test_all_published_connect_four_endings_of_up_to_twelve_empty_squares_are_played_right():
    positions = connect4_positions(30, 41)
    assert len(positions) > (800 if DATA.is_dir() else 25)
    proven = sum(check_connect4(moves, sign, 60_000, native=True) for moves, sign in positions)
    assert proven >= 0.98 * len(positions)


def pig_chances(goal: int) -> dict[tuple[int, int, int], tuple[float, float]]:
    """The chance to win by rolling and by holding: own score, the other's, collected. By value iteration."""
    wins: dict[tuple[int, int, int], float] = {}
    chances = {}
    states = [(i, j, k) for i in range(goal) for j in range(goal) for k in range(goal - i + 6)]
    for _ in range(60):
        for i, j, k in states:
            lost = 1 - wins.get((j, i, 0), 0.5)
            roll = (lost + sum(wins.get((i, j, k + face), 1.0) for face in range(2, 7))) / 6
            hold = 0.0 if k == 0 else 1.0 if i + k >= goal else 1 - wins.get((j, i + k, 0), 0.5)
            chances[i, j, k] = (roll, hold)
            wins[i, j, k] = max(roll, hold)
    return chances


def test_pig_is_played_and_valued_as_value_iteration_says():
    goal = 10
    game, chances = pf.load(f"pig(goal={goal})"), pig_chances(goal)
    played = 0
    for own, other, collected in (
        (0, 0, 2),
        (0, 0, 8),
        (3, 6, 2),
        (3, 6, 5),
        (5, 2, 3),
        (4, 4, 6),
        (0, 7, 6),
    ):
        roll, hold = chances[own, other, collected]
        state = pf.parse_state(game, f"{own} {other} {collected} max")
        found = Uct(simulations=2500, solve=False).search(game, state, native=False)
        if abs(roll - hold) > 0.02:  # else 2,500 simulations can't tell
            assert found.action == (0 if roll > hold else 1), (own, other, collected)
            played += 1
        best = 2 * max(roll, hold) - 1
        assert abs(found.value - best) < 4 * found.errors[found.action] + 0.02
    assert played >= 5


# ---------------------------------------------------------------- values within their errors
@dataclass(frozen=True)
class OneChoice(RandomTree):
    """Only the root is a choice, everything after it chance: here playing at random is playing best."""

    dice: bool = True

    def player(self, s):
        return (s.depth * 7) % 2 if s.depth == self.depth else CHANCE


@dataclass(frozen=True)
class OneChoice3(RandomTree3):
    """The same for three players."""

    dice: bool = True

    def player(self, s):
        return s.depth % 3 if s.depth == self.depth else CHANCE


def exact(game, state):
    """max^n, which is minimax and expectiminimax where there are two players."""
    return pf.search(game, state, using="max_n", native=False)


def random_play(game, state):
    """What a state is worth to each player if all actions are equally likely, worked out."""
    if game.terminal(state):
        return payoffs(game, game.utility(state))
    if game.player(state) == CHANCE:
        options = list(game.chance(state))
    else:
        legal = pf.legal_moves(game, state)
        options = [(action, 1 / len(legal)) for action in legal]
    total = (0.0,) * game.players
    for action, probability in options:
        part = random_play(game, game.result(state, action))
        total = tuple(t + probability * p for t, p in zip(total, part, strict=True))
    return total


def z_score(value: float, true: float, error: float) -> float:
    difference = abs(value - true)
    return difference / error if error > 0 else 0.0 if difference < 1e-9 else math.inf


def z_scores(game, search, simulations, seeds, native=False):
    """By how many of its errors each root action's value is off, for the player who chooses there."""
    scores = []
    for seed in seeds:
        state = game.root(seed)
        mover = game.player(state)
        truth = exact(game, state)
        found = search(simulations=simulations, solve=False, seed=seed).search(game, state, native=native)
        # With three players values off the best line belong to another equilibrium as soon as somebody errs below.
        for action in found.visits if game.players == 2 else [found.action]:
            if found.visits[action] >= 30:
                value, error = found.values[action], found.errors[action]
                if game.players > 2:
                    value, error = value[mover], error[mover]
                true = truth.values[action][mover if game.players > 2 else MAX]
                scores.append(z_score(value, true, error))
    return scores


WITH_DICE = RandomTree(depth=3, doubles=True, dice=True)
THREE = RandomTree3(depth=3, doubles=True, dice=True, largest=1_000_000)  # no ties, so one equilibrium


@pytest.mark.parametrize("game", [RandomTree(depth=3, doubles=True), WITH_DICE, THREE], ids=["two", "dice", "three"])
@pytest.mark.parametrize("search", TREES)
def test_values_agree_with_exact_ones_within_their_errors(search, game):
    scores = z_scores(game, search, 700, range(12))
    assert len(scores) >= 12
    assert max(scores) < 5.0
    assert sum(score > 2.0 for score in scores) <= 0.15 * len(scores)


@compiles
@pytest.mark.full
@pytest.mark.parametrize("search", TREES)
@pytest.mark.parametrize("three", [False, True])
def test_values_of_many_trees_agree_with_exact_ones_within_their_errors(search, three):
    kind = RandomTree3 if three else RandomTree
    game = kind(depth=4, doubles=True, dice=True, largest=1_000_000)
    scores = z_scores(game, search, 10_000, range(150), native=True)
    assert sum(score > 3.0 for score in scores) <= 0.02 * len(scores)


def flat_scores(game, states, truths, simulations) -> list[float]:
    scores = []
    for seed, (state, truth) in enumerate(zip(states, truths, strict=True)):
        found = Flat(simulations=simulations, seed=seed).search(game, state, native=False)
        assert max(found.visits.values()) - min(found.visits.values()) <= 1
        for action, true in truth.items():
            value, error = payoffs(game, found.values[action]), found.errors[action]
            error = error if isinstance(error, tuple) else (error,) * game.players
            scores += [z_score(v, t, e) for v, t, e in zip(value, true, error, strict=True)]
    return scores


@pytest.mark.parametrize("game", [OneChoice(depth=4), OneChoice3(depth=4)], ids=["two", "three"])
def test_flat_values_agree_with_exact_ones_where_only_dice_follow(game):
    states = [game.root(seed) for seed in range(10)]
    scores = flat_scores(game, states, [exact(game, state).values for state in states], 900)
    assert len(scores) >= 25
    assert max(scores) < 4.5
    assert sum(score > 2.0 for score in scores) <= 0.12 * len(scores)


@pytest.mark.parametrize("game", [WITH_DICE, THREE, pf.load("three_nim")], ids=["dice", "three", "three_nim"])
def test_flat_values_are_those_of_random_play(game):
    states = [game.root(seed) if hasattr(game, "root") else game.start() for seed in range(6)]
    truths = [
        {action: random_play(game, game.result(state, action)) for action in pf.legal_moves(game, state)}
        for state in states
    ]
    scores = flat_scores(game, states, truths, 900)
    assert max(scores) < 4.5
    assert sum(score > 2.0 for score in scores) <= 0.12 * len(scores)


@pytest.mark.parametrize("search", TREES)
def test_more_simulations_come_closer(search):
    """The error of the root's value falls: sixteen times the simulations, at most half of the error on average."""
    few, many = [], []
    for seed in range(8):
        state = WITH_DICE.root(seed)
        true = exact(WITH_DICE, state).value[MAX]
        for simulations, differences in ((200, few), (3200, many)):
            found = search(simulations=simulations, solve=False, seed=seed).search(WITH_DICE, state, native=False)
            differences.append(abs(found.value - true))
    assert sum(many) < 0.5 * sum(few)
