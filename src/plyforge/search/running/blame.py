"""Who is to blame for an exception inside a search: the rules, or an evaluation or policy that was given along; by
name, with file and line.

The traceback tells: what an evaluation or policy calls is its own affair, what the kernels call otherwise are the
rules. Compiled code leaves no traceback, so there everybody who took part is named.
"""

from __future__ import annotations

import traceback
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plyforge.errors import BadRules, PlyforgeError
from plyforge.evaluate import Evaluation, FunctionEvaluation, OwnEvaluation
from plyforge.kernel.constant import PACKAGE
from plyforge.search.opponents.policy import FunctionPolicy, Policy, UniformPolicy

_ASKED = ("estimate", "estimate_at", "replies")
"""The methods by which kernels ask evaluations and policies."""


CALLERS = (PACKAGE / "search" / "core" / "runner.py", PACKAGE / "search" / "time" / "watch.py")
"""The files that call kernels."""


def named(error: BaseException) -> BaseException:
    """An exception that rules, or what was given along, raised: as an error that says so and where."""
    if isinstance(error, PlyforgeError) or not isinstance(error, Exception):
        return error
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if _is_theirs(Path(frame.filename))]
    kind, given = type(error).__name__, list(_given_along(error.__traceback__))
    asked = _asked(error.__traceback__)
    everyone = " or ".join(["the rules", *(_name(each, placed=True) for each in given)])
    if outside:
        place = f"{Path(outside[-1].filename).name}, line {outside[-1].lineno}"
        culprit = "the rules" if asked is None else _name(asked)
        made = BadRules(f"{culprit} raised {kind} ({place}): {error}")
    elif asked is not None and frames[-1].name in _ASKED:
        how = "a state" if isinstance(asked, Evaluation) else "a state and an action"
        made = BadRules(f"{_name(asked, placed=True)} is asked with {how}, and that raised {kind}: {error}")
    elif frames and Path(frames[-1].filename) in CALLERS:
        made = BadRules(f"{everyone} raised {kind} (in compiled code: interpreted, it shows the line): {error}")
    else:
        more = "" if given else ". `plyforge check` says more about rules"
        made = BadRules(f"what {everyone} gave can't be worked with, {kind}: {error}{more}")
    made.__cause__ = error
    return made


def _is_theirs(file: Path) -> bool:
    """True for what is not Plyforge, and for its games."""
    return file.is_relative_to(PACKAGE / "games") or not file.is_relative_to(PACKAGE)


def _is_given(value: Any) -> bool:
    """True for an evaluation or a policy that somebody has passed to the search."""
    if isinstance(value, Evaluation):
        return not isinstance(value, OwnEvaluation)
    return isinstance(value, Policy) and not isinstance(value, UniformPolicy)


def _name(given: Any, placed: bool = False) -> str:
    """What to call an evaluation or policy: by the caller's own function or class, and with `placed` where that is
    written."""
    kind = "evaluate" if isinstance(given, Evaluation) else "policy"
    if isinstance(given, FunctionEvaluation):
        own: Any = given.function
    elif isinstance(given, FunctionPolicy):
        own = given.probability
    else:
        own = type(given)
    name = f"`{getattr(own, '__qualname__', type(own).__name__)}`"
    code = getattr(own, "__code__", None)
    if placed and code is not None:
        name += f", {Path(code.co_filename).name}, line {code.co_firstlineno}"
    return f"{kind} ({name})"


def _frames(trace: types.TracebackType | None) -> Iterator[types.FrameType]:
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _asked(trace: types.TracebackType | None) -> Any:
    """The evaluation or policy that was being asked, None if it was the rules."""
    for frame in _frames(trace):
        speaker = frame.f_locals.get("self")
        if frame.f_code.co_name in _ASKED and _is_given(speaker):
            return speaker
    return None


def _given_along(trace: types.TracebackType | None) -> Iterator[Any]:
    """The evaluations and policies among the arguments of the kernels that ran, each once."""
    seen: list[Any] = []
    for frame in _frames(trace):
        for value in list(frame.f_locals.values()):
            arguments = getattr(value, "args", ())
            for each in (value, *(arguments if isinstance(arguments, tuple) else ())):
                if _is_given(each) and not any(each is known for known in seen):
                    seen.append(each)
                    yield each


class blaming_the_rules:
    """Around calls of the rules, and of what was given along: what they raise becomes a BadRules that says whose it
    is and where."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        told = error if error is None else named(error)
        if told is not None and told is not error:
            raise told from error
