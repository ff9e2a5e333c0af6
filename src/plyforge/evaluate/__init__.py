"""Opinions: what a state might be worth where a search stops looking."""

from plyforge.evaluate.base import Evaluation, FunctionEvaluation, OwnEvaluation, as_evaluation
from plyforge.evaluate.chess.classic import ChessMaterial, TuringRatio
from plyforge.evaluate.composed.staged import Staged
from plyforge.evaluate.linear import Linear
from plyforge.evaluate.network import Network
from plyforge.evaluate.opinion import learned_opinion, opinion
from plyforge.evaluate.policy import PolicyFunction

__all__ = [
    "ChessMaterial",
    "Evaluation",
    "FunctionEvaluation",
    "Linear",
    "Network",
    "OwnEvaluation",
    "PolicyFunction",
    "Staged",
    "TuringRatio",
    "as_evaluation",
    "learned_opinion",
    "opinion",
]
