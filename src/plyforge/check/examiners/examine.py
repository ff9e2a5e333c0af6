"""One state under examination: every law that can be seen in a state and its successors.

Each question is asked at least twice: once when the state is met, and once more, of an equal state made anew, after the
rules have been asked about all successors. So an answer that depends on anything but the state is seen to change.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyforge.check import laws
from plyforge.check.examiners.hidden import Hidden
from plyforge.check.examiners.hooks import LISTS, Hooks
from plyforge.check.examiners.in_play import InPlay
from plyforge.check.examiners.pictures import Pictures
from plyforge.check.examiners.texts import Texts
from plyforge.check.examiners.together import Together
from plyforge.check.examiners.utilities import CLOSE, Utilities
from plyforge.check.ledger import Abort, Answers, Broken, Ledger, Node
from plyforge.check.objects import equal, frozen, hashable, is_number, is_whole, misfit, picture, shorten, too_wide
from plyforge.check.rules import Rules, describe, overrides
from plyforge.contract import CHANCE, SIMULTANEOUS, Game
from plyforge.contract.collisions import Collision, collisions, doubtful, undeclared
from plyforge.kernel.bits import MASK
from plyforge.kernel.random import new_stream

MAX_SUCCESSORS = 256
MAX_SAMPLED = 40
"""In states with more actions than this `sample` is not tried."""
MAX_SAMPLES = 5000
"""So often `sample` is tried, about."""
"""Of a state with more actions than this, only so many successors are looked at."""


class Examiner(Rules):
    """Asks the rules of one game, and writes what is wrong into a ledger."""

    def __init__(self, game: Game, ledger: Ledger) -> None:
        super().__init__(game, ledger)
        self.utilities = Utilities(self)
        self.texts = Texts(self)
        self.pictures = Pictures(self)
        self.hooks = Hooks(self)
        self.in_play = InPlay(self)
        self.together = Together(self)
        self.hidden = Hidden(self)
        self.keys: dict[int, Node] = {}
        self.chance_met = False

    # ------------------------------------------------------------ before the first state
    def claims(self) -> None:
        """What the game says about itself. Raises Abort where it makes no sense."""
        self.names()
        self.ledger.tested[laws.CLAIMS] += 1
        try:
            wrong = self.wrong_claim()
        except Exception as error:
            self.ledger.broken(laws.RULES_RUN, f"asked what it is, the game raised {describe(error)}")
            raise Abort from None
        wrong = wrong or next((each.sentence for each in collisions(self.game) if each.is_claim), None)
        if wrong:
            self.ledger.broken(laws.CLAIMS, wrong)
            raise Abort

    def names(self) -> None:
        """Helpers with names that mean something here. Raises Abort: the rules would be asked in vain."""
        self.ledger.tested[laws.NAMES] += 1
        self.leave_out(undeclared(self.game))
        hidden = [each.sentence for each in collisions(self.game) if not each.is_claim]
        if hidden:
            self.ledger.broken(laws.NAMES, "; ".join(hidden))
            raise Abort

    def leave_out(self, found: tuple[Collision, ...]) -> None:
        """Warn of what is probably no hook, but a helper; facts for the checker are then not asked."""
        self.helpers.update(each.name for each in found)
        if found:
            self.ledger.warn(laws.NAMES, "; ".join(each.sentence for each in found))

    def wrong_claim(self) -> str | None:
        game = self.game
        players, lowest, highest, total, chance = (
            game.players,
            game.min_utility,
            game.max_utility,
            game.utility_sum,
            game.has_chance,
        )
        if not is_whole(players) or players < 1:
            return f"players is {shorten(players)}; it must be a whole number of at least 1"
        if not all(is_number(bound) and math.isfinite(bound) for bound in (lowest, highest)):
            return f"min_utility is {shorten(lowest)} and max_utility {shorten(highest)}; both must be finite numbers"
        if lowest > highest:
            return f"min_utility, {lowest:g}, is above max_utility, {highest:g}"
        if total is not None and not (is_number(total) and math.isfinite(total)):
            return f"utility_sum is {shorten(total)}; it must be a finite number, or None"
        if not isinstance(chance, (bool, np.bool_)):
            return f"has_chance is {shorten(chance)}; it must be True or False"
        for trait in ("has_rewards", "hidden_information"):
            if not isinstance(getattr(game, trait), (bool, np.bool_)):
                return f"{trait} is {shorten(getattr(game, trait))}; it must be True or False"
        return self.hooks.wrong_claim()

    def start(self) -> Node:
        """The first state. Raises Abort where there is none, or another one each time."""
        self.ledger.tested[laws.START] += 1
        try:
            s = self.ask("start")
            if s is None:
                raise Broken(laws.START, "start() is None: it must return the first state")
            self.learn_kind(s)
            self.leave_out(doubtful(self.game, s))
            for _ in range(4):
                again = self.ask("start")
                if not self.same(s, again):
                    sentence = f"start() gave {shorten(s)} at first, and {shorten(again)} when asked again"
                    raise Broken(laws.START, sentence)
        except Broken as broken:
            self.ledger.broken(broken.law, broken.sentence)
            raise Abort from None
        return Node(s)

    # ------------------------------------------------------------ a state
    def examine(self, node: Node, with_text: bool = True) -> list[tuple[Any, Any]]:
        """Test the laws on a state that is met for the first time; its actions with the states that they lead to."""
        self.node = node
        try:
            successors = self.ask_everything(node)
            if with_text:
                self.look_at_text(node)
            return successors
        except Broken as broken:
            node.answers = None
            self.ledger.broken(broken.law, broken.sentence, node)
            return []

    def ask_everything(self, node: Node) -> list[tuple[Any, Any]]:
        s = node.state
        twin = self.twin(s)
        if not frozen(s):
            node.copy = twin
        self.fields(node)
        answers = Answers(terminal=self.terminal(s))
        node.answers = answers
        successors: list[tuple[Any, Any]] = []
        if answers.terminal:
            self.utilities.end(node, answers)
            self.hooks.look_at_end(node, answers)
        else:
            answers.player = self.player(s)
            if answers.player == CHANCE:
                self.outcomes(node, answers)
            else:
                answers.actions = self.legal_actions(node)
                if answers.player == SIMULTANEOUS:
                    self.together.choices(node, answers)
            answers.evaluate = self.utilities.evaluate(node)
            successors = self.successors(node, answers, twin)
            if self.game.has_rewards:
                self.together.rewards(node, answers, twin)
            if answers.player != CHANCE:
                self.hooks.look(node, answers, successors)
                self.in_play.look(node, answers, successors)
        if self.game.hidden_information:
            self.hidden.look(node, answers, twin)
        if self.has_keys:
            answers.key = self.key(node)
        self.compare(node, twin, "when asked again")
        return successors

    def look_at_text(self, node: Node) -> None:
        """Text and pictures can fail because the answers have changed meanwhile: then that is what to say."""
        try:
            self.texts.look(node)
            self.pictures.look(node)
        except Broken:
            self.compare(node, node.state, "when asked later")
            raise

    def fields(self, node: Node) -> None:
        self.ledger.tested[laws.FIELDS] += 1
        wrong = misfit(node.state)
        if wrong:
            self.ledger.broken(laws.FIELDS, wrong, node)
        wide = too_wide(node.state)
        if wide and self.game.machine_words:
            sentence = f"{wide}: the rules say machine_words, and compiled code cuts it off"
            self.ledger.broken(laws.COMPILED, sentence, node)
        elif wide:
            self.ledger.warn(laws.COMPILED, f"{wide}: it is compiled with wider numbers, which are slower", node)

    def terminal(self, s: Any, on: Game | None = None) -> bool:
        answer = self.ask("terminal", s, on=on)
        self.ledger.tested[laws.TERMINAL] += 1
        if not (isinstance(answer, (bool, np.bool_)) or (is_whole(answer) and answer in (0, 1))):
            hint = ": end it with `return False`" if answer is None else ""
            raise Broken(laws.TERMINAL, f"terminal(s) is {shorten(answer)}, not True or False{hint}")
        return bool(answer)

    def player(self, s: Any) -> int:
        answer = self.ask("player", s)
        players = self.game.players
        self.ledger.tested[laws.PLAYER_RANGE] += 1
        if not is_whole(answer) or not (answer in (CHANCE, SIMULTANEOUS) or 0 <= answer < players):
            sentence = (
                f"player(s) is {shorten(answer)}; it must be a whole number from 0 to {players - 1}, or CHANCE, or"
                " SIMULTANEOUS"
            )
            raise Broken(laws.PLAYER_RANGE, sentence)
        if answer == SIMULTANEOUS:
            self.together.declared()
        self.ledger.tested[laws.CHANCE_DECLARED] += 1
        if answer == CHANCE:
            self.chance_met = True
            if not self.game.has_chance:
                sentence = "player(s) is CHANCE, but the rules have no chance(s): write it, or set has_chance = True"
                raise Broken(laws.CHANCE_DECLARED, sentence)
        field = getattr(s, "player", None)
        if answer not in (CHANCE, SIMULTANEOUS) and is_whole(field):
            self.ledger.tested[laws.PLAYER_FIELD] += 1
            if field != answer:
                sentence = f"player(s) is {answer}, but the state's own field 'player' is {field}"
                raise Broken(laws.PLAYER_FIELD, sentence)
        return int(answer)

    # ------------------------------------------------------------ actions and outcomes
    def legal_actions(self, node: Node) -> list[Any]:
        actions = self.ask_all("actions", node.state)
        self.distinct(actions, "action")
        number = self.ask("count", node.state)
        self.ledger.tested[laws.COUNT] += 1
        if not is_whole(number) or number != len(actions):
            self.ledger.broken(laws.COUNT, f"count(s) is {shorten(number)}, but there are {len(actions)} actions", node)
        if overrides(self.game, "sample"):
            self.samples(node, actions)
        return actions

    def samples(self, node: Node, actions: list[Any]) -> None:
        """In the first states, so many draws that each action should come: by chance one is missed once in ten
        million states."""
        if self.ledger.tested[laws.SAMPLE] > MAX_SAMPLES or len(actions) > MAX_SAMPLED:
            return
        stream, missing = new_stream(len(self.keys)), set(actions)
        for _ in range(20 * len(actions)):
            drawn = self.ask("sample", node.state, stream)
            self.ledger.tested[laws.SAMPLE] += 1
            if drawn not in actions:
                self.ledger.broken(laws.SAMPLE, f"sample gives {shorten(drawn)}, which is no action here", node)
                return
            missing.discard(drawn)
            if not missing:
                return
        never = shorten(min(missing, key=actions.index))
        sentence = f"in {20 * len(actions)} draws sample never gives the action {never}"
        self.ledger.broken(laws.SAMPLE, sentence, node)

    def outcomes(self, node: Node, answers: Answers) -> None:
        pairs = self.ask_all("chance", node.state)
        answers.actions, answers.probabilities = self.split(pairs)
        self.distinct(answers.actions, "outcome")
        for outcome, probability in zip(answers.actions, answers.probabilities, strict=True):
            self.ledger.tested[laws.POSITIVE] += 1
            if not probability > 0:
                sentence = f"the probability of outcome {shorten(outcome)} is {probability}; it must be above 0"
                self.ledger.broken(laws.POSITIVE, sentence, node)
                return
        self.ledger.tested[laws.SUM_TO_ONE] += 1
        total = math.fsum(answers.probabilities)
        if not math.isclose(total, 1.0, abs_tol=CLOSE):
            number = len(answers.probabilities)
            sentence = f"the probabilities of the state's outcomes ({number} of them) sum to {total:.12g}, not to 1"
            self.ledger.broken(laws.SUM_TO_ONE, sentence, node)

    def split(self, pairs: list[Any]) -> tuple[list[Any], list[float]]:
        """Outcomes and probabilities, each in a list of their own."""
        for pair in pairs:
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise Broken(laws.POSITIVE, f"chance(s) gives {shorten(pair)}, not a pair (outcome, probability)")
            outcome, probability = pair
            if not is_number(probability):
                sentence = f"the probability of outcome {shorten(outcome)} is {shorten(probability)}, not a number"
                raise Broken(laws.POSITIVE, sentence)
        return [outcome for outcome, _ in pairs], [float(probability) for _, probability in pairs]

    def distinct(self, items: list[Any], word: str) -> None:
        """At least one item, none of them twice."""
        self.ledger.tested[laws.HAS_ACTIONS] += 1
        if not items:
            raise Broken(laws.HAS_ACTIONS, f"the state is not terminal, but there is no {word}")
        self.ledger.tested[laws.HASHABLE] += 1
        for item in items:
            if not hashable(item):
                sentence = f"the {word} {shorten(item)} is a {type(item).__name__}, which is not hashable: use a tuple"
                raise Broken(laws.HASHABLE, sentence)
        self.ledger.tested[laws.DISTINCT] += 1
        seen = set()
        for item in items:
            if item in seen:
                raise Broken(laws.DISTINCT, f"the {word} {shorten(item)} comes twice")
            seen.add(item)

    def successors(self, node: Node, answers: Answers, twin: Any) -> list[tuple[Any, Any]]:
        """The states after each action, with `result` tested for purity."""
        s = node.state
        solid = frozen(s)
        before = None if solid else picture(s)
        found = []
        for action in answers.actions[:MAX_SUCCESSORS]:
            after = self.ask("result", s, action)
            self.ledger.tested[laws.RESULT_STATE] += 1
            wrong = self.no_state(after)
            if wrong:
                raise Broken(laws.RESULT_STATE, f"result(s, {shorten(action)}) {wrong}")
            self.ledger.tested[laws.PURE] += 1
            if not solid and self.changed(s, twin, before):
                raise Broken(laws.PURE, f"result(s, {shorten(action)}) changed the state s that it was given")
            again = self.ask("result", twin, action)
            if not self.same(after, again):
                sentence = (
                    f"result(s, {shorten(action)}) gave {shorten(after)} at first, "
                    f"and {shorten(again)} when asked again"
                )
                raise Broken(laws.PURE, sentence)
            if self.declares("moves_again"):
                self.turn(node, answers, action, after)
            found.append((action, after))
        return found

    def changed(self, s: Any, twin: Any, before: Any) -> bool:
        """True if `s`, of which `twin` is a copy, is not what it was. A cache filled inside `s` is no change."""
        if picture(s) == before:
            return False
        return not self.comparable or s is twin or not equal(s, twin)

    def turn(self, node: Node, answers: Answers, action: Any, after: Any) -> None:
        """The declared fact `moves_again`, where it can be seen: a player moves, and then a player."""
        if answers.player in (CHANCE, SIMULTANEOUS) or self.terminal(after):
            return
        mover = self.player(after)
        if mover in (CHANCE, SIMULTANEOUS):
            return
        declared = self.ask("moves_again", node.state, action)
        self.ledger.tested[laws.TURNS] += 1
        if not isinstance(declared, (bool, np.bool_)):
            raise Broken(laws.TURNS, f"moves_again(s, {shorten(action)}) is {shorten(declared)}, not True or False")
        if declared != (mover == answers.player):
            sentence = (
                f"moves_again(s, {shorten(action)}) is {declared}, "
                f"but after this action of player {answers.player} it is player {mover}'s turn"
            )
            self.ledger.broken(laws.TURNS, sentence, node)

    # ------------------------------------------------------------ keys
    def key(self, node: Node) -> int:
        answer = self.ask("key", node.state)
        self.ledger.tested[laws.KEY_FORM] += 1
        if not is_whole(answer) or not -(1 << 63) <= int(answer) <= MASK:
            raise Broken(laws.KEY_FORM, f"key(s) is {shorten(answer)}, not a whole number of at most 64 bits")
        key = int(answer) & MASK
        other = self.keys.setdefault(key, node)
        self.ledger.tested[laws.KEY_DISTINCT] += 1
        told, also_told = self.told_by_key(other.state), self.told_by_key(node.state)
        if other is not node and not self.same(told, also_told):
            sentence = f"key(s) is {key}, and so is the key of a different state, {self.ledger.text(other.state)}"
            self.ledger.broken(laws.KEY_DISTINCT, sentence, node)
        return key

    def told_by_key(self, state: Any) -> Any:
        """The state without what the rules say that its key leaves out."""
        if not self.game.heuristics.key_ignores:
            return state
        return tuple(getattr(state, name) for name in state._fields if name not in self.game.heuristics.key_ignores)

    # ------------------------------------------------------------ asking again
    def revisit(self, node: Node, s: Any, when: str, on: Game | None = None) -> None:
        """A state that is known has been reached again: it must look the same."""
        if node.answers is None:
            return
        self.node = node
        node.revisits += 1
        try:
            self.compare(node, s, when, on)
        except Broken as broken:
            self.ledger.broken(broken.law, broken.sentence, node)

    def compare(self, node: Node, s: Any, when: str, on: Game | None = None) -> None:
        """Ask everything about `s`, a state equal to the node's, and compare. Raises Broken."""
        first = node.answers
        assert first is not None
        now = self.terminal(s, on)
        if now != first.terminal:
            raise Broken(laws.TERMINAL, f"terminal(s) is {first.terminal}, but {when} {now}")
        if first.terminal:
            self.repeats(laws.UTILITY, "utility", first.utility, self.ask("utility", s, on=on), when)
        else:
            self.repeats(laws.PLAYER, "player", first.player, self.ask("player", s, on=on), when)
            self.compare_actions(first, s, when, on)
            self.repeats(laws.EVALUATE, "evaluate", first.evaluate, self.ask("evaluate", s, on=on), when)
            for name, answer in first.hooks.items():
                again = self.ask_all(name, s, on) if name in LISTS else self.ask(name, s, on=on)
                self.repeats(laws.HOOKS_STABLE, name, answer, again, when)
        if first.key is not None:
            key = self.ask("key", s, on=on)
            self.repeats(laws.KEY_EQUAL, "key", first.key, int(key) & MASK if is_whole(key) else key, when)

    def compare_actions(self, first: Answers, s: Any, when: str, on: Game | None) -> None:
        if first.probabilities is None:
            self.repeats(laws.ORDER, "actions", first.actions, self.ask_all("actions", s, on), when)
            return
        outcomes, probabilities = self.split(self.ask_all("chance", s, on))
        self.repeats(laws.ORDER, "chance", first.actions, outcomes, when)
        self.repeats(laws.CHANCE_STABLE, "chance", first.probabilities, probabilities, when)

    def repeats(self, law: str, name: str, first: Any, now: Any, when: str) -> None:
        self.ledger.tested[law] += 1
        if not (equal(first, now) or picture(first) == picture(now)):
            raise Broken(law, f"{name}(s) gave {shorten(first)}, but {when} {shorten(now)}")
