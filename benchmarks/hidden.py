"""Solving hidden information: Plyforge's iterations and simulations beside OpenSpiel's, in one run; then poker.

A rate is iterations per second of processor time on one core, best of several, measured in turns: in one iteration all
players learn once, in both programs. The exploitability says that both learn the same. Read the ratios, not the rates.
OpenSpiel's solvers are those in C++: `pip install -e .[bench]`. Its IS-MCTS keeps all players'
information sets, as `mo_is_mcts` does.

Hands of seven cards are evaluated one at a time: two million drawn at random, and a hundred of them again and again, as
phevaluator's own benchmark does. Beside it stands the C function of phevaluator (`pip install phevaluator`), called by
the same kind of compiled loop. Push or fold and the river are seconds by the clock, best of several in a warm process.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.poker.counting import hand_counts
from plyforge.poker.evaluator import evaluate_all
from plyforge.poker.push_fold import push_fold
from plyforge.poker.river import solve_river
from plyforge.solve.hidden import Learner, history_tree
from plyforge.solve.hidden.regret import RULES
from plyforge.solve.hidden.sampling import Sampler


class Row(NamedTuple):
    """One comparison: what is done so often, here and there, and how many times faster it means to be."""

    name: str
    ours: Callable[[], float]
    theirs: Callable[[], float] | None
    wanted: float | None = None
    at_least: float | None = None
    """Iterations a second that are asked for."""


def rate(learn: Callable[[int], Any], iterations: int) -> float:
    began = time.process_time()
    learn(iterations)
    return iterations / (time.process_time() - began)


def our_cfr(name: str, iterations: int) -> Callable[[], float]:
    learner = Learner(history_tree(pf.load(name), native=True), True)
    learner.learn(RULES["cfr"], 2)  # compile
    return lambda: rate(lambda number: learner.learn(RULES["cfr"], number), iterations)


def our_sampling(name: str, using: str, iterations: int) -> Callable[[], float]:
    game = pf.load(name)
    sampler = Sampler(game, None, using, 1, True)
    sampler.learn(100)
    return lambda: rate(sampler.learn, iterations)


def their_solver(name: str, kind: str, iterations: int) -> Callable[[], float] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    makers = {"cfr": "CFRSolver", "external": "ExternalSamplingMCCFRSolver", "outcome": "OutcomeSamplingMCCFRSolver"}
    solver = getattr(pyspiel, makers[kind])(game)
    step = getattr(solver, "evaluate_and_update_policy", None) or solver.run_iteration

    def learn(number: int) -> None:
        for _ in range(number):
            step()

    return lambda: rate(learn, iterations)


def our_is_mcts(name: str, using: str, simulations: int) -> Callable[[], float]:
    """Simulations a second from the first decision of a game, with the tables of a first search forgotten."""
    game = pf.load(name)
    state = game.start()
    while int(game.player(state)) == pf.CHANCE:
        state = game.result(state, next(iter(game.chance(state)))[0])
    seen = game.observe(state, int(game.player(state)))

    def search(number: int) -> None:
        pf.search(game, seen, using, simulations=number, native=True)

    search(100)  # compile
    return lambda: rate(search, simulations)


def their_is_mcts(name: str, simulations: int) -> Callable[[], float] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])

    def search(number: int) -> None:
        policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        rollouts = pyspiel.RandomRolloutEvaluator(1, 1)
        pyspiel.ISMCTSBot(1, rollouts, 2.0, number, -1, policy, False, False).step(state)

    return lambda: rate(search, simulations)


# ------------------------------------------------------------------ poker
def random_hands(number: int, of: type) -> np.ndarray:
    draws = np.random.default_rng(1).random((number, 52), np.float32)
    return np.ascontiguousarray(draws.argpartition(7, axis=1)[:, :7].astype(of))


def their_evaluator() -> Callable[[np.ndarray], np.ndarray] | None:
    """phevaluator's C function, over rows of cards."""
    found = importlib.util.find_spec("phevaluator")
    if found is None:
        return None
    import numba
    import phevaluator._pheval as compiled

    function = ctypes.CDLL(compiled.__file__).evaluate_7cards
    function.argtypes, function.restype = [ctypes.c_int] * 7, ctypes.c_int

    @numba.njit(nogil=True)
    def loop(hands: Any, ranks: Any) -> None:
        for row in range(len(hands)):
            hand = hands[row]
            ranks[row] = function(hand[0], hand[1], hand[2], hand[3], hand[4], hand[5], hand[6])

    def evaluate(hands: np.ndarray) -> np.ndarray:
        ranks = np.zeros(len(hands), np.int16)
        loop(hands, ranks)
        return ranks

    return evaluate


