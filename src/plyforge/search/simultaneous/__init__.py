"""Monte Carlo tree search where players choose at the same time.

decoupled_uct.py, regret_matching.py    the searches, each a rule for choosing at a node
simulate.py                             the algorithm: down the tree, a rollout, back up
tree.py                                 the tree in memory
base.py, result.py                      from a game to a result: everybody's mix at the root
"""

# isort: off
from plyforge.search.simultaneous.regret_matching import RegretMatching
from plyforge.search.simultaneous.decoupled_uct import DecoupledUct
from plyforge.search.simultaneous.base import AtOnce
from plyforge.search.simultaneous.result import MixedResult
# isort: on

__all__ = ["AtOnce", "DecoupledUct", "MixedResult", "RegretMatching"]
