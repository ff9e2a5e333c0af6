"""Contests: the engine that thinks in the background, who plays, a game in progress, games on disk, the game in the
terminal."""

from plyforge.play.describe import parse_player
from plyforge.play.engine import CallbackFailed, Engine, strongest
from plyforge.play.explain import explain
from plyforge.play.model_player import ModelPlayer, SafePlayer
from plyforge.play.opponent_model import OpponentModel, parse_model
from plyforge.play.player import Choice, Human, Player, RandomPlayer, SearchPlayer, StrategyPlayer
from plyforge.play.record import Record, game_text, restore, save
from plyforge.play.session import Event, GameSession, Outcome, Turn, player_name

__all__ = [
    "CallbackFailed",
    "Choice",
    "Engine",
    "Event",
    "GameSession",
    "Human",
    "ModelPlayer",
    "OpponentModel",
    "Outcome",
    "Player",
    "RandomPlayer",
    "Record",
    "SafePlayer",
    "SearchPlayer",
    "StrategyPlayer",
    "Turn",
    "explain",
    "game_text",
    "parse_model",
    "parse_player",
    "player_name",
    "restore",
    "save",
    "strongest",
]
