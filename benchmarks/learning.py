"""What networks cost: leaf evaluations a second on one core, and samples a second in training.

Leaves are counted as searches meet them: all children of each state of random games, one after another; what the games
themselves cost is measured with an evaluation that always says 0, and taken off. Times are of the processor, the best
of several in one run. What is wanted stands beside what was measured.
"""

from __future__ import annotations

import argparse
import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.evaluate import Evaluation
from plyforge.evaluate.networks import Batch, SparseMlp, found_inputs, network_kind
from plyforge.kernel import below, bind, kernel, new_stream
from plyforge.kernel.entry import coerce

GAME = "connect4"
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


def best_time(call: Callable[[], Any], times: int) -> float:
    """Seconds of the processor."""
    found = []
    for _ in range(times):
        began = time.process_time()
        call()
        found.append(time.process_time() - began)
    return min(found)


def leaf_rate(game: Any, evaluation: Evaluation, games: int, times: int) -> float:
    """Evaluations a second."""
    spent, asked = [], 0
    for each in (Nothing(), evaluation):
        start, stream = coerce(game.start()), new_stream(1)
        walk: Any = bind(ask_children, game, each, stream, start, 1)
        asked = walk(game, each, new_stream(1), start, games)
        again = functools.partial(walk, game, each)
        spent.append(best_time(lambda again=again, start=start: again(new_stream(1), start, games), times))
    return asked / (spent[1] - spent[0])


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


def rows(times: int, games: int) -> list[Row]:
    """All measurements."""
    game = pf.load(GAME)
    inputs = found_inputs(game)
    found = [
        Row("training, 256-256-64-1, 40 inputs active", training_rate(SparseMlp(256, 40, 256, 64), 40, times), 1e5)
    ]
    for text in ("units:64", "units:256,64"):
        kind = network_kind(text, inputs)
        arrays = kind.fresh(1)
        arrays["last"][:] = 0.1
        found.append(Row(f"{text}, fresh", leaf_rate(game, kind.evaluation(arrays, inputs), games, times), 5e5))
    return found


def main() -> None:
    """Measure, and print a table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--times", type=int, default=5, help="how often each is measured")
    asked.add_argument("--games", type=int, default=300, help="random games for leaf evaluations")
    given = asked.parse_args()
    table = Table("what", "a second", "wanted", title=f"Networks on one core ({GAME})")
    for row in rows(given.times, given.games):
        wanted = "" if row.wanted is None else f"{row.wanted:,.0f}"
        table.add_row(row.what, f"{row.a_second:,.0f}", wanted)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
