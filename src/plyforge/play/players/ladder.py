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
_ERRING = (
    "mixed:share=0.3,nodes=60,seed=1",
    "mixed:share=0.6,nodes=200,seed=1",
    "mixed:share=0.8,nodes=500,seed=1",
    "mixed:share=0.92,nodes=1000,seed=1",
)
"""Searches that play anything now and then: one that sees little still makes no simple mistakes."""
_RUNGS = {
    "chess": (*_ERRING, *(f"engine:nodes={nodes},seed=1" for nodes in (500, 3_000, 18_000, 100_000))),
    "othello": (*_ERRING, *(f"engine:nodes={nodes},seed=1" for nodes in (500, 4_000, 30_000, 250_000))),
    "connect4": (
        "mixed:share=0.3,nodes=60,seed=1",
        "mixed:share=0.8,nodes=300,seed=1",
        *(f"uct:simulations={number},seed=1" for number in (30, 80, 300, 1_200)),
        *(f"engine:nodes={nodes},seed=1" for nodes in (5_000, 250_000)),
    ),
}
"""Neighbours are to win some games of each other: between the textbook's search and the engine of Connect Four lie 700
Elo, which simulations fill."""


def ladder(game: str) -> list[Rung]:
    """The rungs for a game by its name, the weakest first. Raises BadText for a game without a ladder."""
    if game not in _RUNGS:
        raise BadText(f"there is no ladder for {game[:40]!r}; there is one for {', '.join(_RUNGS)}")
    return [Rung(name, player) for name, player in zip(NAMES, _RUNGS[game], strict=True)]


GAMES = tuple(_RUNGS)

__all__ = ["GAMES", "Rung", "ladder"]
