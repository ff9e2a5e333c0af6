"""Rules that do one thing as Python and another as machine code: crash, never end, take all memory, raise, or answer
otherwise.

Natural rules do so by mistake, and whenever the compiler learns better, one mistake less is possible. These do it on
purpose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from plyforge import MAX, Game
from plyforge.contract import Encoding, Heuristics, HistoryRules
from plyforge.kernel import Kernel

LATE = 3
"""From this sum on the machine code is wild: not in the first state."""


class TwoFaced(Kernel):
    """A function with another body for each speed."""

    def __init__(self, interpreted: Callable[..., Any], compiled: Callable[..., Any]) -> None:
        super().__init__(compiled, inlined=True)
        self.interpreted = interpreted

    def __call__(self, *args: Any) -> Any:
        return self.interpreted(*args)


def same(n):
    return n


@intrinsic
def write_to(typing_context, address):
    """Write to an address, whoever owns it."""

    def generate(context, builder, signature, arguments):
        place = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
        builder.store(ir.Constant(ir.IntType(64), 1), place)
        return arguments[0]

    return types.int64(types.int64), generate


def crash(n):
    return write_to(n) if n >= LATE else n


def run_for_ever(n):
    bits = np.uint64(n)
    while n >= LATE and bits != np.uint64(0):  # a shift register that is never 0
        bits ^= bits << np.uint64(13)
        bits ^= bits >> np.uint64(7)
        bits ^= bits << np.uint64(17)
    return n


def take_all(n):
    taken = 0
    if n >= LATE:
        kept = [np.ones(1 << 20)]
        while taken < 1 << 40:
            kept.append(np.ones(1 << 20))
            taken += int(kept[-1][n]) + (1 << 20)
    return n


def divide(n):
    return 1 // (n - n) if n >= LATE else n


def one_more(n):
    return n + 1 if n >= LATE else n


CRASH, RUN_FOR_EVER, TAKE_ALL = (TwoFaced(same, wild) for wild in (crash, run_for_ever, take_all))
DIVIDE, ONE_MORE = TwoFaced(same, divide), TwoFaced(same, one_more)


class Sum(NamedTuple):
    sum: int
    player: int


class Sums(Game):
    """Add 1 or 2 until 6."""

    def start(self):
        return Sum(0, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        yield 1
        yield 2

    def result(self, s, action):
        return Sum(s.sum + action, 1 - s.player)

    def terminal(self, s):
        return self.fate(s.sum) >= 6

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0

    def fate(self, n):
        return n


class Crashes(Sums):
    def fate(self, n):
        return CRASH(n)


class NeverEnds(Sums):
    def fate(self, n):
        return RUN_FOR_EVER(n)


class TakesAll(Sums):
    def fate(self, n):
        return TAKE_ALL(n)


class Raises(Sums):
    def fate(self, n):
        return DIVIDE(n)


class Differs(Sums):
    def fate(self, n):
        return ONE_MORE(n)


class Talkative(Sums):
    """Prints, which must not get into what the processes say to each other."""

    def start(self):
        print('{"event": "done"}')
        return Sum(0, MAX)


HOOKS = (
    "heuristics.in_check",
    "heuristics.see_loss",
    "heuristics.pawn_key",
    "sample",
    "encoding.features",
    "heuristics.captured_value",
    "heuristics.move_class",
    "history.reversible_plies",
    "encoding.phase",
    "encoding.inputs",
)


class HookedHeuristics(Heuristics):
    selective = True

    def in_check(self, game, s):
        return game.twisted(s.sum, 0) == 3

    def see_loss(self, game, s, action):
        return float(game.twisted(s.sum, 1))

    def pawn_key(self, game, s):
        return game.twisted(s.sum, 2)

    def captured_value(self, game, s, action):
        return float(game.twisted(s.sum, 5))

    def move_class(self, game, s, action):
        return game.twisted(s.sum, 6) + action


class HookedHistory(HistoryRules):
    def reversible_plies(self, game, s):
        return game.twisted(s.sum, 7)


class HookedEncoding(Encoding):
    feature_names = ("sum", "one")
    input_count = 2

    def features(self, game, s):
        return (game.twisted(s.sum, 4), 1.0)

    def phase(self, game, s):
        return game.twisted(s.sum, 8) / 10.0

    def inputs(self, game, s):
        yield 0, float(game.twisted(s.sum, 9))


@dataclass(frozen=True)
class Hooked(Sums):
    """Says all that it may say; one of it otherwise as machine code."""

    heuristics = HookedHeuristics()
    history = HookedHistory()
    encoding = HookedEncoding()

    odd: int = -1
    """The number of the hook that does so."""

    def twisted(self, n, hook):
        return ONE_MORE(n) if self.odd == hook else n

    def sample(self, s, stream):
        return 1 + self.twisted(s.sum, 3) % 2
