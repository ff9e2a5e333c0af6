"""Chinese checkers: what searches may know of it, and what depends on the past."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyforge.contract import Heuristics, HistoryRules
from plyforge.games.chinese_checkers.board import NUMBERS
from plyforge.games.chinese_checkers.position import PASS, Star
from plyforge.kernel import MAX_PLY

if TYPE_CHECKING:
    from plyforge.games.chinese_checkers.rules import ChineseCheckers


class ChineseCheckersHeuristics(Heuristics):
    """What searches may know."""

    def with_turn(self, game: ChineseCheckers, s: Star, player: int) -> Star:
        """The same pieces with `player` to move. Those in between have passed, so their moves are counted."""
        inner, outer, ply, who = s.inner, s.outer, s.ply, s.player
        while who != player:
            inner, outer = game.turned(inner), game.turned(outer)
            who = who + 1 if who + 1 < game.players else 0
            if game.move_limit > 0:
                ply += 1
        return Star(inner, outer, who, ply)

    def plies_left(self, game: ChineseCheckers, s: Star) -> int:
        return game.move_limit * game.players - s.ply if game.move_limit > 0 else MAX_PLY

    def ordering(self, game: ChineseCheckers, s: Star, action: int) -> float:
        """By how many steps the piece comes nearer to the tip of its target, and one; going away is less than that."""
        if action == PASS:
            return 1.0
        gain = game.distances[s.player, action // NUMBERS] - game.distances[s.player, action % NUMBERS]
        return 1.0 + gain if gain >= 0 else 1.0 / (1.0 - gain)


class EndlessHistory(HistoryRules):
    """Without a limit play can come back to a state."""

    repetition = True


ENDLESS, LIMITED = EndlessHistory(), HistoryRules()
