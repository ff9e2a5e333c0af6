"""Repetition: a line of play that comes back to a state has got nowhere, and counts as a draw.

A state has no past, so the search keeps the keys of the states on its way from the root, and before them those of the
game so far. Whoever comes back to one of them could do so again, until the rules of play call it a draw
(`draw_reason`). So the first return is worth the middle of the bounds. That is an estimate and proves nothing: what the
engine calls exact does not rest on it. Only games whose `history` says `repetition` pay for this.

Where the rules forbid that (`superko`), an action that brings an earlier board back is no action at all. What a node is
worth may then hang on the way to it. Such a value is not kept in the table: `memory.reach` tells how far back on the
way the subtree of a node has met a board that was there before.

Known limit: the table keeps values without the way to them, so a draw by repetition on one way may be taken for one on
another (the graph history interaction problem; Campbell, "The graph-history interaction", 1985); and what was kept of a
subtree that forbade nothing is used again on ways where it would.
"""

from __future__ import annotations

from plyforge.kernel import inline, word
from plyforge.kernel.function import where

PAST = 200
"""So many states of the game so far are remembered."""


@inline
def never_back(game, memory, state, ply):
    return False


@where("history.repetition", otherwise=never_back)
def came_back(game, memory, state, ply):
    """True if the state was met before, on the way to it or in the game so far. Notes it for those below."""
    key = word(game.key(state))
    place = memory.past + ply
    memory.path[place] = key
    if ply > 0:
        for earlier in range(max(0, place - game.history.reversible_plies(game, state)), place):
            if memory.path[earlier] == key:
                return True
    return False


@inline
def goes_on(game, state):
    return False


@where("history.rule_draw", otherwise=goes_on)
def is_rule_draw(game, state):
    """True if the rules of play call the state a draw, whatever led to it. Likewise an estimate."""
    return game.history.rule_draw(game, state)


@inline
def allowed(game, memory, state, ply):
    return False


@where("history.superko", otherwise=allowed)
def brings_back(game, memory, state, ply):
    """True if the board was there before, on the way to it or in the game so far: nobody may move there. Otherwise
    it is noted for those below."""
    key = word(game.history.superko_key(game, state))
    place = memory.past + ply
    memory.path[place] = key
    if ply > 0 and memory.path[place - 1] != key:
        for earlier in range(place - 1):
            if memory.path[earlier] == key:
                memory.reach[ply - 1] = min(memory.reach[ply - 1], earlier)
                return True
    return False
