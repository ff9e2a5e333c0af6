"""GNU Backgammon as a player, over the commands of its terminal.

    program = GnubgProgram("gnubg", plies=0)
    program.choose(game, state)          the play that it calls best
    program.close()

There is no protocol made for programs that is as old and as widely installed as its command line, so that is what is
spoken: the position ID, the dice, and `hint`. The program is always told that it sits on the same side and is on roll;
position IDs are from the mover's view, so that is enough. It values positions without the cube, gammons and backgammons
counted, as in games for money.

An answer ends where it shows its prompt, which it is asked for after every command and which is a word that it says
nowhere else. How the program is kept in check is in `process.py`.
"""

from __future__ import annotations

import re
import time
from typing import Any

from plyforge.contract import legal_moves, parse_action
from plyforge.games.backgammon import Backgammon, Position
from plyforge.games.backgammon.text import position_id
from plyforge.play.protocols.process import COMMAND_SECONDS, SHOWN, START_SECONDS, Program, ProgramFailed

END = "plyforge_end_of_answer"
"""Its prompt."""
SETTINGS = (
    f"set prompt {END}",
    "set automatic roll off",
    "set automatic game off",
    "set automatic bearoff off",
    "set automatic move off",
    "set player 0 human",
    "set player 1 human",
    "set display off",
    "set evaluation chequerplay evaluation cubeful off",
    "set evaluation chequerplay evaluation noise 0",
)
_PLAY = re.compile(r"\s*\d{1,3}\.\s+Cubeless\s+\d+-ply\s+(.*?)(?<!\s)\s++Eq\.:\s*([-+]?\d+\.\d+)")


class GnubgProgram(Program):
    """A running GNU Backgammon; see the module's text."""

    def __init__(self, command: str = "gnubg", plies: int = 0) -> None:
        """Start it in its terminal form; ready when this returns. `plies` is how far it looks ahead, as it counts: 0
        is its estimate after each play."""
        super().__init__(f"{command} -t -q")
        self.plies = plies
        try:
            self.ask(
                *SETTINGS,
                f"set evaluation chequerplay evaluation plies {plies}",
                "new session",
                "set turn 1",
                seconds=START_SECONDS,
            )
        except ProgramFailed:
            self.close()
            raise

    def ask(self, *commands: str, seconds: float = COMMAND_SECONDS) -> list[str]:
        """All that it says to some commands."""
        end = time.monotonic() + seconds
        self.send(*commands, "show prompt")
        lines: list[str] = []
        while True:
            line, _ = self.hear(commands[-1], end, seconds)
            if END in line and "is set to" in line:
                return lines
            lines.append(line)

    def plays(self, s: Position, number: int, seconds: float = COMMAND_SECONDS) -> list[tuple[str, float]]:
        """The plays that it calls best, at most so many, each with its equity to the mover. Not to be asked where
        nothing can be played."""
        dice = f"set dice {s.dice // 10} {s.dice % 10}"
        lines = self.ask("set turn 1", f"set board {position_id(s)}", dice, f"hint {number}", seconds=seconds)
        found = [(play[1], float(play[2])) for line in lines if (play := _PLAY.match(line)) is not None]
        if found:
            return found
        said = next((line for line in reversed(lines) if line.strip()), "nothing")
        raise self._fail("protocol", f"{self.name} gives no play for a hint: {said[:SHOWN]!r}")

    def best(self, s: Position, seconds: float = COMMAND_SECONDS) -> tuple[str, float]:
        """The first of them."""
        return self.plays(s, 1, seconds)[0]

    def choose(self, game: Backgammon, s: Position, seconds: float = COMMAND_SECONDS) -> Any:
        """Its play as an action of the rules. Where there is no choice, it is not asked."""
        legal = legal_moves(game, s)
        if len(legal) == 1:
            return legal[0]
        text, _ = self.best(s, seconds)
        return parse_action(game, s, text)


__all__ = ["GnubgProgram"]
