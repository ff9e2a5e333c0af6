"""Opinions: what a state might be worth where a search stops looking."""

from plyforge.evaluate.base import Evaluation, FunctionEvaluation, OwnEvaluation, as_evaluation

__all__ = ["Evaluation", "FunctionEvaluation", "OwnEvaluation", "as_evaluation"]
