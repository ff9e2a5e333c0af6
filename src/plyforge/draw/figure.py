"""What a drawing says, before anyone decides where and how: labels, folded parts, numbered notes.

Every writer (text, SVG, DOT, LaTeX) draws the same `Figure`, so they can't disagree. An `Item` is a node of the
recorded tree, a bunch of actions that a cut left out, or a stub for what is folded.

Invariant: nothing is dropped silently. The nodes drawn and the numbers on the stubs add up to the recorded tree.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from plyforge.contract import CHANCE, MAX
from plyforge.errors import PlyforgeError
from plyforge.search.trace.tree import (
    AHEAD,
    AVERAGES,
    CHOOSES_OWN,
    ESTIMATE,
    LEFT_OUT,
    LOWER,
    UPPER,
    UTILITY,
    Node,
    RecordedTree,
    show_value,
)

MAXIMISER, MINIMISER, PLAYER, DICE, POLICY = "max", "min", "player", "chance", "policy"
END, HORIZON, SKIPPED, FOLDED, LATER = "utility", "estimate", "unvisited", "folded", "ahead"
"""What an item is: who moves there (MAX, MIN, one of several players, chance, an opponent who follows a policy); an
end of the game, an estimate at the horizon, an action that was not looked at, a stub for what is folded; what is
still to be looked at, in a picture of a moment."""


LONGEST_ACTION = 24
"""Characters of an action that stand on an edge."""


@dataclass(eq=False)
class Item:
    """One thing to draw."""

    kind: str
    node: Node | None
    """The recorded node; None for a stub or several skipped actions."""
    label: str
    """The value, with its sign for a bound; on a stub, what it stands for."""
    player: int | None = None
    player_name: str = ""
    action: str = ""
    """The text on the edge from the parent."""
    probability: str = ""
    """The probability on that edge; empty where the parent chooses."""
    window: tuple[str, str] | None = None
    """Alpha and beta, with an arrow where they changed; None where they say nothing."""
    technique: str = ""
    """The engine's technique that gave the value, or for which it was looked at less deep; see `Node.technique`."""
    own_part: int | None = None
    """With a tuple: which part is the mover's own."""
    information: int | None = None
    """The number of the information set, where its player can't tell it from others."""
    belief: str = ""
    """How likely its player takes it to be, of what looks the same."""
    on_line: bool = False
    note: int | None = None
    """The number of the note that says why this was not looked at."""
    tip: str = ""
    """Everything about the item in words."""
    children: list[Item] = field(default_factory=list)
    hidden_nodes: int = 0
    """On a stub: how many visited nodes it stands for."""
    hidden_actions: int = 0
    """On a stub or a bunch: how many actions that were not looked at it stands for."""

    def below(self) -> Iterator[Item]:
        """This item and all below it, parents before children, left to right."""
        stack = [self]
        while stack:
            item = stack.pop()
            yield item
            stack.extend(reversed(item.children))


@dataclass(eq=False)
class Figure:
    """A tree as it is drawn."""

    root: Item
    title: str
    notes: list[tuple[int, str]]
    """Why something was cut, numbered as in the drawing."""
    more_notes: int
    """How many further cuts have no note of their own here."""
    windowed: bool
    owner: str
    """Whose values these are."""

    def items(self) -> list[Item]:
        """Everything to draw, parents before children, left to right."""
        return list(self.root.below())

    def information_sets(self) -> list[list[int]]:
        """The items that their player can't tell apart, by number; only sets of which several items are drawn."""
        found: dict[int, list[int]] = {}
        for number, item in enumerate(self.items()):
            if item.information is not None:
                found.setdefault(item.information, []).append(number)
        return [members for members in found.values() if len(members) > 1]

    def numbered(self) -> tuple[list[Item], list[list[int]]]:
        """The items, and for each the numbers of its children: what the layout takes."""
        items = self.items()
        number = {id(item): i for i, item in enumerate(items)}
        return items, [[number[id(child)] for child in item.children] for item in items]


