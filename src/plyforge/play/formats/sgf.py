"""Games of SGF files as sessions of Go, and sessions as games of an SGF file.

A session can be taken up where it ends, taken back, and saved as a record; an SGF file can be read by everybody else's
programs.
"""

from __future__ import annotations

from plyforge.contract import MAX, MIN, format_action
from plyforge.errors import BadText, IllegalAction, Unsuitable
from plyforge.games.go import Go
from plyforge.games.go.notation import format_points
from plyforge.games.go.sgf import SgfGame, read_sgf, write_sgf
from plyforge.games.go.sgf_bytes import decoded
from plyforge.play.formats.registry import Format, seats_of
from plyforge.play.session import GameSession


def session_of(game: SgfGame) -> GameSession:
    """A session in which the moves of `game` have been played; who is said to have resigned has, and a draw before the
    end was agreed.

    Sessions have superko, and know no pass that is none: raises BadText, with the number of the move, where the file
    has a game that goes on against that.
    """
    session = GameSession(game.game, game.first)
    session.seats = seats_of(game.tags.get("PB", ""), game.tags.get("PW", ""))
    for ply, action in enumerate(game.actions):
        try:
            session.play(action)
        except IllegalAction as error:
            number = sum(earlier not in game.inserted for earlier in range(ply)) + 1
            vertex = format_action(game.game, session.state, action)
            raise BadText(f"move {number}, {vertex}: {error}") from None
    if game.winner is not None and not session.over and game.result[2:3].upper() == "R":
        session.resign(MIN if game.winner == MAX else MAX)
    elif game.result.lower() in ("0", "draw") and not session.over:
        session.agree()
    return session


def sgf_of(session: GameSession, tags: dict[str, str] | None = None) -> SgfGame:
    """What was played in a session of Go, with `tags` about it (PB, PW, DT, EV ...)."""
    game = session.game
    if not isinstance(game, Go):
        raise Unsuitable(f"SGF is for Go, not for {type(game).__name__}; save a record instead")
    own = dict(zip(("PB", "PW"), session.seats, strict=False))
    result = _result(session, game)
    if result:
        own["RE"] = result
    actions = tuple(turn.action for turn in session.history)
    start = None if session.start == game.start() else session.start
    return SgfGame(game, actions, own | (tags or {}), start)


def _result(session: GameSession, game: Go) -> str:
    if session.resigned is not None:
        return "W+R" if session.resigned == MAX else "B+R"
    if session.agreed:
        return "0"
    if not session.over:
        return ""
    ahead = game.score(session.state) - game.komi
    return "0" if ahead == 0 else f"{'B' if ahead > 0 else 'W'}+{format_points(abs(ahead))}"


FORMATS = (
    Format(
        "sgf",
        Go,
        "application/x-go-sgf",
        lambda text, most: [session_of(game) for game in read_sgf(text, most)],
        lambda sessions: write_sgf([sgf_of(session) for session in sessions]),
        decoded,
    ),
)
