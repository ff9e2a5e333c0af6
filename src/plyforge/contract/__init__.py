"""The contract: what rules say, and what everything else may ask them.

game.py               THE interface: six functions, a few facts, companions
traits.py             what kind of game it is, read off what it defines
players.py            MAX, MIN, CHANCE, PUBLIC: whose turn it is, whose eyes
companions/           companion.py, what they are; one file for each:
  heuristics.py       what a search may know
  history_rules.py    what depends on the past
  tablebase_index.py  endings by number
  notation.py         text of states and actions, names of players
  board_view.py       a picture to point at
  path_costs.py       costs and h(s), for one player
  encoding.py         features, game phase, inputs of a network: what evaluations see
moves.py              the actions of a state as a list
text.py               states and actions as text, and back: what everybody asks
payoffs.py            utilities as tuples, of draws, of unknown states
joint_actions.py      joint actions by number, where all choose at once
naming.py             what a caller means by a state, and what messages call it
hooks.py              the one table of what rules may be asked, read off all of these
collisions.py         names of the rules' own that hide what they would be asked for
"""

from plyforge.contract.companions.board_view import BoardView
from plyforge.contract.companions.companion import Companion, defines
from plyforge.contract.companions.encoding import Encoding
from plyforge.contract.companions.heuristics import TACTICAL, Heuristics, knows_bounds, knows_priors, sees_ahead
from plyforge.contract.companions.history_rules import HistoryRules, key_in_play, repetition_draws
from plyforge.contract.companions.notation import Notation, named
from plyforge.contract.companions.path_costs import PathCosts
from plyforge.contract.companions.tablebase_index import TablebaseIndex
from plyforge.contract.game import Game
from plyforge.contract.hooks import HOOKS, Hook
from plyforge.contract.moves import legal_moves
from plyforge.contract.payoffs import drawn_payoffs, no_opinion, other_side, payoffs, worst_payoffs
from plyforge.contract.players import CHANCE, MAX, MIN, PUBLIC, SIMULTANEOUS
from plyforge.contract.text import (
    format_action,
    format_choice,
    format_state,
    parse_action,
    parse_choice,
    parse_state,
    state_after,
)

__all__ = [
    "CHANCE",
    "HOOKS",
    "MAX",
    "MIN",
    "PUBLIC",
    "SIMULTANEOUS",
    "TACTICAL",
    "BoardView",
    "Companion",
    "Encoding",
    "Game",
    "Heuristics",
    "HistoryRules",
    "Hook",
    "Notation",
    "PathCosts",
    "TablebaseIndex",
    "defines",
    "drawn_payoffs",
    "format_action",
    "format_choice",
    "format_state",
    "key_in_play",
    "knows_bounds",
    "knows_priors",
    "legal_moves",
    "named",
    "no_opinion",
    "other_side",
    "parse_action",
    "parse_choice",
    "parse_state",
    "payoffs",
    "repetition_draws",
    "sees_ahead",
    "state_after",
    "worst_payoffs",
]
