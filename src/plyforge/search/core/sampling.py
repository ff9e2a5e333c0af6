"""What all searches share that sample, whether players move in turn or at once: their parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from plyforge.evaluate import OwnEvaluation
from plyforge.search.core.base import Search
from plyforge.search.core.limits import MOST_NODES, Limits
from plyforge.search.core.parameters import parameter


@dataclass(frozen=True)
class Sampling(Search):
    """Base of searches by simulation. `depth` limits how deep the tree grows; rollouts go on from there."""

    anytime: ClassVar[bool] = True

    simulations: int | None = parameter(
        None,
        at_least=1,
        none="until another limit; with no limit at all, 10,000",
        elsewhere=("iterations", "playouts", "visits"),
        help="How many simulations to make.",
    )
    rollout_depth: int | None = parameter(
        None,
        at_least=0,
        unit="plies",
        title="Depth of a rollout",
        none="to the end of the game, or 10,000 plies; where an evaluation is given, 0",
        elsewhere=("playoutdepth",),
        help="Plies after which a rollout is cut off with an estimate. 0: an estimate speaks in place of a rollout.",
    )
    seed: int = parameter(
        1,
        elsewhere=("randomseed",),
        help="Of the random numbers: the same seed makes the same simulations, interpreted and compiled.",
    )
    memory_mib: int = parameter(
        256,
        at_least=1,
        unit="MiB",
        title="Memory",
        uci="Hash",
        help="At this size the tree stops growing, and the search goes on with the nodes it has.",
    )

    def without_end(self) -> tuple[Search, Limits]:
        return (replace(self, simulations=MOST_NODES) if self.simulations is None else self), Limits()

    @property
    def cut_after(self) -> int | None:
        """Plies after which rollouts are cut off; None if they never are."""
        if self.rollout_depth is None and not isinstance(self.evaluation, OwnEvaluation):
            return 0
        return self.rollout_depth
