"""The state graph of a game that ends, each state after all that follow it: what values are induced along.

    for node in successors_first(game, root, limit).nodes:      the root comes last
        values[node.state] = ... values[successor] for successor in node.successors

The graph is that of `state_graph.py`, with any number of players, who may choose at once. Depth first through its
numbers, with a stack of its own; a state that can come back raises Unsuitable, with the actions that lead back to it.
Games that come back mostly do so soon: so the first states are looked at before all of them are numbered.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from plyforge.contract import CHANCE, Game
from plyforge.errors import BadLimits, PlyforgeError
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress
from plyforge.solve.census import Node, Tally, endless, post_order
from plyforge.solve.graph.state_graph import ENDED, StateGraph, state_graph

LOOK_AHEAD = 500
"""States that are looked at first."""


class Walk(NamedTuple):
    """All states of a game."""

    nodes: Iterator[Node]
    """Each once, after its successors. Raises Unsuitable where a state comes back."""
    native: bool
    """True if they were found by compiled rules."""


def successors_first(
    game: Game,
    state: Any,
    limit: int | None,
    on_progress: Callable[[Progress], None] | None = None,
    control: Control | None = None,
    native: bool | None = False,
) -> Walk:
    """Each distinct state that can arise, once. More than `limit` are refused. `control` ends it from another thread,
    with an error. Interpreted where nobody asks for more: most games of this kind are smaller than the compiler's
    time."""
    tally = Tally(game, limit, None)  # or an error: what is no limit
    with contextlib.suppress(BadLimits):
        for _ in post_order(game, state, LOOK_AHEAD, control=control):
            pass
    graph = state_graph(
        game, state, tally.limit, every_action=True, native=native, on_progress=on_progress, control=control
    )
    if graph is None:
        raise PlyforgeError("it was stopped before it had an answer")
    return Walk(_in_order(game, graph, control), graph.native)


def _in_order(game: Game, graph: StateGraph, control: Control | None) -> Iterator[Node]:
    states = graph.numbering.all()
    first, successor = graph.first_edge.tolist(), graph.successor.tolist()
    path, taken = [0], [first[0]]
    """The states that are not finished, and which edge of each comes next."""
    on_path, finished = bytearray(len(states)), bytearray(len(states))
    on_path[0] = True
    while path:
        here, edge = path[-1], taken[-1]
        if edge == first[here + 1]:
            path.pop()
            taken.pop()
            on_path[here], finished[here] = False, True
            if control is not None and control.stopped:
                raise PlyforgeError("it was stopped before it had an answer")
            yield _node(game, graph, states, here)
            continue
        taken[-1] += 1
        following = successor[edge]
        if on_path[following]:
            nodes = [_node(game, graph, states, number) for number in path]
            raise endless(
                game, nodes, [at - first[number] for number, at in zip(path, taken, strict=True)], states[following]
            )
        if not finished[following]:
            on_path[following] = True
            path.append(following)
            taken.append(first[following])


def _node(game: Game, graph: StateGraph, states: list[Any], number: int) -> Node:
    state, player = states[number], int(graph.mover[number])
    if player == ENDED:
        return Node(state, None, [], [], [])
    edges = slice(int(graph.first_edge[number]), int(graph.first_edge[number + 1]))
    followed = [states[each] for each in graph.successor[edges].tolist()]
    if player != CHANCE:
        return Node(state, player, list(game.actions(state)), [], followed)
    return Node(state, player, [o for o, _ in game.chance(state)], graph.probability[edges].tolist(), followed)


__all__ = ["Walk", "successors_first"]
