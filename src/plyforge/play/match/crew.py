"""The processes that play the games of a match: hired, given games, watched, replaced."""

from __future__ import annotations

import contextlib
import json
import math
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyforge.errors import PlyforgeError
from plyforge.play.match.referee import PlayedGame
from plyforge.play.protocols.process import LAST_WORDS_SECONDS, kill_session

if TYPE_CHECKING:
    from plyforge.play.match.match import Match

PREPARING = 1800.0
"""Seconds in which rules must have been compiled and programs started."""
SLACK = 30.0
"""Seconds beyond a player's patience before its worker is killed: usually the worker stops the player itself."""
CLOSING = 0.5
"""Seconds in which a worker should be gone when nobody needs it any more."""
ERRORS_KEPT = 30
"""Last lines that a worker wrote on standard error, kept for messages."""
MOST_FAILURES = 5
"""Workers in a row that may end before any player was asked."""
MOST_REPLAYS = 3
"""So often a game is played again whose worker was ended from outside."""
FROM_OUTSIDE = {
    -getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
}
"""Exit codes of processes that somebody else has ended: a crash has other signals."""
TICK = 0.25
"""Seconds between two looks at Ctrl-C."""


# ------------------------------------------------------------------ the workers
@dataclass
class Hand:
    """A worker process, as it is seen from here."""

    process: subprocess.Popen[bytes]
    ready: bool = False
    """It has compiled and started what it needs."""
    order: dict[str, Any] | None = None
    """The game that it plays."""
    begun: bool = False
    """A player has been asked something in it."""
    mover: str = "A"
    """Who is to move there."""
    moves: dict[str, int] = field(default_factory=dict)
    """How many moves A and B have made there."""
    used: dict[str, float] = field(default_factory=dict)
    """Seconds that A and B have thought there."""
    actions: list[tuple[str, float | None]] = field(default_factory=list)
    """What was played there."""
    deadline: float = math.inf
    """When it has to be heard of again."""
    programs: list[int] = field(default_factory=list)
    """Process numbers of the outside programs that it runs."""
    errors: deque[str] = field(default_factory=lambda: deque(maxlen=ERRORS_KEPT))
    """What it last wrote on standard error."""
    listening: list[threading.Thread] = field(default_factory=list)
    """Who reads what it writes."""


