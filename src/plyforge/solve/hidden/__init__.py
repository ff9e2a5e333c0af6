"""Hidden information, solved: an equilibrium of a small game for two, by its whole tree.

history_tree.py    all histories of a game as arrays, with the players' information sets
cfr_plus.py        CFR+: counterfactual regret minimization, and what it found
best_response.py   the best answer to a profile, and so its exploitability
"""

from plyforge.solve.hidden.cfr_plus import InformationSet, RegretSolution, cfr_plus
from plyforge.solve.hidden.history_tree import HistoryTree, history_tree

__all__ = ["HistoryTree", "InformationSet", "RegretSolution", "cfr_plus", "history_tree"]
