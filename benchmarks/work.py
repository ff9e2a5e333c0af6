"""What sharing work out costs: overhead of an order, efficiency of two workers, results a second, and whether anything
is lost when workers and coordinators are killed.

    python benchmarks/work.py [--jobs] [--ray] [--kills]

Overheads are processor time, efficiencies are of orders that sleep: both mean something on a machine that is busy with
other work, too.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyforge.work import Coordinator, Order, Terms, hire
from plyforge.work.record import Record

KIND, COMPUTING = "work:make_naps", "work:make_sums"
TIMES = {"seconds", "used", "late"}
"""What a record of a match says of time."""
HERE = Path(__file__).resolve().parent


def make_naps(data: dict[str, Any]) -> Any:
    """Orders that sleep."""

    def do(order: Order) -> int:
        if data["seconds"]:
            time.sleep(data["seconds"])
        return order.number * 2

    return do


def add_up(steps: int) -> int:
    """Computing that takes a while."""
    total = 0
    for number in range(steps):
        total = (total * 31 + number) & 0xFFFF_FFFF
    return total


def make_sums(data: dict[str, Any]) -> Any:
    """Orders that compute."""

    def do(order: Order) -> int:
        return add_up(data["steps"])

    return do


def steps_in(seconds: float) -> int:
    """How much `add_up` does in that time."""
    add_up(100_000)
    began = time.perf_counter()
    add_up(2_000_000)
    return int(2_000_000 * seconds / (time.perf_counter() - began))


def processor_seconds(who: int) -> float:
    """Of this process, or of its children that have ended."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def overhead(orders: int = 5000) -> None:
    """Orders that do nothing, with results on disk."""
    with tempfile.TemporaryDirectory() as folder:
        children = processor_seconds(resource.RUSAGE_CHILDREN)
        with (
            Record(Path(folder) / "record", {}) as record,
            hire(Terms.of(KIND, {"seconds": 0.0}), workers=2) as crew,
        ):
            coordinator = Coordinator(crew)
            list(coordinator.results(range(10), record))
            own, began = processor_seconds(resource.RUSAGE_SELF), time.perf_counter()
            list(coordinator.results(range(10, 10 + orders), record))
            seconds = time.perf_counter() - began
            own = processor_seconds(resource.RUSAGE_SELF) - own
        children = processor_seconds(resource.RUSAGE_CHILDREN) - children
    print(f"an order costs the coordinator {1000 * own / orders:.3f} ms of its processor, and all processes, with")
    print(
        f"  starting two workers, {1000 * (own + children) / orders:.3f} ms; {orders / seconds:,.0f} results a second"
    )


def efficiency(where: str, orders: int = 150, seconds: float = 0.1, *, computing: bool = False) -> None:
    """Two workers, once they are there, against two processes that know nothing of each other."""
    steps = steps_in(seconds) if computing else 0
    terms = Terms.of(COMPUTING, {"steps": steps}) if computing else Terms.of(KIND, {"seconds": seconds})
    with hire(terms, where) as crew:
        coordinator = Coordinator(crew)
        list(coordinator.results(range(8)))
        while crew.ready < 2:
            list(coordinator.results([0]))
        shared, independent = [], []
        for _ in range(2):
            began = time.perf_counter()
            list(coordinator.results(range(orders)))
            shared.append(time.perf_counter() - began)
            independent.append(two_alone(orders // 2, seconds, steps))
    what = "computing" if computing else "sleep"
    percent = [100 * two / one for one, two in zip(shared, independent, strict=True)]
    print(
        f"{where}: {orders} orders of {seconds:g} s of {what}:"
        f" {' and '.join(f'{each:.1f}' for each in percent)} % of two independent processes",
        flush=True,
    )


def two_alone(times: int, seconds: float, steps: int) -> float:
    """Seconds that two processes need for so many orders each."""
    one = f"work.add_up({steps})" if steps else f"time.sleep({seconds})"
    program = (
        f"import time, work\nt = time.perf_counter()\nfor _ in range({times}): {one}\nprint(time.perf_counter() - t)"
    )
    alone = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) for _ in range(2)]
    return max(float(process.communicate()[0]) for process in alone)


