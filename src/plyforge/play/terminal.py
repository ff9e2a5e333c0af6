"""A game in the terminal: persons, algorithms, or both.

The loop asks whoever is to move: chance is drawn by the session, an algorithm thinks, a person is asked for a line of
text. A line is an action as the game writes it, or a command (`help` lists them). An action's name wins
over a command's; `/undo` is always the command.

It works without a terminal as well: lines come from a pipe and are echoed, nothing is coloured, and the end of
the input ends the game. Colours are from the Okabe-Ito palette, which colour-blind people can tell apart, and never say
anything that the text does not. `NO_COLOR` is honoured.

Ctrl-C while an algorithm thinks stops the thinking and asks what to do; at the prompt it leaves the game.
"""

from __future__ import annotations

import contextlib
import difflib
import getpass
import glob
import inspect
import io
import re
import shlex
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from plyforge.errors import BadLimits, PlyforgeError
from plyforge.game import CHANCE, TOGETHER, Game
from plyforge.kernel import new_stream
from plyforge.play import record
from plyforge.play.describe import ENGINE_SECONDS
from plyforge.play.draw_offers import Thought, answer, can_agree, thought_of
from plyforge.play.explain import each, explain
from plyforge.play.player import Human, Player, SearchPlayer, own_choice
from plyforge.play.session import GameSession, player_name
from plyforge.search import FellBack, MixedResult, Progress

OKABE_ITO = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#F0E442")
"""Sky blue, orange, bluish green, reddish purple, vermillion, yellow: one for each player, in this order."""
ERROR_STYLE = "bold #D55E00"
PATIENCE = 2.0
"""Seconds of thinking before the status line shows."""
LONGEST_LINE = 10_000
"""Characters of input; the rest of a longer line is dropped."""

COMMANDS = {
    "help": "show this",
    "moves": "list the legal actions",
    "board": "show the board again",
    "hint": "ask a search what it would play, and why; `hint 5` lets it think for five seconds",
    "undo": "take back to your last turn; `undo 2` goes back two of your turns",
    "redo": "play again what was taken back",
    "resign": "give up: the game ends",
    "draw": "offer a draw: the game ends if the other side accepts",
    "save": "`save FILE` keeps the game in a file",
    "load": "`load FILE` goes on with a game that was saved",
    "go": "let a stopped algorithm think again; `go 5` gives it five seconds",
    "quit": "leave; so do Ctrl-D and Ctrl-C",
}
OTHER_NAMES = {"?": "help", "h": "help", "exit": "quit", "q": "quit", "u": "undo"}


class _Leave(Exception):
    """The person wants to stop; the text says why."""


