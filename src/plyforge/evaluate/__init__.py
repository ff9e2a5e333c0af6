"""Opinions: what a state might be worth where a search stops looking."""

from plyforge.evaluate.base import Evaluation, FunctionEvaluation, OwnEvaluation, as_evaluation
from plyforge.evaluate.chess import ChessMaterial, TuringRatio
from plyforge.evaluate.linear import Linear, opinion

__all__ = [
    "ChessMaterial",
    "Evaluation",
    "FunctionEvaluation",
    "Linear",
    "OwnEvaluation",
    "TuringRatio",
    "as_evaluation",
    "opinion",
]
