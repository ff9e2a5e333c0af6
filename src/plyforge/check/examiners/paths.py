"""What rules say of costs and of the way that is still to go, held against the rules themselves.

In every state: costs and heuristics are numbers of at least 0, and a heuristic that is declared consistent is compared
with those of the successors. Near the ends that were met: the truth is found by looking at paths in the order of what
they cost, with no heuristic at all, and a heuristic that is declared admissible must not be above it.

Claim: what is found is wrong for certain.
"""

from __future__ import annotations

import heapq
import math
from typing import Any

from plyforge.check import laws
from plyforge.check.examiners.utilities import CLOSE
from plyforge.check.ledger import Answers, Broken, Node
from plyforge.check.objects import is_number, shorten
from plyforge.check.rules import Rules, overrides
from plyforge.contract import CHANCE, Game, defines

SMALL = 400
"""So many states looked at, and an end is not near."""


class Paths:
    """Looks at the costs and the heuristic of one game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.game = rules.game
        self.ledger = rules.ledger
        self.looked = 0
        """How many states were looked at to find true distances."""

    @property
    def has_heuristic(self) -> bool:
        return overrides(self.game, "costs.h")

    @property
    def alone(self) -> bool:
        """True if paths are what the game is about."""
        return self.game.players == 1 and not self.game.has_chance

    # ------------------------------------------------------------ one state
    def look(self, node: Node, answers: Answers, successors: list[tuple[Any, Any]]) -> None:
        """A live state in which a player moves."""
        costs = {}
        if defines(self.game.costs, "cost"):
            for action, _ in successors:
                costs[action] = self.cost(node.state, action)
        if not self.has_heuristic:
            return
        here = answers.hooks["costs.h"] = self.to_go(node.state)
        if not self.game.costs.consistent:
            return
        for action, after in successors:
            if not self.rules.ask("terminal", after) and self.rules.ask("player", after) == CHANCE:
                continue
            there, cost = self.left(after), costs.get(action, 0.0)
            self.ledger.tested[laws.CONSISTENT] += 1
            if here > cost + there + self.slack(here):
                sentence = (
                    f"h(s) is {here:g}, but {self.ledger.action_text(node.state, action)} costs {cost:g}, and after it "
                    f"{there:g} is to go: consistent is True, so it may fall by {cost:g} at most"
                )
                self.ledger.broken(laws.CONSISTENT, sentence, node)
                return

    def cost(self, s: Any, action: Any) -> float:
        cost = self.rules.ask("costs.cost", s, action)
        self.ledger.tested[laws.COST] += 1
        if not is_number(cost) or not 0 <= cost < math.inf:
            sentence = f"cost(s, {shorten(action)}) is {shorten(cost)}; it must be a number of at least 0"
            raise Broken(laws.COST, sentence)
        return float(cost)

    def to_go(self, s: Any) -> float:
        left = self.rules.ask("costs.h", s)
        self.ledger.tested[laws.TO_GO] += 1
        if not is_number(left) or not 0 <= left < math.inf:
            sentence = f"h({self.ledger.text(s)}) is {shorten(left)}; it must be a number of at least 0"
            raise Broken(laws.TO_GO, sentence)
        return float(left)

    def left(self, s: Any) -> float:
        """What is to go by the heuristic; from an end, what it is worth less than `max_utility`."""
        if self.rules.ask("terminal", s):
            return float(self.game.max_utility) - float(self.rules.ask("utility", s))
        return self.to_go(s) if self.has_heuristic else 0.0

    def slack(self, number: float) -> float:
        return CLOSE * max(1.0, abs(number), abs(self.game.max_utility))

    # ------------------------------------------------------------ near an end
    @property
    def useful(self) -> bool:
        """True if there is a heuristic that a true distance can prove wrong."""
        return self.alone and self.has_heuristic and bool(self.game.costs.admissible)

    def climb(self, end: Node) -> None:
        """Compare the states before an end, one after the other, as long as the truth is near. Raises Broken."""
        node = end.parent
        while node is not None and self.compare(node):
            node = node.parent

    def compare(self, node: Node) -> bool:
        """Compare one live state with the truth. False if that is not near."""
        truth = self.truth(node.state)
        if truth is None:
            return False
        self.rules.node = node
        left = self.to_go(node.state)
        self.ledger.tested[laws.ADMISSIBLE] += 1
        if left > truth + self.slack(truth):
            sentence = (
                f"h(s) is {left:g}, but there is a path that takes {truth:g}: a heuristic that says more than the truth"
                " makes A* miss the best path. Say admissible = False if that is meant"
            )
            self.ledger.broken(laws.ADMISSIBLE, sentence, node)
        return True

    def truth(self, state: Any) -> float | None:
        """What the best path from `state` takes, with what its end is worth less than `max_utility`; None where that is
        not seen soon."""
        rules, number, looked = self.rules, 0, set()
        waiting: list[tuple[float, int, Any, bool]] = [(0.0, 0, state, False)]
        for _ in range(SMALL):
            if not waiting:
                return None
            spent, _, here, over = heapq.heappop(waiting)
            if over:
                return spent
            identity = rules.identity(here)
            if identity in looked:
                continue
            looked.add(identity)
            self.looked += 1
            number += 1
            if rules.ask("terminal", here):
                heapq.heappush(waiting, (spent + self.left(here), number, here, True))
                continue
            for action in rules.ask_all("actions", here):
                cost = self.cost(here, action) if defines(self.game.costs, "cost") else 0.0
                number += 1
                heapq.heappush(waiting, (spent + cost, number, rules.ask("result", here, action), False))
        return None


def wrong_claim(game: Game) -> str | None:
    """What is wrong with the traits that the game declares, in words."""
    for trait in ("admissible", "consistent"):
        if not isinstance(getattr(game.costs, trait), bool):
            return f"costs.{trait} is {shorten(getattr(game.costs, trait))}; it must be True or False"
    if game.costs.consistent and not game.costs.admissible:
        return "consistent is True and admissible is False; a consistent heuristic is always admissible"
    return None
