"""What networks cost: leaf evaluations a second on one core, and samples a second in training.

Leaves are counted as searches meet them: all children of each state of random games, one after another; what the games
themselves cost is measured with an evaluation that always says 0, and taken off. Times are of the processor, the best
of several in one run. What is wanted stands beside what was measured.
"""

from __future__ import annotations

import argparse
import functools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import plyforge as pf
from plyforge.evaluate import Evaluation
from plyforge.evaluate.networks import Batch, SparseMlp, found_inputs, network_kind
from plyforge.evaluate.networks.grid import grid_inputs
from plyforge.evaluate.ntuples import NTupleNetwork, find_tuples
from plyforge.evaluate.ntuples.following import quickest
from plyforge.evaluate.ntuples.tuples import banks_of
from plyforge.kernel import below, bind, kernel, new_stream
from plyforge.kernel.constant import defines
from plyforge.kernel.entry import coerce
from plyforge.learn.lesson_plan import checked_settings
from plyforge.learn.run import LEARNERS
from plyforge.search import Control

GAME = "connect4"
BOARD, CONV = "go(size=9)", "conv:8x32"
BATCH = 1024
"""Samples of a step of the optimiser."""


class Row(NamedTuple):
    """What was measured."""

    what: str
    a_second: float
    wanted: float | None


@dataclass(frozen=True)
class Nothing(Evaluation):
    """The same for every state."""

    def estimate(self, game: Any, s: Any) -> Any:
        return 0.0


@kernel
def ask_children(game, evaluation, stream, start, games):
    """Ask about all children of all states of random games; gives how many they were. What comes of the answers is
    used, or the compiler would leave the question out."""
    asked, total = 0, 0.0
    for _ in range(games):
        s = start
        while not game.terminal(s):
            for action in game.actions(s):
                child = game.result(s, action)
                if not game.terminal(child):
                    total += evaluation.estimate(game, child)
                    asked += 1
            left = below(stream, game.count(s))
            chosen = s
            for action in game.actions(s):
                if left == 0:
                    chosen = game.result(s, action)
                left -= 1
            s = chosen
    return asked if total < 1e300 else 0


@kernel
def follow_children(game, evaluation, kept, stream, start, games):
    """The same for an evaluation that follows the search."""
    asked, total = 0, 0.0
    for _ in range(games):
        s, ply = start, 0
        while not game.terminal(s):
            for action in game.actions(s):
                child = game.result(s, action)
                if not game.terminal(child):
                    total += evaluation.estimate_at(game, child, kept, ply + 1)
                    asked += 1
            left = below(stream, game.count(s))
            chosen = s
            for action in game.actions(s):
                if left == 0:
                    chosen = game.result(s, action)
                left -= 1
            s = chosen
            ply += 1
    return asked if total < 1e300 else 0


def best_time(call: Callable[[], Any], times: int) -> float:
    """Seconds of the processor."""
    found = []
    for _ in range(times):
        began = time.process_time()
        call()
        found.append(time.process_time() - began)
    return min(found)


def walk_time(game: Any, evaluation: Evaluation, games: int, times: int) -> tuple[float, int]:
    """Seconds of the processor for all children of random games, and how many they are."""
    start = coerce(game.start())
    walk: Any = ask_children
    more: tuple[Any, ...] = (game, evaluation)
    kept = evaluation.new_accumulators() if defines(evaluation, "estimate_at") else None
    if kept is not None:
        walk, more = follow_children, (*more, kept.address)
    walk = functools.partial(bind(walk, *more, new_stream(1), start, 1), *more)
    asked = walk(new_stream(1), start, games)
    return best_time(lambda: walk(new_stream(1), start, games), times), asked


def leaf_rate(game: Any, evaluation: Evaluation, games: int, times: int) -> float:
    """Evaluations a second."""
    without, asked = walk_time(game, Nothing(), games, times)
    return asked / (walk_time(game, evaluation, games, times)[0] - without)


def node_rate(game: Any, evaluation: Evaluation, nodes: int, times: int) -> float:
    """Nodes a second of the engine."""
    pf.search(game, evaluate=evaluation, using="engine", nodes=1000)

    def think() -> None:
        pf.search(game, evaluate=evaluation, using="engine", nodes=nodes)

    return nodes / best_time(think, times)


def training_rate(kind: SparseMlp, active: int, times: int) -> float:
    """Samples a second, with so many active inputs each."""
    dice = np.random.default_rng(1)
    lists = [np.sort(dice.choice(kind.inputs, active, replace=False)) for _ in range(BATCH)]
    batch = Batch.of(lists, dice.uniform(-1.0, 1.0, BATCH))
    arrays = kind.fresh(1)
    memory = kind.fresh_memory(arrays)

    def steps() -> None:
        for _ in range(10):
            kind.train(arrays, memory, batch, rate=0.001, decay=0.01)

    steps()
    return 10 * BATCH / best_time(steps, times)


