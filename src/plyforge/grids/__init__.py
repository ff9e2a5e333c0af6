"""Boards that nobody drew: a grid found in the states of a game, or in the text of its `show`, as a picture to point
at.

    found_board(game, s)          a Board, or None
    found_ways(game, s, action)   how to point at an action on it
    found_text(game, s)           the same board in text, or None

A game is looked at once: a little random play shows what its states and actions look like (`sampling`). A grid is
looked for in every form in which people write one (`sources`, `shown`), the one that fits best is kept (`find`),
and from then on a state is read and drawn (`found`).

Guesses can be wrong, so they decide nothing: what is legal the rules say, an action without a way has a button, and
anything that goes wrong in here means that there is no board.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from typing import Any

from plyforge.board import Board
from plyforge.grids.find import find_grid
from plyforge.grids.found import Found

_known: dict[int, tuple[weakref.ref[Any], Found | None]] = {}
_finding = threading.local()


def found_grid(game: Any, s: Any) -> Found | None:
    """What is known of the game's grid; looked for at the first call. None while it is being looked for: rules may
    ask for their own picture."""
    kept = _known.get(id(game))
    if kept is not None and kept[0]() is game:
        return kept[1]
    busy: set[int] = _finding.__dict__.setdefault("games", set())
    if id(game) in busy:
        return None
    busy.add(id(game))
    try:
        found = find_grid(game, _shows(game, s))
    except (Exception, SystemExit):
        found = None
    finally:
        busy.discard(id(game))
    number, known = id(game), _known
    known[number] = (weakref.ref(game, lambda _: known.pop(number, None)), found)
    return found


def _shows(game: Any, s: Any) -> bool:
    """True if the rules have a picture in text: a `show` of their own, or states that write themselves in lines."""
    own = getattr(type(game), "show", None)
    return getattr(own, "__module__", "") != "plyforge.contract.game" or writes_itself(s)


def writes_itself(s: Any) -> bool:
    """True if the state's class says how it is written, over several lines."""
    return type(s).__str__ not in (object.__str__, str.__str__) and "\n" in str(s)  # type: ignore[comparison-overlap]


def found_board(game: Any, s: Any) -> Board | None:
    """The picture of a state, if a grid is found in it."""
    try:
        found = found_grid(game, s)
        return None if found is None else found.board(s)
    except (Exception, SystemExit):
        return None


def found_ways(game: Any, s: Any, action: Any) -> Iterator[tuple[str, ...]]:
    """How an action is pointed at on that picture."""
    try:
        found = found_grid(game, s)
        ways = [] if found is None else list(found.ways(game, s, action))
    except (Exception, SystemExit):
        ways = []
    yield from ways


def found_text(game: Any, s: Any) -> str | None:
    """The picture in text; None where there is none, and where states write themselves."""
    try:
        if writes_itself(s):
            return None
        found = found_grid(game, s)
        return None if found is None else found.text(s)
    except (Exception, SystemExit):
        return None


__all__ = ["Found", "found_board", "found_grid", "found_text", "found_ways"]
