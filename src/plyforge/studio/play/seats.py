"""Who sits where: people and algorithms as a page describes them, kept within limits and away from files.

    human    random    best:seconds=1    alpha_beta:depth=6    uct:simulations=2000    mixed:share=0.5,nodes=300

These are the texts of `plyforge.play.parse_player`. Those that would read a file (a saved strategy, a learned model, a
database, an agent) or start a program are refused: a page names no paths.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from plyforge.contract import Game, defines
from plyforge.errors import BadLimits, PlyforgeError
from plyforge.evaluate.installed import INSTALLED
from plyforge.evaluate.ntuples import NTUPLES
from plyforge.play.compile import code_of
from plyforge.play.engine import strongest
from plyforge.play.players.engines import engines
from plyforge.play.players.ladder import rungs_of
from plyforge.play.players.player import Human, Player
from plyforge.play.players.search_player import MixedPlayer, SearchPlayer
from plyforge.play.players.spec import PROGRAMS, explicit, parse_player
from plyforge.search import AT_ONCE, BEST, HIDDEN, MONTE_CARLO, PATHS, searches
from plyforge.studio.analyse.algorithms import algorithms as described
from plyforge.studio.server import limits

NETWORKS = (NTUPLES, INSTALLED, "own")
"""Networks that have a name; any other text is a file's."""
FILES = re.compile(
    rf"^\s*(strategy|model|safe_response|{'|'.join(PROGRAMS)})\b|\b(against|database)\s*=|\bnetwork\s*="
    rf"(?!\s*({'|'.join(NETWORKS)})\s*(,|$))",
    re.IGNORECASE,
)
"""What would read a file that is named, or start a program."""
LONGEST = 200
"""Letters of a description."""
HINT_SECONDS = 1.0

ABOUT = {
    "best": "the strongest search for this game",
    "random": "any legal action",
}
"""What an algorithm does, where its name does not say it."""


@dataclass
class Seat:
    """One player's place at the table."""

    text: str
    """As `parse_player` reads it."""
    player: Player | Human
    native: bool | None = None
    """The speed that it was made for."""
    label: str = ""
    """What people call it."""
    mind: Player | Human | None = None
    """Who chooses for it at the moment, where that is not the player as described: with the time that a clock
    leaves."""

    @property
    def human(self) -> bool:
        return isinstance(self.player, Human)


def seat_of(game: Game, text: str, native: bool | None = None) -> Seat:
    """The seat that a text describes. Raises BadText, BadLimits or Unsuitable, in words."""
    if len(text) > LONGEST:
        raise BadLimits(f"a player is described in at most {LONGEST} letters")
    if FILES.search(text):
        raise BadLimits(
            f"{text[:60]!r} can't be had here: it would read a file or start a program. Play it with `plyforge play`"
        )
    text, named = explicit(text.strip(), game), text.strip()
    player = parse_player(text, game, native=native)
    search = player.skilled if isinstance(player, MixedPlayer) else player
    if isinstance(search, SearchPlayer):
        _bound(text, search)
    words = next((name for name, described in steps(game) if described == named), "")
    return Seat(text, player, native, words or _words(game, player))


def _words(game: Game, player: Player | Human) -> str:
    if isinstance(player, Human):
        return "a person"
    if isinstance(player, SearchPlayer):
        return player.words(game)
    return player.description.partition(":")[0]


def _bound(text: str, player: SearchPlayer) -> None:
    """Raise BadLimits where a player would take more than a page may ask for."""
    given = {"seconds": player.seconds, "nodes": player.nodes, "depth": player.depth} | dict(player.options)
    for name, bound in limits.CAPS.items():
        if given.get(name) is not None and given[name] > bound:
            raise BadLimits(f"{text!r}: {name} is at most {bound:g} here")


def stop(seat: Seat) -> None:
    """Let a seat that thinks come to an end; returns at once."""
    for player in (seat.mind, seat.player):
        if isinstance(player, Player):
            player.stop()


def using(seat: Seat) -> str | None:
    """The search behind a seat, as far as its compiled code goes; None for none at all."""
    search = seat.player.skilled if isinstance(seat.player, MixedPlayer) else seat.player
    return code_of(search) if isinstance(search, SearchPlayer) else None


def steps(game: Game) -> list[tuple[str, str]]:
    """Named steps from beginner to full strength, each with its description: the rungs of the game's ladder, and more
    time than they have; in other games steps that nobody has measured."""
    rungs = rungs_of(game)
    if rungs:
        return [*((rung.name, rung.player) for rung in rungs), ("Eight seconds a move", f"{BEST}:seconds=8")]
    if game.hidden_information and defines(game, "legal_actions"):
        return [("At random", "random")]  # no search plays such games yet
    best = strongest(game)
    if best in AT_ONCE | HIDDEN:
        early = [f"{best}:simulations=10", f"{best}:simulations=100", f"{best}:simulations=1000"]
    elif best in PATHS:
        return [("Wanders", "random"), ("Finds the way", f"{BEST}:seconds=2")]
    elif best in MONTE_CARLO:
        early = [f"{best}:simulations=10", f"{best}:simulations=60", f"{best}:simulations=400"]
    else:
        early = ["mixed:share=0.4,nodes=60", "mixed:share=0.75,nodes=400", f"{best}:nodes=1500"]
    names = ("Beginner", "Casual", "Steady", "Strong", "Expert", "Full strength")
    return list(zip(names, [*early, *(f"{BEST}:seconds={seconds}" for seconds in (0.5, 2, 8))], strict=True))


def algorithms(game: Game) -> list[dict[str, Any]]:
    """Every algorithm that is sound for the game, with the limits that it takes."""
    found: list[dict[str, Any]] = []
    every = described()
    for name in (BEST, "random", *searches()):
        if FILES.search(name):
            continue
        try:
            parse_player(name, game, native=False)
        except PlyforgeError:
            continue
        real = strongest(game) if name == BEST else name
        takes = ["seconds"] if real in PATHS else ["seconds", "depth", "nodes"]
        if real in MONTE_CARLO | AT_ONCE | HIDDEN:
            takes = ["seconds", "simulations"]
        known = every.get(name)
        found.append(
            {
                "name": name,
                "title": name if known is None else known.title,
                "takes": [] if name == "random" else takes,
                "about": ABOUT.get(name, "" if known is None else known.search.says()),
                "settings": [] if known is None else [each.to_json() for each in known.own_settings(game)],
            }
        )
    for named in engines().values():
        if named.plays(game):
            about = f"a program of yours, over {named.protocol}"
            found.append({"name": named.name, "title": named.name, "takes": [], "about": about, "settings": []})
    return found


__all__ = ["HINT_SECONDS", "Seat", "algorithms", "rungs_of", "seat_of", "steps", "stop", "using"]
