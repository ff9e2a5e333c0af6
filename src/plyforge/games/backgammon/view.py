"""The board of backgammon as a picture to point at: see `plyforge.board`. Never compiled.

X sits below and bears off at the lower right. Places have X's numbers, whoever moves. A play is pointed at checker by
checker, from and to, in any order that the rules of moving allow: who is on the bar comes in first, and nobody bears
off while a checker is outside the home. A checker that moves on may also be pointed at by its first point and its last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from plyforge.board import Board, Line, Piece, Place, Words
from plyforge.contract import MAX, BoardView
from plyforge.errors import BadText
from plyforge.games.backgammon.board import (
    BAR,
    CHECKERS,
    HOME_POINTS,
    POINTS,
    TO_ROLL,
    Position,
    counts_of,
    from_counts,
    sides,
)
from plyforge.games.backgammon.notation import OFF, steps_of, ways_of
from plyforge.games.backgammon.plays import PASS
from plyforge.games.backgammon.text import impossible

if TYPE_CHECKING:
    from plyforge.games.backgammon.rules import Backgammon

NAMES = ("X", "O")
POINT_NAMES = tuple(str(point) for point in range(1, POINTS + 1))
SPIKE = 4.4
"""How long a spike is."""
HEIGHT = 10.4
"""From edge to edge."""


def place_name(player: int, point: int) -> str:
    """The place of a point as `player` counts it; of the bar, or of what is borne off."""
    if point == BAR:
        return f"bar {NAMES[player]}"
    if point == OFF:
        return f"off {NAMES[player]}"
    return str(point if player == MAX else BAR - point)


def board(s: Position) -> Board:
    """Twenty-four spikes, the bar in the middle, a tray at the right for each side, and the dice."""
    places, words = [], []
    for point in range(1, POINTS + 1):
        above = point > POINTS // 2
        column = point - 13 if above else 12 - point
        x = column + (1 if column >= HOME_POINTS else 0)
        y = SPIKE / 2 if above else HEIGHT - SPIKE / 2
        places.append(Place(str(point), x, y, "spike", 1.0, SPIKE if above else -SPIKE, point % 2))
        words.append(Words(x, -0.35 if above else HEIGHT + 0.35, str(point), 0.3))
    for player, y in ((1, SPIKE / 2), (0, HEIGHT - SPIKE / 2)):
        places.append(Place(place_name(player, BAR), 6.0, y, "tray", 0.9, SPIKE))
        places.append(Place(place_name(player, OFF), 13.3, y, "tray", 1.0, SPIKE, 2 + player))
    pieces = []
    for player, counts in enumerate((counts_of(s.max_low, s.max_high), counts_of(s.min_low, s.min_high))):
        for point in range(1, BAR + 1):
            if counts[point]:
                pieces.append(Piece(place_name(player, point), "disc", player, counts[point]))
        if sum(counts) < CHECKERS:
            pieces.append(Piece(place_name(player, OFF), "disc", player, CHECKERS - sum(counts)))
        pips = sum(point * number for point, number in enumerate(counts))
        words.append(Words(13.3, HEIGHT + 0.35 if player == MAX else -0.35, f"{NAMES[player]} {pips}", 0.3))
    for player, middle in ((0, 9.5), (1, 2.5)):
        for number in range(2):
            name = f"die {number + 1} of {NAMES[player]}"
            places.append(Place(name, middle - 0.65 + 1.3 * number, HEIGHT / 2, "die"))
            if s.dice > TO_ROLL and player == s.player:
                face = s.dice % 10 if number else s.dice // 10
                pieces.append(Piece(name, "die", player, face, f"die showing {face}"))
    bar = [Line(5.5, 0, 5.5, HEIGHT), Line(6.5, 0, 6.5, HEIGHT)]
    return Board(places, pieces, bar, words, ("white", "black"), "felt", turns=True, pairs=True)


def palette(place: str) -> list[Piece]:
    """What can be put on a place: up to fifteen checkers of either side on a point, of one on its bar. What is borne
    off follows."""
    if place.startswith(("off", "die")):
        return []
    return [
        Piece("", "disc", player, CHECKERS) for player in (0, 1) if place in (place_name(player, BAR), *POINT_NAMES)
    ]


def placed(pieces: Sequence[Piece], player: int) -> Position:
    """The position with these checkers, in which `player` is to roll. Raises BadText."""
    counts = ([0] * (BAR + 1), [0] * (BAR + 1))
    for piece in pieces:
        owner = piece.owner
        at = BAR if piece.place.startswith("bar") else int(piece.place)
        counts[owner][at if owner == MAX or at == BAR else BAR - at] += piece.count
    why = impossible(counts[player], counts[1 - player])
    if why:
        raise BadText(f"this can't be: {why}")
    x, o = map(from_counts, counts)
    return Position(x[0], x[1], o[0], o[1], TO_ROLL, player)


def ways(s: Position, action: int) -> Iterator[tuple[str, ...]]:
    """See the module's text."""
    if s.dice <= TO_ROLL or action == PASS:
        return
    low, high, _, _ = sides(s)
    found = set(_orders(counts_of(low, high), steps_of(s, action)))
    merged = [(way.points[0], way.points[-1]) for way in ways_of(s, action)]
    found.update(_orders(counts_of(low, high), merged))
    for way in sorted(found):
        yield tuple(place_name(s.player, point) for point in way)


def _orders(counts: list[int], steps: list[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """Steps in every order in which checkers can make them: their points one after the other."""
    if not steps:
        yield ()
    for step in sorted(set(steps)):
        start, end = step
        if not counts[start] or (counts[BAR] and start != BAR):
            continue
        if end == OFF and any(counts[HOME_POINTS + 1 :]):
            continue
        after = counts.copy()
        after[start] -= 1
        if end != OFF:
            after[end] += 1
        rest = steps.copy()
        rest.remove(step)
        for others in _orders(after, rest):
            yield (start, end, *others)


class BackgammonView(BoardView):
    """The picture to point at."""

    def board(self, game: Backgammon, s: Position) -> Board:
        return board(s)

    def palette(self, game: Backgammon, place: str) -> list[Piece]:
        return palette(place)

    def placed(self, game: Backgammon, pieces: Sequence[Piece], player: int) -> Position:
        return placed(pieces, player)

    def ways(self, game: Backgammon, s: Position, action: int) -> Iterator[tuple[str, ...]]:
        yield from ways(s, action)
