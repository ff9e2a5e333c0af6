"""A game and its states as people name them: what a caller means by a state, and what messages call it."""

from __future__ import annotations

from typing import Any

from plyforge.contract.game import Game
from plyforge.contract.text import format_state, parse_state
from plyforge.kernel.constant import defines
from plyforge.kernel.entry import coerce
from plyforge.plain_text import first_paragraph


def as_state(game: Game, state: Any) -> Any:
    """The state that is meant: None is the start, text is read."""
    if state is None:
        state = game.start()
    elif isinstance(state, str):
        state = parse_state(game, state)
    return coerce(state)


def name_of(game: Game) -> str:
    """The game's name in messages."""
    return type(game).__name__


def about(game: Game) -> str:
    """The first paragraph of what the rules say of themselves; "" if they say nothing.

    What a class inherits is about another game, and what a dataclass gets without being asked says nothing.
    """
    kind = type(game)
    text = (kind.__dict__.get("__doc__") or "").strip()
    return "" if text.startswith(f"{kind.__name__}(") else first_paragraph(text)


def text_of(game: Game, state: Any) -> str:
    """A state in messages, whatever its text form may do."""
    try:
        return format_state(game, state) or repr("")
    except Exception:
        return str(state)


def in_rounds(game: Game, depth: int) -> str:
    """A depth in plies as the lectures count it, every agent once: ` (4 rounds)`. Nothing where the rules don't say
    how many agents there are."""
    if not defines(game.notation, "agents"):
        return ""
    rounds = depth / game.notation.agents(game)
    return f" ({rounds:.3g} round{'' if rounds == 1 else 's'})"