def show_probability(probability: float) -> str:
    """Two decimals where that is exact, else a small fraction where that is, else three decimals."""
    if abs(round(probability, 2) - probability) < 1e-12:
        return f"{probability:.2f}".rstrip("0").rstrip(".")
    fraction = Fraction(probability).limit_denominator(1000)
    if abs(float(fraction) - probability) < 1e-12:
        return f"{fraction.numerator}/{fraction.denominator}"
    return f"{probability:.3g}"


def shorten(text: str) -> str:
    """A text that fits on an edge; the whole of it is in the tooltip."""
    return text if len(text) <= LONGEST_ACTION else text[: LONGEST_ACTION - 1] + "…"


def label_of(node: Node) -> str:
    """A node's value, with its sign for a bound; a mean with the number of simulations that it is of."""
    if node.source == AHEAD or (node.visited and node.value is None):
        return ""
    if not node.visited:
        return "?"
    if node.visits is not None:
        return f"{show_value(rounded(node.value))} ({node.visits:,})"
    sign = {LOWER: "≥", UPPER: "≤"}.get(node.bound, "")
    return sign + show_value(node.value)


ABBREVIATIONS = {
    "transposition table": "TT",
    "enhanced transposition cutoff": "ETC",
    "reverse futility pruning": "RFP",
    "null move pruning": "NMP",
    "multi-cut": "MC",
    "stand pat": "SP",
    "late move pruning": "LMP",
    "history pruning": "HP",
    "futility pruning": "FP",
    "SEE pruning": "SEE",
    "delta pruning": "DP",
    "repetition": "rep",
    "draw by rule": "rule",
    "tablebase": "TB",
    "bounds of the rules": "bounds",
    "endgame solved by the rules": "solved",
    "singular extension?": "SE?",
    "late move reduction": "LMR",
    "null move": "null",
    "extension": "ext",
}
"""What stands beside a node for a technique of the engine."""


def abbreviated(technique: str) -> str:
    """A technique in a few letters, with its plies: "LMR-2 TT"."""
    found = []
    for part in filter(None, technique.split("; ")):
        name, _, number = part.partition(" by ") if " by " in part and part not in ABBREVIATIONS else (part, "", "")
        sign = "" if not number else ("+" if name == "extension" else "-") + number.split()[0]
        found.append(ABBREVIATIONS.get(name, name) + sign)
    return " ".join(found)


def techniques(items: list[Item]) -> str:
    """What the letters beside nodes mean, of those that are there; empty if there are none."""
    said = {
        part.partition(" by ")[0] if part not in ABBREVIATIONS else part
        for item in items
        for part in item.technique.split("; ")
    }
    return ", ".join(f"{short} {name}" for name, short in ABBREVIATIONS.items() if name in said)


def rounded(value: Any) -> Any:
    """A mean to two decimals."""
    return tuple(map(rounded, value)) if isinstance(value, tuple) else round(value, 2)


def make_figure(
    tree: RecordedTree,
    max_nodes: int = 400,
    max_notes: int = 40,
    max_skipped: int = 3,
    title: str | None = None,
    root: Node | None = None,
    folded: Collection[Node] = (),
    tips: bool = True,
) -> Figure:
    """What to draw of a tree.

    At most `max_nodes` items: the best line first, then level by level; the rest is folded into stubs that say how many
    nodes they stand for. A node's skipped actions are drawn one by one if they are at most `max_skipped`, else as a
    bunch. `root` is where the drawing begins, the tree's own root if left out; what is below the nodes of `folded` is
    folded in any case. `tips=False` leaves out the words about each node, which take longer than all the rest.
    """
    if max_nodes < 2:
        raise PlyforgeError(f"max_nodes is {max_nodes}; a drawing needs at least 2, a root and a stub")
    top = _Unfolding(tree, max_nodes, max_skipped, {id(node) for node in folded}, tips).unfold(root or tree.root)
    notes: list[tuple[int, str]] = []
    more = 0
    for item in top.below():
        skipped = [child for child in item.children if child.kind == SKIPPED]
        if item.node is None or item.node.cut is None or not skipped:
            continue
        if len(notes) == max_notes:
            more += 1
            continue
        notes.append((len(notes) + 1, _note(item.node)))
        skipped[-1].note = len(notes)
    owner = "everyone" if tree.result.player is None else tree.name_of(tree.result.player)
    return Figure(top, tree.text() if title is None else title, notes, more, tree.windowed, owner)


