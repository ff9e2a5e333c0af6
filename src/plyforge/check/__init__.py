"""Is this a lawful game? Walk through anyone's rules, and say in words which law is broken, and where.

    from plyforge.check import check
    report = check(game)
    print(report)

Claim: a violation is real, with a state and the actions that lead there as its proof. (One law rests on a bound that
the game claims: "both players can win".) That nothing was found proves nothing, except for a game whose states were all
visited: `report.complete`.

Besides the contract's functions, rules may declare facts for the checker to hold them to:

    winner(s)               the player who has won in a terminal state, None if nobody has
    moves_again(s, action)  True if whoever takes `action` moves next, too

They say again, in the words of the game, what `utility` and `result` compute: two ways to the same fact seldom share a
mistake. Without them a utility whose sign is wrong for one player shows only where one player never
wins, and a turn that is passed on too early doesn't show at all.
"""

from __future__ import annotations

import ctypes
import math
import random
import threading
import time
from collections.abc import Callable

import numpy as np

from plyforge.callable_module import make_callable
from plyforge.check.laws import LAWS, RULES_RUN, Law
from plyforge.check.objects import shorten
from plyforge.check.report import Progress, Report, Violation
from plyforge.check.walk import Walk
from plyforge.contract import Game
from plyforge.errors import BadLimits, BadRules, Interrupted

GRACE = 1.0
"""Seconds that one question to the rules may last beyond the time of the whole check."""


def check(
    game: Game,
    seconds: float = 10.0,
    states: int = 6000,
    seed: int = 0,
    native: bool | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    walk: int = 0,
) -> Report:
    """Test the laws on a game.

    Visits up to `states` states in order and half as many more at random, in about `seconds` seconds. `native` says
    whether compiled code is compared with interpreted: True insists, False leaves it out, None compares where the rules
    compile. Walk 0 looks at states in order from the start, others from somewhere in a random game. The report is the
    same for the same seed, as long as the time is enough. Ctrl-C raises Interrupted, a KeyboardInterrupt with the
    report so far as `found`.
    """
    if not isinstance(game, Game):
        raise BadRules(
            f"{game!r} is not a Game: give check an object of a class that inherits from plyforge.Game"
            + (f", as in check(plyforge.load({game!r}))" if isinstance(game, str) else "")
        )
    if not 0 < seconds < math.inf or states < 1:
        raise BadLimits(f"seconds is {seconds!r} and states {states!r}; both must be positive")
    going = Walk(game, seconds, states, seed, native, walk)
    numbers, numpy_numbers = random.getstate(), np.random.get_state()
    random.seed(seed)  # rules that draw numbers of their own break laws; they shall break the same ones each time
    np.random.seed(seed & 0xFFFF_FFFF)
    try:
        _run_watched(going, on_progress)
    except KeyboardInterrupt:
        raise Interrupted(_report(going, stopped=going.phase)) from None
    finally:
        random.setstate(numbers)
        np.random.set_state(numpy_numbers)
    return _report(going)


def _report(walk: Walk, stopped: str = "") -> Report:
    return Report(
        game=type(walk.game).__name__,
        violations=tuple(walk.ledger.violations.values()),
        warnings=tuple(walk.ledger.warnings.values()),
        notes=tuple(walk.ledger.notes),
        states=len(walk.order),
        ends=sum(1 for node in walk.order if node.answers is not None and node.answers.terminal),
        complete=walk.complete and not stopped,
        laws=dict(walk.ledger.tested),
        seed=walk.seed,
        seconds=time.perf_counter() - walk.began,
        stopped=stopped,
    )


class _Interrupted(BaseException):
    """Raised inside rules that don't come back."""


def _run_watched(walk: Walk, on_progress: Callable[[Progress], None] | None) -> None:
    """Run the walk in a thread of its own, so that rules that never answer can be left behind."""
    failure: list[BaseException] = []

    def work() -> None:
        try:
            walk.run()
        except _Interrupted:
            pass
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=work, daemon=True, name="plyforge check")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.05)
            elapsed = time.perf_counter() - walk.began
            if on_progress is not None:
                on_progress(Progress(walk.phase, len(walk.order), elapsed))
            if elapsed > walk.seconds + GRACE and _stuck(walk):
                break
    finally:
        if thread.is_alive():
            _interrupt(thread)
    if failure:
        raise failure[0]


def _stuck(walk: Walk) -> bool:
    """True, and a broken law, if the rules have been busy with one question for too long."""
    question = walk.ledger.question
    if question is None:
        return False
    name, node, since = question
    waited = time.perf_counter() - since
    if waited < GRACE:
        return False
    actions = node.actions() if node is not None else []
    walk.ledger.violations.setdefault(  # written without asking the rules for text: they are busy
        RULES_RUN,
        Violation(
            RULES_RUN,
            f"{name} has not answered after {waited:.1f} s",
            shorten(node.state, 300) if node is not None else "",
            tuple(shorten(action, 80) for action in actions),
            tuple(actions),
        ),
    )
    walk.complete = False
    return True


def _interrupt(thread: threading.Thread) -> None:
    """Raise an exception in `thread`, as soon as it runs Python again."""
    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_Interrupted))
        thread.join(GRACE)


__all__ = ["LAWS", "Law", "Progress", "Report", "Violation", "check"]

make_callable(check, __name__)
