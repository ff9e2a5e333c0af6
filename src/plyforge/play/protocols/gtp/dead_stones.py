"""Which stones are dead at the end of a game of Go, and the score without them: by playing on.

Players stop when they agree, often with stones on the board that could be captured. Two who don't agree would play on
until they are; so do we, at random but with the skill of playouts, several times: a chain that clearly more often than
not ends up as the opponent's area is dead. Area scoring needs no more: seki, where neither side can capture, counts as
alive.

Of a chain whose playouts are divided that may be wrong. It should not cost the winner all the empty points that it
reaches, as it would by the rules: they go to the player who has three quarters of them in the end.

This is an opinion, and can be wrong where playouts are: in fights that only one order of moves wins. Where players have
captured all that is dead, and nothing that is left is in doubt, the score is the one of the rules.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from plyforge.games.go import NO_POINT, Go, Position
from plyforge.games.go.notation import format_points
from plyforge.games.go.patterns import BLACK, EMPTY, WHITE
from plyforge.games.go.playout import play_out
from plyforge.games.go.points import (
    Points,
    around,
    both,
    either,
    first_of,
    has,
    is_empty,
    point,
    split,
    spread,
    without,
)
from plyforge.kernel import new_stream
from plyforge.kernel.storage.scratch import new_scratch

PLAYOUTS = 64
"""How often play goes on,"""
FEWEST, SECONDS = 12, 3.0
"""but not more often than this after so many seconds."""
DEAD = 0.25
"""A chain is dead if its points are the opponent's by so much, on a scale from -1 (never) to 1 (always)."""
CLEAR = 0.5
"""Nothing is in doubt that is a player's by so much, on that scale: in three quarters of the playouts."""
LONGEST_PLAYOUT = 3
"""Plies, in boards full of stones."""


class _Deaf:
    """Playouts tell who played where first; here nobody wants to know."""

    def note(self, memory: Any, player: int, place: int) -> None:
        pass


def owners(
    game: Go, state: Position, playouts: int = PLAYOUTS, seed: int = 1, seconds: float | None = None
) -> list[float]:
    """For each point by number: 1 if it always ends up as Black's, -1 as White's. With `seconds` it takes no longer,
    but for the first playout."""
    board, stream = new_scratch(game), new_stream(seed)
    state = state._replace(passes=0, last=NO_POINT)
    found = [0.0] * game.places
    points = [row * game.stride + column for row in range(game.size) for column in range(game.size)]
    end = time.monotonic() + (SECONDS if seconds is None else min(seconds, SECONDS))
    fewest = FEWEST if seconds is None else 1
    made = 0
    while made < playouts and (made < fewest or time.monotonic() < end):
        most = LONGEST_PLAYOUT * game.size * game.size
        play_out(game, board, True, _Deaf(), None, state._replace(player=made % 2, ko=NO_POINT), stream, most)
        made += 1
        for place in points:
            cell = game.origin + place
            owner = board.played[cell] if board.colour[cell] == EMPTY else board.colour[cell]
            found[place] += (owner == BLACK) - (owner == WHITE)
    return [owned / made for owned in found]


def chains(game: Go, state: Position) -> list[tuple[int, list[int]]]:
    """Each chain: whose it is (0 Black, 1 White), and its points."""
    found = []
    for player, stones in enumerate((state.black, state.white)):
        while not is_empty(stones):
            chain = spread(game, point(game, first_of(stones)), stones)
            found.append((player, [place for place in range(game.places) if has(chain, place)]))
            stones = without(stones, chain)
    return found


def statuses(game: Go, state: Position, seconds: float | None = None) -> tuple[list[list[int]], list[list[int]]]:
    """The chains that are alive, and those that are dead; with `seconds`, as far as that is seen in so long."""
    alive: list[list[int]] = []
    dead: list[list[int]] = []
    for places, theirs in _judged(game, state, owners(game, state, seconds=seconds)):
        (dead if theirs >= DEAD else alive).append(places)
    return alive, dead


def _judged(game: Go, state: Position, owned: list[float]) -> list[tuple[list[int], float]]:
    """Each chain, and how much it is the opponent's."""
    return [(places, _mean(owned, places) * (1 if player == 1 else -1)) for player, places in chains(game, state)]


def _mean(owned: list[float], places: list[int]) -> float:
    return sum(owned[place] for place in places) / len(places)


def cleared(game: Go, state: Position) -> Position:
    """The position as it is counted: without its dead stones, and with stones all over regions that are clearly a
    player's, though beside a chain in doubt."""
    owned = owners(game, state)
    judged = _judged(game, state, owned)
    gone = _together(game, (places for places, theirs in judged if theirs >= DEAD))
    doubtful = _together(game, (places for places, theirs in judged if -CLEAR < theirs < DEAD))
    black, white = without(state.black, gone), without(state.white, gone)
    state = state._replace(black=black, white=white, ko=NO_POINT)
    empty = game.empty(state)
    while not is_empty(empty):
        region = spread(game, point(game, first_of(empty)), empty)
        empty = without(empty, region)
        mean = _mean(owned, [place for place in range(game.places) if has(region, place)])
        if abs(mean) >= CLEAR and not is_empty(both(around(game, region), doubtful)):
            black, white = (either(black, region), white) if mean > 0 else (black, either(white, region))
    return state._replace(black=black, white=white)


def _together(game: Go, several: Iterable[list[int]]) -> Points:
    """All these points as one set."""
    return split(sum(1 << place for places in several for place in places), len(game.full))


def score_text(game: Go, state: Position) -> str:
    """`B+3.5`, `W+0.5` or `0`, with komi."""
    ahead = game.score(state) - game.komi
    return "0" if ahead == 0 else f"{'B' if ahead > 0 else 'W'}+{format_points(abs(ahead))}"


__all__ = ["cleared", "owners", "score_text", "statuses"]
