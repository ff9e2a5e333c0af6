"""A position as the Analyse view wants it: its picture, its text, who moves, what can be played and how to point at
it."""

from __future__ import annotations

from typing import Any

from plyforge.contract import CHANCE, SIMULTANEOUS, Game, format_action
from plyforge.play.session import GameSession, player_name
from plyforge.studio.library import cards
from plyforge.studio.present.game_message import actions_json, choices_json, last_way, names, state_json

MOST_JOINT = 400
"""Joint actions that are listed; where there are more, the table of choices says enough."""


def position(session: GameSession) -> dict[str, Any]:
    """How a session stands."""
    game, state, player = session.game, session.state, session.player
    seen, outcome = state_json(game, state), session.outcome
    said: dict[str, Any] = {
        "state": seen["position"],
        "board": seen["board"],
        "show": seen["text"],
        "ply": len(session.history),
        "player": player,
        "turn": None if player is None else player_name(game, player),
        "over": session.over,
        "outcome": None if outcome is None else f"{outcome.text(game)}, {outcome.reason}",
        "legal": legal(session),
        "last": last_way(session),
    }
    if player == SIMULTANEOUS:
        everyone = range(game.players)
        said["choices"] = [[each["text"] for each in choices_json(game, state, seat)] for seat in everyone]
    return said


def legal(session: GameSession) -> list[dict[str, Any]]:
    """What can be played: actions, or outcomes of chance with their probabilities."""
    game, state = session.game, session.state
    if session.over:
        return []
    if session.player == CHANCE:
        return [
            {"text": format_action(game, state, outcome), "ways": [], "probability": float(probability)}
            for outcome, probability in game.chance(state)
        ]
    if session.player == SIMULTANEOUS:
        joint = session.legal[:MOST_JOINT]
        return [{"text": format_action(game, state, action), "ways": []} for action in joint]
    return actions_json(session)


def about(game: Game, name: str) -> dict[str, Any]:
    """What a page needs to know of a game once."""
    word, bracket, arguments = name.partition("(")
    return {
        "name": name,
        "title": cards.title(word.strip()) + (f" ({arguments}" if bracket else ""),
        "players": names(game),
        "constant": game.utility_sum is not None,
    }


__all__ = ["about", "legal", "position"]
