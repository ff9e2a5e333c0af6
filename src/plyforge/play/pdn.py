"""Checkers games of PDN files as sessions, and sessions as games of a PDN file.

A session can be taken up where it ends, taken back, and saved as a record; a PDN file can be read by everybody else's programs.
"""

from __future__ import annotations

from plyforge.errors import Unsuitable
from plyforge.game import MAX, MIN
from plyforge.games.checkers import Checkers
from plyforge.games.checkers.pdn import UNKNOWN, PdnGame
from plyforge.play.session import GameSession


def session_of(game: PdnGame) -> GameSession:
    """A session in which the moves of `game` have been played; who lost before the end has resigned."""
    session = GameSession(Checkers(), game.start)
    for action in game.actions:
        session.play(action)
    if game.winner is not None and not session.over:
        session.resign(MIN if game.winner == MAX else MAX)
    return session


def pdn_of(session: GameSession, tags: dict[str, str] | None = None) -> PdnGame:
    """What was played in a session of checkers, with `tags` about it (Event, Black, White ...)."""
    if not isinstance(session.game, Checkers):
        raise Unsuitable(f"PDN is for checkers, not for {type(session.game).__name__}; save a record instead")
    outcome = session.outcome
    result = UNKNOWN
    if outcome is not None:
        result = "1/2-1/2" if outcome.draw else "0-1" if outcome.winners == (MAX,) else "1-0"
    names = dict(zip(("Black", "White"), session.seats, strict=False))
    actions = tuple(turn.action for turn in session.history)
    return PdnGame(actions, result, names | (tags or {}), session.start)
