"""Questions about a tree, answers checked and explained.

    exercise = make_exercise("alpha_beta", seed=7)
    for question in exercise.questions():
        print(question.text)
        verdict = question.check(answer)
        verdict.right, verdict.explanation

Every right answer is read from a recording of the algorithm itself: nothing here searches. The rules by which answers
are judged are part of the question, since courses differ in them:

- Alpha-beta cuts as soon as alpha >= beta, also at equality. Where a cut happens at equality the explanation says so,
  since a course that cuts only at alpha > beta looks on there.
- A branch is cut if alpha-beta does not look at it. Only the topmost branches count: what is below a cut branch is not
  named again.
- Of equally good moves any is right.
- A window is the alpha and beta with which a node is entered.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadLimits, BadText, Unsuitable
from plyforge.games.trees.tree import Tree
from plyforge.search.trace.recorder import record
from plyforge.search.trace.tree import (
    AVERAGES,
    CHOOSES_LARGEST,
    CHOOSES_OWN,
    CHOOSES_SMALLEST,
    Cut,
    Node,
    show_value,
)
from plyforge.teach.answers import address, read_branches, read_value, same_value, topmost
from plyforge.teach.comparison import measure_tree, reference_search
from plyforge.teach.trees import regular_tree

TOPICS: dict[str, tuple[str, str]] = {
    "minimax": ("minimax", "minimax"),
    "alpha_beta": ("minimax", "alpha_beta"),
    "expectimax": ("expectimax", "expectimax"),
    "expectiminimax": ("expectiminimax", "expectiminimax"),
    "max_n": ("three_players", "max_n"),
}
"""By name: the shape of the trees, and the algorithm."""
ASKABLE = ("minimax", "negamax", "alpha_beta", "expectimax", "expectiminimax", "max_n")
"""The algorithms that questions are about: the lectures' own."""
SIZES: dict[int, tuple[int, int]] = {1: (2, 3), 2: (3, 2), 3: (3, 3), 4: (4, 2)}
"""By level: depth and branching."""
MOST_NODES = 400
"""Of a tree that somebody is asked about."""
RULE = (
    "Children are looked at from left to right. A cut is made as soon as alpha >= beta, also at equality. "
    "Of equally good moves any is right. All values are MAX's."
)
RULE_OF_TUPLES = (
    "Every player takes what is best for itself; of equally good moves the first is taken. Values are in the order P1,"
    " P2, P3."
)


@dataclass(frozen=True)
class Verdict:
    """What an answer deserves."""

    right: bool
    explanation: str
    """Why the right answer is right."""
    correct: Any
    """The right answer, in the form of an answer."""
    remark: str = ""
    """About this answer in particular."""


@dataclass(frozen=True)
class Question:
    """Something to find out about a tree."""

    kind: str
    """ "value", "move", "window", "cuts" or "leaves"."""
    text: str
    path: tuple[int, ...] | None
    """Which node it is about: the numbers of the actions that lead there. None: the whole tree."""
    solution: Any
    explanation: str
    accepts: Callable[[Any], tuple[bool, str]] = field(repr=False, compare=False)
    """Whether an answer is right, and what to say about it."""

    def check(self, answer: Any) -> Verdict:
        """Judge an answer. Raises BadText for one that can't be understood."""
        right, remark = self.accepts(answer)
        return Verdict(right, self.explanation, self.solution, remark)


