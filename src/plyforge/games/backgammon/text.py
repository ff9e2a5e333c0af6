"""Positions of backgammon as text: GNU Backgammon's position IDs, and pictures.

A position ID is 80 bits in 14 letters of base64. For the side that does *not* move and then for the side that does,
from its point 1 to 24 and then the bar, there are as many ones as it has checkers there, and then a zero; the bits fill
the bytes from the lowest on. `4HPwATDgc/ABMA` is the start.

The text of a state is the ID, who moves (X is MAX) and the dice:

    4HPwATDgc/ABMA opening       nobody has thrown yet
    4HPwATDgc/ABMA X             X is to roll
    4HPwATDgc/ABMA X 31          X has rolled 3 and 1
"""

from __future__ import annotations

import base64
import re

from plyforge.contract import MAX
from plyforge.errors import BadText
from plyforge.games.backgammon.board import (
    BAR,
    CHECKERS,
    OPENING,
    POINTS,
    START_HIGH,
    START_LOW,
    TO_ROLL,
    Position,
    counts_of,
    from_counts,
    sides,
)

NAMES = ("X", "O")
ID_LENGTH = 14
ID_BITS = 80
_TEXT = re.compile(r"(\S+)(?:\s+(?i:(opening)|([XO])(?:\s+([1-6])\s*+-?+\s*+([1-6]))?))?")


# ------------------------------------------------------------------ position IDs
def position_id(s: Position) -> str:
    """GNU Backgammon's ID of where the checkers lie, as seen by whoever moves."""
    low, high, enemy_low, enemy_high = sides(s)
    bits, place = 0, 0
    for counts in (counts_of(enemy_low, enemy_high), counts_of(low, high)):
        for number in counts[1:]:
            bits |= (1 << number) - 1 << place
            place += number + 1
    return base64.b64encode(bits.to_bytes(ID_BITS // 8, "little")).decode("ascii").rstrip("=")


def sides_of_id(text: str) -> tuple[list[int], list[int]]:
    """The checkers of whoever moves, and of the other side, by point. Raises BadText."""
    if len(text) != ID_LENGTH or re.fullmatch(r"[A-Za-z0-9+/]+", text) is None:
        raise BadText(
            f"{_short(text)} is not a position ID: it has {ID_LENGTH} letters, digits, + and /, as in 4HPwATDgc/ABMA"
        )
    bits = int.from_bytes(base64.b64decode(text + "=="), "little")
    place, found = 0, []
    for _ in NAMES:
        counts = [0]
        for _ in range(BAR):
            number = 0
            while bits >> place & 1:
                number += 1
                place += 1
            place += 1
            counts.append(number)
        found.append(counts)
    if place > ID_BITS or bits >> place:
        raise BadText(f"{text} is not a position ID: it has more checkers than a game has")
    enemy, mine = found
    return mine, enemy


def impossible(mine: list[int], enemy: list[int]) -> str:
    """Why a position can't be; "" if nothing speaks against it."""
    for who, counts in (("the side to move", mine), ("the other side", enemy)):
        if sum(counts) > CHECKERS:
            return f"{who} has {sum(counts)} checkers, and there are {CHECKERS}"
    for point in range(1, POINTS + 1):
        if mine[point] and enemy[BAR - point]:
            return f"both sides have checkers on the {point} point"
    if sum(mine) == 0:
        return "the side to move has no checkers left: it would have won before"
    return ""


# ------------------------------------------------------------------ states
def format_position(s: Position) -> str:
    """See the module's text."""
    if s.dice == OPENING:
        return f"{position_id(s)} opening"
    text = f"{position_id(s)} {NAMES[s.player]}"
    return text if s.dice == TO_ROLL else f"{text} {s.dice}"


def parse_position(text: str) -> Position:
    """Read what `format_position` wrote; an ID alone is X to roll. Raises BadText."""
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        raise BadText(
            f"{_short(text)} is not a state of backgammon: a position ID, X or O, and the dice, as in "
            "'4HPwATDgc/ABMA X 31', or 'opening' in place of both"
        )
    mine, enemy = sides_of_id(match[1])
    why = impossible(mine, enemy)
    if why:
        raise BadText(f"{_short(text)} is impossible: {why}")
    player = NAMES.index((match[3] or "X").upper())
    dice = TO_ROLL
    if match[4]:
        larger, smaller = sorted((int(match[4]), int(match[5])), reverse=True)
        dice = 10 * larger + smaller
    if match[2]:
        dice = OPENING
    own, other = from_counts(mine), from_counts(enemy)
    x, o = (own, other) if player == MAX else (other, own)
    s = Position(x[0], x[1], o[0], o[1], dice, player)
    if dice == OPENING and s[:4] != (START_LOW, START_HIGH, START_LOW, START_HIGH):
        raise BadText(f"{_short(text)} is impossible: the opening roll is thrown at the start only")
    if sum(enemy) == 0 and dice != TO_ROLL:
        raise BadText(f"{_short(text)} is impossible: the game is over, so nobody rolls")
    return s


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:80]}...")


# ------------------------------------------------------------------ pictures
ROWS = 5
"""Checkers that are drawn on a point; where there are more, the number of all stands instead of the last."""


def picture(s: Position) -> str:
    """The board as X sees it: X moves from point 24 down to 1 and bears off at the lower right."""
    x, o = counts_of(s.max_low, s.max_high), counts_of(s.min_low, s.min_high)
    top = [*range(13, 19), None, *range(19, 25)]
    bottom = [*range(12, 6, -1), None, *range(6, 0, -1)]
    rows = [_numbers(top)]
    rows += [_row(x, o, top, depth, o[BAR], "O") for depth in range(ROWS)]
    rows.append(f"|{' ' * 18}|BAR|{' ' * 18}|")
    rows += [_row(x, o, bottom, depth, x[BAR], "X") for depth in range(ROWS - 1, -1, -1)]
    rows.append(_numbers(bottom))
    for row, counts, name in ((1, o, "O"), (-2, x, "X")):
        off = CHECKERS - sum(counts)
        rows[row] += f"  {name}: {sum(point * number for point, number in enumerate(counts))} pips" + (
            f", {off} off" if off else ""
        )
    rows[ROWS + 1] += f"  {_what_is_next(s)}"
    return "\n".join(rows)


def _what_is_next(s: Position) -> str:
    if s.dice == OPENING:
        return "opening roll"
    if s.dice > TO_ROLL:
        return f"{NAMES[s.player]} to play {s.dice // 10}-{s.dice % 10}"
    for name, low, high in (("X", s.max_low, s.max_high), ("O", s.min_low, s.min_high)):
        if low | high == 0:
            return f"{name} has won"
    return f"{NAMES[s.player]} to roll"


def _numbers(points: list[int | None]) -> str:
    cells = ("     " if point is None else f"{point:^3}" for point in points)
    return f"+{''.join(cells)}+".replace(" ", "-")


def _row(x: list[int], o: list[int], points: list[int | None], depth: int, on_bar: int, bar_name: str) -> str:
    cells = []
    for point in points:
        if point is None:
            cells.append(f"|{_sign(bar_name, on_bar, depth):^3}|")
        elif x[point]:
            cells.append(f"{_sign('X', x[point], depth):^3}")
        else:
            cells.append(f"{_sign('O', o[BAR - point], depth):^3}")
    return f"|{''.join(cells)}|"


def _sign(name: str, number: int, depth: int) -> str:
    if depth == ROWS - 1 and number > ROWS:
        return str(number)
    return name if number > depth else ""
