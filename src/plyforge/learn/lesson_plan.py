"""What is learned of a game, and how: whether the method allows it at all, which one by default, and the settings of a
run, each declared once."""

from __future__ import annotations

from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadLimits, Unsuitable
from plyforge.search.core.requirements import HIDDEN, TWO_PLAYERS, TWO_PLAYERS_NO_CHANCE, unbounded

METHODS = {
    "td": "temporal differences: games one ply deep, many of them; any game, dice too",
    "tree": "search values of the engine as targets, at the root and inside the tree; games without chance",
    "puct": "tree search by value and policy, taught by itself, at first by UCT; games without chance",
}
SETTINGS: dict[str, tuple[float, float, float]] = {
    "rate": (1.0, 1e-4, 10.0),
    "trace": (0.6, 0.0, 1.0),
    "explore": (0.1, 0.0, 1.0),
    "opening": (4, 0, 100),
    "walks": (64, 0, 1000),
    "seed": (1, 0, 2**62),
    "nodes": (300, 10, 1_000_000),
    "think": (200, 1, 1_000_000),
    "outcome": (0.3, 0.0, 1.0),
    "completed": (0.0, 0.0, 1.0),
}
"""Of a run: the default, and the least and the most."""


def require_learnable(game: Game) -> None:
    """Raise Unsuitable, with the reason, where no network can be learned."""
    name = type(game).__name__
    if game.hidden_information:
        raise Unsuitable(
            f"nothing can be learned for {name} by games against itself: {HIDDEN}, and a network judges states. Use"
            " 'is_mcts', which needs no estimate, or `plyforge solve` for a small game"
        )
    if game.players != 2:
        raise Unsuitable(
            f"nothing can be learned for {name}: a network learns games of two players, not {game.players}"
        )
    missing = TWO_PLAYERS.missing(game) or unbounded(game)
    if missing:
        raise Unsuitable(
            f"nothing can be learned for {name}: {missing}. A network learns games of two players who move one after"
            " the other, where one wins what the other loses"
        )


def no_inputs(game: Game) -> Unsuitable:
    """What to say where nothing is found in the states."""
    return Unsuitable(
        f"nothing can be learned for {type(game).__name__}: its states hold sets, dicts, sequences whose length varies,"
        " or nothing that varies. Write them as NamedTuples of numbers and tuples of fixed length"
    )


NETS = {"tuples": "td", "units": "tree", "policy": "puct", "conv": "puct"}
"""Kinds of networks, and the method that learns each."""


def default_method(game: Game, net: str | None = None) -> str:
    """Where nobody says: what learns the network that was asked for. Else games one ply deep: they are a thousand times
    as many, for any game, dice too."""
    return NETS.get((net or "tuples").partition(":")[0], "td")


def reason(game: Game, method: str | None, net: str | None, before: dict[str, Any]) -> str:
    """In a sentence: by what method is learned, and why."""
    if before:
        return f"it goes on as it began, by {before.get('method')}"
    if method is not None:
        return f"by {method}, as was asked for: {METHODS[method]}"
    if net is not None:
        return f"by {default_method(game, net)}, which learns networks like {net}"
    why = "its dice are no hindrance to games one ply deep" if game.has_chance else "thousands of games one ply deep"
    more = "" if game.has_chance else "; --method tree learns from the engine's searches, puct from tree searches"
    return f"by td: {why}{more}"


def require_method(game: Game, method: str, net: str | None = None) -> None:
    """Raise Unsuitable where a method is not for this game, BadLimits where it does not learn such a network."""
    if method not in METHODS:
        raise BadLimits(f"there is no method {method!r}; there are {', '.join(METHODS)}")
    if net is not None and NETS.get(net.partition(":")[0]) != method:
        own = next(kind for kind, learns in NETS.items() if learns == method)
        raise BadLimits(f"the method {method} learns no network {net!r}, but {own}{':N' if own != 'tuples' else ''}")
    if method != "td":
        missing = TWO_PLAYERS_NO_CHANCE.missing(game)
        if missing:
            raise Unsuitable(f"the method {method} is not for {type(game).__name__}: {missing}. Use --method td")


def checked_settings(given: dict[str, Any]) -> dict[str, Any]:
    """All settings, those that were not given by default. Raises BadLimits."""
    found: dict[str, Any] = {}
    for name, (default, least, most) in SETTINGS.items():
        value = given.get(name)
        value = default if value is None else value
        if not least <= value <= most:
            raise BadLimits(f"{name} is {value:g}; it must be from {least:g} to {most:g}")
        found[name] = int(value) if isinstance(default, int) else float(value)
    unknown = set(given) - set(SETTINGS)
    if unknown:
        raise BadLimits(f"there is no setting {min(unknown)!r}; there are {', '.join(SETTINGS)}")
    return found


__all__ = [
    "METHODS",
    "SETTINGS",
    "checked_settings",
    "default_method",
    "no_inputs",
    "reason",
    "require_learnable",
    "require_method",
]
