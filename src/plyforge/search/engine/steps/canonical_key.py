"""The canonical key under symmetry: one entry of the table serves a state and all its mirror images.

The key of a state is the smallest key among its images. Which action was best is remembered for the image that has that
key; in another image it would be another action, so there it is not told. Games without symmetries pay nothing.

Invariant: `symmetries(s)` gives all images or none, so all images of a state have one key.
"""

from __future__ import annotations

from plyforge.kernel import inline, word
from plyforge.kernel.function import where


@inline
def own_key(game, state):
    """The state's key, and that it is its own."""
    return word(game.key(state)), True


@where("heuristics.symmetries", otherwise=own_key)
def canonical_key(game, state):
    """The smallest key among a state and its images, and whether it is the state's own."""
    own = word(game.key(state))
    key = own
    for image in game.heuristics.symmetries(game, state):
        other = word(game.key(image))
        if other < key:
            key = other
    return key, key == own
