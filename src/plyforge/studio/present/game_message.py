"""A game in progress as a page shows it: the board, what may be played and how to point at it, what was played.

Pages decide nothing about rules, so all that they need is here, in plain JSON values.
"""

from __future__ import annotations

from typing import Any

from plyforge.contract import CHANCE, SIMULTANEOUS, Game, format_action, format_choice, format_state
from plyforge.grids.hooks import board_of, ways_of
from plyforge.play.session import GameSession, player_name

MOST_WAYS = 20_000
"""Ways that are sent for one state. Actions beyond that get a button."""


def state_json(game: Game, state: Any) -> dict[str, Any]:
    """What there is to see of a state: a board, or text."""
    board = board_of(game, state)
    return {
        "board": None if board is None else board.to_json(),
        "text": game.show(state),
        "position": _position(game, state),
    }


def _position(game: Game, state: Any) -> str:
    try:
        return format_state(game, state)
    except Exception:  # a state may have no text at all
        return ""


def actions_json(session: GameSession) -> list[dict[str, Any]]:
    """The legal actions with their texts, and the ways to point at each."""
    game, state = session.game, session.seen
    found: list[dict[str, Any]] = []
    left = MOST_WAYS
    pictured = board_of(game, state) is not None
    for number, action in enumerate(session.legal):
        ways = ways_of(game, state, action)[: max(0, left)] if pictured else []
        left -= len(ways)
        found.append({"number": number, "text": format_action(game, state, action), "ways": ways})
    return found


def choices_json(game: Game, state: Any, player: int) -> list[dict[str, Any]]:
    """The same for one player where all choose at once."""
    pictured = board_of(game, state) is not None
    return [
        {
            "number": number,
            "text": format_choice(game, state, player, choice),
            "ways": ways_of(game, state, choice, player) if pictured else [],
        }
        for number, choice in enumerate(game.legal_actions(state, player))
    ]


def last_way(session: GameSession, ply: int | None = None) -> list[str]:
    """The places of the last turn that somebody took, chance aside; of the first `ply` turns, if that is given."""
    if session.sealed:  # the board shows what may be known of it
        return []
    history = session.history if ply is None else session.history[:ply]
    for turn in reversed(history):
        if turn.player == CHANCE:
            continue
        if turn.player == SIMULTANEOUS:
            return []
        return list(next(iter(ways_of(session.game, turn.state, turn.action)), ()))
    return []


def names(game: Game) -> list[str]:
    """What to call the players, without their roles."""
    given = game.notation.player_names
    return [str(given[player]) if player < len(given) else player_name(game, player) for player in range(game.players)]


__all__ = ["actions_json", "choices_json", "last_way", "names", "state_json"]
