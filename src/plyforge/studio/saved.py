"""Games in progress as files, and files as games: JSON for every game, and the game's own format where there is one.

What a file holds comes from a page, as bytes, within the size of a frame; what they mean is decided here. A record is
UTF-8, an SGF file what its CA says (`sgf.decoded`). PGN, PDN and MAT name no encoding: they are UTF-8 where they can
be, else Latin-1, which is what the standard of PGN wants. Nothing here opens a file: a saved game may name a rules
file, and then it is one of that game only if it is the one that the page plays already.
"""

from __future__ import annotations

import codecs
import json
from itertools import islice
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadText
from plyforge.games.backgammon import Backgammon
from plyforge.games.backgammon.mat import MatMatch, read_mat, write_mat
from plyforge.games.checkers import Checkers, pdn
from plyforge.games.checkers.pdn import write_pdn
from plyforge.games.chess import Chess, pgn
from plyforge.games.chess.pgn import write_pgn
from plyforge.games.go import Go
from plyforge.games.go.sgf import decoded, read_sgf, write_sgf
from plyforge.play.formats import mat, pgn_pdn, sgf
from plyforge.play.formats.record import Record, names_file
from plyforge.play.session import GameSession
from plyforge.reading import parse_json
from plyforge.studio.shelf import Shelf

OWN: dict[type[Game], str] = {Chess: "pgn", Checkers: "pdn", Go: "sgf", Backgammon: "mat"}
MEDIA = {
    "json": "application/json",
    "pgn": "application/x-chess-pgn",
    "pdn": "text/plain; charset=utf-8",
    "sgf": "application/x-go-sgf",
    "mat": "text/plain; charset=utf-8",
}


def formats(game: Game) -> list[str]:
    """The formats that a game can be saved in."""
    return [*(kind for cls, kind in OWN.items() if isinstance(game, cls)), "json"]


def written(session: GameSession, kind: str) -> str:
    """What was played, as text. Raises BadText, or Unsuitable where the format can't hold it."""
    if kind not in formats(session.game):
        raise BadText(f"{kind[:20]!r} is no format of this game; it has {', '.join(formats(session.game))}")
    if kind == "pgn":
        return write_pgn([pgn_pdn.pgn_of(session)])
    if kind == "pdn":
        return write_pdn([pgn_pdn.pdn_of(session)])
    if kind == "sgf":
        return write_sgf([sgf.sgf_of(session)])
    if kind == "mat":
        game = mat.mat_of(session)
        return write_mat(MatMatch(0, (game,)))
    return json.dumps(session.to_json(), indent=1)


def read(content: bytes, game: Game, shelf: Shelf) -> GameSession:
    """The game that a file holds: a record, or one in the game's own format. Raises BadText."""
    content = content.removeprefix(codecs.BOM_UTF8)
    if content.lstrip().startswith(b"{"):
        return resumed(parse_json(content, "the file"), game, shelf)
    kind = formats(game)[0]
    text = decoded(content) if kind == "sgf" else _plain(content)
    found: Any
    if kind == "pgn":
        found = [pgn_pdn.session_of(each) for each in islice(pgn.games_in(text), 1)]
    elif kind == "pdn":
        found = [pgn_pdn.session_of(each) for each in islice(pdn.games_in(text), 1)]
    elif kind == "sgf":
        found = [sgf.session_of(each) for each in read_sgf(text, most=1)]
    elif kind == "mat":
        found = [mat.session_of(each) for each in read_mat(text).games[:1]]
    else:
        raise BadText("not a saved game: a file that the studio saved begins with {")
    if not found:
        raise BadText(f"there is no game in this {kind.upper()} file")
    session: GameSession = found[0]
    return session


def _plain(content: bytes) -> str:
    """The text of a file that names no encoding."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def resumed(data: Any, game: Game, shelf: Shelf) -> GameSession:
    """The session of a record: of the game that the page plays, or of another one on the shelf."""
    record = Record.from_json(data)
    if record.is_of(game):
        return record.session(game)
    if names_file(record.game):
        raise BadText(f"this is a game of {record.game[:60]}: open it where that is played")
    return record.session(shelf.game(record.game))


__all__ = ["MEDIA", "formats", "read", "resumed", "written"]
