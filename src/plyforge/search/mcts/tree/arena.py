"""The tree of a Monte Carlo search: nodes in one block, children beside each other.

Node 0 is the root. The children of a node are made all at once and stand in the order of the rules' actions (or
outcomes), so the n-th child belongs to the n-th action, and neither actions nor states are stored: a simulation replays
them from the root. Everything that a simulation changes is here or in the search's memory, which, compiled, is one
record.

Invariants. A node's numbers are those of its `owner`: whoever chooses at its parent, or MAX below a chance node and at
the root. While a node is open, `value` is the mean of its simulations; once it is proven, it is the exact value, and
stays. `nodes` only grows, never beyond `capacity`: a tree that has no more room goes on learning about the nodes it
has. What changes where several threads grow one tree is in `parallel.py`.

`pool[node].value` reads at both speeds: interpreted, a node is a small Python object, made when it is first asked for.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.errors import Unsuitable
from plyforge.kernel import MAX_PLY, RUNNING, RecordType
from plyforge.kernel.function import inline, when_compiling
from plyforge.kernel.storage.block import address_of, block_reader, new_block

ROOT = 0
UNEXPANDED = -2
"""The mover of a node whose state nobody has looked at yet; also where play is drawn, so that nobody moves."""
PROVEN = -1.0
"""The spread of a node whose value is proven."""
MOST_CHILDREN = 65_535
OUT_OF_SIMULATIONS, STUCK, NO_ROOM, TOO_WIDE, DECIDED = 11, 12, 13, 14, 15
"""Further reasons to stop, beside the kernel's: all simulations are done; a state that is not terminal has no
actions ... the time left can't change the choice."""
MOST_PLAYERS = 64
TABULATED, TABULATED_SPREADS = 1 << 16, 1 << 13
"""Visits for which logarithms and roots are looked up."""
PAST = 1000
"""So many boards, or states, of the game so far are remembered."""
REMEMBERED = 4096
"""Places for the actions of one simulation, for all-moves-as-first; a power of two."""
RULE_NUMBERS = 8
"""So many numbers a selection rule may have for parameters of its own."""
MAST_SLOTS, MAST_ACTIONS = 4096, 1024
"""Places for what actions bring wherever they are taken, a power of two; and for the actions of one simulation,
later ones of which are not counted."""
PENDING = 512
"""Places for what a thread has yet to tell frequented nodes, see parallel.py; a power of two."""

NODE = np.dtype(
    [
        ("value", "f8"),  # the mean for the owner; exact once proven
        ("deviation", "f8"),  # the sum of squared differences from the mean, for the standard error
        ("spread", "f4"),  # how much the selection's bonus weighs here: falls with the visits; PROVEN once proven
        ("visits", "i4"),
        ("first", "i4"),  # the index of the first child
        ("children", "u2"),  # how many; 0 before the node is expanded
        ("mover", "i1"),  # who moves here: a player, CHANCE or UNEXPANDED
        ("owner", "i1"),  # whose value it is
    ],
    align=True,
)
"""32 bytes, two in a line of the processor's cache: waiting for memory is much of what going down a tree costs."""
PRIOR = np.dtype([("prior", "f8")])
"""The share of promise of a node's action; below a chance node, its probability."""
PART = np.dtype([("value", "f8"), ("deviation", "f8")], align=True)
"""The same for one player of a game whose utilities are tuples: node n, player p at `n * players + p`."""
MEMORY_OF_ACTION = np.dtype([("key", "u8"), ("value", "f8"), ("visits", "i8")], align=True)
"""All-moves-as-first: the action's hash, and how simulations went in which it was taken here or later."""

EXACT = np.dtype([("value", "f8")])
"""With several threads: a proven node's value, for the owner; where utilities are tuples, one for each player."""
OUTCOMES = np.dtype([("node", "i8"), ("visits", "i8"), ("value", "f8"), ("deviation", "f8")])
"""With several threads: what one of them has yet to tell a node; nothing if `visits` is 0."""
COMMON = np.dtype(
    {
        "names": ["nodes", "simulations", "active"],
        "formats": ["i8", "i8", "i8"],
        "offsets": [0, 128, 256],
        "itemsize": 384,
    }
)
"""What several threads count together, each number in a cache line of its own: see parallel.py."""

read_nodes = block_reader(NODE)
read_priors = block_reader(PRIOR)
read_bytes = block_reader(np.dtype([("byte", "u1")]))
read_parts = block_reader(PART)
read_actions = block_reader(MEMORY_OF_ACTION)
read_exacts = block_reader(EXACT)
read_outcomes = block_reader(OUTCOMES)
read_common = block_reader(COMMON)

