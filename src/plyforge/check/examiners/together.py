"""The laws about choosing at once, and about payoffs on the way."""

from __future__ import annotations

import itertools
import math
from typing import Any

from plyforge.check import laws
from plyforge.check.examiners.utilities import CLOSE
from plyforge.check.ledger import Answers, Broken, Node
from plyforge.check.objects import equal, hashable, is_number, shorten
from plyforge.check.rules import MAX_ACTIONS, Rules, describe
from plyforge.contract import defines

MOST_REWARDED = 64
"""Of a state with more actions than this, only so many are asked for their rewards."""


class Together:
    """Looks at joint actions and rewards."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.game = rules.game
        self.ledger = rules.ledger
        self.met = False
        """True once all chose at once in some state."""

    def declared(self) -> None:
        """`player(s)` is SIMULTANEOUS: may it be?"""
        self.met = True
        self.ledger.tested[laws.TOGETHER_DECLARED] += 1
        if not defines(self.game, "legal_actions"):
            raise Broken(
                laws.TOGETHER_DECLARED,
                "player(s) is SIMULTANEOUS, but the rules have no legal_actions(s, player): write it",
            )

    # ------------------------------------------------------------ choices
    def choices(self, node: Node, answers: Answers) -> None:
        """Everybody has some, and the actions are their combinations."""
        everybody = [self.of(node, player) for player in range(self.game.players)]
        self.ledger.tested[laws.JOINT] += 1
        expected = itertools.product(*everybody)
        for place, (joint, action) in enumerate(itertools.zip_longest(expected, answers.actions)):
            if not equal(joint, action):
                wanted = "nothing more" if joint is None else shorten(joint)
                found = "nothing more" if action is None else shorten(action)
                sentence = (
                    f"number {place} of actions(s) is {found}, but of all combinations of legal_actions(s, player) it"
                    f" is {wanted}"
                )
                raise Broken(laws.JOINT, sentence)

    def of(self, node: Node, player: int) -> list[Any]:
        self.ledger.tested[laws.CHOICES] += 1
        try:
            given = self.game.legal_actions(node.state, player)
            items = [] if given is None else list(itertools.islice(given, MAX_ACTIONS + 1))
        except (Exception, SystemExit) as error:
            raise Broken(laws.RULES_RUN, f"choices raised {describe(error)}") from error
        if not items:
            raise Broken(
                laws.CHOICES,
                f"legal_actions(s, {player}) is empty: who has nothing to decide needs one choice, such as to wait",
            )
        for index, item in enumerate(items):
            if not hashable(item):
                raise Broken(
                    laws.HASHABLE, f"the choice {shorten(item)} of player {player} is not hashable: use a tuple"
                )
            if any(equal(item, other) for other in items[:index]):
                raise Broken(laws.CHOICES, f"legal_actions(s, {player}) gives {shorten(item)} twice")
        return items

    # ------------------------------------------------------------ rewards
    def rewards(self, node: Node, answers: Answers, twin: Any) -> None:
        """Of each action or outcome: form, sum, and the same when asked of an equal state."""
        for action in answers.actions[:MOST_REWARDED]:
            given = self.rules.ask("rewards", node.state, action)
            self.ledger.tested[laws.REWARDS] += 1
            asked = f"rewards(s, {shorten(action)})"
            if not isinstance(given, tuple) or len(given) != self.game.players or not all(map(is_number, given)):
                sentence = (
                    f"{asked} is {shorten(given)}; it must be a tuple with a number for each of the {self.game.players}"
                    " players"
                )
                raise Broken(laws.REWARDS, sentence)
            if not all(map(math.isfinite, given)):
                raise Broken(laws.REWARDS, f"{asked} is {shorten(given)}, which is not finite")
            if self.game.utility_sum is not None and abs(math.fsum(given)) > self.slack:
                sentence = (
                    f"{asked} is {shorten(given)}, which sums to {math.fsum(given):g}, but utility_sum is a number:"
                    " they must sum to 0"
                )
                raise Broken(laws.REWARDS, sentence)
            again = self.rules.ask("rewards", twin, action)
            if not equal(given, again):
                raise Broken(
                    laws.REWARDS, f"{asked} gave {shorten(given)} at first, and {shorten(again)} when asked again"
                )

    def played(self, node: Node, paid: list[Any], utility: Any) -> None:
        """A game was played from the start to its end: what did it bring?"""
        parts = [part for part in paid if isinstance(part, tuple) and len(part) == self.game.players]
        if len(parts) != len(paid):
            return  # another law has it
        if isinstance(utility, tuple):
            ends = utility
        else:
            ends = (utility, (self.game.utility_sum or 0.0) - utility)[: self.game.players]
        self.ledger.tested[laws.REWARD_SUMS] += 1
        for player, end in enumerate(ends):
            if player == 1 and self.game.utility_sum is not None and self.game.players == 2:
                break  # the other side of the same number
            brought = math.fsum([end, *(part[player] for part in parts)])
            if not self.game.min_utility - self.slack <= brought <= self.game.max_utility + self.slack:
                sentence = (
                    f"a game brought player {player} {brought:g} in rewards and utility, which is not from min_utility,"
                    f" {self.game.min_utility:g}, to max_utility, {self.game.max_utility:g}"
                )
                self.ledger.broken(laws.REWARD_SUMS, sentence, node)
                return

    @property
    def slack(self) -> float:
        return CLOSE * max(1.0, abs(self.game.min_utility), abs(self.game.max_utility))