@dataclass
class TerminalGame:
    """A session, who plays it, and where it is shown."""

    session: GameSession
    """The game in progress."""
    players: list[Player | Human]
    """One for each player of the game."""
    console: Console
    """Where everything but the status line is printed."""
    status: Console
    """Where the status line goes; shown only if it is a terminal."""
    source: TextIO
    """Where a person's lines come from."""
    adviser: SearchPlayer
    """Who answers `hint`."""
    paused: bool = False
    """True after Ctrl-C: the person decides what happens at an algorithm's turn."""
    interrupted: bool = False
    """True if Ctrl-C ended the game and there was no person to ask what to do."""
    picture: str = ""
    """The board as it was last shown, to see what has changed."""
    thought: Thought | None = None
    """What the algorithm that moved last thought, for its answer to an offer of a draw."""

    def __post_init__(self) -> None:
        self.persons = [index for index, player in enumerate(self.players) if isinstance(player, Human)]
        self.interactive = self.source.isatty()
        self.notes: list[str] = []
        self.session.seats = tuple(player.description for player in self.players)

    @property
    def game(self) -> Game:
        return self.session.game

    # ------------------------------------------------------------ the loop
    def run(self) -> TerminalGame:
        """Play until the game ends or the person leaves."""
        with self._completion(), self._warnings():
            try:
                self.welcome()
                self.play()
            except _Leave as leave:
                self._farewell(str(leave))
            except KeyboardInterrupt:
                self.interrupted = not self.interactive
                self._farewell("\nStopped by Ctrl-C")
        return self

    def play(self) -> None:
        """Ask whoever is to move, until nobody is."""
        told = False
        while True:
            if self.session.over:
                if not told:
                    self.show_end()
                if not self.persons:
                    return
                told = True
                self.ask()
                continue
            told = False
            player = self.session.player
            if player == CHANCE:
                self.let_chance_decide()
                continue
            if player == TOGETHER:
                self.choose_at_once()
                continue
            assert player is not None
            seat = self.players[player]
            if isinstance(seat, Human) or self.paused:
                self.ask()
            else:
                self.let_think(player, seat)

    def let_chance_decide(self) -> None:
        """Draw what chance does, and show it."""
        event = self.session.draw()
        self.say(f"Chance: {event.text}", f"  (probability {event.probability:.3g})")
        self.show_board()

    def choose_at_once(self) -> None:
        """All choose, the algorithms first; what was chosen shows when everybody has. A command in between begins the round anew."""
        game, state, ply = self.game, self.session.state, len(self.session.history)
        chosen: dict[int, Any] = {}
        notes: dict[int, str] = {}
        for player, seat in enumerate(self.players):
            if not isinstance(seat, Human):
                stream = new_stream(self.session.seed + ply * game.players + player)
                with self.thinking(player_name(game, player)) as on_progress:
                    chosen[player], notes[player] = own_choice(
                        game,
                        state,
                        player,
                        seat,
                        stream,
                        on_progress=on_progress,
                        history=self.session.states,
                    )
        for player in self.persons:
            while player not in chosen:
                line = self._read(f"{player_name(game, player)}, your choice> ", hidden=len(self.persons) > 1)
                if line is None:
                    raise _Leave("End of input")
                try:
                    if not self._choose(player, line.strip(), chosen):
                        self.obey(line.strip())
                except PlyforgeError as error:
                    self.complain(str(error))
                if self.session.over or len(self.session.history) != ply or self.session.state != state:
                    return
        self.session.play(tuple(chosen[player] for player in range(game.players)))
        for player in range(game.players):
            text = game.format_choice(state, player, chosen[player])
            self.say(f"{player_name(game, player)} chooses {text}", player=player)
            if notes.get(player):
                self.say("", f"  {notes[player]}")
        if game.has_rewards:
            self.say("", f"  so far: {each(game, self.session.paid)}")
        self.show_board()

    def _choose(self, player: int, line: str, chosen: dict[int, Any]) -> bool:
        """Take a line as a person's choice; False if it is a command, or nothing."""
        state, word = self.session.state, line.partition(" ")[0].removeprefix("/").lower()
        own = {
            self.game.format_choice(state, player, each): each for each in self.game.choices(state, player)
        }
        if line in own:
            chosen[player] = own[line]
            return True
        if not line or line.startswith("/") or OTHER_NAMES.get(word, word) in COMMANDS:
            return False
        chosen[player] = self.game.parse_choice(state, player, line)
        return True

    def let_think(self, player: int, seat: Player) -> None:
        """An algorithm's turn."""
        name = player_name(self.game, player)
        try:
            with self.thinking(name) as on_progress:
                choice = seat.choose(
                    self.game, self.session.state, on_progress=on_progress, history=self.session.states
                )
            state = self.session.state
            self.session.play(choice.action)
            self.thought = thought_of(self.session, choice.result)
        except KeyboardInterrupt:
            if not self.interactive:
                raise
            self.paused = True
            self.say(
                "\nStopped thinking. ",
                f"go lets {name} think again, an action is played for it; or undo, save, quit.",
            )
            return
        except PlyforgeError as error:
            if not self.interactive:
                raise
            self.paused = True
            self.complain(f"{name} can't move: {error}")
            return
        self.say(f"{name} plays {self.game.format_action(state, choice.action)}", player=player)
        if choice.note:
            self.say("", f"  {choice.note}")
        self.show_board()

    # ------------------------------------------------------------ a person's turn
    def ask(self) -> None:
        """One line from the person: an action or a command."""
        line = self._read(self._prompt())
        if line is None:
            why = "End of input"
            raise _Leave("" if self.session.over else why)
        line = line.strip()
        try:
            self.obey(line)
        except PlyforgeError as error:
            self.complain(str(error))

    def obey(self, line: str) -> None:
        """Do what a line says."""
        if not line:
            if self.session.over:
                raise _Leave("")
            return self.say("", "Type an action or a command; moves lists the actions, help the commands.")
        first, _, rest = line.partition(" ")
        forced = first.startswith("/")
        word = first.removeprefix("/").lower()
        word = OTHER_NAMES.get(word, word)
        is_action = not forced and not self.session.over and line in self._legal_texts()
        if word in COMMANDS and not is_action:
            return getattr(self, f"command_{word}")(rest.strip())
        if forced:
            return self.complain(f"there is no command {first!r}; help lists them")
        if self.session.over:
            return self.complain(
                f"{_short(line)} can't be played: the game is over. Try save FILE, undo, or quit"
            )
        return self.take(line)

    def take(self, line: str) -> None:
        """Play an action for whoever is to move."""
        try:
            action = self.session.read_action(line)
            player = self.session.player
            text = self.game.format_action(self.session.state, action)
            self.session.play(action)
        except PlyforgeError as error:
            message = str(error)
            near = difflib.get_close_matches(line.split()[0].lower(), self._commands(), n=1, cutoff=0.7)
            if "legal" not in message:
                message += f"; legal: {self.session.legal_text()}"
            return self.complain(message + (f". Or did you mean the command {near[0]}?" if near else ""))
        assert player is not None
        self.paused = False
        self.say(f"{player_name(self.game, player)} plays {text}", player=player)
        return self.show_board()

    def command_help(self, rest: str) -> None:
        self.say(
            "An action is written as moves shows it. Commands (/ before a command, where an action has the same name):"
        )
        for name in self._commands():
            self.say(f"  {name:<8}", COMMANDS[name].replace("`", "'"))

    def command_moves(self, rest: str) -> None:
        if self.session.over:
            return self.say("There are none: the game is over.")
        if self.session.player == TOGETHER:
            for player in self.persons or range(self.game.players):
                texts = [
                    self.game.format_choice(self.session.state, player, c)
                    for c in self.game.choices(self.session.state, player)
                ]
                self.say(f"{player_name(self.game, player)} has {len(texts)}: ", "  ".join(texts))
            return None
        legal = self._legal_texts()
        return self.say(f"{len(legal)} legal: ", "  ".join(legal))

    def command_board(self, rest: str) -> None:
        self.show_board()

    def command_hint(self, rest: str) -> None:
        if self.session.over:
            return self.say("There is nothing to choose: the game is over.")
        adviser = self.adviser if not rest else self._with_seconds(self.adviser, rest)
        try:
            with self.thinking("The adviser") as on_progress:
                choice = adviser.choose(
                    self.game, self.session.state, on_progress=on_progress, history=self.session.states
                )
        except KeyboardInterrupt:
            if not self.interactive:
                raise
            return self.say("\nStopped thinking, no hint.")
        found = choice.result
        assert found is not None
        if isinstance(found, MixedResult):
            for player in self.persons or range(self.game.players):
                mix = "  ".join(f"{text} {share:.2f}" for text, share in found.policy_text()[player].items())
                self.say(f"Hint for {player_name(self.game, player)}: ", mix)
            return self.say("", f"  {found.using}: {explain(found)}")
        others = [found.text(action) for action in found.best[1:]]
        as_good = (
            f" (as good: {', '.join(others[:10])}{' ...' if len(others) > 10 else ''})" if others else ""
        )
        self.say(f"Hint: {found.text(found.action)}{as_good}")
        return self.say("", f"  {found.using}: {explain(found)}")

    def command_undo(self, rest: str) -> None:
        for done in range(_count(rest)):
            back = self._turns_back()
            if back == 0:
                if done == 0:
                    return self.say("There is nothing of yours to take back.")
                break
            self.session.undo(back)
        self.paused = False
        self.say("Taken back.")
        return self.show_board()

    def command_redo(self, rest: str) -> None:
        if not self.session.can_redo:
            return self.say("Nothing was taken back.")
        while self.session.can_redo:
            self.session.redo()
            if not self.persons or self.session.player in self.persons:
                break
        return self.show_board()

    def command_resign(self, rest: str) -> None:
        player = self.session.player
        if not self.persons:
            return self.say("No person plays here; quit leaves the game.")
        self.session.resign(player if player in self.persons else self.persons[0])
        return None

    def command_draw(self, rest: str) -> None:
        game, session = self.game, self.session
        if not can_agree(game):
            return self.complain("no draw can be agreed on in this game")
        if session.over:
            return self.say("There is nothing to agree on: the game is over.")
        if not self.persons:
            return self.say("No person plays here; quit leaves the game.")
        if len(self.persons) == 1:
            said = answer(session, 1 - self.persons[0], self.thought)
            self.say(f"{said.words}.")
            if said.accepted:
                session.agree()
            return None
        offers = 1 if session.player == 1 else 0
        name, other = player_name(game, offers), player_name(game, 1 - offers)
        line = self._read(f"{name} offers a draw. {other}, do you accept? (yes or no)> ")
        if line is None:
            raise _Leave("End of input")
        if line.strip().lower() not in ("y", "yes"):
            return self.say(f"{other} declines the draw.")
        self.say(f"{other} accepts the draw.")
        return session.agree()

    def command_save(self, rest: str) -> None:
        if not rest:
            return self.complain("save needs the name of a file, as in: save game.json")
        path = record.save(self.session, _unquoted(rest))
        name = record.game_text(self.game)
        rules = f"{shlex.quote(name)} " if record.names_file(name) else ""
        return self.say(
            f"Saved to {path}", f"  (plyforge play {rules}--load {shlex.quote(str(path))} goes on with it)"
        )

    def command_load(self, rest: str) -> None:
        if not rest:
            return self.complain("load needs the name of a file, as in: load game.json")
        seats = self.session.seats
        self.session = record.restore(_unquoted(rest), self.game)
        self.session.seats = seats
        self.paused = False
        self.picture = ""
        self.say(f"Loaded: {_plies(self.session)} played.")
        return self.show_board()

    def command_go(self, rest: str) -> None:
        player = self.session.player
        seat = self.players[player] if player is not None and player >= 0 else None
        if player is None or seat is None or isinstance(seat, Human):
            return self.say("It is your move: type an action, or hint.")
        if rest and isinstance(seat, SearchPlayer):
            seat = self._with_seconds(seat, rest)
        self.paused = False
        return self.let_think(player, seat)

    def command_quit(self, rest: str) -> None:
        raise _Leave("" if self.session.over else "You left")

    def _turns_back(self) -> int:
        """How many turns to take back to a state in which a person moves (or, without persons, an algorithm)."""
        if self.session.settled:
            return 1
        for back, turn in enumerate(reversed(self.session.history), 1):
            if turn.player in (*self.persons, TOGETHER) or (not self.persons and turn.player != CHANCE):
                return back
        return 0

    def _with_seconds(self, player: SearchPlayer, text: str) -> SearchPlayer:
        try:
            player.engine(self.game)  # so that both learn in the same place
            return player.with_seconds(float(text))
        except ValueError:
            raise BadLimits(f"{_short(text)} is not a number of seconds") from None

    def _commands(self) -> list[str]:
        """The commands that there are in this game."""
        return [name for name in COMMANDS if name != "draw" or can_agree(self.game)]

    def _legal_texts(self) -> list[str]:
        return [self.game.format_action(self.session.state, action) for action in self.session.legal]

    # ------------------------------------------------------------ what is shown
    def welcome(self) -> None:
        """What is played, by whom, and how to begin."""
        game = self.game
        self.say(_title(game), f"  {_first_line(game)}")
        for index, player in enumerate(self.players):
            self.say(f"  {player_name(game, index)}: {self._seat_words(player)}", player=index)
        if self.persons:
            self.say(
                "",
                "Type an action, or help. Values are how good a position is for the player named beside them.",
            )
        if self.session.history:
            self.say(f"{_plies(self.session)} played: ", " ".join(self.session.actions_text()))
        self.show_board()

    def show_board(self) -> None:
        """The state as the game pictures it, with what changed since the last picture set off."""
        if self.session.player == CHANCE:
            return
        picture = self.game.show(self.session.state)
        self.console.print()
        self.console.print(_indented(_coloured(self.game, picture, self.picture)), soft_wrap=True)
        self.console.print()
        self.picture = picture

    def show_end(self) -> None:
        """Who won, for whom, after how many plies."""
        outcome = self.session.outcome
        assert outcome is not None
        text = outcome.text(self.game)
        if outcome.resigned is not None and outcome.winners:
            text = f"{outcome.reason}, {text}"
        if len(self.persons) == 1 and self.game.players > 1 and (outcome.winners or outcome.draw):
            mine = self.persons[0] in outcome.winners
            text += "" if outcome.draw else f", you {'win' if mine else 'lose'}"
        self.say(f"The game is over after {_plies(self.session)}: {text}.", style="bold")
        if self.game.has_costs:
            cost = sum(float(self.game.cost(turn.state, turn.action)) for turn in self.session.history)
            self.say("", f"  The actions cost {cost:g}.")
        if outcome.utilities is not None:
            self.say("", f"  Payoffs: {each(self.game, outcome.utilities)}.")
        if self.persons:
            self.say("", "  save FILE keeps the game, undo goes back, Enter or quit leaves.")

    def say(self, text: str, aside: str = "", *, player: int | None = None, style: str = "") -> None:
        """A line; a player's in that player's colour, what is said aside dimmed."""
        if player is not None:
            style = f"bold {OKABE_ITO[player % len(OKABE_ITO)]}"
        line = Text(text, style=style)
        line.append(aside, style="dim")
        self.console.print(line, soft_wrap=not self.console.is_terminal)

    def complain(self, message: str) -> None:
        """What is wrong with what the person typed."""
        line = Text("Not possible: ", style=ERROR_STYLE)
        line.append(message, style="default")
        self.console.print(line, soft_wrap=not self.console.is_terminal)

    def _farewell(self, why: str) -> None:
        if why:
            self.say(f"{why}: the game stops after {_plies(self.session)}, not finished.")

    def _seat_words(self, player: Player | Human) -> str:
        if isinstance(player, Human):
            return "you" if len(self.persons) == 1 else "a person"
        return player.words(self.game) if isinstance(player, SearchPlayer) else player.description

    # ------------------------------------------------------------ thinking
    @contextlib.contextmanager
    def thinking(self, name: str) -> Iterator[Callable[[Progress], None]]:
        """A status line from the third second on; gives the function that takes reports of progress."""
        reports: list[Progress] = []
        done = threading.Event()
        began = time.perf_counter()

        def describe() -> str:
            words = f"{name} is thinking, {time.perf_counter() - began:.0f} s"
            if not reports:
                return f"{words} (compiling the rules) - Ctrl-C stops" if self.game.worth_compiling else words
            depth = f"depth {reports[-1].depth}, " if reports[-1].depth is not None else ""
            return f"{words}, {depth}{reports[-1].nodes:,} nodes - Ctrl-C stops"

        def show() -> None:
            if done.wait(PATIENCE):
                return
            with self.status.status(Text(describe()), spinner="line") as line:
                while not done.wait(0.25):
                    line.update(Text(describe()))

        thread = threading.Thread(target=show, name="plyforge status") if self.status.is_terminal else None
        try:
            if thread is not None:
                thread.start()
            yield lambda progress: reports.__setitem__(slice(None), [progress])
        finally:
            done.set()
            if thread is not None:
                thread.join()
            while self.notes:
                self.say("", f"Note: {self.notes.pop(0)}")

    @contextlib.contextmanager
    def _warnings(self) -> Iterator[None]:
        """Rules that can't be compiled are worth one line, not one at every move."""
        told: set[str] = set()

        def show(message: Any, category: type[Warning], *rest: Any, **more: Any) -> None:
            if issubclass(category, FellBack) and str(message) not in told:
                told.add(str(message))
                self.notes.append(str(message))  # shown when the status line has gone

        with warnings.catch_warnings():
            warnings.simplefilter("always", FellBack)
            warnings.showwarning = show
            yield

    # ------------------------------------------------------------ input
    def _prompt(self) -> str:
        if self.session.over:
            return "game over> "
        player = self.session.player
        assert player is not None
        name = player_name(self.game, player)
        if self.paused and player not in self.persons:
            return f"{name} was stopped> "
        return f"{name}, your move> " if len(self.persons) != 1 or self.game.players > 1 else "your move> "

    def _read(self, prompt: str, hidden: bool = False) -> str | None:
        """A line of input, or None at its end. From a pipe it is echoed, so that the output reads like a game; what is `hidden` from the others is not."""
        if self.interactive and self.source is sys.stdin:
            try:
                return (getpass.getpass(prompt) if hidden else input(prompt))[:LONGEST_LINE]
            except EOFError:
                self.console.print()
                return None
            except UnicodeDecodeError:
                return "\ufffd"
        self.console.print(Text(prompt), end="", soft_wrap=True)
        try:
            line = self.source.readline(LONGEST_LINE)
        except UnicodeDecodeError:
            line = "\ufffd\n"
        longer = line
        while longer and not longer.endswith("\n"):
            longer = self.source.readline(LONGEST_LINE)
        self.console.print(Text("..." if hidden else _printable(line.rstrip("\n"))), soft_wrap=True)
        return line if line else None

    @contextlib.contextmanager
    def _completion(self) -> Iterator[None]:
        """Tab completes actions, commands and, after `save` and `load`, names of files."""
        if not (self.interactive and self.source is sys.stdin):
            yield
            return
        try:
            import readline
        except ImportError:
            yield
            return
        before, delimiters = readline.get_completer(), readline.get_completer_delims()

        def complete(text: str, number: int) -> str | None:
            try:
                if readline.get_line_buffer().startswith(("save ", "load ")):
                    words = glob.glob(glob.escape(text) + "*")  # noqa: PTH207, keeps the text as it was typed
                else:
                    words = [w for w in [*self._legal_texts(), *self._commands()] if w.startswith(text)]
                return words[number] if number < len(words) else None
            except Exception:  # readline swallows errors anyway, and a failed completion is none
                return None

        readline.set_completer(complete)
        readline.set_completer_delims(" \t\n")
        readline.parse_and_bind("tab: complete")
        try:
            yield
        finally:
            readline.set_completer(before)
            readline.set_completer_delims(delimiters)