TREE = RecordType(
    "tree",
    [
        ("nodes", "i8"),  # in the tree
        ("stop", "i8"),  # 0 while running, then why it ends
        ("simulations", "i8"),  # done in this call, by this thread
        ("simulation_limit", "i8"),
        ("node_limit", "i8"),
        ("capacity", "i8"),  # how many nodes there is room for
        ("depth", "i8"),  # the tree grows no deeper
        ("expand_at", "i8"),  # the visit at which a node gets its children
        ("deepest", "i8"),  # the longest path so far, in plies
        ("estimates", "i8"),  # rollouts that ended in an estimate
        ("refused", "i8"),  # nodes that were not expanded, for want of room
        ("rollouts", "i8"),  # for each new node, averaged
        ("rollout_depth", "i8"),  # plies of a rollout before it is cut off with an estimate
        ("rollout_share", "f8"),  # the part of a leaf's value that is rollouts'; the rest is the evaluation's
        ("asked", "i8"),  # 1: the evaluation was asked for priors and value of the current leaf
        ("judged", "f8", (MOST_PLAYERS,)),  # what the evaluation has said last, for each player
        ("solve", "i8"),  # 1: prove values where it can be done
        ("tupled", "i8"),  # 1: the game's utilities are tuples, so `parts` is in use
        ("exploration", "f8"),  # on the scale of the utility
        ("scales", "f8", (TABULATED,)),  # the selection's two factors for few visits, see selection/rule.py
        ("spreads", "f8", (TABULATED_SPREADS,)),
        ("rule_numbers", "f8", (RULE_NUMBERS,)),  # the selection rule's own parameters, see selection/rule.py
        ("action_bytes", "i8"),  # what there is room for in `choices`, for each node; see edges.py
        ("choices", "i8"),
        ("pool", "i8"),
        ("priors", "i8"),
        ("parts", "i8"),
        ("actions", "i8"),
        ("exacts", "i8"),
        ("common", "i8"),
        ("threads", "i8"),  # how many share the tree
        ("thread", "i8"),  # which of them this memory belongs to
        ("claimed", "i8"),  # the next simulation that this thread has claimed, see parallel.py
        ("claimed_end", "i8"),  # and the one after the last
        ("pending", "i8"),
        ("unfinished", "i8"),  # 1 + the leaf of a simulation that was stopped in its rollout; 0: none
        ("outcome", "f8", (MOST_PLAYERS,)),  # what the current simulation came to, for each player
        ("path", "i8", (MAX_PLY + 2,)),  # its nodes, from the root
        ("proven_alternative", "i8", (MAX_PLY + 2,)),  # the proven child that was best at each of them; 0: none
        ("past", "i8"),  # how many boards of the game so far are in the next field, see history_rules.py
        ("boards", "u8", (PAST + MAX_PLY + 2,)),  # them, then those of the current simulation
        ("stamp", "i8"),  # its number, for the two fields below
        ("remembered", "u8", (REMEMBERED,)),  # the actions taken in it, by hash and player
        ("stamps", "i8", (REMEMBERED,)),
        ("mast_candidates", "i8"),  # of a rollout's step, see mast.py
        ("mast_taken", "i8"),  # how many actions of the current simulation are in the next two fields
        ("mast_takers", "i8", (MAST_ACTIONS,)),  # who took them
        ("mast_places", "i8", (MAST_ACTIONS,)),  # and where in the two fields below what they bring is kept
        ("mast_values", "f8", (MAST_SLOTS,)),
        ("mast_visits", "i8", (MAST_SLOTS,)),
    ],
)


def has_tuples(game: Game) -> bool:
    """True if one number can't say what a state is worth to everyone."""
    return game.players > 2 or (game.players == 2 and game.utility_sum is None)


def node_bytes(game: Game, remembers: bool, action_bytes: int, shared: bool = False) -> int:
    """How much memory a node takes, compiled."""
    parts = PART.itemsize * game.players if has_tuples(game) else 0
    remembered = MEMORY_OF_ACTION.itemsize if remembers else 0
    exact = EXACT.itemsize * (game.players if has_tuples(game) else 1) if shared else 0
    return NODE.itemsize + PRIOR.itemsize + action_bytes + parts + remembered + exact


class Row:
    """A node, or one of the other records here, for the interpreted speed."""

    __slots__ = tuple(
        {name for kind in (NODE, PRIOR, PART, MEMORY_OF_ACTION, OUTCOMES, COMMON) for name in kind.names or ()}
    )

    def __init__(self) -> None:
        for name in self.__slots__:
            setattr(self, name, 0)


