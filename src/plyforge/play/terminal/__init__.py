"""A game in the terminal: persons, algorithms, or both.

    game.py        the loop: whoever is to move is asked
    at_once.py     a round in which all choose at once
    commands.py    what a person may type besides actions
    keyboard.py    lines of input, from a terminal or a pipe
    screen.py      boards and lines of text, in colours
    words.py       what is said at the beginning and at the end
    thinking.py    the status line of an algorithm that thinks

It works without a terminal as well: lines come from a pipe and are echoed, nothing is coloured, and the end of
the input ends the game.
"""

from __future__ import annotations

import io
import sys
from typing import TextIO

from rich.console import Console

from plyforge.errors import BadLimits
from plyforge.play.players.player import Human, Player
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.players.spec import ENGINE_SECONDS
from plyforge.play.session import GameSession
from plyforge.play.terminal.commands import COMMANDS
from plyforge.play.terminal.game import TerminalGame
from plyforge.play.terminal.keyboard import Keyboard
from plyforge.play.terminal.screen import OKABE_ITO, Screen
from plyforge.play.terminal.thinking import StatusLine
from plyforge.play.warm import Warm


def play_in_terminal(
    session: GameSession,
    players: list[Player | Human],
    *,
    source: TextIO | None = None,
    output: TextIO | None = None,
    adviser: SearchPlayer | None = None,
    hints: str = "",
    explain_time: bool = False,
) -> TerminalGame:
    """Play a session in the terminal; how it stands when the game ends or the person leaves.

    `source` is where lines come from (standard input), `output` where the game is shown (standard output), `adviser`
    the search that answers `hint`, or `hints` the name of a program of the user's. With `explain_time` it is said what
    became of the time of each algorithm.
    """
    if len(players) != session.game.players:
        raise BadLimits(f"{type(session.game).__name__} has {session.game.players} players, {len(players)} were given")
    console = Console(file=output, highlight=False, markup=False, emoji=False)
    keyboard = Keyboard(source or sys.stdin or io.StringIO(), console)  # without standard input at all, as at its end
    table = TerminalGame(
        session,
        players,
        Screen(console),
        StatusLine(Console(stderr=True, highlight=False, markup=False, emoji=False)),
        keyboard,
        adviser or SearchPlayer(seconds=ENGINE_SECONDS),
        warm=Warm() if keyboard.interactive else None,
        hints=hints,
        explains_time=explain_time,
    )
    try:
        return table.run()
    finally:
        if table.warm is not None:
            table.warm.close()
        for program in table.running.values():
            program.close()


__all__ = ["COMMANDS", "OKABE_ITO", "TerminalGame", "play_in_terminal"]
