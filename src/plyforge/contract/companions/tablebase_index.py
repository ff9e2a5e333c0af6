"""The states of a game's endings by number, for endgame tablebases. What takes a state is compiled; slices are
Python's.

Endings come in slices, one for each kind (what is on the board, as a rule). A state has a canonical form, a slice, and
a
number in it:   s -> canonical -> (slice_of, index),   and back:   (slice_code, index) -> state_at.
"""

from __future__ import annotations

from typing import Any

from plyforge.contract.companions.companion import Companion, State


class TablebaseIndex(Companion):
    """How the states of endings are numbered. A game whose companion defines `index` can have tablebases."""

    python_only = ("slices", "slice_size", "slice_code", "format_slice")

    def slices(self, game: Any, pieces: int) -> list[Any]:
        """The kinds of endings with up to `pieces` pieces, each a NamedTuple of ints. Actions lead into the same one
        or into earlier ones."""
        raise NotImplementedError(f"{type(self).__name__} has no slices(game, pieces)")

    def slice_size(self, game: Any, kind: Any) -> int:
        """How many numbers a slice of that kind has."""
        raise NotImplementedError(f"{type(self).__name__} has no slice_size(game, kind)")

    def slice_code(self, game: Any, kind: Any) -> int:
        """The small number by which compiled code knows the slice."""
        raise NotImplementedError(f"{type(self).__name__} has no slice_code(game, kind)")

    def format_slice(self, game: Any, kind: Any) -> str:
        """The slice as a word that can be part of a file's name."""
        return "-".join(str(part) for part in kind)

    def canonical(self, game: Any, s: State) -> tuple[State, bool]:
        """The state that stands for `s` in the index, and whether the players have changed sides in it."""
        return s, False

    def slice_of(self, game: Any, s: State) -> int:
        """The code of the slice of a canonical state; -1 if it is in none."""
        return -1

    def index(self, game: Any, s: State) -> int:
        """The number of a canonical state in its slice, from 0 on."""
        return -1

    def state_at(self, game: Any, code: int, index: int) -> State:
        """The state with that number. Where a number has none: a state that `index_valid` refuses."""
        raise NotImplementedError(f"{type(self).__name__} has no state_at(game, code, index)")

    def index_valid(self, game: Any, s: State) -> bool:
        """False for what `state_at` gives where a number has no state."""
        return True


__all__ = ["TablebaseIndex"]
