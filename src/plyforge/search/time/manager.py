"""Who decides how long to think: one `TimeManager` for one thought.

A searcher is given one with its limits, tells it how its search stands, and asks it whether to go on:

    engine, dice engine, textbook     `finished_depth` after each depth, then `begins_another`
    searches by simulation            `simulates_on`, at every look at the clock; `soft_end` where nothing is in doubt
    everything that runs              `deadline`, at which a kernel is stopped, whatever it is doing

A limit in seconds is used up: soft and hard are the same. Of a clock a move has two times (`clock.py`). Between them a
search goes on that is in the middle of something, or in doubt; before the soft one it stops where it would hardly find
anything else: a new depth is begun up to a share of it, which is

    less        where the last STEADY_DEPTHS depths had the same best action
    more        where the last one has another than the one before, and where it thinks less of the position

and simulations stop where those that can still be made would not change the choice. Nobody thinks by a clock where
there is no choice.

Pondering: no time runs before the move that was expected is made (`hit`). From then on there is a whole soft limit, for
what is in the middle of something. But what was thought before counts: who would have stopped by then stops at once.

Invariants: `deadline` is never after the hard limit, counted from `begin` or from the hit, but for a first depth of
FIRST_DEPTH seconds. Time is read from `now` alone, so that a test can say what time it is. What is decided is noted
(`Decision`); to write it in words is left to whoever wants to read it (`explained.py`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from plyforge.search.time.explained import Decision, TimeSpent
from plyforge.search.time.rules import (
    FASTER,
    FIRST_DEPTH,
    LINE_LEAST,
    LINE_OF_CLOCK,
    LINE_OF_SECONDS,
    LINE_ON_A_CLOCK,
    LINE_SECONDS,
    LONGER,
    RATE_AFTER,
    SHORTEST,
    STEADY,
    STEADY_DEPTHS,
    UNSTEADY,
    WORSE,
    WORSE_BY,
    WORTH_BEGINNING,
)

if TYPE_CHECKING:
    from plyforge.search.core.limits import Limits

MOST_DECISIONS = 200
"""Nobody reads more of them."""
GO_ON, DECIDED, OVER = "go on", "decided", "over"
"""What becomes of simulations."""


class TimeManager:
    """Decides how long one thought lasts; see the module's text."""

    def __init__(self, limits: Limits, pondering: bool = False, now: Callable[[], float] = time.perf_counter) -> None:
        self.now = now
        self.whole: TimeManager | None = None
        """That of the search of which this one's is a part."""
        self.pondering = self.pondered = pondering
        """True until the hit: no time runs yet. And whether that was so at first."""
        self.restart(limits)

    def restart(self, limits: Limits) -> None:
        """Think again from the beginning, within these limits."""
        self.limits = limits
        self.soft = math.inf if limits.soft_seconds is None else limits.soft_seconds
        self.hard = math.inf if limits.hard_seconds is None else limits.hard_seconds
        self.decisions: list[Decision] = []
        self.steady, self.worse = 0, False
        self.enough = False
        """While pondering: it would have stopped by now."""
        self._best: object = None
        self._value = math.nan
        self._depth_began = 0.0
        self.begin(self.now())

    def begin(self, began: float) -> None:
        """The search itself begins, or began at this time: what was compiled before is not counted."""
        self.began = self._counted_from = began
        self._depth_began = 0.0

    # ------------------------------------------------------------ limits
    @property
    def timed(self) -> bool:
        return self.hard < math.inf

    @property
    def by_clock(self) -> bool:
        """True if time that is saved is of use later in the game."""
        return self.limits.clock is not None

    @property
    def seconds(self) -> float:
        """Since the search began."""
        return self.now() - self.began

    @property
    def deadline(self) -> float | None:
        """When everything is stopped, on the performance counter; None: no time runs."""
        return None if self.pondering or not self.timed else self._counted_from + self.hard

    @property
    def soft_end(self) -> float | None:
        """When a search ends that has an answer at any moment, and can't be in doubt."""
        return None if self.pondering or not self.timed else self._counted_from + self.soft

    @property
    def latest_end(self) -> float | None:
        """When simulations end, however much they are in doubt."""
        return None if self.pondering or not self.timed else self._counted_from + self.longest

    @property
    def longest(self) -> float:
        """Seconds that simulations may take."""
        return min(LONGER * self.soft, self.hard)

    def deadline_of_depth(self, depth: int) -> float | None:
        """The same for a depth: without the first there is no answer."""
        if depth > 1 or self.pondering or not self.timed:
            return self.deadline
        return self._counted_from + max(self.hard, FIRST_DEPTH)

    @property
    def end_of_extras(self) -> float | None:
        """When what is only looked for after the answer has to end: by a clock with the soft limit."""
        return self.soft_end if self.by_clock else self.deadline

    @property
    def has_extras(self) -> bool:
        """True if there is time for that."""
        return not self.by_clock or self.pondering or self.now() - self._counted_from < self.soft

    def part(self, share: float) -> float | None:
        """Seconds of a part of the time; None where it is not limited."""
        return self.soft * share if self.timed else None

    def within(self, limits: Limits) -> TimeManager:
        """For a search that is a part of this one, from now on."""
        part = TimeManager(limits, now=self.now)
        part.decisions, part.whole = self.decisions, self
        return part

    # ------------------------------------------------------------ pondering
    def hit(self) -> float:
        """The expected move was made: the clock runs. In how many seconds to stop, if it has not ended by then."""
        self._counted_from = self.now()
        self.pondering = False
        self.note("hit", self.soft)
        return 0.0 if self.enough else self.soft

    # ------------------------------------------------------------ depth after depth
    def finished_depth(self, depth: int, best: object, value: float = math.nan, swing: float = 0.0) -> None:
        """A depth has its answer: the best action, the value to whoever moves, and what a swing of values is (0: the
        game does not say)."""
        before = self._value
        self.steady = self.steady + 1 if depth > 1 and best == self._best else 0
        self.worse = swing > 0.0 and before - value > WORSE_BY * swing
        self._best, self._value = best, value
        if self.by_clock:
            self.note("depth", depth, self.steady, self.worse)

    def begins_another(self, choices: int, counts: bool = True) -> bool:
        """Is there time for another depth? `choices`: how many actions there are. `counts`: one that is cut off is of
        use, too; else one is not begun that can't end in time, even if it takes no longer than the last."""
        if not self.timed:
            return True
        self.enough = False
        seconds = self.seconds
        last, self._depth_began = seconds - self._depth_began, seconds
        if self.by_clock and choices == 1:
            return self._no_more("only")
        if self.by_clock and seconds >= self.share * self.soft:
            return self._no_more("share", self.share * self.soft)
        gone = self.now() - self._counted_from
        if not counts and not self.pondering and gone + last >= self.soft:
            return self._no_more("length", last, self.soft)
        return True

    def _no_more(self, why: str, *numbers: float) -> bool:
        self.enough = True
        if not self.pondering:
            self.note(why, *numbers)
        return self.pondering

    @property
    def share(self) -> float:
        """Up to which part of the soft limit a new depth is begun: doubtful moves are thought about longer."""
        share = WORTH_BEGINNING
        if self.steady >= STEADY_DEPTHS:
            share *= STEADY
        elif self.steady == 0:
            share *= UNSTEADY
        return share * WORSE if self.worse else share

    # ------------------------------------------------------------ simulations
    def simulates_on(self, lead: float, doubtful: bool, made: int, most: int, untold: int = 0) -> str:
        """GO_ON, DECIDED or OVER. The first action has `lead` more visits than the second (infinite: there is no other
        choice; not above 0: visits don't decide); `made` of at most `most` simulations are made, and `untold` visits
        are not counted yet."""
        soft, longest = self.soft_end, self.latest_end
        if soft is None or longest is None:
            return GO_ON
        now = self.now()
        end = longest if doubtful and self.by_clock else soft
        if now >= end:
            self.note("over", lead, doubtful)
            return OVER
        if now >= soft and not any(each.what == "doubt" for each in self.decisions[-1:]):
            self.note("doubt", lead, self.longest)
        if lead <= 0:
            return GO_ON
        still = self._still(now, end, made, most, untold)
        if lead == math.inf or lead > still:
            self.note("decided", lead, still)
            return DECIDED
        return GO_ON

    def _still(self, now: float, end: float, made: int, most: int, untold: int) -> float:
        """How many visits an action can get until `end`; infinite before there is a rate to believe."""
        past = now - self.began
        if past < RATE_AFTER * self.soft:
            return math.inf
        return min(FASTER * made / past * (end - now), most - made) + untold

    # ------------------------------------------------------------ after the search
    def for_the_line(self) -> float:
        """Seconds for following a proven end of the game; 0: none to spare."""
        left = LINE_SECONDS
        if self.limits.seconds is not None:
            left = min(left, LINE_OF_SECONDS * (self.limits.seconds - self.seconds))
        if self.limits.clock is not None:
            left = min(left, LINE_ON_A_CLOCK, LINE_OF_CLOCK * self.limits.clock.remaining)
        return left if left >= LINE_LEAST else 0.0

    def note(self, what: str, *numbers: float) -> None:
        """Something was decided."""
        if len(self.decisions) < MOST_DECISIONS:
            self.decisions.append(Decision((self.whole or self).seconds, what, numbers))

    def spent(self, seconds: float, reason: str) -> TimeSpent:
        """What became of the time, when all is over."""
        return TimeSpent(self.limits, self.soft, self.hard, seconds, reason, tuple(self.decisions))


def at_least_some(seconds: float) -> float:
    """For a search that gets what is left, and must not be left out."""
    return max(seconds, SHORTEST)


__all__ = ["DECIDED", "GO_ON", "OVER", "TimeManager", "at_least_some"]
