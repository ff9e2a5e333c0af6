"""The laws about text: what is written reads back, and what can't be read is refused."""

from __future__ import annotations

import random
from typing import Any

from plyforge.check import laws
from plyforge.check.ledger import Answers, Broken, Node
from plyforge.check.objects import equal, shorten
from plyforge.check.rules import Rules, describe, overrides
from plyforge.errors import PlyforgeError

MAX_TEXTS = 64
"""So many of a state's actions are written and read back."""
NONSENSE = "#?!~"


class Texts:
    """Writes and reads states and actions."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.ledger = rules.ledger
        self.reads_states = True
        """False once a state's text was found not to read back."""

    def look(self, node: Node) -> None:
        """Write what a state looks like, and read it. Raises Broken."""
        shown = self.rules.ask("show", node.state)
        if not isinstance(shown, str):
            self.ledger.broken(laws.RULES_RUN, f"show(s) gave {shorten(shown)}, not text", node)
        if self.reads_states:
            try:
                self.state(node.state)
                if self.rules.game.hidden_information:
                    for player in range(self.rules.game.players):
                        self.state(self.rules.ask("observe", node.state, player))
            except Broken as broken:
                self.reads_states = False
                if overrides(self.rules.game, "notation.format_state") or overrides(
                    self.rules.game, "notation.parse_state"
                ):
                    self.ledger.broken(broken.law, broken.sentence, node)
                else:
                    self.ledger.note(
                        "states have no text that reads back: write format_state and parse_state "
                        "to give states as text and to save games"
                    )
        if node.answers is not None and not node.answers.terminal:
            self.actions(node, node.answers)

    def state(self, s: Any) -> None:
        text = self.rules.ask("notation.format_state", s)
        self.ledger.tested[laws.STATE_TEXT] += 1
        if not isinstance(text, str) or "\n" in text:
            raise Broken(laws.STATE_TEXT, f"format_state(s) gave {shorten(text)}, not one line of text")
        try:
            back = self.ledger.call("notation.parse_state", text, node=self.rules.node)
        except Exception as error:
            sentence = f"format_state wrote {shorten(text)}, and parse_state raised {describe(error)}"
            raise Broken(laws.STATE_TEXT, sentence) from None
        if not self.rules.same(s, back):
            sentence = f"format_state wrote {shorten(text)}, which reads back as {shorten(back)}, not {shorten(s)}"
            raise Broken(laws.STATE_TEXT, sentence)

    def actions(self, node: Node, answers: Answers) -> None:
        written: dict[str, Any] = {}
        for action in answers.actions[:MAX_TEXTS]:
            text = self.rules.ask("notation.format_action", node.state, action)
            self.ledger.tested[laws.TEXTS_DISTINCT] += 1
            if not isinstance(text, str):
                sentence = f"format_action(s, {shorten(action)}) gave {shorten(text)}, not text"
                raise Broken(laws.ACTION_TEXT, sentence)
            if text in written:
                sentence = f"the actions {shorten(written[text])} and {shorten(action)} are both written {text!r}"
                raise Broken(laws.TEXTS_DISTINCT, sentence)
            written[text] = action
        for text, action in written.items():
            self.ledger.tested[laws.ACTION_TEXT] += 1
            try:
                back = self.ledger.call("notation.parse_action", node.state, text, node=node)
            except Exception as error:
                sentence = f"action {shorten(action)} is written {text!r}, and parse_action raised {describe(error)}"
                raise Broken(laws.ACTION_TEXT, sentence) from None
            if not equal(back, action):
                sentence = f"action {shorten(action)} is written {text!r}, which reads back as {shorten(back)}"
                raise Broken(laws.ACTION_TEXT, sentence)

    def damage(self, node: Node, rng: random.Random) -> None:
        """Read nonsense, and text in which something is wrong."""
        if self.reads_states:
            self.refuses(node, "parse_state", NONSENSE)
            for text in damaged(self.rules.ask("notation.format_state", node.state), rng):
                self.refuses(node, "parse_state", text)
        if node.answers is not None and not node.answers.terminal:
            self.refuses(node, "parse_action", NONSENSE)

    def refuses(self, node: Node, name: str, text: str) -> None:
        """Damaged text may still be readable; if it isn't, the error must be one of ours. Nonsense is never
        readable."""
        args = (text,) if name == "parse_state" else (node.state, text)
        self.ledger.tested[laws.BAD_TEXT] += 1
        try:
            read = self.ledger.call(f"notation.{name}", *args, node=node)
        except PlyforgeError:
            return
        except Exception as error:
            sentence = f"{name} of {text!r} raised {describe(error)}, not BadText or IllegalAction"
            self.ledger.broken(laws.BAD_TEXT, sentence, node)
        else:
            if text == NONSENSE:
                self.ledger.broken(laws.BAD_TEXT, f"{name} accepts {text!r}, as {shorten(read)}", node)


def damaged(text: str, rng: random.Random) -> list[str]:
    """Texts that are nearly `text`."""
    if not text:
        return ["?"]
    place = rng.randrange(len(text))
    other = rng.choice("0123456789xX-,.()/ é")
    return [
        text[:place] + text[place + 1 :],
        text[:place] + text[place] + text[place:],
        text[:place] + other + text[place + 1 :],
        text[:place],
        text + " " + text,
        text[:place] + "9" * 40 + text[place:],
    ]
