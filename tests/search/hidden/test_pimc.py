"""Perfect information Monte Carlo, and with the cards opened later: exact means, clocks, what fusion costs."""

from __future__ import annotations

from typing import Any

import pytest

import plyforge as pf
from plyforge.errors import BadLimits
from plyforge.games.hidden.kuhn_poker import BET, PASS
from plyforge.kernel import new_stream
from plyforge.search import HiddenResult, Pimc


def found(using: str, observation: str, **more: Any) -> HiddenResult:
    result = pf.search("kuhn_poker", observation, using, native=False, **more)
    assert isinstance(result, HiddenResult)
    return result


def test_scores_are_means_over_the_worlds() -> None:
    """With a queen a bet wins 1 from a jack, which folds with open cards, and loses 2 to a king."""
    best = found("pimc", "Q ?", simulations=50)
    game = pf.load("kuhn_poker")
    stream = new_stream(best_seed := Pimc().seed)
    kings = sum(game.determinize(pf.parse_state(game, "Q ?"), 0, stream).second == 2 for _ in range(50))
    assert best_seed == 1 and 0 < kings < 50
    assert best.values[BET] == pytest.approx((50 - kings - 2 * kings) / 50)
    share = kings / 50
    assert best.errors[BET] == pytest.approx((9 * share * (1 - share) / 49) ** 0.5), "3 apart"
    assert best.simulations == 50 and best.policy[best.action] == 1.0


def test_it_adds_scores_and_counts_no_votes() -> None:
    """In two worlds of three a bet wins 1, in one it loses 2 more than that: votes would bet."""
    best = found("pimc", "? Q check", simulations=400)
    assert best.action == PASS and best.values[BET] < best.values[PASS] < 0.2


def test_postponed_by_one_ply_it_is_the_same() -> None:
    for observation in ("J ?", "? Q check", "? K bet"):
        one, other = found("pimc", observation), found("epimc", observation, postponed=1)
        assert {a: pytest.approx(v) for a, v in one.values.items()} == other.values
        assert max(other.policy, key=lambda a: other.policy[a]) == one.action or len(one.best) > 1


def test_with_all_plies_postponed_it_finds_what_an_equilibrium_does() -> None:
    """With open cards MAX's queen hopes for what it can see; with closed ones it checks and is worth -1/3 or so
    (Kuhn 1950: MAX's queen checks, and calls one time in three or more)."""
    best = found("epimc", "Q ?", postponed=4, iterations=500, simulations=300)
    assert best.policy[PASS] > 0.9 and best.value < found("pimc", "Q ?", simulations=300).value - 0.1


def test_clocks_and_other_solvers() -> None:
    best = found("pimc", "Q ?", seconds=0.2)
    assert best.reason == "seconds" and best.seconds < 2.0 and best.simulations > 10
    assert found("pimc", "? K bet", solver="uct", solver_simulations=50, simulations=5).action == BET
    with pytest.raises(pf.Unsuitable, match="no search called"):
        found("pimc", "Q ?", solver="nothing")
    with pytest.raises(pf.Unsuitable, match="can't solve the worlds"):
        found("pimc", "Q ?", solver="is_mcts")
    with pytest.raises(BadLimits, match="postponed is 0"):
        found("epimc", "Q ?", postponed=0)


class Weighted(pf.Heuristics):
    def plausible(self, game: Any, s: Any, player: int) -> float:
        return 1.0 if s.second == 2 else 0.0


@pytest.mark.parametrize("using", ["pimc", "epimc", "is_mcts", "mo_is_mcts"])
def test_worlds_are_as_plausible_as_the_rules_say(using: str) -> None:
    """Who is bet against, and knows that only kings bet, folds a queen."""
    from plyforge.games.hidden.kuhn_poker import KuhnPoker

    class KingsBet(KuhnPoker):
        heuristics = Weighted()

    best = pf.search(KingsBet(), "Q ? check bet", using, simulations=200, native=False)
    assert best.action == PASS and best.values[BET] == -2.0


@pytest.mark.parametrize("using", ["pimc", "epimc"])
def test_threads_solve_worlds_side_by_side_and_the_answer_is_the_same(
    using: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interpreted searches take one thread; here they are given three."""
    alone, made = found(using, "Q ?", simulations=20), []
    own = Pimc.open_solver

    def three(self: Pimc, *args: Any) -> Any:
        solver = own(self, *args)
        solver.threads = 3
        made.append(solver)
        return solver

    monkeypatch.setattr(Pimc, "open_solver", three)
    many = found(using, "Q ?", simulations=20, threads=3)
    assert (many.values, many.errors, many.policy) == (alone.values, alone.errors, alone.policy)
    assert many.simulations == 20 and many.nodes == alone.nodes and len(made) == 1
