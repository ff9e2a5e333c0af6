"""Choosing the speed: a kernel is bound compiled where its game is worth it and can be compiled, else interpreted.

    bound = bind_for(game, kernel, *args, native=None)      # `args` as in `kernel.bind`

`native=True` insists on compiled code, False declines it. Where it can't be had, or stops, the search goes on
interpreted, and says so (`FellBack`): the answer is the same, only later.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from plyforge.contract import Game
from plyforge.errors import CannotCompile, Inexact, TooLittleRoom
from plyforge.kernel import Bound, Kernel, RecordType, bind, interpreted
from plyforge.kernel.binding import bound_before
from plyforge.kernel.constant import PACKAGE
from plyforge.kernel.entry import doubted, shape_of
from plyforge.search.protection.guard import guarded
from plyforge.search.protection.leash import not_counted
from plyforge.search.protection.trust import is_somebodys_own, require_equal
from plyforge.search.running.compiling import in_worker
from plyforge.search.running.control import Control


class FellBack(UserWarning):
    """Rules could not be compiled, so the search ran interpreted."""


_bound: dict[tuple[Any, ...], Bound | CannotCompile] = {}
"""By kernel and shape of the arguments: the rules' fingerprints are part of that, so edited rules are others."""


def bind_for(
    game: Game,
    kernel: Kernel,
    *args: Any,
    native: bool | None,
    control: Control | None = None,
    directly: bool = False,
) -> Bound:
    """The kernel at the speed for this game: compiled with `native=True`, interpreted with False, with None compiled
    where the game is worth it and can be.

    Once `control` is stopped there is nothing to compile for: the interpreted kernel ends at its first node all the
    same. With `directly`, whoever calls asks again for the arguments of each search, and the compiler is asked only
    once for arguments of one shape, be it that they can be compiled or not.
    """
    if native is False or (native is None and not game.worth_compiling):
        return interpreted(kernel, *args)
    shape = shape_of((directly, *args)) if directly else None
    known = None if shape is None else _bound.get((kernel, *shape))
    if isinstance(known, Bound):
        return known
    if native and known is not None:
        raise known.with_traceback(None)
    if known is None:
        try:
            bound = _compiled(kernel, game, args, control, directly)
        except CannotCompile as reason:
            if native:
                raise
            known = reason
        else:
            if bound is None:  # stopped
                return interpreted(kernel, *args)
            if shape is not None:
                _bound[(kernel, *shape)] = bound
            return bound
    if shape is not None:
        _bound[(kernel, *shape)] = known
    _warn(FellBack(f"running interpreted, about 100 times slower: {known}"))
    return interpreted(kernel, *args)


def _compiled(
    kernel: Kernel, game: Game, args: tuple[Any, ...], control: Control | None, directly: bool
) -> Bound | None:
    """The kernel, compiled; None if `control` is stopped. Raises CannotCompile."""
    with not_counted():
        before = bound_before(kernel, *args, directly=directly)
        shape = shape_of(args)
        key = None if shape is None else (kernel, directly, *shape)
        return before or in_worker(lambda: _trusted(kernel, game, args, directly), control, key)


def _trusted(kernel: Kernel, game: Game, args: tuple[Any, ...], directly: bool) -> Bound:
    """The compiled kernel. Rules of somebody's own are tried at both speeds before their compiled code is used for
    the first time."""
    doubt = doubted.get(game.fingerprint())
    if doubt is not None:
        raise CannotCompile(doubt)
    bound = bind(kernel, *args, directly=directly)
    if is_somebodys_own(game) and bound.compiled:
        require_equal(game)
    return bound


def rules_for(bound: Bound, game: Game, state: Any) -> Game:
    """The rules as a kernel at this speed is given them: interpreted ones are guarded."""
    return game if bound.is_native else guarded(game, state)


def forget_bound() -> None:
    """Compiled code has stopped: what was bound is bound anew."""
    _bound.clear()


def choose_speed(
    kernel: Kernel, game: Game, native: bool | None, args: tuple[Any, ...], control: Control | None = None
) -> Any:
    """What `bind_for` binds, as a function; None for the interpreted one."""
    bound = bind_for(game, kernel, *args, native=native, control=control)
    return bound.function if bound.is_native else None


MOST_ROOM = 8
"""So often rules are compiled anew in one call: more steps there are not."""


def warn_of(reason: Inexact) -> None:
    """Tell that a call goes on interpreted."""
    _warn(FellBack(f"going on interpreted: {reason}"))


def exact_or_interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Around a call that takes `native`: where compiled rules stop because machine code would not give what Python
    gives, the call is made again, interpreted, within what is left of its time, and says so. With `native=True` that
    is an error."""
    parameters = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: Any, **more: Any) -> Any:
        began, attempt = time.perf_counter(), 0
        while True:
            try:
                return function(*args, **more)
            except Inexact as reason:
                attempt += 1
                if not isinstance(reason, TooLittleRoom) or attempt > MOST_ROOM:
                    given = parameters.bind(*args, **more)
                    if given.arguments.get("native"):
                        raise
                    warn_of(reason)
                    given.arguments["native"] = False
                    limits = given.arguments.get("limits")
                    if limits is not None:
                        given.arguments["limits"] = limits.left_since(began)
                    args, more = given.args, given.kwargs
                forget_bound()

    return call


_listening: list[Callable[[str], object]] = []


@contextlib.contextmanager
def hearing_of_fall_backs(listener: Callable[[str], object]) -> Iterator[None]:
    """Meanwhile `listener` is told, in any thread, what would else be a FellBack warning; of several, the last.

    To catch the warning itself would not do: what is caught is the whole process's, and a compiler that works in
    another thread catches warnings of its own all the time, and then puts back what was there before.
    """
    _listening.append(listener)
    try:
        yield
    finally:
        _listening.remove(listener)


def _warn(warning: FellBack) -> None:
    """Point at the first caller outside Plyforge, unless somebody listens."""
    for listener in _listening[-1:]:
        listener(str(warning))
        return
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and Path(frame.f_code.co_filename).is_relative_to(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)


__all__ = [
    "Bound",
    "FellBack",
    "RecordType",
    "bind_for",
    "choose_speed",
    "exact_or_interpreted",
    "hearing_of_fall_backs",
    "rules_for",
    "warn_of",
]
