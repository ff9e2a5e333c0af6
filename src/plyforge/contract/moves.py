"""The actions of a state as a list, whoever moves there."""

from __future__ import annotations

import itertools
from typing import Any

from plyforge.contract.players import CHANCE
from plyforge.errors import BadRules
from plyforge.kernel.compiling.asked import LISTING

MOST_LISTED = 1 << 20
"""Actions of one state that are listed: more would fill the memory, and no search looks at so many."""


def legal_moves(game: Any, s: Any) -> list[Any]:
    """All actions (at a chance node: all outcomes); none in a terminal state."""
    if game.terminal(s):
        return []
    if game.player(s) == CHANCE:
        return [outcome for outcome, _ in game.chance(s)]
    listed = list(itertools.islice(game.actions(s), MOST_LISTED + 1))
    if len(listed) > MOST_LISTED:
        raise BadRules(f"{type(game).__name__} has a state with more than {MOST_LISTED:,} actions: too many to list")
    return listed


LISTING[:] = [legal_moves]

__all__ = ["MOST_LISTED", "legal_moves"]
