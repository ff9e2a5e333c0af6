"""All searches by their names. A search is here as soon as its class is defined with a `name`; nobody lists it.

    searches()["uct"]    of_kind("sampling")    "uct" in MONTE_CARLO    meant("mcts")   which is 'uct'

A search says of itself what faces need to know: its kind (`kind`), what it needs of a game (`needs`, `unsuited`), what
it is called elsewhere (`aliases`), how people call it (`title`), what it does (`says`), and its parameters, as fields
(`core/parameters.py`).

`plyforge.search` imports the modules of all searches, in the order in which they are shown: the one list there is.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from plyforge.errors import Unsuitable
from plyforge.search.core.limits import Limits
from plyforge.search.core.parameters import Parameter, parameters_of, written_parameters

if TYPE_CHECKING:
    from plyforge.search.core.base import Search

TEXTBOOK, SAMPLING, SIMULTANEOUS, HIDING, PATH = "textbook", "sampling", "simultaneous", "hidden", "paths"
KINDS = {
    TEXTBOOK: "Searches depth by depth",
    SAMPLING: "Searches that sample",
    SIMULTANEOUS: "Searches for simultaneous moves",
    HIDING: "Searches for hidden information",
    PATH: "Searches for one player",
}
"""The kinds of searches, with a heading for each."""

_searches: dict[str, type[Search]] = {}
_in_order: list[dict[str, type[Search]]] = []
"""The same, kind after kind, once somebody has asked."""


def register(cls: type[Search]) -> None:
    """Know a search by its name. A class of that name in the same module is the same search, defined anew."""
    before = _searches.get(cls.name)
    if before is not None and (before.__module__, before.__qualname__) != (cls.__module__, cls.__qualname__):
        raise Unsuitable(
            f"there is a search called {cls.name!r} already, in {before.__module__}: call {cls.__qualname__} otherwise"
        )
    _searches[cls.name] = cls
    _in_order.clear()


def forget(name: str) -> None:
    """Know a search no longer."""
    _searches.pop(name, None)
    _in_order.clear()


def searches() -> dict[str, type[Search]]:
    """All searches, by name: kind after kind."""
    for known in _in_order:
        return known.copy()
    found = {name: cls for kind in KINDS for name, cls in _searches.items() if cls.kind == kind}
    _in_order.append(found)
    return found.copy()


def of_kind(*kinds: str) -> dict[str, type[Search]]:
    """The searches of these kinds, by name."""
    return {name: cls for name, cls in searches().items() if cls.kind in kinds}


class OfKind(Mapping[str, "type[Search]"]):
    """The searches of one kind, as they are at any time."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __getitem__(self, name: str) -> type[Search]:
        cls = _searches[name]
        if cls.kind != self.kind:
            raise KeyError(name)
        return cls

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, cls in _searches.items() if cls.kind == self.kind])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __or__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**self, **other}

    def __ror__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**other, **self}


SEARCHES = OfKind(TEXTBOOK)
"""Searches depth by depth: the textbook's, and the engines."""
MONTE_CARLO = OfKind(SAMPLING)
"""Searches that sample: their answers are estimates with standard errors, unless proven."""
AT_ONCE = OfKind(SIMULTANEOUS)
"""Searches that sample games in which players choose at the same time: their answers are mixes."""
HIDDEN = OfKind(HIDING)
"""Searches for games of hidden information: they are shown what a player sees."""
PATHS = OfKind(PATH)
"""Searches for one player: the path whose end is worth most, less what it costs."""


def takers(parameter: str) -> list[str]:
    """The searches that have a parameter of this name."""
    return [name for name, cls in searches().items() if parameter in parameters_of(cls)]


def all_parameters() -> dict[str, list[tuple[str, Parameter]]]:
    """Every parameter that text can give, by its name, with the searches that have it and what it is there."""
    found: dict[str, list[tuple[str, Parameter]]] = {}
    for name, cls in searches().items():
        for each in written_parameters(cls):
            found.setdefault(each.name, []).append((name, each))
    return found


def aliases() -> dict[str, str]:
    """What searches are called elsewhere, in small letters and nothing between them; ours that comes nearest."""
    return {alias: name for name, cls in searches().items() for alias in vars(cls).get("aliases", ())}


def parameter_aliases() -> dict[str, str]:
    """The same for parameters."""
    found: dict[str, str] = {"evaluation": "evaluate"}
    for cls in (Limits, *searches().values()):
        for each in parameters_of(cls).values():
            for alias in (*each.elsewhere, *each.formerly):
                found.setdefault(alias, "evaluate" if each.name == "evaluation" else each.name)
    return found


def parameter_list(between: str = "\n") -> str:
    """The searches with the names of their parameters, for `pf.search`: those that have the same in one line."""
    alike: dict[str, list[str]] = {}
    for name, cls in searches().items():
        named = ", ".join(key for key, each in parameters_of(cls).items() if key != "evaluation" and not each.internal)
        if named:
            alike.setdefault(named, []).append(name)
    lines = [f"{', '.join(names)}: {named}" for named, names in alike.items()]
    return between.join(part for line in lines for part in textwrap.wrap(line, 112, subsequent_indent="    "))


def reference() -> str:
    """The table of the documents: every search with its parameters, as Markdown."""
    lines = []
    for kind, heading in KINDS.items():
        lines += [f"## {heading}", ""]
        for name, cls in of_kind(kind).items():
            says = textwrap.fill(cls.says(), 120, break_long_words=False, break_on_hyphens=False)
            lines += [f"### {name}", "", says, ""]
            rows = [
                f"| `{each.name}` | {each.reads.removeprefix('a ')} | {each.range} | {each.unit}"
                f" | {each.default_text} | {each.help} |"
                for each in written_parameters(cls)
            ]
            if rows:
                lines += ["| parameter | type | range | unit | default | |", "|---|---|---|---|---|---|", *rows, ""]
    return "\n".join(lines).rstrip() + "\n"


__all__ = [
    "AT_ONCE",
    "HIDDEN",
    "HIDING",
    "KINDS",
    "MONTE_CARLO",
    "PATH",
    "PATHS",
    "SAMPLING",
    "SEARCHES",
    "SIMULTANEOUS",
    "TEXTBOOK",
    "OfKind",
    "aliases",
    "all_parameters",
    "forget",
    "of_kind",
    "parameter_aliases",
    "parameter_list",
    "reference",
    "register",
    "searches",
    "takers",
]
