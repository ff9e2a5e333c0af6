"""The workers of a run: started where they were asked for, started again when they die, each told the terms first.

A place in the crew is one worker at a time. Where one has died the next is started at once, then after pauses that
double: a machine that is being restarted comes back into the crew, and one that fails for good costs next to nothing.

Invariants:
- At each launcher one worker is told the terms first, so that what it compiles the others find on disk; all processes
  are started at once.
- A worker that refuses the terms leaves its place empty for good: another one there would refuse them, too.
- The crew gives up, with the last reason, where no place is left, or where in every place MOST_FAILURES workers in a
  row ended before they were ready. What an order does to workers is not its concern.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from plyforge.errors import PlyforgeError
from plyforge.work.mailbox import Gone, Handle, Launcher, Mailbox
from plyforge.work.orders import Terms

PREPARING = 1800.0
"""Seconds in which a worker must have been started, and have compiled what it needs."""
MOST_FAILURES = 5
"""Workers in a row that end in one place before they are ready."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
"""Seconds before the third worker of a place is started, after two in a row that ended so; and at most."""


class Clock(Protocol):
    """What a crew listens to."""

    def now(self) -> float: ...
    def get(self, seconds: float) -> Any: ...
    def post(self, handle: Handle, said: Any) -> None: ...


@dataclass(eq=False)
class Place:
    """Room for one worker."""

    launcher: Launcher
    number: int
    handle: Handle | None = None
    told: bool = False
    """It has been told the terms."""
    ready: bool = False
    """It has prepared what it needs."""
    began: float = 0.0
    """When it was started."""
    failures: int = 0
    """Workers in a row that ended here before they were ready."""
    deaths: int = 0
    """Workers in a row that ended here without an answer."""
    again: float = 0.0
    """Not before that is another one started."""
    closed: bool = False
    """Nobody is started here any more."""
    process: int | None = None
    """The number of its process, where that is known."""

    @property
    def name(self) -> str:
        return f"worker {self.number} ({self.launcher.name})"


@dataclass(frozen=True)
class Event:
    """What the coordinator should know."""

    place: Place
    said: dict[str, Any] | Gone
    """A worker's answer, {"ready": true} first; or that it has gone."""


class Noted(UserWarning):
    """Something went wrong with a worker, and was mended."""


