"""What an evaluation of Pacman adds up: named features, seen from Pacman.

    points          the score so far: dots and caught ghosts, less the steps
    food left       dots and pellets that he has not eaten
    nearest food    steps to the nearest dot or pellet
    nearest ghost   steps to the nearest ghost that hunts him, NEAR at most
    all ghosts      steps to every ghost that hunts him, added up
    prey            under power: how many steps the nearest ghost that can be reached in time is nearer than NEAR
    room            squares that he reaches before any ghost that hunts him, ROOMY at most: fewer, and he is nearly
                    caught

A score that knows points only can't tell two ways apart that eat the same dot within its horizon: with it Pacman
starves. The weights are in `weights/pacman.json`.
"""

from __future__ import annotations

from typing import Any

from plyforge.evaluate.weighted import WeightedEncoding
from plyforge.games.pacman.maze import FAR
from plyforge.kernel import kernel, lowest, popcount

NAMES = ("points", "food left", "nearest food", "nearest ghost", "all ghosts", "prey", "room")
NEAR = 6
"""Ghosts farther away than this are no danger at present."""
ROOMY = 8
"""With so many squares to himself Pacman is not shut in."""


@kernel
def nearest_food(game: Any, s: Any) -> Any:
    """Steps to the nearest dot or pellet; 0 if all are eaten."""
    nearest, left = FAR, s.food
    while left:
        bit = lowest(left)
        left &= left - 1
        nearest = min(nearest, game.distance[s.pacman, game.food_squares[bit]])
    return nearest if s.food else 0


@kernel
def room(game: Any, s: Any) -> Any:
    """Squares that Pacman reaches before any ghost that is awake, or as soon as it if he is to move."""
    number = 0
    for square in range(game.squares):
        mine = game.distance[s.pacman, square]
        first = mine < FAR
        for ghost in range(game.ghosts):
            if not s.caught >> ghost & 1 and first:
                theirs = game.distance[s.ghosts >> 8 * ghost & 255, square]
                first = mine < theirs or theirs == FAR
        if first:
            number += 1
    return number


@kernel
def features(game: Any, s: Any) -> Any:
    """The features in the order of NAMES."""
    near, together, prey = NEAR, 0, 0
    for ghost in range(game.ghosts):
        if not s.caught >> ghost & 1:
            steps = game.distance[s.ghosts >> 8 * ghost & 255, s.pacman]
            if s.power > 0:
                if steps <= s.power:
                    prey = max(prey, NEAR - steps)
            elif steps < FAR:
                near = min(near, steps)
                together += steps
    free = ROOMY if s.power > 0 else min(ROOMY, room(game, s))
    return (
        float(game.points(s)),
        float(popcount(s.food)),
        float(nearest_food(game, s)),
        float(near),
        float(together),
        float(prey),
        float(free),
    )


class PacmanEncoding(WeightedEncoding):
    """What a weighted sum may judge a state by; rivals ask it for Pacman's part."""

    name = "pacman"
    feature_names = NAMES

    def features(self, game: Any, s: Any) -> tuple[float, ...]:
        found: tuple[float, ...] = features(game, s)
        return found


ENCODING = PacmanEncoding()
