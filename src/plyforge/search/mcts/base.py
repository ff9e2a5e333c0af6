"""What the Monte Carlo searches share: their parameters, and the way from them to a tree and a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from plyforge.contract import Game, defines, knows_priors
from plyforge.errors import Unsuitable
from plyforge.search.core.parameters import parameter
from plyforge.search.core.requirements import ANY_GAME, Needs
from plyforge.search.core.sampling import Sampling
from plyforge.search.mcts.rollouts.mast import MastRollout
from plyforge.search.mcts.rollouts.rollout import (
    DecisiveRollout,
    OwnRollout,
    PriorRollout,
    RandomRollout,
    Rollout,
    SampledRollout,
)
from plyforge.search.mcts.selection.rule import Selection
from plyforge.search.mcts.tree.arena import Blocks
from plyforge.search.mcts.tree.reuse import MOST_THREADS, Tree
from plyforge.search.mcts.tree.statistics import most_visits


@dataclass(frozen=True)
class MonteCarlo(Sampling):
    """Base of searches by simulation where players move in turn."""

    kind: ClassVar[str] = "sampling"
    drawn: ClassVar[bool] = False
    needs: ClassVar[Needs] = ANY_GAME
    remembers: ClassVar[bool] = False
    """True: keep what all-moves-as-first needs, for each node."""
    takes_priors: ClassVar[bool] = False
    """True: an evaluation may give priors."""

    rollouts: int = parameter(
        1, at_least=1, title="Rollouts for each new state", help="Rollouts for each new state, averaged."
    )
    weighted: bool = parameter(
        False,
        title="Skilled rollouts",
        compiled=True,
        where=lambda game: knows_priors(game) or defines(game.heuristics, "rollout"),
        help="True: rollouts prefer promising actions (the game's `prior`), or are skilled where the game has its own"
        " (`rollout`) and they are not cut off.",
    )
    decisive: bool = parameter(
        False,
        title="Decisive rollouts",
        compiled=True,
        help="True: in rollouts whoever can win with one action does.",
    )
    mast: int = parameter(
        0,
        at_least=0,
        unit="actions",
        title="MAST",
        compiled=True,
        formerly=("habits",),
        help="Move-average sampling technique: at each step of a rollout so many random actions are drawn, and the one"
        " is taken that has brought most so far (mast.py). 0: any action.",
    )
    expand_at: int = parameter(
        2,
        at_least=2,
        unit="visits",
        help="The visit at which a node gets its children. Later ones keep the tree small where states have many"
        " actions.",
    )
    lines: int = parameter(
        1,
        at_least=1,
        uci="MultiPV",
        elsewhere=("multipv",),
        help="How many of the best lines to tell. The tree has them all: it costs the search nothing.",
    )
    threads: int = parameter(
        1,
        at_least=1,
        at_most=MOST_THREADS,
        compiled=True,
        help="How many threads grow the tree together. With more than one, the same seed does not make the same tree.",
    )

    # ------------------------------------------------------------ what a subclass says
    def selection(self, game: Game) -> Selection:
        """How simulations go down the tree."""
        raise NotImplementedError

    def set_up(self, memory: Any, game: Game) -> None:
        """Put further parameters into the memory of a call."""

    def choose(self, game: Game, blocks: Blocks, index: int) -> int:
        """The child to choose at a node, -1 if none has been visited."""
        return most_visits(game, blocks, index)

    def rollout_policy(self, game: Game) -> Rollout:
        """What players do in rollouts. The rules' own go to the end of the game: those that are cut off have an
        estimate to ask for, state by state."""
        if defines(game.heuristics, "rollout") and self.cut_after is None:
            return OwnRollout(self.weighted)
        if self.decisive and not self.weighted:
            return DecisiveRollout()
        if self.mast > 0 and not self.weighted:
            return MastRollout()
        if not self.weighted:
            return SampledRollout() if defines(game, "sample") else RandomRollout()
        if not knows_priors(game):
            raise Unsuitable(
                f"weighted rollouts need `prior` or `ordering` in the heuristics, and {type(game).__name__} has"
                " neither. Write one, or leave `weighted` out"
            )
        return PriorRollout()

    # ------------------------------------------------------------ running it
    def start(self, game: Game, native: bool | None = None, *, lasting: bool = True) -> Tree:
        """A tree that is kept between moves."""
        return Tree(self, game, native, lasting)
