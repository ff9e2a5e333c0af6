"""Actions that a game's past forbids, in a tree: where the rules say that no board may come back (`forbids_repeats`), an action that brings one back is none.

A node of a tree has one way to it, so whether its board was there before, on that way or in the game so far, is settled when it is first looked at.
One that was there counts as the worst that can happen to whoever moved there, and as proven: since nobody goes there any more, that is the same as not having the action, as
long as there is another one. The choice at the root leaves such actions out altogether.

An action that leaves the board as it is, a pass, is allowed. Rollouts don't look back.
"""

from __future__ import annotations

from typing import Any

from plyforge.game import MAX, other_side
from plyforge.kernel import inline, word
from plyforge.kernel.function import where


@inline
def without_past(game: Any, memory: Any, s: Any, ply: int) -> None:
    pass


@where("forbids_repeats", otherwise=without_past)
def note_board(game: Any, memory: Any, s: Any, ply: int) -> None:
    """Remember the board at this ply of the simulation."""
    memory.boards[memory.past + ply] = word(game.board_key(s))


@inline
def never(game: Any, memory: Any, ply: int) -> bool:
    return False


@where("forbids_repeats", otherwise=never)
def brings_back(game: Any, memory: Any, ply: int) -> bool:
    """True if the board at this ply was there before: nobody may move there."""
    place = memory.past + ply
    key = memory.boards[place]
    if ply > 0 and memory.boards[place - 1] != key:
        for earlier in range(place - 1):
            if memory.boards[earlier] == key:
                return True
    return False


@inline
def forfeit(game: Any, memory: Any, loser: int) -> None:
    """The outcome is the worst that can happen to a player."""
    for player in range(game.players):
        memory.outcome[player] = float(game.highest)
    memory.outcome[loser] = float(game.lowest)
    if memory.tupled == 0 and game.players == 2:
        memory.outcome[MAX] = float(game.lowest) if loser == MAX else float(game.highest)
        memory.outcome[1 - MAX] = other_side(game, memory.outcome[MAX])
