"""Hooks held against the truth: small endings, solved by plain minimax from the six functions alone.

From ends of games that were met, climb back ply by ply and solve what lies below, as long as it is small. Each state
that is solved on the way has a true value, and what the rules say of it must fit: its bounds hold the value, a
candidate has it, its images have it too, and a pass has nothing better.

Claim: what is found is wrong for certain. The value rests on `actions`, `result`, `terminal` and `utility`, and on no
hook.
"""

from __future__ import annotations

import math
from typing import Any

from plyforge.check import laws
from plyforge.check.examiners.hooks import Hooks
from plyforge.check.ledger import Broken, Node
from plyforge.check.objects import is_number, shorten
from plyforge.check.rules import overrides
from plyforge.contract import CHANCE, MAX, defines, knows_bounds, sees_ahead

DEEPEST = 60
"""Endings of more plies are not small."""
SMALL = 600
"""So many states more, and an ending is not small."""


class Tally:
    """Where `solve_endgame` counts what it looks at."""

    nodes = 0


def windows_around(value: float) -> list[tuple[float, float]]:
    """Questions whose answer is above, below, between, or just at an edge."""
    above, below = math.nextafter(value, math.inf), math.nextafter(value, -math.inf)
    return [
        (-math.inf, math.inf),
        (value - 1, value + 1),
        (value, above),
        (below, value),
        (value - 2, value - 1),
        (value + 1, value + 2),
    ]


