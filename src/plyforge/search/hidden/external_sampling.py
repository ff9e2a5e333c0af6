"""External sampling: chance and the others draw one action, the learner tries all.

Regrets are what they would be in CFR, on average over what was drawn. The average is added to where the next player
moves: that is where an own line was drawn, as likely as the own actions lead there ("stochastically weighted"), and
with two players it is the average that converges.

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive games", NIPS 2009.
"""

from __future__ import annotations

from plyforge.contract import CHANCE
from plyforge.contract.payoffs import payoffs
from plyforge.kernel import kernel
from plyforge.kernel.random import uniform
from plyforge.search.hidden.regret_table import (
    OTHER_ACTIONS,
    TOO_DEEP,
    begin_trail,
    go_on,
    hope,
    open_sets,
    open_slots,
    open_worth,
    set_of,
    share,
)
from plyforge.search.simultaneous.simulate import draw_outcome


@kernel
def external(game, s, memory, stream, ply, player, top) -> float:
    """What `s`, in which the game goes on, is worth to `player`, who learns. Values of actions stand from `top` on."""
    if memory.fault != 0:
        return 0.0
    if (ply + 2) * game.players > memory.trail_room:
        memory.fault = TOO_DEEP
        return 0.0
    mover = game.player(s)
    if mover == CHANCE:
        drawn, _ = draw_outcome(game, stream, s)
        after = game.result(s, drawn)
        if game.terminal(after):
            return payoffs(game, game.utility(after))[player]
        go_on(game, s, drawn, mover, after, ply, memory)
        return external(game, after, memory, stream, ply + 1, player, top)
    number = set_of(game, s, mover, ply, memory)
    if number < 0:
        return 0.0
    slots = open_slots(memory)
    slot, width = open_sets(memory)[number].offset, open_sets(memory)[number].width
    total = hope(slots, slot, width)
    if mover != player:
        if mover == (player + 1) % game.players:
            for a in range(width):
                slots[slot + a].average += share(total, width, slots[slot + a].regret)
        left, a = uniform(stream), 0
        for action in game.actions(s):
            chosen = action
            left -= share(total, width, slots[slot + a].regret)
            a += 1  # noqa: SIM113
            if left < 0.0 or a == width:
                break
        after = game.result(s, chosen)
        if game.terminal(after):
            return payoffs(game, game.utility(after))[player]
        go_on(game, s, chosen, mover, after, ply, memory)
        return external(game, after, memory, stream, ply + 1, player, top)
    if top + width > memory.worth_room:
        memory.fault = TOO_DEEP
        return 0.0
    worth = open_worth(memory)
    value, a = 0.0, 0
    for action in game.actions(s):
        if a == width:
            memory.fault = OTHER_ACTIONS
            return 0.0
        after = game.result(s, action)
        if game.terminal(after):
            worth[top + a].value = payoffs(game, game.utility(after))[player]
        else:
            go_on(game, s, action, mover, after, ply, memory)
            worth[top + a].value = external(game, after, memory, stream, ply + 1, player, top + width)
        value += share(total, width, slots[slot + a].regret) * worth[top + a].value
        a += 1  # noqa: SIM113
    if memory.fault == 0:
        for a in range(width):
            if game.players == 1:  # alone, any weights will do
                slots[slot + a].average += share(total, width, slots[slot + a].regret)
            slots[slot + a].regret += worth[top + a].value - value
    return value


@kernel
def sample_external(game, root, memory, stream):
    """Iterations, in each of which everybody learns once, until there are as many as wanted, or there is no room."""
    while memory.stop == 0 and memory.iterations < memory.wanted:
        for player in range(game.players):
            if not game.terminal(root):
                begin_trail(game, root, memory)
                external(game, root, memory, stream, 0, player, 0)
        if memory.fault != 0:
            return memory.fault
        memory.iterations += 1
    return 0


__all__ = ["sample_external"]
