"""Games in progress as files, and files as games: JSON for every game, and the game's own format where there is one.

What a file holds comes from a page, as bytes, within the size of a frame; what they mean is decided in
`play/formats/registry.py`. Nothing here opens a file: a saved game may name a rules file, and then it is one of that
game only if it is the one that the page plays already.
"""

from __future__ import annotations

from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadText
from plyforge.play.formats import registry
from plyforge.play.formats.record import Record, names_file
from plyforge.play.session import GameSession
from plyforge.studio.library.library import Shelf


def read(content: bytes, game: Game, shelf: Shelf) -> GameSession:
    """The game that a file holds: a record, or one in the game's own format. Raises BadText."""
    found = registry.read_any(content, game)
    return found if isinstance(found, GameSession) else resumed(found, game, shelf)


def resumed(data: Any, game: Game, shelf: Shelf) -> GameSession:
    """The session of a record: of the game that the page plays, or of another one on the shelf."""
    record = Record.from_json(data)
    if record.is_of(game):
        return record.session(game)
    if names_file(record.game):
        raise BadText(f"this is a game of {record.game[:60]}: open it where that is played")
    return record.session(shelf.game(record.game))


__all__ = ["read", "resumed"]