class Rows(dict[int, Any]):
    """A block for the interpreted speed: a row comes into being when it is first asked for."""

    def __missing__(self, index: int) -> Row:
        return self.setdefault(index, Row())  # one step: of two threads that ask, both get the same row


Node = namedtuple("Node", NODE.names or ())  # type: ignore[misc]
"""A copy of a node, to read when the search is over: fields of a NumPy record are slow to ask for one by one."""


class Blocks:
    """The blocks of one tree, a node's share of them in `node_bytes`; they live as long as this object."""

    def __init__(
        self,
        game: Game,
        capacity: int,
        remembers: bool,
        native: bool,
        action_bytes: int = 8,
        shared: bool = False,
    ) -> None:
        self.capacity = capacity
        self.action_bytes = action_bytes
        self.native, self.remembers, self.shared = native, remembers, shared
        self.players = game.players if has_tuples(game) else 1
        self.nodes: Any = new_block(read_nodes, capacity) if native else Rows()
        self.priors: Any = new_block(read_priors, capacity) if native else Rows()
        parts = capacity * game.players if has_tuples(game) else 1
        self.parts: Any = new_block(read_parts, parts) if native else Rows()
        self.actions: Any = new_block(read_actions, capacity if remembers else 1) if native else Rows()
        self.choices: Any = new_block(read_bytes, capacity * action_bytes) if native else {}
        exacts = capacity * self.players if shared else 1
        self.exacts: Any = new_block(read_exacts, exacts) if native else Rows()
        self.nodes[ROOT].mover = UNEXPANDED
        self._plain = np.asarray(self.nodes).view(NODE) if native else None

    def node(self, index: int) -> Any:
        """A node to read; what is written to it may be lost."""
        found: Any
        if self._plain is not None:
            found = Node._make(self._plain[index].item())
        elif self.shared:
            row = self.nodes[index]
            found = Node(*(getattr(row, str(name)) for name in NODE.names or ()))
        else:
            return self.nodes[index]
        return self._with_proof(index, found) if self.shared and found.spread < 0.0 else found

    def children(self, index: int, node: Any = None) -> dict[int, Any]:
        """A node's children to read, by their indices, in the order of the actions. `node`: what is at `index`, if
        known."""
        node = self.node(index) if node is None else node
        indices = range(node.first, node.first + node.children)
        if self._plain is None or self.shared:
            return {child: self.node(child) for child in indices}
        records = self._plain[node.first : node.first + node.children].tolist()
        return dict(zip(indices, map(Node._make, records), strict=True))

    def options(self, node: Any) -> tuple[Any, Any, Any]:
        """Of a node's children, in order: visits, values to their owner, and whether they are proven, as arrays."""
        if self._plain is None:
            found = [self.node(child) for child in range(node.first, node.first + node.children)]
            numbers = np.array([(child.visits, child.value, child.spread) for child in found], float)
            visits, values, spreads = numbers.reshape(-1, 3).T
            return visits, values, spreads < 0.0
        records = self._plain[node.first : node.first + node.children]
        values, proven = records["value"], records["spread"] < 0.0
        if self.shared and proven.any():  # of these the value is kept elsewhere
            values = values.copy()
            for place in np.flatnonzero(proven):
                values[place] = self.node(node.first + int(place)).value
        return records["visits"], values, proven

    def part(self, index: int, player: int) -> float:
        """What a node is worth to one player, where utilities are tuples."""
        place = index * self.players + player
        proven = self.shared and self.nodes[index].spread < 0.0
        return float((self.exacts if proven else self.parts)[place].value)

    def _with_proof(self, index: int, found: Any) -> Any:
        owner = found.owner if self.players > 1 else 0
        return found._replace(value=float(self.exacts[index * self.players + owner].value))


def new_common(blocks: Blocks, nodes: int) -> Any:
    """What the threads of a search count together: how many nodes there are, which simulations are taken."""
    common: Any = new_block(read_common, 1) if blocks.native else Rows()
    common[0].nodes = nodes
    return common


def new_outcomes(blocks: Blocks) -> Any:
    """What one thread has yet to tell nodes: nothing so far."""
    return new_block(read_outcomes, PENDING) if blocks.native else Rows()


