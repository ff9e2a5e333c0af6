"""States and actions as text, and back: what everybody asks, whatever notation a game has.

    format_state(game, s)              parse_state(game, text)
    format_action(game, s, action)     parse_action(game, s, text)
    format_choice(game, s, player, c)  parse_choice(game, s, player, text)      one player's, where all choose at once
    state_after(game, "e4", "e5")      the state after actions given as text

What is read comes from anywhere: texts longer than any state or action are refused before a notation sees them.
"""

from __future__ import annotations

from typing import Any

from plyforge.errors import BadText, IllegalAction
from plyforge.kernel.constant import defines
from plyforge.plain_text import require_length

LONGEST_STATE, LONGEST_ACTION = 1 << 14, 1 << 13
"""Letters of texts that the notations of our own games read: a board of 100 by 100 fits."""
LONGEST_NAME = 1 << 16
"""Letters of an action's text in any game without a notation of its own."""


def format_state(game: Any, s: Any) -> str:
    """The state as one line of text that `parse_state` reads back."""
    text: str = game.notation.format_state(game, s)
    return text


def parse_state(game: Any, text: str) -> Any:
    """The state that a line of text describes. Raises BadText."""
    if _is_ours(game) and defines(game.notation, "parse_state"):
        require_length(text, LONGEST_STATE, "state", BadText)
    return game.notation.parse_state(game, text)


def format_action(game: Any, s: Any, action: Any) -> str:
    """An action as text, in the state where it is taken."""
    text: str = game.notation.format_action(game, s, action)
    return text


def parse_action(game: Any, s: Any, text: str) -> Any:
    """The legal action that `text` names. Raises IllegalAction."""
    if not defines(game.notation, "parse_action"):
        require_length(text, LONGEST_NAME, "action", IllegalAction)
    elif _is_ours(game):
        require_length(text, LONGEST_ACTION, "action", IllegalAction)
    return game.notation.parse_action(game, s, text)


def format_choice(game: Any, s: Any, player: int, choice: Any) -> str:
    """What one player chooses where all choose at once, as text."""
    text: str = game.notation.format_choice(game, s, player, choice)
    return text


def parse_choice(game: Any, s: Any, player: int, text: str) -> Any:
    """The choice of that player that `text` names, where all choose at once. Raises IllegalAction."""
    return game.notation.parse_choice(game, s, player, text)


def state_after(game: Any, *texts: str, state: Any = None) -> Any:
    """The state after actions given as text, from `state` or the start."""
    s = game.start() if state is None else state
    for text in texts:
        s = game.result(s, parse_action(game, s, text))
    return s


def _is_ours(game: Any) -> bool:
    """In rules of one's own, notation may be of any length."""
    return type(game).__module__.startswith("plyforge.games.")


__all__ = [
    "format_action",
    "format_choice",
    "format_state",
    "parse_action",
    "parse_choice",
    "parse_state",
    "state_after",
]