def one_life(file: str, orders: int) -> None:
    """A coordinator that may be killed: does what is left of a run, and kills workers of its own now and then."""
    draw = random.Random(os.getpid())
    with Record(file, {"what": "naps"}) as record, hire(Terms.of(KIND, {"seconds": 0.02}), workers=2) as crew:
        left = [number for number in range(orders) if number not in record.results]

        def kill() -> None:
            while True:
                time.sleep(draw.uniform(0.2, 0.6))
                there = [place.process for place in crew.places if place.ready and place.process]
                if there:
                    os.kill(draw.choice(there), signal.SIGKILL)
                    print("killed", flush=True)

        threading.Thread(target=kill, daemon=True).start()
        list(Coordinator(crew).results(left, record))


def kills(orders: int = 1000, coordinators: int = 20) -> None:
    """The same run, its coordinator killed so often, and its workers all the time."""
    with tempfile.TemporaryDirectory() as folder:
        file, killed, workers = Path(folder) / "record.jsonl", 0, 0
        while True:
            process = subprocess.Popen(
                [sys.executable, str(HERE / "work.py"), "--life", str(file), str(orders)], stdout=subprocess.PIPE
            )
            try:
                said, _ = process.communicate(timeout=random.uniform(2.0, 4.0) if killed < coordinators else None)
            except subprocess.TimeoutExpired:
                process.kill()
                said, _ = process.communicate()
                killed += 1
            workers += said.count(b"killed")
            if process.returncode == 0:
                break
        lines = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    right = {line["number"]: line["result"] for line in lines} == {number: 2 * number for number in range(orders)}
    print(
        f"{killed} coordinators and {workers} workers killed: {len(lines)} results, {'all right' if right else 'WRONG'}"
    )


def matched(file: Path, games: int) -> subprocess.Popen[bytes]:
    """A match at fixed nodes, which keeps a record."""
    seats = ["connect4", "uct:simulations=200", "uct:simulations=100"]
    how = ["--games", str(games), "--workers", "2", "--record", str(file)]
    return subprocess.Popen([sys.executable, "-m", "plyforge", "match", *seats, *how], stdout=subprocess.DEVNULL)


def children_of(process: int) -> list[int]:
    """Processes that it has started; where the system does not say, none."""
    try:
        return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def games_of(file: Path) -> dict[int, dict[str, Any]]:
    """A record without its times."""
    lines = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    found = {line["number"]: {name: said for name, said in line.items() if name not in TIMES} for line in lines}
    assert len(found) == len(lines), "a game is there twice"
    return found


def killed_match(games: int = 400, coordinators: int = 20, workers: int = 50) -> None:
    """A match that is killed all the time, against one that is left alone: the same record, but for times."""
    with tempfile.TemporaryDirectory() as folder:
        alone, file = Path(folder) / "alone.jsonl", Path(folder) / "killed.jsonl"
        assert matched(alone, games).wait() == 0
        gone = lost = 0
        process = matched(file, games)
        while process.poll() != 0:
            if process.poll() is not None:
                process = matched(file, games)  # five workers of a place were killed before they were ready
            time.sleep(random.uniform(1.0, 3.0))  # so long it may take to start one
            there = children_of(process.pid)
            if there and lost < workers:
                os.kill(random.choice(there), signal.SIGKILL)
                lost += 1
            many = len(file.read_bytes().splitlines()) if file.exists() else 0
            if gone < coordinators and many > (gone + 1) * games // (coordinators + 2):
                process.kill()
                process.wait()
                gone += 1
                process = matched(file, games)
        same = games_of(alone) == games_of(file)
        print(
            f"{gone} coordinators and {lost} workers of a match killed: {len(games_of(file))} games, each once;"
            f" {'the record of one that was left alone, but for times' if same else 'WRONG'}"
        )


