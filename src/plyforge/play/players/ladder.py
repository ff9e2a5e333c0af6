"""Opponents of ours from beginner to full strength, for games in which many want to know where they stand.

    ladder("chess")    [Rung("Beginner", "mixed:share=0.3,nodes=60"), ..., Rung("Full strength", "engine:...")]

Rungs are limited by nodes, so a rung is as strong on any machine, and its rating can be measured:
`benchmarks/ladder.py` plays the tournament. No rating stands here that nobody has measured.
"""

from __future__ import annotations

from typing import NamedTuple

from plyforge.errors import BadText


class Rung(NamedTuple):
    """An opponent by a name that says how strong it is."""

    name: str
    player: str
    """As `parse_player` reads it."""


NAMES = ("Beginner", "Novice", "Casual", "Steady", "Strong", "Expert", "Master", "Full strength")
_ERRING = ("mixed:share=0.3,nodes=60", "mixed:share=0.55,nodes=200", "mixed:share=0.8,nodes=500")
"""Searches that play anything now and then: one that sees little still makes no simple mistakes."""
_NODES = dict.fromkeys(("chess", "othello", "connect4"), (400, 2_000, 10_000, 50_000, 250_000))


def ladder(game: str) -> list[Rung]:
    """The rungs for a game by its name, the weakest first. Raises BadText for a game without a ladder."""
    if game not in _NODES:
        raise BadText(f"there is no ladder for {game[:40]!r}; there is one for {', '.join(_NODES)}")
    players = [*_ERRING, *(f"engine:nodes={nodes},seed=1" for nodes in _NODES[game])]
    return [Rung(name, player) for name, player in zip(NAMES, players, strict=True)]


GAMES = tuple(_NODES)

__all__ = ["GAMES", "Rung", "ladder"]
