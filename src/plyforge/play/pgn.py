"""Chess games of PGN files as sessions, and sessions as games of a PGN file.

A session can be taken up where it ends, taken back, and saved as a record; a PGN file can be read by everybody else's programs.
"""

from __future__ import annotations

from plyforge.errors import Unsuitable
from plyforge.game import MAX, MIN
from plyforge.games.chess import Chess
from plyforge.games.chess.pgn import UNKNOWN, PgnGame
from plyforge.play.session import GameSession


def session_of(game: PgnGame) -> GameSession:
    """A session in which the moves of `game` have been played, up to where our rules end it; who lost before the end has resigned."""
    session = GameSession(Chess(game.chess960), game.start)
    for action in game.actions:
        if session.over:
            break  # a draw that nobody claimed
        session.play(action)
    if game.winner is not None and not session.over:
        session.resign(MIN if game.winner == MAX else MAX)
    return session


def pgn_of(session: GameSession, tags: dict[str, str] | None = None) -> PgnGame:
    """What was played in a session of chess, with `tags` about it (Event, White, Black ...)."""
    if not isinstance(session.game, Chess):
        raise Unsuitable(f"PGN is for chess, not for {type(session.game).__name__}; save a record instead")
    outcome = session.outcome
    result = UNKNOWN
    if outcome is not None:
        result = "1/2-1/2" if outcome.draw else "1-0" if outcome.winners == (MAX,) else "0-1"
    names = dict(zip(("White", "Black"), session.seats, strict=False))
    actions = tuple(turn.action for turn in session.history)
    return PgnGame(actions, result, names | (tags or {}), session.start, chess960=session.game.chess960)
