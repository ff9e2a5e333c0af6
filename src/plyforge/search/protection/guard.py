"""Rules that change a state in place are caught while they are searched.

`result(s, action)` must leave `s` as it is. A board that is a list or a dict is easily changed by mistake, and then
every action is searched from a position that nobody was in: the answer is wrong, and nothing says so. So where a state
can be changed at all, some calls of `result` are looked at from both sides: the first few, since whoever forgets to
copy does so from the first call on, and then now and again. States of numbers and tuples can't change and cost nothing.
"""

from __future__ import annotations

import dataclasses
import enum
import pickle
from collections.abc import Callable
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadRules
from plyforge.kernel.storage.objects import fields_of

FIRST, THEN = 8, 64
"""So many calls are looked at, and then every so many-th."""
UNCHANGING = (int, float, complex, bool, str, bytes, type(None), enum.Enum)
SHOWN = 60
"""Characters of a value in a message."""


def guarded(game: Game, state: Any) -> Game:
    """The game, or where its states can be changed one that looks after them."""
    if not can_change(state) or not hasattr(game, "__dict__"):
        return game
    watchful: Any = object.__new__(type(game))
    vars(watchful).update(vars(game))
    vars(watchful)["result"] = _watchful(game.result)
    found: Game = watchful
    return found


def _watchful(result: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The same function; some of its calls are looked at."""
    left, looked = 1, 0

    def looked_at(s: Any, action: Any) -> Any:
        nonlocal left, looked
        left -= 1
        if left:
            return result(s, action)
        looked += 1
        left = 1 if looked < FIRST else THEN
        before = _picture(s)
        found = result(s, action)
        if before is not None and _picture(s) != before:
            _refuse(before, s)
        return found

    return looked_at


def can_change(value: Any) -> bool:
    """True if something in a state can be changed in place."""
    if isinstance(value, UNCHANGING) or (type(value).__module__ == "numpy" and getattr(value, "shape", None) == ()):
        return False
    if isinstance(value, (tuple, frozenset)):
        return any(can_change(item) for item in value)
    parameters = getattr(type(value), "__dataclass_params__", None)
    if parameters is not None and parameters.frozen:
        return any(can_change(getattr(value, field.name)) for field in dataclasses.fields(value))
    return True


def _picture(state: Any) -> bytes | None:
    try:
        return pickle.dumps(state, pickle.HIGHEST_PROTOCOL)
    except Exception:  # no state that can be kept: nothing can be said
        return None


def _refuse(picture: bytes, state: Any) -> None:
    before = pickle.loads(picture)
    if type(state).__eq__ is not object.__eq__ and _equal(before, state):
        return  # only something that does not count, such as what was kept of a computation
    was, now = _fields(before), _fields(state)
    changed = next((name for name in now if name not in was or _picture(was[name]) != _picture(now[name])), None)
    what = "the state that it was given"
    if changed is not None:
        what += f": its {changed} was {_shown(was.get(changed))}, and is {_shown(now[changed])}"
    raise BadRules(
        f"result changed {what}. A state must stay as it is: copy first (`board = list(s.board)`, `[row[:] for row in"
        " rows]`, `dict(cells)`, `copy.deepcopy(s)`), change the copy, and return a state with that"
    )


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:  # arrays have no one answer
        return False


def _fields(state: Any) -> dict[str, Any]:
    """The parts of a state by what people call them."""
    if hasattr(state, "_fields"):
        return {f"field {name!r}": getattr(state, name) for name in state._fields}
    if isinstance(state, dict):
        return {f"item {key!r}": value for key, value in state.items()}
    if isinstance(state, (list, tuple)):
        return {f"item {index}": value for index, value in enumerate(state)}
    return {f"field {name!r}": value for name, value in fields_of(state).items()}


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