class Endings:
    """Solves endings of one game; the states that are solved are remembered."""

    def __init__(self, hooks: Hooks) -> None:
        self.hooks = hooks
        self.rules = hooks.rules
        self.game = hooks.game
        self.ledger = hooks.ledger
        self.values: dict[Any, float] = {}
        """True values, MAX's."""
        self.open: set[Any] = set()
        """The states on the way from the root of an ending to the one that is being solved."""
        self.left = 0
        """How many more states the present ending may have."""
        self.visited = 0

    @property
    def useful(self) -> bool:
        """True if the game has hooks that a value can prove wrong, and values to compare."""
        game = self.game
        if defines(game, "legal_actions") or game.has_rewards:
            return False  # what follows is minimax
        hooks = sees_ahead(game) or defines(game.heuristics, "symmetries") or defines(game.heuristics, "null_move")
        return bool(hooks and self.hooks.single_number)

    def climb(self, end: Node) -> None:
        """Solve the state before an end, then the one before that, as long as they are small. Raises Broken."""
        node = end.parent
        while node is not None:
            if self.rules.identity(node.state) not in self.values:
                self.left = SMALL
                if self.solve(node, 0) is None:
                    return
                self.left = SMALL
                self.solve_images(node)
            node = node.parent

    def solve(self, node: Node, depth: int) -> float | None:
        """The value of a state, None where that would take too long, or goes in circles."""
        rules, s = self.rules, node.state
        identity = rules.identity(s)
        if identity in self.values:
            return self.values[identity]
        if self.left <= 0 or depth > DEEPEST or identity in self.open:
            return None
        self.left -= 1
        self.visited += 1
        if rules.ask("terminal", s):
            value = float(rules.ask("utility", s))
        else:
            self.open.add(identity)
            found = self.solve_live(node, depth)
            self.open.discard(identity)
            if found is None:
                return None
            value = found
        self.values[identity] = value
        return value

    def solve_live(self, node: Node, depth: int) -> float | None:
        rules, s = self.rules, node.state
        player = rules.ask("player", s)
        actions = rules.legal_moves(s)
        values = []
        for action in actions:
            after = Node(rules.ask("result", s, action), node, action, ply=node.ply + 1)
            value = self.solve(after, depth + 1)
            if value is None:
                return None
            values.append(value)
        if player == CHANCE:
            weights = [probability for _, probability in rules.ask_all("chance", s)]
            return math.fsum(weight * value for weight, value in zip(weights, values, strict=True))
        value = max(values) if player == MAX else min(values)
        rules.node = node
        self.bounds(node, value)
        self.bounds_near(node, value)
        self.finish(node, value)
        self.candidates(node, actions, values, value)
        self.images(node, value)
        self.passed(node, player, value, depth)
        return value

    # ------------------------------------------------------------ what must fit
    def bounds(self, node: Node, value: float) -> None:
        if not knows_bounds(self.game):
            return
        low, high = self.hooks.pair(node.state)
        self.ledger.tested[laws.BOUNDS_HOLD] += 1
        if not low - self.hooks.slack <= value <= high + self.hooks.slack:
            sentence = f"bounds(s) is ({low:g}, {high:g}), but played to the end the state is worth {value:g}"
            self.ledger.broken(laws.BOUNDS_HOLD, sentence, node)

    def bounds_near(self, node: Node, value: float) -> None:
        if not overrides(self.game, "heuristics.bounds_near"):
            return
        for alpha, beta in windows_around(value):
            low, high = self.hooks.pair(node.state, alpha, beta)
            self.ledger.tested[laws.BOUNDS_HOLD] += 1
            if not low - self.hooks.slack <= value <= high + self.hooks.slack:
                sentence = (
                    f"bounds_near(s, {alpha:g}, {beta:g}) is ({low:g}, {high:g}), but played to the end the state is"
                    f" worth {value:g}"
                )
                self.ledger.broken(laws.BOUNDS_HOLD, sentence, node)
                return

    def finish(self, node: Node, value: float) -> None:
        """Exact inside the window; outside of it a bound that says on which side."""
        if not defines(self.game.heuristics, "solve_endgame") or not self.rules.ask(
            "heuristics.endgame_is_near", node.state
        ):
            return
        slack = self.hooks.slack
        for alpha, beta in windows_around(value):
            found = self.rules.ask("heuristics.solve_endgame", node.state, alpha, beta, Tally())
            self.ledger.tested[laws.FINISH] += 1
            if not is_number(found):
                raise Broken(laws.FINISH, f"solve_endgame(s, {alpha:g}, {beta:g}) is {shorten(found)}, not a number")
            lowest, highest = value - slack, value + slack
            if value <= alpha:
                highest = max(alpha, highest)
            elif value >= beta:
                lowest = min(beta, lowest)
            if not lowest <= found <= highest:
                sentence = (
                    f"solve_endgame(s, {alpha:g}, {beta:g}) is {found:g}, but played to the end the state is worth"
                    f" {value:g}"
                )
                self.ledger.broken(laws.FINISH, sentence, node)
                return

    def candidates(self, node: Node, actions: list[Any], values: list[float], value: float) -> None:
        if not defines(self.game.heuristics, "sufficient_actions"):
            return
        candidates = self.rules.ask_all("heuristics.sufficient_actions", node.state)
        self.ledger.tested[laws.BEST_CANDIDATE] += 1
        of = dict(zip(actions, values, strict=True))
        among = [of[action] for action in candidates if action in of]
        if among and not any(abs(one - value) <= self.hooks.slack for one in among):
            best = max(among) if value >= max(among) else min(among)
            action = actions[values.index(value)]
            sentence = (
                f"no action of sufficient_actions(s) is best: they lead to {best:g}, "
                f"but {self.ledger.action_text(node.state, action)} leads to {value:g}"
            )
            self.ledger.broken(laws.BEST_CANDIDATE, sentence, node)

    def images(self, node: Node, value: float) -> None:
        """Compare with those images that were solved before."""
        if not defines(self.game.heuristics, "symmetries"):
            return
        for image in self.rules.ask_all("heuristics.symmetries", node.state):
            known = self.values.get(self.rules.identity(image))
            if known is not None:
                self.ledger.tested[laws.ALIKE] += 1
                if abs(known - value) > self.hooks.slack:
                    text = self.ledger.text(image)
                    sentence = f"played to the end the state is worth {value:g}, but its image {text} {known:g}"
                    self.ledger.broken(laws.ALIKE, sentence, node)

    def solve_images(self, node: Node) -> None:
        """Solve the images of a state as well: each is then compared with those that are known."""
        if defines(self.game.heuristics, "symmetries"):
            for image in self.rules.ask_all("heuristics.symmetries", node.state):
                self.solve(Node(image), 0)

    def passed(self, node: Node, player: int, value: float, depth: int) -> None:
        if not defines(self.game.heuristics, "null_move"):
            return
        after = self.solve(Node(self.rules.ask("heuristics.null_move", node.state)), depth + 1)
        if after is None:
            return
        self.ledger.tested[laws.PASS_NOT_BEST] += 1
        if after - value > self.hooks.slack if player == MAX else value - after > self.hooks.slack:
            sentence = f"with the best action the state is worth {value:g}, after a pass {after:g}: passing is better"
            self.ledger.broken(laws.PASS_NOT_BEST, sentence, node)
