"""The player behind a description that begins with a program: `gtp:gnugo --mode gtp`, `uci:stockfish`, `talk:./bot`.

This table alone says what such descriptions begin with.
"""

from __future__ import annotations

from plyforge.contract import Game
from plyforge.play.players.programs.agent import PYTHON, TALK, AgentPlayer, TalkPlayer
from plyforge.play.players.programs.gnubg import GNUBG, GnubgPlayer
from plyforge.play.players.programs.gtp import GTP, GtpPlayer, time_settings
from plyforge.play.players.programs.program_player import ProgramPlayer
from plyforge.play.players.programs.uci import UCI, UciPlayer
from plyforge.search import Clock

KINDS: dict[str, type[ProgramPlayer]] = {
    GTP: GtpPlayer,
    UCI: UciPlayer,
    GNUBG: GnubgPlayer,
    PYTHON: AgentPlayer,
    TALK: TalkPlayer,
}
"""By what a description begins with."""


def program_player(
    text: str, game: Game, *, seconds: float | None = None, clock: Clock | None = None
) -> ProgramPlayer | None:
    """The program that `text` describes, to play `game`; None if it describes none. `seconds` for a move or a `clock`
    are for programs with no limits of their own. Raises Unsuitable or BadText."""
    kind = next((kind for begin, kind in KINDS.items() if text.lower().startswith(begin)), None)
    if kind is None:
        return None
    kind.require(game)
    timed = seconds is not None or clock is not None
    player = GtpPlayer(text, time_settings(seconds, clock)) if kind is GtpPlayer else kind(text, timed)
    player.usual = seconds
    return player


__all__ = ["KINDS", "program_player"]
