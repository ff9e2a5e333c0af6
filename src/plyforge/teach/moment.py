"""A recorded search as it stands at one step: a tree to draw like any other.

    draw.save(at_step(Steps(tree), 12), "after-12-steps.svg")

Nodes that are still to be looked at are there, empty, so that the picture keeps its shape from the first step to the
last.
"""

from __future__ import annotations

from dataclasses import replace

from plyforge.search.trace.mcts import GrownTree
from plyforge.search.trace.tree import AHEAD, UNVISITED, Node, RecordedTree
from plyforge.teach.growing import Growing
from plyforge.teach.steps import AHEAD as STILL_AHEAD
from plyforge.teach.steps import CUT, OPEN, Steps


def at_step(steps: Steps | Growing, step: int) -> RecordedTree:
    """The tree after so many steps. The recording itself is not changed; after the last step, it is what is given."""
    if step >= len(steps):
        return steps.tree
    if isinstance(steps, Growing):
        return _grown(steps, step)
    return _searched(steps, step)


def copied(tree: RecordedTree) -> tuple[RecordedTree, list[tuple[Node, Node]]]:
    """The tree with nodes of its own, and each recorded node with its copy; parents come first."""
    pairs: list[tuple[Node, Node]] = []
    twins: dict[int, Node] = {}
    for node in tree.nodes():
        twin = replace(node, children=[], best=None, cut=None, parent=None)
        twins[id(node)] = twin
        if node.parent is not None:
            twin.parent = twins[id(node.parent)]
            twin.parent.children.append(twin)
        pairs.append((node, twin))
    for node, twin in pairs:
        twin.best = None if node.best is None else twins[id(node.best)]
        if node.cut is not None:
            cut = node.cut
            twin.cut = replace(
                cut,
                skipped=[twins[id(child)] for child in cut.skipped],
                ancestor=None if cut.ancestor is None else twins[id(cut.ancestor)],
                choice=None if cut.choice is None else twins[id(cut.choice)],
            )
    return replace(tree, root=pairs[0][1]), pairs


def _searched(steps: Steps, step: int) -> RecordedTree:
    tree, pairs = copied(steps.tree)
    twins = {id(node): twin for node, twin in pairs}
    tree.events = [
        event._replace(node=twins[id(event.node)], child=None if event.child is None else twins[id(event.child)])
        for event in steps.tree.events[:step]
    ]
    for node, twin in pairs:
        moment = steps.moment(step, node)
        twin.on_line = False
        if moment.status == STILL_AHEAD:
            twin.source, twin.value, twin.windows, twin.cut, twin.best = AHEAD, None, [], None, None
        elif moment.status == CUT:
            twin.source = UNVISITED
        elif moment.status == OPEN:
            twin.value, twin.bound = moment.value, moment.bound
            twin.windows = [node.windows[0], (moment.alpha, moment.beta)] if node.windows else []
            skipped = [] if node.cut is None else node.cut.skipped
            if not any(steps.cut_at[id(child)] <= step for child in skipped):
                twin.cut = None
    return tree


def _grown(steps: Growing, step: int) -> GrownTree:
    tree, pairs = copied(steps.tree)
    assert isinstance(tree, GrownTree)
    for node, twin in pairs:
        known = steps.known(step, node)
        twin.on_line = False
        if known is None:
            made = steps.made(step, node)
            twin.source, twin.value, twin.visits = (UNVISITED if made else AHEAD), None, None
        else:
            twin.value, twin.visits = known.value, known.visits
    return tree
