"""Monte Carlo tree search, whatever the selection rule: the parameters that all rules share.

A rule is a file in `selection/`: a subclass of `TreeSearch`, which gives its `Selection` and the numbers that the rule
reads in `memory.rule_numbers`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from plyforge.contract import Game, defines
from plyforge.errors import Unsuitable
from plyforge.kernel import Kernel
from plyforge.search.core.parameters import parameter
from plyforge.search.core.requirements import unbounded
from plyforge.search.mcts.base import MonteCarlo
from plyforge.search.mcts.simulate import simulate


@dataclass(frozen=True)
class TreeSearch(MonteCarlo):
    """Base of the searches that grow a tree."""

    kernel: ClassVar[Kernel] = simulate
    takes_priors: ClassVar[bool] = True

    exploration: float = parameter(
        1.0,
        at_least=0,
        unit="of the utility's range",
        elsewhere=("c", "cpuct", "ucbc"),
        help="How much actions are tried that look worse.",
    )
    solve: bool = parameter(
        True,
        title="Prove what can be proven",
        help="True: prove values from the ends of the game upwards, and stop when the root is proven.",
    )
    stop_early: bool = parameter(
        False,
        title="Stop when it is decided",
        in_play=True,
        help="True: with a time limit, stop as soon as the time left can't change the choice (early_stop.py). For play:"
        " whoever analyses wants the whole time.",
    )
    rollout_share: float | None = parameter(
        None,
        at_least=0,
        at_most=1,
        none="as `rollout_depth` says; an evaluation that knows priors speaks alone",
        elsewhere=("lambda", "mix"),
        help="AlphaGo's lambda: the part of a new state's value that rollouts give; the rest is the evaluation's. 1:"
        " rollouts alone, 0: the evaluation alone.",
    )

    @classmethod
    def unsuited(cls, game: Game) -> str | None:
        return cls.needs.missing(game) or unbounded(game)

    @property
    def cut_after(self) -> int | None:
        """Where rollouts are mixed with an evaluation, they go to the end of the game unless they are told not to."""
        return self.rollout_depth if self.rollout_share is not None else super().cut_after

    @property
    def knows_priors(self) -> bool:
        """True if the evaluation gives priors."""
        return defines(self.evaluation, "policy_value")

    def rule_numbers(self) -> tuple[float, ...]:
        """The selection rule's own parameters, at most RULE_NUMBERS; it reads them in `memory.rule_numbers`."""
        return ()

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
        numbers = self.rule_numbers()
        memory.rule_numbers[: len(numbers)] = numbers
