"""What kind of game it is, read off which functions its rules define.

Nobody has to say it. Only rules for which it depends on their parameters do: a table of payoffs that may have chance in
it or not declares `has_chance` as a property of its own.
"""

from __future__ import annotations

from plyforge.kernel.constant import Constant, defines


class Traits(Constant):
    """Derived facts of a game; each may be declared instead."""

    @property
    def has_chance(self) -> bool:
        """True if `player` may be CHANCE. By default: if the rules define `chance`."""
        return defines(self, "chance")

    @property
    def has_rewards(self) -> bool:
        """True if actions bring payoffs on the way. By default: if the rules define `rewards`."""
        return defines(self, "rewards")

    @property
    def hidden_information(self) -> bool:
        """True if players don't see the whole state. By default: if the rules define `observe`."""
        return defines(self, "observe")


__all__ = ["Traits"]
