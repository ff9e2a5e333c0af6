"""What searches with a window (alpha, beta) share: reading the root's values, and finding all best actions.

At the root, an action that did not improve on those before it has come back with a mere bound: it may be as good or
worse, and the search did not need to know. So the first best action is known, ties are not. To find them, each
other action is asked a narrow question: with v the value and nothing between v and the next number,
the window (v-, v) tells "worse" from "as good" and nothing else, at a fraction of the cost.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.contract import MAX, Game, legal_moves
from plyforge.kernel import new_memory
from plyforge.search.core.base import Call, Search
from plyforge.search.core.limits import tie_window
from plyforge.search.core.parameters import parameter
from plyforge.search.running.runner import coerce, run


@dataclass(frozen=True)
class Windowed(Search):
    """Base of searches that cut."""

    all_best: bool = parameter(
        False,
        title="Find every best action",
        help="Find every best action instead of the first one; costs a narrow search of each other action.",
    )

    def maximises(self, game: Game, state: Any) -> bool:
        """True if the player at the root wants large values."""
        return bool(game.player(state) == MAX)

    def window(self, game: Game, state: Any) -> tuple[Any, ...]:
        return (-np.inf, np.inf)

    def improving(self, game: Game, state: Any, numbers: list[float]) -> list[bool]:
        """Which actions improved on all before them: their values are exact."""
        sign = 1.0 if self.maximises(game, state) else -1.0
        best, improved = -math.inf, []
        for number in numbers:
            improved.append(sign * number > best)
            best = max(best, sign * number)
        return improved

    def read_values(self, game: Game, state: Any, numbers: list[float]) -> list[Any | None]:
        improved = self.improving(game, state, numbers)
        value = [number for number, better in zip(numbers, improved, strict=True) if better][-1]
        return [
            number if better or (self.all_best and number == value) else None
            for number, better in zip(numbers, improved, strict=True)
        ]

    def finish(self, call: Call, memory: Any, value: Any, deadline: float | None) -> None:
        """With `all_best`: ask about each action that came back with a bound whether it is as good as the best.

        Afterwards memory.values holds `value` for a tie, and infinity on the wrong side for what is worse.
        """
        game, state, depth = call.game, call.state, int(memory.depth)
        if not self.all_best or depth == 0 or game.terminal(state):
            return
        legal = legal_moves(game, state)
        numbers = [float(v) for v in memory.values[: len(legal)]]
        rest = self.window(game, state)[2:]
        maximising = self.maximises(game, state)
        worst, window = -math.inf if maximising else math.inf, tie_window(value, maximising)
        for index, exact in enumerate(self.improving(game, state, numbers)):
            if exact:
                continue
            below = new_memory(depth - 1, int(memory.node_limit - memory.nodes), call.compiled)
            below.unlimited = memory.unlimited
            next_state = coerce(game.result(state, legal[index]))
            args = (game, self.evaluation, self.watcher, below, next_state, depth - 1, *window, *rest)
            bound = run(call.function, args, below, deadline, call.on_progress, depth, call.control)
            memory.nodes += below.nodes
            memory.estimates += below.estimates
            if below.stop:
                memory.stop = below.stop
                return
            tied = bound >= value if maximising else bound <= value
            memory.values[index] = value if tied else worst
