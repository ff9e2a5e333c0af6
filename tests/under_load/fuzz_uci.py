"""Talk nonsense to `plyforge uci`, a million lines of it, and hold it to what UCI promises.

    PYTHONPATH=tests:tests/support python tests/under_load/fuzz_uci.py [--lines 1000000] [--first 0] [--at-once 2]

A session is a process, LINES lines and the end of the input; its seed names it: `PYTHONPATH=tests:tests/support python
tests/under_load/fuzz_uci.py --show 17` prints its lines. One session in COLD_EVERY begins with an empty cache, and
talks while the search is compiled. Held are:

- each `go` has one `bestmove`, legal where the position was sent as it should be, and each `isready` one `readyok`;
- nothing is said on standard error, no internal error is told, and the process ends with code 0 at the end of its
  input;
- how long a `readyok` takes after all before it was obeyed, during searches and compiling, too, and how long the end
  takes. These are figures, which a busy machine makes worse.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from plyforge.contract import legal_moves, parse_state
from plyforge.games.chess import Chess
from plyforge.games.chess.notation import uci_text
from plyforge.play.protocols.lines import LONGEST_LINE

ALL = 1_000_000
LINES = 10_000
COLD_EVERY, COLD_LINES = 50, 2_000
SYNC_EVERY = 20
"""So often all before has to be obeyed, and then a `readyok` is timed."""
PATIENCE = 120.0
"""Seconds for anything, however busy the machine is."""
COMMANDS = (
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "setoption",
    "debug",
    "register",
    "d",
    "quit",
)
FENS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 99 80",
)
LIMITS = (
    "depth 1",
    "depth 3",
    "nodes 1",
    "nodes 2000",
    "movetime 1",
    "movetime 20",
    "wtime 100 btime 100 winc 1 binc 1",
    "wtime 0 btime -5",
    "mate 1",
    "mate 2 nodes 5000",
    "infinite",
    "ponder wtime 1000 btime 1000",
    "",
    "depth 2 searchmoves e2e4 d2d4 a1a8",
    "movestogo 1 wtime 50 btime 50",
    "nodes 100 depth 2",
    "depth 0",
    "nodes -1",
)
SETTINGS = (
    "Hash value 1",
    "Hash value 2",
    "Hash value 16",
    "Hash value 0",
    "Hash value 99999999999",
    "Hash value many",
    "Threads value 1",
    "Threads value 2",
    "Threads value 0",
    "Threads value x",
    "MultiPV value 1",
    "MultiPV value 4",
    "MultiPV value 500",
    "UCI_LimitStrength value true",
    "UCI_LimitStrength value false",
    "UCI_Elo value 1500",
    "UCI_Elo value 9",
    "Move Overhead value 0",
    "Move Overhead value 5000",
    "Ponder value true",
    "Clear Hash",
    "UCI_Chess960 value true",
    "UCI_Chess960 value false",
    "UCI_Chess960 value false",
    "UCI_Chess960 value maybe",
    "Endings value /nowhere",
    "Endings value ",
    "Nothing value 3",
    "value",
    "",
)
ODD = (
    "-1",
    "0",
    "1e9",
    "99999999999999999999",
    "nan",
    "e2e9",
    "a1a1",
    "0000",
    "e7e8k",
    "fen",
    "moves",
    "é",
    "\t",
    "''",
)


# ------------------------------------------------------------ what is said
@dataclasses.dataclass(frozen=True)
class Line:
    """One line."""

    text: bytes
    legal: frozenset[str] | None = None
    """For a `go`, where the position is known: its move is one of these."""


class Writer:
    """Writes the lines of one session."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.game = Chess()
        self.state = self.game.start()
        self.known = True
        """True if the program stands where `state` says."""
        self.usual = True
        """True if castling is named as usual, not as in Chess960."""
        self.moves: list[str] = []

    def lines(self, count: int) -> Iterator[Line]:
        """So many of them."""
        for _ in range(count):
            text = self.text()
            if self.random.random() < 0.25:
                damaged = self.damaged(text)
                if damaged != text:
                    self.forget(text, damaged)
                    text = damaged
            is_known = self.known and self.usual and command_of(text) == "go" and b"searchmoves" not in text
            yield Line(text, self.legal() if is_known else None)

    def forget(self, wanted: bytes, sent: bytes) -> None:
        """What is not certain any more."""
        if "position" in (command_of(wanted), command_of(sent)):
            self.known = False
        if b"960" in wanted + sent:
            self.usual = False

    def text(self) -> bytes:
        roll = self.random.random()
        if roll < 0.3:
            return self.position().encode()
        if roll < 0.5:
            return f"go {self.random.choice(LIMITS)}".encode()
        if roll < 0.65:
            return b"stop"
        if roll < 0.75:
            setting = self.random.choice(SETTINGS)
            if "960" in setting:
                self.usual = setting.endswith("false") or (self.usual and not setting.endswith("true"))
            return f"setoption name {setting}".encode()
        words = ("isready", "isready", "d", "uci", "ponderhit", "ucinewgame", "debug on", "register later", "")
        return self.random.choice(words).encode()

    def legal(self) -> frozenset[str]:
        return frozenset(uci_text(self.state, action, False) for action in legal_moves(self.game, self.state))

    def position(self) -> str:
        """Mostly the game so far with a move or two more, as programs send it."""
        fresh = self.random.random() < 0.2 or len(self.moves) > 60 or self.game.terminal(self.state)
        if fresh:
            self.moves = []
            self.begin = "startpos" if self.random.random() < 0.6 else f"fen {self.random.choice(FENS)}"
            self.state = self.game.start() if self.begin == "startpos" else parse_state(self.game, self.begin[4:])
        for _ in range(self.random.randint(0, 2)):
            if not self.game.terminal(self.state):
                action = self.random.choice(legal_moves(self.game, self.state))
                self.moves.append(uci_text(self.state, action, False))
                self.state = self.game.result(self.state, action)
        self.known = self.usual  # castling in a position is read as the option says then
        moves = f" moves {' '.join(self.moves)}" if self.moves else ""
        return f"position {self.begin}{moves}"

    begin = "startpos"

    def damaged(self, text: bytes) -> bytes:
        """Something else is sent in place of it. It never ends the program."""
        words = text.split()
        way = self.random.randrange(9)
        if way == 0 and words:
            del words[self.random.randrange(len(words))]
        elif way == 1 and words:
            self.random.shuffle(words)
        elif way == 2:
            words.insert(self.random.randint(0, len(words)), self.random.choice(ODD).encode())
        elif way == 3:
            words = words[: self.random.randint(0, len(words))]
        elif way == 4 and words:
            words[self.random.randrange(len(words))] = self.random.choice(ODD).encode()
        elif way == 5:
            words.insert(0, self.random.choice(COMMANDS[:-1]).encode())
        elif way == 6 and self.random.random() < 0.02:
            words.append(b"x" * (2 * LONGEST_LINE))
        text = b" ".join(words)
        if way >= 7:
            letters = bytearray(text or b"go")
            for _ in range(self.random.randint(1, 4)):
                letters[self.random.randrange(len(letters))] = self.random.choice(tuple({*range(256)} - {*b"\r\n"}))
            text = bytes(letters)
        return b"" if command_of(text) == "quit" else text


