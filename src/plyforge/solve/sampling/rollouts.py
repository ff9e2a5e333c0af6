"""Rollouts as an analyst uses them: what is an action worth, with which error?

From each position to be compared the game is played on many times. Unlike the rollouts inside a Monte Carlo search the
players are not random: each takes the action after which the estimate is best, one ply deep. What the games bring on
average is what the position is worth between such players, and the error of the average is known. Where play is
followed for some plies only (`plies`), the estimate stands for the rest: quicker, less spread, and as biased as the
estimate is.

Two ways to make luck cancel:

- **Common dice.** Game number n has the same stream of chance in every position that is compared, so that differences
  between actions have less spread than their values. The first roll is taken from a sequence that fills [0, 1) evenly
  (multiples of the golden ratio), so that every first roll comes as often as it should.
- **Luck subtracted** (`adjust=True`). At every roll the estimates tell how lucky it was: what the best action after it
  looks worth, minus the average of that over all rolls. Luck is zero on average whatever the estimates are worth, so
  subtracting all of it changes no mean, and the better the estimates, the less is left of the spread (a control
  variate). It costs a look at all rolls at every roll, so it pays where there are few, or where estimates are good: the
  page of this algorithm has figures.

Claim: without `plies` each value is an unbiased estimate of what the position is worth between players who look one ply
ahead; the standard errors are those of independent games, and the even first rolls make them a little too large. The
same seed gives the same games, at both speeds.

Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search" (1996); for luck, Zinkevich and others,
"Optimal unbiased estimators for evaluating agent performance" (2006), and long before that the backgammon programs
Jellyfish, Snowie and GNU Backgammon.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyforge.contract import (
    CHANCE,
    MAX,
    Game,
    defines,
    drawn_payoffs,
    format_action,
    legal_moves,
    parse_action,
)
from plyforge.contract.naming import as_state, name_of, text_of
from plyforge.errors import BadLimits, Interrupted, PlyforgeError, Unsuitable
from plyforge.evaluate import Evaluation, as_evaluation
from plyforge.games import load
from plyforge.kernel import inline, kernel, mix, new_memory, new_stream, uniform
from plyforge.kernel.memory import PLAIN
from plyforge.search.core.requirements import TWO_PLAYERS
from plyforge.search.engine.steps.repetition import is_rule_draw
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress, coerce, exact_or_interpreted, run
from plyforge.search.running.speed import bind_for

GAMES = 1000
LONGEST = 10_000
"""Plies after which any game is cut off with an estimate: chance can make games endless."""
GOLDEN_PART = 0.6180339887498949
POLL_EVERY = 16
"""Plies between two looks at the stop flag."""


# ------------------------------------------------------------------ kernels
@inline
def worth(game, evaluation, s):
    """The utility, or an estimate of it; where the rules of play call it a draw, the middle of the bounds."""
    if game.terminal(s):
        return float(game.utility(s))
    if defines(game.history, "rule_draw") and is_rule_draw(game, s):
        return drawn_payoffs(game)[MAX]
    return float(evaluation.estimate(game, s))


@kernel
def best_next(game, evaluation, s):
    """The state after the action that looks best to whoever moves, and what it looks worth to MAX."""
    maximising = game.player(s) == MAX
    best, found = 0.0, s
    first = True
    for action in game.actions(s):
        after = game.result(s, action)
        value = worth(game, evaluation, after)
        if first or (value > best if maximising else value < best):
            best, found, first = value, after, False
    return found, best


@kernel
def looks_worth(game, evaluation, s):
    """What a state looks worth one ply ahead: where somebody chooses, the best of what the actions lead to."""
    if game.terminal(s) or game.player(s) == CHANCE:
        return worth(game, evaluation, s)
    _, value = best_next(game, evaluation, s)
    return value


@kernel
def luck_of(game, evaluation, s, after):
    """What a roll looks worth beyond the average of all rolls."""
    average = 0.0
    for outcome, probability in game.chance(s):
        average += probability * looks_worth(game, evaluation, game.result(s, outcome))
    return looks_worth(game, evaluation, after) - average


@kernel
def play_games(game, evaluation, memory, stream, state, first, games, plies, adjust, seed, values, lucks):
    """Games number `first` and on from `state`: what each brought to MAX, and how much of that was luck."""
    for number in range(games):
        stream.state = mix(seed, first + number)
        even = (first + number + 0.5) * GOLDEN_PART
        even -= math.floor(even)
        s, luck, ply, rolled = state, 0.0, 0, False
        while not game.terminal(s) and ply < plies:
            if defines(game.history, "rule_draw") and ply > 0 and is_rule_draw(game, s):
                break
            if game.player(s) == CHANCE:
                left = uniform(stream) if rolled else even
                rolled = True
                after = s
                for outcome, probability in game.chance(s):
                    after = game.result(s, outcome)
                    left -= probability
                    if left < 0.0:
                        break
                if adjust:
                    luck += luck_of(game, evaluation, s, after)
                s = after
            else:
                s, _ = best_next(game, evaluation, s)
            ply += 1
            if ply % POLL_EVERY == 0 and memory.stop != 0:
                return number
        memory.nodes += ply
        values[number] = worth(game, evaluation, s)
        lucks[number] = luck
        if memory.stop != 0:
            return number + 1
    return games


# ------------------------------------------------------------------ the public face
@dataclass(frozen=True)
class RolledOut:
    """What the games from one position brought."""

    action: Any
    """The action that leads there; None for the position itself."""
    estimate: float
    """What the position looked worth before any game."""
    values: np.ndarray = field(repr=False)
    """What each game brought to MAX, luck subtracted where that was asked for."""
    unadjusted: np.ndarray = field(repr=False)
    """The same with luck left in."""

    @property
    def games(self) -> int:
        return len(self.values)

    @property
    def value(self) -> float:
        """The average, to MAX."""
        return float(self.values.mean())

    @property
    def error(self) -> float:
        """The standard error of the average."""
        return _error(self.values)

    @property
    def unadjusted_error(self) -> float:
        """What the standard error would be with luck left in."""
        return _error(self.unadjusted)


@dataclass(frozen=True)
class Rollouts:
    """All positions that were compared, the best for whoever chooses first."""

    game: Game
    state: Any
    entries: tuple[RolledOut, ...]
    plies: int | None
    """After so many plies an estimate stands for the rest; None: games were played to their ends."""
    adjusted: bool
    """True if luck was subtracted."""
    seconds: float
    native: bool
    player: int = MAX
    """Whose values they are."""
    unplayed: int = 0
    """How many positions had not been rolled out to the last game when Ctrl-C ended it."""

    @property
    def action(self) -> Any:
        """The best action; None where nobody chooses."""
        return self.entries[0].action

    @property
    def value(self) -> float:
        return self.entries[0].value

    @property
    def error(self) -> float:
        return self.entries[0].error

    def difference(self, place: int) -> tuple[float, float]:
        """By how much an entry is worse than the first, to whoever chooses, and the standard error of that: game by
        game, with the same dice."""
        first, other = self.entries[0].values, self.entries[place].values
        common = min(len(first), len(other))  # the last position may have had fewer games when it was stopped
        apart = first[:common] - other[:common]
        sign = 1.0 if self._maximising else -1.0
        return sign * float(apart.mean()), _error(apart)

    @property
    def _maximising(self) -> bool:
        return self.game.player(self.state) != 1

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON values, actions as text."""
        rows = []
        for place, entry in enumerate(self.entries):
            worse, error = self.difference(place)
            rows.append(
                {
                    "action": None if entry.action is None else format_action(self.game, self.state, entry.action),
                    "value": entry.value,
                    "error": entry.error,
                    "unadjusted_error": entry.unadjusted_error,
                    "estimate": entry.estimate,
                    "worse_by": worse,
                    "worse_by_error": error,
                    "games": entry.games,
                }
            )
        return {
            "state": text_of(self.game, self.state),
            "entries": rows,
            "plies": self.plies,
            "adjusted": self.adjusted,
            "seconds": self.seconds,
            "player": self.player,
            "native": self.native,
            "unplayed": self.unplayed,
        }

    def __str__(self) -> str:
        lines = []
        for entry in self.entries:
            name = "as it is" if entry.action is None else format_action(self.game, self.state, entry.action)
            lines.append(f"{name}: {entry.value:+.4f} +- {entry.error:.4f}")
        return "\n".join(lines)


