"""A tree that is kept between moves: what was learned about the line that was played is not learned again.

    tree = Uct(simulations=10_000).start(game)
    first = tree.think()                          # the start
    second = tree.think(state_two_plies_later)    # begins with what `first` found out about that state

A state is looked for a few plies below the root. Where it is found, its part of the tree moves to a new block and
everything else is forgotten; where it is not, the tree begins anew. So it does where the past matters
(`history_rules.py`) and
is another one than the tree was grown with. Either way the answer means what it always means.
"""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plyforge.contract import CHANCE, MAX, Game, key_in_play, legal_moves, payoffs, repetition_draws
from plyforge.errors import BadRules, CannotCompile, Inexact, Unsuitable
from plyforge.evaluate.policy import PolicyFunction, with_priors
from plyforge.kernel import MAX_PLY, OUT_OF_NODES, OUT_OF_TIME, STOPPED, Constant, mix, word
from plyforge.kernel.random import new_streams
from plyforge.kernel.storage.block import address_of
from plyforge.search.core.limits import Limits
from plyforge.search.core.searcher import Asked, Searcher
from plyforge.search.mcts.chance import Dice, NoDice
from plyforge.search.mcts.early_stop import Early
from plyforge.search.mcts.result import Lines, MonteCarloResult
from plyforge.search.mcts.rollouts.rollout import ROLLOUT_BOUND
from plyforge.search.mcts.selection.rule import tabulate
from plyforge.search.mcts.tree.arena import (
    DECIDED,
    MOST_CHILDREN,
    NO_ROOM,
    OUT_OF_SIMULATIONS,
    PAST,
    ROOT,
    STUCK,
    TOO_WIDE,
    TREE,
    UNEXPANDED,
    Blocks,
    has_tuples,
    is_proven,
    new_common,
    new_memory,
    new_outcomes,
    node_bytes,
)
from plyforge.search.mcts.tree.parallel import Alone, Shared
from plyforge.search.mcts.tree.statistics import error_at, line_below, line_from_root, value_at
from plyforge.search.mcts.tree.subtree import subtree
from plyforge.search.running.control import Control, stop_kernel
from plyforge.search.running.runner import Progress, Work, blaming_the_rules, coerce, run
from plyforge.search.running.speed import Bound, bind_for, rules_for
from plyforge.search.time.manager import TimeManager

if TYPE_CHECKING:
    from plyforge.search.mcts.base import MonteCarlo

UNLIMITED = 1 << 62
LARGEST_TREE = (1 << 31) - 1
LOOK_AHEAD = 4
"""A new state is looked for at most this many plies below the root."""
MOST_LOOKED_AT = 20_000
"""How many states are compared with it, about."""
MOST_THREADS = 256
EXPLORATION_DIVERSITY = 0.2
"""With several threads, the most exploring one explores by this part more than it is told to, the least exploring one
less."""
REASONS = {
    OUT_OF_SIMULATIONS: "simulations",
    OUT_OF_NODES: "nodes",
    OUT_OF_TIME: "seconds",
    DECIDED: "decided",
}


_compiled: dict[tuple[Any, ...], Bound] = {}


def _shape(state: Any) -> Any:
    """What a state consists of."""
    return (type(state), *map(_shape, state)) if isinstance(state, tuple) else type(state)


def exploration_factors(threads: int) -> list[float]:
    """How much each thread explores, as a multiple of what the search says. Alone, it does what it is told.

    Threads that explore alike would choose the same actions at the same time, and get in each other's way.
    """
    steps = max(1, threads - 1)
    return [1.0 + EXPLORATION_DIVERSITY * (2 * number - threads + 1) / steps for number in range(threads)]


