"""Monte Carlo tree search where players choose at once: everybody picks at every node, without seeing what the others
pick.

Every simulation starts at the root. At a node each player picks one of the own options by the search's rule; together
that is the joint action to follow. At a node nobody has been at, play goes on at random; then everybody on the way
learns what it came to: the rewards on the way and the utility at the end. Chance nodes draw. Players may also move
alone.

Invariant: between two simulations the tree is whole. A simulation that is stopped in its rollout leaves no trace but
the random numbers it has used.

Lanctot, Lisy and Winands, "Monte Carlo tree search in simultaneous move games with applications to Goofspiel", Computer
Games Workshop 2013; Tak, Lanctot and Winands, "Monte Carlo tree search variants for simultaneous move games", CIG 2014.
"""

from __future__ import annotations

from plyforge.contract import CHANCE, SIMULTANEOUS, payoffs
from plyforge.contract.joint_actions import count_choices
from plyforge.kernel import below, inline, kernel, uniform
from plyforge.kernel.function import where
from plyforge.search.mcts.tree.arena import NO_ROOM, OUT_OF_SIMULATIONS, STUCK, TOO_WIDE
from plyforge.search.mcts.tree.edges import action_bytes, load_action, store_action
from plyforge.search.simultaneous.tree import (
    MOST_CHILDREN,
    MOST_PLAYERS,
    OVER,
    ROOT,
    UNEXPANDED,
    open_nodes,
    open_options,
    open_shares,
)

POLL_EVERY = 64
"""Plies of a rollout between two looks at the stop flag."""


# ------------------------------------------------------------ chance and rewards, where there are any
@inline
def first_action(game, stream, state):
    """Stands for a draw in games without chance: never called, but compiled."""
    for action in game.actions(state):
        found = action
        break
    return found, 0


@where("has_chance", otherwise=first_action)
def draw_outcome(game, stream, state):
    """An outcome by its probability, and its place. What rounding leaves goes to the last."""
    left = uniform(stream)
    place = -1
    for outcome, probability in game.chance(state):
        place, drawn = place + 1, outcome
        left -= probability
        if left < 0.0:
            break
    return drawn, place


@inline
def no_outcomes(game, memory, state, first):
    return 0


@where("has_chance", otherwise=no_outcomes)
def make_outcomes(game, memory, state, first):
    """Children for the outcomes of chance, from `first` on. How many."""
    number = 0
    for outcome, _ in game.chance(state):
        if first + number < memory.capacity:
            make_child(game, memory, state, first + number, outcome)
        number += 1
    return number


@inline
def no_rewards(game, state, action, amounts):
    pass


@where("has_rewards", otherwise=no_rewards)
def add_rewards(game, state, action, amounts):
    """Add what an action brings each player."""
    given = game.rewards(state, action)
    for player in range(game.players):
        amounts[player] += given[player]


@inline
def no_entry(game, memory, state, child, action):
    pass


@where("has_rewards", otherwise=no_entry)
def note_entry(game, memory, state, child, action):
    """Keep with a child what the action that leads to it brings."""
    shares = open_shares(memory, game.players)
    given = game.rewards(state, action)
    for player in range(game.players):
        shares[child * game.players + player].reward = given[player]


# ------------------------------------------------------------ growing the tree
@inline
def make_child(game, memory, state, child, action):
    """A new node. The blocks are zeros where nobody has been."""
    nodes = open_nodes(memory)
    nodes[child].mover = UNEXPANDED
    store_action(game, state, memory, child, action)
    note_entry(game, memory, state, child, action)


@kernel
def expand_at_once(game, memory, index, state):
    """Make the node's children and everybody's options. False if there is no room for them."""
    nodes = open_nodes(memory)
    shares = open_shares(memory, game.players)
    node = nodes[index]
    first = memory.nodes
    number, wanted = 0, 0
    if node.mover == CHANCE:
        number = make_outcomes(game, memory, state, first)
    else:
        for action in game.actions(state):
            if first + number < memory.capacity:
                make_child(game, memory, state, first + number, action)
            number += 1
        for player in range(game.players):
            width = 1
            if node.mover == SIMULTANEOUS:
                width = count_choices(game, state, player)
            elif node.mover == player:
                width = number
            shares[index * game.players + player].width = width
            wanted += width if width > 1 else 0
    if number == 0:
        memory.stop = STUCK
        return False
    if number > MOST_CHILDREN:
        memory.stop = TOO_WIDE
        return False
    if first + number > min(memory.capacity, memory.node_limit) or memory.options + wanted > memory.option_capacity:
        memory.refused += 1
        return False
    node.first, node.children = first, number
    node.options = memory.options
    memory.nodes += number
    memory.options += wanted
    return True


