"""The same questions, asked of the rules at both speeds.

A kernel asks a game everything about one state and leaves digests of the answers behind. It is run interpreted and
compiled on the same states: any difference is a broken law. Whole numbers and states are compared exactly, by
hash; utilities, estimates and probabilities to within rounding.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyforge.check import laws
from plyforge.check.examine import Examiner
from plyforge.check.ledger import Broken, Node
from plyforge.game import CHANCE, TOGETHER, payoffs
from plyforge.kernel import hash_state, inline, kernel, mix
from plyforge.kernel.entry import coerce, native_function
from plyforge.kernel.function import where

WHOLE = ("terminal", "player", "count", "plies_left")
HASHED = ("key", "actions", "result", "candidates", "symmetries", "passed", "noisy", "choices", "with_turn")
REAL = ("utility", "evaluate", "chance", "promise", "bounds", "to_go", "cost", "rewards")


@inline
def weigh(values):
    """One number that changes if the numbers of a tuple change, or trade places."""
    total = 0.0
    for index in range(len(values)):
        total += (index + 1) * values[index]
    return total


@inline
def no_hash(game, state):
    return np.uint64(0)


@where("has_candidates", otherwise=no_hash)
def hash_candidates(game, state):
    digest = np.uint64(0)
    for action in game.candidates(state):
        digest = mix(digest, hash_state(action))
    return digest


@where("has_symmetries", otherwise=no_hash)
def hash_symmetries(game, state):
    digest = np.uint64(0)
    for image in game.symmetries(state):
        digest = mix(digest, hash_state(image))
    return digest


@where("has_pass", otherwise=no_hash)
def hash_passed(game, state):
    return hash_state(game.passed(state))


@where("has_noisy", otherwise=no_hash)
def hash_noisy(game, state):
    digest = np.uint64(0)
    for action in game.noisy(state):
        digest = mix(digest, hash_state(action))
    return digest


@where("simultaneous", otherwise=no_hash)
def hash_choices(game, state):
    digest = np.uint64(0)
    if game.player(state) == TOGETHER:
        for player in range(game.players):
            for choice in game.choices(state, player):
                digest = mix(digest, hash_state(choice))
    return digest


@inline
def no_rewards(game, state, action):
    return 0.0


@where("has_rewards", otherwise=no_rewards)
def weigh_rewards(game, state, action):
    return weigh(game.rewards(state, action))


@where("has_turns", otherwise=no_hash)
def hash_turns(game, state):
    digest = np.uint64(0)
    for player in range(game.players):
        digest = mix(digest, hash_state(game.with_turn(state, player)))
    return digest


@inline
def no_bounds(game, state):
    return 0.0


@where("has_bounds", otherwise=no_bounds)
def weigh_bounds(game, state):
    return weigh(game.bounds(state))


@kernel
def answer(game, whole, hashed, real, state):
    """Ask everything about a state; the names above say which answer goes where."""
    hashed[0] = mix(hashed[0], game.key(state))
    hashed[4] = hash_symmetries(game, state)
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
        whole[3] = game.plies_left(state)
        hashed[3] = hash_candidates(game, state)
        hashed[5] = hash_passed(game, state)
        hashed[6] = hash_noisy(game, state)
        hashed[7] = hash_choices(game, state)
        hashed[8] = hash_turns(game, state)
        real[4] = weigh_bounds(game, state)
        real[5] = game.to_go(state)
        weight = 1.0
        for action in game.actions(state):
            real[3] += weight * game.promise(state, action)
            real[6] += weight * game.cost(state, action)
            real[7] += weight * weigh_rewards(game, state, action)
            weight += 1.0
            hashed[1] = mix(hashed[1], hash_state(action))
            hashed[2] = mix(hashed[2], hash_state(game.result(state, action)))


def _room() -> tuple[Any, Any, Any]:
    return np.zeros(len(WHOLE), np.int64), np.zeros(len(HASHED), np.uint64), np.zeros(len(REAL), np.float64)


def compare_compiled(examiner: Examiner, nodes: list[Node]) -> None:
    """Raises Broken at the first difference, with the examiner's node set; CannotCompile where there is nothing to compare."""
    game = examiner.game
    native = native_function(answer, game, *_room(), coerce(nodes[0].state))
    for node in nodes:
        examiner.node = node
        slow, fast = _room(), _room()
        answer(game, *slow, node.state)
        native(game, *fast, coerce(node.state))
        examiner.ledger.tested[laws.COMPILED] += 1
        for names, left, right in zip((WHOLE, HASHED, REAL), slow, fast, strict=True):
            for name, interpreted, compiled in zip(names, left, right, strict=True):
                if not math.isclose(interpreted, compiled, rel_tol=1e-9, abs_tol=1e-12) or (
                    names is not REAL and interpreted != compiled
                ):
                    shown = "" if names is HASHED else f": {compiled:g}, not {interpreted:g}"
                    raise Broken(
                        laws.COMPILED, f"{name} gives something else compiled than interpreted{shown}"
                    )
