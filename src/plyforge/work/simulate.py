"""How a run would do on a large cluster: the real coordinator, with workers, lines and a clock that are modelled.

    python -m plyforge.work.simulate
    python -m plyforge.work.simulate --orders 2000 --seconds 60 --workers 16 --workers 64

What is real: `Coordinator`, `Crew`, `Leases`, with all their decisions. What is modelled: workers that are not equally
fast, die at random and take a while to start; lines that take a while; games that are not equally long; a coordinator
that needs some processor time for each message, and a disk that needs some for each commit. Efficiency is the work that
counts, divided by workers x time; starting and stragglers are in it.

Time here is a number, so that hours on 512 machines take seconds on one.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from plyforge.work.coordinator import Coordinator
from plyforge.work.crew import Crew
from plyforge.work.mailbox import Gone, Post, Word
from plyforge.work.orders import Terms

MESSAGE_SECONDS = 0.0003
"""Of the coordinator's processor, for a message with one result; measured in `benchmarks/work.py`."""
RESULT_SECONDS = 0.00005
"""For each further result in it."""
COMMIT_SECONDS = 0.005
"""For the disk."""


@dataclass(frozen=True)
class Model:
    """A cluster, and work for it."""

    workers: int
    orders: int
    seconds: float
    """That an order takes on average, where nothing slows it."""
    spread: float = 0.4
    """Of the logarithm of what single orders take."""
    slow: float = 0.7
    """The speed of every third worker."""
    life: float = 3600.0
    """Seconds after which a worker dies, on average."""
    start: float = 12.0
    """Seconds until a worker is ready."""
    latency: float = 0.01
    """Seconds that a message is on its way."""
    rounds: int = 1
    """The orders come in so many rounds, and a round begins when the one before has ended: learning by self-play."""


class SimulatedTime:
    """A mailbox in which words wait for their moment, and which moves the clock on."""

    def __init__(self) -> None:
        self.time = 0.0
        self._events: list[tuple[float, int, Any]] = []
        self._count = 0

    def now(self) -> float:
        """Simulated seconds."""
        return self.time

    def at(self, moment: float, event: Any) -> None:
        """Something that happens then: a word for the coordinator, or a function that is called."""
        self._count += 1
        heapq.heappush(self._events, (moment, self._count, event))

    def post(self, handle: Any, said: Any) -> None:
        """A word that arrives now."""
        self.at(self.time, (handle, said))

    def spend(self, seconds: float) -> None:
        """The coordinator works for so long."""
        self.time += seconds

    def get(self, seconds: float) -> Word | None:
        """The next word; what happens before it happens."""
        end = self.time + seconds
        while self._events and self._events[0][0] <= end:
            moment, _, event = heapq.heappop(self._events)
            self.time = max(self.time, moment)
            if callable(event):
                event(moment)
                continue
            said = event[1]
            results = len(said.get("done", ())) if isinstance(said, dict) else 0
            self.spend(MESSAGE_SECONDS + RESULT_SECONDS * max(0, results - 1))
            return event  # type: ignore[no-any-return]
        self.time = max(self.time, end)
        return None


class SimulatedWorker:
    """Does orders by waiting for them to be over."""

    def __init__(self, cluster: SimulatedCluster, post: Post, speed: float) -> None:
        self.cluster, self.post, self.speed = cluster, post, speed
        self.orders: list[int] = []
        self.busy = self.gone = False
        clock = cluster.clock
        clock.at(clock.now() + cluster.draw.expovariate(1.0 / cluster.model.life), self._die)

    def _later(self, seconds: float, said: Any) -> None:
        """It is heard after a while."""
        clock = self.cluster.clock
        clock.at(clock.now() + seconds, lambda moment: None if self.gone and said is not _END else self._arrive(said))

    def _arrive(self, said: Any) -> None:
        self.post(self, Gone("it died", True) if said is _END else said)

    def _die(self, moment: float) -> None:
        if not self.gone:
            self.gone = True
            self._later(self.cluster.model.latency, _END)

    def has_started(self, programs: Sequence[int]) -> None:
        """It starts nothing."""

    def send(self, said: dict[str, Any]) -> None:
        """As a worker's `hear`, after a while."""
        clock = self.cluster.clock
        clock.at(clock.now() + self.cluster.model.latency, lambda moment: self._hear(said, moment))

    def _hear(self, said: dict[str, Any], moment: float) -> None:
        if self.gone:
            return
        if "terms" in said:
            self.run = said["run"]
            self._later(self.cluster.model.start, {"ready": True})
        self.orders += [number for number, _ in said.get("do", ())]
        dropped = set(said.get("drop", ()))
        if dropped:
            self.orders = [number for number in self.orders if number not in dropped]
        self._begin(moment)

    def _begin(self, moment: float) -> None:
        if self.orders and not self.busy:
            number = self.orders.pop(0)
            seconds = self.cluster.length(number) / self.speed
            self.busy = True
            self.cluster.clock.at(moment + seconds, lambda end: self._finish(number, seconds, end))

    def _finish(self, number: int, seconds: float, moment: float) -> None:
        self.busy = False
        if not self.gone:
            self._later(self.cluster.model.latency, {"done": [[number, None, seconds]], "run": self.run})
            self._begin(moment)

    def leave(self) -> None:
        """Nobody needs it."""
        self.gone = True

    kill = leave


