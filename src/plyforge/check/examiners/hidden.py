"""The laws about hidden information that can be seen in one state: what observations are, and what is drawn from them.

What only the whole game shows (which states an information set holds, how often each is drawn, what is no secret) is in
`information_sets.py`.
"""

from __future__ import annotations

from typing import Any

from plyforge.check import laws
from plyforge.check.ledger import Answers, Broken, Node
from plyforge.check.objects import equal, shorten
from plyforge.check.rules import Rules, overrides
from plyforge.contract import PUBLIC, SIMULTANEOUS
from plyforge.kernel.random import new_stream

DRAWS = 8
"""So many states are drawn from each observation of who moves, in the first states that are visited; then one."""
MANY_DRAWS = 4000
"""After so many draws."""
MAX_TEXTS = 64
"""So many of a state's actions are written as who moves sees them."""


class Hidden:
    """Looks at what players see of a state."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.game = rules.game
        self.ledger = rules.ledger
        self.hides = False
        """True once an observation was not the state itself."""
        self.draws = overrides(self.game, "determinize")

    def look(self, node: Node, answers: Answers, twin: Any) -> None:
        """All laws on one state. Raises Broken."""
        seen = {player: self.observe(node.state, player, twin) for player in self.eyes}
        self.hides = self.hides or any(not self.rules.same(each, node.state) for each in seen.values())
        self.seen_again(seen)
        for player in range(self.game.players):
            self.ends(seen[player], player, answers)
            if not answers.terminal and answers.player in (player, SIMULTANEOUS):
                self.moves(node, answers, seen[player], player)
                if self.draws:
                    self.drawn(seen[player], player)

    @property
    def eyes(self) -> tuple[int, ...]:
        """Everybody who looks: the players, and PUBLIC."""
        return (*range(self.game.players), PUBLIC)

    # ------------------------------------------------------------ observations
    def observe(self, s: Any, player: int, twin: Any) -> Any:
        """What a player sees, which is a state, and the same when an equal state is asked."""
        answer = self.rules.ask("observe", s, player)
        self.ledger.tested[laws.OBSERVATION] += 1
        asked = f"observe(s, {_name(player)})"
        wrong = self.rules.no_state(answer)
        if wrong:
            raise Broken(laws.OBSERVATION, f"{asked} {wrong.replace('the next state', 'a state of the same type')}")
        again = self.rules.ask("observe", twin, player)
        if not self.rules.same(answer, again):
            sentence = f"{asked} gave {shorten(answer)} at first, and {shorten(again)} when asked again"
            raise Broken(laws.OBSERVATION, sentence)
        return answer

    def seen_again(self, seen: dict[int, Any]) -> None:
        """Who looks at an observation sees it as it is; and what everybody sees."""
        for player, observation in seen.items():
            self.ledger.tested[laws.OBSERVED_TWICE] += 1
            again = self.rules.ask("observe", observation, player)
            if not self.rules.same(again, observation):
                sentence = (
                    f"observe(s, {_name(player)}) is {shorten(observation)}, but observe of that, for the same eyes, "
                    f"is {shorten(again)}"
                )
                raise Broken(laws.OBSERVED_TWICE, sentence)
            public = self.rules.ask("observe", observation, PUBLIC)
            if not self.rules.same(public, seen[PUBLIC]):
                sentence = (
                    f"observe(s, PUBLIC) is {shorten(seen[PUBLIC])}, but from observe(s, {_name(player)}) it is "
                    f"{shorten(public)}: everybody must see what is public"
                )
                raise Broken(laws.OBSERVED_TWICE, sentence)

    # ------------------------------------------------------------ what who moves has to know
    def ends(self, observation: Any, player: int, answers: Answers) -> None:
        """Everybody knows whether the game is over."""
        self.ledger.tested[laws.MOVER_SEES] += 1
        over = bool(self.rules.ask("terminal", observation))
        if over != answers.terminal:
            sentence = (
                f"terminal(s) is {answers.terminal}, but of what player {player} sees, {shorten(observation)}, it is"
                f" {over}"
            )
            raise Broken(laws.MOVER_SEES, sentence)

    def moves(self, node: Node, answers: Answers, observation: Any, player: int) -> None:
        """Who moves knows that, and what can be done: the same actions, in the same order, with the same texts."""
        asked = f"what player {player} sees, {shorten(observation)},"
        mover = self.rules.ask("player", observation)
        if mover != answers.player:
            sentence = f"player(s) is {answers.player}, but of {asked} it is {shorten(mover)}"
            raise Broken(laws.MOVER_SEES, sentence)
        if answers.player == SIMULTANEOUS:
            there, here = self.choices(node.state, player), self.choices(observation, player)
        else:
            there, here = answers.actions, self.rules.ask_all("actions", observation)
        if not equal(there, here):
            sentence = (
                f"actions(s) gives {shorten(there)}, but of {asked} {shorten(here)}: who moves must know what can be "
                "done. Where that hangs on something hidden, offer the attempt, and let result refuse it"
            )
            raise Broken(laws.MOVER_SEES, sentence)
        if answers.player != SIMULTANEOUS:
            self.texts(node.state, observation, player, there)

    def choices(self, s: Any, player: int) -> list[Any]:
        self.ledger.tested[laws.RULES_RUN] += 1
        return list(self.rules.ask("legal_actions", s, player))

    def texts(self, s: Any, observation: Any, player: int, actions: list[Any]) -> None:
        """An action is called the same by who sees everything: else its name would tell what is hidden."""
        for action in actions[:MAX_TEXTS]:
            one, other = (self.rules.ask("notation.format_action", each, action) for each in (s, observation))
            if one != other:
                sentence = (
                    f"the action {shorten(action)} is written {one!r}, but in what player {player} sees {other!r}: its "
                    "name must not hang on what is hidden"
                )
                raise Broken(laws.MOVER_SEES, sentence)

    # ------------------------------------------------------------ what is drawn
    def drawn(self, observation: Any, player: int) -> None:
        """States that are drawn for who moves look as it was observed, and the same stream draws the same."""
        stream, twin = (new_stream(self.ledger.tested[laws.LOOKS_SO]), new_stream(self.ledger.tested[laws.LOOKS_SO]))
        for _ in range(DRAWS if self.ledger.tested[laws.LOOKS_SO] < MANY_DRAWS else 1):
            s = self.rules.ask("determinize", observation, player, stream)
            self.ledger.tested[laws.LOOKS_SO] += 1
            wrong = self.rules.no_state(s)
            if wrong:
                raise Broken(laws.LOOKS_SO, f"determinize(observation, {player}, stream) {wrong}")
            looks = self.rules.ask("observe", s, player)
            if not self.rules.same(looks, observation):
                sentence = (
                    f"player {player} sees {shorten(observation)}, and determinize draws {shorten(s)}, which looks "
                    f"otherwise: {shorten(looks)}"
                )
                raise Broken(laws.LOOKS_SO, sentence)
            again = self.rules.ask("determinize", observation, player, twin)
            if not self.rules.same(s, again):
                sentence = (
                    f"from the same stream, determinize draws {shorten(s)} at first and {shorten(again)} when asked "
                    "again: all that is random must come from the stream"
                )
                raise Broken(laws.LOOKS_SO, sentence)
            self.plausible(s, player)

    def plausible(self, s: Any, player: int) -> None:
        """How well a drawn state fits what was done is a probability."""
        if overrides(self.game, "heuristics.plausible"):
            self.ledger.tested[laws.PLAUSIBLE] += 1
            share = self.rules.ask("heuristics.plausible", s, player)
            if not isinstance(share, (int, float)) or not 0.0 <= share <= 1.0:
                sentence = f"plausible(game, {shorten(s)}, {player}) is {shorten(share)}: it must be from 0 to 1"
                raise Broken(laws.PLAUSIBLE, sentence)


def _name(player: int) -> str:
    return "PUBLIC" if player == PUBLIC else str(player)


__all__ = ["Hidden"]
