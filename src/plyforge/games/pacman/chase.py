"""A state of Pacman: how the chase stands."""

from __future__ import annotations

from typing import NamedTuple


class Chase(NamedTuple):
    """How the chase stands."""

    food: int
    """The dots and pellets that are left, a bit each."""
    pacman: int
    """The square he is on."""
    ghosts: int
    """The squares they are on, a byte each, ghost A lowest."""
    power: int
    """Rounds of power left, this one included."""
    caught: int
    """The ghosts that sit in their dens until the power has gone, a bit each."""
    catches: int
    """How often a ghost was caught."""
    round: int
    """Rounds completed."""
    mover: int
    """Who moves: 0 is Pacman, then the ghosts."""
