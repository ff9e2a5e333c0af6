"""Watch a Monte Carlo tree grow: every simulation with its way down, its outcome, and what each node learned.

    grown = grow(game, simulations=200, seed=1)
    grown.simulations[17].path, grown.simulations[17].outcome, grown.root.visits

It is the search itself that is watched, run interpreted: the kernel tells its selection rule when a simulation begins
and, on the way back up, which children were followed. A `Witness` stands in front of the real rule, passes every
question on, and reads the tree between two simulations.

Claim: nothing here simulates. Visits and means are read from the search's own nodes; only their point of view is
changed, so that all values are MAX's, or tuples.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from plyforge.contract import CHANCE, MAX, Game, format_action
from plyforge.contract.naming import as_state
from plyforge.errors import Unsuitable
from plyforge.games import load
from plyforge.search.core.limits import Limits
from plyforge.search.mcts.base import MonteCarlo
from plyforge.search.mcts.tree.arena import ROOT, UNEXPANDED, has_tuples, is_proven
from plyforge.search.mcts.tree.reuse import Tree
from plyforge.search.mcts.tree.statistics import value_at
from plyforge.search.mcts.tree_search import TreeSearch
from plyforge.search.running.control import Control
from plyforge.search.trace.tree import (
    AVERAGES,
    BACKED_UP,
    CHOOSES_LARGEST,
    CHOOSES_OWN,
    CHOOSES_SMALLEST,
    UTILITY,
    Node,
    RecordedTree,
    mark_line,
)

MOST_SIMULATIONS = 20_000
"""Each is remembered."""


class Learned(NamedTuple):
    """What a node knows after a simulation that went through it."""

    visits: int
    value: Any
    """The mean; exact once it is proven."""
    proven: bool


class Simulation(NamedTuple):
    """One round of the search."""

    path: tuple[Node, ...]
    """The nodes that were followed, from the root."""
    made: tuple[Node, ...]
    """The children that were made on the way."""
    outcome: Any
    """What it came to: MAX's, or a tuple with everyone's."""
    ended: bool
    """True if the last node's value was known: the game is over there, or it is proven."""
    learned: tuple[Learned, ...]
    """For each node of the path, what it knows now."""
    drawn: bool = False
    """True if play is drawn there, though the game is not over. Neither: a playout gave the outcome."""


@dataclass(eq=False)
class GrownTree(RecordedTree):
    """A tree that simulations made, with all of them."""

    simulations: list[Simulation] = field(default_factory=list, repr=False)


