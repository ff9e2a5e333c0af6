"""Selection rules: which child a simulation follows, the one with the largest value plus bonus.

The bonus is an amount that grows with the visits of the node, times the child's `spread`, which falls with the child's
own:

    UCB1     c * sqrt(log(1 + N))   *   1 / sqrt(n)          unvisited children first, in the order of the rules
    PUCT     c * sqrt(1 + N)        *   P / (1 + n)          unvisited children have the value of the node

N: visits of the node, n: of the child, P: the prior of its action, c: the exploration constant times the range of the
utility. A child's spread changes only when it is visited, so it is stored with it: a selection is one multiplication
and one addition for each child. A proven child needs no bonus: its spread is zero.

A rule is one file: its bonus as a `Selection`, and a `TreeSearch` (tree_search.py) that names it, with its parameters.
`puct.py` is an example.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.kernel import Constant
from plyforge.search.mcts.tree.arena import TABULATED, TABULATED_SPREADS, single


@dataclass(frozen=True)
class Selection(Constant):
    """The parts of a selection rule. What is known only at run time is in the search's memory: `exploration`, and the
    rule's own `rule_numbers`."""

    def scale(self, memory: Any, visits: int) -> float:
        """The bonus's factor that belongs to the node."""
        return memory.scales[visits] if visits < TABULATED else self.computed_scale(memory.exploration, visits)

    def spread(self, memory: Any, visits: int, prior: float) -> float:
        """The bonus's factor that belongs to the child."""
        raise NotImplementedError(f"{type(self).__name__} has no spread")

    def computed_scale(self, exploration: float, visits: int) -> float:
        """What `scale` gives, worked out."""
        raise NotImplementedError(f"{type(self).__name__} has no computed_scale")

    def first_play_urgency(self, value: float) -> float:
        """First-play urgency: the value of a child nobody has visited, below a node with this value for its mover."""
        raise NotImplementedError(f"{type(self).__name__} has no first_play_urgency")

    def weight(self, game: Any, s: Any, action: Any) -> float:
        """How promising an action is beside the others of its state: a prior before division by their sum."""
        return 1.0

    # What follows is for all-moves-as-first alone, and compiles to nothing elsewhere.
    def begin(self, memory: Any) -> None:
        """A simulation begins."""

    def note(self, memory: Any, player: int, action: Any) -> None:
        """`player` took `action`, in a rollout."""

    def keep(self, memory: Any, child: int, action: Any) -> None:
        """`child` was made for `action`."""

    def expect(self, game: Any, memory: Any, child: int, mover: int, share: float) -> None:
        """The action of `child`, which `mover` may take, is `share` times as promising as those of its state are on
        average."""

    def blend(self, memory: Any, child: int, value: float, visits: int, proven: bool) -> float:
        """The child's value, with what else is known of its action."""
        return value

    def learn(self, memory: Any, child: int, player: int, first: int, children: int) -> None:
        """`player` took the action of `child`, one of these siblings; the outcome is in the memory."""


def tabulate(selection: Selection, memory: Any) -> None:
    """Fill the tables of a search that is about to begin."""
    memory.scales[:] = _scales(selection, float(memory.exploration))
    memory.spreads[:] = _spreads()


@functools.lru_cache(maxsize=16)
def _scales(selection: Selection, exploration: float) -> Any:
    return np.array([selection.computed_scale(exploration, visits) for visits in range(TABULATED)])


@functools.cache
def _spreads() -> Any:
    """Unvisited children come first whatever this says; with all-moves-as-first they count as visited once."""
    return np.array([1.0, *(single(1.0 / math.sqrt(visits)) for visits in range(1, TABULATED_SPREADS))])
