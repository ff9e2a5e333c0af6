"""Kalah: sow seeds around the board, collect the most. The same player often moves twice.

Each player has a row of houses and a store to its right. A move takes all seeds of one own house and sows them one by
one, counter-clockwise: along the own houses, into the own store, along the opponent's houses, never into the
opponent's store. There is more than one game of this name; here, as in the solved values (Irving, Donkers and
Uiterwijk, "Solving Kalah", ICGA Journal 23, 2000):
- the last seed in the own store: the same player moves again;
- the last seed in an own house that was empty, with seeds opposite: it and they go to the own store (nothing opposite,
  nothing is captured);
- when the houses of either side are empty the game is over: what is left goes to the store of the side that it lies on.

A side is one integer, a byte for each pit, in the order in which its owner sows; the store is the last one:

    byte 5  4  3  2  1  0          MIN's houses
      6                    6       the stores: MIN's left, MAX's right
         0  1  2  3  4  5  byte    MAX's houses

Text of a state: the pits of MAX, of MIN, each in its owner's order, and who moves: `4,4,4,4,4,4:0/4,4,4,4,4,4:0 max`.
An action is a house, counted by its owner from 1, the house farthest from the store.

Invariant: the bytes add up to all seeds of the game, so none overflows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plyforge.board import Board, Piece, Place, Words
from plyforge.contract import MAX, MIN, BoardView, Game, Notation, format_state
from plyforge.errors import BadRules, BadText

EACH = 0x01_01_01_01_01_01_01
"""One seed in each of seven pits."""
MAX_HOUSES = 6
MAX_SEEDS = 255


class Sides(NamedTuple):
    """Who has how many seeds where."""

    south: int
    """MAX's pits, one byte each."""
    north: int
    """MIN's pits."""
    player: int
    """Who moves."""


class KalahNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: Kalah, s: Sides) -> str:
        sides = []
        for side in (s.south, s.north):
            *houses, store = game.pits(side)
            sides.append(f"{','.join(map(str, houses))}:{store}")
        return f"{'/'.join(sides)} {'max' if s.player == MAX else 'min'}"

    def parse_state(self, game: Kalah, text: str) -> Sides:
        found = re.fullmatch(
            r"((?:\d{0,9},)*+\d{0,9}):(\d{1,9})/((?:\d{0,9},)*+\d{0,9}):(\d{1,9})\s+(max|min)",
            text.strip().lower(),
            re.ASCII,
        )
        if found is None:
            example = format_state(game, game.start())
            raise BadText(f"{text!r} is not a kalah board: houses:store of MAX / of MIN, who moves, as in {example}")
        sides = []
        for houses, store in ((found[1], found[2]), (found[3], found[4])):
            numbers = houses.split(",")
            if len(numbers) != game.houses or "" in numbers:
                raise BadText(f"{text!r}: a side of this game has {game.houses} houses, not {houses!r}")
            sides.append([int(number) for number in (*numbers, store)])
        seeds = 2 * game.houses * game.seeds
        if sum(map(sum, sides)) != seeds:
            raise BadText(f"{text!r} has {sum(map(sum, sides))} seeds; this game has {seeds}")
        south, north = (sum(seeds << 8 * pit for pit, seeds in enumerate(side)) for side in sides)
        if (south & game.below_store == 0) != (north & game.below_store == 0):
            raise BadText(f"{text!r} can't arise: with one side's houses empty the rest goes to the stores")
        return Sides(south, north, MAX if found[5] == "max" else MIN)

    def format_action(self, game: Kalah, s: Sides, house: int) -> str:
        return str(house + 1)


class KalahView(BoardView):
    """The picture to point at."""

    def board(self, game: Kalah, s: Sides) -> Board:
        """MAX sits below and sows to the right; the stores are at the ends."""
        places, pieces, words = [], [], []
        for owner, side in enumerate((s.south, s.north)):
            *houses, store = game.pits(side)
            for house, seeds in enumerate(houses):
                x = house + 1 if owner == MAX else game.houses - house
                y = ACROSS if owner == MAX else 0.0
                places.append(Place(_pit(owner, house), x, y, "pit"))
                words.append(Words(x, ACROSS + 0.72 if owner == MAX else -0.72, str(house + 1), 0.26))
                if seeds:
                    pieces.append(Piece(_pit(owner, house), "seed", owner, seeds))
            end = game.houses + 1.1 if owner == MAX else -0.1
            places.append(Place(f"{STORES[owner]} store", end, ACROSS / 2, "tray", 1.1, ACROSS + 1.0, tone=2 + owner))
            if store:
                pieces.append(Piece(f"{STORES[owner]} store", "seed", owner, store))
        return Board(places, pieces, words=words, surface="wood", turns=True)

    def ways(self, game: Kalah, s: Sides, house: int) -> Iterator[tuple[str, ...]]:
        yield (_pit(s.player, house),)