def command_of(text: bytes) -> str:
    """The command that a line is taken for; "" if none."""
    decoded = text.decode(errors="replace")
    if len(decoded) > LONGEST_LINE:
        return ""
    return next((word for word in decoded.split() if word in COMMANDS), "")


# ------------------------------------------------------------ what comes back
@dataclasses.dataclass
class Figures:
    """What was seen."""

    lines: int = 0
    searches: int = 0
    checked: int = 0
    """Moves that were held against the legal ones."""
    seconds: float = 0.0
    ready: list[float] = dataclasses.field(default_factory=list)
    """Seconds from `isready` to `readyok`."""
    ready_cold: list[float] = dataclasses.field(default_factory=list)
    """The same while the search is compiled."""
    ends: list[float] = dataclasses.field(default_factory=list)
    """Seconds from the end of the input to the end of the process."""
    wrong: list[str] = dataclasses.field(default_factory=list)

    def add(self, other: Figures) -> None:
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def __str__(self) -> str:
        return "\n".join(
            [
                f"{self.lines} lines, {self.searches} searches, {self.checked} moves checked, {self.seconds:.0f} s",
                f"readyok: {spread(self.ready)}",
                f"readyok while compiling: {spread(self.ready_cold)}",
                f"end: {spread(self.ends)}",
                f"{len(self.wrong)} wrong",
                *self.wrong[:20],
            ]
        )


def spread(times: list[float]) -> str:
    """The distribution of some times in a line."""
    return (
        f"{len(times)} times, median {quantile(times, 0.5) * 1000:.1f} ms, 99 % {quantile(times, 0.99) * 1000:.1f} ms, "
        f"longest {max(times, default=0.0) * 1000:.1f} ms, {sum(time > 0.05 for time in times)} beyond 50 ms"
    )


def quantile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else 0.0


