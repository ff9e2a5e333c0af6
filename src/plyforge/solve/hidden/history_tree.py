"""All histories of a game as arrays, grown once, with the information sets and the sequences of all players.

A node is a history, not a state: what players remember belongs to it. Nodes come before what follows them, and the
children of a node stand side by side, so that reach probabilities are one loop up the numbers and values one down.

    child[n], child[n] + width[n]     the children of node n
    probability[n]                    of a child of chance: how likely it is; else 1
    information[n]                    the information set of who moves; of an end, its number; of chance, -1
    offset[i], offset[i + 1]          the slots of information set i: one for each action

A slot is also a player's sequence: the own actions down to it (`before[i]`, the sequence with which the player comes to
information set i, then the action). An end has one sequence for each player. So whatever hangs only on sequences
(regrets, best responses, linear programs) is a loop over ends and one over information sets; see `sequence_form.py`.

Invariants: all nodes of an information set have the same actions in the same order, by their hashes. By perfect recall
none of them lies below another, their player comes to all of them with the same sequence, and information sets are
numbered so that those before on the way have lower numbers. Memory is linear in the histories; what solvers learn is
linear in the information sets.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from plyforge.contract import CHANCE, Game
from plyforge.contract.information import NOTHING, remember_seen
from plyforge.contract.naming import as_state, name_of
from plyforge.contract.payoffs import payoffs
from plyforge.errors import BadRules, PlyforgeError, TooDeep
from plyforge.kernel import MAX_PLY, hash_state, inline, kernel, mix
from plyforge.kernel.entry import coerce
from plyforge.kernel.storage.block import block_reader, new_block
from plyforge.search.hidden.regret_table import NO_ROOM, OTHER_ACTIONS, TOO_DEEP, key_of
from plyforge.search.running.compiling import in_worker
from plyforge.search.running.runner import deep_recursion
from plyforge.search.running.speed import bind_for, exact_or_interpreted

ENDED = -2
"""Instead of a mover: the game is over."""
HISTORY_LIMIT = 1_000_000
"""Histories that are held in memory unless more are allowed: some hundred megabytes."""
INTERPRETED_ROOM = 1_000
"""With so many histories, compiling takes longer than growing."""
FIRST_ROOM = 1 << 16
MOST_KEPT = 100_000
"""States that are kept at a time, where they are played again."""

NODES, SETS, SLOTS, ENDS, FAULT, CULPRIT = range(6)
"""What is counted; then why growing ended (NO_ROOM, OTHER_ACTIONS, TOO_DEEP), and at which node."""

NODE = np.dtype(
    [("mover", "i4"), ("child", "i4"), ("width", "i4"), ("information", "i4"), ("parent", "i4"), ("probability", "f8")]
)
read_nodes = block_reader(NODE)
SET = np.dtype(
    [
        ("owner", "i4"),
        ("offset", "i4"),
        ("before", "i4"),
        ("first", "i4"),
        ("width", "i4"),
        ("key", "u8"),
        ("deeds", "u8"),
    ]
)
read_sets = block_reader(SET)


# ------------------------------------------------------------------ the kernel
@inline
def count_outcomes(game, s, nodes, at):
    """Write down how likely each outcome of chance is, from node `at` on. How many there are."""
    width = 0
    for _, probability in game.chance(s):
        if at + width < len(nodes):
            nodes[at + width].probability = probability
        width += 1
    return width


@inline
def place_of(key, sets, table):
    """Where in the table the number (plus 1) of an information set stands, or is to stand."""
    mask = len(table) - 1
    at = np.int64(key >> np.uint64(20)) & mask
    while table[at] != 0 and sets[table[at] - 1].key != key:
        at = (at + 1) & mask
    return at


@inline
def enter_set(game, s, node, mover, remembered, seen, before, counts, nodes, sets, table):
    """Write down the information set of who moves, and how many actions there are; the same ones at each history."""
    key = key_of(remembered, seen, mover)
    at = place_of(key, sets, table)
    width, deeds = 0, np.uint64(0)
    for action in game.actions(s):
        deeds = mix(deeds, hash_state(action))
        width += 1
    number = table[at] - 1
    if number < 0:
        number = counts[SETS]
        counts[SETS] += 1
        table[at] = counts[SETS]
        sets[number].owner, sets[number].offset, sets[number].first = mover, counts[SLOTS], node
        sets[number].before, sets[number].width = before, width
        sets[number].key, sets[number].deeds = key, deeds
        counts[SLOTS] += width
    elif sets[number].deeds != deeds:
        counts[FAULT], counts[CULPRIT] = OTHER_ACTIONS, node
    nodes[node].information = number
    for a in range(min(width, len(nodes) - counts[NODES])):
        nodes[counts[NODES] + a].probability = 1.0
    return width


@inline
def end(game, s, node, ply, counts, nodes, last, reach, payoff, chance, sequence):
    """Write down what everybody gets."""
    number = counts[ENDS]
    nodes[node].mover, nodes[node].width, nodes[node].information = ENDED, 0, number
    chance[number] = reach[ply]
    amounts = payoffs(game, game.utility(s))
    for player in range(game.players):
        payoff[number, player] = amounts[player]
        sequence[number, player] = last[ply, player]
    counts[ENDS] += 1


@inline
def step(game, s, action, mover, after, ply, memory, seen):
    """What everybody remembers and sees after an action."""
    for player in range(game.players):
        then = hash_state(game.observe(after, player))
        seen[ply + 1, player] = then
        now = seen[ply, player]
        memory[ply + 1, player] = remember_seen(game, memory[ply, player], s, action, mover, now, then, player)


@kernel
def grow(game, s, node, ply, counts, nodes, sets, table, memory, seen, last, reach, payoff, chance, sequence) -> int:
    """Write down the node of `s` and all below it.

    What everybody remembers, sees and did last, and how likely chance makes it, stand in row `ply` of `memory`, `seen`,
    `last` and `reach`.
    """
    if counts[FAULT] != 0:
        return 0
    if ply + 2 > len(reach):
        counts[FAULT] = TOO_DEEP
        return 0
    if game.terminal(s):
        end(game, s, node, ply, counts, nodes, last, reach, payoff, chance, sequence)
        return 0
    mover = game.player(s)
    nodes[node].mover, nodes[node].child = mover, counts[NODES]
    if mover == CHANCE:
        nodes[node].information = -1
        width = count_outcomes(game, s, nodes, counts[NODES])
    else:
        width = enter_set(
            game, s, node, mover, memory[ply, mover], seen[ply, mover], last[ply, mover], counts, nodes, sets, table
        )
    nodes[node].width = width
    if counts[NODES] + width > len(nodes) or 2 * counts[SETS] >= len(table):
        counts[FAULT] = NO_ROOM
    if counts[FAULT] != 0:
        return 0
    for a in range(width):
        nodes[counts[NODES] + a].parent = node
    counts[NODES] += width
    child = nodes[node].child
    if mover == CHANCE:
        for outcome, probability in game.chance(s):
            after = game.result(s, outcome)
            step(game, s, outcome, mover, after, ply, memory, seen)
            last[ply + 1] = last[ply]
            reach[ply + 1] = reach[ply] * probability
            grow(
                game,
                after,
                child,
                ply + 1,
                counts,
                nodes,
                sets,
                table,
                memory,
                seen,
                last,
                reach,
                payoff,
                chance,
                sequence,
            )
            child += 1
        return 0
    slot = sets[nodes[node].information].offset
    for action in game.actions(s):
        after = game.result(s, action)
        step(game, s, action, mover, after, ply, memory, seen)
        last[ply + 1] = last[ply]
        last[ply + 1, mover] = slot
        reach[ply + 1] = reach[ply]
        grow(
            game, after, child, ply + 1, counts, nodes, sets, table, memory, seen, last, reach, payoff, chance, sequence
        )
        child += 1
        slot += 1
    return 0


# ------------------------------------------------------------------ the public face
class TooManyHistories(PlyforgeError):
    """The tree is larger than what is to be held in memory."""


class Root(NamedTuple):
    """A state from which the game goes on, and what everybody remembers."""

    state: Any
    memories: tuple[Any, ...]
    chance: float


@dataclass(frozen=True, eq=False, repr=False)
class HistoryTree:
    """See the module's text."""

    game: Game
    roots: tuple[Root, ...]
    """Where it begins. With several, node 0 is chance's, which chooses among them."""
    mover: np.ndarray
    child: np.ndarray
    width: np.ndarray
    parent: np.ndarray
    probability: np.ndarray
    information: np.ndarray
    offset: np.ndarray
    owner: np.ndarray
    """Whose an information set is."""
    before: np.ndarray
    """The sequence with which its player comes to an information set; `slots` for none."""
    first: np.ndarray
    """A node of each information set."""
    keys: np.ndarray
    """Of each information set, a 64-bit number: the same in every process."""
    payoff: np.ndarray
    """What each player gets in each end."""
    chance: np.ndarray
    """How likely chance makes each end, if everybody goes there."""
    sequence: np.ndarray
    """Of each end and player: the last own slot; `slots` where there is none."""
    seconds: float
    native: bool

    @property
    def histories(self) -> int:
        return len(self.mover)

    @property
    def ends(self) -> int:
        return len(self.chance)

    @property
    def slots(self) -> int:
        return int(self.offset[-1])

    @property
    def sets(self) -> int:
        """How many information sets there are."""
        return len(self.owner)

    def state_at(self, node: int) -> Any:
        """The state at a node, by the rules."""
        return self._states.at(node)

    @functools.cached_property
    def _states(self) -> _States:
        return _States(self)

    @functools.cached_property
    def observations(self) -> list[Any]:
        """What the player sees in each information set."""
        game = self.game
        return [
            game.observe(self.state_at(int(node)), int(owner))
            for node, owner in zip(self.first, self.owner, strict=True)
        ]

    @functools.cached_property
    def actions(self) -> list[list[Any]]:
        """What can be done in each information set."""
        return [list(self.game.actions(self.state_at(int(node)))) for node in self.first]

    @functools.cached_property
    def members(self) -> list[list[int]]:
        """The nodes of each information set."""
        found: list[list[int]] = [[] for _ in range(self.sets)]
        for node in np.flatnonzero(self.mover >= 0).tolist():
            found[self.information[node]].append(node)
        return found


