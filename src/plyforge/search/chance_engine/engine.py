"""The dice engine: expectiminimax as people play against it.

Iterative deepening over the kernel of `dice_kernel.py`: a transposition table, Star1 and Star2 at chance nodes,
alpha-beta and action ordering where players move. It runs on any game of two players with constant sum, with dice or
without, at both speeds. When a value is proven, that is when it rests on the ends of the game alone, deepening stops.

Claim: the value at depth d is what `expectiminimax` computes at depth d, the same number (of zeros, the sign may
differ), and the action is one of its best.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

from plyforge.contract import MAX, Game, legal_moves
from plyforge.errors import TooDeep, Unsuitable
from plyforge.kernel import MAX_PLY, Kernel, RecordType
from plyforge.kernel.storage.buffer import ACTION_LIMIT
from plyforge.search.chance_engine.kernel import dice_engine
from plyforge.search.chance_engine.memory import DICE, new_dice_memory
from plyforge.search.chance_engine.table import ON_LINE
from plyforge.search.core.base import Call
from plyforge.search.core.limits import Limits, tie_window
from plyforge.search.core.requirements import TWO_PLAYERS, Needs, unbounded
from plyforge.search.core.result import Result
from plyforge.search.core.searcher import Asked
from plyforge.search.engine.memory import TOO_MANY_ACTIONS
from plyforge.search.engine.table_search import TableSearch
from plyforge.search.engine.transposition_table import (
    Table,
)
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress, blaming_the_rules, run
from plyforge.search.textbook.star1 import MARGIN


@dataclass(frozen=True)
class DiceEngine(TableSearch):
    """Expectiminimax as people play against it: iterative deepening, a table, Star1, Star2 and ordering."""

    name: ClassVar[str] = "dice_engine"
    title: ClassVar[str] = "Dice engine"
    drawn: ClassVar[bool] = False
    needs: ClassVar[Needs] = TWO_PLAYERS
    kernel: ClassVar[Kernel] = dice_engine

    @classmethod
    def unsuited(cls, game: Game) -> str | None:
        return cls.needs.missing(game) or unbounded(game)

    def answer_with(self, game: Game, asked: Asked, native: bool | None, table: Table | None) -> Result:
        """Depths are searched one after the other up to the limits, or until the value is proven. The history is not
        looked at: with dice, coming back to a state is not the players' choice."""
        if asked.watch is not None:
            raise Unsuitable("the dice engine can't be watched: its table and windows make no plain tree. Use 'star2'")
        lowest, highest = float(game.min_utility), float(game.max_utility)
        if not (math.isfinite(lowest) and math.isfinite(highest)):
            raise Unsuitable(
                f"{self.name} prunes by the bounds of the utility, and those of {type(game).__name__} are "
                f"{lowest:g} and {highest:g}. Give it finite ones, or use 'expectiminimax'"
            )
        thinking = Thinking(self, game, asked.state, native, None, asked.on_progress, asked.control, table)
        thinking.time = asked.time
        return thinking.deepen(asked.limits)

    def read_values(self, game: Game, state: Any, numbers: list[float]) -> list[Any | None]:
        """The kernel notes a number only where it is exact."""
        return [None if math.isnan(number) else number for number in numbers]

    def ties(self, game: Game, state: Any, values: list[Any | None], first: int) -> list[int]:
        """The action that was chosen comes first."""
        return [first, *(index for index in super().ties(game, state, values, first) if index != first)]


