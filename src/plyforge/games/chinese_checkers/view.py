"""The star as a picture to point at: see `plyforge.board`. Never compiled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plyforge.board import Board, Piece, Place, Words
from plyforge.contract import BoardView
from plyforge.games.chinese_checkers.board import NUMBERS, OUTER
from plyforge.games.chinese_checkers.notation import EMPTY, letters, rows_of
from plyforge.games.chinese_checkers.position import PASS, Star

if TYPE_CHECKING:
    from plyforge.games.chinese_checkers.rules import ChineseCheckers

ROW = 0.75**0.5
"""From row to row, where holes that touch are one cell apart."""


def board(game: ChineseCheckers, s: Star) -> Board:
    """Every hole is a pit; the points that a player begins in are of the player's tone."""
    places, pieces, words = [], [], []
    widest = max(len(row) for row in game.star.rows)
    for number, (holes, signs) in enumerate(zip(game.star.rows, rows_of(game, s), strict=True)):
        left = (widest - len(holes)) / 2
        words.append(Words(left - 0.8, number * ROW, chr(ord("a") + number), 0.28))
        for place, (hole, sign) in enumerate(zip(holes, signs, strict=True)):
            name = game.star.names[hole]
            places.append(Place(name, left + place, number * ROW, "pit", 0.86, 0.86, _home(game, hole)))
            if sign != EMPTY:
                pieces.append(Piece(name, "peg", letters(game).index(sign)))
    colours = tuple(name.lower() for name in game.notation.player_names)
    return Board(places, pieces, words=words, colours=colours, surface="wood")


def _home(game: ChineseCheckers, hole: int) -> int:
    """The tone of a hole."""
    for player in range(game.players):
        if hole >= OUTER and int(game.homes[player]) >> hole - OUTER & 1:
            return 2 + player
    return 0


class ChineseCheckersView(BoardView):
    """The picture to point at."""

    def board(self, game: ChineseCheckers, s: Star) -> Board:
        return board(game, s)

    def ways(self, game: ChineseCheckers, s: Star, action: int) -> Iterator[tuple[str, ...]]:
        if action != PASS:
            yield game.star.names[action // NUMBERS], game.star.names[action % NUMBERS]
