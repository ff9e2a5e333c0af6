"""Asking a game for pictures: `board` and `ways` of its view, or what is found where it has none.

What gives no Board is no picture, and what gives no ways is no pointing: then what is found is taken, as if they had
not been written.
"""

from __future__ import annotations

from typing import Any

from plyforge.board import Board
from plyforge.grids import found_board, found_grid, found_ways
from plyforge.kernel.constant import defines


def board_of(game: Any, s: Any) -> Board | None:
    """The state's picture; None where there is none."""
    try:
        drawn = game.view.board(game, s)
    except Exception:
        return found_board(game, s)
    return drawn if drawn is None or isinstance(drawn, Board) else found_board(game, s)


def ways_of(game: Any, s: Any, action: Any, player: int | None = None) -> list[tuple[str, ...]]:
    """How a person may point at an action; at one player's choice where all choose at once. Empty: a button will do."""
    try:
        if player is None:
            told = game.view.ways(game, s, action)
        else:
            told = game.view.choice_ways(game, s, player, action)
        ways = [tuple(map(str, way)) for way in told or () if way]
        if ways or player is not None:
            return ways if defines(game.view, "board") else _on_found(game, s, ways)
    except Exception:
        pass
    if player is not None:
        return []
    board = board_of(game, s)
    return list(found_ways(game, s, action)) if board is not None and board.found else []


def _on_found(game: Any, s: Any, ways: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Ways of the rules on a board that was found: those that point at places of it."""
    found = found_grid(game, s)
    names = set() if found is None else set(found.names.values())
    return [way for way in ways if names.issuperset(way)]