@dataclass
class Thinking(Call):
    """One call of the dice engine: one memory and one table for all depths."""

    record: ClassVar[RecordType] = DICE
    search: DiceEngine
    table: Table | None = None
    spent: int = field(default=0, init=False)
    """The nodes of the depths before this one."""
    found: Result | None = field(default=None, init=False)
    """What the last of them found."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.memory = new_dice_memory(self.compiled)
        with blaming_the_rules():
            self.legal = legal_moves(self.game, self.state)
        if len(self.legal) > ACTION_LIMIT:
            raise too_many_actions(self.game)
        lowest, highest = float(self.game.min_utility), float(self.game.max_utility)
        # Two margins wider than the game's bounds: one for leaves, one for averages of averages.
        margin = MARGIN * max(abs(lowest), abs(highest))
        memory = self.memory
        memory.bottom, memory.top, memory.margin = lowest, highest, margin
        memory.lowest, memory.highest = lowest - 2.0 * margin, highest + 2.0 * margin
        self.table = self.search.new_table() if self.table is None else self.table
        if self.table is not None:
            self.table.begin((self.game, self.search.evaluation, self.search.name))
            memory.table, memory.buckets = self.table.address, self.table.buckets
            memory.salt, memory.age = self.table.salt, self.table.stamp

    def arguments(self, memory: Any, depth: int) -> tuple[Any, ...]:
        return self.windowed(memory, depth, -math.inf, math.inf)

    def windowed(self, memory: Any, depth: int, alpha: float, beta: float) -> tuple[Any, ...]:
        search = self.search
        return (self.rules, search.evaluation, search.watcher, memory, self.state, depth, 0, alpha, beta, ON_LINE)

    def deepen(self, limits: Limits) -> Result:
        if self.game.terminal(self.state) or limits.depth == 0:
            return self.once(0)
        found = super().deepen(limits)
        if found.reason == "depth" and limits.depth is None:
            raise TooDeep(
                f"{self.search.name} reached {MAX_PLY} plies, its recursion bound: {type(self.game).__name__} is very "
                "long, or endless. Give a depth, nodes or seconds; or solve it by value iteration"
            )
        return found

    def run(
        self,
        depth: int | None,
        nodes: int | None,
        deadline: float | None,
        control: Control | None = None,
        spent: int = 0,
        found: Result | None = None,
    ) -> tuple[Any, Any]:
        """One depth: its value, and with `all_best` the ties."""
        assert depth is not None
        memory = self.memory
        memory.nodes, memory.estimates, memory.stop, memory.depth = 0, 0, 0, depth
        memory.node_limit = (1 << 62) if nodes is None else nodes
        self.spent, self.found = spent, found
        value = self.look(depth, -math.inf, math.inf, range(len(self.legal)), deadline, control)
        proven = memory.low[0] >= 0 and memory.high[0] >= 0
        if not memory.stop and self.search.all_best and memory.length[0] > 0:
            self.mark_ties(depth, value, deadline, control)
        memory.estimates = int(not proven)
        return memory, value

    def look(
        self,
        depth: int,
        alpha: float,
        beta: float,
        allowed: Any,
        deadline: float | None = None,
        control: Control | None = None,
    ) -> float:
        """One call of the kernel, on some of the root's actions."""
        memory = self.memory
        memory.partial = len(allowed) < len(self.legal)
        memory.excluded[: len(self.legal)] = 1
        memory.values[: len(self.legal)] = math.nan
        for index in allowed:
            memory.excluded[index] = 0
        report = None if self.on_progress is None else self.report
        value = run(self.function, self.windowed(memory, depth, alpha, beta), memory, deadline, report, depth, control)
        if memory.stop == TOO_MANY_ACTIONS:
            raise too_many_actions(self.game)
        return float(value)

    def mark_ties(self, depth: int, value: float, deadline: float | None, control: Control | None) -> None:
        """Ask each other action, with a window that only a tie touches, whether it is as good as the best."""
        memory = self.memory
        line = memory.line[0, : memory.length[0]].copy()
        first = int(line[0])
        maximising = self.game.player(self.state) == MAX
        window = tie_window(value, maximising)
        known = memory.values[: len(self.legal)].copy()
        for index in range(len(self.legal)):
            if index == first or not math.isnan(known[index]):
                continue
            bound = self.look(depth, *window, (index,), deadline, control)
            if memory.stop:
                return
            if bound >= value if maximising else bound <= value:
                known[index] = value
        memory.values[: len(self.legal)] = known
        memory.line[0, : len(line)] = line
        memory.length[0] = len(line)

    @property
    def table_used(self) -> float | None:
        return None if self.table is None else self.table.used

    def outcome_values(self, memory: Any, numbers: list[float]) -> list[Any | None]:
        return self.search.read_values(self.game, self.state, numbers)

    def report(self, now: Progress) -> None:
        """What the caller is told while a depth is searched: of the whole call, not of one depth."""
        assert self.on_progress is not None
        found = self.found
        value, line = (None, ()) if found is None else (found.value, found.line)
        nodes = self.spent + now.nodes
        self.on_progress(Progress(nodes, self.elapsed, now.depth, value, line, self.table_used, found))


def too_many_actions(game: Game) -> Unsuitable:
    return Unsuitable(
        f"{type(game).__name__} has a state with more than {ACTION_LIMIT} actions or outcomes: too many for the "
        "dice engine. Use 'star2'"
    )
