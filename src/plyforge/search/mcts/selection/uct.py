"""UCT: Monte Carlo tree search with UCB1 at every choice.

The algorithm is in `simulate.py`, proofs in `backup.py`; with `rave`, all moves as first (`rave.py`) is mixed in.

Claim: with more and more simulations the chosen action becomes a best one (minimax's, expectiminimax's; with three or
more players, one of an equilibrium), in any game that ends: every action of a visited node is tried again and again,
for ever, and the share of visits to actions that are not best goes to zero. With `solve` values become exact where the
tree reaches the ends of the game, and a root that is proven ends the search.

Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem", Machine Learning 47 (2002);
Kocsis and Szepesvari, "Bandit based Monte-Carlo planning", ECML 2006.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plyforge.contract import Game
from plyforge.search.mcts.selection.rave import AllMovesAsFirst
from plyforge.search.mcts.selection.rule import Selection
from plyforge.search.mcts.selection.ucb1 import Ucb
from plyforge.search.mcts.tree_search import TreeSearch


@dataclass(frozen=True)
class Uct(AllMovesAsFirst, TreeSearch):
    """Monte Carlo tree search that tries what is good or little known, by UCB1."""

    name: ClassVar[str] = "uct"
    title: ClassVar[str] = "UCT"
    aliases: ClassVar[tuple[str, ...]] = (
        "mcts", "montecarlo", "montecarlotreesearch", "ucb", "ucb1", "rave", "amaf",
    )  # fmt: skip

    def selection(self, game: Game) -> Selection:
        return Ucb() if self.rave is None else self.rave_selection(game)
