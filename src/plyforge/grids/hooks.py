"""Asking a game for pictures: its own `board` and `ways`, or what is found where it has none.

Rules may use these names for something of their own. What gives no Board is no picture, and what gives no ways is
no pointing: then what is found is taken, as if they had not been written.
"""

from __future__ import annotations

from typing import Any

from plyforge.board import Board
from plyforge.grids import found_board, found_grid, found_ways


def board_of(game: Any, s: Any) -> Board | None:
    """The state's picture; None where there is none."""
    hook = getattr(game, "board", None)
    try:
        drawn = hook(s) if callable(hook) else found_board(game, s)
    except Exception:
        return found_board(game, s)
    return drawn if drawn is None or isinstance(drawn, Board) else found_board(game, s)


def ways_of(game: Any, s: Any, action: Any, player: int | None = None) -> list[tuple[str, ...]]:
    """How a person may point at an action; at one player's choice where all choose at once. Empty: a button will do."""
    hook = getattr(game, "ways" if player is None else "choice_ways", None)
    try:
        if callable(hook):
            told = hook(s, action) if player is None else hook(s, player, action)
            ways = [tuple(map(str, way)) for way in told or () if way]
            if ways or player is not None:
                return ways if _draws(game) else _on_found(game, s, ways)
    except Exception:
        pass
    if player is not None:
        return []
    board = board_of(game, s)
    return list(found_ways(game, s, action)) if board is not None and board.found else []


def _draws(game: Any) -> bool:
    """True if the class has a `board` of its own."""
    return getattr(getattr(type(game), "board", None), "__module__", "") != "plyforge.contract.game"


def _on_found(game: Any, s: Any, ways: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Ways of the rules on a board that was found: those that point at places of it."""
    found = found_grid(game, s)
    names = set() if found is None else set(found.names.values())
    return [way for way in ways if names.issuperset(way)]
