"""Flat Monte Carlo, the lectures' version 0: the same number of rollouts for each action, and the best average wins.

No tree, no thinking ahead: every action is judged by how games go on at random after it.

Claim: each value is an unbiased estimate of what the action brings if everybody, the chooser too, plays at random from
then on. It is not the value of best play, and does not become it with more rollouts: that is what a tree is for.

Abramson, "Expected-outcome: a general model of static evaluation", IEEE PAMI 12 (1990).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plyforge.contract import Game
from plyforge.kernel import OUT_OF_NODES, Kernel, kernel
from plyforge.search.mcts.backup import back_up, recall
from plyforge.search.mcts.base import MonteCarlo
from plyforge.search.mcts.expand import expand, look
from plyforge.search.mcts.history_rules import note_past, set_draw
from plyforge.search.mcts.rollouts.rollout import roll_out
from plyforge.search.mcts.selection.rule import Selection
from plyforge.search.mcts.selection.ucb1 import Ucb
from plyforge.search.mcts.tree.arena import (
    NO_ROOM,
    OUT_OF_SIMULATIONS,
    ROOT,
    UNEXPANDED,
    Blocks,
    is_proven,
    open_pool,
)
from plyforge.search.mcts.tree.edges import action_bytes, load_action
from plyforge.search.mcts.tree.statistics import best_value


@kernel
def flat(game, dice, sharing, evaluation, rollout, selection, memory, stream, root):
    pool = open_pool(memory)
    node = pool[ROOT]
    memory.path[0] = ROOT
    note_past(game, memory, root, 0)
    if action_bytes(game, root) > memory.action_bytes:
        memory.action_bytes = action_bytes(game, root)
        memory.stop = NO_ROOM
    elif node.mover == UNEXPANDED and look(game, sharing, memory, pool, ROOT, root, 0):
        back_up(game, dice, sharing, selection, memory, pool, 1, False)
    elif sharing.children(pool, ROOT) == 0 and memory.stop == 0:
        if not expand(game, dice, sharing, evaluation, selection, memory, pool, ROOT, root) and memory.stop == 0:
            memory.stop = OUT_OF_NODES
    while memory.stop == 0 and not is_proven(node):
        number = sharing.claim(memory)
        if number < 0:
            memory.stop = OUT_OF_SIMULATIONS
            break
        if dice.moves(node.mover):
            state, outcome = dice.roll(game, stream, root)
            index = node.first + outcome
        else:
            index = node.first + number % node.children
            state = game.result(root, load_action(game, root, memory, index))
        child = pool[index]
        if child.mover == UNEXPANDED:
            note_past(game, memory, state, 1)
            look(game, sharing, memory, pool, index, state, 1)
        elif is_proven(child):
            recall(game, sharing, memory, pool, index)
        if child.mover == UNEXPANDED:
            set_draw(game, memory)
        elif not is_proven(child):
            for player in range(game.players):
                memory.outcome[player] = 0.0
            for _ in range(memory.rollouts):
                roll_out(game, dice, evaluation, rollout, selection, memory, stream, state)
                if memory.stop != 0:
                    break
            if memory.stop != 0:
                sharing.abandon(memory, pool, index)
                break
        memory.path[1] = index
        memory.deepest = 1
        back_up(game, dice, sharing, selection, memory, pool, 2, False)
        memory.simulations += 1
    sharing.leave(selection, memory, pool)
    return memory.simulations


@dataclass(frozen=True)
class Flat(MonteCarlo):
    """As many rollouts for each action of the root; the best average wins. `simulations` is the number of all of
    them."""

    name: ClassVar[str] = "flat"
    title: ClassVar[str] = "Flat Monte Carlo"
    aliases: ClassVar[tuple[str, ...]] = ("flatmontecarlo", "puremontecarlo", "rollouts")
    kernel: ClassVar[Kernel] = flat

    def selection(self, game: Game) -> Selection:
        return Ucb()

    def choose(self, game: Game, blocks: Blocks, index: int) -> int:
        return best_value(game, blocks, index)
