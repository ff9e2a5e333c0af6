"""UCB1: optimism in the face of the unknown.

Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem", Machine Learning 47 (2002).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from plyforge.search.mcts.selection.rule import Selection
from plyforge.search.mcts.tree.arena import TABULATED_SPREADS, single


@dataclass(frozen=True)
class Ucb(Selection):
    """UCB1: optimism in the face of the unknown."""

    def spread(self, memory: Any, visits: int, prior: float) -> float:
        return memory.spreads[visits] if visits < TABULATED_SPREADS else single(1.0 / math.sqrt(visits))

    def computed_scale(self, exploration: float, visits: int) -> float:
        return exploration * math.sqrt(math.log(1.0 + visits))

    def first_play_urgency(self, value: float) -> float:
        return math.inf
