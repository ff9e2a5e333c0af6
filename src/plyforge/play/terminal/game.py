"""The loop of a game in the terminal.

It asks whoever is to move: chance is drawn by the session, an algorithm thinks, a person is asked for a line of text. A
line is an action as the game writes it, its number in the list of moves (`#3`), or a command (`help` lists them). An
action's name wins over a command's; `/undo` is always the command.

Ctrl-C while an algorithm thinks stops the thinking and asks what to do; at the prompt it leaves the game.
"""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any

from plyforge.contract import CHANCE, PUBLIC, SIMULTANEOUS, Game, format_action
from plyforge.errors import IllegalAction, PlyforgeError
from plyforge.play.compile import code_of
from plyforge.play.match.draw_offers import Thought, thought_of
from plyforge.play.players.player import Human, Player, Resigned
from plyforge.play.players.programs.analyst import ProgramAnalyst, analysts
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.session import GameSession, player_name
from plyforge.play.terminal.at_once import choose_at_once
from plyforge.play.terminal.commands import COMMANDS, Leave, commands_of, has_numbers, name_of, short
from plyforge.play.terminal.keyboard import Keyboard
from plyforge.play.terminal.screen import Screen
from plyforge.play.terminal.thinking import StatusLine
from plyforge.play.terminal.words import plies, show_end, welcome
from plyforge.play.warm import Warm
from plyforge.search import Progress

FEW = 12
"""So many moves are listed also if nobody asks."""
LONGEST_NUMBER = 9
"""Digits of a number that can be that of a move."""


