"""A tree as the page wants it: what there is and where, and what each step changes.

    {"items": {"x": [...], "y": [...], ...}, "labels": [...], "sets": [[item, item], ...],
     "steps": [[n, at, [item, status, label, window, ...]], ...], ...}

Places come from the one layout in Python. Things are told in columns, and texts by number, so that ten thousand nodes
are a megabyte. The page keeps for each item a status (AHEAD, OPEN, DONE, CUT), a label and a window; a step says which
of them change. So the page can show any step, and knows nothing of searches.

What is folded has no item. Steps that happen there are left out; `n` is the step's number in the whole recording, which
is also what stands in the address.
"""

from __future__ import annotations

from typing import Any

from plyforge.draw.figure import Figure, Item, label_of, rounded
from plyforge.draw.picture import measured_places
from plyforge.draw.shapes import edge_words
from plyforge.search.trace.mcts import Learned
from plyforge.search.trace.tree import LOWER, UPPER, Node, RecordedTree, show_value
from plyforge.teach.growing import Growing
from plyforge.teach.steps import Steps

AHEAD_CODE, OPEN_CODE, DONE_CODE, CUT_CODE = 0, 1, 2, 3


class _Texts:
    """Texts by number, each once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {"": 0}

    def number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    @property
    def all(self) -> list[str]:
        return list(self.numbers)


def number_nodes(tree: RecordedTree) -> dict[int, int]:
    """Each node's number: parents before children, left to right. The same recording gives the same numbers."""
    return {id(node): number for number, node in enumerate(tree.nodes())}


def make_document(
    figure: Figure,
    numbers: dict[int, int],
    steps: Steps | Growing | None = None,
    names: bool = False,
    given: bool = False,
) -> dict[str, Any]:
    """All that the page draws. `names`: labels are what the figure says, from the start; there are no steps.
    `given`: what leaves are worth is part of the question, so that it may be seen before anybody looks there."""
    items, children = figure.numbered()
    parent = [-1] * len(items)
    for above, below in enumerate(children):
        for child in below:
            parent[child] = above
    texts = _Texts()
    places, sizes = measured_places(figure)
    columns: dict[str, list[Any]] = {
        "node": [-1 if item.node is None else numbers[id(item.node)] for item in items],
        "parent": parent,
        "x": [round(x, 1) for x, _ in places],
        "y": [round(y, 1) for _, y in places],
        "half": [round(size.half, 1) for size in sizes],
        "top": [round(size.top, 1) for size in sizes],
        "bottom": [round(size.bottom, 1) for size in sizes],
        "kind": [item.kind for item in items],
        "player": [-1 if item.player is None else item.player for item in items],
        "edge": [texts.number(edge_words(item)) for item in items],
        "label": [texts.number(item.label) for item in items],
        "given": [texts.number(_given(item)) if given else 0 for item in items],
        "line": [int(item.on_line) for item in items],
        "belief": [texts.number(item.belief) for item in items],
    }
    shown = {id(item.node): place for place, item in enumerate(items) if item.node is not None}
    found: list[list[Any]] = []
    cuts: list[int] = []
    if isinstance(steps, Growing):
        found = _growing(steps, shown, texts)
    elif steps is not None:
        bunches = _bunches(items, children)
        found = _searching(steps, shown, bunches, texts)
        kept = {row[0] for row in found}
        cuts = [cut for cut in steps.cuts if cut in kept]
    return {
        "items": columns,
        "labels": texts.all,
        "steps": found,
        "sets": [sorted(members, key=lambda number: places[number]) for members in figure.information_sets()],
        "cuts": cuts,
        "names": names,
        "last": 0 if steps is None else len(steps),
        "windowed": figure.windowed,
        "owner": figure.owner,
        "width": round(max(x + size.right for (x, _), size in zip(places, sizes, strict=True)), 1),
        "height": round(max(y + size.bottom for (_, y), size in zip(places, sizes, strict=True)), 1),
    }


def _bunches(items: list[Item], children: list[list[int]]) -> dict[int, int]:
    """By node whose cut actions are drawn as one bunch, the item of the bunch."""
    found = {}
    for number, item in enumerate(items):
        if item.node is not None:
            for child in children[number]:
                if items[child].kind == "unvisited" and items[child].node is None:
                    found[id(item.node)] = child
    return found


def _given(item: Item) -> str:
    """What a leaf is worth by the rules."""
    node = item.node
    if node is None or node.player is not None or node.game is None:
        return ""
    return show_value(node.game.utility(node.state))


def _searching(steps: Steps, shown: dict[int, int], bunches: dict[int, int], texts: _Texts) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for number, event in enumerate(steps.tree.events, 1):
        node = event.node
        place = shown.get(id(node))
        if place is None:
            continue
        done = event.kind == "leave"
        value = node.value if done else steps.so_far[number - 1]
        label = texts.number(label_of(node) if done else so_far(node, value))
        window = texts.number(window_text(event.alpha, event.beta)) if steps.tree.windowed and node.children else 0
        changes = [place, DONE_CODE if done else OPEN_CODE, label, window]
        if event.kind == "cut" and node.cut is not None:
            below = [each for child in node.cut.skipped for each in child.below()]
            skipped = [shown[id(each)] for each in below if id(each) in shown]
            if id(node) in bunches:
                skipped.append(bunches[id(node)])
            for child in skipped:
                changes += [child, CUT_CODE, 0, 0]
        child_place = -1 if event.child is None else shown.get(id(event.child), -1)
        rows.append([number, place, child_place, event.kind[0] if event.kind != "cut" else "x", changes])
    return rows


def _growing(steps: Growing, shown: dict[int, int], texts: _Texts) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for number, simulation in enumerate(steps.tree.simulations, 1):
        changes: list[int] = []
        for node in simulation.made:
            if id(node) in shown:
                changes += [shown[id(node)], OPEN_CODE, 0, 0]
        last = 0
        for node, learned in zip(simulation.path, simulation.learned, strict=True):
            if id(node) in shown:
                last = shown[id(node)]
                changes += [last, DONE_CODE, texts.number(mean_text(learned)), 0]
        rows.append([number, last, -1, "s", changes])
    return rows


def mean_text(learned: Learned) -> str:
    """A node of a grown tree: its mean, and how many simulations it is of; an equals sign where it is proven."""
    sign = "=" if learned.proven else ""
    return f"{sign}{show_value(rounded(learned.value))} ({learned.visits:,})"


def so_far(node: Node, value: Any) -> str:
    """A value that may still change."""
    if value is None:
        return ""
    if node.chooses == "average":
        return f"{show_value(value)}…"
    sign = {"largest": "≥", "smallest": "≤"}.get(node.chooses or "", "")
    return sign + show_value(value)


def window_text(alpha: float, beta: float) -> str:
    """Alpha and beta as two lines."""
    return f"{show_value(alpha)}|{show_value(beta)}"


BOUND_WORDS = {LOWER: "at least", UPPER: "at most"}
