"""CFR+ against published values, and against curves that agree with OpenSpiel's solvers."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

import plyforge as pf
from conftest import compiles
from paths import HIDDEN_RULES
from plyforge.cli import plyforge_command
from plyforge.contract import MAX, MIN
from plyforge.solve.hidden import Learner, cfr_plus, history_tree

LEDUC = str(HIDDEN_RULES / "leduc.py")
KUHN_VALUE, LEDUC_VALUE = -1 / 18, -0.085606424078
"""Kuhn 1950; Lanctot et al. 2017, and a linear program."""


def uniform_exploitability(game: str) -> float:
    learner = Learner(history_tree(pf.load(game)), None)
    profile = learner.profile()
    return 0.5 * (learner.best(MAX, profile) + learner.best(MIN, profile))


def test_uniform_play_of_kuhn_poker_loses_what_openspiel_says() -> None:
    assert uniform_exploitability("kuhn_poker") == pytest.approx(0.4583333333, abs=1e-9)


@pytest.mark.parametrize(
    ("iterations", "value", "exploitability"),
    [(10, -0.058725, 0.03268709), (100, -0.055584, 0.0011944), (1000, -0.055556, 0.00008737)],
)
def test_kuhn_poker_after_so_many_iterations(iterations: int, value: float, exploitability: float) -> None:
    """The curve of another program: alternating updates, averages weighed by the iteration's number."""
    found = cfr_plus("kuhn_poker", iterations=iterations, native=False)
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.exploitability == pytest.approx(exploitability, abs=1e-7)
    assert found.lower <= KUHN_VALUE <= found.upper, "the value lies between, whatever the iterations did"
    assert (found.histories, len(found.information_sets)) == (58, 12)


def test_the_equilibrium_is_one_of_kuhns() -> None:
    """MAX bets a jack with a, a king with 3a, calls with a queen after check and bet with a + 1/3; MIN's is unique."""
    game = pf.load("kuhn_poker")
    found = cfr_plus(game, iterations=5000, native=None)

    def bets(player: int, seen: str) -> float:
        (policy,) = found.policies_of(pf.parse_state(game, seen), player)
        return policy[1]

    alpha = bets(MAX, "J ?")
    assert -0.01 <= alpha <= 1 / 3 + 0.01
    assert bets(MAX, "K ?") == pytest.approx(3 * alpha, abs=0.02)
    assert bets(MAX, "Q ? check bet") == pytest.approx(alpha + 1 / 3, abs=0.02)
    assert bets(MAX, "J ? check bet") == pytest.approx(0.0, abs=0.02)
    assert bets(MIN, "? J check") == pytest.approx(1 / 3, abs=0.02)
    assert bets(MIN, "? Q bet") == pytest.approx(1 / 3, abs=0.02)
    assert bets(MIN, "? K bet") == pytest.approx(1.0, abs=0.02)


@compiles
def test_leduc() -> None:
    assert uniform_exploitability(LEDUC) == pytest.approx(2.3736111111, abs=1e-9)
    found = cfr_plus(LEDUC, iterations=100, native=True)
    assert found.native and len(found.information_sets) == 936
    assert found.exploitability == pytest.approx(0.01341599, abs=1e-7)
    found = cfr_plus(LEDUC, iterations=1000, native=True)
    assert found.exploitability < 0.0003 and found.lower <= LEDUC_VALUE <= found.upper


@compiles
def test_both_speeds_find_the_same_to_the_bit() -> None:
    slow, fast = (cfr_plus("kuhn_poker", iterations=200, native=native) for native in (False, True))
    assert fast.native and not slow.native
    assert (slow.value, slow.lower, slow.upper) == (fast.value, fast.lower, fast.upper)
    assert slow.information_sets == fast.information_sets


def test_from_a_state_on_the_other_cards_are_known() -> None:
    """From one deal on there is nothing to hide: MAX has a king, MIN a jack, who folds."""
    found = cfr_plus("kuhn_poker", "K J bet", iterations=50, native=False)
    assert found.value == pytest.approx(1.0, abs=0.01)


