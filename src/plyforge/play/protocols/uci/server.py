"""UCI, the Universal Chess Interface, from the engine's side: what a chess program or a server's bot talks to.

    uci = Uci(sys.stdin, sys.stdout)
    uci.run()                              # until `quit` or the end of the input

Commands are lines. This thread reads them and never waits for a search: the search has the threads of `play.Engine`,
which at its end says `bestmove`. So `isready` and `stop` are heard at any time, and few threads hand over to each other
while a clock runs.

Invariants:
- Each `go` is answered by exactly one `bestmove`, which is legal, or `(none)` where there is no move. During `go
  infinite` and `go ponder` it isn't sent before `stop` (or `ponderhit`), even if the search has come to its end.
- `readyok` comes after the search was loaded from the disk; during a search, and where it has to be compiled first, it
  comes at once. Until it is compiled, searches are interpreted; one without a limit of time then goes on compiled.
- What can't be understood changes nothing, and an `info string` says what it was. What is wrong or out of range in `go`
  gives a short search, never an endless one.
- Whoever sends a position that can't be read gets no answer about another one: `go` is then answered with `(none)`,
  until a position is read.
- A mate is only claimed where it is proven.

Reference: Meyer-Kahlen, "Description of the universal chess interface" (2006). Chess960 is as there: castling is king
takes rook.

UCI_Elo limits nodes and adds randomness. What it promises is an order (more is stronger), not a rating: nobody has
measured the numbers.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TextIO

import plyforge
from plyforge.contract import MAX, format_state, legal_moves, parse_state
from plyforge.endings.database import Database
from plyforge.errors import IllegalAction, PlyforgeError
from plyforge.evaluate import opinion
from plyforge.games.chess import Chess, Position
from plyforge.games.chess.notation import parse_uci
from plyforge.play.engine import Engine, never_collect_what_is_there
from plyforge.play.protocols.lines import LineWriter, read_lines
from plyforge.play.protocols.uci.go import read_order
from plyforge.play.protocols.uci.ready import COMPILING, ENGINE, LOADING, READY, Readiness
from plyforge.play.protocols.uci.thought import Thought
from plyforge.play.protocols.uci.words import CHOICES_WHEN_WEAK, NO_MOVE, SHOWN, nodes_for, options_of, weaker_choice
from plyforge.search import Progress, Result
from plyforge.search.core.limits import MOST_NODES
from plyforge.search.core.parameters import parameters_of
from plyforge.search.engine.transposition_table import Table
from plyforge.search.protection.threads import start_with_deep_stack
from plyforge.search.registry import searches

GRACE = 0.02
"""Seconds after its time in which a search ends by itself."""
SOON = 5.0
"""Seconds in which a search that was told to stop has stopped, however busy the machine is."""


class Uci:
    """The protocol over any two text streams; see the module's text."""

    def __init__(
        self,
        commands: TextIO,
        answers: TextIO,
        *,
        native: bool | None = None,
        seed: int | None = None,
        alone: bool = False,
        using: str = ENGINE,
    ) -> None:
        """`using` is the search that plays; `native` as in `plyforge.search`. `seed` is for what is random where
        strength is limited; None: another one each time. `alone`: the process does nothing else."""
        self._alone = alone
        self.game = Chess()
        """By which is searched: the rules of Chess960 are the same, only its text is not, so nothing is compiled
        twice."""
        self.using = using
        self.settable = options_of(searches()[using])
        """What the user interface may set."""
        self.options: dict[str, int | bool | str] = {option.name: option.default for option in self.settable}
        self.states = [self.game.start()]
        """Of the game so far; the last one is the position."""
        self._commands, self._out = commands, LineWriter(answers)
        self._ready = Readiness(self.game, native, self._readier, self._say_if_introduced, using)
        self._random = random.Random(seed)
        self._engine: Engine | None = None
        self._engine_options: tuple[Any, ...] = ()
        self._thought: Thought | None = None
        self._read: tuple[str, list[str]] = ("", [])
        """The text of the position that was read last, and its moves: the next one mostly is the same with two more."""
        self._reading = 0.0
        """Seconds that reading the position took: they are on our clock already."""
        self._refused = False
        """True if the last position could not be read: what is asked then is not about the one before."""
        self._lock, self._making = threading.Lock(), threading.Lock()
        self._asked_ready = 0
        """How many `isready` wait until the search is loaded."""
        self._introduced = False
        """True after `uci`: before, nothing is said that was not asked for."""

    @property
    def compiling(self) -> bool:
        """True while the search is compiled or loaded: a process that ends then should end at once."""
        return self._ready.busy

    # ------------------------------------------------------------ the loop
    def run(self) -> None:
        """Read commands until `quit`, or until there are no more."""
        self._ready.start()
        try:
            for line in read_lines(self._commands):
                if line is None:
                    self.say("a line is too long, and was not read")
                elif not self.obey(line) or self._out.broken:
                    break
        finally:
            self._ready.close()
            self._end_thought()

    def prepare(self) -> None:
        """Compile the search, or load it, and say `readyok`: later starts find it compiled."""
        self._introduced = True
        self._ready.start()
        try:
            self._ready.wait()
        finally:
            self._ready.close()
        self._is_ready([])

    def obey(self, line: str) -> bool:
        """One command; False if it is `quit`. Never raises."""
        words = line.split()
        known: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "isready": self._is_ready,
            "ucinewgame": self._new_game,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponder_hit,
            "setoption": self._set_option,
            "debug": lambda rest: None,
            "register": lambda rest: None,
            "d": self._show,
        }
        # the standard says that unknown words before a command are to be skipped
        first = next((i for i, word in enumerate(words) if word in known or word == "quit"), None)
        if first is None:
            if words:
                self.say(f"unknown command: {line.strip()[:SHOWN]}")
            return True
        if words[first] == "quit":
            return False
        try:
            known[words[first]](words[first + 1 :])
        except PlyforgeError as error:
            self.say(str(error))
        except Exception as error:  # a bug of ours; the game has to go on
            self.say(f"internal error, {type(error).__name__}: {error}")
        return True

    def wait(self, seconds: float | None = None) -> bool:
        """Until what is being thought has come to its `bestmove`, or so long; True if it has."""
        if self._thought is not None:
            self._thought.done.wait(seconds)
        return not self._thinking

    def say(self, text: str) -> None:
        """Something for people to read."""
        self._out.write(f"info string {' '.join(text.split())}")

    # ------------------------------------------------------------ being ready
    def _uci(self, words: list[str]) -> None:
        self._out.write(
            f"id name Plyforge {plyforge.__version__}",
            "id author the Plyforge authors",
            *(option.line() for option in self.settable),
            "uciok",
        )
        self._introduced = True

    def _is_ready(self, words: list[str]) -> None:
        with self._lock:
            if self._ready.state == LOADING and not self._thinking:
                self._asked_ready += 1
                return
        self._make_engine()
        self._out.write("readyok")

    def _readier(self) -> None:
        """The search has to be compiled, or is ready. In another thread: whoever waits is told."""
        if self._ready.state == READY:
            self._make_engine()
            if self._alone:
                never_collect_what_is_there()
        with self._lock:
            asked, self._asked_ready = self._asked_ready, 0
        self._out.write(*["readyok"] * asked)
        if self._thought is not None:
            self._go_on_compiled(self._thought)

    def _say_if_introduced(self, text: str) -> None:
        if self._introduced:
            self.say(text)

    # ------------------------------------------------------------ settings
    def _set_option(self, words: list[str]) -> None:
        text = " ".join(words)
        if not text.startswith("name "):
            self.say("write: setoption name NAME value VALUE")
            return
        name, _, value = (text.removeprefix("name ") + " ").partition(" value ")  # a text may be empty
        option = next((o for o in self.settable if o.name.lower() == name.strip().lower()), None)
        if option is None:
            self.say(f"no such option: {name[:SHOWN]}")
        elif option.kind == "button":
            self._new_game(words)
        else:
            try:
                given = option.read(value.strip())
                if option.name == "Hash":  # is there so much memory?
                    Table(float(given))
                if option.name == "Endings" and given:
                    Database.open(str(given), self.game)  # is it one?
                self.options[option.name] = given
            except (ValueError, MemoryError) as error:
                self.say(str(error))

    def _new_game(self, words: list[str]) -> None:
        self._end_thought()
        with self._making:
            if self._engine is not None and self._engine.running:  # it can't be stopped
                self._engine = None
            if self._engine is not None:
                self._engine.new_game()

    def _parameters(self) -> dict[str, Any]:
        """The search's, as the options say; how many lines it tells is said with each `go`."""
        return {
            option.parameter.name: option.value(self.options[option.name])
            for option in self.settable
            if option.parameter is not None and option.parameter.name != "lines"
        }

    def _new_engine(self) -> Engine:
        return Engine(
            self.game, self.using, native=self._ready.native, evaluate=opinion(self.game), **self._parameters()
        )

    def _make_engine(self) -> None:
        """Whoever is ready has all the memory that the options ask for."""
        if not self._thinking:
            try:
                self.engine()
            except Exception as error:  # searches will say so again
                self.say(f"the search can't be made ready: {error}")

    def engine(self) -> Engine:
        """The engine for the options as they are. Other options and a new game get another one, which has learned
        nothing yet."""
        ready = self._ready.state == READY
        wanted = (*self._parameters().values(), self._ready.native)
        with self._making:
            if self._engine is None or self._engine_options != wanted:
                engine = self._new_engine()
                if ready:  # a small search gets the memory for all threads, before a clock runs
                    samples = "simulations" in parameters_of(searches()[self.using])
                    engine.start(self.game.start(), depth=None if samples else 1, simulations=1 if samples else None)
                    engine.wait()
                    engine.make_ready()
                self._engine, self._engine_options = engine, wanted
                engine.on_progress(self._told)
            return self._engine

    # ------------------------------------------------------------ the position
    @property
    def position(self) -> Position:
        """The one that `go` is about."""
        return self.states[-1]

    @property
    def chess960(self) -> bool:
        return bool(self.options["UCI_Chess960"])

    def _position(self, words: list[str]) -> None:
        began = time.perf_counter()
        cut = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:cut], words[cut + 1 :]
        text = f"{self.chess960} {' '.join(start)}"
        self._refused = True
        if text != self._read[0]:
            rules = Chess(chess960=self.chess960)
            if start[:1] == ["startpos"]:
                self.states = [rules.start()]
            elif start[:1] == ["fen"]:
                self.states = [parse_state(rules, " ".join(start[1:]))]
            else:
                self.say("write: position startpos moves ..., or position fen FEN moves ...")
                return
            self._read = (text, [])
        self._refused = False
        read = self._read[1]
        same = next((i for i, (old, new) in enumerate(zip(read, moves, strict=False)) if old != new), None)
        keep = min(len(read), len(moves)) if same is None else same
        del read[keep:], self.states[keep + 1 :]
        rules = Chess(chess960=self.chess960)
        for number, move in enumerate(moves[keep:], keep + 1):
            try:
                action = parse_uci(rules, self.position, move)
            except IllegalAction as error:
                self.say(f"move {number} of the position: {error}. The position is the one before it")
                break
            self.states.append(self.game.result(self.position, action))
            read.append(move)
        self._reading = time.perf_counter() - began

    def _show(self, words: list[str]) -> None:
        rules = Chess(chess960=self.chess960)
        for row in rules.show(self.position).split("\n"):
            self._out.write(f"info string {row}")
        self.say(f"FEN {format_state(rules, self.position)}")

    # ------------------------------------------------------------ thinking
    @property
    def _thinking(self) -> bool:
        thought = self._thought
        return thought is not None and not thought.done.is_set()

    def _go(self, words: list[str]) -> None:
        self._end_thought()  # a search that nobody has stopped is stopped: its `bestmove` comes before this one's
        overhead = int(self.options["Move Overhead"]) / 1000
        rules = Chess(chess960=self.chess960)
        order = read_order(words, self.position, rules, overhead, self._reading, self.say)
        self._reading = 0.0
        limited = bool(self.options["UCI_LimitStrength"])
        elo = int(self.options["UCI_Elo"]) if limited else None
        thought = Thought(self.position, order, self.chess960, elo, self._refused)
        if not (order.infinite or order.ponder):
            thought.released.set()
        self._thought = thought
        if thought.refused:
            self.say("there is no move: the position could not be read")
        elif not self.game.terminal(self.position):
            try:
                self._begin(thought)
                return
            except Exception as error:  # there will be a move all the same: the first legal one
                self.say(f"the search can't begin: {error}")
        start_with_deep_stack(lambda: self._finish(thought, None))

    def _begin(self, thought: Thought) -> None:
        order = thought.order
        nodes, lines = order.nodes, self._lines
        if thought.elo is not None:
            nodes = min(nodes or MOST_NODES, nodes_for(thought.elo, len(legal_moves(self.game, self.position))))
            lines = max(lines, CHOICES_WHEN_WEAK)
        back = self.game.history.reversible_plies(self.game, self.position)
        ponder = not thought.released.is_set()
        thought.asked = {
            "depth": order.depth,
            "nodes": nodes,
            "seconds": order.seconds,
            "clock": order.clock,
            "ponder": ponder,
            "lines": lines if "lines" in parameters_of(searches()[self.using]) else None,
            "only": order.only,
            "within": order.within,
            "history": self.states[max(0, len(self.states) - 1 - back) : -1],
            "latest": None if ponder or order.seconds is None else order.seconds + GRACE,
        }
        if self._ready.state == COMPILING:
            self.say("the search is still being compiled: until then it is about a hundred times slower")
        self._search(thought)

    @property
    def _lines(self) -> int:
        """How many lines are told."""
        return int(self.options.get("MultiPV", 1))

    def _search(self, thought: Thought) -> None:
        engine = self.engine()
        thought.interpreted = engine if thought.untimed and self._engine_options[-1] is False else None
        engine.start(thought.position, on_end=lambda: self._finish(thought, engine), **thought.asked)
        self._go_on_compiled(thought)

    def _go_on_compiled(self, thought: Thought) -> None:
        """If it can: the interpreted search is stopped, and its end begins the other one."""
        if self._ready.native is not False and thought.interpreted is not None:
            thought.goes_on = True
            thought.interpreted.stop()

    def _stop(self, words: Sequence[str] = ()) -> None:
        if self._thought is not None:
            if self._engine is not None:
                self._engine.stop()
            self._thought.control.stop()
            self._thought.released.set()

    def _ponder_hit(self, words: list[str]) -> None:
        thought = self._thought
        if thought is None or not thought.order.ponder or thought.released.is_set():
            self.say("nothing is being pondered")
            return
        if self._engine is not None:
            self._engine.ponder_hit()
        thought.released.set()

    def _end_thought(self) -> None:
        """Stop what is being thought, and wait until its `bestmove` is said."""
        self._stop()
        self.wait(SOON)

    def _finish(self, thought: Thought, engine: Engine | None) -> None:
        """At the end of a search, in its thread: say what it found, as soon as that may be said."""
        found: Result | None = None
        try:
            if thought.goes_on and not thought.control.stopped:
                thought.goes_on = False
                self._search(thought)
                if thought.control.stopped and self._engine is not None:  # just now
                    self._engine.stop()
                return
            if engine is not None:
                found = engine.wait()
                if getattr(found, "distance", None) is not None:  # the line of a mate should end in it
                    seconds = engine.seconds_for_the_line
                    if seconds > 0.0:
                        found = dataclasses.replace(found, line=engine.whole_line(seconds, thought.control))
                if not thought.has_told(found):
                    self._out.write(*thought.tell(found, found.nodes, None, self._lines))
        except Exception as error:
            self.say(f"the search failed: {error}")
            self._engine = None  # whatever it was, the next search begins afresh
        if self.options["Explain Time"] and found is not None and found.timing is not None:
            for line in found.timing.lines():
                self.say(f"time: {line}")
        try:
            if not thought.refused and self.game.terminal(thought.position):
                mated = self.game.in_check(thought.position)
                self._out.write(f"info depth 0 score {'mate 0' if mated else 'cp 0'}")
            thought.released.wait()
            texts = thought.texts(self._choice(thought, found)[:2]) or [NO_MOVE]
            self._out.write(f"bestmove {texts[0]}" + (f" ponder {texts[1]}" if len(texts) > 1 else ""))
        finally:
            thought.done.set()
        if engine is not None:
            engine.sent()

    def _choice(self, thought: Thought, found: Result | None) -> tuple[int, ...]:
        """The line to play: the best one, unless strength is limited."""
        if thought.refused:
            return ()
        if found is None or found.action is None:
            return tuple(legal_moves(self.game, thought.position)[:1])
        line: tuple[int, ...] = found.line if found.line[:1] == (found.action,) else (found.action,)
        lines = getattr(found, "lines", ())
        if thought.elo is None or len(lines) < 2:
            return line
        return weaker_choice(
            [(value if thought.position.player == MAX else -value, line) for value, line in lines],
            thought.elo,
            self._random,
        )

    # ------------------------------------------------------------ telling how it stands
    def _told(self, progress: Progress) -> None:
        """In the engine's thread."""
        thought = self._thought
        if thought is None:
            return
        if self._out.broken and self._engine is not None:
            self._engine.stop()  # nobody reads any more
        found = progress.found
        if found is not None and found is not thought.shown:
            most = self._lines
            self._out.write(*thought.tell(found, progress.nodes, progress.table_used, most))
        elif progress.depth is not None:
            effort = thought.effort(progress.nodes, progress.table_used)
            self._out.write(f"info depth {progress.depth} {effort}")


def end_process(uci: Uci) -> None:
    """End the program now, unless an error is on its way: the compiler can't be interrupted, and to take apart what
    it has made takes the interpreter longer than whoever closed our input may wait."""
    if uci.compiling or sys.exc_info()[0] is None:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):  # nobody reads any more
                stream.flush()
        os._exit(0)


__all__ = ["Uci", "end_process"]