def new_memory(blocks: Blocks, game: Game) -> Any:
    """The record of a search over these blocks; nothing simulated yet, nothing limited."""
    if game.players > MOST_PLAYERS:
        raise Unsuitable(f"Monte Carlo searches have room for {MOST_PLAYERS} players, not {game.players}")
    memory = TREE.new(blocks.native)
    if not blocks.native:
        memory.pool, memory.priors, memory.parts = blocks.nodes, blocks.priors, blocks.parts
        memory.actions, memory.exacts = blocks.actions, blocks.exacts
        memory.choices = blocks.choices
    else:
        memory.pool, memory.priors = address_of(blocks.nodes), address_of(blocks.priors)
        memory.choices, memory.action_bytes = address_of(blocks.choices), blocks.action_bytes
        memory.parts, memory.actions = address_of(blocks.parts), address_of(blocks.actions)
        memory.exacts = address_of(blocks.exacts)
    memory.stop = RUNNING
    memory.nodes = 1
    memory.capacity = blocks.capacity
    memory.tupled = int(has_tuples(game))
    return memory


def single(number: float) -> float:
    """The number as a field of 32 bits keeps it."""
    return float(np.float32(number))


def open_pool(memory: Any) -> Any:
    """The nodes."""
    return memory.pool


def open_priors(memory: Any) -> Any:
    """The priors of the nodes."""
    return memory.priors


class PriorsOf:
    """The priors of a node's children, interpreted."""

    def __init__(self, rows: Any, first: int, number: int) -> None:
        self.rows, self.first, self.number = rows, first, number

    def __len__(self) -> int:
        return self.number

    def __getitem__(self, index: int) -> float:
        return float(self.rows[self.first + range(self.number)[index]].prior)

    def __setitem__(self, index: int, prior: float) -> None:
        self.rows[self.first + range(self.number)[index]].prior = prior


def priors_of(memory: Any, first: int, number: int) -> Any:
    """The priors of the children that stand at `first`, as a list that can be written to."""
    return PriorsOf(memory.priors, first, number)


def open_parts(memory: Any) -> Any:
    """The players' parts of the nodes' values, where utilities are tuples."""
    return memory.parts


def open_actions(memory: Any) -> Any:
    """What all-moves-as-first remembers for each node."""
    return memory.actions


def open_exacts(memory: Any) -> Any:
    """The proven nodes' values, where several threads share the tree."""
    return memory.exacts


def open_common(memory: Any) -> Any:
    """What several threads count together; one row."""
    return memory.common


def open_pending(memory: Any) -> Any:
    """What a thread has yet to tell nodes."""
    return memory.pending


@inline
def is_proven(node: Any) -> bool:
    """True if the node's value is exact."""
    return node.spread < 0.0


@inline
def make_child(pool: Any, priors: Any, child: int, owner: int, prior: float, spread: float) -> None:
    """A new node."""
    node = pool[child]
    node.value = 0.0
    node.deviation = 0.0
    node.spread = spread
    node.visits = 0
    node.first = 0
    node.children = 0
    node.mover = UNEXPANDED
    node.owner = owner
    priors[child].prior = prior


@when_compiling
def _natively() -> None:
    from numba import carray, from_dtype, types
    from numba.extending import intrinsic, overload

    def pointer_to(dtype: np.dtype) -> Any:
        kind = types.CPointer(from_dtype(dtype))

        @intrinsic
        def pointer(typing_context, address):
            def generate(context, builder, signature, args):
                return builder.inttoptr(args[0], context.get_value_type(kind))

            return kind(types.int64), generate

        return pointer

    node, prior = pointer_to(NODE), pointer_to(PRIOR)
    part, action = pointer_to(PART), pointer_to(MEMORY_OF_ACTION)
    exact, common, outcomes = pointer_to(EXACT), pointer_to(COMMON), pointer_to(OUTCOMES)

    @overload(single)
    def _single(number):
        return lambda number: types.float64(types.float32(number))

    @overload(open_pool)
    def _open_pool(memory):
        return lambda memory: carray(node(memory.pool), (memory.capacity,))

    @overload(open_priors)
    def _open_priors(memory):
        return lambda memory: carray(prior(memory.priors), (memory.capacity,))

    number_at = pointer_to(np.dtype("f8"))

    @overload(priors_of)
    def _priors_of(memory, first, number):
        return lambda memory, first, number: carray(number_at(memory.priors + 8 * first), (number,))

    @overload(open_parts)
    def _open_parts(memory):
        return lambda memory: carray(part(memory.parts), (memory.capacity * MOST_PLAYERS,))

    @overload(open_actions)
    def _open_actions(memory):
        return lambda memory: carray(action(memory.actions), (memory.capacity,))

    @overload(open_exacts)
    def _open_exacts(memory):
        return lambda memory: carray(exact(memory.exacts), (memory.capacity * MOST_PLAYERS,))

    @overload(open_common)
    def _open_common(memory):
        return lambda memory: carray(common(memory.common), (1,))

    @overload(open_pending)
    def _open_pending(memory):
        return lambda memory: carray(outcomes(memory.pending), (PENDING,))
