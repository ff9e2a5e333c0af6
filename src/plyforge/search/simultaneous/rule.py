"""How a player chooses at a node where others choose at the same time, and what the player learns from it: the part
in which the searches differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyforge.kernel import Constant


@dataclass(frozen=True)
class Rule(Constant):
    """The options of one player at one node are `options[first : first + width]`."""

    def pick(self, memory: Any, stream: Any, options: Any, first: int, width: int, visits: int) -> int:
        """The place of the choice to follow; `visits` is how often the node was left before."""
        raise NotImplementedError(f"{type(self).__name__} has no pick")

    def learn(self, options: Any, first: int, width: int, picked: int, outcome: float) -> None:
        """The choice that was picked led to `outcome` for the player."""
        raise NotImplementedError(f"{type(self).__name__} has no learn")

    def compare(self, options: Any, option: int, difference: float) -> None:
        """Had the player taken this option and all others what they took, it would have brought so much more, as far
        as is known."""

    def weight(self, option: Any) -> float:
        """How often an option is to be taken, beside the others: what the mix at the root is made of."""
        raise NotImplementedError(f"{type(self).__name__} has no weight")
