"""Boards and lines of text on a terminal.

Colours are from the Okabe-Ito palette, which colour-blind people can tell apart, and never say anything that the text
does not. `NO_COLOR` is honoured.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from plyforge.contract import CHANCE, PUBLIC, Game
from plyforge.play.session import GameSession

OKABE_ITO = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#F0E442")
"""Sky blue, orange, bluish green, reddish purple, vermillion, yellow: one for each player, in this order."""
ERROR_STYLE = "bold #D55E00"
MOST_CHANGES = 8
"""Signs of a picture that may differ from the one before to be set off; more would be no help."""


@dataclass
class Screen:
    """Where a game is shown."""

    console: Console
    """Where everything but the status line is printed."""
    picture: str = ""
    """The board as it was last shown, to see what has changed."""

    def say(self, text: str, aside: str = "", *, player: int | None = None, style: str = "") -> None:
        """A line; a player's in that player's colour, what is said aside dimmed."""
        if player is not None:
            style = f"bold {OKABE_ITO[player % len(OKABE_ITO)]}"
        line = Text(text, style=style)
        line.append(aside, style="dim")
        self.console.print(line, soft_wrap=not self.console.is_terminal)

    def clear(self) -> None:
        """Nothing of what was shown stays; without a terminal there is nothing to clear."""
        self.picture = ""
        self.console.clear()

    def complain(self, message: str) -> None:
        """What is wrong with what the person typed."""
        line = Text("Not possible: ", style=ERROR_STYLE)
        line.append(message, style="default")
        self.console.print(line, soft_wrap=not self.console.is_terminal)

    def show_board(self, session: GameSession, eyes: int = PUBLIC) -> None:
        """The state as the game pictures it, with what changed since the last picture set off. Where something is
        hidden: as `eyes` see it, a player's or everybody's."""
        if session.player == CHANCE:
            return
        picture = session.game.show(session.observation(eyes))
        self.console.print()
        self.console.print(_indented(_coloured(session.game, picture, self.picture)), soft_wrap=True)
        self.console.print()
        self.picture = picture


def _marks(game: Game) -> list[str]:
    """What may stand for each player in a picture, as a pattern."""
    names = [str(name) for name in game.notation.player_names] or ["X", "O"]
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
        for index in changed if len(changed) <= MOST_CHANGES else []:
            text.stylize("reverse", index, index + 1)
    return text


def _indented(text: Text) -> Text:
    return Text("\n").join(Text("  ") + line for line in text.split("\n", allow_blank=True))


__all__ = ["OKABE_ITO", "Screen"]
