"""Whose fault an exception is: that of somebody's own rules, or the studio's.

An exception that passed through an own file is the file's: rules never call the studio. One that did not may still come
of an answer of the wrong form, such as None for the actions: then some frame holds a game of such a file, and the
checker has found a broken law in it, or is still looking.
"""

from __future__ import annotations

import traceback
from pathlib import Path
from types import FrameType
from typing import Any

from plyforge.contract import Game
from plyforge.games.catalog import files_of
from plyforge.play.session import GameSession
from plyforge.studio.library.library import Shelf
from plyforge.studio.library.user_rules import OwnRules, words


def blamed(error: BaseException, shelf: Shelf) -> tuple[str, bool]:
    """What to tell the page about an exception, and whether that says all, so that the terminal need not show a
    traceback."""
    frames = list(traceback.walk_tb(error.__traceback__))
    for rules in shelf.own.values():
        files = {rules.path.resolve(), *(file.resolve() for file in files_of(rules.path))}
        inside = [(f, line) for f, line in frames if Path(f.f_code.co_filename).resolve() in files]
        if inside:
            return f"{_raised(error, inside)}. {_more(rules)}", True
    kind = type(error).__name__
    asked = next((rules for rules in shelf.own.values() if _holds(frames, rules)), None)
    if asked is not None and asked.report is None:
        return (
            f"the studio failed ({kind}), or {asked.path.name} did: the terminal shows where. {_more(asked)}",
            False,
        )
    if asked is not None and asked.report is not None and asked.report["violations"]:
        law = asked.report["violations"][0]
        return (
            f"the rules of {asked.path.name} break a law, {law['law']}: {law['sentence']}. {_more(asked)}",
            True,
        )
    return f"the studio failed ({kind}); the terminal shows where", False


def _raised(error: BaseException, inside: list[tuple[FrameType, int]]) -> str:
    first, (last, line) = inside[0][0], inside[-1]
    file = Path(last.f_code.co_filename).name
    said = f"{last.f_code.co_name} of the rules raised {type(error).__name__} ({file}, line {line})"
    more = words(error)
    said = f"{said}: {more}" if more else said
    if _asked_about(first) is None:
        said += f"; {first.f_code.co_name} was asked about None, so a `return` is missing in result or start"
    return said


def _asked_about(frame: FrameType) -> Any:
    """The state that a function of the rules was asked about; anything but None where that is not known."""
    code = frame.f_code
    known = code.co_argcount > 1 and isinstance(frame.f_locals.get(code.co_varnames[0]), Game)
    return frame.f_locals.get(code.co_varnames[1]) if known else frame


def _holds(frames: list[tuple[FrameType, int]], rules: OwnRules) -> bool:
    """True if one of the frames had to do with a game of that file."""
    for frame, _ in frames:
        for value in frame.f_locals.values():
            if isinstance(value, GameSession):
                value = value.game
            if isinstance(value, Game) and type(value) is rules.cls:
                return True
    return False


def _more(rules: OwnRules) -> str:
    return f"`plyforge check {rules.spec}` says more"


__all__ = ["blamed"]