def play_in_terminal(
    session: GameSession,
    players: list[Player | Human],
    *,
    source: TextIO | None = None,
    output: TextIO | None = None,
    adviser: SearchPlayer | None = None,
) -> TerminalGame:
    """Play a session in the terminal; how it stands when the game ends or the person leaves.

    `source` is where lines come from (standard input), `output` where the game is shown (standard output), `adviser`
    the search that answers `hint`.
    """
    if len(players) != session.game.players:
        raise BadLimits(
            f"{type(session.game).__name__} has {session.game.players} players, {len(players)} were given"
        )
    return TerminalGame(
        session,
        players,
        Console(file=output, highlight=False, markup=False, emoji=False),
        Console(stderr=True, highlight=False, markup=False, emoji=False),
        source or sys.stdin or io.StringIO(),  # without standard input at all, as at its end
        adviser or SearchPlayer(seconds=ENGINE_SECONDS),
    ).run()


# ------------------------------------------------------------------ pieces of text
def _title(game: Game) -> str:
    try:
        return record.game_text(game).rpartition("/")[2]
    except PlyforgeError:
        return type(game).__name__


def _first_line(game: Game) -> str:
    """What the rules say of themselves. A dataclass without a docstring gets one made up, which says nothing."""
    text = inspect.getdoc(type(game)) or ""
    return "" if text.startswith(f"{type(game).__name__}(") else text.partition("\n")[0]


