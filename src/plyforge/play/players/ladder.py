"""Opponents of ours from beginner to full strength, for games in which many want to know where they stand.

    ladder("connect4")                 [Rung("Beginner", "mixed:share=0.3,nodes=60", -779, 102), ...]
    parse_player("ladder:casual", game)     the player on the rung of that name

Rungs are limited by nodes or simulations, so a rung is as strong on any machine, and its rating can be measured:
`benchmarks/ladder.py` plays the tournament, in which each meets the two above it. Ratings are those of Bradley and
Terry with 95 % intervals, 0 the mean of a game's ladder; they say nothing of other games, nor of other programs. No
rating stands here that nobody has measured.
"""

from __future__ import annotations

from typing import NamedTuple

from plyforge.contract import Game
from plyforge.errors import BadText
from plyforge.evaluate.weighted import game_name
from plyforge.games import load

LADDER = "ladder"
"""What a description of a rung begins with: `ladder:casual`."""
NAMES = ("Beginner", "Novice", "Casual", "Steady", "Strong", "Expert", "Master", "Full strength")


class Rung(NamedTuple):
    """An opponent by a name that says how strong it is."""

    name: str
    """Empty for one that only stands between others while they are measured: neighbours are to win some games of each
    other."""
    player: str
    """As `parse_player` reads it."""
    elo: int | None = None
    """As measured; None: not yet."""
    error: int | None = None
    """Half of its 95 % interval."""

    @property
    def rating(self) -> str:
        """In words; empty where nobody has measured it."""
        return "" if self.elo is None else f"Elo {self.elo:+d} ± {self.error} in this ladder"

    @property
    def text(self) -> str:
        """How it is named among players."""
        return f"{LADDER}:{self.name.lower().replace(' ', '_')}"


def _rungs(*rows: tuple[str, int | None, int | None], between: tuple[str, ...] = ()) -> list[Rung]:
    names = iter(NAMES)
    return [Rung("" if player in between else next(names), player, elo, error) for player, elo, error in rows]


_LADDERS = {
    "chess": _rungs(
        ("mixed:share=0.3,nodes=60", -1681, 233),
        ("mixed:share=0.45,nodes=120", -1430, 208),
        ("mixed:share=0.6,nodes=200", -1268, 198),
        ("mixed:share=0.7,nodes=300", -1084, 187),
        ("mixed:share=0.8,nodes=500", -882, 177),
        ("mixed:share=0.87,nodes=700", -705, 170),
        ("mixed:share=0.92,nodes=1000", -537, 166),
        ("mixed:share=0.97,nodes=2000", -328, 161),
        ("mixed:share=0.99,nodes=2000", -241, 164),
        ("engine:nodes=120", -176, 163),
        ("engine:nodes=500", 279, 189),
        ("engine:nodes=1200", 482, 207),
        ("engine:nodes=3000", 899, 259),
        ("engine:nodes=7000", 1214, 301),
        ("engine:nodes=18000", 1574, 344),
        ("engine:nodes=42000", 1812, 361),
        ("engine:nodes=120000", 2072, 382),
        between=(
            "mixed:share=0.45,nodes=120",
            "mixed:share=0.7,nodes=300",
            "mixed:share=0.87,nodes=700",
            "mixed:share=0.97,nodes=2000",
            "mixed:share=0.99,nodes=2000",
            "engine:nodes=120",
            "engine:nodes=1200",
            "engine:nodes=7000",
            "engine:nodes=42000",
        ),
    ),
    "othello": _rungs(
        ("mixed:share=0.3,nodes=60", -1054, 194),
        ("mixed:share=0.6,nodes=200", -715, 153),
        ("mixed:share=0.8,nodes=500", -470, 128),
        ("mixed:share=0.92,nodes=1000", -103, 103),
        ("engine:nodes=500", 187, 105),
        ("engine:nodes=4000", 472, 116),
        ("engine:nodes=30000", 757, 131),
        ("engine:nodes=250000", 927, 146),
    ),
    "connect4": _rungs(
        ("mixed:share=0.3,nodes=60", -779, 102),
        ("mixed:share=0.8,nodes=300", -538, 79),
        ("uct:simulations=30", -226, 56),
        ("uct:simulations=80", -19, 52),
        ("uct:simulations=300", 178, 51),
        ("uct:simulations=1200", 332, 53),
        ("engine:nodes=5000", 407, 59),
        ("engine:nodes=250000", 645, 76),
    ),
}
"""Searches that play anything now and then stand below: one that sees little still makes no simple mistakes. In Connect
Four simulations fill what lies between them and the engine, 700 Elo; in chess rungs without names do. As measured with
100 games of each pairing in Connect Four, 60 in Othello, 40 in chess, where errors add up over the longer way."""
GAMES = tuple(_LADDERS)


def measured(game: str) -> list[Rung]:
    """All rungs for a game by its name, the weakest first, with those that only stand between. Raises BadText for a
    game without a ladder."""
    if game not in _LADDERS:
        raise BadText(f"there is no ladder for {game[:40]!r}; there is one for {', '.join(_LADDERS)}")
    return _LADDERS[game]


def ladder(game: str) -> list[Rung]:
    """The rungs with names. Raises BadText."""
    return [rung for rung in measured(game) if rung.name]


def rungs_of(game: Game) -> list[Rung]:
    """The rungs with names for a game as it usually is; none for any other, of which the ratings say nothing."""
    name = game_name(game)
    return ladder(name) if name in GAMES and load(name) == game else []


def is_rung(text: str) -> bool:
    """True if a description begins with `ladder`."""
    return text.strip().partition(":")[0].strip().lower() == LADDER


def rung_player(text: str, game: Game) -> str:
    """The player that `ladder:casual` stands for. Raises BadText."""
    wanted = text.partition(":")[2].strip().lower().replace(" ", "_")
    rungs = {rung.text.partition(":")[2]: rung for rung in rungs_of(game)}
    if not rungs:
        raise BadText(f"{text!r} is not a player of this game: there are ladders for {', '.join(GAMES)}")
    if wanted not in rungs:
        offered = "; ".join(f"{rung.text}, {rung.rating}" for rung in rungs.values())
        raise BadText(f"{text!r} is not a player: there are {offered}")
    return rungs[wanted].player


def rung_of(game: Game, player: str) -> Rung | None:
    """The rung on which a player described by text stands, whatever its seed; None if on none."""
    kind, _, said = player.partition(":")
    plain = ",".join(part for part in said.split(",") if not part.startswith("seed="))
    return next((rung for rung in rungs_of(game) if rung.player == f"{kind}:{plain}"), None)


__all__ = ["GAMES", "LADDER", "Rung", "is_rung", "ladder", "measured", "rung_of", "rung_player", "rungs_of"]