# ------------------------------------------------------------ playing on
@kernel
def roll_out_at_once(game, evaluation, memory, stream, root):
    """Play on at random from a state that is not terminal; what it comes to is the outcome."""
    state, ply = root, 0
    while ply == 0 or not game.terminal(state):
        if ply >= memory.rollout_depth:
            memory.estimates += 1
            estimate = payoffs(game, evaluation.estimate(game, state))
            for player in range(game.players):
                memory.outcome[player] += estimate[player]
            return
        if ply % POLL_EVERY == 0 and memory.stop != 0:
            return
        if game.player(state) == CHANCE:
            outcome, _ = draw_outcome(game, stream, state)
            add_rewards(game, state, outcome, memory.outcome)
            state = game.result(state, outcome)
        else:
            number = game.count(state)
            if number == 0:
                memory.stop = STUCK
                return
            left = below(stream, number)
            for action in game.actions(state):
                chosen = action
                if left == 0:
                    break
                left -= 1
            add_rewards(game, state, chosen, memory.outcome)
            state = game.result(state, chosen)
        ply += 1
    utility = payoffs(game, game.utility(state))
    for player in range(game.players):
        memory.outcome[player] += utility[player]


# ------------------------------------------------------------ the algorithm
@kernel
def simulate_at_once(game, evaluation, rule, memory, stream, root):
    nodes = open_nodes(memory)
    shares = open_shares(memory, game.players)
    options = open_options(memory)
    if action_bytes(game, root) > memory.action_bytes:
        memory.action_bytes = action_bytes(game, root)
        memory.stop = NO_ROOM
    while memory.stop == 0:
        if memory.simulations >= memory.simulation_limit:
            memory.stop = OUT_OF_SIMULATIONS
            break
        state, index, ply = root, ROOT, 0
        memory.path[0] = ROOT

        # Step 1. Go down the tree: everybody picks, to a node nobody has looked at.
        while True:
            node = nodes[index]
            if node.mover == UNEXPANDED:
                node.mover = OVER if game.terminal(state) else game.player(state)
                if ply > 0:
                    break
            if node.mover == OVER:
                break
            if node.children == 0 and (ply >= memory.depth or not expand_at_once(game, memory, index, state)):
                break
            place = 0
            if node.mover == CHANCE:
                _, place = draw_outcome(game, stream, state)
            else:
                first = node.options
                for player in range(game.players):
                    width = shares[index * game.players + player].width
                    pick = 0
                    if width > 1:
                        pick = rule.pick(memory, stream, options, first, width, node.visits)
                        first += width
                    memory.picks[ply * MOST_PLAYERS + player] = pick
                    place = place * width + pick
            index = node.first + place
            state = game.result(state, load_action(game, state, memory, index))
            ply += 1
            memory.path[ply] = index
        if memory.stop != 0:
            break

        # Step 2. What is it worth? The rules say, or play at random does.
        for player in range(game.players):
            memory.outcome[player] = 0.0
        if nodes[index].mover == OVER:
            utility = payoffs(game, game.utility(state))
            for player in range(game.players):
                memory.outcome[player] = utility[player]
        else:
            roll_out_at_once(game, evaluation, memory, stream, state)
            if memory.stop != 0:
                if nodes[index].visits == 0:
                    nodes[index].mover = UNEXPANDED
                break

        # Step 3. Everyone on the way learns of it.
        memory.deepest = max(memory.deepest, ply)
        learn_at_once(game, rule, memory, ply)
        memory.simulations += 1
    return memory.simulations


@kernel
def learn_at_once(game, rule, memory, length):
    """Take the outcome up the path, adding what was paid on the way."""
    nodes = open_nodes(memory)
    shares = open_shares(memory, game.players)
    options = open_options(memory)
    players = game.players
    for ply in range(length, -1, -1):
        index = memory.path[ply]
        node = nodes[index]
        if ply < length and node.mover != CHANCE:
            child = memory.path[ply + 1]
            first, stride = node.options, node.children
            for player in range(players):
                width = shares[index * players + player].width
                stride //= width
                if width > 1:
                    picked = memory.picks[ply * MOST_PLAYERS + player]
                    rule.learn(options, first, width, picked, memory.outcome[player])
                    # What would the player's other choices have brought, the others' being as they were? As far as the
                    # tree knows.
                    taken = shares[child * players + player]
                    now = taken.reward + taken.value
                    for choice in range(width):
                        other = child + (choice - picked) * stride
                        if nodes[other].visits > 0:
                            instead = shares[other * players + player]
                            rule.compare(options, first + choice, instead.reward + instead.value - now)
                    first += width
        node.visits += 1
        for player in range(players):
            share = shares[index * players + player]
            # The n-th outcome counts n times: what was learned early, when all below was still played badly, soon
            # weighs little.
            share.value += 2.0 * (memory.outcome[player] - share.value) / (node.visits + 1)
            memory.outcome[player] += share.reward
