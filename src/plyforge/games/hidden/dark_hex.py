"""Dark hex: hex in which nobody sees the other's stones.

Red (MAX) connects top and bottom, Blue (MIN) left and right. Whoever moves names a cell. If the other's stone is there
it is found, and another cell is named; the other is not told. On a board of 2 by 2 there are 441 histories and 134
information sets; on one of 3 by 3 about ten billion histories: too many for a tree.

Cells and their names are those of `hex.py`, text of states and observations is that of `phantom.py`, with `r` and `b`;
the rows follow each other without a mark between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_lowercase as LETTERS
from typing import Any, ClassVar

from plyforge.board import Board
from plyforge.contract import MAX, BoardView
from plyforge.errors import BadRules
from plyforge.games.hidden.phantom import Covered, Phantom, PhantomNotation
from plyforge.games.two_players.hex import LARGEST, Hex, HexView, Stones


class DarkHexNotation(PhantomNotation):
    """As every phantom game, with Red and Blue."""

    letters = "rb"
    player_names = ("Red", "Blue")


class DarkHexView(BoardView):
    """The rhombus, with the stones that are seen."""

    def board(self, game: DarkHex, s: Covered) -> Board:
        return HexView().board(Hex(game.size), Stones(s.first, s.second, s.player))

    def ways(self, game: DarkHex, s: Covered, cell: int) -> Iterator[tuple[str, ...]]:
        yield (game.cell_name(cell),)


@dataclass(frozen=True)
class DarkHex(Phantom):
    """Hex under cover, `dark_hex(size=3)`: who names a cell with the other's stone finds it, and tries again."""

    notation = DarkHexNotation()
    view = DarkHexView()

    title = "dark hex"
    full: ClassVar[Any] = Hex.full
    top: ClassVar[Any] = Hex.top
    bottom: ClassVar[Any] = Hex.bottom
    left: ClassVar[Any] = Hex.left
    right: ClassVar[Any] = Hex.right
    spread: ClassVar[Any] = Hex.spread
    touching: ClassVar[Any] = Hex.touching

    size: int = 3
    """How many rows there are, and columns."""

    def __post_init__(self) -> None:
        if not 2 <= self.size <= LARGEST:
            raise BadRules(f"dark hex has boards of size 2 to {LARGEST}, not {self.size}")

    @property
    def cells(self) -> int:
        return self.size * self.size

    def wins(self, stones: int, player: int) -> bool:
        if player == MAX:
            return bool(self.spread(stones & self.top, stones) & self.bottom != 0)
        return bool(self.spread(stones & self.left, stones) & self.right != 0)

    def cell_name(self, cell: int) -> str:
        return f"{LETTERS[cell % self.size]}{cell // self.size + 1}"

    def show(self, s: Covered) -> str:
        return Hex(self.size).show(Stones(s.first, s.second, s.player))
