"""How promising a move of Go looks before it is searched: strengths of what it does, multiplied.

A move that does nothing has strength 1; what it captures, saves, threatens or throws away, the shape it makes, how near
it is to the last move and to the edge each multiply it. Read as in Bradley and Terry's model of contests, a move of
strength a is better than one of strength b with probability a / (a + b).

Multiplied strengths of such features are Coulom's, "Computing Elo ratings of move patterns in the game of Go", ICGA
Journal 30 (2007). The numbers here are round ones in the same order of size.
"""

from __future__ import annotations

from typing import Any

from plyforge.contract import MAX
from plyforge.games.go.patterns import BLACK, EDGE, EYE, WHITE
from plyforge.games.go.points import (
    around,
    both,
    either,
    first_of,
    has,
    is_empty,
    point,
    size_of,
    spread,
    without,
)
from plyforge.kernel import kernel

CAPTURE = 8.0
"""Stones are captured; more so for each,"""
SAVE = 8.0
"""stones are saved from capture; more so for each."""
EACH_STONE = 0.5
THREATEN = 2.0
"""An enemy chain is put into atari."""
THROW_AWAY = 0.1
"""The stone can be captured at once, with what it is connected to."""
SHAPE = 3.0
"""A shape of patterns.py."""
OWN_EYE = 0.01
NEARNESS = (1.0, 1.0, 4.0, 3.0, 2.0, 1.5)
"""By the distance from the last move: rows and columns between, and the larger of both again."""
LONELY = (0.1, 0.4, 1.0)
"""With nothing around: on the first line, the second, and beyond."""
USELESS_PASS, WINNING_PASS = 0.01, 100.0


@kernel
def surroundings(game: Any, s: Any, place: int) -> int:
    """What is around a point, as `pattern_table` wants it."""
    code = game.bare[game.origin + place]
    for number in range(8):
        if code >> 2 * number & 3 != EDGE:
            near = place + game.ring[number]
            if has(s.black, near):
                code |= BLACK << 2 * number
            elif has(s.white, near):
                code |= WHITE << 2 * number
    return int(code)


@kernel
def promise_of(game: Any, s: Any, place: int) -> float:
    """The strength of a legal action; always positive."""
    if place == game.places:
        if s.passes == 0:
            return USELESS_PASS
        ahead = game.ahead_of_komi(game.score(s))
        wins = ahead > 0.0 if s.player == MAX else ahead < 0.0
        return WINNING_PASS if wins else USELESS_PASS
    colour = BLACK + s.player
    code = surroundings(game, s, place)
    known = game.patterns[code]
    if known & colour * EYE:
        return OWN_EYE
    strength = 1.0
    if known & colour:
        strength = SHAPE
    row, column = place // game.stride, place % game.stride
    if code == game.bare[game.origin + place]:
        last_line = game.size - 1
        line = min(min(row, last_line - row), min(column, last_line - column))
        strength *= LONELY[min(line, 2)]
    else:
        strength *= of_chains(game, s, place)
    if s.last >= 0 and s.last < game.places:
        rows = abs(row - s.last // game.stride)
        columns = abs(column - s.last % game.stride)
        distance = rows + columns + max(rows, columns)
        if distance < len(NEARNESS):
            strength *= NEARNESS[distance]
    return strength


@kernel
def of_chains(game: Any, s: Any, place: int) -> float:
    """What a stone does to the chains beside it."""
    own, enemy = game.sides(s)
    empty = game.empty(s)
    stone = point(game, place)
    near = around(game, stone)
    strength = 1.0
    free = without(empty, stone)
    left = both(near, enemy)
    while not is_empty(left):
        chain = spread(game, point(game, first_of(left)), enemy)
        liberties = size_of(both(around(game, chain), empty))
        if liberties == 1:
            strength *= CAPTURE + EACH_STONE * size_of(chain)
            free = either(free, chain)
        elif liberties == 2:
            strength *= THREATEN
        left = without(left, chain)
    whole = spread(game, stone, either(own, stone))
    after = size_of(both(around(game, whole), free))
    if after < 2:
        return strength * THROW_AWAY
    left = both(near, own)
    while not is_empty(left):
        chain = spread(game, point(game, first_of(left)), own)
        if size_of(both(around(game, chain), empty)) == 1:
            strength *= SAVE + EACH_STONE * size_of(chain)
        left = without(left, chain)
    return strength
