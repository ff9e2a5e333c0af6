"""What workers, disks and clocks may do to a run: a sentence each, nothing lost, nothing doubled. Workers are played
by the test itself, so no process is started."""

from __future__ import annotations

import os
from typing import Any

import pytest

from plyforge.errors import PlyforgeError
from plyforge.work import Coordinator, Crew, Noted, Terms
from plyforge.work.mailbox import Gone
from plyforge.work.record import Record
from plyforge.work.simulate import Model, SimulatedTime, simulate

TERMS = Terms("tests:squares", {})


class Played:
    """A worker whose behaviour a test decides: `answer` gets a number, and says what to post, if anything."""

    def __init__(self, launcher: PlayedLauncher, post: Any) -> None:
        self.launcher, self.post, self.alive = launcher, post, True

    def send(self, said: dict[str, Any]) -> None:
        if "terms" in said:
            self.post(self, {"ready": True})
        for number, _ in said.get("do", ()):
            if self.alive:
                for word in self.launcher.answer(self, number):
                    self.post(self, word)

    def kill(self) -> None:
        self.alive = False
        self.launcher.killed += 1

    def leave(self) -> None:
        self.alive = False


class PlayedLauncher:
    name = "played"

    def __init__(self, answer: Any) -> None:
        self.answer, self.killed, self.started = answer, 0, 0

    def start(self, post: Any) -> Played:
        self.started += 1
        return Played(self, post)

    def close(self) -> None:
        pass


def right(number: int, run: str = TERMS.digest) -> dict[str, Any]:
    return {"done": [[number, number**2, 0.01]], "run": run}


def run(answer: Any, clock: Any = None, workers: int = 2, **options: Any) -> tuple[dict[int, int], Any, PlayedLauncher]:
    launcher = PlayedLauncher(answer)
    with Crew(TERMS, [(launcher, workers)], clock or SimulatedTime()) as crew:
        crew.notes = []
        coordinator = Coordinator(crew, **options)
        found = list(coordinator.results(range(20)))
    assert sorted(found) == [(number, number**2) for number in range(20)], "each once"
    return dict(found), coordinator, launcher


def test_answering_twice_counts_once() -> None:
    _, coordinator, _ = run(lambda worker, number: [right(number), right(number)])
    assert coordinator.repeated == 20


def test_answers_for_another_run_and_for_orders_that_nobody_gave_do_not_count() -> None:
    _, coordinator, _ = run(
        lambda worker, number: [{"done": [[number, -1, 0.0]], "run": "another"}, right(977), right(number)]
    )
    assert any("answered for another run" in note for note in coordinator.notes)
    assert any("an order of another time" in note for note in coordinator.notes)


NONSENSE = [b"\xff\x00\n", b"[1, 2]\n", {"done": "x", "run": TERMS.digest}, {"done": [[1]], "run": TERMS.digest}]


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_a_worker_that_talks_nonsense_is_replaced(nonsense) -> None:
    said = []

    def answer(worker: Played, number: int) -> list[Any]:
        if number == 5 and not said:
            said.append(number)
            return [nonsense]
        return [right(number)]

    _, coordinator, _ = run(answer)
    assert "it said what" in coordinator.crew.last_words


def test_a_worker_that_hangs_is_replaced_and_its_late_answer_does_not_count() -> None:
    hanging = []

    def answer(worker: Played, number: int) -> list[Any]:
        if number == 7 and not hanging:
            hanging.append(worker)
            return []
        return [right(number)]

    _, coordinator, launcher = run(answer, workers=1)
    assert launcher.started == 2
    assert coordinator.crew.now() > 290, "after its patience, not before"


def test_the_last_orders_are_done_twice_where_somebody_is_slow() -> None:
    slow = []

    def answer(worker: Played, number: int) -> list[Any]:
        if number == 7 and not slow:
            slow.append(worker)
            return []
        return [right(number)]

    _, coordinator, launcher = run(answer)
    assert launcher.started == 2 and coordinator.crew.now() < 5, "nobody waits for the slow one"


def test_a_clock_that_jumps_makes_nobody_late() -> None:
    class Jumping(SimulatedTime):
        jumped = 0.0

        def now(self) -> float:
            return self.time + self.jumped

        def get(self, seconds: float) -> Any:
            word = super().get(seconds)
            if word is not None and isinstance(word[1], dict) and "done" in word[1]:
                self.jumped += (1e6, -3e5)[word[1]["done"][0][0] % 2]
            return word

    _, _, launcher = run(lambda worker, number: [right(number)], Jumping())
    assert launcher.started == 2 and launcher.killed == 2, "ended at the end only"


def test_a_machine_that_refuses_is_left_out_and_told_of() -> None:
    class Refusing(PlayedLauncher):
        def start(self, post: Any) -> Played:
            worker = super().start(post)
            worker.send = lambda said: post(worker, {"refused": "no rules here"})  # type: ignore[method-assign]
            return worker

    good = PlayedLauncher(lambda worker, number: [right(number)])
    where = [(good, 1), (Refusing(None), 2)]
    with (
        pytest.warns(Noted, match=r"worker 2 \(played\) is not used: no rules here"),
        Crew(TERMS, where, SimulatedTime()) as crew,
    ):
        assert len(dict(Coordinator(crew).results(range(20)))) == 20
    assert good.started == 1, "and the others go on"


