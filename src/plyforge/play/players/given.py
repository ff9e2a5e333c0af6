"""Players of a contest as they are given: text, an object, a search, or a function of a state.

What text can describe is text: it plays in any process, and its record can be gone on with anywhere. Everything else is
somebody's own object, which stays in this process; of it only `choose(game, state)` is asked, and that it answers with
an action, or with a Choice.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from plyforge.contract import Game
from plyforge.errors import BadText, PlyforgeError
from plyforge.evaluate import OwnEvaluation
from plyforge.play.describe import parse_player
from plyforge.play.players.player import Choice, Human, Player, RandomPlayer, SearchPlayer, StrategyPlayer
from plyforge.search import Progress, Search


class Given(NamedTuple):
    """A player of a contest."""

    text: str
    """Its description; for an object that has none, a name."""
    player: Player | None = None
    """The object, where text is not enough."""


class OwnPlayer:
    """An object of somebody's own with `choose(game, state)`, as a player."""

    def __init__(self, chooser: Any, description: str) -> None:
        self._choose, self.description = chooser.choose, description
        self._takes_history = "history" in _parameters(chooser.choose)

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        history: Sequence[Any] = (),
    ) -> Choice:
        more = {"history": history} if self._takes_history else {}
        chosen = self._choose(game, state, **more)
        return chosen if isinstance(chosen, Choice) else Choice(chosen)


def given_players(players: Sequence[Any], game: Game) -> list[Given]:
    """The players of a contest, no two different objects with the same text. Raises BadText for what is no player."""
    found: list[Given] = []
    for number, player in enumerate(players):
        given = given_player(player, game)
        twins = [
            other
            for other, before in zip(found, players, strict=False)
            if other.text == given.text and before is not player
        ]
        if given.player is not None and twins:
            given = Given(f"{given.text} ({number + 1})", given.player)
        found.append(given)
    return found


def given_player(player: Any, game: Game) -> Given:
    """One of them."""
    if isinstance(player, str):
        from plyforge.play.players.engines import with_program

        return Given(with_program(player).strip())
    if isinstance(player, type):
        raise BadText(f"{player.__name__} is a class; a player is an object of it: {player.__name__}()")
    if isinstance(player, Search):
        player = _searching(player)
    if isinstance(player, (Human, RandomPlayer)) or (isinstance(player, SearchPlayer) and _is_described(player, game)):
        return Given(player.description)
    if isinstance(player, SearchPlayer):
        own = [name for name in ("evaluate", "policy") if getattr(player, name) is not None]
        return Given(player.description + (f" with {' and '.join(own)} of its own" if own else ""), player)
    if isinstance(player, Player):
        takes_all = "history" in _parameters(player.choose)
        return Given(player.description, player if takes_all else OwnPlayer(player, player.description))
    name = getattr(player, "__name__", type(player).__name__)
    if callable(getattr(player, "choose", None)):
        return Given(name, OwnPlayer(player, name))
    if callable(getattr(player, "move", None)) or callable(player):
        return Given(name, StrategyPlayer(player, name))
    raise BadText(
        f"{player!r} is no player: give a description such as 'uct:seconds=0.1', an object with choose(game, state), or"
        " a function of a state"
    )


def _is_described(player: SearchPlayer, game: Game) -> bool:
    """True if the player's text means the same player, with the same limits."""
    try:
        read = parse_player(player.description, game, resigns=True)
    except PlyforgeError:
        return False
    if not isinstance(read, SearchPlayer):
        return False
    silent = (
        player.evaluate is not None and not (player.network or player.bear_off),
        player.policy is not None and not player.against,
        player.native is not None,
    )
    fields = ("depth", "nodes", "seconds", "resign")
    same = all(getattr(read, name) == getattr(player, name) for name in fields)
    return same and dict(read.options) == dict(player.options) and not any(silent)


def _searching(search: Search) -> SearchPlayer:
    """Who plays what a search finds."""
    plain = type(search)()
    fields = (field.name for field in dataclasses.fields(search))
    options = {name: getattr(search, name) for name in fields if getattr(search, name) != getattr(plain, name)}
    evaluate = options.pop("evaluation", None)
    return SearchPlayer(
        search.name,
        evaluate=None if isinstance(evaluate, OwnEvaluation) else evaluate,
        policy=options.pop("policy", None),
        options=options,
    )


def _parameters(function: Any) -> Sequence[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


__all__ = ["Given", "OwnPlayer", "given_player", "given_players"]
