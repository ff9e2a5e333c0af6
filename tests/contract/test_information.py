"""Perfect recall, derived from observations: the numbers of information sets, and the same chains at both speeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles, thinned
from paths import HIDDEN_RULES
from plyforge.contract import CHANCE, MAX, MIN
from plyforge.contract.information import NOTHING, information_set, remember
from plyforge.kernel import kernel, mix, new_stream
from plyforge.kernel.entry import coerce, native_function

GAMES = {
    "kuhn_poker": "kuhn_poker",
    "kuhn": str(HIDDEN_RULES / "kuhn.py"),
    "leduc": str(HIDDEN_RULES / "leduc.py"),
}


@kernel
def playouts(game, stream, state, times, met):
    """Random games from a state of two players: what both knew, ply by ply, as one number each game."""
    for number in range(times):
        s = state
        mine, theirs = NOTHING, NOTHING
        while not game.terminal(s):
            action = chosen(game, s, stream)
            after = game.result(s, action)
            mine = remember(game, mine, s, action, after, MAX)
            theirs = remember(game, theirs, s, action, after, MIN)
            s = after
            met[number] = mix(met[number], information_set(game, mine, s, MAX))
            met[number] = mix(met[number], information_set(game, theirs, s, MIN))


@kernel
def chosen(game, s, stream):
    """A random action or outcome, each equally likely."""
    if game.player(s) == CHANCE:
        number = 0
        for _ in game.chance(s):
            number += 1
        left = pf.below(stream, number)
        for outcome, _ in game.chance(s):
            action = outcome
            if left == 0:
                break
            left -= 1
        return action
    return game.sample(s, stream)


@compiles
@pytest.mark.parametrize("name", thinned(GAMES, ("kuhn_poker",)))
def test_chains_are_the_same_at_both_speeds(name: str) -> None:
    game = pf.load(GAMES[name])
    slow, fast = np.zeros(200, np.uint64), np.zeros(200, np.uint64)
    start = coerce(game.start())
    playouts(game, new_stream(3), start, len(slow), slow)
    native = native_function(playouts, game, new_stream(3), start, len(fast), fast)
    native(game, new_stream(3), start, len(fast), fast)
    assert (slow == fast).all() and len(set(slow)) > 20


def count(game: pf.Game) -> tuple[int, int, int]:
    """Histories, ends, information sets in which somebody moves."""
    found: list[set[Any]] = [set() for _ in range(game.players)]
    sizes = [0, 0]

    def walk(s: Any, memories: tuple[Any, ...]) -> None:
        sizes[0] += 1
        if game.terminal(s):
            sizes[1] += 1
            return
        mover = game.player(s)
        if mover != CHANCE:
            found[mover].add(information_set(game, memories[mover], s, mover))
        for action in pf.legal_moves(game, s):
            after = game.result(s, action)
            walk(
                after,
                tuple(remember(game, memory, s, action, after, p) for p, memory in enumerate(memories)),
            )

    walk(game.start(), (NOTHING,) * game.players)
    return sizes[0], sizes[1], sum(map(len, found))


@pytest.mark.parametrize(
    ("name", "sizes"), [("kuhn", (58, 30, 12)), ("kuhn_poker", (58, 30, 12)), ("leduc", (9457, 5520, 936))]
)
def test_sizes_are_those_that_openspiel_counts(name: str, sizes: tuple[int, int, int]) -> None:
    """Leduc's state does not hold the order of bets: what players remember tells the histories apart."""
    assert count(pf.load(GAMES[name])) == sizes


def test_what_cannot_be_seen_cannot_be_counted() -> None:
    """MAX sees nothing of what MIN does: afterwards MAX knows what was known before."""

    class Blind(pf.Game):
        def start(self) -> tuple[int, int]:
            return (0, 0)

        def player(self, s: Any) -> int:
            return MIN

        def actions(self, s: Any) -> Any:
            yield 1
            yield 2

        def result(self, s: Any, action: int) -> Any:
            return (s[0] + 1, s[1] + action)

        def observe(self, s: Any, player: int) -> Any:
            return s if player == MIN else (0, 0)

    game, s = Blind(), (0, 0)
    assert remember(game, NOTHING, s, 1, game.result(s, 1), MAX) == NOTHING
    one, other = (remember(game, NOTHING, s, a, game.result(s, a), MIN) for a in (1, 2))
    assert len({int(NOTHING), int(one), int(other)}) == 3
