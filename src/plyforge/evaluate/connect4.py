"""What a weighted sum of Connect Four adds up: threats, by the rows they are on, and stones in the middle.

Whoever begins is well served by threats on odd rows, counted from 1, the other one by those on even rows: Allis, "A
knowledge-based approach of Connect-Four" (1988). The game's own `evaluate` stays 0, so that the searches of the
lectures can be counted; the engine as a player uses these, with the weights in `weights/connect4.json`.
"""

from __future__ import annotations

from typing import Any

from plyforge.contract import Encoding
from plyforge.kernel import popcount


class ConnectFourEncoding(Encoding):
    """X's number less O's."""

    feature_names = (
        "threats",
        "threats on good rows",
        "threats that can be played now",
        "centre",
        "beside the centre",
        "move",
    )

    def features(self, game: Any, s: Any) -> tuple[float, ...]:
        """The numbers in the order of their names."""
        first = s.mine if s.ply & 1 == 0 else s.both ^ s.mine
        second = s.both ^ first
        black, white = game.winning(first, s.both), game.winning(second, s.both)
        playable = (s.both + game.bottom_row) & game.every_square
        odd = game.bottom_row * (0x5555555555555555 & ((1 << game.height) - 1))
        middle = ((1 << game.height) - 1) << (game.width // 2 * (game.height + 1))
        beside = (middle << (game.height + 1) | middle >> (game.height + 1)) & game.every_square
        return (
            float(popcount(black) - popcount(white)),
            float(popcount(black & odd) - popcount(white & ~odd)),
            float(popcount(black & playable) - popcount(white & playable)),
            float(popcount(first & middle) - popcount(second & middle)),
            float(popcount(first & beside) - popcount(second & beside)),
            1.0 if s.ply & 1 == 0 else -1.0,
        )

    def phase(self, game: Any, s: Any) -> float:
        """How full the board is."""
        full: float = s.ply / game.squares
        return full


ENCODING = ConnectFourEncoding()
