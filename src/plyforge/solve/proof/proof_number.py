"""Proof-number search: prove or refute "MAX gets at least v", by looking where the least is left to prove.

A node's proof number is how many leaves, at the least, have still to turn out well for MAX before the node is proven;
its disproof number, how many have to turn out badly before it is refuted. Where MAX moves one good action is enough,
where MIN moves all have to be good:

    MAX moves    proof = the least proof number of the children     disproof = the sum of their disproof numbers
    MIN moves    proof = the sum of their proof numbers             disproof = the least of their disproof numbers
    the end      proven: 0 and INFINITE                             refuted: INFINITE and 0
    unknown      1 to begin with; where somebody has a choice of n, n for whoever has to answer all n

The search always goes to the child that decides both numbers, and stays below it until another one would be next:
df-pn, the depth-first form, which needs memory for a table and not for the tree. It finds narrow and forced wins that
are far too deep for alpha-beta, and shares no line with it: two provers that agree check each other.

Claim: `proven` True means that MAX gets at least `at_least` against any play, False that MIN holds MAX below it, None
that a limit came first. Numbers of 0 come only from ends of the game, through the table of states by 64-bit keys. Two
states with equal keys would be taken for one: with n states the chance is about n * n / 2**65, one in 10,000 with 60
million, if `key` is as good as the default one. A certificate (`plyforge.solve.proof.certificate`) excludes even that.

Who moves is what the rules say, never parity: the same player may move twice. A game that can come back to a state is
not given a value by repetition; its lines run on, and the search ends with TooDeep after MAX_PLY plies, or at its
limits.

Allis, van der Meulen and van den Herik, "Proof-number search", Artificial Intelligence 66 (1994). Nagai, "Df-pn
algorithm for searching AND/OR trees and its applications", University of Tokyo (2002). The slack that keeps the search
from hopping between children (`SLACK`): Pawlewicz and Lew, "Improving depth-first pn-search: 1 + epsilon trick" (2006).
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyforge.contract import MAX, MIN, Game
from plyforge.contract.naming import as_state, name_of, text_of
from plyforge.errors import BadLimits, BadRules, PlyforgeError, TooDeep, Unsuitable
from plyforge.games import load
from plyforge.kernel import MAX_PLY, OUT_OF_NODES, OUT_OF_TIME, TOO_DEEP, RecordType, inline, kernel, mix, visit
from plyforge.kernel.storage.block import address_of, block_reader, new_block
from plyforge.kernel.storage.buffer import ACTION_LIMIT, get, new_buffer, put
from plyforge.search.core.limits import Limits
from plyforge.search.core.requirements import TWO_PLAYERS_NO_CHANCE
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress, blaming_the_rules, exact_or_interpreted, run
from plyforge.search.running.speed import Bound, bind_for

INFINITE = 1 << 30
"""The number of what can't be proven any more (or refuted). Sums of unknowns stay below it."""
SLACK = 4
"""A child is left when it is a quarter worse than the next: fewer returns, at the price of a few nodes."""
BUCKET = 4
"""Entries of the table that a key may be in."""
TOO_WIDE, NO_ACTIONS = 11, 12
"""Further reasons to stop: more actions than a buffer holds; a state that is not terminal and has none."""

ENTRY = np.dtype([("key", "u8"), ("proof", "i4"), ("disproof", "i4"), ("work", "i8")], align=True)
"""What the table keeps of a state. Both numbers 0: nothing. `work` is how many nodes it took to find them."""
read_entries = block_reader(ENTRY)
read_numbers = block_reader(np.dtype("i8"))

PROOF_NUMBER = RecordType(
    "proof number",
    [("nodes", "i8"), ("stop", "i8"), ("node_limit", "i8"), ("table", "i8"), ("entries", "i8"), ("frames", "i8")],
)
FRAMES = 2 * ACTION_LIMIT * (MAX_PLY + 1)
"""For each ply of the path: the proof and the disproof number of each child."""


