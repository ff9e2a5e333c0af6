"""Features and input encoding: what an evaluation is told of a state. Compiled.

A weighted sum goes by a few named features, each with a weight early in the game and one late (tapered evaluation, by
the game's phase). A network goes by many inputs, most of them 0. Neither is a fact of the rules: both are a choice of
whoever evaluates, so the games that come with Plyforge have theirs in `evaluate/`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plyforge.contract.companions.companion import Companion, State
from plyforge.contract.players import MAX


class Encoding(Companion):
    """How states look to weighted sums and networks."""

    feature_names: tuple[str, ...] = ()
    """What `features` counts, by name. A weighted sum of them is an evaluation: `plyforge.evaluate.Linear`."""
    outcome_levels: tuple[float, ...] = ()
    """All utilities that there are, from the lowest on, if they are few: a network then learns how likely each is.
    Empty: just the lowest and the highest one, and means of them."""

    @property
    def input_count(self) -> int:
        """How many inputs a network has. By default the features."""
        return len(self.feature_names)

    def features(self, game: Any, s: State) -> tuple[float, ...]:
        """One number for each of `feature_names`: what may matter for the value, seen from MAX."""
        return ()

    def phase(self, game: Any, s: State) -> float:
        """The game phase, from 0 early to 1 late, for tapered evaluation: features may count differently early and
        late."""
        return 0.0

    def inputs(self, game: Any, s: State) -> Iterable[tuple[int, float]]:
        """The input encoding of a network, for games of two sides: the numbers of the inputs that are not 0, each
        once, with their values. By default the features.

        As `perspective` sees it, who calls "mine" what is theirs: a network then learns for both sides at once.
        """
        for number, value in enumerate(self.features(game, s)):
            yield number, value

    def perspective(self, game: Any, s: State) -> int:
        """MAX or MIN: from whose side `inputs` shows the state. By default always MAX."""
        return MAX


__all__ = ["Encoding"]
