"""Games of PGN and PDN files as sessions, and sessions as games of such files.

A session can be taken up where it ends, taken back, and saved as a record; a file can be read by everybody else's
programs.
"""

from __future__ import annotations

from itertools import islice

from plyforge.contract import MAX, MIN
from plyforge.errors import Unsuitable
from plyforge.games.checkers import Checkers, pdn
from plyforge.games.checkers.pdn import PdnGame, write_pdn
from plyforge.games.chess import Chess, pgn
from plyforge.games.chess.pgn import PgnGame, write_pgn
from plyforge.games.portable import UNKNOWN, PortableGame
from plyforge.play.formats.registry import Format, seats_of
from plyforge.play.session import GameSession

SEATS = {MAX: ("White", "Black"), MIN: ("Black", "White")}
"""The tags that name whoever moves first, and the other, by which of them is White."""


def session_of(game: PortableGame) -> GameSession:
    """A session in which all moves of `game` have been played, past draws that nobody claimed.

    It ends as the file says, unless the last position has an end of its own: who lost has resigned, a draw was agreed,
    and what has no result goes on.
    """
    session = GameSession(game.rules, game.start)
    session.seats = seats_of(*(game.tags.get(name, "") for name in SEATS[game.white]))
    for action in game.actions:
        session.play_on()
        session.play(action)
    if not game.drawn:
        session.play_on()
    if game.winner is not None and not session.over:
        session.resign(MIN if game.winner == MAX else MAX)
    elif game.drawn and not session.over:
        session.agree()
    return session


def pgn_of(session: GameSession, tags: dict[str, str] | None = None) -> PgnGame:
    """What was played in a session of chess, with `tags` about it (Event, White, Black ...)."""
    if not isinstance(session.game, Chess):
        raise Unsuitable(f"PGN is for chess, not for {type(session.game).__name__}; save a record instead")
    names = dict(zip(SEATS[MAX], session.seats, strict=False)) | (tags or {})
    result = _result(session, white=MAX)
    return PgnGame(_actions(session), result, names, session.start, chess960=session.game.chess960)


def pdn_of(session: GameSession, tags: dict[str, str] | None = None) -> PdnGame:
    """What was played in a session of checkers, with `tags` about it (Event, Black, White ...)."""
    if not isinstance(session.game, Checkers):
        raise Unsuitable(f"PDN is for checkers, not for {type(session.game).__name__}; save a record instead")
    names = dict(zip(SEATS[MIN], session.seats, strict=False)) | (tags or {})
    return PdnGame(_actions(session), _result(session, white=MIN), names, session.start)


def _actions(session: GameSession) -> tuple[int, ...]:
    return tuple(turn.action for turn in session.history)


def _result(session: GameSession, white: int) -> str:
    """White's score, then Black's."""
    outcome = session.outcome
    if outcome is None:
        return UNKNOWN
    return "1/2-1/2" if outcome.draw else "1-0" if outcome.winners == (white,) else "0-1"


FORMATS = (
    Format(
        "pgn",
        Chess,
        "application/x-chess-pgn",
        lambda text, most: [session_of(game) for game in islice(pgn.games_in(text), most)],
        lambda sessions: write_pgn([pgn_of(session) for session in sessions]),
    ),
    Format(
        "pdn",
        Checkers,
        "text/plain; charset=utf-8",
        lambda text, most: [session_of(game) for game in islice(pdn.games_in(text), most)],
        lambda sessions: write_pdn([pdn_of(session) for session in sessions]),
    ),
)