@inline
def look_up(memory, key):
    """The proof and the disproof number that the table has for a key; 0 and 0 if it has none."""
    entries = read_entries(memory.table, memory.entries)
    first = int(key >> np.uint64(1)) % (memory.entries // BUCKET) * BUCKET
    for i in range(first, first + BUCKET):
        if entries[i].key == key:
            return int(entries[i].proof), int(entries[i].disproof)
    return 0, 0


@inline
def store(memory, key, proof, disproof, work):
    """Keep the numbers of a key, in place of the entry of its bucket that was the least work."""
    entries = read_entries(memory.table, memory.entries)
    first = int(key >> np.uint64(1)) % (memory.entries // BUCKET) * BUCKET
    place = first
    for i in range(first, first + BUCKET):
        if entries[i].key == key:
            place = i
            work += entries[i].work
            break
        if entries[i].work < entries[place].work:
            place = i
    entries[place].key = key
    entries[place].proof = proof
    entries[place].disproof = disproof
    entries[place].work = work


@inline
def numbers_at_first(game, memory, child, at_least):
    """The proof and the disproof number of a child that was not looked at yet: those of the end of the game, what the
    table knows, or a guess from how many choices there are."""
    if game.terminal(child):
        reached = float(game.utility(child)) >= at_least
        return (0 if reached else INFINITE), (INFINITE if reached else 0)
    proof, disproof = look_up(memory, mix(0, game.key(child)))
    if proof + disproof == 0:
        # Whatever `count` says, 0 and INFINITE are for what is decided.
        choices = min(max(1, int(game.count(child))), ACTION_LIMIT)
        if game.player(child) == MAX:
            proof, disproof = 1, choices
        else:
            proof, disproof = choices, 1
    return proof, disproof


@kernel
def df_pn(game, memory, state, ply, at_least, proof_limit, disproof_limit):
    """The proof and the disproof number of a state that is not terminal, one of them at or beyond its limit.

    Means nothing once memory.stop is set.
    """
    if visit(memory):
        return 1, 1
    if ply >= MAX_PLY:
        memory.stop = TOO_DEEP
        return 1, 1
    began = memory.nodes

    # Step 1. The table may know enough already.
    key = mix(0, game.key(state))
    proof, disproof = look_up(memory, key)
    if proof + disproof > 0 and (proof >= proof_limit or disproof >= disproof_limit):
        return proof, disproof

    # Step 2. The children: the end of the game is decided at once, the table knows some, the rest are unknown.
    maximising = game.player(state) == MAX
    buffer = new_buffer(game, state)
    numbers = read_numbers(memory.frames, FRAMES)
    frame = 2 * ACTION_LIMIT * ply
    size = 0
    for action in game.actions(state):
        if size == ACTION_LIMIT:
            memory.stop = TOO_WIDE
            return 1, 1
        put(buffer, size, action)
        proof, disproof = numbers_at_first(game, memory, game.result(state, action), at_least)
        numbers[frame + 2 * size] = proof
        numbers[frame + 2 * size + 1] = disproof
        size += 1
    if size == 0:
        memory.stop = NO_ACTIONS
        return 1, 1

    # Step 3. `least`: what the player who moves has left to show, one child being enough. `utility_sum`: what the other
    # one has. Invariant: a child is entered with limits above its numbers, and comes back with a number at its limit.
    # So every round brings news, whatever the table has lost.
    mine, other = (0, 1) if maximising else (1, 0)
    least_limit = proof_limit if maximising else disproof_limit
    total_limit = disproof_limit if maximising else proof_limit
    while True:
        least, next_least, best, total = INFINITE, INFINITE, 0, 0
        for i in range(size):
            number = int(numbers[frame + 2 * i + mine])
            if number < least:
                least, next_least, best = number, least, i
            elif number < next_least:
                next_least = number
            total += int(numbers[frame + 2 * i + other])
        if least == 0:
            total = INFINITE
        elif total >= INFINITE:
            total = INFINITE - 1
        if least >= least_limit or total >= total_limit:
            break
        child_least = min(least_limit, next_least + 1 + next_least // SLACK)
        child_total = min(INFINITE, total_limit - total + int(numbers[frame + 2 * best + other]))
        proof, disproof = df_pn(
            game,
            memory,
            game.result(state, get(buffer, best)),
            ply + 1,
            at_least,
            child_least if maximising else child_total,
            child_total if maximising else child_least,
        )
        if memory.stop != 0:
            return 1, 1
        numbers[frame + 2 * best] = proof
        numbers[frame + 2 * best + 1] = disproof

    # Step 4. Remember.
    proof = least if maximising else total
    disproof = total if maximising else least
    store(memory, key, proof, disproof, memory.nodes - began + 1)
    return proof, disproof


@dataclass(frozen=True)
class Proof:
    """What came of asking whether MAX gets at least so much."""

    proven: bool | None
    """True: MAX gets at least `at_least` against any play. False: MIN holds MAX below it. None: a limit came first."""
    at_least: float
    """The question."""
    nodes: int
    """States entered, each as often as the search came to it; children that were only looked at are not counted."""
    seconds: float
    """Wall-clock time, without compiling."""
    reason: str
    """Why it ended: "complete", "nodes", "seconds" or "stopped"."""
    native: bool
    """True if it ran as machine code."""
    game: Game = field(repr=False)
    state: Any
    """The state it was asked about."""

    @property
    def winner(self) -> int | None:
        """Who has the better of the question: MAX, MIN, or None while it is open."""
        if self.proven is None:
            return None
        return MAX if self.proven else MIN

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        return {
            "proven": self.proven,
            "at_least": self.at_least,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "reason": self.reason,
            "native": self.native,
            "state": text_of(self.game, self.state),
        }

    def __str__(self) -> str:
        if self.proven is None:
            said = f"open ({self.reason}) whether {words(self.game, self.at_least, True)}"
        else:
            said = words(self.game, self.at_least, self.proven)
        return f"{name_of(self.game)}: {said}; {self.nodes:,} nodes in {self.seconds:.2f} s"


class Prover:
    """One question about the states of one game, and the table of what is known. `prove` may be called many times."""

    def __init__(
        self, game: Game | str, at_least: float | None = None, table_mib: float = 64, native: bool | None = None
    ) -> None:
        game = load(game)
        TWO_PLAYERS_NO_CHANCE.check(game, "proof-number search")
        self.game = game
        self.at_least = win(game) if at_least is None else _number(at_least)
        self.native = native
        self._table = new_block(read_entries, _entries(table_mib))
        self._frames = new_block(read_numbers, FRAMES)
        self._memory = self._set_up(PROOF_NUMBER.new(False))
        self._running = threading.Lock()
        self._control = Control()
        self._bound: Bound | None = None

    def prove(
        self,
        state: Any = None,
        nodes: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Proof:
        """Ask about `state`: a state, its text, or None for the start; for so many nodes or seconds at most.

        What an earlier call has found is used. Ctrl-C ends it; so does `stop` in another thread.
        """
        limits = Limits(nodes=nodes, seconds=seconds)
        if not self._running.acquire(blocking=False):
            raise PlyforgeError("this prover is at work in another thread: stop it first, or make another one")
        try:
            self._control = Control()
            return self._prove(state, limits, on_progress)
        finally:
            self._running.release()

    def _prove(self, state: Any, limits: Limits, on_progress: Callable[[Progress], None] | None) -> Proof:
        with blaming_the_rules():
            root = as_state(self.game, state)
            if self.game.terminal(root):
                proven = float(self.game.utility(root)) >= self.at_least
                return Proof(proven, self.at_least, 1, 0.0, "complete", False, self.game, root)
        if self._bound is None:
            args = self._arguments(PROOF_NUMBER, root)
            bound = bind_for(self.game, df_pn, *args, native=self.native, control=self._control)
            if not bound.is_native and self._control.stopped:  # while it compiled
                return Proof(None, self.at_least, 0, 0.0, "stopped", False, self.game, root)
            self._bound = bound
        memory = self._memory = self._set_up(self._bound.new_memory())
        if limits.nodes is not None:
            memory.node_limit = limits.nodes
        began = time.perf_counter()
        deadline = None if limits.seconds is None else began + limits.seconds
        arguments = self._arguments(memory, root)
        proof, _ = run(self._bound.function, arguments, memory, deadline, on_progress, None, self._control)
        spent = time.perf_counter() - began
        reason = self._reason(int(memory.stop), root)
        return Proof(
            proven=proof == 0 if reason == "complete" else None,
            at_least=self.at_least,
            nodes=int(memory.nodes),
            seconds=spent,
            reason=reason,
            native=self._bound.is_native,
            game=self.game,
            state=root,
        )

    def stop(self) -> None:
        """End a `prove` that runs in another thread; it returns within milliseconds, with `proven` None."""
        self._control.stop()

    def known(self, state: Any) -> bool | None:
        """What the table has about a state that is not terminal: True proven, False refuted, None neither."""
        key = mix(0, self.game.key(state))
        proof, disproof = look_up(self._memory, key)
        if proof + disproof == 0 or (proof > 0 and disproof > 0):
            return None
        return bool(proof == 0)

    def _set_up(self, memory: Any) -> Any:
        memory.node_limit = 1 << 62
        memory.table = address_of(self._table)
        memory.entries = len(self._table)
        memory.frames = address_of(self._frames)
        return memory

    def _arguments(self, memory: Any, state: Any) -> tuple[Any, ...]:
        return (self.game, memory, state, 0, self.at_least, INFINITE, INFINITE)

    def _reason(self, stop: int, root: Any) -> str:
        """Why the kernel came back. Raises what can't be answered."""
        name = name_of(self.game)
        if stop == TOO_DEEP:
            raise TooDeep(
                f"proof-number search reached {MAX_PLY} plies in {name}, its bound: the game is very long, or can come"
                " back to a state. It gives no value to repetition: count the plies in the state, or use a search with"
                " a depth"
            )
        if stop == TOO_WIDE:
            raise Unsuitable(
                f"proof-number search takes states of up to {ACTION_LIMIT} actions, and {name} has one with more "
                f"after {text_of(self.game, root)}. Use 'alpha_beta' instead"
            )
        if stop == NO_ACTIONS:
            raise BadRules(f"{name}: some state after {text_of(self.game, root)} is not terminal, and has no actions")
        return {0: "complete", OUT_OF_NODES: "nodes", OUT_OF_TIME: "seconds"}.get(stop, "stopped")


@exact_or_interpreted
def prove(
    game: Game | str,
    state: Any = None,
    at_least: float | None = None,
    table_mib: float = 64,
    nodes: int | None = None,
    seconds: float | None = None,
    native: bool | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Proof:
    """Does MAX get at least `at_least` from `state` (a state, its text, or None for the start)? None asks for a win.

    `table_mib` is the memory for the table. With `nodes` or `seconds` it may end without an answer.
    """
    return Prover(game, at_least, table_mib, native).prove(state, nodes, seconds, on_progress)


def win(game: Game) -> float:
    """The least number that is a win for MAX: more than MIN then gets. For a player alone: the most there is."""
    if game.players < 2 or game.utility_sum is None:
        return float(game.max_utility)
    return math.nextafter(0.5 * game.utility_sum, math.inf)


def words(game: Game, at_least: float, proven: bool) -> str:
    """The answer in a sentence."""
    name = (game.notation.player_names or ("MAX",))[MAX]
    if at_least == win(game):
        return f"{name} wins" if proven else f"{name} does not win"
    return f"{name} gets at least {at_least:g}" if proven else f"{name} gets less than {at_least:g}"


def _number(at_least: Any) -> float:
    plain = isinstance(at_least, (int, float)) and not isinstance(at_least, bool)
    if not plain or not abs(at_least) <= sys.float_info.max:
        raise BadLimits(f"at_least is {at_least!r}; it must be a finite number, a utility of MAX")
    return float(at_least)


def _entries(table_mib: Any) -> int:
    if isinstance(table_mib, bool) or not isinstance(table_mib, (int, float)) or not 0 < table_mib < math.inf:
        raise BadLimits(f"table_mib is {table_mib!r}; it must be a positive number of MiB")
    return max(1, int(table_mib * 2**20) // (BUCKET * ENTRY.itemsize)) * BUCKET


__all__ = ["INFINITE", "Proof", "Prover", "df_pn", "prove", "win", "words"]
