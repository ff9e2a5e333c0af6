"""Searches for games of hidden information: they are shown what a player sees, and draw the worlds that fit it.

is_mcts.py         information-set Monte Carlo tree search, for one observer and for several
simulate.py        its algorithm;  table.py: what it keeps
oos.py             online outcome sampling: regrets learned in walks from the start of the game
outcome_sampling.py, external_sampling.py   how one learns by sampling;  regret_table.py: what is kept of it
pimc.py            worlds solved with all cards open, and the scores added; epimc.py: opened some plies later
base.py, result.py what they share, and what they find
"""

from plyforge.search.hidden.base import HiddenSearch
from plyforge.search.hidden.epimc import Epimc
from plyforge.search.hidden.is_mcts import IsMcts, MoIsMcts
from plyforge.search.hidden.oos import Oos
from plyforge.search.hidden.pimc import Pimc
from plyforge.search.hidden.result import HiddenResult

__all__ = ["Epimc", "HiddenResult", "HiddenSearch", "IsMcts", "MoIsMcts", "Oos", "Pimc"]
