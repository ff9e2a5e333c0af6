"""Guarded UCT: Monte Carlo tree search proposes, alpha-beta looks whether the proposal can be refuted.

Simulations see far and know nothing for certain; a narrow refutation two plies away can stay unseen for thousands of
them. Alpha-beta sees everything, but not far, and where the rules have no estimate it knows nothing else. So each does
what it is good at:

    1. an action that ends the game with the best possible outcome is taken at once;
    2. alpha-beta has part of the time (`guard`): what it proves is played;
    3. simulations have most of it;
    4. their choice is looked at by alpha-beta, as deep as it came in step 2. If it is proven to lose it is dropped, and
       the next one is looked at. Interpreted, each answer to the choice is tried at least: what loses at once is
       dropped, however little time there was.

Claims. Whoever can win with one action does. No action is chosen that lets the other side win with its next one, as
long as there is another, and the time to find it: where that runs out, alpha-beta's own choice is played, which is
known to be safe as far as it looked. Of actions with the same visits and the same value one is drawn with the `seed`,
not the first taken.

Exploration goes by how far outcomes really scatter. In a game that ends with 20 points more or less, out of 128 that
there could be, UCT's own measure, the range of the utility, would explore for ever.

Where players are more than two, what they win does not add up, or chance moves, there is no alpha-beta: steps 1 and 3
remain.

Baier and Winands, "Monte-Carlo tree search and minimax hybrids", IEEE Conference on Computational Intelligence and
Games 2013.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from plyforge.contract import CHANCE, MAX, Game, legal_moves, payoffs
from plyforge.errors import BadRules, PlyforgeError
from plyforge.kernel import below, new_stream
from plyforge.search.core.limits import Limits
from plyforge.search.core.parameters import parameter
from plyforge.search.core.searcher import Asked
from plyforge.search.engine.engine import Engine
from plyforge.search.engine.result import EngineResult
from plyforge.search.engine.transposition_table import Table
from plyforge.search.mcts.result import MonteCarloResult
from plyforge.search.mcts.selection.uct import Uct
from plyforge.search.mcts.tree.arena import ROOT, has_tuples
from plyforge.search.mcts.tree.reuse import Tree
from plyforge.search.mcts.tree.statistics import worst_possible
from plyforge.search.running.control import Control
from plyforge.search.running.runner import blaming_the_rules
from plyforge.search.time.manager import TimeManager, at_least_some

TABLE_MIB = 16.0
"""Of the table that alpha-beta has beside the tree."""
LOOKING = 0.4
"""The part of alpha-beta's time that is kept for looking at the choice."""
TRIED, LEAST_SCATTER = 64, 0.25
"""Simulations after which it is known how far outcomes scatter, and the least that is believed."""
LEAST_REST = 0.01
"""Share of the time that simulations have at the least."""
NODES_A_SIMULATION = 10
"""Where simulations are counted and not time: how many nodes of alpha-beta cost as much as one of them, about."""


@dataclass(frozen=True)
class GuardedUct(Uct):
    """UCT whose choice alpha-beta has looked at."""

    name: ClassVar[str] = "guarded_uct"
    title: ClassVar[str] = "Guarded UCT"

    exploration: float = parameter(
        0.2,
        at_least=0,
        unit="of the utility's range",
        help="How much actions are tried that look worse; what is overlooked for want of it, alpha-beta sees.",
    )
    guard: float = parameter(
        0.2,
        at_least=0,
        below=1,
        unit="of the time",
        title="Alpha-beta's part of the time",
        help="The part of the time that alpha-beta has. 0: none; then what wins at once is still taken, and what loses"
        " at once avoided.",
    )

    def start(self, game: Game, native: bool | None = None, *, lasting: bool = True) -> Tree:
        return GuardedTree(self, game, native, lasting)


