"""Time as GTP counts it: main time, then one of the ways in which Go gives more, kept for each player.

    absolute    main time and no more
    canadian    then so many stones in so many seconds, again and again (GTP's own `time_settings`)
    byoyomi     then so many periods: a move within a period's time costs nothing, a longer one costs the period
    fischer     main time, and some more after each move

`time_left` says how a clock stands, and goes before what was counted here. Whoever never says it finds the time that
our own moves took subtracted. Times of zero and below are possible: a clock that has run out gets a move at once.

Invariant: a `Clock` made here never allows more than is left, in the main time and in overtime together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plyforge.search import Clock
from plyforge.search.time.clock import kept_back
from plyforge.search.time.rules import LONGEST, SHORTEST

LAG = 0.2
"""Seconds kept back from what is left: for the way to whoever asked, and for a busy machine;"""
LAG_SHARE = 0.2
"""but at most this part."""


@dataclass(frozen=True)
class TimeSettings:
    """What both players get."""

    kind: str = "none"
    """`none`, `absolute`, `canadian`, `byoyomi` or `fischer`."""
    main: float = 0.0
    """Seconds."""
    period: float = 0.0
    """Seconds of overtime: for all stones of a canadian period, for one byoyomi period; fischer: for each move."""
    stones: int = 0
    """Stones of a canadian period, or how many byoyomi periods there are."""
    most_main: float = math.inf
    """Fischer: a clock never shows more than this."""
    most_move: float = math.inf
    """Fischer: and no move may take longer."""

    @classmethod
    def gtp(cls, main: float, period: float, stones: int) -> TimeSettings:
        """As `time_settings` says it: overtime of no stones means no limit."""
        if period > 0 and stones == 0:
            return cls()
        if period <= 0 or stones < 0:
            return cls("absolute", main) if main > 0 else cls()
        return cls("canadian", main, period, stones)

    @classmethod
    def named(cls, words: Sequence[str]) -> TimeSettings:
        """As `kgs-time_settings` and `kata-time_settings` say it: the kind, then its numbers. Raises ValueError."""
        kind, numbers = words[0].lower(), [float(word) for word in words[1:]]
        shape = {"none": 0, "absolute": 1, "canadian": 3, "byoyomi": 3, "fischer": 2, "fischer-capped": 4}
        if shape.get(kind) != len(numbers) or any(math.isnan(number) for number in numbers):
            raise ValueError
        if kind == "fischer-capped":
            caps = [math.inf if number < 0 else number for number in numbers[2:]]
            main, more = numbers[:2]
            if main < 0 or more < 0:
                raise ValueError
            return cls("fischer", main, more, most_main=caps[0], most_move=caps[1])
        if any(number < 0 or math.isinf(number) for number in numbers):
            raise ValueError
        if kind in ("canadian", "byoyomi"):
            main, period, stones = numbers
            if stones != int(stones):
                raise ValueError
            if period == 0 or stones == 0:
                return cls("absolute", main)
            return cls(kind, main, period, int(stones))
        return cls() if kind == "none" else cls(kind, numbers[0], sum(numbers[1:]))


KINDS = ("none", "absolute", "canadian", "byoyomi", "fischer", "fischer-capped")


@dataclass(frozen=True)
class TimeLeft:
    """How one player's clock stands."""

    settings: TimeSettings
    left: float = 0.0
    """Seconds of the main time, or of the period."""
    stones: int = 0
    """In overtime: stones to play in the period, or periods left; 0 in main time."""

    @classmethod
    def at_start(cls, settings: TimeSettings) -> TimeLeft:
        if settings.main <= 0 and settings.kind in ("canadian", "byoyomi"):
            return cls(settings, settings.period, settings.stones)
        return cls(settings, settings.main)

    def told(self, left: float, stones: int) -> TimeLeft:
        """As `time_left` says it, also where no settings were. KGS counts byoyomi periods where others count stones;
        more of them than there are can't be."""
        if self.settings.kind == "none":
            if left <= 0:
                return self  # nobody's clock ran, so it can't have run out
            overtime = TimeSettings("canadian", 0.0, left, stones)
            return TimeLeft(overtime if stones > 0 else TimeSettings("absolute", left), left, max(0, stones))
        if self.settings.kind not in ("canadian", "byoyomi"):
            stones = 0
        stones = max(0, min(stones, self.settings.stones))
        if self.settings.kind == "byoyomi" and stones > 0:
            left = min(left, self.settings.period)
        return replace(self, left=left, stones=stones)

    def thinking(self, seconds: float) -> TimeLeft:
        """In the middle of a move, so long after its beginning."""
        return replace(self, left=self.left - seconds)

    def spend(self, seconds: float) -> TimeLeft:
        """After a move that took so long."""
        settings, left = self.settings, self.left - seconds
        if settings.kind == "fischer":
            return replace(self, left=min(max(left, 0.0) + settings.period, settings.most_main))
        if settings.kind == "none" or settings.kind == "absolute" or (self.stones == 0 and left > 0):
            return replace(self, left=left)
        if settings.kind == "byoyomi":
            periods = self.stones or settings.stones
            if left <= 0:  # the main time has run out, or a period has; the last one can't
                lost = int(-left // settings.period) + (self.stones > 0)
                periods = max(1, periods - lost)
            return replace(self, left=settings.period, stones=periods)
        stones = settings.stones if self.stones == 0 else self.stones
        if self.stones == 0:
            left += settings.period
        if stones == 1:
            return replace(self, left=settings.period, stones=settings.stones)
        return replace(self, left=left, stones=stones - 1)

    def clock(self) -> Clock | None:
        """For the next move; None: there is no limit. Of two that both keep to the rules, the one that gives more
        time."""
        settings = self.settings
        if settings.kind == "none":
            return None
        left = _usable(self.left)
        if settings.kind == "fischer":
            most = _usable(min(settings.most_move, LONGEST))
            free = Clock(left, min(settings.period, LONGEST))
            return free if free.hard_seconds <= most else Clock(max(most, SHORTEST), moves_to_go=1)
        if settings.kind == "canadian" and self.stones > 0:
            return Clock(left, moves_to_go=self.stones)
        if settings.kind == "byoyomi" and self.stones > 0:
            return Clock(left, moves_to_go=1)
        plain = Clock(left)
        if settings.kind == "absolute":
            return plain
        # what overtime gives can be had for any move; a larger share of the main time comes on top while there is some
        number = 1 if settings.kind == "byoyomi" else settings.stones
        further = Clock(_usable(settings.period), moves_to_go=number)
        return max(plain, further, key=lambda clock: clock.soft_seconds)

    def text(self) -> str:
        """In words."""
        settings = self.settings
        if settings.kind == "none":
            return "no limit"
        said = f"{settings.kind}, {self.left:g} s"
        if settings.kind == "fischer":
            return f"{said} and {settings.period:g} s more after each move"
        if self.stones > 0:
            return f"{said} of overtime, {self.stones} {'stones' if settings.kind == 'canadian' else 'periods'}"
        if settings.kind == "absolute":
            return said
        each = f"{settings.stones} {'stones in' if settings.kind == 'canadian' else 'periods of'}"
        return f"{said} of main time, then {each} {settings.period:g} s"


def _usable(seconds: float) -> float:
    return kept_back(seconds, LAG, LAG_SHARE)


__all__ = ["KINDS", "TimeLeft", "TimeSettings"]
