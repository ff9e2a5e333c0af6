"""What a `go` asks for: its limits, read from its words.

Invariant: what can't be read, or makes no sense, is said, and never makes a search endless: without any limit that can
be read there is a short one. Only `go` alone, as `go infinite`, goes on until `stop`. A clock that has run out, or has
gone below zero, is one with a millisecond left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyforge.contract import MAX
from plyforge.errors import IllegalAction
from plyforge.games.chess import Chess, Position
from plyforge.games.chess.notation import parse_uci
from plyforge.kernel import MAX_PLY
from plyforge.play.protocols.uci.words import SHOWN, whole_number
from plyforge.search import Clock
from plyforge.search.core.limits import MOST_NODES
from plyforge.search.time.clock import kept_back
from plyforge.search.time.rules import LONGEST

OF_MOVETIME = 0.25
"""Share of a `movetime` that is kept back at most."""
FALLBACK_SECONDS = 1.0
"""For a `go` whose limits can't be read."""
NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime")
CLOCK = ("winc", "binc", "movestogo")
KEYWORDS = frozenset((*NUMBERS, "searchmoves", "ponder", "infinite"))
"""The words of `go`; those before have a number after them."""


@dataclass(frozen=True)
class Order:
    """What a `go` asks for."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    clock: Clock | None = None
    infinite: bool = False
    ponder: bool = False
    only: tuple[int, ...] | None = None
    within: int | None = None
    """Plies in which a mate is wanted."""


def read_order(
    words: list[str],
    position: Position,
    rules: Chess,
    overhead: float,
    spent: float,
    say: Callable[[str], None],
) -> Order:
    """The limits of a `go` about a position. Of each move's time `overhead` seconds are kept back, and `spent` of
    the clock's are gone already; `say` is told what can't be read."""
    numbers: dict[str, int] = {}
    wrong = False
    only: list[int] = []
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        if word in NUMBERS:
            number = number_of(words[place]) if place < len(words) else None
            if number is None:
                say(f"{word} needs a whole number")
                wrong = True
                place += place < len(words) and words[place] not in KEYWORDS
            else:
                numbers[word] = number
                place += 1
        elif word == "searchmoves":
            while place < len(words) and words[place] not in KEYWORDS:
                try:
                    only.append(parse_uci(rules, position, words[place]))
                except IllegalAction as error:
                    say(f"searchmoves: {error}")
                place += 1
        elif word not in ("infinite", "ponder"):
            say(f"go has no {word[:SHOWN]!r}")
            wrong = True
    seconds = None
    if "movetime" in numbers:
        seconds = kept_back(numbers["movetime"] / 1000, overhead, OF_MOVETIME)
    clock = _clock(numbers, position.player, overhead + spent)
    if clock is None and not numbers.keys().isdisjoint(CLOCK):
        say("a clock needs wtime and btime")
        wrong = True
    depth = max(1, min(numbers["depth"], MAX_PLY)) if "depth" in numbers else None
    within = None
    if "mate" in numbers:
        within = max(1, min(2 * numbers["mate"] - 1, MAX_PLY - 1))  # it is proven one ply deeper
        depth = within + 1 if depth is None else min(depth, within + 1)
    nodes = max(1, min(numbers["nodes"], MOST_NODES)) if "nodes" in numbers else None
    infinite, ponder = "infinite" in words, "ponder" in words
    if wrong and not infinite and depth is None and nodes is None and seconds is None and clock is None:
        seconds = FALLBACK_SECONDS
    if infinite:
        seconds, clock = None, None
    return Order(depth, nodes, seconds, clock, infinite, ponder, tuple(only) or None, within)


def number_of(text: str) -> int | None:
    """A whole number; of one with a decimal point, what is before it."""
    whole, point, rest = text.partition(".")
    return whole_number(whole) if not point or (rest.isascii() and rest.isdigit()) else None


def _clock(numbers: dict[str, int], player: int, overhead: float) -> Clock | None:
    """The mover's clock; the other one's, if only that is told."""
    own, other = ("w", "b") if player == MAX else ("b", "w")
    side = own if f"{own}time" in numbers else other
    if f"{side}time" not in numbers:
        return None
    remaining = kept_back(numbers[f"{side}time"] / 1000, overhead)
    increment = min(max(numbers.get(f"{side}inc", 0) / 1000 - overhead, 0.0), LONGEST)
    moves = numbers.get("movestogo", 0)
    return Clock(remaining, increment, moves if moves > 0 else None)


__all__ = ["KEYWORDS", "Order", "read_order"]
