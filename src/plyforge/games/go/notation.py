"""Go in text: vertices as in GTP, positions in one line, boards as pictures. Never compiled.

A vertex is the column's letter and the row's number, A1 at the bottom left: `D4`, `T19`. There is no column I, which
looks like J and 1. A point's number is row * (size + 1) + column, both from 0; the number after the last point means to
pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyforge.contract import Notation
from plyforge.errors import BadText, IllegalAction
from plyforge.games.go.points import has, split
from plyforge.games.go.position import Position
from plyforge.games.rows import sets_in_rows

if TYPE_CHECKING:
    from plyforge.games.go.rules import Go

COLUMNS = "ABCDEFGHJKLMNOPQRST"
PASS = "pass"
NONE = "-"


def format_vertex(size: int, place: int) -> str:
    """A point, or a pass, as text."""
    row, column = divmod(place, size + 1)
    return PASS if row >= size else f"{COLUMNS[column]}{row + 1}"


def vertex(size: int, text: str) -> int | None:
    """The number of the point that `text` names; None if it names none of this board."""
    word = text.strip().upper()
    if word == PASS.upper():
        return size * (size + 1)
    column, number = COLUMNS.find(word[:1]), word[1:]
    if word and 0 <= column < size and number.isascii() and number.isdigit() and len(number) <= 2:
        if 1 <= int(number) <= size and not number.startswith("0"):
            return (int(number) - 1) * (size + 1) + column
    return None


def parse_vertex(size: int, text: str) -> int:
    """The same; raises IllegalAction if there is none."""
    place = vertex(size, text)
    if place is None:
        last = format_vertex(size, size * (size + 1) - 2)
        raise IllegalAction(
            f"{text.strip()[:40]!r} is no point of this board: write A1 to {last}, without a column I, or pass"
        )
    return place


def format_points(points: float) -> str:
    """A komi or a score as text: short where that is exact."""
    short = f"{points:g}"
    return short if float(short) == points else repr(float(points))


def format_position(size: int, signs: list[str], player: int, ko: int, passes: int, last: int) -> str:
    """A position in one line; `signs` are those of the points by number."""
    rows = ["".join(signs[row * (size + 1) :][:size]) for row in range(size - 1, -1, -1)]
    places = [NONE if place < 0 else format_vertex(size, place) for place in (ko, last)]
    return f"{'/'.join(rows)} {'bw'[player]} {places[0]} {passes} {places[1]}"


def parse_position(size: int, text: str) -> tuple[int, int, int, int, int, int]:
    """The stones of both colours as sets, who moves, ko, passes and the last move; what is left out at the end is as
    at the start."""
    words = text.split()
    example = f"{'/'.join(['.' * size] * size)} b - 0 -"
    if not 1 <= len(words) <= 5:
        raise BadText(
            f"{text[:400]!r} is not a position: write the rows from the top, who moves (b or w), the point of ko, how"
            f" many passes came last, and the last move, as in {example}"
        )
    board, player, ko, passes, last = words + ["b", NONE, "0", NONE][len(words) - 1 :]
    black, white = sets_in_rows(text, board.lower(), "bw", size, size, cell="point", letters=COLUMNS, stride=size + 1)
    if player.lower() not in ("b", "w"):
        raise BadText(f"after the rows comes who moves, b or w, not {player[:40]!r}")
    if passes not in ("0", "1", "2"):
        raise BadText(f"0, 1 or 2 passes can have come last, not {passes[:40]!r}")
    places = []
    for word in (ko, last):
        place = -1 if word == NONE else vertex(size, word)
        if place is None:
            raise BadText(f"{word[:40]!r} is no point of this board: write one, or {NONE}")
        places.append(place)
    if places[0] == size * (size + 1):
        raise BadText("ko forbids a point, not a pass")
    return black, white, "bw".index(player.lower()), places[0], int(passes), places[1]


def picture(size: int, black: int, white: int, last: int) -> str:
    """The board with its coordinates, X for Black and O for White, the last stone in brackets."""
    letters = "   " + " ".join(COLUMNS[:size])
    lines = [letters]
    for row in range(size - 1, -1, -1):
        line = ""
        for column in range(size):
            place = row * (size + 1) + column
            sign = "X" if black >> place & 1 else "O" if white >> place & 1 else "."
            before = "(" if place == last else ")" if column > 0 and place - 1 == last else " "
            line += before + sign
        line += ")" if row * (size + 1) + size - 1 == last else " "
        lines.append(f"{row + 1:2}{line}{row + 1}")
    return "\n".join([*lines, letters])


class GoNotation(Notation):
    """States and actions as text."""

    player_names = ("Black", "White")

    def format_state(self, game: Go, s: Position) -> str:
        signs = ["b" if has(s.black, place) else "w" if has(s.white, place) else "." for place in range(game.places)]
        return format_position(game.size, signs, s.player, s.ko, s.passes, s.last)

    def parse_state(self, game: Go, text: str) -> Position:
        black, white, player, ko, passes, last = parse_position(game.size, text)
        words = len(game.full)
        s = Position(split(black, words), split(white, words), ko, passes, last, player)
        game._check(text, s)
        return s

    def format_action(self, game: Go, s: Position, place: int) -> str:
        return format_vertex(game.size, place)

    def parse_action(self, game: Go, s: Position, text: str) -> int:
        """The legal action that a vertex names: `D4`, `pass`. Raises IllegalAction, saying which rule is against it."""
        place = parse_vertex(game.size, text)
        if game.terminal(s):
            raise IllegalAction(f"{text.strip()!r} can't be played: two passes have ended the game")
        if place == game.places or has(game.legal_points(s), place):
            return place
        why = "suicide" if has(game.empty(s), place) else "there is a stone"
        if place == s.ko:
            why = "ko forbids to recapture at once"
        raise IllegalAction(f"{text.strip()!r} is not a legal action here: {why}")
