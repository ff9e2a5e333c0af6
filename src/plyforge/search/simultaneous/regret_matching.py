"""Regret matching at the nodes of a tree: the average of what was played approaches an equilibrium.

Each player keeps for each own choice how much more it would have brought than what was taken, added up over all visits:
its regret. Choices are drawn in proportion to their regrets; where there are none, all alike. With the probability
`exploration` a player draws from all alike anyway, so that every child is visited again and again. What the other
choices would have brought is what their children are worth on average so far. The mix at the root is the average of the
mixes drawn from, exploration left out.

Two things make it quicker than the textbook's form. A regret that falls below nothing is nothing (regret matching
plus). And averages count the n-th visit n times: what was learned early, when all below was still played badly, soon
weighs little.

Claim: in a matrix game of two players and constant sum the average mixes approach an equilibrium, with a regret that
falls like one over the root of the number of simulations (Hart and Mas-Colell, "A simple adaptive procedure leading to
correlated equilibrium", Econometrica 68, 2000; Tammelin, Burch, Johanson and Bowling, "Solving heads-up limit Texas
hold'em", IJCAI 2015). In a tree the children's averages are drawn from play that explores, so the mixes come near an
equilibrium, up to an error that grows with `exploration` and falls with simulations (Lisy, Kovarik, Lanctot and
Bosansky, "Convergence of Monte Carlo tree search in simultaneous move games", NIPS 2013). Errors measured against exact
values are on this algorithm's page. In other games nothing is claimed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from plyforge.contract import Game
from plyforge.kernel import below, uniform
from plyforge.search.core.parameters import parameter
from plyforge.search.simultaneous.base import AtOnce
from plyforge.search.simultaneous.rule import Rule


@dataclass(frozen=True)
class Regrets(Rule):
    """Draws in proportion to regrets. How often the player has chosen here is kept with the first option."""

    def pick(self, memory: Any, stream: Any, options: Any, first: int, width: int, visits: int) -> int:
        if uniform(stream) < memory.exploration:
            return below(stream, width)
        total = self.sum_of(options, first, width)
        if total <= 0.0:
            return below(stream, width)
        left = uniform(stream) * total
        chosen = 0
        for place in range(width):
            if options[first + place].regret > 0.0:
                chosen = place
                left -= options[first + place].regret
                if left < 0.0:
                    break
        return chosen

    def sum_of(self, options: Any, first: int, width: int) -> float:
        """The sum of the regrets."""
        total = 0.0
        for place in range(width):
            total += options[first + place].regret
        return total

    def learn(self, options: Any, first: int, width: int, picked: int, outcome: float) -> None:
        """Count the mix that was drawn from, the n-th time n times; regrets have not changed since."""
        total = self.sum_of(options, first, width)
        options[first].visits += 1.0
        times = options[first].visits
        for place in range(width):
            option = options[first + place]
            option.weight += times * (option.regret / total if total > 0.0 else 1.0 / width)

    def compare(self, options: Any, option: int, difference: float) -> None:
        options[option].regret = max(0.0, options[option].regret + difference)

    def weight(self, option: Any) -> float:
        return float(option.weight)


@dataclass(frozen=True)
class RegretMatching(AtOnce):
    """Choices in proportion to their regrets; the average play is the answer."""

    name: ClassVar[str] = "regret_matching"
    aliases: ClassVar[tuple[str, ...]] = ("cfr", "nash")
    rule: ClassVar[Rule] = Regrets()

    exploration: float = parameter(
        0.05, above=0, at_most=1, help="How often a choice is drawn from all alike, instead of by regrets."
    )

    def set_up(self, memory: Any, game: Game) -> None:
        memory.exploration = self.exploration
