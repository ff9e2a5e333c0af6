"""A position as a page wants it: its picture, its text, who moves, what can be played and how to point at it."""

from __future__ import annotations

from typing import Any

from plyforge.board import board_of, ways_of
from plyforge.game import CHANCE, TOGETHER, Game
from plyforge.play.session import GameSession, player_name
from plyforge.studio import cards
from plyforge.studio.worth import names

MOST_JOINT = 400
"""Joint actions that are listed; where there are more, players choose one by one."""


def position(session: GameSession) -> dict[str, Any]:
    """How a session stands."""
    game, state = session.game, session.state
    picture = board_of(game, state)
    player = session.player
    outcome = session.outcome
    said: dict[str, Any] = {
        "state": game.format_state(state),
        "ply": len(session.history),
        "player": player,
        "turn": None if player is None else player_name(game, player),
        "over": session.over,
        "outcome": None if outcome is None else f"{outcome.text(game)}, {outcome.reason}",
        "board": None if picture is None else picture.to_json(),
        "show": game.show(state),
        "legal": legal(session),
        "last": last_places(session),
    }
    if player == TOGETHER:
        said["choices"] = [
            [game.format_choice(state, each, choice) for choice in game.choices(state, each)]
            for each in range(game.players)
        ]
    return said


def last_places(session: GameSession) -> list[str]:
    """The places of the last move, to be marked on the board."""
    if not session.history:
        return []
    turn = session.history[-1]
    if turn.player == TOGETHER:
        return []
    ways = ways_of(session.game, turn.state, turn.action)
    return list(ways[0]) if ways else []


def legal(session: GameSession) -> list[dict[str, Any]]:
    """What can be played: actions, or outcomes of chance with their probabilities."""
    game, state = session.game, session.state
    if session.over:
        return []
    if session.player == CHANCE:
        return [
            {
                "text": game.format_action(state, outcome),
                "ways": ways_of(game, state, outcome),
                "probability": float(probability),
            }
            for outcome, probability in game.chance(state)
        ]
    actions = session.legal
    if session.player == TOGETHER:
        return [{"text": game.format_action(state, action), "ways": []} for action in actions[:MOST_JOINT]]
    return [
        {"text": game.format_action(state, action), "ways": ways_of(game, state, action)}
        for action in actions
    ]


def about(game: Game, name: str) -> dict[str, Any]:
    """What a page needs to know of a game once."""
    return {
        "name": name,
        "title": title(name),
        "players": names(game),
        "constant": game.total is not None,
        "chance": bool(game.has_chance),
        "together": bool(game.simultaneous),
        "lowest": float(game.lowest),
        "highest": float(game.highest),
        "swing": float(game.swing),
        "steering": [list(pair) for pair in game.steering],
    }


def title(name: str) -> str:
    """A game's name for people, with its arguments."""
    word, bracket, arguments = name.partition("(")
    return cards.title(word.strip()) + (f" ({arguments}" if bracket else "")


__all__ = ["about", "legal", "position", "title"]
