"""What a search among simultaneous choices found: a mix for each player."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from plyforge.contract import SIMULTANEOUS, format_action, format_choice
from plyforge.search.core.result import Result


@dataclass(frozen=True)
class MixedResult(Result):
    """A Result whose choice is a mix for each player. Values are what is still to come, rewards and utility together.

    `action` is the most likely joint action, `best` all that happen with some probability, `values` the estimates
    behind each joint action. `line` is the most likely play. `nodes` is the size of the tree and `depth` its longest
    path.
    """

    policies: tuple[dict[Any, float], ...] = ()
    """Everybody's choices at the root with their probabilities; of a player who has nothing to choose, nothing."""
    visits: dict[Any, int] = field(default_factory=dict)
    """How many simulations went through each joint action."""
    simulations: int = 0
    """How many simulations were made."""

    def policy_text(self) -> list[dict[str, float]]:
        """The mixes, choices as text."""
        assert self.game is not None
        texts = []
        for player, policy in enumerate(self.policies):
            texts.append({self.choice_text(player, choice): share for choice, share in policy.items()})
        return texts

    def choice_text(self, player: int, choice: Any) -> str:
        """One choice as text; of a player who moves alone, the action."""
        assert self.game is not None
        if self.game.player(self.state) == SIMULTANEOUS:
            return format_choice(self.game, self.state, player, choice)
        return format_action(self.game, self.state, choice)

    def to_json(self) -> dict[str, Any]:
        return {
            **super().to_json(),
            "policies": self.policy_text(),
            "visits": {self.text(action): number for action, number in self.visits.items()},
            "simulations": self.simulations,
        }