def millions(evaluate: Callable[[np.ndarray], np.ndarray] | None, hands: np.ndarray, repeat: int) -> str:
    if evaluate is None:
        return "not installed"
    evaluate(hands[:10])  # compile
    found = []
    for _ in range(3 * repeat):
        began = time.process_time()
        evaluate(hands)
        found.append(len(hands) / (time.process_time() - began) / 1e6)
    return f"{max(found):.0f} million"


def seconds(work: Callable[[], object], repeat: int) -> float:
    work()
    taken = []
    for _ in range(repeat):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return min(taken)


def poker(repeat: int) -> None:
    """Print the table of poker."""
    theirs, ours, others = their_evaluator(), random_hands(2_000_000, np.uint8), random_hands(2_000_000, np.int32)
    if theirs is not None:
        assert (theirs(others[:100_000]) + evaluate_all(ours[:100_000]) == 7462).all(), "they judge hands otherwise"
    again = np.arange(1_000_000) % 100
    river = ("Qh7h2sKd9c", "any", "any")
    per_second = 133_784_560 / seconds(lambda: hand_counts(7), 1) / 1e6
    table = Table(title="Poker, one core", title_justify="left")
    for heading in ("", "Plyforge", "wanted", "phevaluator (C)"):
        table.add_column(heading, justify="right" if heading else "left")
    table.add_row(
        "2,000,000 random hands of seven cards, hands a second",
        millions(evaluate_all, ours, repeat), "50 million", millions(theirs, others, repeat),
    )  # fmt: skip
    table.add_row(
        "100 of them again and again, hands a second",
        millions(evaluate_all, ours[again], repeat), "", millions(theirs, others[again], repeat),
    )  # fmt: skip
    table.add_row("all hands of seven cards in order, hands a second", f"{per_second:.0f} million")
    table.add_row("push or fold, one stack", f"{seconds(lambda: push_fold(10), 3 * repeat):.3f} s", "0.1 s")
    sizes = (0.5, 1.0)
    found = solve_river(*river, pot=10, stack=20, sizes=sizes)
    taken = seconds(lambda: solve_river(*river, pot=10, stack=20, sizes=sizes), 1)
    table.add_row(f"river, full ranges, to {100 * found.exploitability:.2f} % of the pot", f"{taken:.1f} s", "10 s")
    Console().print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", choices=("solving", "poker"))
    arguments = parser.parse_args()
    if arguments.only != "poker":
        solving(arguments.repeat)
    if arguments.only != "solving":
        poker(arguments.repeat)


def solving(repeat: int) -> None:
    """Print the table of iterations."""
    dice = "liars_dice(sides=6)"
    rows = [
        Row("Kuhn poker, CFR", our_cfr("kuhn_poker", 100_000), their_solver("kuhn_poker", "cfr", 10_000)),
        Row("Leduc poker, CFR", our_cfr("leduc_poker", 2000), their_solver("leduc_poker", "cfr", 40), 40.0, 5000.0),
        Row("liar's dice, 6 sides, CFR", our_cfr(dice, 50), their_solver("liars_dice", "cfr", 1), None, 100.0),
    ]
    for using, number in (("external", 10_000), ("outcome", 30_000)):
        ours = our_sampling("leduc_poker", using, 4 * number)
        wanted = (3.0, 100_000.0) if using == "external" else (None, None)
        rows.append(Row(f"Leduc poker, {using} sampling", ours, their_solver("leduc_poker", using, number), *wanted))
    theirs_of_many = their_is_mcts("leduc_poker", 100_000)
    for using, at_least in (("is_mcts", 1_000_000.0), ("mo_is_mcts", None)):
        ours = our_is_mcts("leduc_poker", using, 500_000)
        rows.append(
            Row(f"Leduc poker, {using}, simulations", ours, theirs_of_many, 2.0 if at_least else None, at_least)
        )
    found: dict[str, tuple[list[float], list[float]]] = {row.name: ([], []) for row in rows}
    for _ in range(repeat):
        for row in rows:
            found[row.name][0].append(row.ours())
            if row.theirs is not None:
                found[row.name][1].append(row.theirs())
    table = Table(title="Hidden information, one core, iterations a second", title_justify="left")
    for heading in ("", "Plyforge", "wanted", "OpenSpiel (C++)", "faster by", "wanted"):
        table.add_column(heading, justify="right" if heading else "left")
    for row in rows:
        best, theirs = max(found[row.name][0]), max(found[row.name][1], default=None)
        table.add_row(
            row.name,
            f"{best:,.0f}",
            "" if row.at_least is None else f"{row.at_least:,.0f}",
            "not installed" if theirs is None else f"{theirs:,.1f}",
            "" if theirs is None else f"{best / theirs:.1f} x",
            "" if row.wanted is None else f"{row.wanted:g} x",
        )
    Console().print(table)


if __name__ == "__main__":
    main()
