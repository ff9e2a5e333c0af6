"""What a cut hides: the rest of the tree, as the rules have it, nobody having looked.

A recording ends at the branches that are cut. Where the tree is small, or given as a whole, a learner wants to see what
was saved: here those parts are added, without values.
"""

from __future__ import annotations

from plyforge.contract import CHANCE, format_action
from plyforge.search.trace.tree import Node, RecordedTree


def add_unseen(tree: RecordedTree, at_most: int) -> None:
    """Put below each branch that was cut what the search would have met there, unless that is more than `at_most`
    nodes in all."""
    found: list[tuple[Node, list[Node]]] = []
    number = 0
    for top in [node for node in tree.nodes() if not node.visited]:
        waiting = [top]
        while waiting:
            node = waiting.pop()
            below = _children(node)
            number += len(below)
            if number > at_most:
                return
            found.append((node, below))
            waiting += below
    for node, below in found:
        node.children = below


def _children(node: Node) -> list[Node]:
    game, state = node.game, node.state
    if game is None or node.player is None or node.depth == 0:
        return []
    options = list(game.chance(state)) if node.player == CHANCE else [(action, None) for action in game.actions(state)]
    below = []
    for index, (action, probability) in enumerate(options):
        after = game.result(state, action)
        player = None if game.terminal(after) else int(game.player(after))
        child = Node(after, player, game, parent=node, ply=node.ply + 1)
        child.depth = None if node.depth is None else node.depth - 1
        child.index, child.action, child.probability = index, action, probability
        child.action_text = format_action(game, state, action)
        below.append(child)
    return below
