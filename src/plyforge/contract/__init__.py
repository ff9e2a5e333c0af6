"""The contract: what rules say, and what everything else may ask them.

game.py               THE interface: six functions, a few facts, companions
players.py            MAX, MIN, CHANCE, PUBLIC: whose turn it is, whose eyes
companion.py          what companions are; one file for each:
heuristics.py         what a search may know
history_rules.py      what depends on the past
tablebase_index.py    endings by number
path_costs.py         costs and h(s), for one player
payoffs.py            utilities as tuples, of draws, of unknown states
joint_actions.py      joint actions by number, where all choose at once
naming.py             what a caller means by a state, and what messages call it
hooks.py              the one table of what rules may be asked, read off all of these
collisions.py         names of the rules' own that hide what they would be asked for
"""

from plyforge.contract.companion import Companion, defines
from plyforge.contract.game import Game
from plyforge.contract.heuristics import Heuristics, knows_bounds, sees_ahead
from plyforge.contract.history_rules import HistoryRules, key_in_play, repetition_draws
from plyforge.contract.hooks import HOOKS, Hook
from plyforge.contract.path_costs import PathCosts
from plyforge.contract.payoffs import drawn_payoffs, no_opinion, other_side, payoffs, worst_payoffs
from plyforge.contract.players import CHANCE, MAX, MIN, PUBLIC, SIMULTANEOUS
from plyforge.contract.tablebase_index import TablebaseIndex

__all__ = [
    "CHANCE",
    "HOOKS",
    "MAX",
    "MIN",
    "PUBLIC",
    "SIMULTANEOUS",
    "Companion",
    "Game",
    "Heuristics",
    "HistoryRules",
    "Hook",
    "PathCosts",
    "TablebaseIndex",
    "defines",
    "drawn_payoffs",
    "key_in_play",
    "knows_bounds",
    "no_opinion",
    "other_side",
    "payoffs",
    "repetition_draws",
    "sees_ahead",
    "worst_payoffs",
]
