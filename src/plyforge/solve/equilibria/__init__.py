"""One shot, and at once: dominance and equilibria of payoff tables.

profile.py                                  tables, mixes, and regret
dominance.py, pure.py                       any number of players
zero_sum.py                                 two players, constant sum: linear programming
support_enumeration.py, lemke_howson.py     two players
many_players.py                             three players and more, numerically
choose.py                                   one equilibrium, by a fixed rule

A table is a Matrix game, nested literals as it takes them, a pair of matrices, or an array whose last axis is the
players.
"""

from plyforge.solve.equilibria.choose import equilibrium
from plyforge.solve.equilibria.dominance import Elimination, Step, dominated, eliminate
from plyforge.solve.equilibria.lemke_howson import lemke_howson, lemke_howson_all
from plyforge.solve.equilibria.many_players import many_players
from plyforge.solve.equilibria.profile import Equilibrium, as_table, is_new, regret, regrets, values_of
from plyforge.solve.equilibria.pure import pure_equilibria
from plyforge.solve.equilibria.support_enumeration import Enumeration, support_enumeration
from plyforge.solve.equilibria.zero_sum import zero_sum

__all__ = [
    "Elimination",
    "Enumeration",
    "Equilibrium",
    "Step",
    "as_table",
    "dominated",
    "eliminate",
    "equilibrium",
    "is_new",
    "lemke_howson",
    "lemke_howson_all",
    "many_players",
    "pure_equilibria",
    "regret",
    "regrets",
    "support_enumeration",
    "values_of",
    "zero_sum",
]
