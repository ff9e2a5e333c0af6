"""What the path searches share: what they need of a game, and how their answers are put together.

They look for the path that is worth most: the utility of its end less what its actions cost. Inside, they count from
the other side, as the books do, and look for the least *total*: what a path has spent (g), and what is to go (h), which
in an end is by how much its utility stays below the highest. So an end is as good as its utility, a dead end is one
with a poor utility, and there is no second notion of a goal.

    f(n) = g(n) + h(n)        total = spent + to_go        value = highest - total
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from plyforge.contract import MAX, Game, defines
from plyforge.contract.naming import name_of, text_of
from plyforge.errors import BadLimits, NoPath, Unsuitable
from plyforge.evaluate import OwnEvaluation
from plyforge.kernel import MAX_PLY, inline
from plyforge.search.core.base import Search, replay
from plyforge.search.core.limits import Limits
from plyforge.search.core.requirements import ONE_PLAYER_NO_CHANCE, Needs
from plyforge.search.core.searcher import Asked
from plyforge.search.paths.result import PathResult
from plyforge.search.running.runner import blaming_the_rules, coerce

COMPLETE, UNPROVEN = "complete", "heuristic"
"""Why a search ended that has found a path to an end: nothing is better, or only as far as a heuristic can tell that
may say too much."""


@inline
def still_to_go(game, state):
    """h of any state; in an end, what its utility stays below the highest."""
    if game.terminal(state):
        return float(game.max_utility) - float(game.utility(state))
    return float(game.costs.h(game, state))


@dataclass(frozen=True)
class PathSearch(Search):
    """Base of the path searches."""

    anytime: ClassVar[bool] = True
    kind: ClassVar[str] = "paths"
    drawn: ClassVar[bool] = False
    needs: ClassVar[Needs] = ONE_PLAYER_NO_CHANCE
    takes_depth: ClassVar[bool] = False
    """True if the length of paths can be limited."""

    @classmethod
    def unsuited(cls, game: Game) -> str | None:
        if cls.needs.missing(game) is None and not defines(game.costs, "cost"):
            return "nothing costs anything in it"
        return cls.needs.missing(game)

    def answer(self, game: Game, asked: Asked, native: bool | None) -> PathResult:
        raise NotImplementedError

    def root(self, game: Game, state: Any, limits: Limits) -> Any:
        """The state to begin in, once everything is found to be in order."""
        self.needs.check(game, self.name)
        if not isinstance(self.evaluation, OwnEvaluation):
            raise Unsuitable(f"{self.name} takes no evaluate: what it goes by is the game's to_go(s)")
        if limits.depth not in (None, MAX_PLY) and not self.takes_depth:
            raise BadLimits(
                f"{self.name} takes no depth: it looks where it hopes for most, not ply by ply. Give nodes or seconds"
            )
        with blaming_the_rules():
            return coerce(game.start() if state is None else state)

    def result(
        self, game: Game, state: Any, indices: list[int], total: float, reason: str, **fields: Any
    ) -> PathResult:
        """The answer whose line is these actions, counted as the rules list them."""
        line = replay(game, state, indices)
        value = float(game.max_utility) - total
        action = line[0] if line else None
        return PathResult(
            action=action,
            value=value,
            values={action: value} if line and reason == COMPLETE else {},
            best=line[:1],
            line=line,
            depth=len(line),
            reason=reason,
            player=MAX,
            using=self.name,
            game=game,
            state=state,
            cost=cost_of(game, state, line),
            **fields,
        )

    def cannot_be_watched(self, watch: Any) -> None:
        if watch is not None:
            raise Unsuitable(f"{self.name} can't be watched: it walks no tree from the top. 'ida_star' can be")


def found_reason(game: Game) -> str:
    """Why a search ends that has found what it looked for."""
    return COMPLETE if game.costs.admissible else UNPROVEN


def cost_of(game: Game, state: Any, line: tuple[Any, ...]) -> float:
    """What a line of actions costs."""
    spent = 0.0
    for action in line:
        spent += float(game.costs.cost(game, state, action))
        state = game.result(state, action)
    return spent


def no_path(game: Game, state: Any, why: str) -> NoPath:
    return NoPath(f"{name_of(game)}: from {text_of(game, state)} no end can be reached: {why}")