def _note(node: Node) -> str:
    assert node.cut is not None
    where = "After " + " ".join(node.path()) if node.parent is not None else "At the root"
    names = [child.action_text for child in node.cut.skipped]
    shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    return f"{where}: {node.cut.reason}. Not looked at: {shown}."


class _Unfolding:
    """Decides what is drawn. `used` counts the items there will be, stubs among them, and never passes the limit."""

    def __init__(self, tree: RecordedTree, max_nodes: int, max_skipped: int, folded: set[int], tips: bool) -> None:
        self.tree, self.max_nodes, self.max_skipped = tree, max_nodes, max_skipped
        self.folded, self.tips = folded, tips
        self.sizes: dict[int, tuple[int, int]] = {}
        for node in reversed(list(tree.nodes())):
            visited = max(1, node.left_out) if node.visited else 0
            skipped = 0 if node.visited else 1
            for child in node.children:
                visited += self.sizes[id(child)][0]
                skipped += self.sizes[id(child)][1]
            self.sizes[id(node)] = visited, skipped

    def unfold(self, top: Node) -> Item:
        root = self.item(top)
        self.used = 1 + self.has_below(root)
        # The best line first, then level by level, then from left to right.
        waiting = [(0, 0, 0, root)]
        serial = 0
        while waiting:
            *_, item = heapq.heappop(waiting)
            children = self.candidates(item)
            if not children:
                continue
            cost = sum(1 + self.has_below(child) for child in children) - 1
            if id(item.node) in self.folded:
                self.fold(item, [], children)
                continue
            if self.used + cost <= self.max_nodes:
                item.children = children
                self.used += cost
            elif item.on_line:
                self.fold(item, self.fitting(children), children)
            else:
                self.fold(item, [], children)
            for child in item.children:
                serial += 1
                if child.node is not None:
                    heapq.heappush(waiting, (not child.on_line, child.node.ply, serial, child))
        return root

    def has_below(self, item: Item) -> int:
        """1 if the item will get something below it, at least a stub."""
        node = item.node
        return int(node is not None and (bool(node.children) or node.left_out > 1))

    def candidates(self, item: Item) -> list[Item]:
        """All that belongs directly below an item."""
        node = item.node
        if node is None:
            return []
        if node.source == LEFT_OUT:
            return [self.stub(node.left_out - 1, 0, "not recorded")] if node.left_out > 1 else []
        items = [self.item(child) for child in node.children if child.visited or child.source == AHEAD]
        skipped = [child for child in node.children if not child.visited and child.source != AHEAD]
        if len(skipped) <= self.max_skipped:
            return items + [self.item(child) for child in skipped]
        names = ", ".join(child.action_text + (f" ({child.technique})" if child.technique else "") for child in skipped)
        bunch = Item(
            SKIPPED,
            None,
            f"{len(skipped)} actions",
            tip=f"not looked at: {names}",
            hidden_actions=len(skipped),
        )
        return [*items, bunch]

    def fitting(self, children: list[Item]) -> list[Item]:
        """As many as there is room for beside a stub: the best line's first, then from the left."""
        chosen = set()
        for number in sorted(range(len(children)), key=lambda i: (not children[i].on_line, i)):
            cost = 1 + self.has_below(children[number])
            if self.used + cost <= self.max_nodes:
                chosen.add(number)
                self.used += cost
        return [child for number, child in enumerate(children) if number in chosen]

    def fold(self, item: Item, kept: list[Item], children: list[Item]) -> None:
        """Draw `kept`, and one stub for the others."""
        nodes = actions = 0
        for child in children:
            if child not in kept:
                visited, skipped = (0, child.hidden_actions) if child.node is None else self.sizes[id(child.node)]
                nodes += visited
                actions += skipped
        item.children = [*kept, self.stub(nodes, actions, "folded")]

    def stub(self, nodes: int, actions: int, why: str) -> Item:
        words = []
        if nodes:
            words.append(f"+{nodes:,} node{'' if nodes == 1 else 's'}")
        if actions:
            word = "unvisited" if self.tree.root.visits is not None else "cut"
            words.append(f"+{actions:,} {word}")
        label = ", ".join(words)
        return Item(FOLDED, None, label, tip=f"{why}: {label}", hidden_nodes=nodes, hidden_actions=actions)

    def item(self, node: Node) -> Item:
        tree = self.tree
        item = Item(
            kind=self.kind_of(node),
            node=node,
            label=label_of(node),
            player=node.player,
            player_name=tree.name_of(node.player),
            action=shorten(node.action_text),
            probability="" if node.probability is None else show_probability(node.probability),
            on_line=node.on_line,
            technique=node.technique,
            belief="" if node.belief is None or alone(node) else show_probability(node.belief),
            information=None if node.information is None or alone(node) else node.information.number,
            tip=self.tip(node) if self.tips else "",
        )
        if tree.windowed and node.children and node.windows:
            item.window = window_of(node)
        if node.chooses == CHOOSES_OWN and not node.leaf and isinstance(node.value, tuple):
            item.own_part = node.player
        return item

    def kind_of(self, node: Node) -> str:
        if node.source == AHEAD:
            return LATER
        if not node.visited:
            return SKIPPED
        if node.player is None or node.source == UTILITY:
            return END
        if node.source == ESTIMATE or (node.source == LEFT_OUT and node.left_out == 1):
            return HORIZON
        if node.player == CHANCE:
            return DICE
        if node.modelled or node.chooses == AVERAGES:
            return POLICY
        if self.tree.players > 2:
            return PLAYER
        return MAXIMISER if node.player == MAX else MINIMISER

    def tip(self, node: Node) -> str:
        """Everything about a node in words."""
        lines = []
        name = self.tree.name_of(node.player)
        moves = "the game is over" if node.player is None else f"{name} moves"
        path = node.path()
        where = "after " + " ".join(path) if path else "root"
        number = "" if node.order is None else f"node {node.order}, "
        lines.append(f"{number}{where}: {moves}")
        if node.state_text:
            lines.append(f"state {node.state_text}")
        if node.visited:
            says = {LOWER: "at least ", UPPER: "at most "}.get(node.bound, "")
            exact = ", ".join(map(repr, node.value)) if isinstance(node.value, tuple) else repr(node.value)
            lines.append(f"value {says}{exact} ({node.technique or node.source})")
        else:
            lines.append("not looked at yet" if node.source == AHEAD else node.technique or "not looked at")
        if self.tree.windowed and node.windows:
            alpha, beta = window_of(node)
            lines.append(f"alpha {alpha}, beta {beta}")
        if node.probability is not None:
            lines.append(f"probability {node.probability!r}")
        if node.information is not None:
            lines.append(f"{name} sees {node.information.seen}: {node.information.size} histories look so")
            lines.append(f"belief {node.belief:.6g}")
        if node.cut is not None:
            lines.append(f"cut: {node.cut.reason}")
        return "\n".join(lines)


def alone(node: Node) -> bool:
    """True if its player knows where the game is, as far as that matters."""
    return node.information is None or node.information.size == 1


def window_of(node: Node) -> tuple[str, str]:
    """Alpha and beta at entry, with an arrow to what they were at the end."""
    (alpha, beta), (last_alpha, last_beta) = node.windows[0], node.windows[-1]
    return _changing(alpha, last_alpha), _changing(beta, last_beta)


def _changing(first: float, last: float) -> str:
    return show_value(first) if first == last else f"{show_value(first)}→{show_value(last)}"