class Exercise:
    """A tree and an algorithm to ask about."""

    def __init__(self, game: Game, using: str, state: Any = None, depth: int | None = None) -> None:
        if using not in ASKABLE:
            raise Unsuitable(f"there are no questions about {using}; there are about {', '.join(ASKABLE)}")
        start = game.start() if state is None else state
        size = measure_tree(game, start, depth, MOST_NODES)
        if size is None:
            raise BadLimits(f"a quiz is about trees of at most {MOST_NODES} nodes: look less deep")
        self.game, self.using, self.depth = game, using, depth
        self.whole = record(game, start, using=reference_search(game, using), depth=depth)
        """Everything, without cuts."""
        self.searched = record(game, start, using=using, depth=depth)
        """What the algorithm looks at."""
        self.seen = {address(node): node for node in self.searched.nodes()}

    @property
    def rule(self) -> str:
        """How answers are judged, in words."""
        return RULE_OF_TUPLES if self.whole.result.player is None else RULE

    @property
    def cut_branches(self) -> list[Node]:
        """The topmost branches that are not looked at, in the whole tree."""
        cut = {address(node) for node in self.searched.nodes() if not node.visited}
        return [node for node in self.whole.nodes() if address(node) in cut]

    def name(self, node: Node) -> str:
        """What to call a node: its own name, or the way there."""
        own = node.state_text
        if isinstance(node.game, Tree) and not own.startswith("#"):
            return own
        return "the root" if node.parent is None else "the node after " + " ".join(node.path())

    def branch_name(self, node: Node) -> str:
        """What to call the branch that leads to a node."""
        assert node.parent is not None
        what = self.name(node)
        to = f", to {what}" if not what.startswith("the ") else f" (leaf {show_value(node.value)})" if node.leaf else ""
        return f"{self.name(node.parent)}'s branch {node.action_text}{to}"

    # ------------------------------------------------------------ asking
    def questions(self, seed: int = 1, kinds: Iterable[str] | None = None) -> list[Question]:
        """One question of each kind that makes sense here, by the seed."""
        draw = random.Random(f"questions {seed}")
        makers: dict[str, Callable[[random.Random], Question | None]] = {
            "value": self.ask_value,
            "move": self.ask_move,
            "window": self.ask_window,
            "cuts": self.ask_cuts,
            "leaves": self.ask_leaves,
        }
        wanted = list(makers) if kinds is None else list(kinds)
        for kind in wanted:
            if kind not in makers:
                raise BadLimits(f"there is no kind of question {kind!r}; there are {', '.join(makers)}")
        found = [makers[kind](draw) for kind in makers if kind in wanted]
        return [question for question in found if question is not None]

    def ask_value(self, draw: random.Random) -> Question | None:
        """What is a node worth?"""
        inner = [node for node in self.whole.nodes() if node.children]
        return self.value_of(_pick(draw, inner)) if inner else None

    def value_of(self, node: Node) -> Question:
        """The question what this inner node is worth."""
        solution = show_value(node.value)
        whose = "" if self.whole.result.player is None else f" to {self.whole.name_of(self.whole.result.player)}"
        return Question(
            "value",
            f"What is {self.name(node)} worth{whose}?",
            address(node),
            solution,
            self.why_value(node),
            lambda answer: (same_value(read_value(answer), node.value), ""),
        )

    def why_value(self, node: Node) -> str:
        """Where a node's value comes from."""
        values = [show_value(child.value) for child in node.children]
        listed = ", ".join(values[:-1]) + (f" and {values[-1]}" if len(values) > 1 else values[-1])
        name, mover = self.name(node), self.whole.name_of(node.player)
        start = f"{name[0].upper()}{name[1:]}"
        if node.chooses == AVERAGES:
            sums = " + ".join(f"{_fraction(child.probability)} x {show_value(child.value)}" for child in node.children)
            return f"{start} averages: {sums} = {show_value(node.value)}."
        if node.chooses == CHOOSES_OWN:
            return f"{start} is {mover}'s, who takes the best for itself among {listed}: {show_value(node.value)}."
        word = "largest" if node.chooses == CHOOSES_LARGEST else "smallest"
        return f"{start} is {mover}'s node, so its value is the {word} of {listed}: {show_value(node.value)}."

    def ask_move(self, draw: random.Random) -> Question | None:
        """Which move is best at the root?"""
        root = self.whole.root
        if not root.children or root.chooses == AVERAGES:
            return None
        best = [child for child in root.children if _as_good(root, child)]
        names = [child.action_text for child in best]
        values = ", ".join(f"{child.action_text} is worth {show_value(child.value)}" for child in root.children)
        tie = " They are equally good, so each is a right answer." if len(best) > 1 else ""
        mover = self.whole.name_of(root.player)
        legal = {child.action_text for child in root.children}

        def accepts(answer: Any) -> tuple[bool, str]:
            text = str(answer).strip()
            if text not in legal:
                raise BadText(f"{text!r} is not a move of {self.name(root)}; there are {', '.join(sorted(legal))}")
            return text in names, ""

        explanation = f"For {mover}: {values}. Best is {' or '.join(names)}.{tie}"
        return Question(
            "move",
            f"Which move should {mover} make at {self.name(root)}?",
            address(root),
            names[0],
            explanation,
            accepts,
        )

    def ask_window(self, draw: random.Random) -> Question | None:
        """With what alpha and beta is a node entered?"""
        if not self.searched.windowed:
            return None
        inner = [node for node in self.searched.nodes() if node.children and node.parent is not None and node.windows]
        telling = [node for node in inner if math.isfinite(node.alpha) or math.isfinite(node.beta)]
        if not inner:
            return None
        return self.window_of(_pick(draw, telling or inner))

    def window_of(self, node: Node) -> Question:
        """The question with what alpha and beta this node is entered."""
        alpha, beta = node.windows[0]
        solution = (show_value(alpha), show_value(beta))

        def accepts(answer: Any) -> tuple[bool, str]:
            if not isinstance(answer, (list, tuple)) or len(answer) != 2:
                raise BadText("a window is two numbers, alpha and beta; infinity is written inf")
            given = tuple(read_value(part) for part in answer)
            good = [same_value(g, w) for g, w in zip(given, (alpha, beta), strict=True)]
            if all(good):
                return True, ""
            if same_value(given[0], beta) and same_value(given[1], alpha):
                return False, "These are the right numbers, exchanged: alpha is MAX's, beta is MIN's."
            return False, (
                "Alpha is right, beta is not." if good[0] else "Beta is right, alpha is not." if good[1] else ""
            )

        return Question(
            "window",
            f"With what alpha and beta does alpha-beta enter {self.name(node)}?",
            address(node),
            solution,
            self.why_window(node),
            accepts,
        )

    def why_window(self, node: Node) -> str:
        """Who has set the ends of the window."""
        alpha, beta = node.windows[0]
        parts = []
        for limit, letter, chooses, who in (
            (alpha, "alpha", CHOOSES_LARGEST, "MAX"),
            (beta, "beta", CHOOSES_SMALLEST, "MIN"),
        ):
            if math.isinf(limit):
                parts.append(f"{letter} is {show_value(limit)}: on the way here {who} has nothing yet")
                continue
            for above in node.ancestors():
                child = next(
                    (
                        c
                        for c in above.children
                        if c.visited and c.value == limit and (c.order or 0) < (node.order or 0)
                    ),
                    None,
                )
                if above.chooses == chooses and child is not None:
                    parts.append(
                        f"{letter} is {show_value(limit)}: {who} has that by {child.action_text} at {self.name(above)}"
                    )
                    break
        return f"{'; '.join(parts)}." if parts else f"The window is {show_value(alpha)}, {show_value(beta)}."

    def ask_cuts(self, draw: random.Random) -> Question | None:
        """Which branches are cut?"""
        if not self.searched.windowed:
            return None
        cut = self.cut_branches
        right = {address(node) for node in cut}
        known = {address(node): node for node in self.whole.nodes()}
        equal = {
            address(skipped)
            for node in self.searched.nodes()
            if node.cut is not None and node.cut.value == node.cut.limit
            for skipped in node.cut.skipped
        }

        def accepts(answer: Any) -> tuple[bool, str]:
            given = topmost(read_branches(answer, known))
            if given == right:
                return True, ""
            missed, wrong = right - given, given - right
            remarks = []
            if wrong:
                remarks.append(
                    f"{_number(len(wrong), 'branch', 'branches')} that you marked {'is' if len(wrong) == 1 else 'are'}"
                    " looked at"
                )
            if missed:
                remarks.append(f"{_number(len(missed), 'cut branch is', 'cut branches are')} missing")
            remark = " and ".join(remarks) + "."
            if missed and missed <= equal and not wrong:
                remark += (
                    " What you left out is cut at equality: a course that cuts only at alpha > beta looks at it. Here"
                    " alpha >= beta is enough."
                )
            return False, remark

        return Question(
            "cuts",
            "Which branches does alpha-beta cut? Name the topmost branch of what is not looked at.",
            None,
            sorted(map(list, right)),
            self.why_cuts(),
            accepts,
        )

    def why_cuts(self) -> str:
        """Every cut in a sentence."""
        sentences = []
        for node in self.searched.nodes():
            if node.cut is not None:
                whole = [self.branch_name(self.twin(skipped)) for skipped in node.cut.skipped]
                sentences.append(f"{_and(whole)}: {self.why_cut(node, node.cut)}")
        return " ".join(sentences) if sentences else "Nothing is cut here."

    def why_cut(self, node: Node, cut: Cut) -> str:
        """Why a node's remaining branches can't matter, with the names of the nodes."""
        if cut.ancestor is None or cut.choice is None:
            return f"{cut.reason}."
        chooser = self.searched.name_of(cut.ancestor.player)
        worth = "at most" if cut.side == "alpha" else "at least"
        equal = cut.value == cut.limit
        ending = "gains nothing by coming here. This is a cut at equality" if equal else "will not come here"
        return (
            f"{chooser} has {show_value(cut.limit)} already, by {cut.choice.action_text} at {self.name(cut.ancestor)}; "
            f"{self.name(node)} is worth {worth} {show_value(cut.value)}, so {chooser} {ending}."
        )

    def twin(self, node: Node) -> Node:
        """The node in the tree without cuts."""
        found = self.whole.root
        for index in address(node):
            found = found.children[index]
        return found

    def ask_leaves(self, draw: random.Random) -> Question | None:
        """How many leaves are looked at?"""
        if not self.searched.windowed:
            return None
        looked_at = sum(node.leaf for node in self.searched.nodes())
        every = sum(node.leaf for node in self.whole.nodes())
        return Question(
            "leaves",
            "At how many leaves does alpha-beta look?",
            None,
            str(looked_at),
            (
                f"It looks at {looked_at} of the {every} leaves: the others are behind branches that are cut."
                if looked_at < every
                else f"It looks at all {every}: no cut saves a leaf here."
            ),
            lambda answer: (same_value(read_value(answer), looked_at), ""),
        )


