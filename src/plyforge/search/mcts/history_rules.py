"""What a game's past says in a tree: boards that may not come back, and states whose return is a draw.

A node of a tree has one way to it, so whether its board or state was there before, on that way or in the game so far,
is settled by looking at that way.

**Forbidden.** Where the rules say that no board may come back (`superko`), an action that brings one back is none.
A node whose board was there counts as the worst that can happen to whoever moved there, and as proven: since nobody
goes there any more, that is the same as not having the action, as long as there is another one. The choice at the root
leaves such actions out altogether. An action that leaves the board as it is, a pass, is allowed.

**Drawn.** Where play can come back (`repetition`), the first return counts as a draw, as in the engine
(`search/engine/steps/repetition.py`): whoever came back could do so again. So
does a state that the rules of play call a draw by itself (`rule_draw`). Such a node never gets children, and proves
nothing.

Rollouts don't look back.
"""

from __future__ import annotations

from typing import Any

from plyforge.contract import MAX, defines, drawn_payoffs, other_side, repetition_draws
from plyforge.kernel import inline, word
from plyforge.kernel.function import where
from plyforge.search.engine.steps.repetition import is_rule_draw


@inline
def without_past(game: Any, memory: Any, s: Any, ply: int) -> None:
    pass


@where("history.superko", otherwise=without_past)
def note_board(game: Any, memory: Any, s: Any, ply: int) -> None:
    """Remember the board at this ply of the simulation."""
    memory.boards[memory.past + ply] = word(game.history.superko_key(game, s))


@where(repetition_draws, otherwise=without_past)
def note_state(game: Any, memory: Any, s: Any, ply: int) -> None:
    """Remember the state at this ply of the simulation."""
    memory.boards[memory.past + ply] = word(game.key(s))


@inline
def note_past(game: Any, memory: Any, s: Any, ply: int) -> None:
    """Remember what may not come back, or is a draw if it does."""
    note_board(game, memory, s, ply)
    note_state(game, memory, s, ply)


@inline
def never(game: Any, memory: Any, ply: int) -> bool:
    return False


@where("history.superko", otherwise=never)
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
def goes_on(game: Any, memory: Any, s: Any, ply: int) -> bool:
    return False


@where(repetition_draws, otherwise=goes_on)
def came_back(game: Any, memory: Any, s: Any, ply: int) -> bool:
    """True if the state at this ply was there before."""
    place = memory.past + ply
    for earlier in range(max(0, place - game.history.reversible_plies(game, s)), place):
        if memory.boards[earlier] == memory.boards[place]:
            return True
    return False


@inline
def drawn_in_play(game: Any, memory: Any, s: Any, ply: int) -> bool:
    """True if play is drawn in the state at this ply; never at the root, where somebody has to move."""
    if ply > 0 and defines(game.history, "rule_draw") and is_rule_draw(game, s):
        return True
    return ply > 0 and came_back(game, memory, s, ply)


@inline
def set_draw(game: Any, memory: Any) -> None:
    """The outcome is a draw."""
    everyone = drawn_payoffs(game)
    for player in range(game.players):
        memory.outcome[player] = everyone[player]


@inline
def forfeit(game: Any, memory: Any, loser: int) -> None:
    """The outcome is the worst that can happen to a player."""
    for player in range(game.players):
        memory.outcome[player] = float(game.max_utility)
    memory.outcome[loser] = float(game.min_utility)
    if memory.tupled == 0 and game.players == 2:
        memory.outcome[MAX] = float(game.min_utility) if loser == MAX else float(game.max_utility)
        memory.outcome[1 - MAX] = other_side(game, memory.outcome[MAX])
