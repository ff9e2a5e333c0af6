"""The state as a picture to point at: see `plyforge.board`. Never compiled.

Without a word of the rules, the grid that is found in a state, or in what `show` gives, is drawn (`plyforge.grids`).
Rules that want more write it here:

    class Squares(BoardView):
        def board(self, game, s): ...

    class MyGame(Game):
        view = Squares()
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from plyforge.board import Board, Piece
from plyforge.contract.companions.companion import Action, Companion, State
from plyforge.grids import found_board, found_ways
from plyforge.kernel.constant import defines
from plyforge.kernel.function import never_compiled


@never_compiled
class BoardView(Companion):
    """How a game is drawn, and pointed at."""

    python_only = ("board", "choice_ways", "palette", "placed", "ways")

    steering: tuple[tuple[str, str], ...] = ()
    """Keys and the actions they stand for, as text: `(("up", "north"), ...)`. A game that is steered is shown as a
    moving picture, one state in place of the other."""

    def board(self, game: Any, s: State) -> Board | None:
        """The state as a picture. None: pages show `show`, and a button for each action."""
        return found_board(game, s)

    def ways(self, game: Any, s: State, action: Action) -> Iterable[tuple[str, ...]]:
        """How a person may point at `action` on the board: names of places in order, each a way. None: a button.

        Actions with the same way are told apart by their text. Where all choose at once, pages ask `choice_ways`.
        By default, on a board that was found, the cells that the action names or changes.
        """
        if not defines(self, "board"):
            yield from found_ways(game, s, action)

    def choice_ways(self, game: Any, s: State, player: int, choice: Action) -> Iterable[tuple[str, ...]]:
        """The same for what one player chooses where all choose at once."""
        yield from ()

    def palette(self, game: Any, place: str) -> Sequence[Piece]:
        """What can be put on a place by who sets up a position by hand; a count of more than one means up to so
        many. Only where the text of a state does not show its board: there pages find out alone."""
        return ()

    def placed(self, game: Any, pieces: Sequence[Piece], player: int) -> State:
        """The state with just these pieces, in which `player` moves, or would after chance. Raises BadText. Asked
        where there is a `palette`."""
        raise NotImplementedError(f"{type(self).__name__} has a palette but no placed(game, pieces, player)")


__all__ = ["BoardView"]
