"""Which orders are open, who has them, and since when: the bookkeeping of a run, without processes or clocks.

Every worker has a hand of orders, which it does one after another: the first one is in progress, the others wait there
so that the worker need not. A lease is on progress: it begins anew with every order begun and every word of progress,
and lasts for `max(10 x the median of what orders took, patience)`, or as long as the order has asked for.

Near the end, when no order is left to begin, a worker without work is given what waits in another's hand; then, as a
second try, what has been in progress elsewhere for longer than usual. The first result counts.

Invariants:
- Every number is waiting, in at least one hand, finished, or given up; and it is finished once.
- Whoever ends with several orders in hand may have ended in any of them: from then on each is handed out alone. Whoever
  ends in such a one is counted against it: it is given up after `tries` crashes or silences, or after REPLAYS workers
  that were ended from outside, which is seldom the order's fault.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

AHEAD = 0.25
"""Seconds of work in a hand beyond the order in progress: a slow line, or a slow disk, makes nobody wait."""
MOST_AHEAD = 256
"""Orders in a hand, however quick they are."""
PATIENCE = 300.0
"""Seconds of silence after which a worker is taken for hanging, where nobody says."""
LONGER = 10.0
"""So many medians are as good as patience."""
TRIES = 3
"""Workers that an order may crash, or silence."""
REPLAYS = 8
"""Workers of an order that may be ended from outside."""
STRAGGLES = 2.0
"""So many medians after its beginning, and no earlier than LATE seconds, an order near the end is done twice."""
LATE = 1.0
REMEMBERED = 101
"""So many durations make the median."""

Worker = Any
"""Whatever tells one worker from another, and can be hashed."""


@dataclass
class Hand:
    """What one worker has."""

    orders: deque[int] = field(default_factory=deque)
    began: float = 0.0
    """When the first of them was begun, as far as is known here."""
    heard: float = 0.0
    """When there was progress last."""
    patience: float | None = None
    """Seconds of silence that the order in progress has asked for."""
    told: list[Any] = field(default_factory=list)
    """What the order in progress has told of itself."""

    def begin(self, now: float) -> None:
        """The first order is begun."""
        self.began = self.heard = now
        self.patience, self.told = None, []


class Leases:
    """The orders of a run; see the module's text."""

    def __init__(
        self, numbers: Iterable[int], *, patience: float = PATIENCE, tries: int = TRIES, doubles: bool = True
    ) -> None:
        """`doubles`: near the end, what has been in progress for long is done by others, too."""
        self.waiting: deque[int] = deque()
        self.open: set[int] = set()
        """Neither finished nor given up."""
        self.known: set[int] = set()
        self.more(numbers)
        self.patience, self.tries, self.doubles = patience, tries, doubles
        self.hands: dict[Worker, Hand] = {}
        self.holders: dict[int, set[Worker]] = {}
        self.crashes: Counter[int] = Counter()
        self.ended: Counter[int] = Counter()
        self.given_up: dict[int, str] = {}
        """What was said of the last worker of each."""
        self.suspects: set[int] = set()
        """They were in the hands of workers that have ended."""
        self._took: deque[float] = deque(maxlen=REMEMBERED)
        self._median: float | None = None

    @property
    def median(self) -> float | None:
        """Of the seconds that orders took; None before the first."""
        if self._median is None and self._took:
            self._median = statistics.median(self._took)
        return self._median

    @property
    def silence(self) -> float:
        """Seconds without a word that a worker is granted."""
        return max(self.patience, LONGER * (self.median or 0.0))

    # ------------------------------------------------------------ giving
    def more(self, numbers: Iterable[int]) -> None:
        """Orders that nobody knew of before."""
        fresh = list(numbers)
        self.waiting.extend(fresh)
        self.open.update(fresh)
        self.known.update(fresh)

    def give(self, worker: Worker, workers: int, now: float) -> list[int]:
        """Orders for a worker's hand, as many as it should have when there are so many workers."""
        hand = self.hands.setdefault(worker, Hand())
        room = self._depth(workers) - len(hand.orders)
        given: list[int] = []
        while self.waiting and len(given) < room and self.suspects.isdisjoint(hand.orders):
            if self.waiting[0] in self.suspects and (given or hand.orders):
                break
            number = self.waiting.popleft()
            if number in self.open:
                given.append(number)
                room = 0 if number in self.suspects else room
        self._put(worker, given, now)
        return given

    def _depth(self, workers: int) -> int:
        """How many orders a hand should have: enough not to wait, and near the end no more than a fair part."""
        if self.median is None:
            return 1
        wanted = 1 + min(MOST_AHEAD, math.ceil(AHEAD / max(self.median, 1e-6)))
        return max(1, min(wanted, len(self.waiting) // (2 * max(1, workers))))

    def take_over(self, worker: Worker, now: float) -> tuple[int, list[Worker]] | None:
        """An order that somebody else has, for a worker with an empty hand when nothing waits: its number, and who
        should forget it. None if there is nothing that would help."""
        if self.waiting or (worker in self.hands and self.hands[worker].orders):
            return None
        fullest = max(self.hands.values(), key=lambda hand: len(hand.orders), default=None)
        if fullest is not None and len(fullest.orders) > 1:
            number = fullest.orders[-1]
            losers = [loser for loser in self.holders[number] if self.hands[loser].orders[0] != number]
            for loser in losers:
                self.hands[loser].orders.remove(number)
                self.holders[number].discard(loser)
            self._put(worker, [number], now)
            return number, losers
        if self.median is None or not self.doubles:
            return None
        late = now - max(LATE, STRAGGLES * self.median)
        stragglers = [
            (hand.began, hand.orders[0])
            for hand in self.hands.values()
            if hand.orders and hand.began <= late and len(self.holders[hand.orders[0]]) == 1
        ]
        if not stragglers:
            return None
        number = min(stragglers)[1]
        self._put(worker, [number], now)
        return number, []

    def _put(self, worker: Worker, numbers: list[int], now: float) -> None:
        hand = self.hands.setdefault(worker, Hand())
        if numbers and not hand.orders:
            hand.begin(now)
        hand.orders.extend(numbers)
        for number in numbers:
            self.holders.setdefault(number, set()).add(worker)

    # ------------------------------------------------------------ taking
    def finish(self, worker: Worker, number: int, seconds: float, now: float) -> bool:
        """A worker has finished an order: True if its result counts, False if another one did before, or nobody asked
        for it."""
        hand = self.hands.get(worker)
        if hand is not None and number in hand.orders:
            if hand.orders[0] == number:
                hand.begin(now)
            hand.orders.remove(number)
            hand.heard = now
        self.holders.get(number, set()).discard(worker)
        if number not in self.open:
            return False
        self.open.discard(number)
        if seconds >= 0.0:
            self._took.append(seconds)
            self._median = None
        return True

    def forget_elsewhere(self, number: int) -> list[Worker]:
        """Who has a finished order in hand, but has not begun it: there it is taken away."""
        found = []
        for worker in list(self.holders.get(number, ())):
            orders = self.hands[worker].orders
            if orders[0] != number:
                orders.remove(number)
                self.holders[number].discard(worker)
                found.append(worker)
        if not self.holders.get(number):
            self.holders.pop(number, None)
        return found

    def progress(self, worker: Worker, number: int, said: Any, patience: float | None, now: float) -> None:
        """A worker has told that it gets on, perhaps with what, and how long it may be silent now."""
        hand = self.hands.get(worker)
        if hand is not None and hand.orders and hand.orders[0] == number:
            hand.heard, hand.patience = now, patience
            if said is not None:
                hand.told.append(said)

    # ------------------------------------------------------------ losing
    def lose(self, worker: Worker, why: str, from_outside: bool) -> int | None:
        """A worker has gone: what it had waits again, behind all others. The number of the order that this was one time
        too often for, if so."""
        hand = self.hands.pop(worker, None)
        if hand is None or not hand.orders:
            return None
        for number in hand.orders:
            self.holders[number].discard(worker)
        first = hand.orders[0]
        if len(hand.orders) == 1 and first in self.open:
            counted, most = (self.ended, REPLAYS) if from_outside else (self.crashes, self.tries)
            counted[first] += 1
            if counted[first] >= most:
                self.open.discard(first)
                self.given_up[first] = why
                return first
        again = [number for number in hand.orders if self._is_nobodys(number)]
        self.suspects.update(again)
        self.waiting.extend(again)
        return None

    def _is_nobodys(self, number: int) -> bool:
        return number in self.open and not self.holders.get(number)

    def silent(self, now: float) -> list[Worker]:
        """Workers that should have been heard of."""
        usual = self.silence
        return [
            worker
            for worker, hand in self.hands.items()
            if hand.orders and now - hand.heard > (usual if hand.patience is None else hand.patience)
        ]

    def shift(self, gap: float) -> None:
        """Nobody looked for so long, or the clock has jumped: that was nobody's silence."""
        for hand in self.hands.values():
            hand.began += gap
            hand.heard += gap


__all__ = ["PATIENCE", "TRIES", "Leases"]
