"""A game as a moving picture: each state is shown in place of the one before. For games that are steered
(`BoardView.steering`), and for replays of any game.

A person steers with the keys that the rules name; `q` leaves. Algorithms move by themselves, and the picture waits a
little between two rounds. Without a terminal every round is printed below the one before, as plain lines.

Invariant: what is shown is the session's state; what is played goes through the session, which checks it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from plyforge.contract import CHANCE, Game, format_action
from plyforge.contract.value_words import each_in_words
from plyforge.errors import BadLimits
from plyforge.play.players.player import Human, Player, Resigned
from plyforge.play.session import GameSession, player_name
from plyforge.search import hearing_of_fall_backs

DELAY = 0.25
"""Seconds that a round is shown."""
COLOURS = {"@": "bold #F0E442", ".": "#999999", "*": "bold #56B4E9", "#": "#0072B2"}
GHOST, PREY = "bold #D55E00", "bold #56B4E9"
ESCAPES = {b"\x1b[A": "up", b"\x1b[B": "down", b"\x1b[C": "right", b"\x1b[D": "left"}
ESCAPES |= {key.replace(b"[", b"O"): name for key, name in ESCAPES.items()}
LETTERS = {"w": "up", "a": "left", "s": "down", "d": "right", " ": "space"}


class Left(Exception):
    """The person wants to stop."""


@dataclass
class Screen:
    """Where states are shown: in place in a terminal, one below the other elsewhere."""

    game: Game
    console: Console
    delay: float = DELAY

    def __post_init__(self) -> None:
        if not 0.0 <= self.delay <= 60.0:
            raise BadLimits(f"the delay is {self.delay:g}; it must be 0 to 60 seconds")
        self._live: Live | None = None
        self._said: list[str] = []

    def __enter__(self) -> Screen:
        if self.console.is_terminal:
            self._live = Live(console=self.console, auto_refresh=False)
            self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, session: GameSession, said: str = "") -> None:
        """The state, and below it what was done to get there. Without a terminal: once a round."""
        if said:
            self._said.append(said)
        plies = len(session.history)
        if plies % self.game.notation.agents(self.game) and not session.over:
            if self._live is None:
                return
        below = ", ".join(self._said)
        picture = self.game.show(session.state)
        if self._live is None:
            self.console.print(Text(f"{picture}\n{below}\n"), soft_wrap=True)
        else:
            self._live.update(Group(coloured(picture), Text(below, style="dim")), refresh=True)
            time.sleep(self.delay / self.game.notation.agents(self.game) if plies else 0.0)
        if plies % self.game.notation.agents(self.game) == 0:
            self._said = []


def coloured(picture: str) -> Text:
    """A maze in colours; what they say is said by the letters, too."""
    text = Text(picture)
    rows = picture.split("\n")
    if "#" not in rows[0]:
        return text
    place = 0
    for row in rows:
        if row.startswith("#") or row.endswith("#") or "#" in row:
            for sign in row:
                style = COLOURS.get(sign, (GHOST if sign.isupper() else PREY) if sign.isalpha() else "")
                if style:
                    text.stylize(style, place, place + 1)
                place += 1
        else:
            place += len(row)
        place += 1
    return text


@dataclass
class LiveGame:
    """A session, who plays it, and where it is shown."""

    session: GameSession
    players: Sequence[Player | Human]
    screen: Screen
    keys: Keys | None = None
    """Where a person's keys come from."""
    interrupted: bool = False
    """True if Ctrl-C ended it."""

    def run(self) -> LiveGame:
        """Play until the game ends or the person leaves."""
        game, session = self.session.game, self.session
        session.seats = tuple(player.description for player in self.players)
        try:
            with (
                hearing_of_fall_backs(lambda why: None),
                self.keys or contextlib.nullcontext(),
                self.screen,
            ):
                self.screen.show(session)
                while not session.over:
                    said = self.move()
                    self.screen.show(session, said)
        except Left:
            pass
        except KeyboardInterrupt:
            self.interrupted = True
        outcome = session.outcome
        if outcome is None:
            self.screen.console.print(f"Left after {len(session.history)} plies, not finished.")
        else:
            payoffs = "" if outcome.utilities is None else f": {each_in_words(game, outcome.utilities)}"
            self.screen.console.print(Text(f"{outcome.text(game)}{payoffs}"))
        return self

    def move(self) -> str:
        """One action of whoever is to move; in words."""
        session = self.session
        player = session.player
        assert player is not None
        if player == CHANCE:
            return session.draw().text
        seat, state = self.players[player], session.state
        if isinstance(seat, Human):
            action = self.steered()
        else:
            try:
                action = seat.choose(session.game, state, history=session.states, seat=player).action
            except Resigned:
                session.resign(player)
                return f"{mover(session.game, state)} resigns"
        session.play(action)
        return f"{mover(session.game, state)} {format_action(session.game, state, action)}"

    def steered(self) -> Any:
        """The action that a person's next key stands for; keys that stand for none, or for one that is not legal, do
        nothing."""
        assert self.keys is not None
        steering = dict(self.session.game.view.steering)
        legal = {format_action(self.session.game, self.session.state, a): a for a in self.session.legal}
        while True:
            key = self.keys.read()
            if key in ("q", "end"):
                raise Left
            if steering.get(key) in legal:
                return legal[steering[key]]


