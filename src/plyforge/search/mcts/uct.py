"""UCT: Monte Carlo tree search with UCB1 at every choice.

The algorithm is in `simulate.py`, the rule for going down the tree in `select.py`, proofs in `backup.py`.

Claim: with more and more simulations the chosen action becomes a best one (minimax's, expectiminimax's; with three or
more players, one of an equilibrium), in any game that ends. With `solve` values become exact where the tree reaches the
ends of the game, and a root that is proven ends the search.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning", ECML 2006.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

from plyforge.contract import Game, defines, knows_priors
from plyforge.errors import BadLimits, Unsuitable
from plyforge.kernel import Kernel
from plyforge.search.mcts.base import MonteCarlo
from plyforge.search.mcts.rave import PriorRave, RaveUcb
from plyforge.search.mcts.select import Selection, Ucb
from plyforge.search.mcts.simulate import simulate


@dataclass(frozen=True)
class TreeSearch(MonteCarlo):
    """Base of the searches that grow a tree."""

    kernel: ClassVar[Kernel] = simulate
    takes_priors: ClassVar[bool] = True

    exploration: float = 1.0
    """How much actions are tried that look worse, in units of the range of the utility."""
    solve: bool = True
    """True: prove values from the ends of the game upwards, and stop when the root is proven."""
    stop_early: bool = False
    """True: with a time limit, stop as soon as the time left can't change the choice; see early_stop.py. For play:
    whoever analyses wants the whole time."""

    rollout_share: float | None = None
    """AlphaGo's lambda: the part of a new state's value that rollouts give; the rest is the evaluation's. 1: rollouts
    alone, 0: the evaluation alone. None: as `rollout_depth` says; an evaluation that knows priors speaks alone."""

    @property
    def cut_after(self) -> int | None:
        """Where rollouts are mixed with an evaluation, they go to the end of the game unless they are told not to."""
        return self.rollout_depth if self.rollout_share is not None else super().cut_after

    @property
    def knows_priors(self) -> bool:
        """True if the evaluation gives priors."""
        return defines(self.evaluation, "policy_value")

    def set_up(self, memory: Any, game: Game) -> None:
        if self.rollout_share is not None:
            memory.rollout_share = self.rollout_share
        elif self.knows_priors and self.cut_after == 0:
            memory.rollout_share = 0.0
        span = float(game.max_utility) - float(game.min_utility)
        if not math.isfinite(span):
            raise Unsuitable(
                f"{self.name} explores by the range of the utility, and {type(game).__name__} has bounds of"
                f" {game.min_utility:g} and {game.max_utility:g}. Give it nearer ones, or use 'flat'"
            )
        memory.exploration = self.exploration * span
        memory.solve = int(self.solve)

    def check(self) -> None:
        super().check()
        share = self.rollout_share
        if share is not None and (not isinstance(share, Real) or not 0.0 <= share <= 1.0):
            raise BadLimits(f"rollout_share is {share!r}; it must be a number from 0 to 1, or None")
        if not isinstance(self.exploration, Real) or not 0.0 <= self.exploration < math.inf:
            raise BadLimits(f"exploration is {self.exploration!r}; it must be a number of at least 0")


@dataclass(frozen=True)
class Uct(TreeSearch):
    """Monte Carlo tree search that tries actions by UCB1."""

    name: ClassVar[str] = "uct"

    rave: float | None = None
    """All-moves-as-first: the visits at which it counts half. None: without."""
    priors: int = 0
    """For how many simulations of all-moves-as-first the game's `prior` counts. 0: without."""

    @property
    def remembers(self) -> bool:  # type: ignore[override]
        return self.rave is not None

    def selection(self, game: Game) -> Selection:
        if self.priors > 0 and not knows_priors(game):
            raise Unsuitable(
                f"priors need promise(s, action), which {type(game).__name__} does not have. Write it, or leave"
                " `priors` out"
            )
        return Ucb() if self.rave is None else PriorRave() if self.priors > 0 else RaveUcb()

    def set_up(self, memory: Any, game: Game) -> None:
        super().set_up(memory, game)
        memory.equivalence = 0.0 if self.rave is None else self.rave
        memory.prior_visits = self.priors

    def check(self) -> None:
        super().check()
        if self.rave is not None and (not isinstance(self.rave, Real) or not 0.0 < self.rave < math.inf):
            raise BadLimits(f"rave is {self.rave!r}; it must be a positive number of visits, or None")
        if not isinstance(self.priors, int) or self.priors < 0 or (self.priors > 0 and self.rave is None):
            raise BadLimits(
                f"priors is {self.priors!r}; it must be a whole number of simulations, and above 0 only with rave"
            )
