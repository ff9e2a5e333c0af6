"""Hidden information, solved: equilibria of small games, by whole trees and by sampling.

history_tree.py     all histories of a game as arrays, with the players' information sets and sequences
sequence_form.py    what everybody gets as a sum over ends; best responses; locks
regret.py           CFR, CFR+, linear CFR, discounted CFR: one kernel, a rule of forgetting each
sampling.py         external and outcome sampling, on the rules
sampled.py          what they have learned where the tree is too large
linear_program.py   the sequence-form linear program: the independent truth
checkpoint.py       what was learned, in a file
solution.py         a profile, how good it is, and what an action costs
strategy_file.py    strategies and locks as data
advice.py           what to do in a situation, and where a game goes on from an observation
"""

from plyforge.solve.hidden.history_tree import HistoryTree, Root, TooManyHistories, history_tree
from plyforge.solve.hidden.regret import Learner
from plyforge.solve.hidden.sampled import SampledSolution, sampled_equilibrium
from plyforge.solve.hidden.solution import (
    WAYS,
    HiddenSolution,
    InformationSet,
    Standing,
    cfr_plus,
    evaluated,
    hidden_equilibrium,
)

__all__ = [
    "WAYS",
    "HiddenSolution",
    "HistoryTree",
    "InformationSet",
    "Learner",
    "Root",
    "SampledSolution",
    "Standing",
    "TooManyHistories",
    "cfr_plus",
    "evaluated",
    "hidden_equilibrium",
    "history_tree",
    "sampled_equilibrium",
]
