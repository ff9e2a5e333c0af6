"""Which name was meant: searches and their parameters under the names that other books and programs give them.

Nothing is taken for another thing silently: whoever writes "mcts" is told of "uct", and chooses. What a search or a
parameter is called elsewhere stands where it is declared (registry.py).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from plyforge.search.registry import aliases, parameter_aliases


def nearest(name: str, known: Iterable[str], elsewhere: Mapping[str, str] | None = None) -> str | None:
    """The one of `known` that is probably meant by `name`; None if nothing comes near. `elsewhere`: what they are
    called in other places; by default that of searches."""
    known, elsewhere = list(known), aliases() if elsewhere is None else elsewhere
    plain = _plain(name)
    for each in known:
        if _plain(each) == plain:
            return each
    if elsewhere.get(plain) in known:
        return elsewhere[plain]
    near = difflib.get_close_matches(plain, [_plain(each) for each in known], n=1, cutoff=0.7)
    return next((each for each in known if near and _plain(each) == near[0]), None)


def nearest_parameter(name: str, known: Iterable[str]) -> str | None:
    """The same for parameters."""
    return nearest(name, known, parameter_aliases() | {"compiled": "native"})


def no_such_search(name: str, known: Iterable[str]) -> str:
    """What to say to whoever names a search that there is not."""
    known = list(known)
    near = nearest(name, known)
    hint = "there" if near is None else f"did you mean {near!r}? There"
    return f"there is no search called {name!r}; {hint} are {', '.join(known)}"


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter not in " _-^.()")
