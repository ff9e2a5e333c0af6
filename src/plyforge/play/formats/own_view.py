"""What one player has seen of a game so far, and done: the only history of an unfinished hidden game that may be told.

    K ?                 the first observation, and from then on each that was another one
    > bet               what the player did there
    K ? bet call

As JSON:

    {"format": "plyforge view", "game": "kuhn_poker", "player": 0,
     "seen": [{"observation": "K ?", "action": "bet"}, {"observation": "K ? bet", "action": null}]}
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from plyforge.contract import format_action, format_choice, format_state
from plyforge.contract.players import SIMULTANEOUS
from plyforge.errors import PlyforgeError
from plyforge.games.as_text import game_text
from plyforge.play.session import GameSession
from plyforge.reading import open_file
from plyforge.writing import require_writable, write_file

FORMAT = "plyforge view"


def entries(session: GameSession, player: int) -> list[tuple[str, str | None]]:
    """Each thing seen with what the player did there, as text."""
    game, found = session.game, []
    for seen, action in session.view(player):
        if action is None:
            done = None
        elif int(game.player(seen)) == SIMULTANEOUS:
            done = format_choice(game, seen, player, action)
        else:
            done = format_action(game, seen, action)
        found.append((format_state(game, seen), done))
    return found


def lines(session: GameSession, player: int) -> list[str]:
    """The view in plain text."""
    found = []
    for seen, done in entries(session, player):
        found += [seen, *([] if done is None else [f"> {done}"])]
    return found


def to_json(session: GameSession, player: int) -> dict[str, Any]:
    """The view as plain JSON values."""
    seen = [{"observation": text, "action": done} for text, done in entries(session, player)]
    return {"format": FORMAT, "game": game_text(session.game), "player": player, "seen": seen}


def save(session: GameSession, player: int, path: str | Path) -> Path:
    """Write a player's view to a file; an earlier one is replaced, any other file left alone."""
    target = require_writable(path)
    if target.exists():
        with open_file(target) as file:
            if f'"{FORMAT}"'.encode() not in file.read(200):
                raise PlyforgeError(f"{target} exists and is no view of a game, so it is not replaced: choose another")
    content = json.dumps(to_json(session, player), indent=2, ensure_ascii=False) + "\n"
    return write_file(target, content.encode("utf-8", "backslashreplace"))


__all__ = ["FORMAT", "entries", "lines", "save", "to_json"]
