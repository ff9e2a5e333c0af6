"""All that stands in the way of compiling somebody's rules, told at once: one line each, with its place and what to
write instead.

What is written is found without the compiler: each function that searches ask for, and those that it calls, is
translated as far as it goes.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from plyforge.kernel.compiling.asked import ASKED
from plyforge.kernel.compiling.room import CONSTANT
from plyforge.kernel.translate import Context, Untranslated, is_foreign, translated

MOST = 8
"""Obstacles that are told; then how many more there are."""


class Obstacle(NamedTuple):
    """What stands in the way of compiling: a function that searches ask, a place in the rules, and what to write
    instead."""

    function: str
    place: str
    why: str


def together(game: Any, found: list[Obstacle]) -> str:
    """All obstacles, each once, in the order in which they were found: one line each."""
    known: dict[Any, Obstacle] = {}
    for obstacle in found:
        known.setdefault((obstacle.place, obstacle.why), obstacle)
    once = list(known.values())
    once = [each for each in once if CONSTANT not in each.why] or once  # more room may be found for numbers
    first, *others = [(f"{type(game).__name__}.{each.function}{each.place}", each.why) for each in once]
    return _listed(f"{first[0]} can't be compiled: {first[1]}", [f"{name}: {why}" for name, why in others])


def with_what_is_written(game: Any, sentence: str) -> str:
    """A sentence about the game's states, and all that its rules have in them besides."""
    found = written_obstacles(game, ASKED, Context(game))
    others = [f"{type(game).__name__}.{each.function}{each.place}: {each.why}" for each in found]
    return _listed(sentence, list(dict.fromkeys(each for each in others if CONSTANT not in each)))


def _listed(first: str, others: list[str]) -> str:
    told = [first, *(f"  also {each}" for each in others)]
    more = len(told) - MOST
    return "\n".join(told[:MOST] + [f"  and {more} more"] * (more > 0))


def written_obstacles(game: Any, hooks: Iterable[Any], context: Context) -> list[Obstacle]:
    """What is written in these hooks, and in what they call, that has no compiled form."""
    found = []
    for hook in hooks:
        waiting, seen = [hook.function_of(game)], set()
        while waiting:
            function = waiting.pop()
            function = getattr(function, "__func__", getattr(function, "__wrapped__", function))
            if not inspect.isfunction(function) or function in seen or not is_foreign(function):
                continue
            seen.add(function)
            waiting += _named_by((type(game), type(hook.owner_of(game))), function, function.__code__)
            try:
                translated(function, context)
            except Untranslated as refusal:
                file = Path(function.__code__.co_filename).name
                found += [Obstacle(hook.path, f" ({file}, line {line})", why) for why, line in refusal.obstacles]
            except Exception:  # said when it is compiled
                continue
    return found


def _named_by(owners: tuple[type, ...], function: Any, code: Any) -> Iterator[Any]:
    """What a function's names may stand for, those of functions inside of it, too."""
    for name in code.co_names:
        yield from (inspect.getattr_static(owner, name, None) for owner in owners)
        yield function.__globals__.get(name)
    for inner in code.co_consts:
        if inspect.iscode(inner):
            yield from _named_by(owners, function, inner)