class Crew:
    """Workers for orders of one set of terms; see the module's text."""

    def __init__(self, terms: Terms, launchers: Sequence[tuple[Launcher, int]], mailbox: Clock | None = None) -> None:
        """So many places at each launcher. Nobody is started before `keep`."""
        self.terms = terms
        self.mailbox: Clock = Mailbox() if mailbox is None else mailbox
        self.launchers = [launcher for launcher, _ in launchers]
        every = [launcher for launcher, count in launchers for _ in range(count)]
        self.places = [Place(launcher, number) for number, launcher in enumerate(every, 1)]
        self.by_handle: dict[Handle, Place] = {}
        self.notes: list[str] = []
        """What went wrong and was mended, each once. Whoever puts a list of its own here shows it; else it is warned
        of at the end."""
        self._own_notes = self.notes
        self.last_words = ""
        """Why the last worker ended."""
        self.ready = 0
        """How many workers can be given orders."""
        self._warm: set[Launcher] = set()
        """Where a worker has been ready: what it compiled is on disk."""
        self._telling = {"terms": terms.to_json(), "run": terms.digest}

    def now(self) -> float:
        """The crew's clock."""
        return self.mailbox.now()

    # ------------------------------------------------------------ starting
    def keep(self, needed: int) -> None:
        """Start workers where there are none, up to so many in all, and end those that never get ready."""
        now = self.now()
        there = len(self.by_handle)
        for place in self.places:
            if place.handle is not None and not place.ready and now - place.began > PREPARING:
                self.kill(place, Gone(f"it was not ready after {PREPARING:g} s", silent=True))
            if there < needed and place.handle is None and not place.closed and now >= place.again:
                self._start(place, now)
                there += 1
        self._tell_terms()

    def _start(self, place: Place, now: float) -> None:
        place.told = place.ready = False
        place.began, place.process = now, None
        place.handle = handle = place.launcher.start(self.mailbox.post)
        self.by_handle[handle] = place

    def _tell_terms(self) -> None:
        """To everybody at a launcher where one has been ready, else to one of them."""
        telling = {place.launcher for place in self.places if place.told}
        for place in self.places:
            if place.handle is None or place.told or (place.launcher not in self._warm and place.launcher in telling):
                continue
            place.told = True
            telling.add(place.launcher)
            place.handle.send(self._telling)

    # ------------------------------------------------------------ hearing
    def hear(self, seconds: float) -> Event | None:
        """What a worker says next; None if nothing comes in so many seconds, or only what needs no answer."""
        word = self.mailbox.get(seconds)
        if word is None:
            return None
        handle, said = word
        place = self.by_handle.get(handle)
        if place is None:  # it was killed: its last words don't count
            return None
        if isinstance(said, Gone):
            return self._lost(place, said)
        if isinstance(said, bytes):
            try:
                said = json.loads(said)
            except (ValueError, RecursionError):
                said = None
            if not isinstance(said, dict):
                return self.kill(place, Gone(f"it said what is no answer: {word[1][:80]!r}"))
        if "refused" in said:
            self.last_words = str(said["refused"])
            place.closed = True
            if len(self.places) > 1:
                self._note(f"{place.name} is not used: {self.last_words}")
            return self.kill(place, Gone(self.last_words))
        if said.get("programs"):
            handle.has_started(said["programs"])
        if "ready" in said:
            place.ready, place.failures, place.process = True, 0, said.get("process")
            self.ready += 1
            for note in said.get("notes", ()):
                self._note(str(note))
            if place.launcher not in self._warm:
                self._warm.add(place.launcher)
                self._tell_terms()
        elif not place.ready:
            return self.kill(place, Gone("it answered before it was ready"))
        else:
            place.deaths = 0
        return Event(place, said)

    def send(self, place: Place, said: dict[str, Any]) -> None:
        """Tell a worker something."""
        if place.handle is not None:
            place.handle.send(said)

    def kill(self, place: Place, why: Gone) -> Event:
        """End a worker; another one will take its place."""
        assert place.handle is not None
        place.handle.kill()
        return self._lost(place, why)

    def _lost(self, place: Place, gone: Gone) -> Event:
        assert place.handle is not None
        self.by_handle.pop(place.handle, None)
        place.failures += not place.ready
        self.ready -= place.ready
        place.deaths += 1
        place.handle, place.told, place.ready = None, False, False
        pause = 0.0 if place.deaths < 2 else FIRST_PAUSE * 2 ** min(place.deaths - 2, 20)
        place.again = self.now() + min(pause, LONGEST_PAUSE)
        if not place.closed:
            self.last_words = f"{place.name}: {gone.how}"
        self._give_up_if_hopeless()
        return Event(place, gone)

    def _give_up_if_hopeless(self) -> None:
        if any(not place.closed and place.failures < MOST_FAILURES for place in self.places):
            return
        if all(place.closed for place in self.places):
            raise PlyforgeError(
                self.last_words if len(self.places) == 1 else f"no worker can do this work: {self.last_words}"
            )
        raise PlyforgeError(f"no worker stays alive, the last one was {self.last_words}")

    def _note(self, words: str) -> None:
        if words not in self.notes:
            self.notes.append(words)

    # ------------------------------------------------------------ ending
    def close(self) -> None:
        """End everybody."""
        for place in self.places:
            if place.handle is not None:
                place.handle.leave()
        for place in self.places:
            if place.handle is not None:
                place.handle.kill()
            place.handle, place.ready = None, False
        self.ready = 0
        self.by_handle.clear()
        for launcher in self.launchers:
            launcher.close()
        if self.notes is self._own_notes:
            for words in self.notes:
                warnings.warn(words, Noted, stacklevel=3)
            self._own_notes = []

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


__all__ = ["Crew", "Event", "Noted", "Place"]
