"""What the searches among simultaneous choices share: their parameters, and the way from them to a tree and a
result."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar

from plyforge.contract import CHANCE, MAX, SIMULTANEOUS, Game, legal_moves, payoffs
from plyforge.errors import BadRules, Unsuitable
from plyforge.kernel import MAX_PLY, OUT_OF_NODES, OUT_OF_TIME, Kernel, new_stream
from plyforge.search.core.limits import Limits
from plyforge.search.core.requirements import ALSO_AT_ONCE, Needs
from plyforge.search.core.sampling import Sampling
from plyforge.search.core.searcher import Asked, Searcher
from plyforge.search.mcts.rollouts.rollout import ROLLOUT_BOUND
from plyforge.search.mcts.tree.arena import NO_ROOM, OUT_OF_SIMULATIONS, STUCK, TOO_WIDE
from plyforge.search.running.runner import Progress, blaming_the_rules, run
from plyforge.search.running.speed import Bound, bind_for, rules_for
from plyforge.search.simultaneous.result import MixedResult
from plyforge.search.simultaneous.rule import Rule
from plyforge.search.simultaneous.simulate import simulate_at_once
from plyforge.search.simultaneous.subtree import find_node, subtree
from plyforge.search.simultaneous.tree import AT_ONCE, MOST_CHILDREN, MOST_PLAYERS, ROOT, Blocks

UNLIMITED = 1 << 62
REASONS = {OUT_OF_SIMULATIONS: "simulations", OUT_OF_NODES: "nodes", OUT_OF_TIME: "seconds"}


@dataclass(frozen=True)
class AtOnce(Sampling):
    """Base of the searches for games in which players choose at once. `depth` limits how deep the tree grows;
    rollouts go on from there."""

    kind: ClassVar[str] = "simultaneous"
    drawn: ClassVar[bool] = False
    needs: ClassVar[Needs] = ALSO_AT_ONCE
    kernel: ClassVar[Kernel] = simulate_at_once
    rule: ClassVar[Rule]

    # ------------------------------------------------------------ what a subclass says
    def set_up(self, memory: Any, game: Game) -> None:
        """Put further parameters into the memory of a call."""
        raise NotImplementedError

    # ------------------------------------------------------------ running it
    def start(self, game: Game, native: bool | None = None, *, lasting: bool = True) -> MixedTree:
        """A tree that is kept between moves."""
        return MixedTree(self, game, native, lasting)

    def new_memory(self, game: Game, blocks: Blocks, limits: Limits) -> Any:
        """The record of one call."""
        memory = blocks.new_memory()
        simulations = self.simulations
        if simulations is None:
            simulations = limits.enough_simulations()
        memory.simulation_limit = simulations
        memory.node_limit = UNLIMITED if limits.nodes is None else limits.nodes
        memory.depth = MAX_PLY if limits.depth is None else limits.depth
        memory.rollout_depth = ROLLOUT_BOUND if self.cut_after is None else self.cut_after
        self.set_up(memory, game)
        return memory


class MixedTree(Searcher):
    """A tree of simultaneous choices, from the last state that was searched."""

    search: AtOnce

    def __init__(self, search: AtOnce, game: Game, native: bool | None = None, lasting: bool = True) -> None:
        super().__init__(search, game, native, lasting)
        if game.players > MOST_PLAYERS:
            raise Unsuitable(f"{search.name} has room for {MOST_PLAYERS} players, not {game.players}")
        self.bound: Bound | None = None
        self.blocks: Blocks | None = None
        self.state: Any = None
        self.action_bytes = 8

    def answer(self, asked: Asked) -> MixedResult:
        search, game, state, limits = self.search, self.game, asked.state, asked.limits
        if asked.watch is not None:
            raise Unsuitable(f"{search.name} can't be watched: it has no windows and cuts to show")
        began = time.perf_counter()
        with blaming_the_rules():
            blocks = self.moved_to(state, limits)
        moving = time.perf_counter() - began
        bound = self.bound
        if bound is None:
            args = (game, search.evaluation, search.rule, AT_ONCE, new_stream(search.seed), state)
            bound = bind_for(game, search.kernel, *args, native=self.native, control=asked.control)
            blocks = None
            self.bound = bound if bound.is_native or not asked.stopped else None  # stopped while it compiled
        rules = rules_for(bound, game, state)
        began = time.perf_counter() - moving  # compiling is not on the clock
        asked.time.begin(began)
        self.blocks = None  # whatever is raised, half a tree is not kept
        while True:
            if blocks is None:
                most = UNLIMITED if self.lasting or limits.nodes is None else limits.nodes
                blocks = Blocks(game, search.memory_mib, self.action_bytes, most, bound.compiled)
            memory = search.new_memory(game, blocks, limits)
            args = (rules, search.evaluation, search.rule, memory, new_stream(search.seed), state)
            reading = Reading(search, game, state, blocks, memory)
            report = None if asked.on_progress is None else reading.reporter(asked.on_progress, bound.is_native)
            run(bound.function, args, memory, asked.time.soft_end, report, None, asked.control)
            if memory.stop != NO_ROOM:
                break
            self.action_bytes = int(memory.action_bytes)  # the kernel has said how many an action takes
            blocks = None
        if memory.stop == STUCK:
            raise BadRules(
                f"{type(game).__name__} has a state that is not terminal and has no actions. `plyforge check` finds"
                " which"
            )
        if memory.stop == TOO_WIDE:
            raise Unsuitable(f"{search.name} has room for {MOST_CHILDREN:,} joint actions in a state")
        if self.lasting:
            blocks.used_nodes, blocks.used_options = int(memory.nodes), int(memory.options)
            self.blocks, self.state = blocks, state
        return reading.result(time.perf_counter() - began, bound.is_native)

    def moved_to(self, state: Any, limits: Limits) -> Blocks | None:
        """The part of the tree that begins at a state; None where it is not there, or larger than it may be."""
        if self.blocks is None:
            return None
        blocks: Blocks | None = self.blocks
        assert blocks is not None
        if self.state != state:
            index = find_node(self.game, blocks, self.state, state)
            blocks = None if index is None else subtree(blocks, index)
        return None if blocks is None or (limits.nodes or UNLIMITED) < blocks.used_nodes else blocks

    def begin_anew(self, error: BaseException) -> None:
        self.bound = self.blocks = None

    def forget(self) -> None:
        self.blocks = None


@dataclass
class Reading:
    """What a tree says about its root when the search is over."""

    search: AtOnce
    game: Game
    state: Any
    blocks: Blocks
    memory: Any

    def reporter(self, on_progress: Callable[[Progress], None], native: bool) -> Callable[[Progress], None]:
        """Adds to a report how deep the tree is, and how to read it."""

        def report(progress: Progress) -> None:
            def read() -> MixedResult | None:
                with contextlib.suppress(LookupError, ZeroDivisionError):  # a node that is just being made
                    return self.result(progress.seconds, native)
                return None

            on_progress(replace(progress, depth=int(self.memory.deepest), read=read))

        return report

    def mixes(self, node: int) -> list[list[float]]:
        """Everybody's mix at a node that has children."""
        found = []
        for player in range(self.game.players):
            weights = [self.search.rule.weight(option) for option in self.blocks.options_of(node, player)] or [1.0]
            total = sum(weights)
            found.append([weight / total if total > 0.0 else 1.0 / len(weights) for weight in weights])
        return found

    def behind(self, child: int) -> tuple[float, ...]:
        """What is still to come if the action that leads to a child is taken, for each player."""
        shares = [self.blocks.share(child, player) for player in range(self.game.players)]
        return tuple(float(share.reward + share.value) for share in shares)

    def form(self, everyone: tuple[float, ...]) -> Any:
        """MAX's number where that says everything, else a tuple."""
        return everyone[MAX] if self.whose == MAX else everyone

    @property
    def whose(self) -> int | None:
        one_number = self.game.players == 1 or (self.game.players == 2 and self.game.utility_sum is not None)
        return MAX if one_number else None

    def result(self, seconds: float, native: bool) -> MixedResult:
        game, state, memory = self.game, self.state, self.memory
        root = self.blocks.nodes[ROOT]
        legal = legal_moves(game, state) if root.children else []
        chooses = bool(legal) and root.mover != CHANCE
        children = (
            dict(zip(legal, range(int(root.first), int(root.first) + len(legal)), strict=True)) if chooses else {}
        )
        seen = {action: child for action, child in children.items() if self.blocks.nodes[child].visits > 0}
        chances = self.chances(ROOT) if chooses else []
        likely = [action for action, chance in zip(legal, chances, strict=False) if chance > 0.0]
        action = self.likeliest(legal, chances) if chooses else None
        return MixedResult(
            action=action,
            value=self.form(self.value(seen, dict(zip(legal, chances, strict=False)))),
            values={each: self.form(self.behind(child)) for each, child in seen.items()},
            best=() if action is None else (action, *(each for each in likely if each != action)),
            line=self.line(),
            nodes=int(memory.nodes),
            depth=int(memory.deepest),
            seconds=seconds,
            reason=REASONS.get(int(memory.stop), "stopped"),
            player=self.whose,
            using=self.search.name,
            native=native,
            game=game,
            state=state,
            policies=self.policies() if chooses else (),
            visits={each: int(self.blocks.nodes[child].visits) for each, child in seen.items()},
            outcomes=self.thrown(),
            simulations=int(memory.simulations),
        )

    def thrown(self) -> dict[Any, Any]:
        """Where chance moves at the root: what the outcomes that were met are worth."""
        root = self.blocks.nodes[ROOT]
        if root.mover != CHANCE or not root.children:
            return {}
        children = enumerate(legal_moves(self.game, self.state), int(root.first))
        met = {outcome: child for child, outcome in children if self.blocks.nodes[child].visits > 0}
        return {outcome: self.form(self.behind(child)) for outcome, child in met.items()}

    def policies(self) -> tuple[dict[Any, float], ...]:
        game, state = self.game, self.state
        mover = game.player(state)
        found: list[dict[Any, float]] = []
        for player, mix in enumerate(self.mixes(ROOT)):
            if mover == SIMULTANEOUS:
                found.append(dict(zip(game.legal_actions(state, player), mix, strict=True)))
            else:
                found.append(dict(zip(game.actions(state), mix, strict=True)) if mover == player else {})
        return tuple(found)

    def chances(self, node: int) -> list[float]:
        """How likely each joint action is, in their order."""
        chances = []
        for parts in product(*self.mixes(node)):
            chance = 1.0
            for part in parts:
                chance *= part
            chances.append(chance)
        return chances

    @staticmethod
    def likeliest(actions: list[Any], chances: list[float]) -> Any:
        return actions[chances.index(max(chances))]

    def value(self, seen: dict[Any, int], chances: dict[Any, float]) -> tuple[float, ...]:
        """What the mixes bring: the children's values, each as likely as the mixes make it. Where nobody chooses,
        the mean of all simulations."""
        game = self.game
        known = sum(chances[action] for action in seen)
        if known > 0.0:
            parts = [(chances[action] / known, self.behind(child)) for action, child in seen.items()]
            return tuple(sum(chance * value[p] for chance, value in parts) for p in range(game.players))
        if self.blocks.nodes[ROOT].visits > 0:
            return tuple(float(self.blocks.share(ROOT, player).value) for player in range(game.players))
        if game.terminal(self.state):
            return payoffs(game, game.utility(self.state))
        return payoffs(game, self.search.evaluation.estimate(game, self.state))

    def line(self) -> tuple[Any, ...]:
        """The most likely joint action, the most likely answer, and so on, up to the first chance node."""
        line: list[Any] = []
        node, state = ROOT, self.state
        while len(line) < MAX_PLY:
            here = self.blocks.nodes[node]
            if here.children == 0 or here.mover == CHANCE or here.visits < 2:
                break
            chances = self.chances(node)
            place = chances.index(max(chances))
            child = int(here.first) + place
            if self.blocks.nodes[child].visits == 0:
                break
            action = legal_moves(self.game, state)[place]
            line.append(action)
            node, state = child, self.game.result(state, action)
        return tuple(line)