# ------------------------------------------------------------ against brute force
class Small(NamedTuple):
    card: int
    moves: tuple[int, ...]


class RandomBluff(pf.Game):
    """A card that MAX sees; MAX, then MIN, then MAX choose; any payoffs."""

    min_utility, max_utility = -1.0, 1.0

    def __init__(self, seed: int) -> None:
        self.worth = tuple(np.random.default_rng(seed).uniform(-1, 1, 16))

    def start(self) -> Small:
        return Small(-1, ())

    def player(self, s: Small) -> int:
        return pf.CHANCE if s.card == -1 else len(s.moves) % 2

    def chance(self, s: Small) -> Any:
        yield 0, 0.25
        yield 1, 0.75

    def actions(self, s: Small) -> Any:
        yield 0
        yield 1

    def result(self, s: Small, action: int) -> Small:
        return Small(action, ()) if s.card == -1 else Small(s.card, (*s.moves, action))

    def terminal(self, s: Small) -> bool:
        return len(s.moves) == 3

    def utility(self, s: Small) -> float:
        a, b, c = s.moves
        return float(self.worth[8 * s.card + 4 * a + 2 * b + c])

    def observe(self, s: Small, player: int) -> Small:
        return s if player == MAX or s.card == -1 or len(s.moves) == 3 else Small(9, s.moves)


def matrix_value(game: RandomBluff) -> float:
    """The value by the normal form: all pure plans against each other, as a linear program."""
    from itertools import product

    from plyforge.solve.equilibria.zero_sum import zero_sum

    rows = []
    for mine in product((0, 1), repeat=10):  # by card: first move, then after each (own, other): 2 + 2 * 2 * 2
        row = []
        for theirs in product((0, 1), repeat=2):
            value = 0.0
            for card, chance in ((0, 0.25), (1, 0.75)):
                a = mine[card]
                b = theirs[a]
                c = mine[2 + 4 * card + 2 * a + b]
                value += chance * game.utility(Small(card, (a, b, c)))
            row.append(value)
        rows.append(row)
    table = np.unique(np.array(rows), axis=0)
    found: Any = zero_sum(table)
    return float(found.values[0])


@pytest.mark.parametrize("seed", range(6))
def test_small_random_games_have_the_value_of_their_normal_form(seed: int) -> None:
    game = RandomBluff(seed)
    found = cfr_plus(game, iterations=400, native=False)
    value = matrix_value(game)
    assert found.lower - 1e-9 <= value <= found.upper + 1e-9
    assert found.exploitability < 0.01


# ------------------------------------------------------------ refusing, and the command
def test_what_it_cannot_solve_is_refused_in_words() -> None:
    with pytest.raises(pf.Unsuitable, match="choose at the same time"):
        cfr_plus("goofspiel")
    with pytest.raises(pf.BadLimits, match="iterations is 0"):
        cfr_plus("kuhn_poker", iterations=0)
    with pytest.raises(pf.PlyforgeError, match="more than 20 histories"):
        cfr_plus("kuhn_poker", limit=20)


def test_the_command_prints_value_bounds_and_mixes() -> None:
    found = CliRunner().invoke(plyforge_command, ["solve", "kuhn_poker", "--iterations", "100"], catch_exceptions=False)
    assert "-0.055584  to MAX" in found.output and "exploitability 0.0012" in found.output
    assert "12 information sets" in " ".join(found.output.split()) and "who sees ? K bet" in found.output
    told = json.loads(CliRunner().invoke(plyforge_command, ["solve", "kuhn_poker", "--json"]).output)
    assert told["value"] == pytest.approx(KUHN_VALUE, abs=1e-4) and told["information_sets"] == len(told["mixes"]) == 12
    refused = CliRunner().invoke(plyforge_command, ["solve", "kuhn_poker", "--strongly"])
    assert refused.exit_code != 0 and "strongly means nothing where something is hidden" in str(refused.exception)
