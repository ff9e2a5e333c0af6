"""The laws about what states are worth: the form of a utility, its bounds, sums, winners, draws."""

from __future__ import annotations

import math
from typing import Any

from plyforge.check import laws
from plyforge.check.ledger import Answers, Broken, Node
from plyforge.check.objects import is_number, is_whole, shorten
from plyforge.check.rules import Rules
from plyforge.contract import MAX, MIN, payoffs

CLOSE = 1e-9
"""Sums and bounds are compared to within this, relative to their size."""
ENOUGH_LINES = 12
"""So many different lines of play, all ending in favour of one player, are no coincidence."""
ENOUGH_GAMES = 200
"""Of a game that was not seen whole, so many games that end by a move of each player."""


class Utilities:
    """Looks at utilities and estimates, and remembers how games end."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.game = rules.game
        self.ledger = rules.ledger
        self.favours: set[int] = set()
        """In whose favour games end: 1 MAX's, -1 MIN's, 0 neither's."""
        self.lines: dict[tuple[Any, ...], int | None] = {}
        """The decided games that were played at random, and who made the last move."""
        self.shares: dict[int, set[float]] = {}
        """For each player, the different utilities seen (a few of them)."""

    # ------------------------------------------------------------ one state
    def end(self, node: Node, answers: Answers) -> None:
        """A terminal state."""
        utility = answers.utility = self.rules.ask("utility", node.state)
        self.ledger.tested[laws.UTILITY_FORM] += 1
        self.constant_sum(utility)
        wrong = self.wrong_form(utility, one_for_all=False)
        if wrong:
            raise Broken(laws.UTILITY_FORM, f"utility(s) is {shorten(utility)}; {wrong}")
        if not self.game.has_rewards:  # else the bounds are of all that adds up
            self.within(utility, "utility", laws.UTILITY_BOUNDS)
        if self.rules.declares("winner"):
            self.winner(node, utility)
        if self.game.players == 2 and not self.game.history.draws_possible and not self.game.has_rewards:
            self.draw(node, utility)
        for player, number in enumerate(utility if isinstance(utility, tuple) else (utility,)):
            seen = self.shares.setdefault(player, set())
            if len(seen) < 2:
                seen.add(float(number))
        if not isinstance(utility, tuple):
            self.favours.add(self.favour(utility))

    def evaluate(self, node: Node) -> Any:
        """The estimate of a live state."""
        estimate = self.rules.ask("evaluate", node.state)
        self.ledger.tested[laws.EVALUATE_FORM] += 1
        wrong = self.wrong_form(estimate, one_for_all=True)
        if wrong:
            raise Broken(laws.EVALUATE_FORM, f"evaluate(s) is {shorten(estimate)}; {wrong}")
        if self.game.has_rewards:
            return estimate
        try:
            self.within(estimate, "evaluate", laws.EVALUATE_BOUNDS)
        except Broken as broken:
            self.ledger.broken(broken.law, broken.sentence, node)
        return estimate

    def constant_sum(self, utility: Any) -> None:
        players, total = self.game.players, self.game.utility_sum
        if total is None or not isinstance(utility, tuple) or not len(utility) == players > 1:
            return
        if all(map(is_number, utility)) and all(map(math.isfinite, utility)):
            self.ledger.tested[laws.CONSTANT_SUM] += 1
            if not math.isclose(math.fsum(utility), total, rel_tol=CLOSE, abs_tol=CLOSE):
                sentence = (
                    f"utility(s) is {utility}, which sums to {math.fsum(utility):g}, but utility_sum is {total:g}"
                )
                raise Broken(laws.CONSTANT_SUM, sentence)

    def wrong_form(self, value: Any, one_for_all: bool) -> str | None:
        """What is wrong with the form of a utility or an estimate, in words."""
        players = self.game.players
        if players <= 2 and self.game.utility_sum is not None:
            return None if is_number(value) else "for at most two players of constant sum it must be MAX's number"
        if isinstance(value, tuple):
            if len(value) != players:
                return f"it must have one number for each of the {players} players"
            return None if all(map(is_number, value)) else "each of its items must be a number"
        if (one_for_all or players == 1) and is_number(value):
            return None
        return f"it must be a tuple with one number for each of the {players} players"

    def within(self, value: Any, name: str, law: str) -> None:
        lowest, highest = self.game.min_utility, self.game.max_utility
        slack = CLOSE * max(1.0, abs(lowest), abs(highest))
        for number in value if isinstance(value, tuple) else (value,):
            self.ledger.tested[law] += 1
            if not lowest - slack <= number <= highest + slack:
                sentence = (
                    f"{name}(s) is {value}, which is not from min_utility, {lowest:g}, to max_utility, {highest:g}"
                )
                raise Broken(law, sentence)

    def favour(self, utility: Any) -> int:
        """1 if a single number is above the middle of the bounds, -1 if below, 0 if it is the middle."""
        middle = 0.5 * (self.game.min_utility + self.game.max_utility)
        return int(utility > middle) - int(utility < middle)

    def winner(self, node: Node, utility: Any) -> None:
        """The declared fact `winner`."""
        declared = self.rules.ask("winner", node.state)
        self.ledger.tested[laws.WINNER] += 1
        players = self.game.players
        if declared is not None and not (is_whole(declared) and 0 <= declared < players):
            said = (
                f"winner(s) is {shorten(declared)}, not None or a player: Plyforge asks winner(s) which player has won,"
                " 0 or 1; if yours says something else, rename it"
            )
            self.ledger.broken(laws.WINNER, said, node)
            return
        if isinstance(utility, tuple):
            shares = utility
        elif players == 2:
            shares = (self.favour(utility), -self.favour(utility))
        else:
            return
        best = [player for player in range(players) if shares[player] == max(shares)]
        if declared is None and len(best) == 1:
            sentence = f"winner(s) is None, but utility(s) is {utility}, the most for player {best[0]}"
            self.ledger.broken(laws.WINNER, sentence, node)
        elif declared is not None and best != [declared]:
            sentence = f"winner(s) is player {declared}, but utility(s) is {utility}, not the most for that player"
            self.ledger.broken(laws.WINNER, sentence, node)

    def draw(self, node: Node, utility: Any) -> None:
        """The declared fact `draws`, where it says that there are none."""
        self.ledger.tested[laws.DRAWS] += 1
        first, second = payoffs(self.game, utility)
        if first == second:
            sentence = f"draws is False, but utility(s) is {utility}, the same for both players"
            self.ledger.broken(laws.DRAWS, sentence, node)

    # ------------------------------------------------------------ the whole game
    def played(self, actions: list[Any], last_mover: int | None, utility: Any) -> None:
        """A game was played to its end."""
        if isinstance(utility, tuple):
            return
        favour = self.favour(utility)
        self.favours.add(favour)
        if favour:
            self.lines[tuple(actions)] = last_mover

    @property
    def one_sided(self) -> bool:
        """True if, as far as was seen, only one of two players can win."""
        return len(self.favours - {0}) == 1

    def asks_for_more(self, complete: bool) -> bool:
        """True if more games should be played, to see whether one player really never wins."""
        if self.game.players != 2 or self.game.utility_sum is None or self.rules.declares("winner"):
            return False
        if self.game.has_rewards:
            return False
        return self.one_sided and not self.enough(complete)

    def enough(self, complete: bool) -> bool:
        movers = list(self.lines.values())
        if complete:
            return len(movers) >= ENOUGH_LINES
        return min(movers.count(MAX), movers.count(MIN)) >= ENOUGH_GAMES

    def both_sides(self, complete: bool) -> None:
        """Whether, of two players, both can win.

        A game in which only one player wins is lawful: the other may be out for a draw. Then the games that are won are
        won by the winner's own move, or by the other's mistake, but seldom by either. If whoever moves last, the same
        one always wins, then the utility is not MAX's, or its sign is wrong for one player.
        """
        game = self.game
        if game.players != 2 or game.utility_sum is None or self.rules.declares("winner") or not self.favours:
            return
        if game.has_rewards:
            return
        self.ledger.tested[laws.BOTH_SIDES] += 1
        if not self.one_sided:
            return
        wins = 1 in self.favours
        loser, side, remedy = ("MIN", "below", "min_utility") if wins else ("MAX", "above", "max_utility")
        extent = "in the whole game" if complete else f"in {len(self.lines):,} games"
        middle = 0.5 * (game.min_utility + game.max_utility)
        sentence = (
            f"{loser} never wins: {extent} no utility is {side} {middle:g}, the middle of min_utility and max_utility, "
            f"whoever moves last; is its sign wrong for one player? (If not, narrow {remedy}, or declare winner(s).)"
        )
        if self.enough(complete) and {MAX, MIN} <= set(self.lines.values()):
            self.ledger.broken(laws.BOTH_SIDES, sentence)
        elif self.enough(complete):
            self.ledger.warn(laws.BOTH_SIDES, sentence.replace(", whoever moves last", ""))

    def same_for_all(self) -> None:
        """Warn of a player among three or more whose payoff is the same wherever the game ends."""
        for player, seen in self.shares.items():
            if self.game.players > 2 and len(seen) == 1 and not self.game.has_rewards:
                self.ledger.warn(laws.BOTH_SIDES, f"player {player} gets {min(seen):g} wherever the game ends")
