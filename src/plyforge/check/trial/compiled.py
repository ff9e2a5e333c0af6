"""The same questions, asked of the rules at both speeds.

Two kernels ask a game everything about one state and leave digests of the answers behind: `answer` what every game has,
`answer_hooks` what rules may add for strength and for play. They are run interpreted and compiled on the same states:
any difference is a broken law. Whole numbers and states are compared exactly, by hash; utilities, estimates and
probabilities to within rounding.

Two kernels, because a hook that does not compile is no reason to run everything interpreted: then only the first one is
compared. Not asked: `rollout` and `solve_endgame`, which are searches of the rules' own and take as long as they take.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyforge.check.rules import overrides
from plyforge.contract import CHANCE, PUBLIC, SIMULTANEOUS, Game, knows_bounds, payoffs
from plyforge.errors import CannotCompile, TooLittleRoom
from plyforge.kernel import Kernel, bind, hash_state, inline, kernel, mix, new_stream, word
from plyforge.kernel.entry import coerce
from plyforge.kernel.function import when_compiling, where

WHOLE = ("terminal", "player", "count", "heuristics.plies_left")
HASHED = (
    "key",
    "actions",
    "result",
    "heuristics.sufficient_actions",
    "heuristics.symmetries",
    "heuristics.null_move",
    "heuristics.tactical_actions",
    "legal_actions",
    "heuristics.with_turn",
    "observe",
)
REAL = (
    "utility",
    "evaluate",
    "chance",
    "heuristics.ordering",
    "heuristics.bounds",
    "costs.h",
    "costs.cost",
    "rewards",
    "heuristics.prior",
    "heuristics.is_tactical",
)
BASIC = (WHOLE, HASHED, REAL)

MORE_WHOLE = (
    "heuristics.in_check",
    "heuristics.null_move_allowed",
    "history.rule_draw",
    "history.reversible_plies",
    "encoding.perspective",
    "heuristics.endgame_is_near",
    "tablebase.slice_of",
    "tablebase.index",
)
MORE_HASHED = (
    "heuristics.pawn_key",
    "sample",
    "heuristics.move_class",
    "encoding.inputs",
    "history.superko_key",
    "determinize",
)
MORE_REAL = (
    "encoding.features",
    "encoding.phase",
    "encoding.inputs",
    "heuristics.captured_value",
    "heuristics.see_loss",
    "heuristics.bounds_near",
    "heuristics.plausible",
)
MORE = (MORE_WHOLE, MORE_HASHED, MORE_REAL)
SEED = 7
"""Of the numbers that `sample` and `determinize` draw."""


def weigh(values: Any) -> Any:
    """One number that changes if the numbers of a tuple change, or trade places."""
    total = 0.0
    for index in range(len(values)):
        total += (index + 1) * values[index]
    return total


@when_compiling
def _natively() -> None:
    """The same without a loop: the numbers of a compiled tuple may be of different types."""
    from numba.extending import overload

    def add(total, place, values):
        """Only a name to overload."""

    @overload(add)
    def _add(total, place, values):
        if len(values) == 0:
            return lambda total, place, values: total
        if len(values) < 4:
            return lambda total, place, values: add(total + place * values[0], place + 1, values[1:])

        def four(total, place, values):
            total += place * values[0]
            total += (place + 1) * values[1]
            total += (place + 2) * values[2]
            total += (place + 3) * values[3]
            return add(total, place + 4, values[4:])

        return four

    @overload(weigh)
    def _weigh(values):
        return lambda values: add(0.0, 1, values)


# ------------------------------------------------------------ where the rules have nothing to say
@inline
def no_hash(game, state):
    return np.uint64(0)


@inline
def no_number(game, state):
    return 0.0


@inline
def no_whole(game, state):
    return 0


@inline
def no_number_of_action(game, state, action):
    return 0.0


@inline
def no_hash_of_action(game, state, action):
    return np.uint64(0)


@inline
def nothing_told(game, whole, state):
    return 0


@inline
def no_inputs(game, hashed, real, state):
    return 0


# ------------------------------------------------------------ what every search may ask
@where("heuristics.sufficient_actions", otherwise=no_hash)
def hash_candidates(game, state):
    digest = np.uint64(0)
    for action in game.heuristics.sufficient_actions(game, state):
        digest = mix(digest, hash_state(action))
    return digest


@where("heuristics.symmetries", otherwise=no_hash)
def hash_symmetries(game, state):
    digest = np.uint64(0)
    for image in game.heuristics.symmetries(game, state):
        digest = mix(digest, hash_state(image))
    return digest


@where("heuristics.null_move", otherwise=no_hash)
def hash_passed(game, state):
    return hash_state(game.heuristics.null_move(game, state))


@where("heuristics.tactical_actions", otherwise=no_hash)
def hash_noisy(game, state):
    digest = np.uint64(0)
    for action in game.heuristics.tactical_actions(game, state):
        digest = mix(digest, hash_state(action))
    return digest


@where("legal_actions", otherwise=no_hash)
def hash_choices(game, state):
    digest = np.uint64(0)
    if game.player(state) == SIMULTANEOUS:
        for player in range(game.players):
            for choice in game.legal_actions(state, player):
                digest = mix(digest, hash_state(choice))
    return digest


@where("has_rewards", otherwise=no_number_of_action)
def weigh_rewards(game, state, action):
    return weigh(game.rewards(state, action))


@where("heuristics.with_turn", otherwise=no_hash)
def hash_turns(game, state):
    digest = np.uint64(0)
    for player in range(game.players):
        digest = mix(digest, hash_state(game.heuristics.with_turn(game, state, player)))
    return digest


@where("hidden_information", otherwise=no_hash)
def hash_observations(game, state):
    digest = hash_state(game.observe(state, PUBLIC))
    for player in range(game.players):
        digest = mix(digest, hash_state(game.observe(state, player)))
    return digest


@where(knows_bounds, otherwise=no_number)
def weigh_bounds(game, state):
    return weigh(game.heuristics.bounds(game, state))


@kernel
def answer(game, whole, hashed, real, state):
    """Ask everything about a state; the names above say which answer goes where."""
    hashed[0] = mix(hashed[0], game.key(state))
    hashed[4] = hash_symmetries(game, state)
    hashed[9] = hash_observations(game, state)
    if game.terminal(state):
        whole[0] = 1
        real[0] = weigh(payoffs(game, game.utility(state)))
        return
    whole[1] = game.player(state)
    real[1] = weigh(payoffs(game, game.evaluate(state)))
    if game.player(state) == CHANCE:
        weight = 1.0
        for outcome, probability in game.chance(state):
            hashed[1] = mix(hashed[1], hash_state(outcome))
            hashed[2] = mix(hashed[2], hash_state(game.result(state, outcome)))
            real[2] += weight * probability
            real[7] += weight * weigh_rewards(game, state, outcome)
            weight += 1.0
    else:
        whole[2] = game.count(state)
        whole[3] = game.heuristics.plies_left(game, state)
        hashed[3] = hash_candidates(game, state)
        hashed[5] = hash_passed(game, state)
        hashed[6] = hash_noisy(game, state)
        hashed[7] = hash_choices(game, state)
        hashed[8] = hash_turns(game, state)
        real[4] = weigh_bounds(game, state)
        real[5] = game.costs.h(game, state)
        weight = 1.0
        for action in game.actions(state):
            real[3] += weight * game.heuristics.ordering(game, state, action)
            real[8] += weight * game.heuristics.prior(game, state, action)
            real[9] += weight if game.heuristics.is_tactical(game, state, action) else 0.0
            real[6] += weight * game.costs.cost(game, state, action)
            real[7] += weight * weigh_rewards(game, state, action)
            weight += 1.0
            hashed[1] = mix(hashed[1], hash_state(action))
            hashed[2] = mix(hashed[2], hash_state(game.result(state, action)))


# ------------------------------------------------------------ what only some of them ask
@where("heuristics.in_check", otherwise=no_whole)
def is_urgent(game, state):
    return int(game.heuristics.in_check(game, state))


@where("heuristics.null_move", otherwise=no_whole)
def can_pass(game, state):
    return int(game.heuristics.null_move_allowed(game, state))


@where("history.rule_draw", otherwise=no_whole)
def is_drawn_here(game, state):
    return int(game.history.rule_draw(game, state))


@where("heuristics.solve_endgame", otherwise=no_whole)
def is_finishing(game, state):
    return int(game.heuristics.endgame_is_near(game, state))


@where("tablebase.index", otherwise=nothing_told)
def tell_index(game, whole, state):
    stored = game.tablebase.canonical(game, state)[0]
    whole[6] = game.tablebase.slice_of(game, stored)
    if whole[6] >= 0:
        whole[7] = game.tablebase.index(game, stored)
    return 0


@where("heuristics.pawn_key", otherwise=no_hash)
def hash_structure(game, state):
    return word(game.heuristics.pawn_key(game, state))


@where("sample", otherwise=no_hash_of_action)
def hash_sample(game, state, stream):
    return hash_state(game.sample(state, stream))


@where("determinize", otherwise=no_hash_of_action)
def hash_determinized(game, state, stream):
    mover = game.player(state)
    return hash_state(game.determinize(game.observe(state, mover), mover, stream))


@inline
def weigh_nothing_drawn(game, state, stream):
    return 0.0


@where("heuristics.plausible", otherwise=weigh_nothing_drawn)
def weigh_plausible(game, state, stream):
    mover = game.player(state)
    return game.heuristics.plausible(game, game.determinize(game.observe(state, mover), mover, stream), mover)


@where("heuristics.selective", otherwise=no_hash_of_action)
def hash_manner(game, state, action):
    return hash_state(game.heuristics.move_class(game, state, action))


@where("history.superko", otherwise=no_hash)
def hash_board(game, state):
    return word(game.history.superko_key(game, state))


@where("encoding.feature_names", otherwise=no_number)
def weigh_features(game, state):
    return weigh(game.encoding.features(game, state))


@where("encoding.input_count", otherwise=no_inputs)
def tell_inputs(game, hashed, real, state):
    weight = 1.0
    for number, value in game.encoding.inputs(game, state):
        hashed[3] = mix(hashed[3], hash_state(number))
        real[2] += weight * value
        weight += 1.0
    return 0


@where("heuristics.captured_value", otherwise=no_number_of_action)
def number_of_gain(game, state, action):
    return game.heuristics.captured_value(game, state, action)


@where("heuristics.see_loss", otherwise=no_number_of_action)
def number_of_risk(game, state, action):
    return game.heuristics.see_loss(game, state, action)


@where(knows_bounds, otherwise=no_number)
def weigh_bounds_near(game, state):
    middle = 0.5 * (game.min_utility + game.max_utility)
    low, high = float(game.min_utility), float(game.max_utility)
    return weigh(game.heuristics.bounds_near(game, state, low, middle)) + 3.0 * weigh(
        game.heuristics.bounds_near(game, state, middle, high)
    )


@kernel
def answer_hooks(game, whole, hashed, real, state, stream):
    """Ask what else the rules may have to say of a live state in which a player moves."""
    if game.terminal(state):
        return
    if game.player(state) == CHANCE or game.player(state) == SIMULTANEOUS:
        return
    whole[0] = is_urgent(game, state)
    whole[1] = can_pass(game, state)
    whole[2] = is_drawn_here(game, state)
    whole[3] = game.history.reversible_plies(game, state)
    whole[4] = game.encoding.perspective(game, state)
    whole[5] = is_finishing(game, state)
    tell_index(game, whole, state)
    hashed[0] = hash_structure(game, state)
    hashed[1] = hash_sample(game, state, stream)
    hashed[4] = hash_board(game, state)
    hashed[5] = hash_determinized(game, state, stream)
    real[0] = weigh_features(game, state)
    real[1] = game.encoding.phase(game, state)
    tell_inputs(game, hashed, real, state)
    real[5] = weigh_bounds_near(game, state)
    real[6] = weigh_plausible(game, state, stream)
    weight = 1.0
    for action in game.actions(state):
        hashed[2] = mix(hashed[2], hash_manner(game, state, action))
        real[3] += weight * number_of_gain(game, state, action)
        real[4] += weight * number_of_risk(game, state, action)
        weight += 1.0


# ------------------------------------------------------------ both speeds side by side
Names = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
Room = tuple[Any, Any, Any]


class Speeds:
    """A game's rules at both speeds, compiled for states like the one given. Raises CannotCompile where they can't
    be."""

    def __init__(self, game: Game, state: Any) -> None:
        self.game = game
        self.asked: list[tuple[Kernel, Any, Names]] = []
        """Each kernel, its machine code, and what it leaves behind."""
        self.left_out = ""
        """Why the hooks are not compared; empty if they are, or if there are none."""
        self._compile(answer, BASIC, state)
        if any(overrides(game, name) for names in MORE for name in names):
            try:
                self._compile(answer_hooks, MORE, state)
            except CannotCompile as reason:
                self.left_out = str(reason)

    def _compile(self, asked: Kernel, names: Names, state: Any) -> None:
        self.asked.append((asked, self._native(asked, names, state), names))

    def _native(self, asked: Kernel, names: Names, state: Any) -> Any:
        return bind(asked, self.game, *_room(names), coerce(state), *_more(names))

    def interpreted(self, state: Any) -> list[Room]:
        """What the rules say of a state, as Python runs them."""
        found = []
        for asked, _, names in self.asked:
            room = _room(names)
            asked(self.game, *room, state, *_more(names))
            found.append(room)
        return found

    def compiled(self, state: Any) -> list[Room]:
        """What machine code says of it: whatever machine code may do."""
        found = []
        for _, native, names in self.asked:
            room = _room(names)
            try:
                native(self.game, *room, coerce(state), *_more(names))
            except TooLittleRoom:  # it is compiled anew; room only grows, so this ends
                self.asked = [(a, self._native(a, n, state), n) for a, _, n in self.asked]
                return self.compiled(state)
            found.append(room)
        return found

    def difference(self, slow: list[Room], fast: list[Room]) -> str:
        """Which function answers differently at the two speeds, in words; empty if none does."""
        for (_, _, names), one, other in zip(self.asked, slow, fast, strict=True):
            for group, left, right in zip(names, one, other, strict=True):
                for name, interpreted, compiled in zip(group, left, right, strict=True):
                    if not _same(interpreted, compiled):
                        hashed = left.dtype == np.uint64
                        shown = "" if hashed else f": {compiled:g}, not {interpreted:g}"
                        return f"{name} gives something else compiled than interpreted{shown}"
        return ""


def _room(names: Names) -> Room:
    whole, hashed, real = names
    return np.zeros(len(whole), np.int64), np.zeros(len(hashed), np.uint64), np.zeros(len(real), np.float64)


def _more(names: Names) -> tuple[Any, ...]:
    """What a kernel takes beside the state: the hooks, random numbers."""
    return (new_stream(SEED),) if names is MORE else ()


def _same(interpreted: Any, compiled: Any) -> bool:
    if isinstance(interpreted, np.float64):
        return math.isclose(interpreted, compiled, rel_tol=1e-9, abs_tol=1e-12) or bool(
            np.isnan(interpreted) and np.isnan(compiled)
        )
    return bool(interpreted == compiled)
