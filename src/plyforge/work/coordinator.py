"""The coordinator: hands out orders, takes in results, and has them written before they count.

    with Crew(terms, [(local, 2)]) as crew:
        for number, result in Coordinator(crew).results(range(1000), keeper=record):
            ...

Claims:
- Every order's result is yielded once, after it is on disk, whatever happens to workers: those that die, hang, answer
  twice, or answer for another run. With fixed terms the results are the same whoever did the work, in another order.
- Results that come together are committed together: one wait for the disk for all of them.
- An order with which every worker fails is given up; the others are finished, and then `GivenUp` says which.
- What an order raises ends the run, as it would in a loop: it would be raised anywhere.
- Where a worker ends in the middle of an order, `salvage` may make a result of what the order has told of itself: a
  game is lost for who was to move.

A clock that jumps, or a coordinator that was stopped for a while, makes no worker late: a gap between two looks is
subtracted from all leases.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from plyforge.errors import PlyforgeError
from plyforge.work.crew import Crew, Event, Place
from plyforge.work.leases import PATIENCE, TRIES, Leases
from plyforge.work.mailbox import Gone

TICK = 0.1
"""Seconds between two looks at those who are silent, or without work."""
COMMIT_EVERY = 0.05
"""Seconds that a result waits for others at most before all are written."""
GAP = 10.0
"""Seconds between two looks that nobody's silence explains."""
MOST_GIVEN_UP = 10
"""Orders: if there are more, something else is wrong, and the run ends."""
SHOWN = 5
"""Numbers of orders that a message names."""


class Keeper(Protocol):
    """Where results are kept."""

    def add_all(self, results: list[tuple[int, Any]]) -> None:
        """Keep them: when this returns, they are on disk. Raises PlyforgeError, with none of them kept."""


Salvage = Callable[[int, list[Any], Gone], Any]
"""The number of an order, what it has told, and how its worker ended: its result; None if it is to be done again."""


class GivenUp(PlyforgeError):
    """Orders with which every worker failed."""

    def __init__(self, message: str, numbers: tuple[int, ...]) -> None:
        super().__init__(message)
        self.numbers = numbers


