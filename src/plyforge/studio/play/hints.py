"""Hints in three steps: where, which piece, which move. Each says a little more than the one before."""

from __future__ import annotations

import math
from typing import Any

from plyforge.contract import format_action
from plyforge.grids.hooks import board_of, ways_of
from plyforge.play.session import GameSession
from plyforge.play.words import explain
from plyforge.search import Result

NEAR = (3, 7)
"""One place in so many is pointed at, those around the one that is meant: by the first hint, and by the second where
no piece moves."""
FEW = (4, 2)
"""Without a board: among so many actions."""


def hint_json(session: GameSession, found: Result, step: int) -> dict[str, Any]:
    """What a page shows at a step from 1 to 3."""
    game, state = session.game, session.seen
    action = found.action
    text = format_action(game, state, action)
    way = next(iter(ways_of(game, state, action)), ())
    board = board_of(game, state)
    if step >= 3:
        return {
            "step": 3,
            "places": list(way),
            "way": list(way),
            "action": text,
            "words": f"{text}: {explain(found)}",
        }
    if board is None or not way:
        legal = [format_action(game, state, each) for each in session.legal]
        few = _few(legal, text, FEW[step - 1])
        return {"step": step, "places": [], "among": few, "words": f"One of {', '.join(few)}"}
    if step == 2 and len(way) > 1:
        return {"step": 2, "places": [way[0]], "words": f"It begins at {way[0]}"}
    at = {place.name: (place.x, place.y) for place in board.places}
    x, y = at[way[-1]]
    by_distance = sorted(at, key=lambda name: math.hypot(at[name][0] - x, at[name][1] - y))
    near = by_distance[: max(2, len(at) // NEAR[step - 1])]
    words = "Look here" if step == 1 else "It is one of these"
    return {"step": step, "places": near, "words": words}


def _few(legal: list[str], text: str, number: int) -> list[str]:
    """The action and its neighbours in the list, so that the list says nothing about which it is."""
    at = legal.index(text) if text in legal else 0
    first = max(0, min(at - at % number, len(legal) - number))
    return legal[first : first + number]


__all__ = ["hint_json"]