class _States:
    """States by node, played again from the start."""

    def __init__(self, tree: HistoryTree) -> None:
        self.tree = tree
        first = 1 if len(tree.roots) > 1 else 0
        self.begin = {first + number: root.state for number, root in enumerate(tree.roots)}
        self.known = dict(self.begin)

    def at(self, node: int) -> Any:
        tree, way = self.tree, []
        if len(self.known) > MOST_KEPT:
            self.known = dict(self.begin)
        while node not in self.known:
            way.append(node)
            node = int(tree.parent[node])
        s = self.known[node]
        for there in reversed(way):
            parent = int(tree.parent[there])
            by_chance = tree.mover[parent] == CHANCE
            choices = [outcome for outcome, _ in tree.game.chance(s)] if by_chance else list(tree.game.actions(s))
            s = self.known[there] = coerce(tree.game.result(s, choices[there - int(tree.child[parent])]))
        return s


def root_of(game: Game, state: Any = None) -> Root:
    """A state at which nobody remembers anything."""
    return Root(as_state(game, state), (NOTHING,) * game.players, 1.0)


@exact_or_interpreted
def history_tree(
    game: Game,
    state: Any = None,
    limit: int | None = HISTORY_LIMIT,
    native: bool | None = None,
    roots: Sequence[Root] | None = None,
) -> HistoryTree:
    """The tree below `state`: a state, its text, or None for the start. More than `limit` histories are refused.

    With several `roots`, the first move is chance's, which chooses among them. `native=False` grows it interpreted.
    """
    began = time.perf_counter()
    growth = _Growth(game, tuple(roots or [root_of(game, state)]))
    most = 1 << 31 if limit is None else limit
    if native is None:
        tree = growth.grow(min(INTERPRETED_ROOM, most), None, began)
        if tree is not None:
            return tree
    bound = None
    room = FIRST_ROOM
    while room < 2 * most:
        bound = bound or bind_for(game, grow, *growth.arguments(1), native=native)
        tree = growth.grow(min(room, most), bound.function if bound.is_native else None, began)
        if tree is not None:
            return tree
        room *= 2
    raise TooManyHistories(
        f"{name_of(game)} has more than {most:,} histories: too many for a solver of whole trees. Sampling needs none:"
        " `--using external` or `--using outcome`"
    )


