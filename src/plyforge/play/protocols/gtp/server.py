"""GTP, the Go Text Protocol (version 2), from the engine's side, for any game of two players: what GoGui, Sabaki,
Quarry and servers' bots talk to.

    gtp = make_gtp(sys.stdin, sys.stdout, "go")
    gtp.run()                              # until `quit` or the end of the input

A command is a line, perhaps with a number before it; comments (`#`) and control characters are not read. The answer is
`=` or `?`, the number, some text and an empty line. What only Go has (komi, handicap, dead stones, files) is in
`go.py`; time is in `clock.py`; the other side of the protocol is in `client.py`.

Invariants:
- Each command has exactly one answer, whatever it was; errors have the words of the standard.
- What was refused changes nothing.
- A move that was generated is legal, past and all (superko), and comes within the time that was told, also while the
  search is still being compiled.

Reference: Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2" (2002).
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TextIO

import plyforge
from plyforge.contract import Game, format_action, legal_moves, parse_action
from plyforge.contract.naming import name_of
from plyforge.errors import IllegalAction, PlyforgeError, Unsuitable
from plyforge.games import load
from plyforge.play.players.programs.gtp import colours
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.protocols.gtp.clock import KINDS, TimeLeft, TimeSettings
from plyforge.play.protocols.gtp.words import SYNTAX, Refused, finite, first_word, number_word, whole_word
from plyforge.play.protocols.lines import LineWriter, read_lines
from plyforge.play.words import explain
from plyforge.search import Result
from plyforge.search.core.requirements import ANY_GAME, sound
from plyforge.search.time.rules import FOR_COMPILER

DEFAULT_SECONDS = 2.0
"""For a move where nobody says."""
PASS, RESIGN = "pass", "resign"
LONGEST_MESSAGE = 300
SETTLED = 0.2
"""Seconds before a search begins to be compiled: programs set the size of the board first."""
GRACE = 2.0
"""Seconds after its time in which a search has to end."""
ALSO_CALLED = {"othello": "reversi"}
"""Names that other programs have for games of ours."""


class Gtp:
    """The protocol over any two text streams; see the module's text."""

    def __init__(
        self, commands: TextIO, answers: TextIO, game: Game, player: SearchPlayer, diary: TextIO | None = None
    ) -> None:
        """`player` chooses the moves; its limits hold where no time is set. What it thinks can be asked to be
        written to `diary`, standard error."""
        if game.players != 2 or game.has_chance:
            raise Unsuitable(f"GTP has two colours and no dice: {type(game).__name__} can't be played over it")
        self.game, self.player = game, player
        self.states: list[Any] = []
        """Of the game so far; the last one is the position."""
        self.times = [TimeLeft(TimeSettings()), TimeLeft(TimeSettings())]
        self._input, self._out, self._diary = commands, LineWriter(answers), diary or sys.stderr
        self._warm: tuple[Game, threading.Thread] | None = None
        self._running = True
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: "Plyforge",
            "version": lambda words: plyforge.__version__,
            "known_command": lambda words: str(first_word(words) in self.commands).lower(),
            "list_commands": lambda words: "\n".join(sorted(self.commands)),
            "quit": self.quit,
            "boardsize": self.board_size,
            "clear_board": self.clear_board,
            "komi": self.komi,
            "play": self.play,
            "genmove": self.generate,
            "reg_genmove": self.generate_only,
            "undo": self.undo,
            "showboard": lambda words: "\n" + self.game.show(self.state).rstrip("\n"),
            "final_score": self.final_score,
            "time_settings": self.time_settings,
            "time_left": self.time_left,
            "kgs-time_settings": self.named_time_settings,
            "kata-time_settings": self.named_time_settings,
            "kata-list_time_settings": lambda words: " ".join(KINDS),
            "kata-debug-print-tc": lambda words: "\n".join(
                f"{name}: {left.text()}" for name, left in zip(self.colours, self.times, strict=True)
            ),
            "kata-search": self.generate_only,
            "kata-search_debug": self.aloud(self.generate_only),
            "genmove_debug": self.aloud(self.generate),
            "clear_cache": self.forget,
            "list_games": lambda words: name_of(self.game),
            "set_game": self.set_game,
        }
        self.begin(game)

    # ------------------------------------------------------------ the loop
    def run(self) -> None:
        """Read commands until `quit`, or until there are no more."""
        for line in read_lines(self._input):
            if line is None:
                self._out.write("? the line is too long", "")
            else:
                self.obey(line)
            if not self._running or self._out.broken:
                break

    def obey(self, line: str) -> None:
        """One line. Never raises."""
        text = "".join(" " if letter == "\t" else letter for letter in line if letter >= " " or letter == "\t")
        words = text.partition("#")[0].replace("\x7f", "").split()
        number = ""
        if words and words[0].isascii() and words[0].isdigit():
            number = words.pop(0)
        if not words:
            if number:
                self._out.write(f"?{number} {SYNTAX}", "")
            return
        good, said = self._answer(words)
        self._out.write(f"{'=' if good else '?'}{number} {said}".rstrip(), "")

    def _answer(self, words: list[str]) -> tuple[bool, str]:
        command = self.commands.get(words[0])
        if command is None:
            return False, "unknown command"
        try:
            return True, command(words[1:])
        except Refused as refused:
            return False, str(refused)
        except PlyforgeError as error:
            return False, " ".join(str(error).split())[:LONGEST_MESSAGE]
        except Exception as error:  # a bug of ours; the game has to go on
            return False, " ".join(f"internal error, {type(error).__name__}: {error}".split())[:LONGEST_MESSAGE]

    def quit(self, words: list[str]) -> str:
        self._running = False
        return ""

    @property
    def compiling(self) -> bool:
        """True while the compiler is at work: a process that ends then should end at once."""
        return self._warm is not None and self._warm[1].is_alive()

    def set_game(self, words: list[str]) -> str:
        """Programs for several games, such as Quarry, ask which ones there are and choose one: there is the one that
        was named at the start."""
        name = name_of(self.game).lower()
        if not words or words[0].lower() not in (name, ALSO_CALLED.get(name)):
            raise Refused("unsupported game")
        return ""

    # ------------------------------------------------------------ the board
    @property
    def state(self) -> Any:
        """The position."""
        return self.states[-1]

    @property
    def colours(self) -> tuple[str, str]:
        """What the players are called."""
        return colours(self.game)

    def begin(self, game: Game, states: Sequence[Any] = ()) -> None:
        """A new game, perhaps by other rules, or one that is on its way."""
        self.game = game
        self.states = list(states) or [game.start()]
        self.times = [TimeLeft.at_start(left.settings) for left in self.times]
        self._warm_up()

    def board_size(self, words: list[str]) -> str:
        size = whole_word(words)
        fixed = {getattr(self.game, name, None) for name in ("width", "height")}
        if "size" in {field.name for field in dataclasses.fields(self.game)}:  # type: ignore[arg-type]
            try:
                self.begin(dataclasses.replace(self.game, size=size))  # type: ignore[type-var]
            except PlyforgeError:
                raise Refused("unacceptable size") from None
        elif fixed == {size}:
            self.begin(self.game)
        else:
            raise Refused("unacceptable size")
        return ""

    def clear_board(self, words: list[str]) -> str:
        self.begin(self.game)
        with contextlib.suppress(PlyforgeError):
            self.player.engine(self.game).new_game()
        return ""

    def komi(self, words: list[str]) -> str:
        """Other games have none: any is taken."""
        number_word(words)
        return ""

    def play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise Refused(SYNTAX)
        player = self.player_named(words[0])
        state = self.turn_of(player)
        action = self.read_action(state, words[1])
        if self.forbidden(state, action):
            raise Refused("illegal move")
        self.take(state, action)
        return ""

    def read_action(self, state: Any, text: str) -> Any:
        """The legal action that a vertex names."""
        try:
            return parse_action(self.game, state, text)
        except IllegalAction:
            raise Refused("illegal move") from None

    def take(self, state: Any, action: Any) -> None:
        """Take an action in `state`: the position, perhaps with the turn given to somebody else. One `undo` takes
        both back."""
        self.states.append(self.game.result(state, action))

    def undo(self, words: list[str]) -> str:
        if len(self.states) < 2:
            raise Refused("cannot undo")
        self.states.pop()
        return ""

    def player_named(self, colour: str) -> int:
        """Who is called that: `b`, `black`, `w` or `white`, in any case."""
        for player, name in enumerate(self.colours):
            if colour.lower() in (name, name[0]):
                return player
        raise Refused(SYNTAX)

    def turn_of(self, player: int) -> Any:
        """The position as it is when that player is to move. Games with fixed turns allow it only where the other
        one has to pass."""
        state = self.state
        if self.game.terminal(state) or self.game.player(state) == player:
            return state
        passes = [
            action
            for action in legal_moves(self.game, state)
            if format_action(self.game, state, action).lower() == PASS
        ]
        if not passes:
            raise Refused("illegal move")
        return self.game.result(state, passes[0])

    def forbidden(self, state: Any, action: Any) -> str:
        """Why an action may not be taken for what happened before."""
        return self.game.history.forbidden(self.game, [*self.states[:-1], state], action)

    def final_score(self, words: list[str]) -> str:
        if not self.game.terminal(self.state):
            raise Refused("cannot score")
        ahead = float(self.game.utility(self.state))
        if self.colours == ("white", "black"):
            ahead = -ahead
        return "0" if ahead == 0 else f"{'B' if ahead > 0 else 'W'}+{abs(ahead):g}"

    # ------------------------------------------------------------ moves
    def generate(self, words: list[str]) -> str:
        """Choose a move and play it."""
        return self._generate(words, play=True)

    def generate_only(self, words: list[str]) -> str:
        """Choose a move; the board stays as it is."""
        return self._generate(words, play=False)

    def _generate(self, words: list[str], play: bool) -> str:
        player = self.player_named(words[0]) if words else self.default_player()
        state = self.turn_of(player)
        if self.game.terminal(state):
            return PASS
        found, action = self.think(state, player, spend=play)
        self.last_thought = None if found is None else explain(found)
        if play and self.gives_up(state, player, found):
            return RESIGN
        text = format_action(self.game, state, action)
        if play:
            self.take(state, action)
        return self.spelled(state, action, text)

    def spelled(self, state: Any, action: Any, text: str) -> str:
        """In capitals, as vertices are written, where that names the same action: in chess it does not."""
        if text.lower() == PASS:
            return text
        with contextlib.suppress(PlyforgeError):
            if parse_action(self.game, state, text.upper()) == action:
                return text.upper()
        return text

    def default_player(self) -> int:
        """Whose turn it is."""
        return 0 if self.game.terminal(self.state) else int(self.game.player(self.state))

    def think(
        self,
        state: Any,
        player: int,
        allowed: Callable[[Any], bool] | None = None,
        spend: bool = True,
    ) -> tuple[Result | None, Any]:
        """What the search found, and the best action that is allowed: by the past of the game, and by whoever asks.

        `spend`: what it took comes off the player's clock. Whoever allows only some actions gets the whole time: what
        is decided early is which of all is best.
        """
        began = time.perf_counter()
        clock = self.times[player].clock()
        if not self.compiled(None if clock is None else FOR_COMPILER * clock.soft_seconds):
            if spend:
                self.times[player] = self.times[player].spend(time.perf_counter() - began)
            return None, self.best_of(state, None, allowed)
        clock = self.times[player].thinking(time.perf_counter() - began).clock()
        chooser = self.player
        found: Result | None = None
        try:
            engine = chooser.engine(self.game)
            engine.start(
                state,
                depth=chooser.depth,
                nodes=chooser.nodes,
                seconds=None if clock is not None else chooser.seconds,
                clock=clock,
                simulations=chooser.options.get("simulations") if clock else chooser.simulations(self.game),
                stop_early=False if allowed is not None and hasattr(engine.search, "stop_early") else None,
                history=self.states[:-1],
            )
            try:
                found = engine.wait(None if clock is None else clock.hard_seconds + GRACE)
            except TimeoutError:
                engine.stop()
        except (PlyforgeError, MemoryError) as error:  # a move is wanted all the same
            print(f"the search failed: {error}", file=self._diary)
        if spend:
            self.times[player] = self.times[player].spend(time.perf_counter() - began)
        return found, self.best_of(state, found, allowed)

    def best_of(self, state: Any, found: Result | None, allowed: Callable[[Any], bool] | None) -> Any:
        """The first action that is allowed: in the order that the search likes them, then without thought."""
        legal = legal_moves(self.game, state)
        ranked: list[Any] = []
        visits = getattr(found, "visits", {})  # of all that the tree has kept, also without time for more
        # an action that was tried once is the first that was tried: that says nothing
        knows = max(visits.values(), default=0) > 1 or not hasattr(found, "simulations")
        if found is not None and (knows or found.exact):
            ranked = [found.action, *sorted(visits, key=visits.__getitem__, reverse=True)]
        for action in [*ranked, *self.without_thought(state)]:
            if allowed is not None and not allowed(action):
                continue
            if action in legal and not self.forbidden(state, action):
                return action
        return next((action for action in legal if not self.forbidden(state, action)), legal[0])

    def without_thought(self, state: Any) -> list[Any]:
        """Actions in an order that needs no search, for when there was no time for one."""
        return legal_moves(self.game, state)

    def gives_up(self, state: Any, player: int, found: Result | None) -> bool:
        """True if it is not worth playing on."""
        return False

    def aloud(self, generate: Callable[[list[str]], str]) -> Callable[[list[str]], str]:
        """The same, and what was thought goes to standard error."""

        def both(words: list[str]) -> str:
            move = generate(words)
            print(f"{move}: {self.last_thought or 'no thought'}", file=self._diary, flush=True)
            return move

        return both

    last_thought: str | None = None
    """Of the last search, in words."""

    def forget(self, words: list[str]) -> str:
        """What earlier searches have learned."""
        self.player.engine(self.game).new_game()
        return ""

    def _warm_up(self) -> None:
        """Begin to compile the search, in the background: there may be a clock when the first move is asked for."""
        if self.player.native is False or (self._warm is not None and self._warm[0] == self.game):
            return
        game = self.game

        def compile_it() -> None:
            time.sleep(SETTLED)
            if self.game != game:
                return  # meanwhile another one is wanted, with a thread of its own
            with contextlib.suppress(Exception):  # searches will say it again
                engine = dataclasses.replace(self.player).engine(game)
                monte_carlo = "simulations" in {field.name for field in dataclasses.fields(engine.search)}
                little: dict[str, Any] = {"simulations": 2} if monte_carlo else {"depth": 1}
                engine.start(game.start(), **little)
                engine.wait()

        thread = threading.Thread(target=compile_it, daemon=True, name="plyforge gtp compiling")
        self._warm = (game, thread)
        thread.start()

    def compiled(self, seconds: float | None) -> bool:
        """Wait until the search is compiled, or so long; True if it is, or if nobody compiles it."""
        if self._warm is None or self._warm[0] != self.game:
            return True
        self._warm[1].join(seconds)
        return not self._warm[1].is_alive()

    # ------------------------------------------------------------ time
    def time_settings(self, words: list[str]) -> str:
        try:
            main, period, stones = (finite(word) for word in words[:3])
            settings = TimeSettings.gtp(main, period, int(stones))
        except (ValueError, OverflowError):
            raise Refused(SYNTAX) from None
        self._set_times(settings)
        return ""

    def named_time_settings(self, words: list[str]) -> str:
        try:
            settings = TimeSettings.named(words)
        except (ValueError, IndexError, OverflowError):
            raise Refused(SYNTAX) from None
        self._set_times(settings)
        return ""

    def _set_times(self, settings: TimeSettings) -> None:
        self.times = [TimeLeft.at_start(settings), TimeLeft.at_start(settings)]

    def time_left(self, words: list[str]) -> str:
        try:
            left, stones = finite(words[1]), int(words[2])
        except (ValueError, IndexError):
            raise Refused(SYNTAX) from None
        player = self.player_named(words[0])
        self.times[player] = self.times[player].told(left, stones)
        return ""


def make_gtp(
    commands: TextIO,
    answers: TextIO,
    game: Game | str = "go",
    player: SearchPlayer | None = None,
    *,
    native: bool | None = None,
    resigns: bool = True,
    diary: TextIO | None = None,
) -> Gtp:
    """The protocol for a game: Go has more to say than others. `player=None` is the strongest that we have for it."""
    from plyforge.games.go import Go
    from plyforge.play.protocols.gtp.go import GoGtp, go_player

    game = load(game)
    ANY_GAME.check(game, "GTP")
    if isinstance(game, Go):
        chosen = go_player(native) if player is None else player
        return GoGtp(commands, answers, game, chosen, diary, resigns)
    if player is None:
        player = SearchPlayer(sound(game)[1], seconds=DEFAULT_SECONDS, native=native)
    player.engine(game)  # refuses what it can't play
    return Gtp(commands, answers, game, player, diary)


def end_process(gtp: Gtp) -> None:
    """End the program now where the compiler still runs: it can't be interrupted, and its work is of no use any
    more."""
    if gtp.compiling:
        os._exit(0)


__all__ = ["Gtp", "end_process", "make_gtp"]
