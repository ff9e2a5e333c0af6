"""Games of MAT files as sessions of backgammon, and sessions as games of a MAT file. The cube is not part of a session."""

from __future__ import annotations

from plyforge.errors import Unsuitable
from plyforge.game import CHANCE, MAX, MIN
from plyforge.games.backgammon import Backgammon
from plyforge.games.backgammon.board import O_BEGINS, OPENING
from plyforge.games.backgammon.mat import MatGame, MatTurn
from plyforge.play.session import GameSession


def session_of(game: MatGame) -> GameSession:
    """A session in which the rolls and plays of `game` have been made; who lost before the end has resigned."""
    session = GameSession(Backgammon())
    for turn in game.turns:
        if turn.dice:
            begins = O_BEGINS if session.state.dice == OPENING and turn.player == MIN else 0
            session.play(turn.dice + begins)
            session.play(turn.action)
    if game.winner is not None and not session.over:
        session.resign(MIN if game.winner == MAX else MAX)
    return session


def mat_of(session: GameSession, names: tuple[str, str] = ("X", "O")) -> MatGame:
    """What was played in a session of backgammon from the start of a game on. Who resigned has lost one point."""
    if not isinstance(session.game, Backgammon):
        raise Unsuitable(
            f"MAT files are for backgammon, not for {type(session.game).__name__}; save a record instead"
        )
    if session.start != Backgammon().start():
        raise Unsuitable("a MAT file tells whole games, from the opening roll on; save a record instead")
    turns = [
        MatTurn(turn.player, turn.state.dice, turn.action)
        for turn in session.history
        if turn.player != CHANCE
    ]
    outcome = session.outcome
    if outcome is None or outcome.utilities is None:
        return MatGame(names, (0, 0), tuple(turns))
    points = 1 if outcome.resigned is not None else int(abs(outcome.utilities[0]))
    return MatGame(names, (0, 0), tuple(turns), outcome.winners[0], points)
