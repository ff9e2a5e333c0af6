"""What to do in a situation that somebody typed in: the worlds that fit it, and what each action is worth in them.

The worlds are the states behind an observation. How likely each is hangs on chance and on what the others do: what they
did before shows what they may hold. Both come from a profile, solved or kept. An action is worth what its player
gets on average over the worlds, who goes on as well as can be against the profile.

Where a game is too large for its tree there are no such weights: what is left is a kept strategy's mix, and worlds as
`determinize` draws them. Players who sample (`determinize` and search) have their place there: whoever gives an
`Advice`.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.contract import CHANCE, PUBLIC, Game
from plyforge.contract.information import remember
from plyforge.contract.naming import name_of, text_of
from plyforge.errors import BadText
from plyforge.kernel import new_stream
from plyforge.solve.hidden.history_tree import HistoryTree, Root, root_of
from plyforge.solve.hidden.solution import HiddenSolution, history_reach
from plyforge.solve.hidden.strategy_file import MixedStrategy

DRAWN = 1000
"""Worlds that are drawn where there is no tree."""


@dataclass(frozen=True)
class Advice:
    """What one player is to do in one information set."""

    player: int
    observation: Any
    mix: dict[Any, float]
    """How often to take each action."""
    values: dict[Any, float] | None
    """What each action is worth to the player; None where nobody can tell."""
    worlds: list[tuple[Any, float]]
    """The states that fit, with how likely each is, likely ones first."""
    likely: float | None
    """How likely chance and the others make it that it comes to this, for a player who wants to; None: unknown."""


def advise(solution: HiddenSolution, observation: Any, player: int) -> list[Advice]:
    """Advice by a solved game: for each information set in which `player` sees this, by what is remembered."""
    tree, game = solution.tree, solution.game
    numbers = sets_seeing(tree, observation, player)
    worth = solution.learner.worth(player, solution.profile, True)[1]
    reach, by_chance = history_reach(tree, solution.profile, player), chance_reach(tree)
    found = []
    for number in numbers:
        members, slots = tree.members[number], range(int(tree.offset[number]), int(tree.offset[number + 1]))
        likely = float(reach[members].sum())
        weights = reach[members] if likely > 0.0 else by_chance[members]
        worlds: dict[Any, float] = defaultdict(float)
        for node, weight in zip(members, weights / weights.sum(), strict=True):
            worlds[tree.state_at(node)] += float(weight)
        actions = tree.actions[number]
        values = {action: float(worth[slot]) / likely for action, slot in zip(actions, slots, strict=True)} if (
            likely > 0.0
        ) else None  # fmt: skip
        mix = {action: float(solution.profile[slot]) for action, slot in zip(actions, slots, strict=True)}
        ordered = sorted(worlds.items(), key=lambda item: (-item[1], text_of(game, item[0])))
        found.append(Advice(player, observation, mix, values, ordered, likely))
    return found


def advise_from(strategy: MixedStrategy, observation: Any, player: int, seed: int = 0) -> list[Advice]:
    """Advice by a kept strategy alone, with worlds as chance makes them: where there is no tree."""
    game = strategy.game
    sets = list(strategy.seeing(observation, player))
    if not sets:
        raise nobody_sees(game, observation, player)
    stream = new_stream(seed)
    try:
        drawn = Counter(game.determinize(observation, player, stream) for _ in range(DRAWN))
    except NotImplementedError:
        drawn = Counter()
    worlds = [(state, count / DRAWN) for state, count in drawn.most_common()]
    return [Advice(player, observation, each.policy, None, worlds, None) for each in sets]


def sets_seeing(tree: HistoryTree, observation: Any, player: int) -> list[int]:
    """The information sets in which `player` (or, for PUBLIC, somebody who moves while everybody sees this) sees it.
    Raises BadText if there is none."""
    game = tree.game
    found = []
    for number, (owner, seen) in enumerate(zip(tree.owner.tolist(), tree.observations, strict=True)):
        if player == PUBLIC:
            seen = game.observe(seen, PUBLIC)
        if player in (owner, PUBLIC) and seen == observation:
            found.append(number)
    if not found:
        raise nobody_sees(game, observation, player)
    return found


def nobody_sees(game: Game, observation: Any, player: int) -> BadText:
    """What to say of an observation that never comes."""
    eyes = "anybody" if player == PUBLIC else f"player {player}"
    return BadText(
        f"{text_of(game, observation)}: it never comes in {name_of(game)} that {eyes} has to move and sees this"
    )


def chance_reach(tree: HistoryTree) -> np.ndarray:
    """How likely chance makes each history, if everybody goes there."""
    likely = [1.0] * tree.histories
    for node, (parent, share) in enumerate(zip(tree.parent.tolist(), tree.probability.tolist(), strict=True)):
        if parent >= 0:
            likely[node] = likely[parent] * share
    return np.array(likely)


def roots_seeing(tree: HistoryTree, observation: Any, player: int) -> list[Root]:
    """The histories behind an observation, with what everybody remembers, as likely as chance makes them: where a game
    goes on from there. What players did to get there is given, and shows nothing of what they hold."""
    likely, wanted = chance_reach(tree), set(sets_seeing(tree, observation, player))
    nodes = {node for number in wanted for node in tree.members[number]}
    roots = []
    for node in sorted(nodes):
        way, at = [node], node
        while tree.parent[at] >= 0:
            at = int(tree.parent[at])
            way.append(at)
        if not nodes.intersection(way[1:]):
            roots.append(Root(tree.state_at(node), _memories(tree, way[::-1]), float(likely[node])))
    return roots


def _memories(tree: HistoryTree, way: list[int]) -> tuple[Any, ...]:
    """What everybody remembers at the end of a way through the tree."""
    game = tree.game
    memories = root_of(game, tree.state_at(way[0])).memories
    for above, node in itertools.pairwise(way):
        s, after = tree.state_at(above), tree.state_at(node)
        number = node - int(tree.child[above])
        if tree.mover[above] == CHANCE:
            action = [outcome for outcome, _ in game.chance(s)][number]
        else:
            action = tree.actions[tree.information[above]][number]
        memories = tuple(remember(game, memory, s, action, after, player) for player, memory in enumerate(memories))
    return memories


__all__ = ["Advice", "advise", "advise_from", "roots_seeing", "sets_seeing"]
