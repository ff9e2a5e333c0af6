"""The laws about play: threats, draws and forbidden actions, what can come back.

What happened before is no part of a state, so rules tell it twice: to whoever plays, with the whole past at hand
(`draw_reason`, `forbidden`), and to searches, from a state alone (`rule_draw`, `reversible_plies`, `superko_key`).
Where the two disagree, a search plans what the referee does not allow, or fears a draw that never comes. Here both are
asked about every state, with the way on which it was first found as its past.
"""

from __future__ import annotations

from typing import Any

from plyforge.check import laws
from plyforge.check.ledger import Answers, Broken, Node
from plyforge.check.objects import equal, is_whole, shorten
from plyforge.check.rules import Rules, overrides
from plyforge.contract import defines

MOST_FORBIDDEN = 40
"""Of so many actions it is asked whether they are forbidden."""


class InPlay:
    """Looks at what the rules say about play in one state."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.game = rules.game
        self.ledger = rules.ledger

    def look(self, node: Node, answers: Answers, successors: list[tuple[Any, Any]]) -> None:
        """A live state in which a player moves."""
        if defines(self.game.heuristics, "in_check") and defines(self.game.heuristics, "tactical_actions"):
            self.urgent(node, answers)
        if overrides(self.game, "history.reversible_plies"):
            self.reversible(node, successors)
        if defines(self.game.history, "rule_draw"):
            self.standstill(node)
        if overrides(self.game, "history.forbidden") or self.game.history.superko:
            self.forbidden(node, successors)

    def urgent(self, node: Node, answers: Answers) -> None:
        """A search doesn't stand still under a threat: it must see all answers to it."""
        if not self.rules.ask("heuristics.in_check", node.state):
            return
        noisy = self.rules.ask_all("heuristics.tactical_actions", node.state, law=laws.NOISY)
        self.ledger.tested[laws.URGENT] += 1
        for action in answers.actions:
            if not any(equal(action, item) for item in noisy):
                sentence = f"in_check(s) is True, but {self.name(node, action)} is not among tactical_actions(s)"
                raise Broken(laws.URGENT, sentence)

    def reversible(self, node: Node, successors: list[tuple[Any, Any]]) -> None:
        """No earlier than it says was play in this state; and every action adds one at most."""
        number = self.plies(node.state)
        key = self.rules.ask("key", node.state)
        for back, earlier in enumerate(past_of(node)[-2::-1], 1):
            if back > number and self.rules.ask("key", earlier) == key:
                sentence = f"reversible_plies(s) is {number}, but play was in this very state {back} plies ago"
                raise Broken(laws.REVERSIBLE, sentence)
        for action, after in successors:
            if self.rules.ask("terminal", after):
                continue
            later = self.plies(after)
            if later > number + 1:
                sentence = (
                    f"reversible_plies(s) is {number}, but after {self.name(node, action)} {later}: at most one more"
                )
                raise Broken(laws.REVERSIBLE, sentence)

    def plies(self, s: Any) -> int:
        number = self.rules.ask("history.reversible_plies", s)
        self.ledger.tested[laws.REVERSIBLE] += 1
        if not is_whole(number) or number < 0:
            sentence = (
                f"reversible_plies({self.ledger.text(s)}) is {shorten(number)}; it must be a whole number of at least 0"
            )
            raise Broken(laws.REVERSIBLE, sentence)
        return int(number)

    def standstill(self, node: Node) -> None:
        """What a state alone tells, the referee must tell as well."""
        if not self.rules.ask("history.rule_draw", node.state):
            return
        self.ledger.tested[laws.STANDSTILL] += 1
        if not self.rules.ask("history.draw_reason", past_of(node)):
            raise Broken(laws.STANDSTILL, 'rule_draw(s) is True, but draw_reason(history) is "": play goes on')

    def forbidden(self, node: Node, successors: list[tuple[Any, Any]]) -> None:
        """Something is allowed; and where nothing may come back, just that is forbidden which brings a board back."""
        past = past_of(node)
        boards = [self.rules.ask("history.superko_key", s) for s in past] if self.game.history.superko else []
        allowed = 0
        for action, after in successors[:MOST_FORBIDDEN]:
            why = self.rules.ask("history.forbidden", past, action)
            self.ledger.tested[laws.FORBIDDEN] += 1
            if not isinstance(why, str):
                sentence = f"forbidden(history, {self.name(node, action)}) is {shorten(why)}; it must be a text"
                raise Broken(laws.FORBIDDEN, sentence)
            allowed += not why
            if not self.game.history.superko:
                continue
            board = self.rules.ask("history.superko_key", after)
            back = board != boards[-1] and board in boards[:-1]
            if back != bool(why):
                told = f"it is forbidden ({why})" if why else 'forbidden(history, action) is ""'
                does = "brings back an earlier board" if back else "brings no earlier board back"
                sentence = f"{self.name(node, action)} {does}, by superko_key, but {told}"
                raise Broken(laws.FORBIDDEN, sentence)
        if not allowed and 0 < len(successors) <= MOST_FORBIDDEN:
            raise Broken(laws.FORBIDDEN, "every action is forbidden: there must be one that is not")

    def name(self, node: Node, action: Any) -> str:
        return self.ledger.action_text(node.state, action)


def past_of(node: Node) -> list[Any]:
    """The states on the first way there that was found, this one the last."""
    found = [node.state]
    while node.parent is not None:
        node = node.parent
        found.append(node.state)
    return found[::-1]
