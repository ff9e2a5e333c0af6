"""Nim for three: whoever takes the last stick wins, and whoever would be next loses. The smallest game of tuples.

Players 0, 1 and 2 take turns, each takes 1 to `take` sticks from the one heap. Who takes the last stick gets 1, the
next player, left with an empty heap, gets 0, and the third 1/2. So nobody can win alone: with three players a move that
does not win still decides which of the two others does.

Known: the player to move gets 0, 1 or 1/2 for a heap of n sticks as n modulo 2 * take + 1 is zero, at most `take`,
or more. (By induction: with 1 .. take sticks, take them all. With take + 1 .. 2 * take, leave the next player one
of those, and be the third. With 2 * take + 1, every move makes the next player that third: you are the one who
is left with nothing.)

Text of a state: the sticks and the player to move, `7 sticks, player 0 to move`, or just `7 0`. An action is a number
of sticks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plyforge.board import Board, Piece, Place
from plyforge.contract import BoardView, Game, Heuristics, Notation
from plyforge.errors import BadRules, BadText

MAX_STICKS = 900
"""So that a search can look to the end."""


class Heap(NamedTuple):
    """A heap and whose turn it is."""

    sticks: int
    """How many are left."""
    player: int
    """Who moves: 0, 1 or 2."""


class ThreeNimHeuristics(Heuristics):
    """What searches may know."""

    def with_turn(self, game: ThreeNim, s: Heap, player: int) -> Heap:
        return Heap(s.sticks, player)


class ThreeNimNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: ThreeNim, s: Heap) -> str:
        return f"{s.sticks} {s.player}"

    def parse_state(self, game: ThreeNim, text: str) -> Heap:
        found = re.fullmatch(r"(\d{1,9})(?: sticks?, player)? ([012])(?: to move)?", text.strip(), re.ASCII)
        if found is None:
            raise BadText(f"{text!r} is not a state of three_nim: the sticks and the player 0, 1 or 2, as in '7 0'")
        s = Heap(int(found[1]), int(found[2]))
        if s.sticks > game.sticks:
            raise BadText(f"{text!r}: this game begins with {game.sticks} sticks")
        return s


class ThreeNimView(BoardView):
    """The picture to point at."""

    def board(self, game: ThreeNim, s: Heap) -> Board | None:
        """The sticks in rows of ten. A heap too large to be seen is left to text."""
        if game.sticks > 60:
            return None
        places = [Place(f"stick {n + 1}", n % 10 * 0.5, n // 10 * 1.3, "spot", 0.5, 1.1) for n in range(game.sticks)]
        sticks = [Piece(f"stick {n + 1}", "bar", name="stick") for n in range(s.sticks)]
        return Board(places, sticks, surface="felt")

    def ways(self, game: ThreeNim, s: Heap, number: int) -> Iterator[tuple[str, ...]]:
        """Point at a stick to take it and all after it."""
        yield (f"stick {s.sticks - number + 1}",)


@dataclass(frozen=True)
class ThreeNim(Game):
    """One heap, three players, a tuple of payoffs: `three_nim(sticks=7, take=3)`."""

    notation = ThreeNimNotation()
    view = ThreeNimView()

    heuristics = ThreeNimHeuristics()

    sticks: int = 7
    """In the heap, at the start."""
    take: int = 3
    """As many as a player may take at most."""

    players = 3
    utility_sum = 1.5
    min_utility = 0.0
    max_utility = 1.0

    def __post_init__(self) -> None:
        if not 1 <= self.sticks <= MAX_STICKS:
            raise BadRules(f"three_nim needs 1 to {MAX_STICKS} sticks, not {self.sticks}")
        if self.take < 1:
            raise BadRules(f"three_nim needs take of at least 1, not {self.take}")

    def start(self) -> Heap:
        return Heap(self.sticks, 0)

    def player(self, s: Heap) -> int:
        return s.player

    def actions(self, s: Heap) -> Iterator[int]:
        for number in range(1, min(self.take, s.sticks) + 1):
            yield number

    def result(self, s: Heap, number: int) -> Heap:
        return Heap(s.sticks - number, (s.player + 1) % 3)

    def terminal(self, s: Heap) -> bool:
        return s.sticks == 0

    def utility(self, s: Heap) -> tuple[float, float, float]:
        """The player who is left with an empty heap gets nothing; the one before it took the last stick."""
        if s.player == 0:
            return (0.0, 0.5, 1.0)
        if s.player == 1:
            return (1.0, 0.0, 0.5)
        return (0.5, 1.0, 0.0)

    def evaluate(self, s: Heap) -> tuple[float, float, float]:
        """An equal share for each: who is ahead shows only at the end."""
        return (0.5, 0.5, 0.5)

    def count(self, s: Heap) -> int:
        return min(self.take, s.sticks)

    # ------------------------------------------------------------ text

    def show(self, s: Heap) -> str:
        return f"{'|' * s.sticks or '-'}  {s.sticks} sticks, player {s.player} to move"
