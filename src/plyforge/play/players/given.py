"""Players of a contest as they are given: text, an object, a search, or a function of a state.

What text can describe is text: it plays in any process, and its record can be gone on with anywhere. Everything else is
somebody's own object, which stays in this process.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple

from plyforge.contract import Game
from plyforge.errors import BadText, PlyforgeError
from plyforge.evaluate import OwnEvaluation
from plyforge.play.players.player import Human, Player, RandomPlayer, StrategyPlayer
from plyforge.play.players.programs import KINDS, program_player
from plyforge.play.players.programs.agent import PYTHON
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.players.spec import parse_player
from plyforge.search import Clock, Search


class Given(NamedTuple):
    """A player of a contest."""

    text: str
    """Its description; for an object that has none, a name."""
    player: Player | None = None
    """The object, where text is not enough."""


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
    player = as_player(player)
    if isinstance(player, (Human, RandomPlayer)) or (isinstance(player, SearchPlayer) and _is_described(player, game)):
        return Given(player.description)
    if isinstance(player, SearchPlayer):
        own = [name for name in ("evaluate", "policy") if getattr(player, name) is not None]
        return Given(player.description + (f" with {' and '.join(own)} of its own" if own else ""), player)
    return Given(player.description, player)


def as_player(player: Any) -> Player | Human:
    """The player that an object is: a Player, a Search, anything with choose(game, state), a function of a state.
    Raises BadText."""
    if isinstance(player, (Player, Human)):
        return player
    if isinstance(player, Search):
        return _searching(player)
    if isinstance(player, type):
        raise BadText(f"{player.__name__} is a class; a player is an object of it: {player.__name__}()")
    name = getattr(player, "description", None) or getattr(player, "__name__", type(player).__name__)
    if any(callable(getattr(player, verb, None)) for verb in ("choose", "move")) or callable(player):
        return StrategyPlayer(player, str(name))
    raise BadText(
        f"{player!r} is no player: give a description such as 'uct:seconds=0.1', an object with choose(game, state), or"
        " a function of a state"
    )


def contestant(
    given: str | Given,
    game: Game,
    *,
    seconds: float | None = None,
    clock: Clock | None = None,
    native: bool | None = None,
) -> Player:
    """Who sits down to play games of a contest: whoever a text describes, or a copy of an object, which learns and
    draws by itself. `seconds` and `clock` are the contest's: for players with no limits of their own."""
    given = Given(given) if isinstance(given, str) else given
    if given.player is not None:
        return copy.copy(given.player)
    text = given.text.strip()
    program = program_player(text, game, seconds=seconds, clock=clock)
    if program is not None:
        return program
    default = seconds if clock is None else clock.remaining
    programs = [f"{begin}{'FILE:CLASS' if begin == PYTHON else 'COMMAND'}" for begin in KINDS]
    player = parse_player(text, game, seconds=default, native=native, seed=1, further=programs, resigns=True)
    if isinstance(player, Human):
        raise BadText(
            "a person can't play in a match: plyforge play is for that. Name an algorithm, or a program as in"
            " gtp:COMMAND or uci:COMMAND"
        )
    if isinstance(player, SearchPlayer) and default is not None and player.seconds == default:
        own = player.depth is not None or player.nodes is not None or "simulations" in player.options
        if not own:
            player.limited, player.seconds = False, None
    return player


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
    fields = ("depth", "nodes", "seconds", "resign", "draw")
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


__all__ = ["Given", "as_player", "contestant", "given_player", "given_players"]
