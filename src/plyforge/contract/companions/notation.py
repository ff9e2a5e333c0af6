"""Text of states and actions, and the names of players. Never compiled.

Whoever reads or writes text asks `plyforge.contract.text`, whose functions bring the defaults and the limits; rules
write here what they want otherwise:

    class Letters(Notation):
        player_names = ("White", "Black")

        def format_action(self, game, s, action):
            return "abcdefgh"[action]

    class MyGame(Game):
        notation = Letters()

Names alone need no class: `notation = Notation(player_names=("White", "Black"))`.
"""

from __future__ import annotations

from typing import Any

from plyforge.contract.companions.companion import Action, Companion, State
from plyforge.contract.moves import legal_moves
from plyforge.contract.players import SIMULTANEOUS
from plyforge.errors import IllegalAction
from plyforge.kernel.constant import defines
from plyforge.kernel.function import never_compiled
from plyforge.plain_text import format_value, loosely, parse_like, quoted


@never_compiled
class Notation(Companion):
    """How people write and name what happens in a game."""

    python_only = (
        "agents",
        "format_action",
        "format_choice",
        "format_state",
        "parse_action",
        "parse_choice",
        "parse_state",
    )

    player_names: tuple[str, ...] = ()
    """What people call the players: ("X", "O"). Empty: MAX and MIN, or their numbers."""

    def __init__(self, player_names: tuple[str, ...] | None = None) -> None:
        if player_names is not None:
            self.player_names = player_names

    def agents(self, game: Any) -> int:
        """How many move in one round, each once: what the lectures count as a depth of 1. More than `players` where
        a side moves several pieces in turn."""
        return int(game.players)

    # ------------------------------------------------------------ states
    def format_state(self, game: Any, s: State) -> str:
        """The state as one line of text that `parse_state` reads back. By default a tuple of numbers and tuples:
        `(3, (1, 0), 1)`."""
        return format_value(s)

    def parse_state(self, game: Any, text: str) -> State:
        """The state that a line of text describes. Raises BadText. By default what `format_state` wrote, with the types
        of the start state."""
        return parse_like(game.start(), text)

    # ------------------------------------------------------------ actions
    def format_action(self, game: Any, s: State, action: Action) -> str:
        """An action as text, in the state where it is taken. A joint action: everybody's choice, with commas
        between."""
        if _choose_at_once(game, s):
            return ", ".join(self.format_choice(game, s, player, choice) for player, choice in enumerate(action))
        return format_value(action)

    def parse_action(self, game: Any, s: State, text: str) -> Action:
        """The legal action that `text` names. Raises IllegalAction."""
        parts = text.split(",", game.players)
        if len(parts) == game.players and not game.terminal(s) and _choose_at_once(game, s):
            return tuple(self.parse_choice(game, s, player, part) for player, part in enumerate(parts))
        return named(text, [(self.format_action(game, s, action), action) for action in legal_moves(game, s)])

    def format_choice(self, game: Any, s: State, player: int, choice: Action) -> str:
        """What one player chooses where all choose at once, as text."""
        return format_value(choice)

    def parse_choice(self, game: Any, s: State, player: int, text: str) -> Action:
        """The choice of that player that `text` names, where all choose at once. Raises IllegalAction."""
        choices = game.legal_actions(s, player)
        return named(text, [(self.format_choice(game, s, player, each), each) for each in choices])


def _choose_at_once(game: Any, s: State) -> bool:
    return defines(game, "legal_actions") and game.player(s) == SIMULTANEOUS


def named(text: str, legal: list[tuple[str, Action]]) -> Action:
    """The action with that name; upper and lower case, blanks, commas and parentheses count only where they have to."""
    wanted = text.strip()
    for name, action in legal:
        if name == wanted:
            return action
    for name, action in legal:
        if name.lower() == wanted.lower():
            return action
    words = loosely(wanted)
    meant = [action for name, action in legal if loosely(name) == words]
    if len(meant) == 1 and words:
        return meant[0]
    shown = ", ".join(name for name, _ in legal[:40]) or "none: the game is over"
    more = f" and {len(legal) - 40} more" if len(legal) > 40 else ""
    raise IllegalAction(f"{quoted(wanted)} is not a legal action here; legal: {shown}{more}")


__all__ = ["Notation", "named"]
