"""Outside programs as players, over GTP, UCI and to GNU Backgammon: `gtp:gtp-rhino --level=3`,
`uci:stockfish;UCI_Elo=1500`, `gnubg:gnubg;plies=0`.

A program is started when it is made ready, stays for many games, and is started anew after a failure.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from plyforge.contract import CHANCE, SIMULTANEOUS, Game, format_action, format_state, legal_moves, parse_action
from plyforge.errors import BadText, PlyforgeError, Unsuitable
from plyforge.games.backgammon import Backgammon
from plyforge.games.chess import Chess
from plyforge.games.chess.notation import parse_uci, uci_text
from plyforge.play.players.player import Budget, Choice, Forfeit, Player, Resigned
from plyforge.play.protocols.gnubg import GnubgProgram
from plyforge.play.protocols.gtp.client import GtpProgram
from plyforge.play.protocols.json_lines.client import TalkRefused
from plyforge.play.protocols.process import START_SECONDS, Program, ProgramFailed, split_command
from plyforge.play.protocols.uci.client import UciProgram
from plyforge.search import Clock, Progress

GTP, UCI, GNUBG = "gtp:", "uci:", "gnubg:"
PASS = "pass"
PROGRAM_SECONDS = 1.0
"""For a move of a program over UCI where nobody says."""
PATIENCE = 60.0
"""Seconds after its time in which a program has to answer where no referee says."""


class ProgramPlayer(Player):
    """An outside program. It stays for many games, and is started anew after a failure.

    A program follows a game from its start, and whoever asks may have taken moves back, or not have told it of any. So
    what it was told is compared with the states so far: what is new is told, and where the two differ, the game is
    begun anew.
    """

    limited = False
    program: Program | None = None
    """As it runs now."""
    usual: float | None = None
    """Seconds for a move where no budget says."""
    seed = 0
    """Of games that begin without anybody saying so."""
    _game: Game | None = None
    _known: list[Any] | None = None
    """The states that it knows of; None where the game has to be begun anew."""
    _seat = -1

    def __init__(self, text: str, timed: bool = False) -> None:
        """`text` is its description; `timed` if a match or whoever asks sets time limits."""
        self.description = text

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        assert self._game is not None
        self._known = [] if self._game.hidden_information else [self._game.start() if start is None else start]
        self._seat = seat
        with forfeiting():
            if self.program is None or not self.program.alive:
                self.prepare(self._game)
            self.begin(start, seed)

    def observe(self, state: Any, action: Any, player: int) -> None:
        with forfeiting():
            self.hear(state, action, player)
        self._follow(state, action)

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        history: Sequence[Any] = (),
        budget: Budget | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        seat: int | None = None,
    ) -> Choice:
        mover = int(game.player(state))
        own = mover if seat is None else seat
        if own == SIMULTANEOUS:
            raise Unsuitable(f"{self.description} has to be asked for its own choice: all choose at once here")
        if budget is None:
            budget = Budget(self.usual, patience=(self.seconds or self.usual or 0.0) + PATIENCE)
        try:
            self._catch_up(game, [*history, state], own)
            with forfeiting():
                choice = self.answer(state, budget)
        except BaseException as error:
            self._known = None
            if not isinstance(error, PlyforgeError):  # Ctrl-C: its answer would be taken for the next one
                self.close()
            raise
        if mover != SIMULTANEOUS and not game.hidden_information:
            self._follow(state, choice.action)
        return choice

    def _catch_up(self, game: Game, states: list[Any], seat: int) -> None:
        """Tell it what it was not told."""
        if self._game is not game:
            self.prepare(game)
            self._game, self._known = game, None
        known = self._known
        if known is None or self._seat != seat or known != states[: len(known)]:
            self.new_game(seat, None if game.hidden_information or states[0] == game.start() else states[0], self.seed)
            known = states[:1]
        if not game.hidden_information:
            for before, after in zip(states[len(known) - 1 :], states[len(known) :], strict=False):
                self.observe(before, action_between(game, before, after), int(game.player(before)))
        self._known = states

    def _follow(self, state: Any, action: Any) -> None:
        """An action that it knows of was taken."""
        assert self._game is not None
        if self._known is not None:
            with contextlib.suppress(Exception):  # an illegal one is told by whoever runs the game
                self._known.append(self._game.result(state, action))

    # ------------------------------------------------------------ what each protocol says
    plays_only = ""
    """Which games the protocol is for, where it is not for all."""

    @classmethod
    def plays(cls, game: Game) -> bool:
        """True if the protocol knows such games; whether the program does shows when it is started."""
        return True

    @classmethod
    def require(cls, game: Game) -> None:
        """Raise Unsuitable for a game that the protocol does not know."""
        if not cls.plays(game):
            raise Unsuitable(f"{cls.plays_only}: {type(game).__name__} can't be played over it")

    def begin(self, start: Any, seed: int) -> None:
        """Tell the program that a game begins."""

    def hear(self, state: Any, action: Any, player: int) -> None:
        """Tell it of an action."""

    def answer(self, state: Any, budget: Budget) -> Choice:
        """Ask it."""
        raise NotImplementedError

    def stop(self) -> None:
        """Give up the answer that is awaited; the next game begins anew."""
        if self.program is not None:
            self.program.kill()

    def close(self) -> None:
        self._known = None
        if self.program is not None:
            self.program.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()


class GtpPlayer(ProgramPlayer):
    """A program that speaks GTP."""

    program: GtpProgram | None

    plays_only = "GTP has two colours, no dice and nothing hidden"

    @classmethod
    def plays(cls, game: Game) -> bool:
        return game.players == 2 and not (game.has_chance or game.hidden_information)

    def __init__(self, text: str, time_settings: str | None = None) -> None:
        """`time_settings` are the arguments of that command: what the match allows."""
        self.description = text
        self.command = text.removeprefix(GTP).strip()
        split_command(self.command)
        self.program: GtpProgram | None = None
        self.time_settings = time_settings
        self._tells_time = False
        self._colours = ("black", "white")

    def prepare(self, game: Game) -> None:
        self.require(game)
        self._game = game
        self._colours = colours(game)
        self.program = program = GtpProgram(self.command)
        try:
            program.ask("protocol_version", START_SECONDS)
            self._choose_game(program, game)
            size = getattr(game, "size", None)
            if isinstance(size, int):
                program.ask(f"boardsize {size}")
            komi = getattr(game, "komi", None)
            if isinstance(komi, (int, float)):
                program.ask(f"komi {komi:g}")
            program.ask("clear_board")
            if self.time_settings is not None and program.offers("time_settings"):
                with _refusal_is_fine():
                    program.ask(f"time_settings {self.time_settings}")
                self._tells_time = program.offers("time_left")
        except ProgramFailed:
            program.close()
            raise

    def _choose_game(self, program: GtpProgram, game: Game) -> None:
        """Programs for several games have commands of their own for it: those that Quarry uses."""
        if not (program.offers("list_games") and program.offers("set_game")):
            return
        names = program.ask("list_games").split("\n")
        wanted = type(game).__name__.lower()
        for name in names:
            if name.strip().lower() == wanted:
                program.ask(f"set_game {name.strip()}")
                return
        raise ProgramFailed("refused", f"{program.name} plays {', '.join(names)}, not {type(game).__name__.lower()}")

    def begin(self, start: Any, seed: int) -> None:
        assert self._game is not None and self.program is not None
        if start is not None and start != self._game.start():
            raise Unsuitable("a program can't be given a state over GTP: write the openings as moves from the start")
        self.program.ask("clear_board")

    def hear(self, state: Any, action: Any, player: int) -> None:
        assert self._game is not None and self.program is not None
        text = format_action(self._game, state, action)
        # Where nothing else can be played, some programs pass by themselves and know no command for it.
        with _refusal_is_fine() if text.lower() == PASS else contextlib.nullcontext():
            self.program.ask(f"play {self._colours[player]} {text}")

    def answer(self, state: Any, budget: Budget) -> Choice:
        assert self._game is not None and self.program is not None
        colour = self._colours[self._seat]
        if self._tells_time and budget.clock is not None:
            clock = budget.clock
            with _refusal_is_fine():
                self.program.ask(f"time_left {colour} {math.floor(clock.remaining)} {clock.moves_to_go or 0}")
        answer = self.program.ask(f"genmove {colour}", budget.patience)
        if answer.strip().lower() == "resign":
            raise Resigned(f"{self.program.name} resigned")
        with illegal_forfeits():
            return Choice(parse_action(self._game, state, answer))


class UciPlayer(ProgramPlayer):
    """A chess program that speaks UCI: `uci:COMMAND;Name=Value;...`, with its options; `depth`, `nodes` and
    `seconds` are limits of its own."""

    program: UciProgram | None

    plays_only = "UCI is for chess"

    @classmethod
    def plays(cls, game: Game) -> bool:
        return isinstance(game, Chess)

    def __init__(self, text: str, timed: bool = False) -> None:
        """`timed` if the match has time limits: without any the program has a second a move."""
        self.description = text
        command, *settings = text.removeprefix(UCI).split(";")
        self.command = command.strip()
        split_command(self.command)
        self.program = None
        self.options: dict[str, str] = {}
        self.limits: list[str] = []
        for setting in settings:
            name, equals, value = (part.strip() for part in setting.partition("="))
            if not equals or not name:
                raise BadText(
                    f"{text!r} is not a player: {setting.strip()!r} is no option; write them as in"
                    " uci:stockfish;Threads=2;Hash=256"
                )
            if name in ("depth", "nodes", "seconds"):
                self._limit(name, value)
            else:
                self.options[name] = value
        self.limited = bool(self.limits) or not timed
        if self.limited and not self.limits:
            self._limit("seconds", f"{PROGRAM_SECONDS:g}")
        threads = next((value for name, value in self.options.items() if name.lower() == "threads"), "1")
        self.threads = int(threads) if threads.isascii() and threads.isdigit() and int(threads) > 0 else 1

    def _limit(self, name: str, value: str) -> None:
        try:
            number = float(value) if name == "seconds" else int(value)
            if not 0 < number < math.inf:
                raise ValueError
        except ValueError:
            raise BadText(f"{self.description!r}: {name} must be a positive number, not {value[:40]!r}") from None
        if name == "seconds":
            self.seconds = float(number)
            self.limits.append(f"movetime {max(1, round(1000 * number))}")
        else:
            self.limits.append(f"{name} {number}")

    def prepare(self, game: Game) -> None:
        self.require(game)
        assert isinstance(game, Chess)
        self._game = game
        options = dict(self.options)
        if game.chess960:
            options["UCI_Chess960"] = "true"
        self.program = UciProgram(self.command, options)

    def begin(self, start: Any, seed: int) -> None:
        assert self._game is not None and self.program is not None
        self._position = "startpos" if start is None else f"fen {format_state(self._game, start)}"
        self._moves: list[str] = []
        self.program.new_game()

    def hear(self, state: Any, action: Any, player: int) -> None:
        assert isinstance(self._game, Chess)
        self._moves.append(uci_text(state, action, self._game.chess960))

    def answer(self, state: Any, budget: Budget) -> Choice:
        assert isinstance(self._game, Chess) and self.program is not None
        moves = f" moves {' '.join(self._moves)}" if self._moves else ""
        answer = self.program.best_move(f"position {self._position}{moves}", f"go {self._go(budget)}", budget.patience)
        with illegal_forfeits():
            action = parse_uci(self._game, state, answer)
        self._moves.append(answer)
        return Choice(action)

    def _go(self, budget: Budget) -> str:
        """The limits. The referee keeps a clock for each player and tells only the mover's: the other is taken to
        have as much."""
        if self.limited or (budget.clock is None and budget.seconds is None):
            return " ".join(self.limits) or f"movetime {round(1000 * PROGRAM_SECONDS)}"
        if budget.clock is None:
            assert budget.seconds is not None
            return f"movetime {max(1, round(1000 * budget.seconds))}"
        clock = budget.clock
        left, more = max(1, round(1000 * clock.remaining)), round(1000 * clock.increment)
        to_go = "" if clock.moves_to_go is None else f" movestogo {clock.moves_to_go}"
        return f"wtime {left} btime {left} winc {more} binc {more}{to_go}"


class GnubgPlayer(ProgramPlayer):
    """GNU Backgammon: `gnubg:COMMAND;plies=0`, `gnubg:gnubg` if nothing else is said. It is told the position and
    the dice, and keeps nothing between plays."""

    program: GnubgProgram | None
    limited = True

    plays_only = "GNU Backgammon plays backgammon"

    @classmethod
    def plays(cls, game: Game) -> bool:
        return isinstance(game, Backgammon)

    def __init__(self, text: str, timed: bool = False) -> None:
        self.description = text
        command, *settings = text.removeprefix(GNUBG).split(";")
        self.command = command.strip() or "gnubg"
        split_command(self.command)
        self.plies = 0
        self.program = None
        for setting in settings:
            name, _, value = (part.strip() for part in setting.partition("="))
            if name != "plies" or value not in ("0", "1", "2", "3"):
                raise BadText(
                    f"{text!r} is not a player: {setting.strip()!r} is no option; write it as in gnubg:gnubg;plies=0,"
                    " with 0 to 3 plies"
                )
            self.plies = int(value)

    def prepare(self, game: Game) -> None:
        self.require(game)
        assert isinstance(game, Backgammon)
        self._game = game
        self.program = GnubgProgram(self.command, self.plies)

    def answer(self, state: Any, budget: Budget) -> Choice:
        assert isinstance(self._game, Backgammon) and self.program is not None
        with illegal_forfeits():
            return Choice(self.program.choose(self._game, state, budget.patience))


def action_between(game: Game, before: Any, after: Any) -> Any:
    """The action that leads from one state to the next."""
    mover = int(game.player(before))
    actions = [outcome for outcome, _ in game.chance(before)] if mover == CHANCE else legal_moves(game, before)
    for action in actions:
        if game.result(before, action) == after:
            return action
    raise PlyforgeError(f"the states of this game of {type(game).__name__} don't follow from each other")


def colours(game: Game) -> tuple[str, str]:
    """What GTP calls the players: by the names that the rules give them, where those are its colours; else who
    begins is black."""
    names = tuple(name.strip().lower() for name in game.notation.player_names)
    return ("white", "black") if names == ("white", "black") else ("black", "white")


def time_settings(seconds: float | None, clock: Clock | None) -> str | None:
    """Main time, overtime and the moves it is for, as GTP has them: in whole seconds by its specification, though
    many programs read fractions."""
    if clock is not None:
        if clock.moves_to_go is not None:
            return f"0 {clock.remaining:g} {clock.moves_to_go}"
        return f"{clock.remaining:g} 0 0"
    return None if seconds is None else f"0 {seconds:g} 1"


@contextlib.contextmanager
def forfeiting() -> Iterator[None]:
    """What a program fails to do costs it the game."""
    try:
        yield
    except ProgramFailed as failure:
        kind = "protocol" if failure.kind == "refused" else failure.kind
        if isinstance(failure, TalkRefused):
            kind = "illegal" if failure.error_kind == "IllegalAction" else "crash"
        raise Forfeit(kind, str(failure)) from None


@contextlib.contextmanager
def illegal_forfeits() -> Iterator[None]:
    """An answer that is no action of the rules costs the game, too."""
    try:
        yield
    except ProgramFailed:
        raise
    except PlyforgeError as error:
        raise Forfeit("illegal", str(error)) from None


@contextlib.contextmanager
def _refusal_is_fine() -> Iterator[None]:
    try:
        yield
    except ProgramFailed as failure:
        if failure.kind != "refused":
            raise


__all__ = [
    "GNUBG",
    "GTP",
    "UCI",
    "GnubgPlayer",
    "GtpPlayer",
    "ProgramPlayer",
    "UciPlayer",
    "colours",
    "illegal_forfeits",
    "time_settings",
]
