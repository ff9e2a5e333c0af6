"""A process that compiles one search of one game into the cache on disk, and ends: see `warm.py`.

    echo '{"game": "connect4", "using": "engine"}' | python -m plyforge.play.compile

Writes an object of JSON: `{"native": true}` if it is compiled, `{"native": false, "why": "..."}` if the rules can't be.
With `"contest": true` in the request it finds out instead who plays the game best: nobody who waits for compiled code
waits for that.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from plyforge.contract import Game
from plyforge.errors import PlyforgeError
from plyforge.games import load
from plyforge.play.engine import Engine
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.players.spec import parse_player
from plyforge.search.core.parameters import parameters_of
from plyforge.search.registry import searches

NICE = 5
"""How far this work stands back behind the person who plays meanwhile."""
BRIEFLY = 0.01
"""Seconds of the search that is run to have it compiled; compiling is not counted."""


def code_of(player: SearchPlayer) -> str | None:
    """The search of a player, by its name and by those of its parameters that its compiled code depends on."""
    known = parameters_of(searches()[player.using]) if player.using in searches() else {}
    options = [f"{name}={value}" for name, value in player.options.items() if name in known and known[name].compiled]
    options += [f"network={player.network}"] if player.network else []
    return f"{player.using}:{','.join(options)}" if options and player.using else player.using


def compile_search(game: Game, using: str | None) -> tuple[bool, str]:
    """Search the start for a moment, compiled if that can be: afterwards it is. Whether it is, and if not why."""
    from plyforge.search import hearing_of_fall_backs

    reasons: list[str] = []
    with hearing_of_fall_backs(reasons.append):
        if using is not None and ":" in using:
            player = parse_player(using, game)
            assert isinstance(player, SearchPlayer)
            engine = player.engine(game)
        else:
            engine = Engine(game, using)
        engine.start(seconds=BRIEFLY)
        found = engine.wait()
        if found.native:
            engine.make_ready()
    return found.native, reasons[0] if reasons else ""


def wants_contest(game: Game, using: str | None) -> bool:
    """True where nobody knows yet who plays these rules best; the next game is played by the winner of a contest."""
    from plyforge.search import BEST, choose
    from plyforge.search.contest import undecided

    chosen = choose(game)
    return using in (None, BEST, chosen.search.name) and chosen.contested and undecided(game)


def main() -> None:
    """Read a request from standard input, do it, answer on standard output."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    request: dict[str, Any] = json.loads(sys.stdin.read())
    try:
        game = load(request["game"])
        if request.get("contest"):
            from plyforge.search.contest import hold

            hold(game)
            return
        native, why = compile_search(game, request["using"])
    except PlyforgeError as error:
        native, why = False, str(error)
    print(json.dumps({"native": native, "why": why}))


if __name__ == "__main__":
    main()
