"""Monte Carlo tree search: judging by playing on at random.

simulate.py                   the algorithm, in three steps: expand.py, leaf.py, backup.py
selection/                    rules for going down the tree, a file each, and the searches that use them
rollouts/                     what players do in rollouts: anything, what is promising, what has gone well (MAST)
tree/                         the tree in memory, one thread or many, kept between moves, and what it says
base.py, tree_search.py       the parameters that all searches here share; those of all that grow a tree
flat.py                       no tree: as many rollouts for each action
guarded.py                    UCT whose choice alpha-beta has looked at
chance.py, history_rules.py   chance nodes; boards that may not come back, and draws
early_stop.py                 the time left can't change the choice
"""

# isort: off
from plyforge.search.mcts.base import MonteCarlo
from plyforge.search.mcts.flat import Flat
from plyforge.search.mcts.selection.uct import Uct
from plyforge.search.mcts.selection.puct import Puct
from plyforge.search.mcts.guarded import GuardedUct
from plyforge.search.mcts.result import MonteCarloResult
from plyforge.search.mcts.tree.reuse import Tree
# isort: on

__all__ = ["Flat", "GuardedUct", "MonteCarlo", "MonteCarloResult", "Puct", "Tree", "Uct"]
