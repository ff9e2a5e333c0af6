"""Information-set Monte Carlo tree search: what it must find, both speeds, and that the true state never gets in."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import plyforge as pf
from conftest import compiles
from paths import HIDDEN_RULES
from plyforge.contract import MAX, MIN
from plyforge.errors import BadLimits
from plyforge.games.catalog import find
from plyforge.games.hidden.kuhn_poker import BET, PASS
from plyforge.kernel import below
from plyforge.search import HIDDEN, HiddenResult

LEDUC = find(str(HIDDEN_RULES / "leduc.py"))
MCTS = ("is_mcts", "mo_is_mcts")
FORCED = {"K ? check bet": "call", "? K bet": "call", "J ? check bet": "fold", "? J bet": "fold"}
"""What is best in Kuhn poker whatever the other does (Kuhn 1950)."""


def found(using: str, observation: Any, game: Any = "kuhn_poker", **more: Any) -> HiddenResult:
    result = pf.search(game, observation, using, **({"simulations": 500, "native": False} | more))
    assert isinstance(result, HiddenResult)
    return result


@pytest.mark.parametrize("using", MCTS)
@pytest.mark.parametrize("observation", FORCED)
def test_it_does_what_is_right_against_anybody(using: str, observation: str) -> None:
    best = found(using, observation)
    assert best.text(best.action) == FORCED[observation]


@pytest.mark.parametrize("using", MCTS)
def test_values_are_the_players_own_with_standard_errors(using: str) -> None:
    """MIN, with a king, has been bet against: a call wins 2 for sure, a fold loses 1."""
    best = found(using, "? K bet")
    assert best.player == MIN and best.values == {PASS: -1.0, BET: 2.0} and best.errors == {PASS: 0.0, BET: 0.0}
    assert sum(best.visits.values()) == best.simulations == 500 and best.policy == {PASS: 0.0, BET: 1.0}
    mixed = found(using, "? K bet", mixes=True).policy
    assert 0.0 < mixed[PASS] < 0.1 and sum(mixed.values()) == pytest.approx(1.0)
    queen = found(using, "? Q bet", simulations=4000)
    assert queen.values[BET] == pytest.approx(0.0, abs=4 * queen.errors[BET]), "the other card is a jack or a king"
    assert 0.02 < queen.errors[BET] < 0.1, "2 or -2, about 2,000 times: 2 / sqrt(2,000)"


@compiles
@pytest.mark.parametrize("using", MCTS)
def test_both_speeds_make_the_same_simulations(using: str) -> None:
    start = LEDUC.start()._replace(first=4, second=-2)
    slow = found(using, start, LEDUC)
    fast = found(using, start, LEDUC, native=True)
    assert fast.native and not slow.native
    for field in ("visits", "values", "errors", "nodes", "depth", "policy"):
        assert getattr(slow, field) == getattr(fast, field), field
    shared = found(using, start, LEDUC, native=True, threads=2, simulations=2001)
    assert shared.simulations == sum(shared.visits.values())
    assert 1001 <= shared.simulations <= 2001, "when the first thread has done its part, the others stop"


@compiles
def test_time_limits_hold() -> None:
    start = LEDUC.start()._replace(first=4, second=-2)
    best = pf.search(LEDUC, start, "is_mcts", seconds=0.2)
    assert best.reason == "seconds" and 0.1 < best.seconds < 2.0 and best.visits


def test_it_knows_information_sets_apart_by_what_was_seen_before() -> None:
    """468 of each player in Leduc; searching from MAX's first with one card, those of the multiple observer are
    fewer: MAX's card is known."""
    sets = found("mo_is_mcts", LEDUC.start()._replace(first=4, second=-2), LEDUC, simulations=3000).nodes
    assert 200 < sets < 936


class Peeked(Exception):
    """The true state was used."""


class Card(NamedTuple):
    secret: int
    guess: int
    moves: int


class Guess(pf.Game):
    """One of three numbers is drawn in secret, and guessed; the true one is 7."""

    players, utility_sum, min_utility, max_utility = 1, None, 0.0, 1.0

    def start(self) -> Card:
        return Card(7, -1, 0)

    def look(self, s: Card) -> None:
        if s.secret == 7:
            raise Peeked

    def player(self, s: Card) -> int:
        return MAX

    def actions(self, s: Card) -> Any:
        self.look(s)
        yield from range(3)

    def result(self, s: Card, action: int) -> Card:
        self.look(s)
        return s._replace(guess=action, moves=1)

    def terminal(self, s: Card) -> bool:
        return s.moves == 1

    def utility(self, s: Card) -> float:
        self.look(s)
        return float(s.guess == s.secret)

    def observe(self, s: Card, player: int) -> Card:
        return s if s.moves else s._replace(secret=-1)

    def determinize(self, observation: Card, player: int, stream: Any) -> Card:
        assert observation.secret == -1, "the true state was given"
        return observation._replace(secret=below(stream, 3))


@pytest.mark.parametrize("using", HIDDEN)
def test_the_true_state_is_observed_before_anything_else(using: str) -> None:
    """A canary: the rules raise where anybody asks about the true state."""
    given = pf.search(Guess(), Guess().start(), using, native=False)
    assert given.state.secret == -1 and abs(given.value - 1 / 3) < 0.2
    assert given.to_json()["policy"]


@pytest.mark.parametrize("using", HIDDEN)
def test_bad_input_is_refused_in_sentences(using: str) -> None:
    with pytest.raises(pf.Unsuitable, match="players see everything in it"):
        pf.search("tic_tac_toe", using=using)
    with pytest.raises(pf.Unsuitable, match="chance is to move"):
        pf.search("kuhn_poker", using=using)
    with pytest.raises(pf.Unsuitable, match="the game is over"):
        pf.search("kuhn_poker", "K Q check check", using=using)
    with pytest.raises(BadLimits, match="seed is 'x'"):
        pf.search("kuhn_poker", "K ?", using, seed="x")


@pytest.mark.parametrize("using", MCTS)
def test_bad_parameters_are_refused(using: str) -> None:
    with pytest.raises(BadLimits, match="exploration is -1"):
        pf.search("kuhn_poker", "K ?", using, exploration=-1)
    with pytest.raises(BadLimits, match="threads is 0"):
        pf.search("kuhn_poker", "K ?", using, threads=0)
