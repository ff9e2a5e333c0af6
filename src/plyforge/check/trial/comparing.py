"""One trial of compiled code, told event by event: what is about to be done is said before it is done.

Whoever listens knows, if the events stop, what they stopped at: whether the compiler, the rules as Python runs them, or
machine code did not come back. The events are plain JSON values, so that they can come from another process
(`child.py`).

    compiling                 the kernels are about to be compiled
    refused      why          they can't be
    ready        left_out     they are; why the hooks were left out, if they were
    asking       index state  a state is about to be asked about, interpreted
    running      took         and now compiled; so many seconds it took interpreted
    raised       what         machine code raised an exception where Python did not
    differs      what         the answers are not the same
    stumbled     what         the rules themselves raised an exception, interpreted
    done                      no state is left, or no time
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from plyforge.check.objects import hashable, shorten
from plyforge.check.rules import describe
from plyforge.check.trial.compiled import Speeds
from plyforge.contract import Game, legal_moves
from plyforge.errors import CannotCompile
from plyforge.kernel.entry import cut_off

LONGEST_PLAYOUT = 400

Event = dict[str, Any]
States = int | Sequence[Any]
"""A seed of random playouts, or the states themselves."""


def prepare(game: Game, states: States) -> Iterator[Event | Speeds]:
    """Compile; the last item is the rules at both speeds, unless there are none."""
    yield {"event": "compiling"}
    try:
        first = game.start() if isinstance(states, int) else states[0]
        speeds = Speeds(game, first)
    except CannotCompile as reason:
        yield {"event": "refused", "why": str(reason)}
        return
    except Exception as error:  # anyone's rules
        yield {"event": "stumbled", "what": describe(error)}
        return
    yield {"event": "ready", "left_out": speeds.left_out}
    yield speeds


def compare(speeds: Speeds, states: States, playouts: int, seconds: float) -> Iterator[Event]:
    """Ask about every state at both speeds, until something is wrong."""
    end = time.perf_counter() + seconds
    index = -1
    try:
        for index, state in enumerate(_met(speeds.game, states, playouts)):
            if time.perf_counter() > end:
                break
            yield {"event": "asking", "index": index, "state": shorten(state, 300)}
            began = time.perf_counter()
            slow = speeds.interpreted(state)
            yield {"event": "running", "took": time.perf_counter() - began}
            try:
                fast = speeds.compiled(state)
            except CannotCompile as reason:
                yield {"event": "refused", "why": str(reason)}
                return
            except Exception as error:  # whatever machine code raises
                yield {"event": "raised", "what": _in_a_line(error), "memory": isinstance(error, MemoryError)}
                return
            difference = cut_off(speeds.game, state) or speeds.difference(slow, fast)
            if difference:
                yield {"event": "differs", "what": difference}
                return
    except Exception as error:
        yield {"event": "stumbled", "what": describe(error)}
        return
    yield {"event": "done"}


def _met(game: Game, states: States, playouts: int) -> Iterable[Any]:
    if not isinstance(states, int):
        return states
    return _played(game, states, playouts)


def _played(game: Game, seed: int, playouts: int) -> Iterator[Any]:
    """The states of random playouts, each once where they can be told apart by hash."""
    seen = set()
    for number in range(playouts):
        rng = random.Random(f"{seed} {number}")
        state = game.start()
        for _ in range(LONGEST_PLAYOUT):
            known = hashable(state)
            if not (known and state in seen):
                yield state
            if known:
                seen.add(state)
            actions = legal_moves(game, state)
            if not actions:
                break
            state = game.result(state, rng.choice(actions))


def _in_a_line(error: BaseException) -> str:
    message = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
