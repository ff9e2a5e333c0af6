"""The solution tree of a recorded search: the part of it that proves the value.

This is what alpha-beta is said not to give. For the hero, whoever moves at the root, one action in each of the hero's
states and every reply in all others. The actions that a cut left out are of two kinds. At a hero's node they are
further ways to do well, and one is enough. At an opponent's node they are further ways to hurt the hero, but then the
value is a bound from the hero's wrong side, and such a node is never chosen by the hero. So the proof is always inside
the recorded tree; what the recorder's limit left out is searched again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from plyforge.contract import CHANCE, MAX, Game
from plyforge.errors import PlyforgeError, Unsuitable
from plyforge.search.core.base import Search
from plyforge.search.textbook.alpha_beta import AlphaBeta
from plyforge.search.textbook.best_reply import BestReply
from plyforge.search.textbook.expectimax import Expectimax, hero_at
from plyforge.search.textbook.minimax import Minimax
from plyforge.search.textbook.negamax import Negamax
from plyforge.search.textbook.paranoid import Paranoid
from plyforge.search.trace.recorder import record
from plyforge.search.trace.tree import (
    AVERAGES,
    BACKED_UP,
    CHOOSES_LARGEST,
    EXACT,
    LOWER,
    UPPER,
    Node,
    RecordedTree,
    mark_line,
)


def solution_tree(recorded: RecordedTree) -> RecordedTree:
    """The part of a recorded tree that proves its value for the hero, whoever moves at the root.

    At the hero's nodes one action, at all others every reply (at chance nodes every outcome). Each value is what the
    plan makes sure of from there, worked out from the leaves alone. Where the search stopped at a depth, the estimates
    at the horizon are taken as they are; against a modelled opponent, the policy is.
    """
    root = recorded.root
    if isinstance(root.value, tuple):
        raise Unsuitable(
            "max_n's value rests on what everybody else prefers, so no plan of one player proves it. "
            "Record 'paranoid', whose value one player can make sure of"
        )
    if isinstance(recorded.search, BestReply) and recorded.players > 2:
        raise Unsuitable(
            "best_reply lets one opponent reply where all would, so its value is nothing to be sure of. "
            "Record 'paranoid', whose value one player can make sure of"
        )
    hero = MAX if root.player in (None, CHANCE) else root.player
    wants = root.chooses if root.player == hero else CHOOSES_LARGEST
    builder = _Proof(recorded, hero, wants or CHOOSES_LARGEST)
    return builder.tree()


class _Proof:
    """Copies the part of a tree that a proof needs, searching again where the recording has a hole."""

    def __init__(self, recorded: RecordedTree, hero: int, wants: str) -> None:
        self.recorded, self.hero = recorded, hero
        self.largest = wants == CHOOSES_LARGEST

    def tree(self) -> RecordedTree:
        root = self.copy(self.recorded.root, None)
        todo = [(root, self.recorded.root)]
        finished: list[Node] = []
        while todo:
            made, node = todo.pop()
            finished.append(made)
            needed = self.needed(node)
            if needed is None:
                node = self.searched(node)
                made.source, made.player, made.left_out = node.source, node.player, 0
                made.chooses, made.modelled = node.chooses, node.modelled
                made.value, made.bound = node.value, node.bound
                needed = self.needed(node)
                assert needed is not None, "a search with an open window proves its value"
            for child in needed:
                copied = self.copy(child, made)
                made.children.append(copied)
                todo.append((copied, child))
        for node in reversed(finished):
            self.back_up(node)
        tree = replace(self.recorded, root=root, windowed=False, events=[], left_out=0, hero=self.hero, counted=None)
        mark_line(tree)
        return tree

    def needed(self, node: Node) -> list[Node] | None:
        """The children that the proof needs; None if the recording does not hold them."""
        if node.leaf:
            return []
        if node.source != BACKED_UP:
            return None
        if node.player != self.hero:
            return node.children if node.children and all(child.visited for child in node.children) else None
        good = [child for child in node.children if child.visited and self.proven(child)]
        if not good:
            return None
        best = max(good, key=lambda child: child.value if self.largest else -child.value)
        return [node.best if node.best in good and node.best.value == best.value else best]

    def proven(self, node: Node) -> bool:
        """True if the hero is sure of the node's value."""
        return node.bound in (EXACT, LOWER if self.largest else UPPER)

    def searched(self, node: Node) -> Node:
        """The same node with all that a proof needs below it."""
        recorded = self.recorded
        if recorded.game is None or recorded.search is None:
            raise PlyforgeError(
                "the recording lacks a part of the proof, and a tree that was read from a file can't be searched. "
                "Record it with a higher limit"
            )
        search = _same_view(recorded.search, recorded.root.state)
        return record(recorded.game, node.state, search, node.depth, limit=None).root

    def copy(self, node: Node, parent: Node | None) -> Node:
        return replace(
            node,
            parent=parent,
            ply=0 if parent is None else parent.ply + 1,
            windows=[],
            order=None,
            children=[],
            best=None,
            on_line=False,
            cut=None,
        )

    def back_up(self, node: Node) -> None:
        """The value from the children's, by the plan."""
        if not node.children:
            return
        values = [child.value for child in node.children]
        exact = node.value if node.bound == EXACT else None
        if node.player == self.hero:
            node.best = node.children[0]
            node.value = values[0]
        elif node.chooses == AVERAGES:
            node.value = 0.0
            for child in node.children:
                # A modelled opponent's policy is unknown where the recorder was not told the search.
                if child.probability is None:
                    raise Unsuitable(
                        "the opponent's policy was not recorded: use record(...), or Recorder(game, search=...)"
                    )
                node.value += child.probability * child.value
        else:
            node.value = min(values) if self.largest else max(values)
        node.bound = EXACT if node.value == exact else LOWER if self.largest else UPPER


def _same_view(search: Search, root: Any) -> Search:
    """A search of a later state whose values mean what they meant in a search from `root`."""
    if isinstance(search, (Minimax, Negamax, AlphaBeta)):
        return AlphaBeta(evaluation=search.evaluation)
    if not isinstance(search, (Expectimax, Paranoid, BestReply)):
        return search
    original: Search = search
    kind: Callable[..., Any] = type(search)

    class SameHero(kind):  # type: ignore[misc, valid-type]
        """The hero stays whoever moved at the original root."""

        def window(self, game: Game, state: Any) -> tuple[Any, ...]:
            return original.window(game, root)

        def whose(self, game: Game, state: Any) -> int | None:
            return original.whose(game, root)

        def read_value(self, game: Game, state: Any, value: Any) -> Any:
            return original.read_value(game, root, value)

        def maximises(self, game: Game, state: Any) -> bool:
            return bool(game.player(state) == hero_at(game, root))

    parameters = {each.name: getattr(search, each.name) for each in fields(search) if each.name != "all_best"}
    made: Search = SameHero(**parameters)
    return made
