"""A function of the contract that rules lack, and which of theirs was perhaps meant to be it."""

from __future__ import annotations

import difflib
import re
from typing import Any

from plyforge.contract import Game

_LACK = re.compile(r"\w+ has no ((\w+)\(.*\))")
"""What the functions of `Game` say that rules have to write."""


def missing_function(cls: type[Game], error: BaseException) -> str | None:
    """The function that `cls` lacks, in words, if that is what `error` says; None for any other error."""
    found = _LACK.fullmatch(str(error)) if isinstance(error, NotImplementedError) else None
    if found is None or not _inherited(cls, found[2]):
        return None
    call, name = found[1], found[2]
    if name == "legal_actions" and _inherited(cls, "actions"):
        call, name = "actions(s)", "actions"  # what Game's own `actions` asks for, where rules have neither
    near = difflib.get_close_matches(name, _own_functions(cls), n=1)
    hint = f"; did you mean your `{near[0]}`?" if near else ": rules have to say it"
    return f"{cls.__name__} has no {call}{hint}"


def _inherited(cls: type[Game], name: str) -> bool:
    return getattr(cls, name, None) is getattr(Game, name, Any)


def _own_functions(cls: type[Game]) -> list[str]:
    """The functions of the rules that the contract has no name for."""
    return [
        name
        for part in cls.__mro__
        if part is not Game and issubclass(part, Game)
        for name, value in vars(part).items()
        if callable(value) and not hasattr(Game, name)
    ]


__all__ = ["missing_function"]