class Tree(Searcher):
    """What a Monte Carlo search knows about a game, from the last state that it searched."""

    search: MonteCarlo

    def __init__(self, search: MonteCarlo, game: Game, native: bool | None = None, lasting: bool = True) -> None:
        super().__init__(search, game, native, lasting)
        search = self.search
        self.rules = game
        self.rollout = search.rollout_policy(game)
        self.selection = search.selection(game)
        self.dice = Dice() if game.has_chance else NoDice()
        self.sharing = Shared() if search.threads > 1 else Alone()
        self.streams = self.new_streams()
        self.action_bytes = 8
        self.compiled: bool | None = None
        self.function: Any = None
        self.blocks: Blocks | None = None
        self.used = 1
        self.state: Any = None
        self.past: list[Any] = []

    @property
    def bytes_per_node(self) -> int:
        """How much memory a node takes, compiled."""
        return node_bytes(self.game, self.search.remembers, self.action_bytes, self.shared)

    @property
    def shared(self) -> bool:
        """True if several threads grow this tree."""
        return self.search.threads > 1

    @property
    def looks_back(self) -> bool:
        """True if what was there before matters."""
        return self.game.history.superko or repetition_draws(self.game)

    # ------------------------------------------------------------ searching
    def adopt(self, search: MonteCarlo) -> None:  # type: ignore[override]
        if search.takes_priors:
            search = replace(search, evaluation=with_priors(search.evaluation, self.game))
        if isinstance(search.evaluation, PolicyFunction):
            if self.native:
                raise CannotCompile("a Python function that gives (priors, value) is asked interpreted only")
            self.native = False
        self.search = search

    def answer(self, asked: Asked) -> MonteCarloResult:
        """Simulate until a limit. What is known about the state already is used.

        The history counts in games that forbid what was there before, or in which coming back is a draw.
        """
        if asked.watch is not None:
            raise Unsuitable(f"{self.search.name} can't be watched: it has no windows and cuts to show")
        state, limits, on_progress, control = asked.state, asked.limits, asked.on_progress, asked.control
        began = time.perf_counter()
        with blaming_the_rules():
            past = [coerce(before) for before in asked.history] if self.looks_back else []
            self.move_to(state, past)
            self.past = past
        if limits.nodes is not None and self.used > limits.nodes:
            self.blocks = None  # larger than it may be
        self.state = state
        moving = time.perf_counter() - began
        self.prepare(control)
        began = time.perf_counter() - moving  # compiling is not on the clock, looking for the state is
        asked.time.begin(began)
        memories = self.run(limits, asked.time, on_progress, control)
        if memories[0].stop == NO_ROOM:  # the kernel has said how many bytes an action takes
            self.action_bytes = int(memories[0].action_bytes)
            self.empty()
            memories = self.run(limits, asked.time, on_progress, control)
        found = self.result(memories, time.perf_counter() - began)
        if asked.stopped and not self.is_native and self.native is not False:
            self.compiled = self.blocks = None  # it may have been stopped before it was compiled
        return found

    def run(
        self,
        limits: Limits,
        manager: TimeManager,
        on_progress: Callable[[Progress], None] | None,
        control: Control | None,
    ) -> list[Any]:
        """Simulate, with all threads, as long as the time manager says. Returns their memories, that of the first
        thread first."""
        blocks = self.blocks
        assert blocks is not None
        memories = [self.new_memory(limits, factor) for factor in exploration_factors(len(self.streams))]
        common, pending = new_common(blocks, self.used), []  # held here as long as their addresses are in use
        for number, memory in enumerate(memories):
            memory.thread, memory.threads = number, len(memories)
            if self.shared:
                pending.append(new_outcomes(blocks))
                memory.common = address_of(common) if self.compiled else common
                memory.pending = address_of(pending[-1]) if self.compiled else pending[-1]
        arguments = [self.arguments(*pair) for pair in zip(memories, self.streams, strict=True)]
        helpers = []
        for memory, args in zip(memories[1:], arguments[1:], strict=True):
            memory.nodes = 0  # the first thread's says how many there are
            helpers.append(Work(self.stopping(memories[0]), args, memory))
        report = None if on_progress is None else self.reporter(on_progress, memories)
        deadline, early = manager.soft_end, None
        if manager.timed and getattr(self.search, "stop_early", False):  # flat goes by values
            deadline, early = manager.latest_end, Early(self.game, blocks, memories, manager)
        try:
            run(self.function, arguments[0], memories[0], deadline, report, None, control, helpers, early)
        except BaseException:
            self.blocks = None  # stopped anywhere: who knows in which state
            raise
        stops = {int(memory.stop) for memory in memories}
        if stops & {STUCK, TOO_WIDE}:
            self.blocks = None
        if STUCK in stops:
            raise BadRules(
                f"{type(self.game).__name__} has a state that is not terminal and has no actions. "
                "`plyforge check` finds which"
            )
        if TOO_WIDE in stops:
            raise Unsuitable(f"Monte Carlo trees have room for {MOST_CHILDREN} actions in a state")
        self.used = int(common[0].nodes if self.shared else memories[0].nodes)
        for memory in memories:
            leaf = int(memory.unfinished) - 1
            if leaf >= 0 and blocks.node(leaf).visits == 0:
                blocks.nodes[leaf].mover = UNEXPANDED  # nobody is there any more
        return memories

    def stopping(self, first: Any) -> Callable[..., Any]:
        """The kernel for a thread beside the first, which is stopped if the rules raise an exception in this one."""

        def simulate(*args: Any) -> Any:
            try:
                return self.function(*args)
            except BaseException:
                stop_kernel(first, STOPPED)
                raise

        return simulate

    def reporter(self, on_progress: Callable[[Progress], None], memories: list[Any]) -> Callable[[Progress], None]:
        """Adds to a report what the tree says while it is growing."""

        def report(progress: Progress) -> None:
            assert self.blocks is not None
            value, line = None, ()
            with contextlib.suppress(LookupError):  # a node that is just being made
                chosen = self.search.choose(self.game, self.blocks, ROOT)
                value = self.root_value(chosen)
                line = line_from_root(self.game, self.blocks, self.state, self.search.choose)
            read = functools.partial(self.read, self.blocks, self.state, memories, progress.seconds)
            depth = int(memories[0].deepest)
            on_progress(replace(progress, depth=depth, value=value, line=line, read=read))

        return report

    def read(self, blocks: Blocks, state: Any, memories: list[Any], seconds: float) -> MonteCarloResult | None:
        """What the tree says while it is growing; None at a moment at which it can't be read, or is another's by
        now."""
        if self.blocks is not blocks or self.state != state:
            return None
        with contextlib.suppress(LookupError):  # a node that is just being made
            return self.result(memories, seconds)
        return None

    def prepare(self, control: Control | None = None) -> None:
        """Choose the speed, once, and make room for a tree."""
        if self.compiled is None:
            wanted = self.native or (self.native is None and self.game.worth_compiling)
            bound = self.compiled_before() if wanted else None
            if bound is None:
                args = self.arguments(TREE, self.streams[0])
                kernel = self.search.kernel
                bound = bind_for(self.game, kernel, *args, native=self.native, control=control)
                if bound.is_native:
                    _compiled[self.identity()] = bound
            self.is_native, self.compiled, self.function = bound.is_native, bound.compiled, bound.function
            self.rules = rules_for(bound, self.game, self.state)
        if self.blocks is None:
            self.empty()

    def begin_anew(self, error: BaseException) -> None:
        if isinstance(error, Inexact):
            _compiled.pop(self.identity(), None)
            self.compiled = None
        self.blocks = None

    def identity(self) -> tuple[Any, ...]:
        """What the compiled kernel depends on."""
        constants = [value for value in self.arguments(None, None) if isinstance(value, Constant)]
        return (self.search.kernel, _shape(self.state), *(c.fingerprint() for c in constants))

    def compiled_before(self) -> Bound | None:
        """The compiled kernel, if this process has it; to ask the compiler for it takes longer than a short search."""
        return _compiled.get(self.identity())

    def new_streams(self) -> list[Any]:
        """Each thread has random numbers of its own; the first has those that it would have alone."""
        seed = self.search.seed
        return new_streams([seed, *(int(mix(seed, number)) for number in range(1, self.search.threads))])

    def forget(self) -> None:
        self.blocks, self.streams = None, self.new_streams()

    def empty(self) -> None:
        """Begin anew with an empty tree. Its room is what the memory holds: the next search may have another limit
        of nodes than this one."""
        room = (self.search.memory_mib << 20) // self.bytes_per_node
        capacity = max(1, min(room, LARGEST_TREE))
        remembers, native = self.search.remembers, bool(self.compiled)
        self.blocks = Blocks(self.game, capacity, remembers, native, self.action_bytes, self.shared)
        self.used = 1

    def arguments(self, memory: Any, stream: Any) -> tuple[Any, ...]:
        """The kernel's."""
        evaluation = self.search.evaluation
        policies = (self.dice, self.sharing, evaluation, self.rollout, self.selection)
        return (self.rules, *policies, memory, stream, self.state)

    def new_memory(self, limits: Limits, exploration_factor: float = 1.0) -> Any:
        """The record of one thread in one call, which explores `exploration_factor` times as much as the search
        says."""
        search, game = self.search, self.game
        assert self.blocks is not None
        memory = new_memory(self.blocks, game)
        simulations = search.simulations
        if simulations is None:
            simulations = limits.enough_simulations(search.expand_at)
        memory.nodes = self.used
        memory.simulation_limit = simulations
        memory.node_limit = UNLIMITED if limits.nodes is None else limits.nodes
        memory.depth = MAX_PLY if limits.depth is None else limits.depth
        memory.expand_at = search.expand_at
        memory.rollouts = search.rollouts
        memory.rollout_share = 1.0
        memory.mast_candidates = search.mast
        memory.rollout_depth = ROLLOUT_BOUND if search.cut_after is None else search.cut_after
        keys = [word(key_in_play(game, before)) for before in self.past[-PAST:]]
        memory.past = len(keys)
        memory.boards[: len(keys)] = keys
        search.set_up(memory, game)
        memory.exploration *= exploration_factor
        tabulate(self.selection, memory)
        return memory

    # ------------------------------------------------------------ keeping the tree
    def move_to(self, state: Any, past: Sequence[Any] = ()) -> None:
        """Make `state` the root: with its part of the tree if it is there, else with nothing."""
        if self.blocks is None:
            return
        if past or self.past or self.game.history.superko:
            index = self.follow([*past, state])
        else:
            index = ROOT if self.state == state else self.find(state)
        if index is None:
            self.blocks = None
        elif index != ROOT:
            self.blocks, self.used = subtree(self.game, self.blocks, index)

    def follow(self, play: list[Any]) -> int | None:
        """The node to which a game has come, if it went on from the last root. Nodes were judged by what was before
        them: in a game with another past they mean nothing."""
        assert self.blocks is not None
        before = [*self.past, self.state]
        if play[: len(before)] != before:
            return None
        index, s = ROOT, self.state
        for wanted in play[len(before) :]:
            options = self.blocks.children(index) if self.blocks.node(index).children > 0 else {}
            ways = zip(options.items(), legal_moves(self.game, s), strict=False)
            there = (
                child
                for (child, option), action in ways
                if option.visits > 0 and coerce(self.game.result(s, action)) == wanted
            )
            index, s = next(there, -1), wanted
            if index < 0:
                return None
        return index

    def find(self, state: Any) -> int | None:
        """The node of a state that was visited, a few plies below the root."""
        assert self.blocks is not None
        game, node = self.game, self.blocks.node
        level, looked_at = [(ROOT, self.state)], 0
        for _ in range(LOOK_AHEAD):
            below = []
            for index, s in level:
                if node(index).children == 0 or looked_at > MOST_LOOKED_AT:
                    continue
                options = self.blocks.children(index)
                for (child, option), action in zip(options.items(), legal_moves(game, s), strict=True):
                    if option.visits > 0:
                        after = coerce(game.result(s, action))
                        if after == state:
                            return child
                        below.append((option.visits, child, after))
                looked_at += len(options)
            below.sort(key=lambda entry: -entry[0])  # what was visited most was probably played
            level = [(child, after) for _, child, after in below]
        return None

    # ------------------------------------------------------------ reading it
    def result(self, memories: list[Any], seconds: float) -> MonteCarloResult:
        """What the tree says about its root."""
        game, state, blocks, search = self.game, self.state, self.blocks, self.search
        assert blocks is not None
        memory = memories[0]
        proven = bool(is_proven(blocks.node(ROOT)))
        legal = legal_moves(game, state)
        chooses = bool(legal) and game.player(state) != CHANCE and memory.depth > 0
        options = blocks.children(ROOT) if chooses else {}
        seen = {a: child for a, child in zip(legal, options, strict=False) if options[child].visits > 0}
        thrown = self.thrown(legal, memory) if not chooses else {}
        sure = tuple(a for a, child in seen.items() if is_proven(options[child]))
        chosen = search.choose(game, blocks, ROOT) if seen else -1
        banned = self.forbidden_actions(sure)
        if banned:
            legal = [a for a in legal if a not in banned]
            seen = {a: child for a, child in seen.items() if a not in banned}
            sure = tuple(a for a in sure if a not in banned)
            if chosen not in seen.values():
                chosen = max(seen.values(), key=lambda child: options[child].visits, default=-1)
        action = next((a for a, child in seen.items() if child == chosen), legal[0] if chooses else None)
        best = () if action is None else (action,)
        if proven and action in sure:
            value = options[chosen].value
            best += tuple(a for a in sure if a != action and options[seen[a]].value == value)
        line = line_from_root(game, blocks, state, search.choose) if seen else best
        return MonteCarloResult(
            action=action,
            value=self.root_value(chosen),
            values={a: value_at(game, blocks, child) for a, child in seen.items()},
            best=best,
            line=line,
            nodes=max(self.used, int(memory.nodes)),
            depth=max(int(memory.deepest) for memory in memories),
            seconds=seconds,
            reason="complete" if proven else REASONS.get(int(memory.stop), "stopped"),
            player=None if has_tuples(game) else MAX,
            using=search.name,
            native=self.is_native,
            game=game,
            state=state,
            visits={a: options[child].visits for a, child in seen.items()},
            errors={a: error_at(game, blocks, child) for a, child in seen.items()},
            proven=sure,
            lines=self.lines(seen, action, line) if seen else (),
            outcomes={a: value_at(game, blocks, child) for a, child in thrown.items()},
            simulations=sum(int(memory.simulations) for memory in memories),
            node_bytes=self.bytes_per_node,
        )

    def lines(self, seen: dict[Any, int], first: Any, line: tuple[Any, ...]) -> Lines:
        """The best lines, as many as the search is to find: that of the choice, then those of the actions with most
        visits."""
        game, state, blocks, search = self.game, self.state, self.blocks, self.search
        assert blocks is not None
        mover = game.player(state)
        visits = {action: blocks.node(child).visits for action, child in seen.items()}
        worth = {a: payoffs(game, value_at(game, blocks, child))[mover] for a, child in seen.items()}
        order = sorted(seen, key=lambda a: (a != first, -visits[a], -worth[a]))[: search.lines]
        return tuple(
            (
                value_at(game, blocks, seen[a]),
                line if a == first else line_below(game, blocks, state, search.choose, a, seen[a]),
            )
            for a in order
        )

    def thrown(self, outcomes: list[Any], memory: Any) -> dict[Any, int]:
        """Where chance moves at the root: the outcomes that were met, and their nodes."""
        assert self.blocks is not None
        if not outcomes or memory.depth == 0:
            return {}
        nodes = self.blocks.children(ROOT)
        return {o: child for o, child in zip(outcomes, nodes, strict=False) if nodes[child].visits > 0}

    def forbidden_actions(self, proven: Sequence[Any]) -> set[Any]:
        """The actions at the root that the past forbids, of those that are proven: all that were tried are."""
        if not self.game.history.superko:
            return set()
        past = [*self.past, self.state]
        return {action for action in proven if self.game.history.forbidden(self.game, past, action)}

    def root_value(self, chosen: int) -> Any:
        """The proven value of the root, else that of the chosen action; of no action, the mean, or an estimate."""
        game, blocks = self.game, self.blocks
        assert blocks is not None
        root = blocks.node(ROOT)
        if is_proven(root) or (chosen < 0 and root.visits > 0):
            return value_at(game, blocks, ROOT)
        if chosen >= 0:
            return value_at(game, blocks, chosen)
        if game.terminal(self.state):
            everyone = payoffs(game, game.utility(self.state))
        else:
            everyone = payoffs(game, self.search.evaluation.estimate(game, self.state))
        return everyone if has_tuples(game) else everyone[MAX]
