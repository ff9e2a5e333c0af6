"""How soon does it end? Where searches are selective, the first proof of a win need not be the shortest, and that of a
loss names a defence that need not be the longest.

Here everything is looked at, one ply deeper each time, with one question: is the game decided within so many plies? The
window has no inside, right at the value that is proven; nothing beyond the depth is followed, and the table is one of
its own, since what a selective search has left in the other one holds for its depths alone.

    the mover wins:    the first depth that proves it has the shortest win
    the mover loses:   as long as some action escapes within the depth, that one holds out longer

From the end that is found the same question, asked again after every ply, gives the line that leads there.

Claim: with `found` it never says less than was known; if a limit comes first, what was known is kept, or a part of the
way there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from plyforge.contract import MAX, Game
from plyforge.search.core.limits import tie_window
from plyforge.search.engine.result import EngineResult

if TYPE_CHECKING:
    from plyforge.search.engine.thinking.answers import Answers

TABLE_MIB = 4.0
LEAST_NODES = 50_000
"""At most as much again is spent on it as on the proof, and at least so many nodes are."""


class End(NamedTuple):
    """How the game goes on, and after how many plies it ends; None if that is not proven."""

    line: tuple[Any, ...]
    plies: int | None


def nearest_end(found: EngineResult, thinking: Answers, wins: bool, plies: int) -> EngineResult:
    """`found`, or the same with an end within `plies` that is nearer, or with a defence that is longer. `thinking`
    looks at everything, and knows its limits."""
    line, nearest = end_within(thinking, wins, plies, found.line)
    if nearest is not None:
        value, ends = decided(thinking.game, thinking.state, wins), found.ends_in | {line[0]: nearest}
        found = replace(found, value=value, proven=True, reason="complete", ends_in=ends)
        return found.led_by(line, nearest)
    return found if wins or line[:1] == found.line[:1] else found.led_by(line[:1])


def end_within(thinking: Answers, wins: bool, plies: int, escape: tuple[Any, ...] = ()) -> End:
    """The shortest win of whoever moves, or the longest defence, if the end is within so many plies; if not, the
    defence that has escaped so far, at first `escape`."""
    game, state = thinking.game, thinking.state
    value = decided(game, state, wins)
    window = tie_window(value, wins == (game.player(state) == MAX))
    allowed = thinking.allowed_actions()
    for depth in range(1, plies + 1):
        seen = thinking.run(depth, allowed, *window)
        if seen is None:
            break
        now = thinking.read(seen)
        line = thinking.actions_of(now.line)
        if seen == value and now.proven:
            return End(line if wins or not escape else escape, depth)
        if not wins and line:
            escape = line
    return End(escape, None)


def played_out(
    found: EngineResult, history: Sequence[Any], think: Callable[[Any, Sequence[Any]], Answers]
) -> EngineResult:
    """A proven end, with the line that leads there: of the winner's actions the quickest, of the other's the ones
    that hold out longest. `think` looks at everything from a state."""
    game, state, left = found.game, found.state, found.distance
    if game is None or left is None or not found.line:
        return found
    line, past = found.line[:1], [*history, state]
    state, left = game.result(state, line[0]), left - 1
    while left > 0 and not game.terminal(state):
        wins = (found.value == game.max_utility) == (game.player(state) == MAX)
        steps, plies = end_within(think(state, past), wins, left)
        if plies is None or not steps:
            break
        past.append(state)
        line, state, left = (*line, steps[0]), game.result(state, steps[0]), plies - 1
    return found.led_by(line, found.distance) if len(line) > len(found.line) else found


def decided(game: Game, state: Any, wins: bool) -> float:
    """What the game is worth if whoever moves wins, or loses."""
    return float(game.max_utility if wins == (game.player(state) == MAX) else game.min_utility)
