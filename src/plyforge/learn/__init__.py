"""Making opinions: evaluations that are learned from games."""

from plyforge.learn.temporal_differences import Lesson, TemporalDifferences

__all__ = ["Lesson", "TemporalDifferences"]
