"""What an evaluation of Chinese checkers goes by: how far each player's pieces still have to go, a race.

A player's chances, beside the others', are the fourth power of one over the way that it has to go.
"""

from __future__ import annotations

from typing import Any

from plyforge.contract import Encoding
from plyforge.games.chinese_checkers.board import OUTER
from plyforge.games.chinese_checkers.rules import first_of
from plyforge.kernel import lowest, popcount


class ChineseCheckersEncoding(Encoding):
    """The race, for weighted sums, and the game's own evaluation."""

    feature_names = ("distance", "last piece", "pieces away")

    def features(self, game: Any, s: Any) -> tuple[float, ...]:
        """The first player's race less the average of the others': negative is good, as in golf."""
        mine = (0.0, 0.0, 0.0)
        others = (0.0, 0.0, 0.0)
        for player in range(game.players):
            race = self.race(game, s, player)
            if player == 0:
                mine = race
            else:
                others = (others[0] + race[0], others[1] + race[1], others[2] + race[2])
        rest = game.players - 1.0
        return (mine[0] - others[0] / rest, mine[1] - others[1] / rest, mine[2] - others[2] / rest)

    def race(self, game: Any, s: Any, player: int) -> tuple[float, float, float]:
        """A player's features: the steps that its pieces have to go in all, those of its last piece, and how many
        are not in the target."""
        seat = player - s.player
        if seat < 0:
            seat += game.players
        inner, outer = s.inner[seat], s.outer[seat]
        away = popcount(inner) + popcount(outer & ~game.targets[player])
        total, last = 0, 0
        while inner:
            steps = game.distances[player, lowest(inner)]
            total += steps
            last = max(last, steps)
            inner &= inner - 1
        while outer:
            steps = game.distances[player, OUTER + lowest(outer)]
            total += steps
            last = max(last, steps)
            outer &= outer - 1
        return float(total - game.nearest), float(last - game.size + 1), float(away)

    way_weights = (1.0, 0.5, 0.5)
    """What each feature counts in the length of a player's way."""

    def chances(self, game: Any, s: Any, player: int) -> float:
        """How likely a player is to win, beside the others: the fourth power of one over the way that it has to go."""
        if player >= game.players:
            return 0.0
        distance, last, away = self.race(game, s, player)
        way = self.way_weights[0] * distance + self.way_weights[1] * last + self.way_weights[2] * away
        nearness = 1.0 / (1.0 + max(way, 0.0))
        return nearness * nearness * nearness * nearness

    def estimate(self, game: Any, s: Any) -> Any:
        """A share of the win for each, in proportion to its chances; they add up to 1."""
        a, b, c = self.chances(game, s, 0), self.chances(game, s, 1), self.chances(game, s, 2)
        d, e, f = self.chances(game, s, 3), self.chances(game, s, 4), self.chances(game, s, 5)
        total = a + b + c + d + e + f
        return first_of(game, (a / total, b / total, c / total, d / total, e / total, f / total))


ENCODING = ChineseCheckersEncoding()