_END = object()


class SimulatedCluster:
    """A launcher of such workers."""

    name = "simulated"

    def __init__(self, model: Model, clock: SimulatedTime, seed: int) -> None:
        self.model, self.clock, self.draw = model, clock, random.Random(seed)
        self.seed, self.started = seed, 0

    def length(self, number: int) -> float:
        """Seconds that an order takes at full speed: the same whoever does it."""
        draw = random.Random(self.seed * 1_000_003 + number)
        return self.model.seconds * math.exp(draw.gauss(0.0, self.model.spread) - self.model.spread**2 / 2)

    def start(self, post: Post) -> SimulatedWorker:
        """One more."""
        self.started += 1
        return SimulatedWorker(self, post, self.model.slow if self.started % 3 == 0 else 1.0)

    def close(self) -> None:
        """Nothing is left to do."""


class SimulatedDisk:
    """Keeps nothing but the clock busy."""

    def __init__(self, clock: SimulatedTime) -> None:
        self.clock, self.kept = clock, set[int]()

    def add_all(self, results: list[tuple[int, Any]]) -> None:
        """A commit."""
        numbers = {number for number, _ in results}
        assert len(numbers) == len(results) and numbers.isdisjoint(self.kept), "each result once"
        self.kept |= numbers
        self.clock.spend(COMMIT_SECONDS)


@dataclass(frozen=True)
class Outcome:
    """How a simulated run went."""

    efficiency: float
    """Of what all workers could have done in that time, at their speeds."""
    seconds: float
    """That it took."""
    repeated: int
    """Results that were found twice."""
    died: int
    """Workers that were replaced."""


def simulate(model: Model, seed: int = 1) -> Outcome:
    """Run the orders of a model."""
    clock = SimulatedTime()
    cluster, disk = SimulatedCluster(model, clock, seed), SimulatedDisk(clock)
    with Crew(Terms("simulated:work", {}), [(cluster, model.workers)], clock) as crew:
        coordinator = Coordinator(crew)
        for part in range(model.rounds):
            numbers = range(model.orders * part // model.rounds, model.orders * (part + 1) // model.rounds)
            for _ in coordinator.results(numbers, disk):
                pass
    work = sum(cluster.length(number) for number in range(model.orders))
    slow = cluster.started // 3 / cluster.started
    efficiency = work / (model.workers * (1.0 - slow + slow * model.slow) * clock.now())
    return Outcome(efficiency, clock.now(), coordinator.repeated, cluster.started - model.workers)


WORKERS = (2, 32, 128, 512)
JOBS: dict[str, Callable[[int], Model]] = {
    "10,000 games of 20 s": lambda workers: Model(workers, 10_000, 20.0),
    "40,000 games of 0.5 s": lambda workers: Model(workers, 40_000, 0.5),
    "self-play: 20 rounds of 2,000 shards of 5 s": lambda workers: Model(workers, 40_000, 5.0, rounds=20),
}


def main() -> None:
    """Print the efficiencies."""
    parser = argparse.ArgumentParser(
        prog="python -m plyforge.work.simulate",
        description="How well a crew would be used: the real coordinator, with modelled workers. Without options: the"
        " guide's table, which takes half a minute.",
    )
    parser.add_argument("--workers", type=int, action="append", metavar="N", help="how many; may be repeated")
    parser.add_argument("--orders", type=int, metavar="N", help="how many games, or other orders, of your own work")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="that one of them takes")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="in so many rounds, as learning has them")
    asked = parser.parse_args()
    numbers = [asked.seconds, asked.rounds, asked.orders or 1, *(asked.workers or [])]
    if not all(0 < number < 1e7 for number in numbers):
        parser.error("all numbers must be above 0, and below ten million")
    jobs = JOBS
    if asked.orders:
        jobs = {
            f"{asked.orders:,} orders of {asked.seconds:g} s": lambda workers: Model(
                workers, asked.orders, asked.seconds, rounds=asked.rounds
            )
        }
    workers = asked.workers or WORKERS
    print("One worker in three at 0.7 of the speed; each dies once an hour; 12 s to start; 10 ms a message.")
    print(f"{'':46}" + "".join(f"{each:>8}" for each in workers) + "  workers")
    for name, make in jobs.items():
        print(f"{name:46}", end="")
        for each in workers:
            print(f"{100 * simulate(make(each)).efficiency:6.1f} %", end="")
            sys.stdout.flush()
        print()


if __name__ == "__main__":
    main()