def mover(game: Game, state: Any) -> str:
    """Who moves, as the rules name their agents, or the player."""
    name = getattr(game, "agent_name", None)
    return str(name(state)) if name is not None else player_name(game, int(game.player(state)))


class Keys:
    """Single keys of a terminal, without Enter: letters, and the arrows as "up", "down", "left", "right"."""

    def __init__(self, source: TextIO) -> None:
        self.file = source.fileno()

    def __enter__(self) -> Keys:
        import termios
        import tty

        self._before = termios.tcgetattr(self.file)
        tty.setcbreak(self.file)
        return self

    def __exit__(self, *exception: object) -> None:
        import termios

        termios.tcsetattr(self.file, termios.TCSADRAIN, self._before)

    def read(self) -> str:
        """The next key; "end" when there are no more."""
        got = os.read(self.file, 16)
        if not got or got == b"\x04":
            return "end"
        if got in ESCAPES:
            return ESCAPES[got]
        letter = got[:1].decode("ascii", "replace").lower()
        return LETTERS.get(letter, letter)


def can_steer(source: Any) -> bool:
    """True if single keys can be read here."""
    try:
        import termios  # noqa: F401
    except ImportError:
        return False
    return bool(source is not None and source.isatty())


def play_live(
    session: GameSession,
    players: Sequence[Player | Human],
    *,
    output: TextIO | None = None,
    delay: float = DELAY,
) -> LiveGame:
    """Play a session as a moving picture; how it stands when the game ends or the person leaves."""
    persons = any(isinstance(player, Human) for player in players)
    screen = Screen(session.game, _console(output), delay)
    return LiveGame(session, players, screen, Keys(sys.stdin) if persons else None).run()


def replay(session: GameSession, *, output: TextIO | None = None, delay: float = DELAY) -> bool:
    """Show a game that was played, from its start on; False if Ctrl-C ended it."""
    again = GameSession(session.game, session.start, session.seed)
    with contextlib.suppress(KeyboardInterrupt), Screen(session.game, _console(output), delay) as screen:
        screen.show(again)
        for state, text, action in _turns(session):
            again.play_on()
            again.play(action)
            screen.show(again, f"{mover(session.game, state)} {text}")
        return True
    return False


def _turns(session: GameSession) -> Iterator[tuple[Any, str, Any]]:
    for turn in session.history:
        yield turn.state, format_action(session.game, turn.state, turn.action), turn.action


def _console(output: TextIO | None) -> Console:
    return Console(file=output, highlight=False, markup=False, emoji=False)


__all__ = ["DELAY", "Keys", "LiveGame", "Screen", "can_steer", "play_live", "replay"]
