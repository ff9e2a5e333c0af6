"""Othello as text: positions as in files of end-game problems (OBF), squares as `d3`. Never compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from plyforge.contract import Notation
from plyforge.errors import BadText
from plyforge.games.othello.board import Board

if TYPE_CHECKING:
    from plyforge.games.othello.rules import Othello

LETTERS = "abcdefgh"
SIDES = "XO"


class OthelloNotation(Notation):
    """States and actions as text."""

    player_names = ("X", "O")

    def format_action(self, game: Othello, s: Board, square: int) -> str:
        if square == game.squares:
            return "pass"
        return f"{LETTERS[square % game.size]}{square // game.size + 1}"

    def format_state(self, game: Othello, s: Board) -> str:
        own, other = SIDES[s.player], SIDES[1 - s.player]
        mine, theirs = int(s.mine), int(s.theirs)
        cells = [
            own if mine >> square & 1 else other if theirs >> square & 1 else "-" for square in range(game.squares)
        ]
        return f"{''.join(cells)} {own}"

    def parse_state(self, game: Othello, text: str) -> Board:
        board, _, side = text.strip().partition(" ")
        side = side.strip().rstrip(";").strip().upper()
        if len(board) != game.squares:
            raise BadText(
                f"a board of size {game.size} has {game.squares} squares, not {len(board)}: write one of X, O and - for"
                " each, row by row from a1, then a space and who moves"
            )
        if side not in ("X", "O"):
            raise BadText(f"after the board comes who moves, X or O, not {side!r}")
        discs = {"X": 0, "O": 0}
        for square, letter in enumerate(board.upper()):
            if letter in discs:
                discs[letter] |= 1 << square
            elif letter not in "-.":
                name = f"{LETTERS[square % game.size]}{square // game.size + 1}"
                raise BadText(f"{letter!r} at {name} is not one of X, O and -")
        other = "O" if side == "X" else "X"
        return Board(np.uint64(discs[side]), np.uint64(discs[other]), SIDES.index(side))
