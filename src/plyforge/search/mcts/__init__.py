"""Monte Carlo tree search: judging by playing on at random.

flat.py, uct.py, puct.py     the searches
guarded.py                   UCT whose choice alpha-beta has looked at
simulate.py                  the algorithm, in three steps: select.py and expand.py, rollout.py, backup.py
habits.py                    rollouts that prefer what has gone well
chance.py, rave.py, history_rules.py    chance nodes; all moves as first; boards that may not come back, and draws
arena.py, edges.py          the tree in memory
reuse.py, statistics.py          a tree kept between moves, and what it says
"""

from plyforge.search.mcts.base import MonteCarlo
from plyforge.search.mcts.flat import Flat
from plyforge.search.mcts.guarded import GuardedUct
from plyforge.search.mcts.puct import Puct
from plyforge.search.mcts.result import MonteCarloResult
from plyforge.search.mcts.reuse import Tree
from plyforge.search.mcts.uct import Uct

__all__ = ["Flat", "GuardedUct", "MonteCarlo", "MonteCarloResult", "Puct", "Tree", "Uct"]
