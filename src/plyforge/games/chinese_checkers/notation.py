"""Chinese checkers as text.

A state is the rows of the star from the top, `/` between them, a letter for each piece, `.` for an empty hole, then the
letter of whoever moves, and how many moves were made: `R/..../.../Y..B/. R 0`, the start for three on the star of size
1 (in one line). Letters are those of the colours: R O Y G B V. Holes are called by the letter of their row, from the
top, and their place in it from the left: `e1`. An action is `b1-c2`, from hole to hole, or `pass`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plyforge.contract import Notation
from plyforge.errors import BadText
from plyforge.games.chinese_checkers.board import NUMBERS, OUTER
from plyforge.games.chinese_checkers.position import PASS, Star
from plyforge.kernel import popcount

if TYPE_CHECKING:
    from plyforge.games.chinese_checkers.rules import ChineseCheckers

EMPTY = "."
LARGEST_PLY = 1_000_000
"""Counted moves are below this."""


def letters(game: ChineseCheckers) -> str:
    """A letter for each player."""
    return "".join(name[0] for name in game.notation.player_names)


def rows_of(game: ChineseCheckers, s: Star) -> list[str]:
    """The rows of the star, a character for each hole."""
    held: dict[int, str] = {}
    for seat in range(game.players):
        letter = letters(game)[(s.player + seat) % game.players]
        for word, first in ((s.inner[seat], 0), (s.outer[seat], OUTER)):
            for bit in range(word.bit_length()):
                if word >> bit & 1:
                    held[first + bit] = letter
    return ["".join(held.get(hole, EMPTY) for hole in row) for row in game.star.rows]


def format_state(game: ChineseCheckers, s: Star) -> str:
    return f"{'/'.join(rows_of(game, s))} {letters(game)[s.player]} {s.ply}"


def read_state(game: ChineseCheckers, text: str) -> tuple[list[tuple[int, int]], int, int]:
    """Each player's pieces as two words, who moves, and the moves made. Raises BadText."""
    example = format_state(game, game.start())
    words = text.split()
    if len(words) != 3:
        raise BadText(f"{text!r} is not a state: rows, who moves, and moves made, as in {example!r}")
    known = letters(game)
    mover = known.find(words[1].upper())
    if len(words[1]) != 1 or mover < 0:
        raise BadText(f"{text!r}: who moves is one of {', '.join(known)}, not {words[1]!r}")
    if not (words[2].isascii() and words[2].isdigit() and len(words[2]) < 8):
        raise BadText(f"{text!r}: {words[2]!r} is not a number of moves")
    ply = int(words[2])
    if ply > game.move_limit * game.players:
        raise BadText(f"{text!r}: {ply} moves are more than this game has, {game.move_limit * game.players}")
    if game.move_limit and ply % game.players != mover:
        raise BadText(f"{text!r}: after {ply} moves it is the turn of {known[ply % game.players]}")
    return _read_rows(game, words[0], text), mover, ply


def _read_rows(game: ChineseCheckers, rows: str, text: str) -> list[tuple[int, int]]:
    known, given = letters(game), rows.upper().split("/")
    if len(given) != len(game.star.rows):
        raise BadText(f"{text!r} has {len(given)} rows; this star has {len(game.star.rows)}")
    held = [[0, 0] for _ in range(game.players)]
    for place, (row, holes) in enumerate(zip(given, game.star.rows, strict=True), 1):
        if len(row) != len(holes):
            raise BadText(f"{text!r}: row {place} has {len(holes)} holes, not {len(row)}")
        for letter, hole in zip(row, holes, strict=True):
            if letter == EMPTY:
                continue
            player = known.find(letter)
            if player < 0:
                raise BadText(f"{text!r}: {letter!r} is not one of {', '.join(known)} and {EMPTY}")
            part, bit = divmod(hole, OUTER)
            held[player][part] |= 1 << bit
            if part and not (int(game.homes[player]) | int(game.targets[player])) >> bit & 1:
                raise BadText(f"{text!r}: {letter} can't be in {game.star.names[hole]}, the point of others")
    for letter, (inner, outer) in zip(known, held, strict=True):
        number = popcount(inner) + popcount(outer)
        if number != game.pieces:
            raise BadText(f"{text!r}: {letter} has {number} pieces instead of {game.pieces}")
    return [(inner, outer) for inner, outer in held]


def check_winners(game: ChineseCheckers, s: Any, text: str) -> None:
    """Play ends with the first winner: a state with two can't arise. Raises BadText."""
    _, outer = game.taken(s)
    won = [
        game.notation.player_names[player]
        for player in range(game.players)
        if outer & game.targets[player] == game.targets[player]
        and s.outer[(player - s.player) % game.players] & game.targets[player]
    ]
    if len(won) > 1:
        raise BadText(f"{text!r} can't arise: {' and '.join(won)} have won, and the first win ends the game")


def picture(game: ChineseCheckers, s: Star) -> str:
    """The star, with the letters of its rows."""
    rows = rows_of(game, s)
    width = max(len(row) for row in rows)
    shown = []
    for index, row in enumerate(rows):
        shown.append(f"{chr(ord('a') + index)} {' ' * (width - len(row))} {' '.join(row)}".rstrip())
    return "\n".join(shown)


class ChineseCheckersNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: ChineseCheckers, s: Star) -> str:
        return format_state(game, s)

    def parse_state(self, game: ChineseCheckers, text: str) -> Star:
        board, mover, ply = read_state(game, text)
        seats = [(mover + index) % game.players for index in range(game.players)]
        s = Star(tuple(board[seat][0] for seat in seats), tuple(board[seat][1] for seat in seats), mover, ply)
        check_winners(game, s, text)
        return s

    def format_action(self, game: ChineseCheckers, s: Star, action: int) -> str:
        if action == PASS:
            return "pass"
        return f"{game.star.names[action // NUMBERS]}-{game.star.names[action % NUMBERS]}"