class _Growth:
    """A tree while it grows."""

    def __init__(self, game: Game, roots: tuple[Root, ...]) -> None:
        self.game, self.roots = game, roots
        self.whole = sum(root.chance for root in roots)

    def arguments(self, room: int) -> tuple[Any, ...]:
        """Those of the kernel, with room for so many nodes."""
        players = self.game.players
        rows: Any = (MAX_PLY, players)
        memory, seen, last = np.zeros(rows, np.uint64), np.zeros(rows, np.uint64), np.zeros(rows, np.int64)
        nodes, sets = new_block(read_nodes, room), new_block(read_sets, room)
        table = np.zeros(1 << (2 * room).bit_length(), np.int64)
        payoff, chance = np.zeros((room, players)), np.zeros(room)
        counts = np.zeros(6, np.int64)
        sequence = np.zeros((room, players), np.int32)
        return (
            self.game, self.roots[0].state, 0, 0, counts, nodes, sets, table, memory, seen, last, np.zeros(MAX_PLY),
            payoff, chance, sequence,
        )  # fmt: skip

    def grow(self, room: int, function: Any, began: float) -> HistoryTree | None:
        """The tree; None if it has not room enough."""
        game, roots = self.game, self.roots
        several = int(len(roots) > 1) * len(roots)
        if several + 1 > room:
            return None
        args = self.arguments(room)
        counts, nodes, sets, _, memory, seen, last, reach, payoff, chance, sequence = args[4:]
        counts[NODES] = 1 + several
        nodes[0].parent, nodes[0].probability = -1, 1.0
        if several:
            nodes[0].mover, nodes[0].information, nodes[0].child, nodes[0].width = CHANCE, -1, 1, several
        for number, root in enumerate(roots):
            node = number + int(several > 0)
            share = root.chance / self.whole
            if several:
                nodes[node].parent, nodes[node].probability = 0, share
            reach[0] = share
            for player in range(game.players):
                memory[0, player] = root.memories[player]
                seen[0, player] = hash_state(game.observe(root.state, player))
                last[0, player] = -1
            if function is None:
                with deep_recursion():
                    grow.function(game, root.state, node, 0, *args[4:])
            else:
                in_worker(functools.partial(function, game, root.state, node, 0, *args[4:]))
            if counts[FAULT] == NO_ROOM:
                return None
            self.require(counts, nodes, sets)
        n, i, e = int(counts[NODES]), int(counts[SETS]), int(counts[ENDS])
        slots = int(counts[SLOTS])
        plain = {name: np.ascontiguousarray(nodes[name][:n]) for name in NODE.names or ()}
        sets = sets[:i]
        return HistoryTree(
            game, roots, plain["mover"], plain["child"], plain["width"], plain["parent"], plain["probability"],
            plain["information"], np.append(sets.offset, slots).astype(np.int32), sets.owner.copy(),
            _after(sets.before, slots), sets.first.copy(), sets.key.copy(), payoff[:e].copy(), chance[:e].copy(),
            _after(sequence[:e], slots), time.perf_counter() - began, function is not None,
        )  # fmt: skip

    def require(self, counts: np.ndarray, nodes: Any, sets: Any) -> None:
        """Raise for rules that can't be solved so."""
        name = name_of(self.game)
        if counts[FAULT] == TOO_DEEP:
            raise TooDeep(f"{name} has histories of more than {MAX_PLY - 2} actions: too long, or endless")
        if counts[FAULT] == OTHER_ACTIONS:
            owner = int(sets[nodes[int(counts[CULPRIT])].information].owner)
            raise BadRules(
                f"{name}: in one information set of player {owner} there are different actions. `plyforge check` says"
                " more"
            )


def _after(sequences: np.ndarray, slots: int) -> np.ndarray:
    """The same, with `slots` where there is none."""
    return np.where(sequences < 0, slots, sequences).astype(np.int32)


__all__ = ["ENDED", "HISTORY_LIMIT", "HistoryTree", "Root", "TooManyHistories", "history_tree", "root_of"]
