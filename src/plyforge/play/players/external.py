"""Outside programs at the referee's table, over GTP, UCI and to GNU Backgammon: `gtp:gtp-rhino --level=3`,
`uci:stockfish;UCI_Elo=1500`, `gnubg:gnubg;plies=0`.

A program is started when it is made ready, stays for many games, and is started anew after a failure.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from typing import Any

from plyforge.contract import Game, format_action, format_state, parse_action
from plyforge.errors import BadText, PlyforgeError, Unsuitable
from plyforge.games.backgammon import Backgammon
from plyforge.games.chess import Chess
from plyforge.games.chess.notation import parse_uci, uci_text
from plyforge.play.players.opponent import Allowance, Forfeit, Resigned
from plyforge.play.protocols.gnubg_program import GnubgProgram
from plyforge.play.protocols.gtp_program import GtpProgram
from plyforge.play.protocols.program import START_SECONDS, Program, ProgramFailed, split_command
from plyforge.play.protocols.uci_program import UciProgram
from plyforge.search import Clock

GTP, UCI, GNUBG = "gtp:", "uci:", "gnubg:"
PASS = "pass"
PROGRAM_SECONDS = 1.0
"""For a move of a program over UCI where nobody says."""


class ProgramOpponent:
    """An outside program. It stays for many games, and is started anew after a failure."""

    limited = False
    seconds: float | None = None
    threads = 1
    spoilt = False
    program: Program | None = None
    """As it runs now."""

    def close(self) -> None:
        if self.program is not None:
            self.program.close()


class GtpOpponent(ProgramOpponent):
    """A program that speaks GTP."""

    program: GtpProgram | None

    def __init__(self, text: str, time_settings: str | None = None) -> None:
        """`time_settings` are the arguments of that command: what the match allows."""
        self.text = text
        self.command = text.removeprefix(GTP).strip()
        split_command(self.command)
        self.program: GtpProgram | None = None
        self.time_settings = time_settings
        self._tells_time = False
        self._game: Game | None = None
        self._colours = ("black", "white")

    def prepare(self, game: Game) -> None:
        if game.players != 2 or game.has_chance:
            raise Unsuitable(f"GTP has two colours and no dice: {type(game).__name__} can't be played over it")
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

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        assert self._game is not None
        if start is not None and start != self._game.start():
            raise Unsuitable("a program can't be given a state over GTP: write the openings as moves from the start")
        self._seat = seat
        try:
            if self.program is None or not self.program.alive:
                self.prepare(self._game)
            else:
                self.program.ask("clear_board")
        except ProgramFailed as failure:
            raise forfeit_of(failure) from None

    def told(self, state: Any, action: Any, player: int) -> None:
        assert self._game is not None and self.program is not None
        text = format_action(self._game, state, action)
        try:
            # Where nothing else can be played, some programs pass by themselves and know no command for it.
            with _refusal_is_fine() if text.lower() == PASS else contextlib.nullcontext():
                self.program.ask(f"play {self._colours[player]} {text}")
        except ProgramFailed as failure:
            raise forfeit_of(failure) from None

    def choose(self, state: Any, allowance: Allowance, history: Sequence[Any] = ()) -> Any:
        assert self._game is not None and self.program is not None
        colour = self._colours[self._seat]
        try:
            if self._tells_time and allowance.clock is not None:
                clock = allowance.clock
                with _refusal_is_fine():
                    self.program.ask(f"time_left {colour} {math.floor(clock.remaining)} {clock.moves_to_go or 0}")
            answer = self.program.ask(f"genmove {colour}", allowance.patience)
        except ProgramFailed as failure:
            raise forfeit_of(failure) from None
        if answer.strip().lower() == "resign":
            raise Resigned(f"{self.program.name} resigned")
        try:
            return parse_action(self._game, state, answer)
        except PlyforgeError as error:
            raise Forfeit("illegal", str(error)) from None


class UciOpponent(ProgramOpponent):
    """A chess program that speaks UCI: `uci:COMMAND;Name=Value;...`, with its options; `depth`, `nodes` and
    `seconds` are limits of its own."""

    program: UciProgram | None

    def __init__(self, text: str, timed: bool = False) -> None:
        """`timed` if the match has time limits: without any the program has a second a move."""
        self.text = text
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
        self._game: Chess | None = None

    def _limit(self, name: str, value: str) -> None:
        try:
            number = float(value) if name == "seconds" else int(value)
            if not 0 < number < math.inf:
                raise ValueError
        except ValueError:
            raise BadText(f"{self.text!r}: {name} must be a positive number, not {value[:40]!r}") from None
        if name == "seconds":
            self.seconds = float(number)
            self.limits.append(f"movetime {max(1, round(1000 * number))}")
        else:
            self.limits.append(f"{name} {number}")

    def prepare(self, game: Game) -> None:
        if not isinstance(game, Chess):
            raise Unsuitable(f"UCI is for chess: {type(game).__name__} can't be played over it")
        self._game = game
        options = dict(self.options)
        if game.chess960:
            options["UCI_Chess960"] = "true"
        self.program = UciProgram(self.command, options)

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        assert self._game is not None
        self._position = "startpos" if start is None else f"fen {format_state(self._game, start)}"
        self._moves: list[str] = []
        try:
            if self.program is None or not self.program.alive:
                self.prepare(self._game)
            assert self.program is not None
            self.program.new_game()
        except ProgramFailed as failure:
            raise forfeit_of(failure) from None

    def told(self, state: Any, action: Any, player: int) -> None:
        assert self._game is not None
        self._moves.append(uci_text(state, action, self._game.chess960))

    def choose(self, state: Any, allowance: Allowance, history: Sequence[Any] = ()) -> Any:
        assert self._game is not None and self.program is not None
        moves = f" moves {' '.join(self._moves)}" if self._moves else ""
        try:
            answer = self.program.best_move(
                f"position {self._position}{moves}", f"go {self._go(allowance)}", allowance.patience
            )
        except ProgramFailed as failure:
            raise forfeit_of(failure) from None
        try:
            action = parse_uci(self._game, state, answer)
        except PlyforgeError as error:
            raise Forfeit("illegal", str(error)) from None
        self._moves.append(answer)
        return action

    def _go(self, allowance: Allowance) -> str:
        """The limits. The referee keeps a clock for each player and tells only the mover's: the other is taken to
        have as much."""
        if self.limited or (allowance.clock is None and allowance.seconds is None):
            return " ".join(self.limits) or f"movetime {round(1000 * PROGRAM_SECONDS)}"
        if allowance.clock is None:
            assert allowance.seconds is not None
            return f"movetime {max(1, round(1000 * allowance.seconds))}"
        clock = allowance.clock
        left, more = max(1, round(1000 * clock.remaining)), round(1000 * clock.increment)
        to_go = "" if clock.moves_to_go is None else f" movestogo {clock.moves_to_go}"
        return f"wtime {left} btime {left} winc {more} binc {more}{to_go}"


class GnubgOpponent(ProgramOpponent):
    """GNU Backgammon: `gnubg:COMMAND;plies=0`, `gnubg:gnubg` if nothing else is said. It is told the position and
    the dice, and keeps nothing between plays."""

    program: GnubgProgram | None
    limited = True

    def __init__(self, text: str) -> None:
        self.text = text
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
        if not isinstance(game, Backgammon):
            raise Unsuitable(f"GNU Backgammon plays backgammon, not {type(game).__name__}")
        self._game = game
        self.program = GnubgProgram(self.command, self.plies)

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        if self.program is None or not self.program.alive:
            try:
                self.prepare(self._game)
            except ProgramFailed as failure:
                raise forfeit_of(failure) from None

    def told(self, state: Any, action: Any, player: int) -> None:
        pass

    def choose(self, state: Any, allowance: Allowance, history: Sequence[Any] = ()) -> Any:
        assert self.program is not None
        try:
            return self.program.choose(self._game, state, allowance.patience)
        except ProgramFailed as failure:
            raise forfeit_of(failure) from None
        except PlyforgeError as error:
            raise Forfeit("illegal", str(error)) from None


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


def forfeit_of(failure: ProgramFailed) -> Forfeit:
    return Forfeit("protocol" if failure.kind == "refused" else failure.kind, str(failure))


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
    "GnubgOpponent",
    "GtpOpponent",
    "ProgramOpponent",
    "UciOpponent",
    "colours",
    "forfeit_of",
    "time_settings",
]
