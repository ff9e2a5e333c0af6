"""What the searches for games of hidden information share: they are shown what a player sees, and never the state.

Invariant: whatever is handed in is observed before anything else is done with it. Should it be the true state, what is
hidden in it is gone before a world is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from plyforge.contract import CHANCE, Game, defines
from plyforge.errors import Unsuitable
from plyforge.search.core.base import Search
from plyforge.search.core.limits import MOST_NODES, Limits
from plyforge.search.core.parameters import parameter
from plyforge.search.core.requirements import HIDDEN_GAME, Needs
from plyforge.search.running.runner import blaming_the_rules, coerce

UNLIMITED = 1 << 62
MOST_THREADS = 64


@dataclass(frozen=True)
class HiddenSearch(Search):
    """Base of the searches for games of hidden information. They take an observation of the player who is to move."""

    anytime: ClassVar[bool] = True
    kind: ClassVar[str] = "hidden"
    drawn: ClassVar[bool] = False
    needs: ClassVar[Needs] = HIDDEN_GAME

    simulations: int | None = parameter(
        None,
        at_least=1,
        none="until another limit; with no limit at all, 10,000 simulations or 100 searches",
        elsewhere=("playouts", "visits"),
        help="How many worlds to draw, for a simulation or a search each.",
    )
    seed: int = parameter(
        1,
        elsewhere=("randomseed",),
        help="Of the random numbers: the same seed draws the same worlds, interpreted and compiled.",
    )

    def without_end(self) -> tuple[Search, Limits]:
        return (replace(self, simulations=MOST_NODES) if self.simulations is None else self), Limits()

    def asked(self, game: Game, state: Any) -> tuple[Any, int]:
        """The observation that is asked about, and whose it is."""
        self.needs.check(game, self.name)
        if not defines(game, "determinize"):
            raise Unsuitable(
                f"{self.name} needs worlds to think about, and {type(game).__name__} has no determinize(observation, "
                "player, stream)"
            )
        with blaming_the_rules():
            state = coerce(game.start() if state is None else state)
            if game.terminal(state):
                raise Unsuitable(f"{self.name} has nothing to choose: the game is over")
            player = int(game.player(state))
            if player == CHANCE:
                raise Unsuitable(
                    f"{self.name} has nothing to choose: chance is to move. It is asked with what a player sees who is "
                    "to move"
                )
            return coerce(game.observe(state, player)), player


__all__ = ["MOST_THREADS", "UNLIMITED", "HiddenSearch"]
