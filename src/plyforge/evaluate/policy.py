"""Priors and value at once, from any Python function: `f(state) -> (priors, value)`.

    pf.search("connect4", using="puct", evaluate=f)

`priors` says how likely each action is to be the best: a mapping from actions to numbers of at least 0, or a sequence
in the order of `actions`, or None where nothing is known. They need not add up to 1; what a mapping leaves out has
none, and what it has for other actions than those of the state does not count. `value` is MAX's, on the scale of the
utility, or a tuple with one number for each player. So a network of any other library can guide the search. The
function is not compiled: the tree that it guides grows interpreted.

Silver et al., "Mastering the game of Go without human knowledge", Nature 550 (2017).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from plyforge.contract import CHANCE, Game, legal_moves
from plyforge.errors import BadRules
from plyforge.evaluate.base import Evaluation, FunctionEvaluation

LOOK_FOR = 100
"""Plies within which a state is looked for that a function can be tried on."""


@dataclass(frozen=True)
class PolicyFunction(Evaluation):
    """A function that gives (priors, value) for a state."""

    function: Callable[[Any], tuple[Any, Any]]

    def estimate(self, game: Any, s: Any) -> Any:
        return self.function(s)[1]

    def policy_value(self, game: Any, s: Any, priors: Any) -> Any:
        given, value = self.function(s)
        for number, prior in enumerate(_listed(game, s, given)):
            if not (math.isfinite(prior) and prior >= 0.0):
                raise BadRules(f"a prior is {prior!r}; it must be a number of at least 0")
            priors[number] = prior
        return value


def _listed(game: Any, s: Any, given: Any) -> list[float]:
    """Priors in the order of the actions."""
    actions = list(game.actions(s))
    if given is None:
        return [1.0] * len(actions)
    if isinstance(given, Mapping):
        return [float(given.get(action, 0.0)) for action in actions]
    if len(given) != len(actions):
        raise BadRules(f"there are {len(given)} priors for {len(actions)} actions: one is needed for each")
    return [float(prior) for prior in given]


def gives_priors(answer: Any) -> bool:
    """True for (priors, value). A tuple of payoffs begins with a number."""
    return (
        isinstance(answer, tuple)
        and len(answer) == 2
        and (answer[0] is None or isinstance(answer[0], Mapping) or hasattr(answer[0], "__len__"))
    )


def with_priors(evaluation: Evaluation, game: Game) -> Evaluation:
    """A function that gives (priors, value) as what it is; any other evaluation as it is. What a function gives is
    seen by asking it about one state of the game."""
    if not isinstance(evaluation, FunctionEvaluation):
        return evaluation
    try:
        s = game.start()
        for _ in range(LOOK_FOR):
            if game.terminal(s) or game.player(s) != CHANCE:
                break
            s = game.result(s, legal_moves(game, s)[0])
        answer = evaluation.function(s)
    except Exception:  # what is wrong is told where it is needed
        return evaluation
    return PolicyFunction(evaluation.function) if gives_priors(answer) else evaluation


__all__ = ["PolicyFunction", "gives_priors", "with_priors"]