def ray_nodes() -> None:
    """Two nodes on this machine, by Ray's own test cluster."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes = [cluster.add_node(num_cpus=1)]
    try:
        efficiency(f"ray*2:{cluster.address}")
        efficiency(f"ray*2:{cluster.address}", computing=True)
        lose_nodes(cluster, nodes)
    finally:
        cluster.shutdown()


def lose_nodes(cluster: Any, nodes: list[Any], orders: int = 1000, times: int = 2) -> None:
    """A run in which one of two nodes is lost, so often, and another one comes."""
    kept: list[tuple[int, Any]] = []
    with hire(Terms.of(KIND, {"seconds": 0.02}), f"ray*2:{cluster.address}") as crew:
        for done, (number, result) in enumerate(Coordinator(crew).results(range(orders))):
            kept.append((number, result))
            if done in range(orders // 4, orders // 4 * (times + 1), orders // 4):
                cluster.remove_node(nodes.pop(), allow_graceful=False)
                nodes.append(cluster.add_node(num_cpus=1))
    right = sorted(kept) == [(number, 2 * number) for number in range(orders)]
    print(f"a node lost {times} times: {len(kept)} results, {'all right' if right else 'WRONG'}")


def seconds_of(run: Callable[[int], object], few: int, many: int) -> tuple[float, float]:
    """Seconds that `many` take from call to result, with all that is to be started, and those beyond `few`. What is
    compiled is there before."""
    times = []
    for number in (few, few, many):
        began = time.perf_counter()
        run(number)
        times.append(time.perf_counter() - began)
    return times[2], times[2] - times[1]


def jobs() -> None:
    """What two workers do in the time of one process."""
    from plyforge.learn import TemporalDifferences
    from plyforge.play.match.multiplayer import TableMatch
    from plyforge.solve import rollouts

    seats = ["max_n:nodes=20000", "paranoid:nodes=20000", "random"]

    def play_table(rounds: int, workers: int | None) -> None:
        TableMatch("chinese_checkers", seats, rounds=rounds, workers=workers).run()

    with tempfile.TemporaryDirectory() as folder:

        def learn(games: int, workers: int | None) -> None:
            place = Path(tempfile.mkdtemp(dir=folder)) / "network.npz"
            TemporalDifferences("backgammon", place, games=games, units=40, batch=2000, shards=2, workers=workers).run()

        kinds: dict[str, tuple[Callable[..., object], int, int]] = {
            "rollout": (
                lambda games, workers: rollouts("backgammon", games=games, actions=1, workers=workers),
                288,
                180_000,
            ),
            "table": (play_table, 1, 40),
            "learn": (learn, 2000, 36_000),
        }
        for name, (run, few, many) in kinds.items():
            one, two = (seconds_of(functools.partial(run, workers=who), few, many) for who in (None, 2))
            print(
                f"{name}: {one[0]:.1f} s by one process, {two[0]:.1f} s by two workers, {one[0] / two[0]:.2f} x;"
                f" without starting {one[1]:.1f} and {two[1]:.1f} s, {one[1] / two[1]:.2f} x",
                flush=True,
            )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ray", action="store_true", help="also two nodes of Ray")
    parser.add_argument("--kills", action="store_true", help="also kill workers and coordinators, for a minute or two")
    parser.add_argument("--life", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--jobs", action="store_true", help="also rollouts, tables and learning, on a quiet machine")
    asked = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
    if asked.life:
        one_life(asked.life[0], int(asked.life[1]))
        return
    overhead()
    efficiency("local*2")
    efficiency("local*2", computing=True)
    if asked.kills:
        kills()
        killed_match()
    if asked.jobs:
        jobs()
    if asked.ray:
        os.environ.setdefault("RAY_AUTH_MODE", "token")
        os.environ.setdefault("RAY_AUTH_TOKEN", "0" * 64)
        os.environ.setdefault("RAY_worker_niceness", "0")
        ray_nodes()


if __name__ == "__main__":
    main()
