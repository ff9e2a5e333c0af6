"""Making opinions: evaluations that are learned from games.

run.py                    learning for any game of two players, in a folder that goes on: `plyforge learn GAME`
lesson_plan.py            what can be learned of which game, and a run's settings
methods/                  td, tree and puct
truth.py                  of solved games: how many moves keep the value
gate.py                   who plays better: matches of the candidate
folder.py                 what is on disk
temporal_differences.py   a network over a game's own encoding, in one file: lessons.py its kernels, shards.py workers
"""

from plyforge.learn.run import Progress, Run
from plyforge.learn.temporal_differences import Lesson, TemporalDifferences

__all__ = ["Lesson", "Progress", "Run", "TemporalDifferences"]