def play_rate(method: str, net: str, games: int, times: int) -> float:
    """Games a second of a method's self-play, one shard; `td` learns while it plays."""
    settings = {**checked_settings({}), "net": net}
    learner = LEARNERS[method](pf.load(GAME), settings, 1, True, Control())
    learner.begin()
    pupil = learner.pupils[0]
    learner.prepare_pupil(pupil)
    learner.play(pupil, 1, games)
    return games / best_time(lambda: learner.play(pupil, 2, games), times)


def tuples_of(game: Any) -> tuple[NTupleNetwork, Any]:
    """As many as a run has, with weights that say something: as they are learned, and as they play."""
    inputs: Any = find_tuples(game, int(checked_settings({})["walks"]))
    weights = np.random.default_rng(1).normal(0.0, 0.01, banks_of(game) * inputs.weights)
    return NTupleNetwork.of(inputs, weights), quickest(inputs, weights)


def shards_ratio(games: int, times: int) -> float:
    """Games a second of two shards side by side, in those of one; by the clock, so on a quiet machine alone."""
    rates = []
    for shards in (1, 2):
        learner = LEARNERS["td"](pf.load(GAME), {**checked_settings({}), "net": "tuples"}, shards, True, Control())
        learner.begin()
        learner.played(1, shards * 100)
        found = []
        for number in range(times):
            began = time.perf_counter()
            learner.played(number, shards * games)
            found.append(shards * games / (time.perf_counter() - began))
        rates.append(max(found))
    return rates[1] / rates[0]


def conv_row(games: int, times: int) -> Row:
    """Convolutions on a board of 9 x 9."""
    game = pf.load(BOARD)
    inputs = grid_inputs(game)
    kind: Any = network_kind(CONV, inputs)
    arrays = kind.fresh(1)
    return Row(f"{CONV} on {BOARD}", leaf_rate(game, kind.evaluation(arrays, inputs), games, times), 6000)


def rows(times: int, games: int, nodes: int) -> Iterator[Row]:
    """All measurements."""
    game = pf.load(GAME)
    inputs = found_inputs(game)
    learned, tuples = tuples_of(game)
    nothing = node_rate(game, Nothing(), nodes, times)
    yield Row("engine, nodes with a constant evaluation", nothing, None)
    yield Row(
        f"engine, nodes with {len(tuples.inputs.tuples)} n-tuples", node_rate(game, tuples, nodes, times), 0.6 * nothing
    )
    yield Row(f"{len(tuples.inputs.tuples)} n-tuples, following", leaf_rate(game, tuples, games, times), 5e6)
    yield Row(f"{len(learned.inputs.tuples)} n-tuples as learned", leaf_rate(game, learned, games, times), None)
    for text in ("units:64", "units:256,64"):
        kind: Any = network_kind(text, inputs)
        arrays = kind.fresh(1)
        arrays["last"][:-1] = np.random.default_rng(1).normal(0.0, 0.1, len(arrays["last"]) - 1)
        single, whole = kind.evaluation(arrays, inputs), kind.quantised(arrays, inputs)
        wanted = 5e6 if text == "units:64" else None
        if wanted:
            yield Row(f"engine, nodes with {text}, following", node_rate(game, whole, nodes, times), 0.6 * nothing)
        yield Row(f"{text}, whole numbers, following", leaf_rate(game, whole, games, times), wanted)
        yield Row(f"{text}, single precision", leaf_rate(game, single, games, times), 5e5)
    yield conv_row(1, 1)
    yield Row("td, games with learning", play_rate("td", "tuples", 1000, times), 3000)
    yield Row("td, two shards in games of one", shards_ratio(2000, times), 1.8)
    rate = training_rate(SparseMlp(256, 40, 256, 64), 40, times)
    yield Row("training, 256-256-64-1, 40 inputs active", rate, 1e5)
    yield Row("tree, games with 200 nodes a move", play_rate("tree", "units:64", 200, times), None)
    yield Row("puct, games with 200 simulations a move", play_rate("puct", "policy:64", 5, times), None)


def shown(number: float | None) -> str:
    """A rate, or a ratio."""
    return "" if number is None else f"{number:,.0f}" if number >= 100 else f"{number:.2f}"


def main() -> None:
    """Measure, and print a line for each, as it comes."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--times", type=int, default=5, help="how often each is measured")
    asked.add_argument("--games", type=int, default=300, help="random games for leaf evaluations")
    asked.add_argument("--nodes", type=int, default=3_000_000, help="nodes of the engine's searches")
    given = asked.parse_args()
    print(f"{f'on one core, {GAME}':<46}{'a second':>14}{'wanted':>14}")
    for row in rows(given.times, given.games, given.nodes):
        print(f"{row.what:<46}{shown(row.a_second):>14}{shown(row.wanted):>14}", flush=True)


if __name__ == "__main__":
    main()
