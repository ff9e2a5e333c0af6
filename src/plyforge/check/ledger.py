"""Where a check writes down what it sees: the states and the ways to them, tests counted, laws broken."""

from __future__ import annotations

import contextlib
import functools
import time
from dataclasses import dataclass, field
from typing import Any

from plyforge.check.laws import LAWS, PURE
from plyforge.check.objects import cut, shorten
from plyforge.check.report import Violation
from plyforge.contract import Game, defines

FATAL = frozenset({PURE})
"""Where one of these is broken, states are not what they seem, and whatever is seen afterwards means nothing."""


@dataclass
class Answers:
    """What the rules said about a state when it was first visited."""

    terminal: bool = False
    player: int | None = None
    actions: list[Any] = field(default_factory=list)
    """Actions, or outcomes where CHANCE moves."""
    probabilities: list[float] | None = None
    utility: Any = None
    evaluate: Any = None
    key: int | None = None
    hooks: dict[str, Any] = field(default_factory=dict)
    """What the optional functions said, by name."""


@dataclass(eq=False)
class Node:
    """A state, and the first way there that was found."""

    state: Any
    parent: Node | None = None
    action: Any = None
    answers: Answers | None = None
    """None until the state was examined, and where that failed."""
    copy: Any = None
    """Of a state that can change: how it was when it was met."""
    examined: bool = False
    others: list[Any] = field(default_factory=list)
    """Equal states that were reached in other ways before this one was examined."""
    ply: int = 0
    revisits: int = 0

    def actions(self) -> list[Any]:
        """The actions from the start to here."""
        node, found = self, []
        while node.parent is not None:
            found.append(node.action)
            node = node.parent
        return found[::-1]


class Broken(Exception):
    """A law is broken, and the rest of this state's examination would mean nothing."""

    def __init__(self, law: str, sentence: str) -> None:
        super().__init__(sentence)
        self.law = law
        self.sentence = sentence


class Abort(Exception):
    """Nothing more can be told about this game."""


def owner_of(game: Game, path: str) -> tuple[Any, str]:
    """The game or its companion, and the name of what is asked of it."""
    companion, _, name = path.rpartition(".")
    return (getattr(game, companion) if companion else game), name


def function_at(game: Game, path: str) -> Any:
    """The function at the end of a path, to be called with what follows the game."""
    owner, name = owner_of(game, path)
    return getattr(owner, name) if owner is game else functools.partial(getattr(owner, name), game)


class Ledger:
    """The notes of one check."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.tested = dict.fromkeys(LAWS, 0)
        self.violations: dict[str, Violation] = {}
        self.warnings: dict[str, Violation] = {}
        self.notes: list[str] = []
        self.question: tuple[str, Node | None, float] | None = None
        """The function of the rules that is being asked, where, and since when: for whoever watches the clock."""

    def call(self, name: str, *args: Any, node: Node | None = None) -> Any:
        """Call a function of the rules, with the clock watched."""
        self.question = (name, node, time.perf_counter())
        try:
            return function_at(self.game, name)(*args)
        finally:
            self.question = None

    def broken(self, law: str, sentence: str, node: Node | None = None) -> None:
        """Write down a broken law; the first witness of each law is kept."""
        if law not in self.violations:
            self.violations[law] = self._finding(law, sentence, node)
        if law in FATAL:
            self.note("the check ended here: while that law is broken, nothing else can be told")
            raise Abort

    def warn(self, law: str, sentence: str, node: Node | None = None) -> None:
        """Write down what looks wrong, but may be meant."""
        if law not in self.warnings:
            self.warnings[law] = self._finding(law, sentence, node)

    def note(self, text: str) -> None:
        """Write down what could not be tested, once."""
        if text not in self.notes:
            self.notes.append(text)

    def _finding(self, law: str, sentence: str, node: Node | None) -> Violation:
        if node is None:
            return Violation(law, sentence, "", ())
        state = node.state if node.copy is None else node.copy
        return Violation(law, sentence, self.text(state), self._path(node), tuple(node.actions()))

    def text(self, state: Any) -> str:
        """A state as the game writes it; where it has no text of its own, or that fails, its repr."""
        text = None
        if defines(self.game.notation, "format_state"):
            with contextlib.suppress(Exception):
                text = self.call("notation.format_state", state)
        return cut(text, 300) if isinstance(text, str) and "\n" not in text else shorten(state, 300)

    def _path(self, node: Node) -> tuple[str, ...]:
        texts: list[str] = []
        while node.parent is not None:
            texts.append(self.action_text(node.parent.state, node.action))
            node = node.parent
        return tuple(reversed(texts))

    def action_text(self, state: Any, action: Any) -> str:
        """An action as the game writes it; where that fails, its repr."""
        text = None
        with contextlib.suppress(Exception):
            text = self.call("notation.format_action", state, action)
        return cut(text, 80) if isinstance(text, str) else shorten(action, 80)