@exact_or_interpreted
def rollouts(
    game: Game | str,
    state: Any = None,
    *,
    games: int = GAMES,
    plies: int | None = None,
    actions: Sequence[Any] | int | None = None,
    adjust: bool = False,
    evaluate: Any = None,
    seed: int = 1,
    native: bool | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    control: Control | None = None,
    workers: int | None = None,
    where: str | Sequence[str] = (),
) -> Rollouts:
    """Roll out the actions of `state`: a state, its text, or None for the start; where nobody chooses, the state
    itself.

    `actions` are those to compare: a list of them or of their texts, or how many of those that look best; None: all.
    `games` are played from each, to the end or for `plies` plies; `adjust` subtracts luck. `evaluate` is what players
    go by, the game's own evaluation if None.

    So many `workers`, or those at the places `where` (as `--on` has them), play the same games as this process would
    alone, in blocks (`rollout_orders.py`). Ctrl-C raises Interrupted, a KeyboardInterrupt with what was played until
    then as `found`.
    """
    game = load(game)
    TWO_PLAYERS.check(game, "a rollout")
    for name, number in (("games", games), ("plies", plies)):
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
            raise BadLimits(f"{name} is {number!r}; it must be a whole number of at least 1")
    if games < 2:
        raise BadLimits("an error can't be told from one game: play at least 2")
    root = coerce(as_state(game, state))
    if game.terminal(root):
        raise PlyforgeError(f"the game is over in {text_of(game, root)}: there is nothing to roll out")
    evaluation = as_evaluation(evaluate)
    chosen = _choose(game, evaluation, root, actions)
    longest = LONGEST if plies is None else plies
    how = HowToPlay(longest, adjust, seed, native)
    began = time.perf_counter()
    entries: list[RolledOut] = []
    positions = [root if action is None else coerce(game.result(root, action)) for action in chosen]
    estimates = [float(worth.function(game, evaluation, position)) for position in positions]
    over = [
        action is not None
        and (game.terminal(after) or (defines(game.history, "rule_draw") and game.history.rule_draw(game, after)))
        for action, after in zip(chosen, positions, strict=True)
    ]
    values, lucks = np.full((len(chosen), games), np.nan), np.zeros((len(chosen), games))
    left = [place for place in range(len(chosen)) if not over[place]]
    player = BlockPlayer(game, evaluation, root, how, control)
    stopped = False
    try:
        if workers not in (None, 1) or where:
            if evaluate is not None:
                raise Unsuitable("workers know the game's own evaluation only: leave out evaluate, or workers")
            from plyforge.solve.sampling.rollout_orders import rolled_out_by_workers

            texts = [None if action is None else format_action(game, root, action) for action in chosen]
            rolled_out_by_workers(game, root, texts, how, left, values, lucks, workers, where, on_progress)
        for place in left:
            if np.isnan(values[place, -1]):
                player.play(positions[place], 0, values[place], lucks[place], on_progress)
    except KeyboardInterrupt:
        stopped = True
    unplayed = 0
    for place, action in enumerate(chosen):
        if over[place]:
            sure = np.full(games, estimates[place])
            entries.append(RolledOut(action, estimates[place], sure, sure))
            continue
        missing = np.flatnonzero(np.isnan(values[place]))
        number = int(missing[0]) if len(missing) else games
        unplayed += number < games
        if number > 1:
            adjusted = values[place] - lucks[place] if adjust else values[place]
            entries.append(RolledOut(action, estimates[place], adjusted[:number].copy(), values[place, :number].copy()))
    if stopped and not entries:
        raise KeyboardInterrupt
    entries.sort(key=lambda entry: -entry.value if game.player(root) != 1 else entry.value)
    seconds = time.perf_counter() - began
    found = Rollouts(game, root, tuple(entries), plies, adjust, seconds, player.is_native, unplayed=unplayed)
    if stopped:
        raise Interrupted(found)
    return found