class Coordinator:
    """Orders for one crew; see the module's text."""

    def __init__(
        self,
        crew: Crew,
        *,
        patience: float = PATIENCE,
        tries: int = TRIES,
        salvage: Salvage | None = None,
        doubles: bool = True,
        one: str = "order",
    ) -> None:
        """After so many seconds of silence a worker is taken for hanging; so many workers may an order cost. `doubles`:
        near the end, what takes long is done by others, too. Messages call an order `one`."""
        self.crew, self.patience, self.tries, self.doubles = crew, patience, tries, doubles
        self.salvage, self.one = salvage, one
        self.notes: list[str] = crew.notes
        """What went wrong and was mended, each once."""
        self.repeated = 0
        """Results that came when another worker had done the order."""
        self._given: dict[int, Any] = {}
        self._looked = self._last = crew.now()
        self._fresh: list[tuple[int, Any]] = []

    def results(
        self, orders: Iterable[int] | Mapping[int, Any], keeper: Keeper | None = None
    ) -> Iterator[tuple[int, Any]]:
        """The results of orders, as they come: numbers, or what is given with each number."""
        self._given = dict(orders) if isinstance(orders, Mapping) else {}
        self.leases = leases = Leases(orders, patience=self.patience, tries=self.tries, doubles=self.doubles)
        self._fresh = []
        crew = self.crew
        self._looked = self._last = written = crew.now()
        self._look(written)
        try:
            while leases.open or self._fresh:
                event = crew.hear(0.0 if self._fresh else TICK)
                now = self._mind_the_gap()
                if event is not None:
                    self._heard(event, now)
                if now - self._looked >= TICK:
                    self._look(now)
                if self._fresh and (event is None or now - written >= COMMIT_EVERY):
                    yield from self._commit(keeper)
                    written = crew.now()
        except (KeyboardInterrupt, PlyforgeError):
            self._commit(keeper)
            raise
        if leases.given_up:
            raise self._given_up(leases.given_up)

    def more(self, orders: Mapping[int, Any]) -> None:
        """Orders that follow from results: whoever takes these may say so before taking the next."""
        self._given.update(orders)
        self.leases.more(orders)

    def _commit(self, keeper: Keeper | None) -> list[tuple[int, Any]]:
        """What has come since the last time, now on disk."""
        with undisturbed():
            results, self._fresh = self._fresh, []
            if keeper is not None and results:
                keeper.add_all(results)
        return results

    def _mind_the_gap(self) -> float:
        """The time. If nobody looked for long, or the clock has jumped, all that is waited for is put off by that."""
        now = self.crew.now()
        gap, self._last = now - self._last, now
        if not 0.0 <= gap <= GAP:
            self._looked += gap
            self.leases.shift(gap)
            for place in self.crew.places:
                place.began += gap
                place.again += gap
        return now

    # ------------------------------------------------------------ giving
    def _look(self, now: float) -> None:
        """Once a TICK: who is silent, who has died and can be replaced, who has nothing to do."""
        self._looked = now
        for worker in self.leases.silent(now):
            place = self._place(worker)
            if place is not None:
                self._heard(self.crew.kill(place, Gone("its process was silent, and was killed", silent=True)), now)
        self.crew.keep(len(self.leases.open))
        for place in self.crew.places:
            if place.ready and not self._has_work(place) and not self._supply(place, now):
                break  # nor is there anything for others

    def _has_work(self, place: Place) -> bool:
        hand = self.leases.hands.get(place.handle)
        return hand is not None and bool(hand.orders)

    def _place(self, worker: Any) -> Place | None:
        return self.crew.by_handle.get(worker)

    def _supply(self, place: Place, now: float) -> bool:
        """Fill a worker's hand; False if there is nothing for it."""
        if not place.ready or place.handle is None:
            return False
        numbers = self.leases.give(place.handle, max(1, self.crew.ready), now)
        if not numbers:
            taken = self.leases.take_over(place.handle, now)
            if taken is None:
                return False
            numbers = [taken[0]]
            self._drop(taken[1], taken[0])
        self.crew.send(place, {"do": [[number, self._given.get(number)] for number in numbers]})
        return True

    def _drop(self, workers: list[Any], number: int) -> None:
        for worker in workers:
            place = self._place(worker)
            if place is not None:
                self.crew.send(place, {"drop": [number]})

    # ------------------------------------------------------------ taking
    def _heard(self, event: Event, now: float) -> None:
        place, said = event.place, event.said
        if isinstance(said, Gone):
            self._forget_gone(said)
            return
        if "ready" in said:
            self._supply(place, now)
        elif said.get("run") != self.crew.terms.digest:
            self._note(f"{place.name} answered for another run: that does not count")
        elif "done" in said:
            self._done(place, said["done"], now)
        elif "failed" in said:
            if said.get("number") in self.leases.open:
                raise PlyforgeError(f"{self.one} {said['number']} can't be done: {said['failed']}")
        elif place.handle is not None and _is_progress(said):
            self.leases.progress(place.handle, said["number"], said["progress"], said.get("patience"), now)

    def _forget_gone(self, gone: Gone) -> None:
        """Whoever is no longer in the crew leaves its orders to others."""
        for worker in [worker for worker in self.leases.hands if self._place(worker) is None]:
            self._save(worker, gone)
            number = self.leases.lose(worker, gone.how, gone.from_outside)
            if number is not None:
                self._note(f"{self.one} {number} is given up: every worker failed with it; the last: {gone.how}")
        if len(self.leases.given_up) > MOST_GIVEN_UP:
            raise self._given_up(self.leases.given_up)

    def _save(self, worker: Any, gone: Gone) -> None:
        """What the order in progress has told may be a result."""
        hand = self.leases.hands[worker]
        if self.salvage is None or not hand.orders or not hand.told or hand.orders[0] not in self.leases.open:
            return
        number = hand.orders[0]
        result = self.salvage(number, hand.told, gone)
        if result is not None and self.leases.finish(worker, number, -1.0, self.crew.now()):
            self._fresh.append((number, result))
            self._drop(self.leases.forget_elsewhere(number), number)

    def _done(self, place: Place, answers: Any, now: float) -> None:
        worker = place.handle
        if not _are_answers(answers):
            self._heard(self.crew.kill(place, Gone(f"it said what are no answers: {str(answers)[:80]!r}")), now)
            return
        for number, result, seconds in answers:
            if number not in self.leases.known:
                self._note(f"{place.name} answered for an order of another time: that does not count")
            elif self.leases.finish(worker, number, seconds, now):
                self._fresh.append((number, result))
                self._drop(self.leases.forget_elsewhere(number), number)
            else:
                self.repeated += 1
        self._supply(place, now)

    def _note(self, words: str) -> None:
        if words not in self.notes:
            self.notes.append(words)

    def _given_up(self, found: dict[int, str]) -> GivenUp:
        numbers = tuple(sorted(found))
        named = ", ".join(map(str, numbers[:SHOWN])) + (" ..." if len(numbers) > SHOWN else "")
        which = f"{self.one} {named} was" if len(numbers) == 1 else f"{len(numbers)} {self.one}s were ({named})"
        return GivenUp(
            f"{which} given up, every worker failed with {'it' if len(numbers) == 1 else 'them'}: the last one"
            f" {found[numbers[-1]]}. What else was finished is kept",
            numbers,
        )


def _are_answers(said: Any) -> bool:
    return isinstance(said, list) and all(
        isinstance(one, (list, tuple)) and len(one) == 3 and type(one[0]) is int and isinstance(one[2], (int, float))
        for one in said
    )


def _is_progress(said: dict[str, Any]) -> bool:
    patience = said.get("patience")
    return (
        "progress" in said and type(said.get("number")) is int and (patience is None or type(patience) in (int, float))
    )


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C waits until what is inside is done: results are on disk and counted, or neither."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if came:
        raise KeyboardInterrupt


__all__ = ["Coordinator", "GivenUp", "Keeper", "undisturbed"]
