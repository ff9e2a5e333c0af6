"""Contests: the engine that thinks in the background, who plays, a game in progress, games on disk, the game in the
terminal."""

from typing import TYPE_CHECKING, Any

from plyforge.play.engine import CallbackFailed, Engine, strongest
from plyforge.play.formats.record import Record, game_text
from plyforge.play.formats.registry import restore, save
from plyforge.play.players.model_player import ModelPlayer, SafePlayer
from plyforge.play.players.opponent_model import OpponentModel, parse_model
from plyforge.play.players.player import Choice, Human, Player, RandomPlayer, StrategyPlayer
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.players.spec import parse_player
from plyforge.play.session import Event, GameSession, Outcome, Turn, player_name
from plyforge.play.words import explain

if TYPE_CHECKING:
    from plyforge.play.contests.tournament import Tournament
    from plyforge.play.contests.versus import Versus
    from plyforge.play.match.match import Match
    from plyforge.play.match.multiplayer import TableMatch
    from plyforge.play.match.sprt import Sprt

_CONTESTS = {
    "Match": "match.match",
    "Sprt": "match.sprt",
    "TableMatch": "match.multiplayer",
    "Tournament": "contests.tournament",
    "Versus": "contests.versus",
}
"""Imported when they are first used: a game in the terminal needs none of them."""


def __getattr__(name: str) -> Any:
    if name not in _CONTESTS:
        raise AttributeError(f"module 'plyforge.play' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"plyforge.play.{_CONTESTS[name]}"), name)


__all__ = [
    "CallbackFailed",
    "Choice",
    "Engine",
    "Event",
    "GameSession",
    "Human",
    "Match",
    "ModelPlayer",
    "OpponentModel",
    "Outcome",
    "Player",
    "RandomPlayer",
    "Record",
    "SafePlayer",
    "SearchPlayer",
    "Sprt",
    "StrategyPlayer",
    "TableMatch",
    "Tournament",
    "Turn",
    "Versus",
    "explain",
    "game_text",
    "parse_model",
    "parse_player",
    "player_name",
    "restore",
    "save",
    "strongest",
]