class Crew:
    """The workers of a match: hands out games, and takes them in."""

    def __init__(self, match: Match, left: deque[int]) -> None:
        self.match, self.left = match, left
        self.hands: list[Hand] = []
        self.words: queue.Queue[tuple[Hand, bytes | None]] = queue.Queue()
        self.terms = json.dumps({"terms": match.identity()}).encode() + b"\n"
        self.failures = 0
        """Workers in a row that ended before any player was asked."""
        self.replays: Counter[int] = Counter()
        """How often the workers of games were ended from outside."""

    def games(self) -> Any:
        """Yields games as they are finished."""
        self._hire()  # one first: what it compiles, the others find on disk
        while self.left or any(hand.order is not None for hand in self.hands):
            for hand in [hand for hand in self.hands if time.monotonic() > hand.deadline]:
                self._kill(hand)
                yield from self._lost(hand, "stall", "its process was silent, and was killed")
            try:
                hand, line = self.words.get(timeout=TICK)
            except queue.Empty:
                continue
            if not any(hand is other for other in self.hands):  # it was killed: its last words don't count
                continue
            if line is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    hand.process.wait(LAST_WORDS_SECONDS)
                for thread in hand.listening:  # its last words
                    thread.join(LAST_WORDS_SECONDS)
                yield from self._lost(hand, "crash", _how_it_ended(hand))
                continue
            yield from self._heard(hand, json.loads(line))

    def _heard(self, hand: Hand, said: dict[str, Any]) -> Any:
        hand.programs = said.get("programs", hand.programs)
        if "refused" in said:
            raise PlyforgeError(str(said["refused"]))
        if "ready" in said:
            hand.ready = True
            self.failures = 0
            for note in said["notes"]:
                if note not in self.match.notes:
                    self.match.notes.append(note)
            while len(self.hands) < min(
                self.match.workers, len(self.left) + sum(other.order is not None for other in self.hands)
            ):
                self._hire()
            self._assign(hand)
        elif "turn" in said:
            hand.mover, hand.begun = said["turn"], True
            hand.deadline = time.monotonic() + said["patience"] + SLACK
        elif "action" in said:
            hand.actions.append((said["action"], said["seconds"]))
            if said["seconds"] is not None:
                hand.moves[hand.mover] += 1
                hand.used[hand.mover] += said["seconds"]
        elif "game" in said:
            hand.order, hand.deadline = None, math.inf
            self.failures = 0
            yield PlayedGame.from_json(said["game"])
            if not said["leaving"]:
                self._assign(hand)

    def _assign(self, hand: Hand) -> None:
        if not self.left:
            return
        hand.order = self.match.order(self.left.popleft())
        hand.begun, hand.actions = False, []
        hand.moves, hand.used = {"A": 0, "B": 0}, {"A": 0.0, "B": 0.0}
        hand.deadline = time.monotonic() + SLACK + PREPARING
        assert hand.process.stdin is not None
        with contextlib.suppress(OSError):  # it has died: its end is on the way
            hand.process.stdin.write(json.dumps({"play": hand.order}).encode() + b"\n")
            hand.process.stdin.flush()

    def _lost(self, hand: Hand, kind: str, message: str) -> Any:
        """A worker has gone: its game is lost for who was to move, and another worker takes its place."""
        ended_outside = kind == "crash" and hand.process.returncode in FROM_OUTSIDE
        self._kill(hand)
        self.hands = [other for other in self.hands if other is not hand]
        number = None if hand.order is None else hand.order["number"]
        if not hand.ready:
            self.failures += 1
            if not ended_outside or self.failures >= MOST_FAILURES:
                raise PlyforgeError(f"the players could not be made ready: {message}")
        elif number is not None and hand.begun and ended_outside and self.replays[number] < MOST_REPLAYS:
            self.replays[number] += 1
            self.left.appendleft(number)
            self.match.notes.append(f"game {number} is played again: {message}")
        elif number is not None and hand.begun:
            yield _forfeited(hand, kind, message)
        elif number is not None:  # no player has been asked yet: nobody's fault
            self.left.appendleft(number)
            self.failures += 1
            if self.failures >= MOST_FAILURES:
                raise PlyforgeError(f"workers end before their games begin: {message}")
        if self.left:
            self._hire()

    # ------------------------------------------------------------ processes
    def _hire(self) -> None:
        here = str(Path(__file__).resolve().parents[3])
        path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "plyforge.play.match.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
            start_new_session=True,
        )
        hand = Hand(process, deadline=time.monotonic() + PREPARING)
        for read in (self._read_words, self._read_errors):
            thread = threading.Thread(target=read, args=(hand,), daemon=True)
            hand.listening.append(thread)
            thread.start()
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.write(self.terms)
            process.stdin.flush()
        self.hands.append(hand)

    def _read_words(self, hand: Hand) -> None:
        assert hand.process.stdout is not None
        for line in hand.process.stdout:
            self.words.put((hand, line))
        self.words.put((hand, None))

    def _read_errors(self, hand: Hand) -> None:
        assert hand.process.stderr is not None
        for line in hand.process.stderr:
            hand.errors.append(line.decode("utf-8", "replace").rstrip())

    def _kill(self, hand: Hand) -> None:
        for program in hand.programs:
            kill_session(program)
        kill_session(hand.process.pid)
        with contextlib.suppress(OSError):
            hand.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            hand.process.wait(SLACK)

    def close(self) -> None:
        """End all workers: those that play nothing by themselves, then whoever is left."""
        for hand in self.hands:
            if hand.order is None and hand.process.stdin is not None:
                with contextlib.suppress(OSError):
                    hand.process.stdin.close()
        end = time.monotonic() + CLOSING
        for hand in self.hands:
            if hand.order is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    hand.process.wait(max(0.0, end - time.monotonic()))
            self._kill(hand)
        self.hands = []


def _how_it_ended(hand: Hand) -> str:
    code = hand.process.returncode
    words = next((line for line in reversed(hand.errors) if line.strip()), "")
    how = f"was ended by signal {-code}" if code is not None and code < 0 else f"ended with exit code {code}"
    return f"its process {how}" + (f" (its last words: {words[:200]!r})" if words else "")


def _forfeited(hand: Hand, kind: str, message: str) -> PlayedGame:
    """The game of a worker that has gone, as far as it was heard of."""
    order = hand.order
    assert order is not None
    return PlayedGame(
        number=order["number"],
        first=order["first"],
        seed=order["seed"],
        start=order["start"],
        opening=len(order["actions"]),
        actions=tuple(text for text, _ in hand.actions),
        seconds=tuple(seconds for _, seconds in hand.actions),
        winner=None,
        reason=kind,
        forfeited=hand.mover,
        message=message,
        used=(hand.used["A"], hand.used["B"]),
        moves=(hand.moves["A"], hand.moves["B"]),
    )
