"""What a search may know of a game: move ordering, tactical moves, bounds, symmetries, a null move ... Compiled.

Nothing here changes what the game is. A hook that is not defined means that nothing is known, and costs nothing; one
that is wrong makes answers wrong, so each has a law that `plyforge check` holds it to. Estimates are on the scale of
`evaluate`.

    what to look at first         ordering, move_class
    what to look at at all        sufficient_actions, symmetries, bounds, plies_left, solve_endgame, by_distance
    where to stop looking         tactical_actions, captured_value, in_check       (quiescence search, check extension)
    where to look less deep       selective, margin_unit, null_move, see_loss, pawn_key      (selective search)
    how to play a game out        rollout                                          (Monte Carlo)
    what others' actions show     plausible                                        (hidden information)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from plyforge.contract.companions.companion import Action, Companion, Key, State, defines
from plyforge.kernel import MAX_PLY, hash_state
from plyforge.kernel.function import known_while_compiling

TACTICAL = 2.0
"""The ordering score from which on an action is tactical, where the rules don't say it otherwise."""


class Heuristics(Companion):
    """What a search may know of a game."""

    python_only = ("by_distance",)

    selective: bool = False
    """True: searches may look less deep where actions look poor, deeper where there is no choice. Depth is no
    promise then."""
    margin_unit: float = 0.0
    """The unit of pruning margins, in chess a pawn: by how much a quiet action seldom changes the estimate. 0:
    unknown."""
    perft_counts_finished: bool = False
    """Perft only: True if the published counts of this game count a game that ended earlier as one sequence, not as
    none."""
    ends_when_stuck: bool = False
    """True: a state is terminal exactly if it has no action. `actions` and `count` may then be asked anywhere, and
    `terminal`, if it is the dearer one, not at all."""
    key_ignores: tuple[str, ...] = ()
    """Fields of the state that `key` doesn't tell: neither actions nor values depend on them."""

    # ------------------------------------------------------------ move ordering
    def ordering(self, game: Any, s: State, action: Action) -> float:
        """The ordering score: how early `action` is searched. Never negative; a quiet action has 1, the default.

        Actions that look bad have less than a half, so that a selective search spends less on them.
        """
        return 1.0

    def is_tactical(self, game: Any, s: State, action: Action) -> bool:
        """The tactical class: a capture, a promotion, what changes much at once. A selective search neither reduces nor
        prunes it as it does quiet actions. By default an action with an ordering score of at least 2."""
        return bool(self.ordering(game, s, action) >= TACTICAL)

    def prior(self, game: Any, s: State, action: Action) -> float:
        """The prior: how likely `action` is the best, before it is searched, for Monte Carlo trees and rollouts. Never
        negative; only ratios matter. By default the ordering score."""
        return self.ordering(game, s, action)

    def move_class(self, game: Any, s: State, action: Action) -> int:
        """What kind of action it is, from 0 to 511, for continuation history. In chess: the piece and the square it
        goes to."""
        return int(hash_state(action) & np.uint64(511))

    # ------------------------------------------------------------ what need not be looked at
    def sufficient_actions(self, game: Any, s: State) -> Iterable[Action]:
        """Actions among which a best one is sure to be, at least one. The others are not searched, except at the
        root."""
        for action in game.actions(s):
            yield action

    def symmetries(self, game: Any, s: State) -> Iterable[State]:
        """States with the same value as `s`, for the same player to move: its mirror images. All of them, or none."""
        yield s

    def bounds(self, game: Any, s: State) -> tuple[float, float]:
        """Proven limits: what `s`, which is not terminal, is worth to MAX at least and at most. Searches cut with
        them."""
        return (float(game.min_utility), float(game.max_utility))

    def bounds_near(self, game: Any, s: State, alpha: float, beta: float) -> tuple[float, float]:
        """`bounds` for a search that asks only whether the value is above alpha and below beta: what can't tell
        needn't be computed."""
        return game.heuristics.bounds(game, s)

    def plies_left(self, game: Any, s: State) -> int:
        """How many plies the game can still last at most. Solving is faster where this is known."""
        return MAX_PLY

    def endgame_is_near(self, game: Any, s: State) -> bool:
        """True if the end is so near that `solve_endgame` is to be used. Not asked in terminal states."""
        return False

    def solve_endgame(self, game: Any, s: State, alpha: float, beta: float, tally: Any) -> float:
        """A search of the rules' own for the end of the game. The value to MAX: exact if it is between alpha and
        beta; what is at most alpha is an upper bound, at least beta a lower one. The states that it looks at are
        added to `tally.nodes`."""
        raise NotImplementedError(f"{type(self).__name__} has no solve_endgame(game, s, alpha, beta, tally)")

    def by_distance(self, game: Any) -> Any:
        """The same game with utilities that also tell how soon it ends: the same states, players, actions and ends;
        None: there is none.

        Its ends are in the order of this game's; of those that are worth the same here, one side's sooner wins are
        worth more to that side, and draws are worth the same. Where nothing but a proof is asked for, the engine then
        solves that game in place of this one. Give the same object each time: what was compiled is found by it.
        """
        return None

    # ------------------------------------------------------------ quiescence search
    def tactical_actions(self, game: Any, s: State) -> Iterable[Action]:
        """The actions that quiescence search still follows at the depth limit, until the position is quiet."""
        for action in game.actions(s):
            if s is None:
                yield action

    def captured_value(self, game: Any, s: State, action: Action) -> float:
        """What `action` can win for its mover at once, at the most. Delta pruning leaves out what wins too little to
        matter."""
        return float(game.max_utility - game.min_utility)

    def in_check(self, game: Any, s: State) -> bool:
        """True if the mover has to answer a threat, as in check: there is no standing pat, `tactical_actions` gives
        every action, and a selective search looks one ply deeper (check extension)."""
        return False

    # ------------------------------------------------------------ selective search
    def null_move(self, game: Any, s: State) -> State:
        """`s` as if the mover had passed: rules that have this say that passing is never better than the best
        action."""
        return s

    def null_move_allowed(self, game: Any, s: State) -> bool:
        """The zugzwang guard. False where passing could be better than any action after all, or would break the
        rules."""
        return True

    def see_loss(self, game: Any, s: State, action: Action) -> float:
        """Static exchange evaluation: what `action` loses for its mover at once if it is answered well, at least 0."""
        return 0.0

    def pawn_key(self, game: Any, s: State) -> Key:
        """A 64-bit hash of what lasts in `s`, as in chess the pawns: correction history learns by how much estimates
        err with it."""
        return np.uint64(0)

    # ------------------------------------------------------------ several players, and Monte Carlo
    def with_turn(self, game: Any, s: State, player: int) -> State:
        """`s`, which is not terminal, as if it were the turn of `player`: whoever is between has passed. For
        best-reply search."""
        return s

    def rollout(self, game: Any, s: State, stream: Any, skilled: bool, log: Any, memory: Any, most_plies: int) -> Any:
        """Play on at random from `s`, which is not terminal, and return the utility at the end; after `most_plies`, an
        estimate of it.

        Who moves how is up to the rules: simply, or with `skilled` as well as they can without search. All that is
        random comes from `stream`; arrays to play on come from `kernel/storage/scratch.py`. For each action whose
        place in the game matters to searches that learn from rollouts, `log.note(memory, player, action)` is called.
        """
        raise NotImplementedError(
            f"{type(self).__name__} has no rollout(game, s, stream, skilled, log, memory, most_plies)"
        )

    # ------------------------------------------------------------ hidden information
    def plausible(self, game: Any, s: State, player: int) -> float:
        """How well a determinized state fits what the others did before `player` was asked, from 0 to 1: with which
        probability it is kept. By default 1, so worlds are as likely as chance makes them."""
        return 1.0


@known_while_compiling
def knows_priors(game: Any) -> bool:
    """True if the rules know which actions are likely to be good: by `prior`, or by `ordering`."""
    return defines(game.heuristics, "prior") or defines(game.heuristics, "ordering")


@known_while_compiling
def knows_bounds(game: Any) -> bool:
    """True if the rules know bounds of what a state is worth."""
    return defines(game.heuristics, "bounds") or defines(game.heuristics, "bounds_near")


@known_while_compiling
def sees_ahead(game: Any) -> bool:
    """True if the rules know values before the end of the game: how far away that is, searches then don't see."""
    hints = game.heuristics
    return knows_bounds(game) or defines(hints, "sufficient_actions") or defines(hints, "solve_endgame")


__all__ = ["TACTICAL", "Heuristics", "knows_bounds", "knows_priors", "sees_ahead"]