@dataclass(frozen=True)
class Kalah(Game):
    """Kalah with any number of houses a side, and seeds a house: `kalah(houses=6, seeds=4)`."""

    notation = KalahNotation()
    view = KalahView()

    houses: int = 6
    """On each side."""
    seeds: int = 4
    """In each house, at the start."""

    def __post_init__(self) -> None:
        if not 1 <= self.houses <= MAX_HOUSES:
            raise BadRules(f"kalah has room for 1 to {MAX_HOUSES} houses a side, not {self.houses}")
        if self.seeds < 1 or 2 * self.houses * self.seeds > MAX_SEEDS:
            most = MAX_SEEDS // (2 * self.houses)
            raise BadRules(f"kalah with {self.houses} houses takes 1 to {most} seeds in each, not {self.seeds}")

    @property
    def min_utility(self) -> float:  # type: ignore[override]
        return -2.0 * self.houses * self.seeds

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        return 2.0 * self.houses * self.seeds

    @property
    def below_store(self) -> int:
        """The bits of a side's houses."""
        return (1 << 8 * self.houses) - 1

    def start(self) -> Sides:
        side = self.seeds * self.one_each(self.houses)
        return Sides(side, side, MAX)

    def player(self, s: Sides) -> int:
        return s.player

    def actions(self, s: Sides) -> Iterator[int]:
        side = s.south if s.player == MAX else s.north
        for house in range(self.houses):
            if side >> 8 * house & 255:
                yield house

    def result(self, s: Sides, house: int) -> Sides:
        if s.player == MAX:
            mine, theirs = s.south, s.north
        else:
            mine, theirs = s.north, s.south
        in_hand = mine >> 8 * house & 255
        mine -= in_hand << 8 * house

        # Sow in stretches: own pits from `first` up to the store, then the opponent's houses, and around again.
        first = house + 1
        last = -1
        while in_hand > 0:
            stretch = min(in_hand, self.houses + 1 - first)
            mine += self.one_each(stretch) << 8 * first
            in_hand -= stretch
            last = first + stretch - 1
            if in_hand > 0:
                stretch = min(in_hand, self.houses)
                theirs += self.one_each(stretch)
                in_hand -= stretch
                last = -1
            first = 0

        again = last == self.houses
        if 0 <= last < self.houses and mine >> 8 * last & 255 == 1:
            opposite = self.houses - 1 - last
            caught = theirs >> 8 * opposite & 255
            if caught:
                theirs -= caught << 8 * opposite
                mine += ((caught + 1) << 8 * self.houses) - (1 << 8 * last)

        if mine & self.below_store == 0 or theirs & self.below_store == 0:
            mine = self.sum(mine) << 8 * self.houses
            theirs = self.sum(theirs) << 8 * self.houses

        if s.player == MAX:
            return Sides(mine, theirs, MAX if again else MIN)
        return Sides(theirs, mine, MIN if again else MAX)

    def terminal(self, s: Sides) -> bool:
        return (s.south | s.north) & self.below_store == 0

    def utility(self, s: Sides) -> float:
        """The margin."""
        return float((s.south >> 8 * self.houses) - (s.north >> 8 * self.houses))

    def evaluate(self, s: Sides) -> float:
        """How far MAX's store is ahead."""
        return float((s.south >> 8 * self.houses) - (s.north >> 8 * self.houses))

    def one_each(self, pits: int) -> int:
        """One seed in each of the first `pits` pits of a side."""
        return EACH & (1 << 8 * pits) - 1

    def sum(self, side: int) -> int:
        """All seeds of a side, its store among them."""
        number = 0
        for pit in range(self.houses + 1):
            number += side >> 8 * pit & 255
        return number

    # ------------------------------------------------------------ text
    def pits(self, side: int) -> list[int]:
        """A side as a list: the houses, then the store."""
        return [side >> 8 * pit & 255 for pit in range(self.houses + 1)]

    def show(self, s: Sides) -> str:
        *south, south_store = (f"{n:3}" for n in self.pits(s.south))
        *north, north_store = (f"{n:3}" for n in self.pits(s.north))
        numbers = [f"{n:3}" for n in range(1, self.houses + 1)]
        gap = " " * 3 * self.houses
        max_moves, min_moves = (" <", "") if s.player == MAX else ("", " <")
        return "\n".join(
            (
                f"    {''.join(reversed(numbers))}",
                f"MIN {''.join(reversed(north))}{min_moves}",
                f" {north_store}{gap}{south_store}",
                f"    {''.join(south)} MAX{max_moves}",
                f"    {''.join(numbers)}",
            )
        )


STORES = ("MAX", "MIN")
ACROSS = 1.8
"""From one side's houses to the other's."""


def _pit(owner: int, house: int) -> str:
    return f"{STORES[owner]} {house + 1}"