@dataclass(frozen=True)
class HowToPlay:
    """What all games of a rollout have in common."""

    plies: int
    """After so many an estimate stands for the rest."""
    adjust: bool
    """Luck is subtracted."""
    seed: int
    native: bool | None


class BlockPlayer:
    """Plays games number so and so from a position."""

    def __init__(self, game: Game, evaluation: Any, root: Any, how: HowToPlay, control: Control | None = None) -> None:
        self._game, self._evaluation, self._how, self._control = game, evaluation, how, control
        self._stream, self._seed = new_stream(how.seed), np.uint64(int(mix(how.seed, 1)))
        some = np.zeros(1)
        arguments = self._arguments(PLAIN, root, 0, some, some)
        self._bound = bind_for(game, play_games, *arguments, native=how.native, control=control)
        self._memory = new_memory(1, None, self._bound.compiled)
        self.is_native = self._bound.is_native

    def _arguments(self, memory: Any, position: Any, first: int, values: Any, lucks: Any) -> tuple[Any, ...]:
        how = self._how
        fixed = (self._game, self._evaluation, memory, self._stream, position, first, len(values), how.plies)
        return (*fixed, how.adjust, self._seed, values, lucks)

    def play(
        self,
        position: Any,
        first: int,
        values: np.ndarray,
        lucks: np.ndarray,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        """As many games as there is room for, from number `first` on. Raises PlyforgeError if they were stopped."""
        arguments = self._arguments(self._memory, position, first, values, lucks)
        number = run(self._bound.function, arguments, self._memory, None, on_progress, None, self._control)
        if self._memory.stop:
            raise PlyforgeError(f"the rollout was stopped after {number} of {len(values)} games of an action")


def _choose(game: Game, evaluation: Evaluation, root: Any, actions: Sequence[Any] | int | None) -> list[Any]:
    """The actions to roll out; [None] where nobody chooses."""
    if game.player(root) == CHANCE:
        if actions is not None and not isinstance(actions, int):
            raise PlyforgeError(f"chance moves in {text_of(game, root)}: it is rolled out as it is, without actions")
        return [None]
    legal = legal_moves(game, root)
    if actions is None:
        return legal
    if isinstance(actions, int):
        if isinstance(actions, bool) or actions < 1:
            raise BadLimits(f"actions is {actions!r}; it must be a list of actions, or how many, at least 1")
        sign = 1.0 if game.player(root) == MAX else -1.0
        looks = {a: sign * float(worth.function(game, evaluation, game.result(root, a))) for a in legal}
        best = sorted(legal, key=lambda action: -looks[action])[:actions]
        return [action for action in legal if action in best]
    chosen = []
    for action in actions:
        found = parse_action(game, root, action) if isinstance(action, str) else action
        if found not in legal:
            raise PlyforgeError(f"{action!r} is not an action of {name_of(game)} in {text_of(game, root)}")
        if found not in chosen:
            chosen.append(found)
    if not chosen:
        raise BadLimits("there are no actions to roll out")
    return chosen


def _error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values)))


__all__ = ["RolledOut", "Rollouts", "rollouts"]