class GuardedTree(Tree):
    """A tree, and beside it the table of the alpha-beta that guards it."""

    search: GuardedUct

    def __init__(self, search: GuardedUct, game: Game, native: bool | None = None, lasting: bool = True) -> None:
        super().__init__(search, game, native, lasting)
        self.table: Table | None = None
        self.guards = Engine.needs.missing(game) is None
        """False where alpha-beta is not sound, or has failed."""
        self.luck = new_stream(search.seed)
        self.scatter: float | None = None
        """How far outcomes are from each other, as a part of how far they could be; None before that was tried."""

    def forget(self) -> None:
        super().forget()
        self.table, self.scatter, self.luck = None, None, new_stream(self.search.seed)

    # ------------------------------------------------------------ searching
    def answer(self, asked: Asked) -> MonteCarloResult:
        if asked.watch is not None:
            return super().answer(asked)
        state, limits, control = asked.state, asked.limits, asked.control or Control()
        asked = replace(asked, control=control)
        more: dict[str, Any] = {"history": asked.history, "control": control}
        with blaming_the_rules():
            legal = self.legal_actions(state, asked.history)
            if len(legal) < 2 or limits.depth == 0:
                return super().answer(asked)
            won = self.win_at_once(state, legal)
        began = time.perf_counter()
        if won is not None:
            return won
        if self.compiled is None:
            self.state = state
            self.prepare(control)
            began = time.perf_counter()  # compiling is not on the clock
        manager, share = asked.time, self.search.guard * (1.0 - LOOKING)
        manager.begin(began)
        scout = self.ask(state, self.part(manager, share), **more) if share > 0.0 else None
        if scout is not None:
            began = max(began, time.perf_counter() - scout.seconds)
            manager.begin(began)
        if scout is not None and scout.exact and scout.action is not None:
            return self.certain(state, scout.line, scout.value, scout)
        if self.scatter is None:
            self.try_out(replace(self.rest(asked), on_progress=None))
        found = super().answer(self.rest(asked))
        lost = found.exact and found.action is not None and self.is_lost(found, found.value)
        if lost:
            found = self.last_stand(found, legal, scout)
        elif not found.exact and found.action is not None:
            found = self.looked_at(found, legal, scout, manager, **more)
        extra = 0 if scout is None else scout.nodes
        return replace(found, seconds=time.perf_counter() - began, nodes=found.nodes + extra)

    def try_out(self, asked: Asked) -> None:
        """A few simulations, to see how far outcomes scatter. They count as all others do."""
        search = self.search
        if search.simulations is not None and search.simulations < 4 * TRIED:
            return
        self.search = replace(search, simulations=TRIED)
        try:
            super().answer(asked)
        finally:
            self.search = search
        root = None if self.blocks is None else self.blocks.node(ROOT)
        span = float(self.game.max_utility) - float(self.game.min_utility)
        if root is not None and root.visits >= TRIED // 2 and not has_tuples(self.game):
            deviation = math.sqrt(max(0.0, float(root.deviation)) / root.visits)
            self.scatter = min(1.0, max(LEAST_SCATTER, 2.0 * deviation / span))

    def new_memory(self, limits: Limits, exploration_factor: float = 1.0) -> Any:
        return super().new_memory(limits, exploration_factor * (self.scatter or 1.0))

    def legal_actions(self, state: Any, history: Sequence[Any]) -> list[Any]:
        """The actions that a player may choose from here; none where nobody does."""
        game = self.game
        if game.terminal(state) or game.player(state) == CHANCE:
            return []
        legal = legal_moves(game, state)
        if not game.history.superko:
            return legal
        past = [*history, state]
        return [action for action in legal if not game.history.forbidden(game, past, action)]

    def part(self, manager: TimeManager, share: float) -> Limits:
        """Limits for alpha-beta: a part of those of the whole search."""
        limits, seconds, nodes = manager.limits, manager.part(share), manager.limits.nodes
        if seconds is None and nodes is None:
            simulations = self.search.simulations or limits.enough_simulations()
            nodes = simulations * NODES_A_SIMULATION
        return Limits(
            depth=limits.depth,
            nodes=None if nodes is None else max(1, int(nodes * share)),
            seconds=seconds,
        )

    def rest(self, asked: Asked) -> Asked:
        """The same with the time that is left for simulations."""
        seconds = asked.time.part(1.0 - (self.search.guard * LOOKING if self.guards else 0.0))
        if seconds is None:
            return asked
        left = max(seconds - asked.time.seconds, LEAST_REST * seconds)
        limits = Limits(depth=asked.limits.depth, nodes=asked.limits.nodes, seconds=left)
        return replace(asked, limits=limits, time=asked.time.within(limits))

    # ------------------------------------------------------------ what is certain
    def win_at_once(self, state: Any, legal: list[Any]) -> MonteCarloResult | None:
        """The end of the game, if one action brings it and nothing better can be had."""
        game = self.game
        mover = game.player(state)
        before = None if isinstance(state, Hashable) else copy.deepcopy(state)
        wins = []
        for action in legal:
            after = game.result(state, action)
            if game.terminal(after) and payoffs(game, game.utility(after))[mover] >= self.best_for(mover):
                wins.append((action, game.utility(after)))
        if before is not None and repr(before) != repr(state):
            raise BadRules(
                f"{type(game).__name__} changes the state that result(s, action) is given, and has to make a new one. "
                "`plyforge check` says more about rules"
            )
        if not wins:
            return None
        action, utility = wins[below(self.luck, len(wins))]
        everyone = payoffs(game, utility)
        return self.certain(state, (action,), everyone if has_tuples(game) else everyone[MAX])

    def best_for(self, player: int) -> float:
        """No end of the game is worth more to a player."""
        if has_tuples(self.game) or player == MAX:
            return float(self.game.max_utility)
        return float(payoffs(self.game, self.game.min_utility)[player])

    def loses_at_once(self, state: Any, action: Any) -> bool:
        """True if the other side can win with its next action."""
        game, mover = self.game, self.game.player(state)
        after = game.result(state, action)
        if game.terminal(after) or game.player(after) in (mover, CHANCE):
            return False
        worst = worst_possible(game, mover)
        for answer in legal_moves(game, after):
            end = game.result(after, answer)
            if game.terminal(end) and payoffs(game, game.utility(end))[mover] <= worst:
                return True
        return False

    def certain(
        self, state: Any, line: tuple[Any, ...], value: Any, scout: EngineResult | None = None
    ) -> MonteCarloResult:
        """An answer that is proven without a simulation."""
        return MonteCarloResult(
            action=line[0],
            value=value,
            values={line[0]: value},
            best=line[:1],
            line=line,
            nodes=1 if scout is None else scout.nodes,
            depth=len(line) if scout is None else scout.depth,
            seconds=0.0 if scout is None else scout.seconds,
            reason="complete",
            player=None if has_tuples(self.game) else MAX,
            using=self.search.name,
            native=False if scout is None else scout.native,
            game=self.game,
            state=state,
            visits={line[0]: 0},
            errors={line[0]: tuple(0.0 for _ in value) if isinstance(value, tuple) else 0.0},
            proven=line[:1],
            lines=((value, line),),
        )

    # ------------------------------------------------------------ alpha-beta
    def ask(
        self,
        state: Any,
        limits: Limits,
        *,
        history: Sequence[Any],
        control: Control,
        only: Sequence[Any] = (),
    ) -> EngineResult | None:
        """What alpha-beta says within limits; None where it can't be asked."""
        if not self.guards or control.stopped:
            return None
        engine = Engine(evaluation=self.search.evaluation, only=tuple(only), table_mib=TABLE_MIB)
        self.table = self.table or engine.new_table()
        native = self.native if self.is_native else False
        try:
            searcher = engine.start(self.game, native, lasting=False, table=self.table)
            return cast(EngineResult, searcher.think(state, limits, history=history, control=control))
        except PlyforgeError:  # more actions than it can order, say; if the rules are broken, simulations will say so
            self.guards = False
            return None

    def looked_at(
        self,
        found: MonteCarloResult,
        legal: list[Any],
        scout: EngineResult | None,
        manager: TimeManager,
        *,
        history: Sequence[Any],
        control: Control,
    ) -> MonteCarloResult:
        """The answer with the first choice that is not refuted."""
        order = self.in_order(found, legal)
        if Engine.needs.missing(self.game) is not None:
            return self.led_by(found, order[0])
        depth = 0 if scout is None or not self.guards else scout.depth
        part, end = self.part(manager, self.search.guard * LOOKING), manager.soft_end
        if part.seconds is not None and end is not None:  # a look that was begun late is short, not left out
            end = max(end, time.perf_counter() + part.seconds / 2)
        for action in order:
            if action in found.proven and not self.is_lost(found, found.values[action]):
                return self.led_by(found, action)
            left = None if end is None else end - time.perf_counter()
            if action is not order[0] and (control.stopped or (left is not None and left <= 0.0)):
                break
            refuted = False
            if depth >= 2 and not control.stopped:
                deep = replace(part, depth=depth, seconds=None if left is None else at_least_some(left))
                said = self.ask(found.state, deep, only=(action,), history=history, control=control)
                refuted = said is not None and said.exact and self.is_lost(found, said.value)
            if not refuted and (depth < 2 or not self.is_native):
                with blaming_the_rules():
                    refuted = self.loses_at_once(found.state, action)
            if not refuted:
                return self.led_by(found, action)
        safe = scout is not None and depth >= 2 and scout.action in legal
        return self.led_by(found, scout.action if safe and scout is not None else order[0])

    def last_stand(self, found: MonteCarloResult, legal: list[Any], scout: EngineResult | None) -> MonteCarloResult:
        """Where every action is proven to lose: one that does not lose at once, since the other side may not see it."""
        order = self.in_order(found, legal)
        if scout is not None and scout.depth >= 2 and scout.action in legal:
            return self.led_by(found, scout.action)
        if Engine.needs.missing(self.game) is not None:
            return self.led_by(found, order[0])
        with blaming_the_rules():
            longer = (action for action in order if not self.loses_at_once(found.state, action))
            return self.led_by(found, next(longer, order[0]))

    def in_order(self, found: MonteCarloResult, legal: list[Any]) -> list[Any]:
        """The actions as simulations rank them: the choice first, then those with most visits. Among equals the
        order is drawn."""
        mover = self.game.player(found.state)

        def rank(action: Any) -> tuple[float, ...]:
            visits = found.visits.get(action, 0)
            worth = payoffs(self.game, found.values[action])[mover] if visits else 0.0
            lost = action in found.proven and self.is_lost(found, found.values[action])
            return (lost, -visits, -worth)

        drawn = list(legal)
        for place in range(len(drawn) - 1, 0, -1):
            other = int(below(self.luck, place + 1))
            drawn[place], drawn[other] = drawn[other], drawn[place]
        drawn.sort(key=rank)
        if rank(found.action) != rank(drawn[0]):  # a proof, which counts more than visits
            drawn.remove(found.action)
            drawn.insert(0, found.action)
        return drawn

    def is_lost(self, found: MonteCarloResult, value: Any) -> bool:
        """True for a value that is as bad for the mover as any."""
        mover = self.game.player(found.state)
        return bool(payoffs(self.game, value)[mover] <= worst_possible(self.game, mover))

    def led_by(self, found: MonteCarloResult, action: Any) -> MonteCarloResult:
        """The answer with another choice."""
        if action == found.action:
            return found
        line = next((line for _, line in found.lines if line[:1] == (action,)), (action,))
        value = found.values.get(action, found.value)
        others = tuple(known for known in found.lines if known[1][:1] != (action,))
        kept = ((value, line), *others)[: max(1, self.search.lines)]
        return replace(found, action=action, best=(action,), value=value, line=line, lines=kept)


__all__ = ["GuardedTree", "GuardedUct"]