def test_orders_may_follow_from_results_and_stragglers_be_left_alone() -> None:
    def answer(worker: Played, number: int) -> list[Any]:
        if number == 3 and not slow:
            slow.append(worker)
            worker.launcher.clock.at(500.0, lambda moment: worker.post(worker, right(3)))
            return []
        return [right(number)]

    slow: list[Played] = []
    launcher = PlayedLauncher(answer)
    launcher.clock = clock = SimulatedTime()
    with Crew(TERMS, [(launcher, 2)], clock) as crew:
        coordinator = Coordinator(crew, patience=1000.0, doubles=False)
        found = {}
        for number, result in coordinator.results({0: None, 3: None}):
            found[number] = result
            if number < 2:
                coordinator.more({number + 1: None})
    assert found == {number: number**2 for number in range(4)}
    assert clock.time >= 500.0 and coordinator.repeated == 0 and launcher.started == 2


def test_an_unknown_death_comes_back_and_is_done_by_others() -> None:
    died = []

    def answer(worker: Played, number: int) -> list[Any]:
        if number % 4 == 1 and number not in died:
            died.append(number)
            worker.alive = False
            return [Gone("the line broke", True)]
        return [right(number)]

    _, _, launcher = run(answer)
    assert len(died) == 5 and launcher.started >= 6


# ------------------------------------------------------------------ what orders tell of themselves
def telling(number: int, said: Any, patience: float | None = None) -> dict[str, Any]:
    return {"progress": said, "number": number, "patience": patience, "run": TERMS.digest}


def test_what_an_order_has_told_may_be_its_result_when_its_worker_ends() -> None:
    asked = []

    def answer(worker: Played, number: int) -> list[Any]:
        if number != 7:
            return [right(number)]
        worker.alive = False
        return [telling(7, "one"), telling(3, "of another"), telling(7, "two"), Gone("it crashed")]

    def salvage(number: int, told: list[Any], gone: Gone) -> int:
        asked.append((number, told, gone.how))
        return number**2

    run(answer, salvage=salvage)
    assert asked == [(7, ["one", "two"], "it crashed")]


def test_what_is_not_saved_is_done_again_and_what_told_nothing_is_nobodys() -> None:
    asked = []

    def answer(worker: Played, number: int) -> list[Any]:
        if number not in (5, 7) or (number == 7 and asked) or (number == 5 and worker.launcher.started > 2):
            return [right(number)]
        worker.alive = False
        return [*([telling(7, "one")] if number == 7 else []), Gone("it was ended", True)]

    run(answer, salvage=lambda *what: asked.append(what))
    assert [number for number, _, _ in asked] == [7]


def test_an_order_says_how_long_it_may_be_silent() -> None:
    silent = []

    def answer(worker: Played, number: int) -> list[Any]:
        if number != 7 or silent:
            return [right(number)]
        silent.append(worker)
        return [telling(7, "thinking", 5.0)]

    def salvage(number: int, told: list[Any], gone: Gone) -> int:
        assert gone.silent and "silent" in gone.how
        return number**2

    _, coordinator, _ = run(answer, workers=1, salvage=salvage)
    assert 5.0 < coordinator.crew.now() < 10.0, "five seconds after it was heard of, not the usual 300"


@pytest.mark.parametrize("word", [{"progress": 1}, {"number": 7}, {"progress": 1, "number": "x", "patience": "long"}])
def test_a_word_of_progress_that_is_none_is_passed_over(word) -> None:
    run(lambda worker, number: [word | {"run": TERMS.digest}, right(number)])


# ------------------------------------------------------------------ records
def test_a_record_keeps_each_result_once_and_the_rest_is_done_later(tmp_path) -> None:
    path = tmp_path / "squares.jsonl"
    with Record(path, {"what": "squares"}) as record:
        record.add_all((number, number**2) for number in range(10))
        with pytest.raises(PlyforgeError, match=r"squares.jsonl is in use: another run is writing it"):
            Record(path, {"what": "squares"})
        with pytest.raises(PlyforgeError, match="result 3 is there already"):
            record.add_all([(11, 121), (3, 9)])
    with path.open("ab") as file:
        file.write(b'{"number": 10, "res')
    with Record(path, {"what": "squares"}) as record:
        assert record.dropped and record.results == {number: number**2 for number in range(10)}
    with pytest.raises(PlyforgeError, match='not the record of this run: what is "squares" there, and "cubes" here'):
        Record(path, {"what": "cubes"})


def test_a_full_disk_is_said_and_keeps_what_was_kept(tmp_path, monkeypatch) -> None:
    path = tmp_path / "squares.jsonl"
    with Record(path, {"what": "squares"}) as record:
        record.add_all([(1, 1)])
        monkeypatch.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        launcher = PlayedLauncher(lambda worker, number: [right(number)])
        with (
            Crew(TERMS, [(launcher, 1)], SimulatedTime()) as crew,
            pytest.raises(PlyforgeError, match=r"No space left on device. The results before are kept: make room"),
        ):
            list(Coordinator(crew).results(range(2, 9), record))
        monkeypatch.undo()
    with Record(path, {"what": "squares"}) as record:
        assert record.results == {1: 1} and not record.dropped


# ------------------------------------------------------------------ large clusters
def test_a_large_cluster_is_used_well_and_loses_nothing() -> None:
    """The figures of the guide, smaller: thirty-two workers of which one in three is slow, and which die."""
    outcome = simulate(Model(32, 1000, 20.0, life=600.0))
    assert outcome.efficiency > 0.9 and outcome.died > 5
    assert simulate(Model(32, 1000, 20.0, life=600.0)) == outcome, "the same seed, the same run"
