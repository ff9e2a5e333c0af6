"""A recorded search, step by step: what happens, what is known by then, and a sentence that says so.

    steps = Steps(record(game, using="alpha_beta"))
    len(steps), steps.sentence(12), steps.moment(12, node), steps.path(12)

Step 0 is before the search begins; step n is after its n-th event, so the last step shows the recording as a whole.
Nothing is computed here but what the events say: a node's value so far is the best of the children that have come back,
or the part of the average that is known.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, NamedTuple

from plyforge.search.trace.tree import (
    AVERAGES,
    CHOOSES_LARGEST,
    CHOOSES_OWN,
    CHOOSES_SMALLEST,
    ESTIMATE,
    EXACT,
    LOWER,
    UPPER,
    UTILITY,
    Event,
    Node,
    RecordedTree,
    show_value,
)
from plyforge.teach.pseudocode import pseudocode_of

AHEAD, OPEN, DONE, CUT = "ahead", "open", "done", "cut"
"""What a node is at a step: not looked at yet, being looked at, finished; or cut, so that nobody will look."""


class Moment(NamedTuple):
    """What is known of a node at a step."""

    status: str
    value: Any
    """So far, or for good; None where nothing has come back."""
    bound: str
    """What the value says: "exact", "lower" (at least) or "upper" (at most). So far, it is what the children prove."""
    alpha: float
    beta: float


class Steps:
    """A recorded tree with its time."""

    def __init__(self, tree: RecordedTree) -> None:
        self.tree = tree
        self.code = pseudocode_of(tree.result.using)
        self.so_far: list[Any] = []
        """After each event, the value so far of the node where it happens."""
        self.when: dict[int, list[int]] = {}
        """By node, the steps at which something happens there."""
        self.cut_at: dict[int, int] = {}
        """By node that is never looked at, the step at which that is decided."""
        self.cuts: list[int] = []
        """The steps at which something is cut."""
        self.entered, self.leaves = [0], [0]
        """Up to each step, how many nodes and how many leaves were looked at."""
        values: dict[int, Any] = {}
        for number, event in enumerate(tree.events, 1):
            node = event.node
            self.when.setdefault(id(node), []).append(number)
            if event.kind == "child":
                values[id(node)] = _with(node, values.get(id(node)), event)
            elif event.kind in ("cut", "leave"):
                values[id(node)] = event.value
            self.so_far.append(values.get(id(node)))
            new = event.kind == "enter"
            self.entered.append(self.entered[-1] + new)
            self.leaves.append(self.leaves[-1] + (new and not any(child.visited for child in node.children)))
            if event.kind == "cut" and node.cut is not None:
                self.cuts.append(number)
                for skipped in node.cut.skipped:
                    for each in skipped.below():
                        self.cut_at[id(each)] = number

    def __len__(self) -> int:
        """The number of the last step."""
        return len(self.tree.events)

    def event(self, step: int) -> Event | None:
        """What has just happened at a step; None before the search begins."""
        return None if step == 0 else self.tree.events[step - 1]

    def lit(self, step: int) -> list[int]:
        """The lines of the pseudocode that a step is at."""
        event = self.event(step)
        return [] if event is None else self.code.lit(event)

    def moment(self, step: int, node: Node) -> Moment:
        """What is known of a node at a step."""
        times = self.when.get(id(node), [])
        place = bisect_right(times, step)
        if place == 0:
            status = CUT if self.cut_at.get(id(node), len(self) + 1) <= step else AHEAD
            return Moment(status, None, EXACT, node.alpha, node.beta)
        last = times[place - 1]
        event = self.tree.events[last - 1]
        if event.kind == "leave":
            return Moment(DONE, node.value, node.bound, event.alpha, event.beta)
        value = self.so_far[last - 1]
        bound = {CHOOSES_LARGEST: LOWER, CHOOSES_SMALLEST: UPPER}.get(node.chooses or "", EXACT)
        return Moment(OPEN, value, bound, event.alpha, event.beta)

    def path(self, step: int) -> list[tuple[Node, Moment]]:
        """The nodes from the root to where the step happens, each with what is known of it."""
        event = self.event(step)
        if event is None:
            return []
        nodes = [event.node, *event.node.ancestors()][::-1]
        return [(node, self.moment(step, node)) for node in nodes]

    def next_cut(self, step: int) -> int | None:
        """The next step at which something is cut; None if there is none."""
        return next((cut for cut in self.cuts if cut > step), None)

    def counts(self, step: int) -> tuple[int, int, int]:
        """Nodes entered, leaves looked at and cuts made up to a step."""
        return self.entered[step], self.leaves[step], bisect_right(self.cuts, step)

    # ------------------------------------------------------------ in words
    def sentence(self, step: int) -> str:
        """What happens at a step."""
        event = self.event(step)
        if event is None:
            return f"{self.code.name} is about to begin." if len(self) else f"The whole tree, by {self.code.name}."
        return str(getattr(self, "_" + event.kind)(event))

    def where(self, node: Node) -> str:
        """A node in words: where it is."""
        return "the root" if node.parent is None else f"the node after {' '.join(node.path())}"

    def mover(self, node: Node) -> str:
        return self.tree.name_of(node.player)

    def _enter(self, event: Event) -> str:
        node = event.node
        if node.source == UTILITY:
            return f"Look at {self.where(node)}: the game is over there."
        if node.source == ESTIMATE:
            return f"Look at {self.where(node)}: the depth limit is reached."
        begin = f"Look at {self.where(node)}: {self.mover(node)} is to move"
        if node.modelled:
            begin = f"Look at {self.where(node)}: {self.mover(node)} moves by its policy"
        if self.tree.windowed:
            return f"{begin}, with {_window(event)}."
        return f"{begin}."

    def _child(self, event: Event) -> str:
        child = event.child
        assert child is not None
        said = _said(child.value, child.bound)
        if event.node.chooses == AVERAGES and child.probability is not None:
            return (
                f"Outcome {child.action_text} comes back with {said}, and counts with probability"
                f" {show_value(child.probability)}."
            )
        return f"Move {child.action_text} comes back with {said}."

    def _better(self, event: Event) -> str:
        child, node = event.child, event.node
        assert child is not None
        best = f"Move {child.action_text} is the best for {self.mover(node)} so far"
        if not self.tree.windowed:
            return f"{best}: {show_value(event.value)}."
        if node.chooses == CHOOSES_LARGEST:
            return f"{best}: alpha rises to {show_value(event.alpha)}."
        return f"{best}: beta falls to {show_value(event.beta)}."

    def _cut(self, event: Event) -> str:
        node = event.node
        if node.cut is None:
            side = ">= beta" if node.chooses == CHOOSES_LARGEST else "<= alpha"
            return (
                f"The value {show_value(event.value)} is {side}, but this was the last action: nothing is left to cut."
            )
        names = [skipped.action_text for skipped in node.cut.skipped]
        shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
        reason = node.cut.reason[0].upper() + node.cut.reason[1:]
        equal = " (a cut at equality)" if node.cut.value == node.cut.limit else ""
        noun = "outcome" if node.chooses == AVERAGES else "move"
        return f"Cut{equal}: {noun}{'' if len(names) == 1 else 's'} {shown} not looked at. {reason}."

    def _leave(self, event: Event) -> str:
        node = event.node
        if node.source == UTILITY:
            return f"The utility here is {show_value(node.value)}."
        if node.source == ESTIMATE:
            return f"The estimate here is {show_value(node.value)}."
        does = {
            CHOOSES_LARGEST: "the largest",
            CHOOSES_SMALLEST: "the smallest",
            CHOOSES_OWN: f"best for {self.mover(node)}",
            AVERAGES: "the average",
        }[node.chooses or CHOOSES_OWN]
        if not node.children:
            by = node.technique or node.source
            return f"Known at once: {self.where(node)} is worth {_said(node.value, node.bound)} ({by})."
        up = f"{self.where(node)[0].upper()}{self.where(node)[1:]} is worth {_said(node.value, node.bound)}"
        return (
            f"{up}, {does} of what came back."
            if node.bound == EXACT
            else f"{up}: no more is known, and no more is needed."
        )


def _with(node: Node, value: Any, event: Event) -> Any:
    """The value so far, with one more child."""
    child, new = event.child, event.value
    if node.chooses == AVERAGES:
        weight = 1.0 if child is None or child.probability is None else child.probability
        if isinstance(new, tuple):
            old = value or (0.0,) * len(new)
            return tuple(o + weight * n for o, n in zip(old, new, strict=True))
        return (value or 0.0) + weight * new
    if value is None:
        return new
    if node.chooses == CHOOSES_OWN:
        own = node.player or 0
        return new if new[own] > value[own] else value
    return max(value, new) if node.chooses == CHOOSES_LARGEST else min(value, new)


def _window(event: Event) -> str:
    return f"alpha {show_value(event.alpha)} and beta {show_value(event.beta)}"


def _said(value: Any, bound: str) -> str:
    return {LOWER: "at least ", UPPER: "at most "}.get(bound, "") + show_value(value)
