"""Rollouts: play on at random to the end of the game, and see who wins.

The cheapest opinion there is: it needs nothing but the rules. A rollout is cut off after `rollout_depth` plies with an
estimate; where none is asked for, after ROLLOUT_BOUND plies, so that a game which chance can make endless does not hang
a search. Where the rules of play call a state a draw (`rule_draw`), it is one. Several rollouts of one state are
averaged.

`DecisiveRollout` is neither: who can win does.

Claim: with `RandomRollout` and `SampledRollout` every action of a state is equally likely, with `PriorRollout` an
action is as likely as its share of the state's promise; chance outcomes have the probabilities of the rules.
`OwnRollout` leaves all of that to the rules. The same stream of random numbers gives the same rollout, interpreted and
compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyforge.contract import defines, drawn_payoffs, payoffs
from plyforge.kernel import Constant, below, inline, kernel, uniform
from plyforge.kernel.storage.buffer import get, new_actions
from plyforge.kernel.storage.fill import fill_actions
from plyforge.search.engine.steps.repetition import is_rule_draw
from plyforge.search.mcts.backup import best_possible
from plyforge.search.mcts.tree.arena import STUCK

ROLLOUT_BOUND = 10_000
"""Plies after which any rollout is cut off."""
POLL_EVERY = 64
"""Plies of a rollout between two looks at the stop flag."""


@inline
def add_draw(game: Any, memory: Any) -> None:
    """One of the rollouts has ended in a draw."""
    everyone = drawn_payoffs(game)
    for player in range(game.players):
        memory.outcome[player] += everyone[player] / memory.rollouts


@kernel
def ask_value(evaluation: Any, game: Any, memory: Any, s: Any) -> None:
    """Put what the evaluation says about `s` into `memory.judged`."""
    memory.estimates += 1
    estimate = payoffs(game, evaluation.estimate(game, s))
    for player in range(game.players):
        memory.judged[player] = estimate[player]


@dataclass(frozen=True)
class Rollout(Constant):
    """What players do in a rollout."""

    def begin(self, memory: Any) -> None:
        """A simulation begins."""

    def note(self, memory: Any, player: int, action: Any) -> None:
        """An action was taken in the tree."""

    def learn(self, memory: Any) -> None:
        """A simulation is over; its outcome is in the memory."""

    def step(self, game: Any, selection: Any, memory: Any, stream: Any, s: Any) -> Any:
        """The state after a random action of whoever moves in `s`."""
        raise NotImplementedError(f"{type(self).__name__} has no step")

    def play(self, game: Any, dice: Any, evaluation: Any, selection: Any, memory: Any, stream: Any, s: Any) -> None:
        """Add what one rollout brings each player to `memory.outcome`, as one of `memory.rollouts`; `s` is not
        terminal."""
        share = 1.0 / memory.rollouts
        ply = 0
        while ply == 0 or not game.terminal(s):
            if defines(game.history, "rule_draw") and is_rule_draw(game, s):
                add_draw(game, memory)
                return
            if ply >= memory.rollout_depth:
                ask_value(evaluation, game, memory, s)
                for player in range(game.players):
                    memory.outcome[player] += share * memory.judged[player]
                return
            if ply % POLL_EVERY == 0 and memory.stop != 0:
                return
            if dice.moves(game.player(s)):
                s, _ = dice.roll(game, stream, s)
            else:
                s = self.step(game, selection, memory, stream, s)
                if memory.stop == STUCK:
                    return
            ply += 1
        utility = payoffs(game, game.utility(s))
        for player in range(game.players):
            memory.outcome[player] += share * utility[player]


@dataclass(frozen=True)
class RandomRollout(Rollout):
    """All actions equally likely. They are listed once, and one is taken from the list; twice where there is no room
    for so many."""

    def step(self, game: Any, selection: Any, memory: Any, stream: Any, s: Any) -> Any:
        buffer = new_actions(game, s)
        listed = fill_actions(game, s, buffer)
        number = listed if listed >= 0 else game.count(s)
        left = below(stream, number)
        if number == 0:
            memory.stop = STUCK
            return s
        if listed >= 0:
            chosen = get(buffer, left)
        else:
            for action in game.actions(s):
                chosen = action
                if left == 0:
                    break
                left -= 1
        selection.note(memory, game.player(s), chosen)
        return game.result(s, chosen)


@dataclass(frozen=True)
class DecisiveRollout(RandomRollout):
    """The same, but whoever can win with one action does: fewer rollouts, which say more. Teytaud and Teytaud, "On
    the huge benefit of decisive moves in Monte-Carlo tree search algorithms", CIG 2010."""

    def step(self, game: Any, selection: Any, memory: Any, stream: Any, s: Any) -> Any:
        number = game.count(s)
        left = below(stream, number)
        if number == 0:
            memory.stop = STUCK
            return s
        mover = game.player(s)
        bound = best_possible(game, memory, mover)
        for action in game.actions(s):
            if left == 0:
                chosen = action
            left -= 1
            after = game.result(s, action)
            if game.terminal(after) and payoffs(game, game.utility(after))[mover] >= bound:
                chosen = action
                break
        selection.note(memory, mover, chosen)
        return game.result(s, chosen)


@dataclass(frozen=True)
class SampledRollout(Rollout):
    """All actions equally likely, drawn by the rules' own `sample`."""

    def step(self, game: Any, selection: Any, memory: Any, stream: Any, s: Any) -> Any:
        chosen = game.sample(s, stream)
        selection.note(memory, game.player(s), chosen)
        return game.result(s, chosen)


@dataclass(frozen=True)
class PriorRollout(Rollout):
    """Actions as likely as they are promising."""

    def step(self, game: Any, selection: Any, memory: Any, stream: Any, s: Any) -> Any:
        total, number = 0.0, 0
        for action in game.actions(s):
            total += max(0.0, float(game.heuristics.prior(game, s, action)))
            number += 1
        left = uniform(stream)
        if number == 0:
            memory.stop = STUCK
            return s
        # Where nothing is promising, everything is equally likely.
        for action in game.actions(s):
            if total > 0.0:
                left -= max(0.0, float(game.heuristics.prior(game, s, action))) / total
            else:
                left -= 1.0 / number
            if left < 0.0:
                break
        selection.note(memory, game.player(s), action)
        return game.result(s, action)


@dataclass(frozen=True)
class OwnRollout(Rollout):
    """The rules' own way to play on, `rollout`: simply, or with skill. For whole games: nobody asks the evaluation."""

    skilled: bool = False

    def play(self, game: Any, dice: Any, evaluation: Any, selection: Any, memory: Any, stream: Any, s: Any) -> None:
        found = game.heuristics.rollout(game, s, stream, self.skilled, selection, memory, memory.rollout_depth)
        utility = payoffs(game, found)
        for player in range(game.players):
            memory.outcome[player] += utility[player] / memory.rollouts


@kernel
def roll_out(
    game: Any, dice: Any, evaluation: Any, rollout: Any, selection: Any, memory: Any, stream: Any, s: Any
) -> None:
    """One rollout from `s`, which is not terminal."""
    rollout.play(game, dice, evaluation, selection, memory, stream, s)
