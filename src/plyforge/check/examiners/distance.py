"""The law about `by_distance`: the game that it gives is the same game, and its utilities put sooner wins before later
ones.

The engine proves values in that game and tells them as this one's. So whatever is met here is asked there, too: who
moves, the actions, where they lead, what is an end. Of two ends the better one here must be the better one there; of
ends that are worth the same here, the winner's sooner ones must be worth more to the winner, and draws must be worth
the same.

Claim: what is found is wrong for certain, if a state can be reached after one number of plies only, as in all games
where this can be told.
"""

from __future__ import annotations

from typing import Any

from plyforge.check import laws
from plyforge.check.ledger import Answers, Broken, Node
from plyforge.check.objects import equal, is_number, shorten
from plyforge.check.rules import Rules, overrides
from plyforge.contract import Game

MOST_ENDS = 500
"""Kinds of ends that are compared with each other."""


class Distance:
    """Looks at the game by distance of one game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.ledger = rules.ledger
        self.ends: set[tuple[float, int, float]] = set()
        """The ends that were met: what they are worth, after how many plies they came, what they are worth by
        distance."""

    def other(self) -> Game | None:
        """The game to compare with, if there is one."""
        if not overrides(self.rules.game, "heuristics.by_distance"):
            return None
        other = self.rules.ask("heuristics.by_distance")
        if other is not None:
            self.ledger.tested[laws.BY_DISTANCE] += 1
            if not isinstance(other, Game):
                raise Broken(laws.BY_DISTANCE, f"by_distance() is {shorten(other)}, not a game, and not None")
        return other  # type: ignore[no-any-return]

    def look(self, node: Node, answers: Answers, successors: list[tuple[Any, Any]]) -> None:
        """A live state in which a player moves."""
        other = self.other()
        if other is None:
            return
        if self.rules.ask("terminal", node.state, on=other):
            raise Broken(laws.BY_DISTANCE, "by_distance() has an end of the game here, where it goes on")
        player = self.rules.ask("player", node.state, on=other)
        if player != answers.player:
            sentence = f"player {answers.player} moves, but by_distance() says player {shorten(player)}"
            raise Broken(laws.BY_DISTANCE, sentence)
        if not equal(self.rules.ask_all("actions", node.state, on=other), list(answers.actions)):
            raise Broken(laws.BY_DISTANCE, "by_distance() has other actions here, or another order of them")
        for action, after in successors:
            if not self.rules.same(self.rules.ask("result", node.state, action, on=other), after):
                sentence = f"by_distance() has another result of {shorten(action)}"
                raise Broken(laws.BY_DISTANCE, sentence)

    def look_at_end(self, node: Node, answers: Answers) -> None:
        """A terminal state."""
        other = self.other()
        if other is None or not is_number(answers.utility) or len(self.ends) >= MOST_ENDS:
            return
        if not self.rules.ask("terminal", node.state, on=other):
            raise Broken(laws.BY_DISTANCE, "by_distance() has no end of the game here, where it ends")
        there = self.rules.ask("utility", node.state, on=other)
        if not is_number(there):
            raise Broken(laws.BY_DISTANCE, f"by_distance() has the utility {shorten(there)}, not a number")
        end = (float(answers.utility), node.ply, float(there))
        for known in self.ends:
            for one, two in ((known, end), (end, known)):
                if self.out_of_order(one, two):
                    sentence = (
                        f"an end after {one[1]} plies is worth {one[0]:g}, and {one[2]:g} by distance; one after"
                        f" {two[1]} plies {two[0]:g}, and {two[2]:g}: that is another order, or puts a later win before"
                        " a sooner one"
                    )
                    self.ledger.broken(laws.BY_DISTANCE, sentence, node)
                    return
        self.ends.add(end)

    def out_of_order(self, one: tuple[float, int, float], two: tuple[float, int, float]) -> bool:
        """True if the first end is worse here, or as good and sooner, and that is not told there."""
        game = self.rules.game
        if one[0] < two[0]:
            return one[2] >= two[2]
        if one[0] > two[0] or one[1] >= two[1]:
            return False
        middle = 0.5 * (game.min_utility + game.max_utility)
        if one[0] == middle:
            return one[2] != two[2]
        return one[2] <= two[2] if one[0] > middle else one[2] >= two[2]
