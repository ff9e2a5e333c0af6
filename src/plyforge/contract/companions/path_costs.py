"""What a path costs, where one player moves alone: for A* and its kin. Compiled.

g(n) = what the actions cost so far,   h(s) = what is still missing, at a guess,   f(n) = g(n) + h(s)
"""

from __future__ import annotations

from typing import Any

from plyforge.contract.companions.companion import Action, Companion, State


class PathCosts(Companion):
    """Costs of actions and the heuristic h(s). Path searches suit a game whose costs define `cost`."""

    admissible: bool = True
    """`h` is never more than the truth, so that a path found with it is a best one. False: good paths, not proven
    ones."""
    consistent: bool = False
    """True: no action lowers `h` by more than it costs. A* then looks at every state once."""

    def cost(self, game: Any, s: State, action: Action) -> float:
        """What it costs to take `action` in `s`, at least 0. A path is worth the utility of its end less what it cost.

        Path searches count it. All others go by the utilities of ends alone.
        """
        return 0.0

    def h(self, game: Any, s: State) -> float:
        """The heuristic: by how much the best path from `s` will stay below the highest utility, at a guess. At least
        0.

        That is what its actions cost, and what its end is worth less than the highest utility. Not asked in terminal
        states.
        """
        return 0.0


__all__ = ["PathCosts"]
