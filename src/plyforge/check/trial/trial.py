"""Is compiled code to be trusted? It is tried in a process of its own, so that whatever it does, somebody is left to
tell.

    verdict = compare_in_child(game, seed, playouts=20)     # random playouts, asked at both speeds
    verdict.ok, verdict.compiled, verdict.sentence

Machine code made from rules that mean something else than it does can do anything: answer wrongly, never come back,
take all memory, crash. Each of these becomes a sentence, with the state that it happened in.

A fresh process loads the game again from where its class came from. Where that can't be (rules typed into a notebook or
a script, a class inside a function, a file edited since), a fork of this process stands in, which has the game already;
it runs machine code that was compiled before the fork, and nothing else. Where there is no fork either, the trial is
held here (`compare_here`).

Claims: a child never outlives its trial, nor the process that started it. A difference that is told is real. That none
was found proves nothing about other states.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from queue import Empty

from plyforge.check.trial import comparing
from plyforge.check.trial.comparing import Event, States
from plyforge.check.trial.compiled import Speeds
from plyforge.check.trial.process import ENDED, WITHIN, Child, NotLoaded, fork, spawn
from plyforge.contract import Game

PLAYOUTS = 20
SECONDS = 10.0
"""After so long no further state is asked about."""
MEMORY = 4 << 30
"""Bytes that compiled code may take beyond what was taken before."""
LOADING = 120.0
COMPILING = 900.0
ASKING = 60.0
"""Seconds that the rules may take for one state, interpreted, beyond the time of the trial."""
RUNNING = 10.0
"""Seconds that compiled code may take for one state; a state takes it microseconds."""
PER_INTERPRETED = 20.0
"""And so many times as long as it took interpreted."""
TICK = 0.05


@dataclass(frozen=True)
class Verdict:
    """What came of a trial. Compiled code is to be trusted if `ok and compiled`."""

    ok: bool
    """False: compiled code is not what the rules say, or the rules themselves raise exceptions."""
    compiled: bool
    """True if there is compiled code, and it was asked at least once."""
    sentence: str
    """What happened, in words."""
    kind: str
    """In a word: "equal", "refused" (it can't be compiled), "differs", "raised", "crashed", "hung", "memory",
    "stumbled" (the rules raise, interpreted), "untold" (the trial could not be held)."""
    states: int = 0
    """So many states gave the same at both speeds."""
    index: int | None = None
    """Which state shows it, counted from 0; None if it is no state's fault."""
    state: str = ""
    """That state, as Python shows it."""
    left_out: str = ""
    """Why some hooks were not compared, if they were not."""


def compare_in_child(
    game: Game,
    states: States = 0,
    playouts: int = PLAYOUTS,
    seconds: float = SECONDS,
    memory: int = MEMORY,
) -> Verdict:
    """Compare the two speeds in another process: in these states, or where `states` is a number, in those of random
    playouts with that seed.

    The same game, states and seed give the same verdict, as long as the time is enough. Compiling is not counted.
    """
    if WITHIN in os.environ:  # rules that try themselves while they are loaded for a trial
        return compare_here(game, states, playouts, seconds)
    try:
        return _spawned(game, states, playouts, seconds, memory)
    except NotLoaded:
        pass
    if hasattr(os, "fork"):
        return _forked(game, states, playouts, seconds, memory)
    return compare_here(game, states, playouts, seconds)


def compare_here(
    game: Game,
    states: States = 0,
    playouts: int = PLAYOUTS,
    seconds: float = SECONDS,
) -> Verdict:
    """The same in this process: whatever compiled code does, it does here."""
    trial = _Trial(seconds)
    for event in _events(game, states, playouts, seconds):
        trial.hear(event)
    return trial.verdict()


def _events(game: Game, states: States, playouts: int, seconds: float) -> Iterator[Event]:
    for event in comparing.prepare(game, states):
        if isinstance(event, Speeds):
            yield from comparing.compare(event, states, playouts, seconds)
        else:
            yield event


def _spawned(game: Game, states: States, playouts: int, seconds: float, memory: int) -> Verdict:
    trial = _Trial(seconds, memory)
    with spawn(game, states, playouts=playouts, seconds=seconds, memory=memory) as child:
        _listen(child, trial)
    if trial.stage == "loading":
        raise NotLoaded
    return trial.verdict()


def _forked(game: Game, states: States, playouts: int, seconds: float, memory: int) -> Verdict:
    trial = _Trial(seconds, memory)
    for event in comparing.prepare(game, states):
        if not isinstance(event, Speeds):
            trial.hear(event)
            continue
        with fork(comparing.compare(event, states, playouts, seconds), memory) as child:
            _listen(child, trial)
    return trial.verdict()


def _listen(child: Child, trial: _Trial) -> None:
    """Hear a child out; end it where it takes too long."""
    while True:
        try:
            event = child.words.get(timeout=TICK)
        except Empty:
            if trial.overdue():
                return
            continue
        if event is ENDED:
            trial.ended = child.exit_code()
            return
        trial.hear(event)


class _Trial:
    """What was heard of a trial so far."""

    def __init__(self, seconds: float, memory: int = MEMORY) -> None:
        self.seconds = seconds
        self.memory = memory
        self.began = self.since = time.perf_counter()
        self.stage = "loading"
        """The last event."""
        self.last: Event = {}
        self.index: int | None = None
        self.state = ""
        self.took = 0.0
        self.left_out = ""
        self.ran = False
        self.late = False
        """True if it was ended because it took too long."""
        self.ended: int | None = None
        """How the process ended before it was told to."""

    def hear(self, event: Event) -> None:
        self.stage, self.last, self.since = event["event"], event, time.perf_counter()
        if self.stage == "ready":
            self.began = self.since
            self.left_out = event["left_out"]
        elif self.stage == "asking":
            self.index, self.state = event["index"], event["state"]
        elif self.stage == "running":
            self.took, self.ran = event["took"], True

    def overdue(self) -> bool:
        """True if what was begun last should long have been done."""
        waited = time.perf_counter() - self.since
        if self.stage == "running":
            self.late = waited > self.patience
        elif self.stage == "loading":
            self.late = waited > LOADING
        elif self.stage == "compiling":
            self.late = waited > COMPILING
        else:
            self.late = waited > ASKING and time.perf_counter() - self.began > self.seconds + ASKING
        return self.late

    @property
    def patience(self) -> float:
        return RUNNING + PER_INTERPRETED * self.took

    def verdict(self) -> Verdict:
        """What to say of it, now that it is over."""
        what = self.last.get("what", "")
        states = 0 if self.index is None else self.index
        if self.stage == "done":
            states = 0 if self.index is None else self.index + 1
            return self._say(
                "equal",
                True,
                f"compiled code gives what interpreted code gives, in {states:,} states",
                states,
            )
        if self.stage == "refused":
            return Verdict(True, False, self.last["why"], "refused", states, left_out=self.left_out)
        if self.stage == "stumbled":
            return self._say("stumbled", False, f"asked at both speeds, the rules raised {what}", states)
        if self.stage == "differs":
            return self._say("differs", False, what, states)
        if self.stage == "raised" and self.last["memory"]:
            return self._say("memory", False, self._too_much(), states)
        if self.stage == "raised":
            return self._say(
                "raised",
                False,
                f"compiled code of these rules raised {what}; interpreted, the rules give an answer",
                states,
            )
        return self._broken_off(states)

    def _broken_off(self, states: int) -> Verdict:
        """The events stopped in the middle."""
        if self.late and self.stage == "running":
            sentence = (
                f"compiled code of these rules had not come back after {self.patience:.0f} s; "
                f"interpreted, the rules answer in {_seconds(self.took)}"
            )
            return self._say("hung", False, sentence, states)
        if self.late:
            doing = "compiling took" if self.stage == "compiling" else f"{self.stage} took"
            sentence = f"compiled code was not compared to the end: {doing} too long"
            return Verdict(True, self.ran, sentence, "untold", states, left_out=self.left_out)
        how = _ending(self.ended)
        if self.ran:
            sentence = f"compiled code of these rules crashed ({how}); interpreted, they give an answer"
            return self._say("crashed", False, sentence, states)
        if self.stage == "compiling":
            return Verdict(False, False, f"the compiler crashed on these rules ({how})", "crashed")
        sentence = f"compiled code was not compared: the process for it ended early ({how})"
        return Verdict(True, False, sentence, "untold", left_out=self.left_out)

    def _say(self, kind: str, ok: bool, sentence: str, states: int) -> Verdict:
        index, state = (None, "") if ok else (self.index, self.state)
        return Verdict(ok, self.ran, sentence, kind, states, index, state, self.left_out)

    def _too_much(self) -> str:
        return (
            f"compiled code of these rules takes more than {self.memory / (1 << 30):.3g} GB of memory for one state; "
            "interpreted, the rules give an answer"
        )


SIGNALS = {
    "SIGSEGV": "segmentation fault",
    "SIGBUS": "bus error",
    "SIGFPE": "arithmetic fault",
    "SIGILL": "illegal instruction",
    "SIGABRT": "aborted",
    "SIGKILL": "killed from outside, perhaps for want of memory",
}
ACCESS_VIOLATION = 0xC000_0005


def _ending(code: int | None) -> str:
    """How a process ended, in words."""
    if code is None:
        return "it could not be told how"
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return SIGNALS.get(name, name)
    if code & 0xFFFF_FFFF == ACCESS_VIOLATION:
        return "access violation"
    return f"exit code {code}"


def _seconds(took: float) -> str:
    return f"{took:.1f} s" if took >= 0.1 else f"{1000 * took:.2g} ms"


__all__ = ["Verdict", "compare_here", "compare_in_child"]
