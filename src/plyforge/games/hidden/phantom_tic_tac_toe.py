"""Phantom tic-tac-toe: tic-tac-toe in which nobody sees the other's marks.

Whoever moves names a cell. If the other's mark is there it is found, and another cell is named; the other is not told.
Three in a row wins, and a full board without one is a draw. About ten billion histories: too many for a tree, so it is
learned by sampling. Lanctot, "Monte Carlo sampling and regret minimization for equilibrium computation", thesis, 2013,
has it among its games.

The cells are those of tic-tac-toe, 1 to 9; text of states and observations is that of `phantom.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from plyforge.board import Board
from plyforge.contract import BoardView
from plyforge.games.hidden.phantom import Covered, Phantom, PhantomNotation
from plyforge.games.tic_tac_toe import Marks, TicTacToe, TicTacToeView


class PhantomTicTacToeNotation(PhantomNotation):
    """As every phantom game, with X and O."""

    player_names = ("X", "O")


class PhantomTicTacToeView(BoardView):
    """The board, with the marks that are seen."""

    def board(self, game: PhantomTicTacToe, s: Covered) -> Board:
        return TicTacToeView().board(OPEN, Marks(s.first, s.second, s.player))

    def ways(self, game: PhantomTicTacToe, s: Covered, cell: int) -> Iterator[tuple[str, ...]]:
        yield (str(cell + 1),)


@dataclass(frozen=True)
class PhantomTicTacToe(Phantom):
    """Tic-tac-toe under cover: who names a cell with the other's mark finds it, and tries again."""

    notation = PhantomTicTacToeNotation()
    view = PhantomTicTacToeView()

    title = "phantom tic-tac-toe"
    has_line: ClassVar[Any] = TicTacToe.has_line

    @property
    def cells(self) -> int:
        return 9

    def wins(self, stones: int, player: int) -> bool:
        return bool(self.has_line(stones))

    def cell_name(self, cell: int) -> str:
        return str(cell + 1)

    def show(self, s: Covered) -> str:
        return OPEN.show(Marks(s.first, s.second, s.player))


OPEN = TicTacToe()
"""The game without cover."""