def _marks(game: Game) -> list[str]:
    """What may stand for each player in a picture, as a pattern."""
    names = [str(name) for name in getattr(game, "player_names", ())] or ["X", "O"]
    roles = ["MAX", "MIN"] if game.players == 2 else [f"player {index}" for index in range(game.players)]
    return [f"{re.escape(name)}|{role}" for name, role in zip(names, roles, strict=False)]


def _coloured(game: Game, picture: str, before: str) -> Text:
    """The picture with each player's marks in the player's colour, and what has changed reversed."""
    text = Text(picture)
    for player, mark in enumerate(_marks(game)):
        for found in re.finditer(rf"(?<!\w)(?:{mark})(?!\w)", picture):
            text.stylize(f"bold {OKABE_ITO[player % len(OKABE_ITO)]}", *found.span())
    if [len(line) for line in picture.split("\n")] == [len(line) for line in before.split("\n")]:
        changed = [i for i, (new, old) in enumerate(zip(picture, before, strict=True)) if new != old]
        for index in changed if len(changed) <= 8 else []:
            text.stylize("reverse", index, index + 1)
    return text


def _indented(text: Text) -> Text:
    return Text("\n").join(Text("  ") + line for line in text.split("\n", allow_blank=True))


def _plies(session: GameSession) -> str:
    events = sum(turn.player == CHANCE for turn in session.history)
    moves = len(session.history) - events
    words = f"{moves} {'ply' if moves == 1 else 'plies'}"
    return f"{words} and {events} chance event{'' if events == 1 else 's'}" if events else words


def _count(text: str) -> int:
    if not text:
        return 1
    if not text.isascii() or not text.isdigit() or len(text) > 6 or int(text) < 1:
        raise BadLimits(f"{_short(text)} is not a number of turns")
    return int(text)


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _printable(text: str) -> str:
    """Control characters from a pipe must not reach somebody's terminal."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


__all__ = ["COMMANDS", "OKABE_ITO", "TerminalGame", "play_in_terminal"]
