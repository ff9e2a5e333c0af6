"""What the Monte Carlo searches share: their parameters, and the way from them to a tree and a result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from plyforge.contract import Game, defines, knows_priors
from plyforge.errors import BadLimits, Unsuitable
from plyforge.evaluate import OwnEvaluation
from plyforge.search.core.base import Search
from plyforge.search.core.limits import MOST_NODES, Limits
from plyforge.search.core.requirements import ANY_GAME, Needs
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
from plyforge.search.mcts.tree.reuse import MOST_THREADS, UNLIMITED, Tree
from plyforge.search.mcts.tree.statistics import most_visits


@dataclass(frozen=True)
class MonteCarlo(Search):
    """Base of searches by simulation. `depth` limits how deep the tree grows; rollouts go on from there."""

    anytime: ClassVar[bool] = True
    needs: ClassVar[Needs] = ANY_GAME
    remembers: ClassVar[bool] = False
    """True: keep what all-moves-as-first needs, for each node."""
    takes_priors: ClassVar[bool] = False
    """True: an evaluation may give priors."""

    simulations: int | None = None
    """How many simulations to make. None: until another limit; with no limit at all, 10,000."""
    rollouts: int = 1
    """Rollouts for each new state, averaged."""
    rollout_depth: int | None = None
    """Plies after which a rollout is cut off with an estimate. None: to the end of the game, or 10,000 plies; where
    an evaluation is given, 0: it speaks in place of a rollout."""
    weighted: bool = False
    """True: rollouts prefer promising actions (the game's `prior`), or are skilled where the game has its own
    (`rollout`) and they are not cut off."""
    decisive: bool = False
    """True: in rollouts whoever can win with one action does."""
    habits: int = 0
    """In rollouts, of so many random actions the one is taken that has brought most so far; see mast.py. 0: any
    action."""
    expand_at: int = 2
    """The visit at which a node gets its children. Later ones keep the tree small where states have many actions."""
    seed: int = 1
    """Of the random numbers: the same seed makes the same simulations, interpreted and compiled."""
    memory_mib: int = 256
    """At this size the tree stops growing, and the search goes on with the nodes it has."""
    lines: int = 1
    """How many of the best lines to tell. The tree has them all: it costs the search nothing."""
    threads: int = 1
    """How many threads grow the tree together. With more than one, the same seed does not make the same tree."""

    @property
    def cut_after(self) -> int | None:
        """Plies after which rollouts are cut off; None if they never are."""
        if self.rollout_depth is None and not isinstance(self.evaluation, OwnEvaluation):
            return 0
        return self.rollout_depth

    # ------------------------------------------------------------ what a subclass says
    def selection(self, game: Game) -> Selection:
        """How simulations go down the tree."""
        raise NotImplementedError

    def set_up(self, memory: Any, game: Game) -> None:
        """Put further parameters into the memory of a call."""

    def choose(self, game: Game, blocks: Blocks, index: int) -> int:
        """The child to choose at a node, -1 if none has been visited."""
        return most_visits(game, blocks, index)

    def check(self) -> None:
        """Raise BadLimits for a parameter out of range."""
        if not isinstance(self.seed, int):
            raise BadLimits(f"seed is {self.seed!r}; it must be a whole number")
        for name, least in (
            ("simulations", 1),
            ("rollouts", 1),
            ("rollout_depth", 0),
            ("habits", 0),
            ("expand_at", 2),
            ("memory_mib", 1),
            ("lines", 1),
            ("threads", 1),
        ):
            given = getattr(self, name)
            if given is None and name in ("simulations", "rollout_depth"):
                continue
            if not isinstance(given, int) or given < least:
                raise BadLimits(f"{name} is {given!r}; it must be a whole number of at least {least}")
            if given > UNLIMITED:
                raise BadLimits(f"{name} is {given}; it can be at most 2**62")
        if self.threads > MOST_THREADS:
            raise BadLimits(f"threads is {self.threads}; there can be at most {MOST_THREADS}")

    def rollout_policy(self, game: Game) -> Rollout:
        """What players do in rollouts. The rules' own go to the end of the game: those that are cut off have an
        estimate to ask for, state by state."""
        if defines(game.heuristics, "rollout") and self.cut_after is None:
            return OwnRollout(self.weighted)
        if self.decisive and not self.weighted:
            return DecisiveRollout()
        if self.habits > 0 and not self.weighted:
            return MastRollout()
        if not self.weighted:
            return SampledRollout() if defines(game, "sample") else RandomRollout()
        if not knows_priors(game):
            raise Unsuitable(
                f"weighted rollouts need promise(s, action), which {type(game).__name__} does not have. "
                "Write it, or leave `weighted` out"
            )
        return PriorRollout()

    def without_end(self) -> tuple[Search, Limits]:
        return (replace(self, simulations=MOST_NODES) if self.simulations is None else self), Limits()

    # ------------------------------------------------------------ running it
    def start(self, game: Game, native: bool | None = None, *, lasting: bool = True) -> Tree:
        """A tree that is kept between moves."""
        return Tree(self, game, native, lasting)