class Witness:
    """Stands before a selection rule, and notes what the kernel tells it."""

    def __init__(self, tree: Tree, root: Node, on_simulation: Callable[[int], None] | None = None) -> None:
        self.rule = tree.selection
        self.on_simulation = on_simulation
        self.tree, self.game = tree, tree.game
        self.nodes = {ROOT: root}
        self.followed: list[int] = []
        self.outcome: Any = None
        self.memory: Any = None
        self.simulations: list[Simulation] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rule, name)

    def begin(self, memory: Any) -> None:
        self.memory = memory
        self.write_down()
        self.rule.begin(memory)

    def learn(self, memory: Any, child: int, player: int, first: int, children: int) -> None:
        if not self.followed:
            self.outcome = self.outcome_in(memory)
        self.followed.append(child)
        self.rule.learn(memory, child, player, first, children)

    def write_down(self) -> None:
        """Keep the simulation that has just been finished, if there is one."""
        followed, self.followed = self.followed, []
        memory = self.memory
        if memory is None or int(memory.simulations) == len(self.simulations):
            return
        outcome = self.outcome if followed else self.outcome_in(memory)
        indices = [ROOT, *reversed(followed)]
        made: list[Node] = []
        for index in indices:
            made += self.make_children(index)
        blocks = self.tree.blocks
        assert blocks is not None
        learned = []
        for index in indices:
            node = blocks.node(index)
            known = Learned(int(node.visits), value_at(self.game, blocks, index), bool(is_proven(node)))
            seen = self.nodes[index]
            seen.visits, seen.value = known.visits, known.value
            seen.source = UTILITY if seen.player is None else BACKED_UP
            seen.order = seen.order or len(self.simulations) + 1
            learned.append(known)
        ended = learned[-1].proven
        path = tuple(self.nodes[index] for index in indices)
        drawn = not ended and int(blocks.node(indices[-1]).mover) == UNEXPANDED
        self.simulations.append(Simulation(path, tuple(made), outcome, ended, tuple(learned), drawn))
        if self.on_simulation is not None:
            self.on_simulation(len(self.simulations))

    def outcome_in(self, memory: Any) -> Any:
        payoffs = tuple(float(memory.outcome[player]) for player in range(self.game.players))
        return payoffs if has_tuples(self.game) else payoffs[MAX]

    def make_children(self, index: int) -> list[Node]:
        """The nodes for children that the search has made since."""
        blocks = self.tree.blocks
        assert blocks is not None
        here, node = blocks.node(index), self.nodes[index]
        if here.children == 0 or node.children or here.mover == UNEXPANDED:
            return []
        game, state = self.game, node.state
        if node.player == CHANCE:
            options: list[tuple[Any, float | None]] = list(game.chance(state))
        else:
            options = [(action, None) for action in game.actions(state)]
        for number, (action, probability) in enumerate(options):
            child = new_node(game, game.result(state, action), node)
            child.index, child.action, child.probability = number, action, probability
            child.action_text = format_action(game, state, action)
            node.children.append(child)
            self.nodes[int(here.first) + number] = child
        return node.children


def new_node(game: Game, state: Any, parent: Node | None) -> Node:
    """A node that nobody has visited yet."""
    player = None if game.terminal(state) else int(game.player(state))
    node = Node(state, player, game, parent=parent, ply=0 if parent is None else parent.ply + 1)
    if player == CHANCE:
        node.chooses = AVERAGES
    elif player is not None:
        node.chooses = CHOOSES_OWN if has_tuples(game) else CHOOSES_LARGEST if player == MAX else CHOOSES_SMALLEST
    return node


def grow(
    game: Game | str,
    state: Any = None,
    search: MonteCarlo | str | None = None,
    *,
    simulations: int = 200,
    seed: int = 1,
    control: Control | None = None,
    on_simulation: Callable[[int], None] | None = None,
) -> GrownTree:
    """Search a game (or what `load` takes) from `state` (a state, its text, or None for the start) with so many
    simulations, and keep all of them.

    `search` is a search that grows a tree, or its name: UCT if left out. Stopped by its `control`, it is the tree that
    there is by then. `on_simulation` is told how many there have been, after each.
    """
    from plyforge.search import make_search

    game = load(game)
    chosen = make_search(search or "uct", game)
    if not isinstance(chosen, TreeSearch):
        raise Unsuitable(f"{chosen.name} grows no tree: 'uct' and 'puct' do")
    if simulations > MOST_SIMULATIONS:
        raise Unsuitable(f"{simulations:,} simulations are too many to keep: at most {MOST_SIMULATIONS:,}")
    tree = Tree(replace(chosen, simulations=simulations, seed=seed, threads=1), game, native=False)
    start = as_state(game, state)
    root = new_node(game, start, None)
    witness = Witness(tree, root, on_simulation)
    tree.selection = witness  # type: ignore[assignment]
    found = tree.think(start, Limits(), control=control)
    witness.write_down()
    grown = GrownTree(
        root=root,
        result=found,
        players=game.players,
        game=game,
        search=chosen,
        simulations=witness.simulations,
    )
    mark_line(grown)
    for node in itertools.islice(grown.nodes(), len(witness.nodes)):
        visited = [child for child in node.children if child.visits]
        if visited and node.chooses != AVERAGES:
            node.best = max(visited, key=lambda child: child.visits or 0)
    witness.nodes, witness.simulations = (
        {},
        [],
    )  # the search and its witness hold each other, but not what was grown
    return grown