@dataclass
class TerminalGame:
    """A session, who plays it, and where it is shown."""

    session: GameSession
    """The game in progress."""
    players: list[Player | Human]
    """One for each player of the game."""
    screen: Screen
    """Where everything but the status line is shown."""
    status: StatusLine
    """Who thinks; shown only if it is a terminal."""
    keyboard: Keyboard
    """Where a person's lines come from."""
    adviser: SearchPlayer
    """Who answers `hint`."""
    paused: bool = False
    """True after Ctrl-C: the person decides what happens at an algorithm's turn."""
    interrupted: bool = False
    """True if Ctrl-C ended the game and there was no person to ask what to do."""
    explains_time: bool = False
    """True if it is said what became of the time of each algorithm."""
    warm: Warm | None = None
    """Compiles in the background, so that nobody waits for it; None: searches compile when they are first asked."""
    thought: Thought | None = None
    """What the algorithm that moved last thought, for its answer to an offer of a draw."""

    holds: int | None = None
    """Of several people in a game with hidden information: who has the screen; None: nobody."""
    hints: str = ""
    """The name of the program that answers `hint` where nobody else is named; "" for the adviser."""
    running: dict[str, ProgramAnalyst] = field(default_factory=dict)
    """Programs that were asked for hints."""
    slow: dict[int, SearchPlayer] = field(default_factory=dict)
    """By identity of a player that is not compiled yet: who moves for it meanwhile, the same search interpreted."""

    def __post_init__(self) -> None:
        self.persons = [index for index, player in enumerate(self.players) if isinstance(player, Human)]
        self.session.seats = tuple(player.description for player in self.players)

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def programs(self) -> list[str]:
        """The names of the user's programs that know the game."""
        return list(analysts(self.game))

    def program(self, name: str) -> ProgramAnalyst:
        """One of them, at work."""
        if name not in self.running:
            self.running[name] = ProgramAnalyst(self.game, name)
        return self.running[name]

    @property
    def eyes(self) -> int:
        """Who looks at the screen, where something is hidden: the one person, or of several who is to move; else
        everybody."""
        if len(self.persons) == 1:
            return self.persons[0]
        player = self.session.player
        return player if player is not None and player in self.persons and player == self.holds else PUBLIC

    def legal_texts(self) -> list[str]:
        """The actions that may be typed now."""
        return [format_action(self.game, self.session.seen, action) for action in self.session.legal]

    def _completions(self) -> list[str]:
        return [*self.legal_texts(), *commands_of(self.game)]

    def thinking(self, name: str) -> AbstractContextManager[Callable[[Progress], None]]:
        """While somebody thinks; gives the function that takes reports of progress."""
        return self.status.thinking(name, self.game, self.screen)

    def at_speed(self, player: Any) -> Any:
        """Who moves for a player now: it itself as soon as it is compiled, and before that the same search interpreted.

        Only where time is what limits it: to a depth, an interpreted search may take longer than compiling.
        """
        if self.warm is None or not isinstance(player, SearchPlayer) or player.native is not None:
            return player
        if player.seconds is None or player.depth is not None or player.nodes is not None:
            return player
        if self.warm.native(self.game, code_of(player)) is None:
            return player
        return self.slow.setdefault(id(player), replace(player, native=False))

    # ------------------------------------------------------------ the loop
    def run(self) -> TerminalGame:
        """Play until the game ends or the person leaves."""
        for player in [*self.players, self.adviser]:
            self.at_speed(player)  # so that it is compiled while the person looks at the board
        with self.keyboard.completion(self._completions), self.status.warnings():
            try:
                welcome(self.screen, self.session, self.players, self.eyes)
                self.play()
            except Leave as leave:
                self._farewell(str(leave))
            except KeyboardInterrupt:
                self.interrupted = not self.keyboard.interactive
                self._farewell("\nStopped by Ctrl-C")
        return self

    def _farewell(self, why: str) -> None:
        if why:
            self.screen.say(f"{why}: the game stops after {plies(self.session)}, not finished.")

    def play(self) -> None:
        """Ask whoever is to move, until nobody is."""
        told = False
        while True:
            if self.session.over:
                if not told:
                    if self.game.hidden_information:
                        self.screen.show_board(self.session)
                    show_end(self.screen, self.session, self.persons)
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
            if player == SIMULTANEOUS:
                choose_at_once(self)
                continue
            assert player is not None
            seat = self.players[player]
            if isinstance(seat, Human) and self.must_hand_over(player):
                self.hand_over(player)
            elif isinstance(seat, Human) or self.paused:
                self.ask()
            else:
                self.let_think(player, seat)

    def must_hand_over(self, player: int) -> bool:
        """True if somebody else may be looking at the screen, who must not see what this person sees."""
        return self.game.hidden_information and len(self.persons) > 1 and self.holds != player

    def hand_over(self, player: int) -> None:
        """Nothing is shown until the person who is to move says that nobody else looks."""
        self.holds = None
        self.screen.clear()
        name = player_name(self.game, player)
        if self.keyboard.read(f"Pass the screen to {name}. {name}, press Enter when only you look> ") is None:
            raise Leave("End of input")
        self.holds = player
        self.screen.show_board(self.session, self.eyes)

    def let_chance_decide(self) -> None:
        """Draw what chance does, and show it, unless that may be hidden."""
        event = self.session.draw()
        if not self.game.hidden_information:
            self.screen.say(f"Chance: {event.text}", f"  (probability {event.probability:.3g})")
        if not self.game.hidden_information or (len(self.persons) < 2 and not self.session.over):
            self.screen.show_board(self.session, self.eyes)

    def let_think(self, player: int, seat: Player) -> None:
        """An algorithm's turn."""
        name, session, screen = player_name(self.game, player), self.session, self.screen
        try:
            with self.thinking(name) as on_progress:
                state = session.observation(player)
                choice = self.at_speed(seat).choose(
                    self.game, state, on_progress=on_progress, history=session.observations(player)
                )
            session.play(choice.action)
            self.thought = thought_of(session, choice.result)
        except Resigned:
            return session.resign(player)
        except KeyboardInterrupt:
            if not self.keyboard.interactive:
                raise
            self.paused = True
            screen.say(
                "\nStopped thinking. ",
                f"go lets {name} think again, an action is played for it; or undo, save, quit.",
            )
            return
        except PlyforgeError as error:
            if not self.keyboard.interactive:
                raise
            self.paused = True
            screen.complain(f"{name} can't move: {error}")
            return
        if self.game.hidden_information:
            return self.say_moved(player)
        screen.say(f"{name} plays {format_action(self.game, state, choice.action)}", player=player)
        if choice.note:
            screen.say("", f"  {choice.note}")
        if self.explains_time and choice.result is not None and choice.result.timing is not None:
            screen.say("", "\n".join(f"  {line}" for line in choice.result.timing.lines()))
        return screen.show_board(session)

    def say_moved(self, player: int) -> None:
        """Somebody has moved, where something is hidden: the board shows what may be known of it."""
        self.screen.say(f"{player_name(self.game, player)} has moved", player=player)
        if not self.session.over and len(self.persons) < 2:
            self.screen.show_board(self.session, self.eyes)

    # ------------------------------------------------------------ a person's turn
    def ask(self) -> None:
        """One line from the person: an action or a command."""
        line = self.keyboard.read(self._prompt())
        if line is None:
            raise Leave("" if self.session.over else "End of input")
        try:
            self.obey(line.strip())
        except PlyforgeError as error:
            self.screen.complain(str(error))

    def _prompt(self) -> str:
        if self.session.over:
            return "game over> "
        player = self.session.player
        assert player is not None
        name = player_name(self.game, player)
        if self.paused and player not in self.persons:
            return f"{name} was stopped> "
        return f"{name}, your move> " if len(self.persons) != 1 or self.game.players > 1 else "your move> "

    def obey(self, line: str) -> None:
        """Do what a line says."""
        if not line:
            if self.session.over:
                raise Leave("")
            self.screen.say("", "Type an action or a command; moves lists the actions, help the commands.")
            if self.session.player != SIMULTANEOUS and len(self.legal_texts()) <= FEW:
                COMMANDS["moves"].do(self, "")
            return None
        first, _, rest = line.partition(" ")
        forced, name = first.startswith("/"), name_of(line)
        is_action = not forced and not self.session.over and line in self.legal_texts()
        if name in COMMANDS and not is_action:
            return COMMANDS[name].do(self, rest.strip())
        if forced:
            return self.screen.complain(f"there is no command {first!r}; help lists them")
        if self.session.over:
            return self.screen.complain(
                f"{short(line)} can't be played: the game is over. Try save FILE, undo, or quit"
            )
        return self.take(line)

    def numbered(self, line: str) -> str | None:
        """The action that a line names by its number in the list of moves, `#3`; None if it names none so.

        A number alone does where no action is a number itself: else one that is not legal now would stand for another
        action.
        """
        texts = self.legal_texts()
        sign, number = line.startswith("#"), line.removeprefix("#").strip()
        if line in texts or not number.isdecimal() or (not sign and has_numbers(texts)):
            return None
        if not sign:
            with contextlib.suppress(PlyforgeError):
                self.session.read_action(line)  # the game itself may know it
                return None
        if len(number) > LONGEST_NUMBER or not 1 <= int(number) <= len(texts):
            raise IllegalAction(
                f"there is no move {short(line)}: there are #1 to #{len(texts)}; legal: {self.session.legal_text()}"
            )
        return texts[int(number) - 1]

    def take(self, line: str) -> None:
        """Play an action for whoever is to move."""
        try:
            action = self.session.read_action(self.numbered(line) or line)
            player = self.session.player
            text = format_action(self.game, self.session.seen, action)
            self.session.play(action)
        except PlyforgeError as error:
            message = str(error)
            names = commands_of(self.game)
            near = difflib.get_close_matches(line.split()[0].lower(), names, n=1, cutoff=0.7)
            if "legal" not in message:
                message += f"; legal: {self.session.legal_text()}"
            return self.screen.complain(message + (f". Or did you mean the command {near[0]}?" if near else ""))
        assert player is not None
        self.paused = False
        if self.game.hidden_information:
            return self.say_moved(player)
        self.screen.say(f"{player_name(self.game, player)} plays {text}", player=player)
        return self.screen.show_board(self.session, self.eyes)


__all__ = ["TerminalGame"]
