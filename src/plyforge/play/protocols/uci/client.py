"""UCI, the Universal Chess Interface, from the side of a user interface: an outside chess program as a player.

    program = UciProgram("stockfish", {"UCI_LimitStrength": "true", "UCI_Elo": "1500"})
    program.new_game()
    program.best_move("position startpos moves e2e4", "go movetime 100", seconds=5)        "e7e5"
    program.thought[1].centipawns                                                         31
    program.close()

How the program is kept in check is in `process.py`; the other side of the protocol is in `server.py`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping

from plyforge.play.protocols.process import COMMAND_SECONDS, SHOWN, START_SECONDS, Program, ProgramFailed
from plyforge.play.protocols.uci.words import Info, read_info

LOOK = 0.1
"""Seconds between two looks at whether a search that goes on was stopped."""
MOST_LINES = 10_000
"""Of an answer, thoughts (`info`) not counted: a program that writes more is not answering."""

_OPTION = re.compile(r"option\s++name\s++(.+?)(?<!\s)\s++type\s++(\S++)")
_RANGE = re.compile(r"\smin\s++(-?\d{1,18})\s++max\s++(-?\d{1,18})")


class UciProgram(Program):
    """A running program that speaks UCI; see the module's text."""

    def __init__(self, command: str, options: Mapping[str, str] | None = None) -> None:
        """Start `command`, and give it its options; ready when this returns. Raises ProgramFailed, also for an
        option that it has not."""
        super().__init__(command)
        self.thought: dict[int, Info] = {}
        """What it has said of its last search: its best lines, by their numbers."""
        self.stopping: float | None = None
        """When it was told to stop, if it was."""
        self.offered: dict[str, str] = {}
        """The options that it says it has, by their names in small letters."""
        self.ranges: dict[str, tuple[int, int]] = {}
        """Of those that are whole numbers, the least and the greatest: many programs leave out without a word what
        is beyond."""
        try:
            self.send("uci")
            for line in self._until("uciok", "uci", START_SECONDS):
                found = _OPTION.match(line)
                if found is not None:
                    self.offered[found[1].lower()] = found[1]
                    if found[2] == "spin" and (limits := _RANGE.search(line, found.end())) is not None:
                        self.ranges[found[1].lower()] = (int(limits[1]), int(limits[2]))
            for name, value in (options or {}).items():
                self.set_option(name, value)
            self.wait_until_ready(START_SECONDS)
        except ProgramFailed:
            self.close()
            raise

    def set_option(self, name: str, value: str) -> None:
        """Raises ProgramFailed if it has no such option, or does not take the value."""
        known = self.offered.get(name.lower())
        if known is None:
            raise ProgramFailed(
                "refused",
                f"{self.name} has no option {name!r}; it has {', '.join(self.offered.values()) or 'none'}",
            )
        least, most = self.ranges.get(name.lower(), (None, None))
        if least is not None and most is not None:
            number = int(value) if re.fullmatch(r"\s*-?\d{1,18}\s*", value, re.ASCII) else None
            if number is None or not least <= number <= most:
                raise ProgramFailed(
                    "refused",
                    f"{self.name} takes a whole number from {least} to {most} for {known}, not {value[:SHOWN]!r}",
                )
        self.send(f"setoption name {known} value {value}")

    def wait_until_ready(self, seconds: float = COMMAND_SECONDS) -> None:
        """Returns when it has done all that it was told."""
        self.send("isready")
        self._until("readyok", "isready", seconds)

    def new_game(self) -> None:
        """What it is told next has nothing to do with what it was told before."""
        self.send("ucinewgame")
        self.wait_until_ready(START_SECONDS)

    def best_move(self, position: str, go: str, seconds: float) -> str:
        """The move that it sends, after at most so many seconds. What it says on the way is in `thought`."""
        began = time.monotonic()
        self.send(position)
        self.wait_until_ready(seconds)  # what it still had to say about the move before is no answer to this one
        self.send(go)
        seconds -= time.monotonic() - began
        self.thought = {}
        return self._move(go, self._until("bestmove", go, seconds)[-1])

    def think(
        self, position: str, go: str, on_info: Callable[[], object], wanted: Callable[[], bool] = lambda: True
    ) -> str:
        """The move that it sends at the end of a search that may go on until it is no longer `wanted`; `on_info` is
        called whenever `thought` has grown, and once more when nothing comes for a moment."""
        self.stopping = None
        self.send(position)
        self.wait_until_ready()
        self.thought = {}
        self.send(go)
        others, fresh = 0, False
        while True:
            if self.stopping is None and not wanted():
                self.stopping = time.monotonic()
                self.send("stop")
            line = self.overhear(go, LOOK)
            if line is None:
                if fresh:
                    fresh = False
                    on_info()
                if self.stopping is not None and time.monotonic() > self.stopping + COMMAND_SECONDS:
                    raise self._fail("stall", f"{self.name} did not stop in {COMMAND_SECONDS:g} s, and was ended")
                continue
            if line.startswith("info"):
                if self._note(line):
                    fresh = True
                    on_info()
                continue
            if line.split()[:1] == ["bestmove"]:
                return self._move(go, line)
            others += 1
            if others > MOST_LINES:
                raise self._fail("protocol", f"{self.name} answers {go!r} without end, and was stopped")

    def _move(self, go: str, line: str) -> str:
        words = line.split()
        if len(words) < 2:
            raise self._fail("protocol", f"{self.name} answers {go!r} with {line[:SHOWN]!r}, without a move")
        return words[1]

    def _note(self, line: str) -> bool:
        """Remember what it thinks; True if that is a line of play with its score."""
        info = read_info(line)
        if info is not None:
            self.thought[info.number] = info
        return info is not None

    def _until(self, word: str, asked: str, seconds: float) -> list[str]:
        """The lines up to the one that begins with a word. Of long thoughts only that one is kept."""
        end = time.monotonic() + seconds
        lines: list[str] = []
        while True:
            line, _ = self.hear(asked, end, seconds)
            if line.startswith("info"):
                self._note(line)
            else:
                lines.append(line)
            if len(lines) > MOST_LINES:
                raise self._fail("protocol", f"{self.name} answers {asked!r} without end, and was stopped")
            if line.split()[:1] == [word]:
                return lines


__all__ = ["UciProgram"]
