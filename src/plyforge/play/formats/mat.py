"""Games of MAT files as sessions of backgammon, and sessions as games of a MAT file. The cube is part of sessions of
`backgammon_match`, which are whole matches."""

from __future__ import annotations

from plyforge.contract import CHANCE, MAX, MIN
from plyforge.errors import Unsuitable
from plyforge.games.backgammon import Backgammon
from plyforge.games.backgammon.board import O_BEGINS, OPENING
from plyforge.games.backgammon.mat import MatGame, MatMatch, MatTurn, read_mat, write_mat
from plyforge.games.backgammon.match import DECIDING, DOUBLE, DROP, OFFERED, ROLL, TAKE, BackgammonMatch
from plyforge.play.formats.registry import Format, seats_of
from plyforge.play.session import GameSession

NOBODY = ("X", "O")
"""Names of players where nobody has said who they are."""


def _names(session: GameSession) -> tuple[str, str]:
    """Who played, on one line, without the colons that such files have before a score."""
    if len(session.seats) != len(NOBODY):
        return NOBODY
    first, second = (" ".join(seat.replace(":", " ").split()) for seat in session.seats)
    return first or NOBODY[0], second or NOBODY[1]


def session_of(game: MatGame) -> GameSession:
    """A session in which the rolls and plays of `game` have been made; who lost before the end has resigned."""
    session = GameSession(Backgammon())
    session.seats = () if game.names == NOBODY else seats_of(*game.names)
    for turn in game.turns:
        if turn.dice:
            begins = O_BEGINS if session.state.dice == OPENING and turn.player == MIN else 0
            session.play(turn.dice + begins)
            session.play(turn.action)
    if game.winner is not None and not session.over:
        session.resign(MIN if game.winner == MAX else MAX)
    return session


def mat_of(session: GameSession, names: tuple[str, str] | None = None) -> MatGame:
    """What was played in a session of backgammon from the start of a game on. Who resigned has lost one point."""
    if not isinstance(session.game, Backgammon):
        raise Unsuitable(f"MAT files are for backgammon, not for {type(session.game).__name__}; save a record instead")
    if session.start != Backgammon().start():
        raise Unsuitable("a MAT file tells whole games, from the opening roll on; save a record instead")
    names = names or _names(session)
    turns = [MatTurn(turn.player, turn.state.dice, turn.action) for turn in session.history if turn.player != CHANCE]
    outcome = session.outcome
    if outcome is None or outcome.utilities is None:
        return MatGame(names, (0, 0), tuple(turns))
    if outcome.draw:
        raise Unsuitable("a MAT file tells no draws; save a record instead")
    points = 1 if outcome.resigned is not None else int(abs(outcome.utilities[0]))
    return MatGame(names, (0, 0), tuple(turns), outcome.winners[0], points)


def mat_match_of(session: GameSession, names: tuple[str, str] | None = None) -> MatMatch:
    """What was played in a session of `backgammon_match`, the cube included. A game that was not finished has no
    winner."""
    game = session.game
    if not isinstance(game, BackgammonMatch) or session.start != game.start():
        raise Unsuitable("a MAT file tells matches of backgammon from their first roll on; save a record instead")
    names = names or _names(session)
    games: list[MatGame] = []
    turns: list[MatTurn] = []
    states = [*session.states, session.state]
    for turn, after in zip(session.history, states[1:], strict=True):
        before = turn.state
        if before.cube_phase == DECIDING and turn.action == DOUBLE:
            turns.append(MatTurn(turn.player, cube="doubles"))
        elif before.cube_phase == OFFERED:
            turns.append(MatTurn(turn.player, cube="takes" if turn.action == TAKE else "drops"))
        elif before.cube_phase != DECIDING and turn.player != CHANCE:
            turns.append(MatTurn(turn.player, before.board.dice, turn.action))
        score = (before.max_score, before.min_score)
        if (after.max_score, after.min_score) != score:
            winner = MAX if after.max_score > before.max_score else MIN
            points = before.cube
            if turns[-1].dice:
                points *= int(abs(game.rules.utility(game.rules.result(before.board, turn.action))))
            games.append(MatGame(names, score, tuple(turns), winner, points))
            turns = []
    if turns:
        games.append(MatGame(names, (session.state.max_score, session.state.min_score), tuple(turns)))
    return MatMatch(game.points, tuple(games))


def play_mat(match: MatMatch) -> GameSession:
    """A session of `backgammon_match` in which the games of a file have been played. Raises Unsuitable where the
    file has no length, and IllegalAction where a game ended otherwise than by the rules of a match."""
    if not match.length:
        raise Unsuitable("a file of games for money is no match: make a session of each game, with session_of")
    session = GameSession(BackgammonMatch(match.length))
    for game in match.games:
        for turn in game.turns:
            state = session.state
            if turn.cube:
                action = {"doubles": DOUBLE, "takes": TAKE, "drops": DROP}[turn.cube]
                session.play(action)
                continue
            if state.cube_phase == DECIDING:
                session.play(ROLL)
                state = session.state
            begins = O_BEGINS if state.board.dice == OPENING and turn.player == MIN else 0
            session.play(turn.dice + begins)
            session.play(turn.action)
    return session


FORMATS = (
    Format(
        "mat",
        Backgammon,
        "text/plain; charset=utf-8",
        lambda text, most: [session_of(game) for game in read_mat(text).games[:most]],
        lambda sessions: write_mat(MatMatch(0, tuple(mat_of(session) for session in sessions))),
    ),
)
