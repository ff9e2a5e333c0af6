"""A selection rule for Monte Carlo tree search in one file: UCB1 whose bonus falls with a power of a child's visits,
and not with their root."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from plyforge.contract import Game
from plyforge.search.core.parameters import parameter
from plyforge.search.mcts.selection.rule import Selection
from plyforge.search.mcts.tree.arena import single
from plyforge.search.mcts.tree_search import TreeSearch


@dataclass(frozen=True)
class PowerUcb(Selection):
    """The power is the first of the rule's numbers."""

    def spread(self, memory: Any, visits: int, prior: float) -> float:
        return single(float(max(visits, 1)) ** -memory.rule_numbers[0])

    def computed_scale(self, exploration: float, visits: int) -> float:
        return exploration * math.sqrt(math.log(1.0 + visits))

    def first_play_urgency(self, value: float) -> float:
        return math.inf


@dataclass(frozen=True)
class PowerUct(TreeSearch):
    """Monte Carlo tree search whose bonus falls with a power of the visits."""

    name: ClassVar[str] = "power_uct"
    title: ClassVar[str] = "Power UCT"
    aliases: ClassVar[tuple[str, ...]] = ("polynomialuct",)

    power: float = parameter(0.5, above=0, at_most=1, elsewhere=("alpha",), help="Of the visits, under the bonus.")

    def selection(self, game: Game) -> Selection:
        return PowerUcb()

    def rule_numbers(self) -> tuple[float, ...]:
        return (self.power,)
