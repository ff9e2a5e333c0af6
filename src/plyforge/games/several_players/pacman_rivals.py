"""Pacman with every ghost for itself: the rules of `pacman`, for max^n and other searches of several players.

Player 0 is Pacman, player 1 ghost A, and so on. What Pacman gets is what `pacman` gives him. The ghosts get the rest:
who caught him shares his stake with those who stand on the same square, and all ghosts share alike in what he
collected, or lost by his steps; the stake of a Pacman who has starved is shared by all. So everybody's payoffs add up
to 0, every ghost wants him to be caught, and wants to be the one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyforge.errors import BadRules
from plyforge.games.pacman.chase import Chase
from plyforge.games.pacman.maze import GHOSTS
from plyforge.games.pacman.notation import PacmanNotation
from plyforge.games.pacman.rules import Pacman
from plyforge.kernel import popcount
from plyforge.kernel.function import when_compiling


def everyone(game: Any, s: Any, pacman: Any, catchers: Any) -> Any:
    """Pacman's payoff, then each ghost's."""
    return (pacman, *(game.ghost_payoff(s, ghost, pacman, catchers) for ghost in range(game.ghosts)))


@when_compiling
def _natively() -> None:
    """A tuple has to be written out: its length is part of its type."""
    from numba.extending import overload

    @overload(everyone)
    def _everyone(game, s, pacman, catchers):
        if game.instance.ghosts == 2:
            return lambda game, s, pacman, catchers: (
                pacman,
                game.ghost_payoff(s, 0, pacman, catchers),
                game.ghost_payoff(s, 1, pacman, catchers),
            )
        if game.instance.ghosts == 3:
            return lambda game, s, pacman, catchers: (
                pacman,
                game.ghost_payoff(s, 0, pacman, catchers),
                game.ghost_payoff(s, 1, pacman, catchers),
                game.ghost_payoff(s, 2, pacman, catchers),
            )
        return lambda game, s, pacman, catchers: (
            pacman,
            game.ghost_payoff(s, 0, pacman, catchers),
            game.ghost_payoff(s, 1, pacman, catchers),
            game.ghost_payoff(s, 2, pacman, catchers),
            game.ghost_payoff(s, 3, pacman, catchers),
        )


@dataclass(frozen=True)
class PacmanRivals(Pacman):
    """Pacman with every ghost for itself: `pacman_rivals(maze='ring')`; the maze must have two ghosts at least."""

    maze: str = "ring"
    """As in pacman."""

    worth = Pacman.utility
    opinion_of_pacman = Pacman.evaluate

    def __post_init__(self) -> None:
        Pacman.__post_init__(self)
        if self.ghosts < 2:
            raise BadRules("rivals need a maze with two ghosts at least; with one, pacman is the same game")

    @property
    def players(self) -> int:  # type: ignore[override]
        return 1 + self.ghosts

    @property
    def notation(self) -> PacmanNotation:  # type: ignore[override]
        return PacmanNotation(("Pacman", *(f"ghost {name}" for name in GHOSTS[: self.ghosts])))

    def player(self, s: Chase) -> int:
        return s.mover

    def utility(self, s: Chase) -> tuple[float, ...]:  # type: ignore[override]
        catchers = self.met(s, s.pacman) if self.got_him(s) else 0
        found: tuple[float, ...] = everyone(self, s, self.worth(s), catchers)
        return found

    def evaluate(self, s: Chase) -> tuple[float, ...]:  # type: ignore[override]
        """Nobody has caught him yet: the ghosts share alike in what he is thought to lose."""
        found: tuple[float, ...] = everyone(self, s, self.opinion_of_pacman(s), 0)
        return found

    def ghost_payoff(self, s: Chase, ghost: int, pacman: float, catchers: int) -> float:
        """What a ghost gets of what Pacman loses. `catchers` are the ghosts that have him, a bit each; 0 if none
        has."""
        if catchers == 0:
            return -pacman / self.ghosts
        shared = -(pacman + self.stake) / self.ghosts
        if catchers >> ghost & 1:
            return shared + self.stake / popcount(catchers)
        return shared

    def winner(self, s: Chase) -> int | None:  # type: ignore[override]
        """Pacman; or the one ghost that has caught him."""
        if s.food == 0:
            return 0
        catchers = self.met(s, s.pacman) if self.got_him(s) else 0
        return catchers.bit_length() if catchers.bit_count() == 1 else None

    def moves_again(self, s: Chase, move: int) -> bool:
        return False


__all__ = ["PacmanRivals"]