def make_exercise(topic: str = "alpha_beta", seed: int = 1, level: int = 2, ties: bool = False) -> Exercise:
    """An exercise on a topic. Equal seeds give equal exercises; one about alpha-beta has something to cut."""
    if topic not in TOPICS:
        raise BadLimits(f"there is no topic {topic!r}; there are {', '.join(TOPICS)}")
    if level not in SIZES:
        raise BadLimits(f"level is {level!r}; it must be one of {', '.join(map(str, SIZES))}")
    shape, using = TOPICS[topic]
    depth, branching = SIZES[level]
    if shape == "three_players":
        depth, branching = (2, 2) if level == 1 else (3, 2)
    exercise = None
    for attempt in range(200):
        tree = regular_tree(depth, branching, seed * 1000 + attempt, shape, largest=9, ties=ties)
        exercise = Exercise(Tree.of(tree), using)
        cuts = [node.cut for node in exercise.searched.nodes() if node.cut is not None]
        if using != "alpha_beta":
            break
        if cuts and (not ties or any(cut.value == cut.limit for cut in cuts)):
            break
    assert exercise is not None
    return exercise


def _as_good(root: Node, child: Node) -> bool:
    if root.chooses == CHOOSES_OWN:
        own = root.player or 0
        return bool(child.value[own] == root.value[own])
    return bool(child.value == root.value)


def _pick(draw: random.Random, options: list[Any]) -> Any:
    return options[int(draw.random() * len(options))]


def _fraction(probability: float | None) -> str:
    fraction = Fraction(probability or 0.0).limit_denominator(1000)
    return str(fraction)


def _and(names: list[str]) -> str:
    text = ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
    return text[0].upper() + text[1:]


def _number(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