class Session:
    """One process, from its start to its end."""

    def __init__(self, seed: int, count: int, cold: bool, *arguments: str) -> None:
        self.seed, self.count, self.cold = seed, count, cold
        self.figures = Figures()
        self.moves: list[str] = []
        self.ready = 0
        self.news = threading.Condition()
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as errors:
            environment = {**os.environ, "PLYFORGE_CACHE_DIR": folder} if cold else None
            self.process = subprocess.Popen(
                [sys.executable, "-m", "plyforge", "uci", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
            )
            listener = threading.Thread(target=self.listen)
            listener.start()
            try:
                self.talk()
            except (OSError, TimeoutError) as error:
                self.complain(f"{type(error).__name__}: {error}")
            finally:
                self.process.kill()
                self.process.wait()
                listener.join()
            errors.seek(0)
            said = errors.read().decode(errors="replace")
            if said:
                self.complain(f"standard error: {said[-500:]}")

    def complain(self, text: str) -> None:
        self.figures.wrong.append(f"session {self.seed}: {text}")

    def listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(b"info string internal error"):
                self.complain(line.decode(errors="replace"))
            elif line.startswith((b"bestmove", b"readyok")):
                with self.news:
                    if line.startswith(b"readyok"):
                        self.ready += 1
                    else:
                        self.moves.append(line.split()[1].decode())
                    self.news.notify_all()

    def say(self, *texts: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(text + b"\n" for text in texts))
        self.process.stdin.flush()

    def until_ready(self, times: int) -> None:
        with self.news:
            if not self.news.wait_for(lambda: self.ready >= times, PATIENCE):
                raise TimeoutError(f"{self.ready} readyok of {times}")

    def talk(self) -> None:
        figures, began, legal = self.figures, time.perf_counter(), []
        asked = 1
        self.say(b"isready")
        self.until_ready(1)
        batch: list[bytes] = []
        for number, line in enumerate(Writer(self.seed).lines(self.count)):
            batch.append(line.text)
            command = command_of(line.text)
            asked += command == "isready"
            if command == "go":
                legal.append(line.legal)
            if number % SYNC_EVERY == SYNC_EVERY - 1:
                self.say(*batch, b"isready")
                asked += 2
                self.until_ready(asked - 1)
                before = time.perf_counter()
                self.say(b"isready")
                self.until_ready(asked)
                (figures.ready_cold if self.cold else figures.ready).append(time.perf_counter() - before)
                batch = []
        self.say(*batch)
        self.end(legal, asked)
        figures.lines, figures.searches = self.count, len(legal)
        figures.seconds = time.perf_counter() - began

    def end(self, legal: list[frozenset[str] | None], asked: int) -> None:
        assert self.process.stdin is not None
        self.say(b"stop", b"isready")
        self.until_ready(asked + 1)
        before = time.perf_counter()
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self.figures.ends.append(time.perf_counter() - before)
        time.sleep(0.1)  # what it said last is read
        if code != 0:
            self.complain(f"it ended with code {code}")
        if len(self.moves) != len(legal):
            self.complain(f"{len(legal)} times go, {len(self.moves)} times bestmove")
            return
        for number, (move, allowed) in enumerate(zip(self.moves, legal, strict=True)):
            if allowed is not None:
                self.figures.checked += 1
                if move not in (allowed or {"(none)"}):
                    self.complain(f"search {number}: {move} is none of {sorted(allowed)}")


def session(seed: int, *arguments: str, count: int | None = None) -> Figures:
    """The session of that seed."""
    cold = seed % COLD_EVERY == COLD_EVERY - 1 and not arguments
    return Session(seed, count or (COLD_LINES if cold else LINES), cold, *arguments).figures


def lines_of(seed: int) -> int:
    return COLD_LINES if seed % COLD_EVERY == COLD_EVERY - 1 else LINES


def sessions_for(lines: int, first: int = 0) -> range:
    """The seeds whose lines are as many."""
    last, there = first, 0
    while there < lines:
        there += lines_of(last)
        last += 1
    return range(first, last)


def fuzz(seeds: range, at_once: int | None = None) -> Figures:
    """Several sessions, some at once."""
    figures = Figures()
    with ThreadPoolExecutor(at_once or os.cpu_count()) as pool:
        for done in pool.map(functools.partial(session), seeds):
            figures.add(done)
            print(figures.lines, "lines", file=sys.stderr, flush=True)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=ALL)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--at-once", type=int)
    parser.add_argument("--show", type=int, metavar="SEED")
    given = parser.parse_args()
    if given.show is not None:
        for line in Writer(given.show).lines(lines_of(given.show)):
            sys.stdout.buffer.write(line.text + b"\n")
        return
    print(fuzz(sessions_for(given.lines, given.first), given.at_once))


if __name__ == "__main__":
    main()
