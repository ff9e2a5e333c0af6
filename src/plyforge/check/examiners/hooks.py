"""The laws about what rules may add for speed: bounds, candidates, plies left, symmetries, a pass, and turns that go to
somebody else.

Such a hook makes a search quicker by letting it leave something out, so a wrong one makes the answer wrong, and nobody
sees it. Two ways lead to the mistake. Here, in every state, what the hooks say of a state is held against what they say
of its successors. In `endings.py`, late in the game, it is held against true values.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from plyforge.check import laws
from plyforge.check.examiners.distance import Distance
from plyforge.check.examiners.paths import Paths
from plyforge.check.examiners.paths import wrong_claim as wrong_claim_of_paths
from plyforge.check.examiners.utilities import CLOSE
from plyforge.check.ledger import Answers, Broken, Node
from plyforge.check.objects import equal, is_number, is_whole, shorten
from plyforge.check.rules import Rules, overrides
from plyforge.contract import CHANCE, MAX, SIMULTANEOUS, Game, defines, knows_bounds
from plyforge.kernel import MAX_PLY

KINDS = 512
"""So many manners of acting are told apart."""
MOST_SUCCESSORS = 64
"""Of a state with more actions than this, the successors of its images are not compared."""


class Hooks:
    """Looks at the hooks of one state and its successors."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.game = rules.game
        self.ledger = rules.ledger
        self.paths = Paths(rules)
        self.distance = Distance(rules)
        self.compared = 0
        """How often the successors of an image were compared: each time of another image."""

    @property
    def single_number(self) -> bool:
        """True if a state has one value, MAX's."""
        return self.game.players <= 2 and self.game.utility_sum is not None

    @property
    def slack(self) -> float:
        """Values are compared to within this."""
        return CLOSE * max(1.0, abs(self.game.min_utility), abs(self.game.max_utility))

    def wrong_claim(self) -> str | None:
        """What is wrong with the traits that the game declares, in words."""
        game = self.game
        if not isinstance(game.heuristics.selective, (bool, np.bool_)):
            return f"heuristics.selective is {shorten(game.heuristics.selective)}; it must be True or False"
        if not is_whole(game.max_actions) or game.max_actions < 1:
            return f"max_actions is {shorten(game.max_actions)}; it must be a whole number of at least 1"
        return wrong_claim_of_paths(game)

    # ------------------------------------------------------------ one state
    def look(self, node: Node, answers: Answers, successors: list[tuple[Any, Any]]) -> None:
        """A live state in which a player moves."""
        game = self.game
        self.few_actions(node, answers)
        if overrides(game, "heuristics.ordering"):
            self.not_negative("heuristics.ordering", laws.ORDERING, node, answers)
        if overrides(game, "heuristics.prior"):
            self.not_negative("heuristics.prior", laws.PRIOR, node, answers)
        if overrides(game, "heuristics.is_tactical"):
            self.true_or_false("heuristics.is_tactical", laws.TACTICAL_CLASS, node, answers)
        if defines(game.heuristics, "captured_value"):
            self.not_negative("heuristics.captured_value", laws.GAIN, node, answers)
        if defines(game.heuristics, "see_loss"):
            self.not_negative("heuristics.see_loss", laws.RISK, node, answers)
        if overrides(game, "heuristics.move_class"):
            self.manner(node, answers)
        if defines(game.heuristics, "pawn_key"):
            self.structure(node)
        if defines(game.heuristics, "tactical_actions"):
            self.noisy(node, answers)
        if defines(game.heuristics, "sufficient_actions"):
            self.candidates(node, answers)
        if overrides(game, "heuristics.plies_left"):
            self.plies_left(node, answers, successors)
        if knows_bounds(game) and self.single_number and answers.player != SIMULTANEOUS:
            self.bounds(node, answers, successors)
        if defines(game.heuristics, "symmetries"):
            self.symmetries(node, answers, successors)
        if defines(game.heuristics, "null_move") and answers.player != SIMULTANEOUS:
            self.passed(node, answers)
        if defines(game.heuristics, "with_turn"):
            self.turns(node, answers)
        self.distance.look(node, answers, successors)
        self.paths.look(node, answers, successors)

    def look_at_end(self, node: Node, answers: Answers) -> None:
        """A terminal state: searches ask it for its images, too."""
        self.distance.look_at_end(node, answers)
        if not defines(self.game.heuristics, "symmetries"):
            return
        for image in self.images(node):
            self.ledger.tested[laws.ALIKE] += 1
            if not self.rules.ask("terminal", image):
                self.alike(node, f"{self.text(image)}, an image of this finished game, is not terminal")
                return
            utility = self.rules.ask("utility", image)
            if not equal(utility, answers.utility):
                sentence = (
                    f"utility(s) is {answers.utility}, but of the image {self.text(image)} it is {shorten(utility)}"
                )
                self.alike(node, sentence)
                return

    def few_actions(self, node: Node, answers: Answers) -> None:
        most = self.game.max_actions
        if most == Game.max_actions:
            return  # nothing was claimed
        self.ledger.tested[laws.MOST_ACTIONS] += 1
        if len(answers.actions) > most:
            sentence = f"there are {len(answers.actions)} actions, but max_actions is {most}"
            self.ledger.broken(laws.MOST_ACTIONS, sentence, node)

    def not_negative(self, name: str, law: str, node: Node, answers: Answers) -> None:
        for action in answers.actions[:MOST_SUCCESSORS]:
            number = self.rules.ask(name, node.state, action)
            self.ledger.tested[law] += 1
            if not is_number(number) or not 0 <= number < math.inf:
                sentence = f"{name}(s, {shorten(action)}) is {shorten(number)}; it must be a number of at least 0"
                raise Broken(law, sentence)

    def true_or_false(self, name: str, law: str, node: Node, answers: Answers) -> None:
        for action in answers.actions[:MOST_SUCCESSORS]:
            told = self.rules.ask(name, node.state, action)
            self.ledger.tested[law] += 1
            if not isinstance(told, (bool, np.bool_)):
                raise Broken(law, f"{name}(s, {shorten(action)}) is {shorten(told)}; it must be True or False")

    def manner(self, node: Node, answers: Answers) -> None:
        for action in answers.actions[:MOST_SUCCESSORS]:
            number, again = (self.rules.ask("heuristics.move_class", node.state, action) for _ in range(2))
            self.ledger.tested[laws.MANNER] += 1
            if not is_whole(number) or not 0 <= number < KINDS:
                sentence = (
                    f"move_class(s, {shorten(action)}) is {shorten(number)}; it must be a whole number from 0 to"
                    f" {KINDS - 1}"
                )
                raise Broken(laws.MANNER, sentence)
            if number != again:
                sentence = f"move_class(s, {shorten(action)}) is {shorten(number)}, and the next time {shorten(again)}"
                raise Broken(laws.MANNER, sentence)

    def structure(self, node: Node) -> None:
        number, again = (self.rules.ask("heuristics.pawn_key", node.state) for _ in range(2))
        self.ledger.tested[laws.STRUCTURE] += 1
        if not is_whole(number) or not -(1 << 63) <= int(number) < 1 << 64:
            sentence = f"pawn_key(s) is {shorten(number)}, not a whole number of at most 64 bits"
            raise Broken(laws.STRUCTURE, sentence)
        if int(number) != int(again):
            sentence = f"pawn_key(s) is {shorten(number)}, and the next time {shorten(again)}"
            raise Broken(laws.STRUCTURE, sentence)

    def noisy(self, node: Node, answers: Answers) -> None:
        noisy = self.rules.ask_all("heuristics.tactical_actions", node.state, law=laws.NOISY)
        self.among_actions(laws.NOISY, "tactical_actions", noisy, answers)

    # ------------------------------------------------------------ candidates
    def candidates(self, node: Node, answers: Answers) -> None:
        candidates = self.rules.ask_all("heuristics.sufficient_actions", node.state, law=laws.CANDIDATES)
        self.among_actions(laws.CANDIDATES, "sufficient_actions", candidates, answers)
        if not candidates:
            raise Broken(laws.CANDIDATES, "sufficient_actions(s) is empty: at least one action must be searched")
        answers.hooks["heuristics.sufficient_actions"] = candidates

    def among_actions(self, law: str, name: str, items: list[Any], answers: Answers) -> None:
        self.ledger.tested[law] += 1
        for index, item in enumerate(items):
            if not any(equal(item, action) for action in answers.actions):
                raise Broken(law, f"{name}(s) gives {shorten(item)}, which is not an action here")
            if any(equal(item, other) for other in items[:index]):
                raise Broken(law, f"{name}(s) gives {shorten(item)} twice")

    # ------------------------------------------------------------ how long it lasts
    def plies_left(self, node: Node, answers: Answers, successors: list[tuple[Any, Any]]) -> None:
        """At least one where the game goes on, and less after each action: so no play can be longer."""
        left = self.plies(node.state)
        answers.hooks["heuristics.plies_left"] = left
        if left >= MAX_PLY:
            return  # as good as unknown
        for action, after in successors:
            if self.rules.ask("terminal", after):
                continue
            later = self.plies(after)
            if later >= left:
                sentence = (
                    f"plies_left(s) is {left}, but after {shorten(action)} there may be {later} more: "
                    "it must fall by at least one with every action"
                )
                self.ledger.broken(laws.PLIES_LEFT, sentence, node)
                return

    def plies(self, s: Any) -> int:
        left = self.rules.ask("heuristics.plies_left", s)
        self.ledger.tested[laws.PLIES_LEFT] += 1
        if not is_whole(left) or left < 1:
            sentence = f"plies_left({self.text(s)}) is {shorten(left)}, but the game goes on there: at least 1"
            raise Broken(laws.PLIES_LEFT, sentence)
        return int(left)

    # ------------------------------------------------------------ bounds
    def bounds(self, node: Node, answers: Answers, successors: list[tuple[Any, Any]]) -> None:
        """In order; and no tighter than the bounds of the successors allow."""
        low, high = self.pair(node.state)
        answers.hooks["heuristics.bounds"] = (low, high)
        sign, side = (1, "MAX") if answers.player == MAX else (-1, "MIN")
        least, most = (low, high) if sign > 0 else (-high, -low)  # as the mover sees it
        best = -math.inf
        for action, after in successors:
            if self.rules.ask("terminal", after):
                value = self.rules.ask("utility", after)
                if not is_number(value):
                    return  # a law of utilities has it
                one, other = float(value), float(value)
            elif self.rules.ask("player", after) in (CHANCE, SIMULTANEOUS):
                best = math.inf
                continue
            else:
                one, other = self.pair(after)
            worst_after, best_after = (one, other) if sign > 0 else (-other, -one)
            best = max(best, best_after)
            self.ledger.tested[laws.BOUNDS_HOLD] += 1
            if worst_after > most + self.slack:
                sentence = (
                    f"bounds(s) is ({low:g}, {high:g}), but after {shorten(action)} it is worth "
                    f"{'at least' if sign > 0 else 'at most'} {sign * worst_after:g}, and {side} can choose that"
                )
                self.ledger.broken(laws.BOUNDS_HOLD, sentence, node)
                return
        if len(successors) == len(answers.actions) and best < least - self.slack:
            sentence = (
                f"bounds(s) is ({low:g}, {high:g}), but {side} moves and no action leads to anything "
                f"{'above' if sign > 0 else 'below'} {sign * best:g}"
            )
            self.ledger.broken(laws.BOUNDS_HOLD, sentence, node)

    def pair(self, s: Any, *window: float) -> tuple[float, float]:
        """The bounds of a live state, in order. Wider than the game's own they may be: that is only useless."""
        name = "bounds_near" if window else "bounds"
        answer = self.rules.ask(f"heuristics.{name}", s, *window)
        asked = f"{name}({', '.join([self.text(s), *(f'{end:g}' for end in window)])})"
        self.ledger.tested[laws.BOUNDS] += 1
        if not isinstance(answer, tuple) or len(answer) != 2 or not all(map(is_number, answer)):
            sentence = f"{asked} is {shorten(answer)}, not a pair of numbers (at least, at most)"
            raise Broken(laws.BOUNDS, sentence)
        low, high = float(answer[0]), float(answer[1])
        if not low <= high:
            sentence = f"{asked} is ({low:g}, {high:g}): the first must not be above the second"
            raise Broken(laws.BOUNDS, sentence)
        return low, high

    # ------------------------------------------------------------ symmetries
    def images(self, node: Node) -> list[Any]:
        """The images of a state. The images of each must be the same set, with the state itself in it."""
        rules = self.rules
        images = rules.ask_all("heuristics.symmetries", node.state, law=laws.CLOSED)
        self.ledger.tested[laws.CLOSED] += 1
        family = {rules.identity(node.state), *map(rules.identity, images)}
        for image in images:
            wrong = rules.no_state(image)
            if wrong:
                raise Broken(laws.CLOSED, f"an item of symmetries(s) {wrong}")
            others = rules.ask_all("heuristics.symmetries", image, law=laws.CLOSED)
            if {rules.identity(image), *map(rules.identity, others)} != family:
                sentence = (
                    f"{self.text(image)} is an image of this state, but their images are not the same: "
                    "symmetries(s) must give all of them, or none, and each image the others"
                )
                raise Broken(laws.CLOSED, sentence)
        return [image for image in images if not rules.same(image, node.state)]

    def symmetries(self, node: Node, answers: Answers, successors: list[tuple[Any, Any]]) -> None:
        images = self.images(node)
        rules = self.rules
        for image in images:
            self.ledger.tested[laws.ALIKE] += 1
            if rules.ask("terminal", image):
                return self.alike(node, f"its image {self.text(image)} is terminal, it is not")
            player = rules.ask("player", image)
            if player != answers.player:
                sentence = f"player(s) is {answers.player}, but of the image {self.text(image)} it is {shorten(player)}"
                return self.alike(node, sentence)
            number = rules.ask("count", image)
            if number != len(answers.actions):
                sentence = f"there are {len(answers.actions)} actions, but in the image {self.text(image)} {number}"
                return self.alike(node, sentence)
            estimate = rules.ask("evaluate", image)
            if not equal(estimate, answers.evaluate) and not self.close(estimate, answers.evaluate):
                sentence = (
                    f"evaluate(s) is {shorten(answers.evaluate)}, but of the image {self.text(image)}"
                    f" {shorten(estimate)}: what a search gives at a depth limit then depends on which of them it met"
                    " first"
                )
                self.ledger.warn(laws.ALIKE, sentence, node)
        if images and len(successors) == len(answers.actions) <= MOST_SUCCESSORS:
            self.compared += 1
            self.compare_successors(node, images[self.compared % len(images)], successors)
        return None

    def close(self, one: Any, other: Any) -> bool:
        return is_number(one) and is_number(other) and abs(one - other) <= self.slack

    def compare_successors(self, node: Node, image: Any, successors: list[tuple[Any, Any]]) -> None:
        """The successors of an image are the images of the successors: as many ends, worth the same, as many
        actions."""
        rules = self.rules
        actions = rules.ask_all("actions", image)
        here = Counter(self.look_of(after) for _, after in successors)
        there = Counter(self.look_of(rules.ask("result", image, action)) for action in actions)
        self.ledger.tested[laws.ALIKE] += 1
        if here != there:
            more = next(iter((here - there) or (there - here)))
            sentence = (
                f"its image is {self.text(image)}, but one action leads to a state ({more}) {here[more]} times here "
                f"and {there[more]} times there"
            )
            self.alike(node, sentence)

    def look_of(self, s: Any) -> str:
        """What an image of `s` has in common with it, in words."""
        if self.rules.ask("terminal", s):
            return f"an end worth {shorten(self.rules.ask('utility', s))}"
        player = self.rules.ask("player", s)
        if player == CHANCE:
            return "chance moves"
        if player == SIMULTANEOUS:
            return f"all choose at once, {self.rules.ask('count', s)} joint actions"
        return f"player {player} moves, {self.rules.ask('count', s)} actions"

    def alike(self, node: Node, sentence: str) -> None:
        self.ledger.broken(laws.ALIKE, sentence, node)

    # ------------------------------------------------------------ a pass
    def passed(self, node: Node, answers: Answers) -> None:
        after = self.rules.ask("heuristics.null_move", node.state)
        self.ledger.tested[laws.PASSED] += 1
        wrong = self.rules.no_state(after)
        if wrong:
            raise Broken(laws.PASSED, f"null_move(s) {wrong}")
        if not self.rules.ask("terminal", after) and self.rules.ask("player", after) == answers.player:
            sentence = f"player {answers.player} passes, but in null_move(s) it is this player's turn again"
            self.ledger.broken(laws.PASSED, sentence, node)

    # ------------------------------------------------------------ the turn of somebody else
    def turns(self, node: Node, answers: Answers) -> None:
        for player in range(self.game.players):
            after = self.rules.ask("heuristics.with_turn", node.state, player)
            self.ledger.tested[laws.HANDED_OVER] += 1
            wrong = self.rules.no_state(after)
            if wrong:
                raise Broken(laws.HANDED_OVER, f"with_turn(s, {player}) {wrong}")
            if player == answers.player and not self.rules.same(after, node.state):
                sentence = (
                    f"it is the turn of player {player}, but with_turn(s, {player}) is another state,"
                    f" {self.text(after)}"
                )
                return self.ledger.broken(laws.HANDED_OVER, sentence, node)
            if not self.rules.ask("terminal", after) and self.rules.ask("player", after) != player:
                found = shorten(self.rules.ask("player", after))
                sentence = f"in with_turn(s, {player}) it is the turn of player {found}"
                return self.ledger.broken(laws.HANDED_OVER, sentence, node)
        return None

    def text(self, s: Any) -> str:
        return self.ledger.text(s)


LISTS = frozenset({"heuristics.sufficient_actions"})
"""Hooks that give many items, not one answer."""
