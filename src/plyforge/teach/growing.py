"""A Monte Carlo tree as it grows: a step is a simulation.

    growing = Growing(grow(game, simulations=100))
    len(growing), growing.sentence(17), growing.known(17, node)

Step 0 is before the first simulation; the last step is the tree that the search answered from. As in `steps.py` nothing
is computed here: what a node knows was read from the search itself.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from plyforge.search.trace.mcts import GrownTree, Learned, Simulation
from plyforge.search.trace.tree import Node, show_value
from plyforge.teach.pseudocode import pseudocode_of


class Growing:
    """A grown tree with its time."""

    def __init__(self, tree: GrownTree) -> None:
        self.tree = tree
        self.code = pseudocode_of("uct")
        self.when: dict[int, list[tuple[int, Learned]]] = {}
        """By node, the steps that went through it, with what it knew then."""
        self.born: dict[int, int] = {id(tree.root): 0}
        """By node, the step at which it was made."""
        for number, simulation in enumerate(tree.simulations, 1):
            for node, learned in zip(simulation.path, simulation.learned, strict=True):
                self.when.setdefault(id(node), []).append((number, learned))
            for node in simulation.made:
                self.born[id(node)] = number

    def __len__(self) -> int:
        """The number of the last step."""
        return len(self.tree.simulations)

    def simulation(self, step: int) -> Simulation | None:
        """What has just happened at a step; None before the search begins."""
        return None if step == 0 else self.tree.simulations[step - 1]

    def known(self, step: int, node: Node) -> Learned | None:
        """What a node knows at a step; None if nobody has been there."""
        times = self.when.get(id(node), [])
        place = bisect_right(times, step, key=lambda entry: entry[0])
        return times[place - 1][1] if place else None

    def made(self, step: int, node: Node) -> bool:
        """True if the node is in the tree at a step."""
        return self.born.get(id(node), len(self) + 1) <= step

    def lit(self, step: int) -> list[int]:
        """The lines of the pseudocode that this simulation went through."""
        simulation = self.simulation(step)
        if simulation is None:
            return []
        wanted = {"select", "back up"}
        if simulation.made:
            wanted.add("expand")
        if not simulation.drawn:
            wanted.add("prove" if simulation.ended else "playout")
        return [number for number, line in enumerate(self.code.lines) if wanted & set(line.labels)]

    def sentence(self, step: int) -> str:
        """What happens in a simulation."""
        simulation = self.simulation(step)
        if simulation is None:
            return f"{self.code.name} is about to begin: the tree is the root alone."
        texts = simulation.path[-1].path()
        way = f"goes down {' '.join(texts)}" if texts else "stays at the root"
        parts = [f"Simulation {step} {way}."]
        if simulation.made:
            parent = simulation.made[0].parent
            where = (
                "The root" if parent is None or parent.parent is None else f"The node after {' '.join(parent.path())}"
            )
            parts.append(f"{where} gets its {len(simulation.made)} children.")
        worth = show_value(_rounded(simulation.outcome))
        if simulation.path[-1].player is None:
            parts.append(f"The game is over there: {worth}.")
        elif simulation.ended:
            parts.append(f"What it is worth is proven: {worth}.")
        elif simulation.drawn:
            parts.append(f"Play is drawn there, by what came before or by a rule of play: {worth}.")
        else:
            parts.append(f"Played on at random from there, the game ends with {worth}.")
        root = simulation.learned[0]
        number = len(simulation.path)
        parts.append(
            f"{number} node{'' if number == 1 else 's'} learn{'s' if number == 1 else ''} of it; the root now stands at"
            f" {show_value(_rounded(root.value))} after {root.visits} visit{'' if root.visits == 1 else 's'}"
            + (", and is proven." if root.proven else ".")
        )
        return " ".join(parts)

    def next_cut(self, step: int) -> int | None:
        """Nothing is cut here: the next step that makes new nodes; None if there is none."""
        following = (n for n, s in enumerate(self.tree.simulations, 1) if n > step and s.made)
        return next(following, None)


def _rounded(value: Any) -> Any:
    return tuple(map(_rounded, value)) if isinstance(value, tuple) else round(value, 3)
