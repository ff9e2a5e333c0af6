"""Decoupled UCT: at every node each player runs a bandit of its own over its own choices.

A player knows nothing but how the own choices went, whatever the others did meanwhile, and takes the one with the
largest

    mean + c * sqrt(log(1 + N) / n)           N: visits of the node, n: of the choice; choices nobody has tried come
                                              first

Choices that are within `tolerance` of the best are as good, and one of them is drawn: players who are not surprised by
each other fall into step, and then the one who leads wins every round. The mix at the root is the share of visits.

Claim: none. In zero-sum games the mix need not approach an equilibrium, and in some tables it is known not to (Shafiei,
Sturtevant and Schaeffer, "Comparing UCT versus CFR in simultaneous games", 2009). It is quick, often plays well, and
won competitions in general game playing (Finnsson and Björnsson, "Simulation-based approach to general game playing",
AAAI 2008).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from plyforge.contract import Game
from plyforge.kernel import below
from plyforge.search.core.parameters import parameter
from plyforge.search.simultaneous.base import AtOnce
from plyforge.search.simultaneous.rule import Rule


@dataclass(frozen=True)
class OwnBandit(Rule):
    """UCB1 on the own choices alone."""

    def pick(self, memory: Any, stream: Any, options: Any, first: int, width: int, visits: int) -> int:
        best = -math.inf
        for place in range(width):
            best = max(best, self.score(memory, options[first + place], visits))
        chosen, near = 0, 0
        for place in range(width):
            if self.score(memory, options[first + place], visits) >= best - memory.tolerance:
                near += 1
                if below(stream, near) == 0:  # so that of all that are near each is as likely
                    chosen = place
        return chosen

    def score(self, memory: Any, option: Any, visits: int) -> float:
        """Value plus bonus; without any visit, above all others."""
        if option.visits == 0.0:
            return math.inf
        return option.value + memory.exploration * math.sqrt(math.log(1.0 + visits) / option.visits)

    def learn(self, options: Any, first: int, width: int, picked: int, outcome: float) -> None:
        option = options[first + picked]
        option.visits += 1.0
        option.value += (outcome - option.value) / option.visits

    def weight(self, option: Any) -> float:
        return float(option.visits)


@dataclass(frozen=True)
class DecoupledUct(AtOnce):
    """Each player a bandit of its own over its own choices."""

    name: ClassVar[str] = "decoupled_uct"
    title: ClassVar[str] = "Decoupled UCT"
    aliases: ClassVar[tuple[str, ...]] = ("duct",)
    rule: ClassVar[Rule] = OwnBandit()

    exploration: float = parameter(
        1.0,
        at_least=0,
        unit="of the utility's range",
        elsewhere=("c", "ucbc"),
        help="How much choices are tried that look worse.",
    )
    tolerance: float = parameter(
        0.01, at_least=0, unit="of the utility's range", help="Choices that are worse by less than this are as good."
    )

    def set_up(self, memory: Any, game: Game) -> None:
        memory.exploration = self.exploration * (float(game.max_utility) - float(game.min_utility))
        memory.tolerance = self.tolerance * (float(game.max_utility) - float(game.min_utility))
